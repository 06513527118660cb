//! SACK: retransmits segments that selective acknowledgments show to be lost, as pipe allows.
//!
//! Pipe, the estimate of the data in the network, is that of RFC 6675, recomputed from the scoreboard, or the
//! counter of Fall and Floyd 1996 ([`SackPipe`]). With the scoreboard, the rule for lost segments is a choice
//! too ([`SackLoss`]), and lost retransmissions can be detected (module `resent`).

use super::resent::Resent;
use crate::calm::special;
use crate::config::{
    FastRecovery, LimitedTransmitBound, PartialAckTimer, SackLoss, SackPipe, SackTail, WindowReduction,
};
use crate::congestion::{Congestion, CongestionControl};
use crate::scoreboard::Scoreboard;
use crate::tcb::{DUP_THRESH, LastCut, Tcb};
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Follows SND.UNA with a delay while it is clear ([`State::catch_up`]).
    board: Scoreboard,
    /// True in fast recovery.
    active: bool,
    /// True after a timeout, until new data are acknowledged: duplicate acknowledgments are ignored.
    ignores_duplicates: bool,
    /// Counted pipe, segments; used with `SackPipe::Counter`.
    pipe: i64,
    /// True if this recovery has sent its one rescue retransmission (RFC 6675 section 4, NextSeg rule 4).
    rescued: bool,
    /// Segments below this one that have not arrived are lost. After a timeout these are all outstanding
    /// segments.
    lost_below: u64,
    /// True if a partial acknowledgment has arrived in this recovery.
    partial: bool,
    /// Retransmissions of this recovery; `None` before the first, or if lost retransmissions are not
    /// detected.
    resent: Option<Box<Resent>>,
    /// True if the last acknowledgment showed new losses.
    detected_new_loss: bool,
}

impl State {
    pub(crate) fn active(&self) -> bool {
        self.active
    }

    /// Returns the number of segments known to have arrived out of order.
    pub(crate) fn sacked(&self) -> u64 {
        self.board.sacked_count()
    }

    /// Returns true if the last acknowledgment showed new losses.
    #[inline]
    pub(crate) fn detected_new_loss(&self) -> bool {
        self.detected_new_loss
    }

    /// Returns the number of segments that have arrived out of order and follow another such segment.
    #[inline]
    pub(crate) fn merged(&self) -> u64 {
        self.board.merged_count()
    }

    /// Returns the number of segments sent that are not known to have left the network.
    pub(crate) fn in_flight(&self, tcb: &Tcb) -> u64 {
        match tcb.config.detection.sack_pipe {
            SackPipe::Counter if self.active => self.pipe.max(0) as u64,
            SackPipe::Counter => tcb.snd.outstanding(),
            SackPipe::Scoreboard => self.scoreboard_pipe(tcb),
        }
    }

    /// Returns the segment below which all segments that have not arrived are lost.
    fn edge(&self, tcb: &Tcb) -> u64 {
        let edge = match tcb.config.detection.sack_loss {
            SackLoss::Count => self.board.lost_edge(),
            SackLoss::Forward => self.board.forward_edge(),
        };
        edge.max(self.lost_below)
    }

    /// Returns pipe (RFC 6675 section 4, SetPipe), segments.
    fn scoreboard_pipe(&self, tcb: &Tcb) -> u64 {
        if self.board.is_clear() && self.lost_below <= tcb.snd.una() {
            return tcb.snd.unacknowledged();
        }
        tcb.snd.unacknowledged()
            - self.board.sacked_count()
            - self.board.lost_count(self.edge(tcb).max(tcb.snd.una()))
            + self.board.marked_count()
    }

    /// Returns true if no segment is known to be lost or to have arrived out of order, so that the scoreboard
    /// is not needed.
    #[inline]
    pub(super) fn is_calm(&self, tcb: &Tcb) -> bool {
        let Self {
            board,
            active,
            ignores_duplicates: _,
            pipe: _,
            rescued: _,
            lost_below,
            partial: _,
            resent: _,
            detected_new_loss: _,
        } = self;
        !active && board.is_clear() && *lost_below <= tcb.snd.una()
    }

    #[inline]
    pub(crate) fn on_ack(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        match tcb.config.detection.sack_pipe {
            SackPipe::Scoreboard if ack.blocks == 0 && ack.ack > tcb.snd.una() && self.is_calm(tcb) => {
                self.on_calm_ack::<false>(tcb, now, ack);
            }
            SackPipe::Scoreboard => self.on_ack_scoreboard(tcb, now, ack),
            SackPipe::Counter => self.on_ack_counter(tcb, now, ack),
        }
    }

    /// Records the arrivals in an acknowledgment; returns the number of segments newly shown to have arrived
    /// out of order.
    fn update(&mut self, ack: &AckHeader) -> u64 {
        self.board.advance(ack.ack);
        if let Some(resent) = &mut self.resent {
            resent.advance(ack.ack);
        }
        let mut news = 0;
        for block in ack.sacked() {
            let (from, to) = (ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
            news += self.board.sack(from, to);
            if let Some(resent) = &mut self.resent {
                resent.sack(from, to);
            }
        }
        news
    }

    /// Handles the most frequent acknowledgment for [`State::on_ack_scoreboard`]: one of new data without
    /// SACK blocks, while no segment is lost.
    #[inline]
    pub(super) fn on_calm_ack<const CALM: bool>(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        if special::<CALM>(self.detected_new_loss) {
            self.detected_new_loss = false;
        }
        tcb.release_burst();
        tcb.acknowledge::<CALM>(now, ack);
    }

    /// Records the acknowledgments of new data that came while nothing was lost.
    fn catch_up(&mut self, tcb: &Tcb) {
        self.board.advance(tcb.snd.una());
    }

    /// Handles an acknowledgment with pipe from the scoreboard (RFC 6675 section 5).
    fn on_ack_scoreboard(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        self.catch_up(tcb);
        let known = self.edge(tcb).max(ack.ack);
        let news = self.update(ack);
        let edge = self.edge(tcb);
        self.detected_new_loss = edge > known && self.board.sacked_between(known, edge) < edge - known;
        if tcb.rate.is_some() {
            (known..edge).filter(|seq| !self.board.is_sacked(*seq)).for_each(|seq| tcb.lost(now, seq));
        }
        let again = self.find_lost_again(tcb, now);
        tcb.release_burst();
        if ack.ack > tcb.snd.una() {
            if self.active && ack.ack < tcb.episode.recover() {
                let timer = tcb.timers.retransmission();
                tcb.advance::<false>(now, ack);
                if self.partial && tcb.config.fast_recovery.sack_partial_timer == PartialAckTimer::First {
                    tcb.timers.restore_retransmission(timer);
                }
                self.partial = true;
                // Recovery continues, so the duplicates that began it stay counted.
                tcb.duplicates.set(DUP_THRESH);
            } else if self.active {
                self.leave(tcb, now, ack);
            } else {
                tcb.acknowledge::<false>(now, ack);
                // By the forward rule, an acknowledgment of new data that shows a loss begins recovery too.
                let forward = tcb.config.detection.sack_loss == SackLoss::Forward;
                if forward && self.edge(tcb) > tcb.snd.una() && tcb.snd.una() >= tcb.episode.recover() {
                    self.enter(tcb, now);
                }
            }
            return;
        }
        if tcb.config.timers.dup_ack_timing {
            tcb.measure_stamp(now, ack);
        }
        if tcb.config.timers.dup_ack_timer {
            tcb.update_timer(now);
        }
        if news > 0 && !self.active {
            tcb.duplicates.count();
            let counted =
                tcb.config.detection.sack_loss == SackLoss::Count && tcb.duplicates.acks() >= DUP_THRESH;
            // A lost retransmission is a new loss, even before all segments of the last timeout are
            // acknowledged (RFC 5681 section 4.3).
            if (counted || edge > tcb.snd.una()) && (tcb.snd.una() >= tcb.episode.recover() || again) {
                self.enter(tcb, now);
            } else if tcb.config.detection.limited_transmit
                && tcb.snd.nxt() == tcb.snd.max()
                && !(tcb.config.decrease.frto && tcb.episode.is_after_timeout(tcb.snd.una()))
            {
                // With the forward rule, or with the bound `pipe`, the data in the network alone limits new
                // segments.
                tcb.allowance.set_extra(
                    tcb.config.detection.sack_loss == SackLoss::Count
                        && tcb.config.detection.limited_transmit_bound == LimitedTransmitBound::Outstanding
                        && tcb.duplicates.acks() < DUP_THRESH,
                );
            }
        }
    }

    /// Unmarks lost retransmissions, so that they are sent again; returns true if there are any.
    fn find_lost_again(&mut self, tcb: &mut Tcb, now: Instant) -> bool {
        let Some(resent) = &mut self.resent else { return false };
        let (beyond, overtaken) =
            (tcb.config.detection.lost_retransmission, tcb.config.detection.overtaken_retransmission);
        let mut found = false;
        resent.lost(self.board.top(), u64::from(beyond), u64::from(overtaken), |seq| {
            self.board.unmark(seq);
            tcb.lost(now, seq);
            found = true;
        });
        self.detected_new_loss |= found;
        found
    }

    fn mark_resent(&mut self, tcb: &Tcb, seq: u64) {
        self.board.mark(seq);
        if tcb.config.detection.lost_retransmission > 0 || tcb.config.detection.overtaken_retransmission > 0 {
            self.resent.get_or_insert_default().push(seq, tcb.snd.max());
        }
    }

    fn forget_resent(&mut self) {
        self.board.unmark_all();
        if let Some(resent) = &mut self.resent {
            resent.clear();
        }
    }

    fn enter(&mut self, tcb: &mut Tcb, now: Instant) {
        self.active = true;
        self.rescued = false;
        self.partial = false;
        tcb.duplicates.set(tcb.duplicates.acks().max(tcb.duplicates_for_loss()));
        tcb.episode.set_pipe(self.in_flight(tcb));
        tcb.cut(now, Congestion::FastLoss);
        if tcb.config.decrease.window_reduction == WindowReduction::RateHalving
            && !tcb.has_room(self.scoreboard_pipe(tcb))
        {
            // Even the first retransmission is sent only when the window allows it.
            tcb.begin_repair(now);
        } else {
            self.mark_resent(tcb, tcb.snd.una());
            tcb.fast_retransmit(now);
        }
    }

    fn leave(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        self.active = false;
        self.forget_resent();
        tcb.recovered(now);
        tcb.acknowledge_last(now, ack);
        let FastRecovery { exit_burst, clear_scoreboard_on_exit, .. } = tcb.config.fast_recovery;
        if clear_scoreboard_on_exit {
            // SACK blocks of later acknowledgments count as new.
            self.board.clear(tcb.snd.una());
        }
        if exit_burst > 0 {
            let most = (tcb.snd.unacknowledged() + u64::from(exit_burst)) as f64;
            let window = tcb.control.window_mut();
            window.cwnd = window.cwnd.min(most);
        }
    }

    /// Handles an acknowledgment with counted pipe (Fall and Floyd 1996, section 3.4).
    fn on_ack_counter(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        let news = self.update(ack);
        tcb.allowance.set_burst(0);
        if !self.active {
            if ack.ack > tcb.snd.una() {
                // SACK blocks in acknowledgments of new data are dropped; the next duplicate reports them as
                // new.
                self.board.clear(ack.ack);
                tcb.acknowledge::<false>(now, ack);
                self.ignores_duplicates = false;
            } else if !self.ignores_duplicates && news > 0 {
                tcb.duplicates.count();
                if tcb.duplicates.acks() == tcb.duplicates_for_loss() {
                    if tcb.may_cut() || tcb.episode.last_cut() != LastCut::Timeout {
                        self.pipe = tcb.snd.unacknowledged() as i64 - i64::from(tcb.duplicates_for_loss());
                        self.enter(tcb, now);
                    }
                } else if tcb.duplicates.acks() < tcb.duplicates_for_loss()
                    && tcb.config.detection.limited_transmit
                {
                    tcb.allowance.set_extra(true);
                }
            }
            if tcb.duplicates.acks() == 0 {
                tcb.release_burst();
            }
            return;
        }
        tcb.release_burst();
        self.pipe -= 1;
        if ack.ack >= tcb.episode.recover() {
            self.active = false;
            self.ignores_duplicates = false;
            self.board.clear(ack.ack);
            tcb.recovered(now);
            tcb.advance::<false>(now, ack);
        } else if ack.ack > tcb.snd.una() {
            // Both a retransmission and the original segment have left the network.
            self.pipe -= 1;
            tcb.advance_partial(ack);
            tcb.round_trips.end_backoff(&tcb.config.timers);
            tcb.update_timer(now);
        }
    }

    pub(crate) fn on_timeout(&mut self, tcb: &mut Tcb, now: Instant) {
        self.active = false;
        self.catch_up(tcb);
        match tcb.config.detection.sack_pipe {
            // Segments known to have arrived are not retransmitted (RFC 6675 section 5.1); all others are
            // lost.
            SackPipe::Scoreboard => {
                if self.board.is_sacked(tcb.snd.una()) {
                    // The oldest segment was reported as arrived but is missing: the receiver has discarded
                    // it, or a gateway that held it has crashed. So no SACK information is valid (RFC 2018
                    // section 8).
                    self.board.clear(tcb.snd.una());
                }
                self.forget_resent();
                if tcb.rate.is_some() {
                    (tcb.snd.una()..tcb.snd.max())
                        .filter(|seq| !self.board.is_sacked(*seq))
                        .for_each(|seq| tcb.lost(now, seq));
                }
                self.lost_below = tcb.snd.max();
                self.board.reserve(tcb.snd.max());
            }
            SackPipe::Counter => {
                self.ignores_duplicates = true;
                self.board.clear(tcb.snd.una());
            }
        }
    }

    /// Ends recovery because no segment was lost.
    pub(super) fn undo(&mut self, tcb: &Tcb) {
        self.active = false;
        self.ignores_duplicates = false;
        self.lost_below = tcb.snd.una();
        self.catch_up(tcb);
        self.forget_resent();
    }

    /// Returns true if segment `seq` is known to have arrived out of order.
    pub(super) fn is_sacked(&self, seq: u64) -> bool {
        self.board.is_sacked(seq)
    }

    /// Returns the next segment to send; `None` if the window or the data allow none.
    #[inline]
    pub(crate) fn next(&mut self, tcb: &mut Tcb) -> Option<u64> {
        match tcb.config.detection.sack_pipe {
            SackPipe::Scoreboard if tcb.snd.nxt() == tcb.snd.max() && self.is_calm(tcb) => {
                tcb.next_new().filter(|_| tcb.within_reach())
            }
            SackPipe::Scoreboard => self.next_scoreboard(tcb),
            SackPipe::Counter => self.next_counter(tcb),
        }
    }

    fn next_scoreboard(&mut self, tcb: &mut Tcb) -> Option<u64> {
        if !tcb.has_room(self.scoreboard_pipe(tcb)) {
            return None;
        }
        if !self.active {
            return self.next_outside(tcb);
        }
        // NextSeg (RFC 6675 section 4): lost segments, then new data, then segments that may be lost, then
        // one rescue retransmission.
        let edge = self.edge(tcb);
        if let Some(hole) = self.board.first_hole(tcb.snd.una(), edge) {
            self.mark_resent(tcb, hole);
            return Some(hole);
        }
        if tcb.snd.nxt() < tcb.stream.available() && tcb.within_reach() {
            return Some(tcb.snd.nxt());
        }
        if tcb.config.detection.sack_tail == SackTail::Wait {
            return None;
        }
        if let Some(hole) = self.board.first_hole(tcb.snd.una(), self.board.top()) {
            self.mark_resent(tcb, hole);
            return Some(hole);
        }
        if self.rescued {
            return None;
        }
        // The rescue retransmission is not marked as retransmitted, so it does not change pipe.
        self.rescued = true;
        self.board.highest_missing(tcb.snd.una(), tcb.snd.max())
    }

    /// Returns the next segment outside fast recovery: segments that a timeout declared lost, oldest first,
    /// then new data.
    fn next_outside(&mut self, tcb: &mut Tcb) -> Option<u64> {
        if tcb.prefers_new_data() {
            let there = tcb.snd.max() < tcb.stream.available() && tcb.within_reach();
            return (there && !tcb.waits_for_verdict()).then_some(tcb.snd.max());
        }
        let passed = tcb.snd.nxt().min(self.lost_below);
        if let Some(hole) = self.board.first_hole(tcb.snd.una(), passed) {
            // The segment was already retransmitted after the timeout, and is lost again.
            self.mark_resent(tcb, hole);
            return Some(hole);
        }
        while tcb.snd.nxt() < tcb.snd.max() && self.board.is_sacked(tcb.snd.nxt()) {
            tcb.snd.advance(tcb.snd.nxt() + 1);
        }
        if tcb.snd.nxt() >= tcb.stream.available() || !tcb.within_reach() {
            return None;
        }
        if tcb.snd.nxt() < tcb.snd.max() {
            self.mark_resent(tcb, tcb.snd.nxt());
        }
        Some(tcb.snd.nxt())
    }

    fn next_counter(&mut self, tcb: &mut Tcb) -> Option<u64> {
        if !self.active {
            return tcb.window_open().then_some(tcb.snd.nxt());
        }
        let window = tcb.control_window() as i64;
        if self.pipe >= window {
            return None;
        }
        let limit = tcb.growth.limit();
        let fits = |seq: u64| ((seq - tcb.snd.una()) as f64) < limit;
        match self.board.first_hole(tcb.snd.una(), self.board.top()) {
            Some(hole) if fits(hole) => {
                self.board.mark(hole);
                self.pipe += 1;
                Some(hole)
            }
            None if tcb.snd.nxt() < tcb.stream.available() && fits(tcb.snd.nxt()) => {
                self.pipe += 1;
                Some(tcb.snd.nxt())
            }
            _ => None,
        }
    }
}
