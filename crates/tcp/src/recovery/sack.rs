//! SACK: retransmits what selective acknowledgments show missing, as much as the estimated data in the network allows.
//!
//! The estimate is RFC 6675's, recomputed from the scoreboard, or the counter of Fall and Floyd 1996
//! ([`SackPipe`]). With the scoreboard, what is lost is a choice, too ([`SackLoss`]), and a retransmission that what was
//! sent after it has overtaken can be known for lost again (`resent`).

use super::resent::Resent;
use crate::config::{
    FastRecovery, LimitedTransmitBound, PartialAckTimer, SackLoss, SackPipe, SackTail, WindowReduction,
};
use crate::congestion::{Congestion, CongestionControl};
use crate::core::{Core, DUP_THRESH, LastCut};
use crate::scoreboard::Scoreboard;
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    board: Scoreboard,
    /// In fast recovery.
    active: bool,
    /// After a timeout, until new data is acknowledged: duplicate acknowledgments mean nothing.
    ignores_duplicates: bool,
    /// Estimated segments in the network, where it is counted.
    pipe: i64,
    /// This recovery has sent its one rescue retransmission (RFC 6675 section 4, NextSeg rule 4).
    rescued: bool,
    /// Below this, what has not arrived was lost: all that was outstanding at a timeout.
    lost_below: u64,
    /// This recovery has had a partial acknowledgment.
    partial: bool,
    /// What was sent again, where it can be found lost again; from the first of it on.
    resent: Option<Box<Resent>>,
    /// The last acknowledgment showed further losses.
    found_more: bool,
}

impl State {
    pub(crate) fn active(&self) -> bool {
        self.active
    }

    /// Segments known to have arrived out of order.
    pub(crate) fn sacked(&self) -> u64 {
        self.board.sacked_count()
    }

    /// Whether the last acknowledgment showed further losses.
    pub(crate) fn found_more(&self) -> bool {
        self.found_more
    }

    /// Segments sent and not known to have left the network.
    pub(crate) fn in_flight(&self, core: &Core) -> u64 {
        match core.config.detection.sack_pipe {
            SackPipe::Counter if self.active => self.pipe.max(0) as u64,
            SackPipe::Counter => core.next - core.una,
            SackPipe::Scoreboard => self.scoreboard_pipe(core),
        }
    }

    /// Below this, what has not arrived is lost.
    fn edge(&self, core: &Core) -> u64 {
        let edge = match core.config.detection.sack_loss {
            SackLoss::Count => self.board.lost_edge(),
            SackLoss::Forward => self.board.forward_edge(),
        };
        edge.max(self.lost_below)
    }

    /// RFC 6675 section 4, SetPipe.
    fn scoreboard_pipe(&self, core: &Core) -> u64 {
        if self.board.is_clear() && self.lost_below <= core.una {
            return core.max - core.una;
        }
        (core.max - core.una)
            - self.board.sacked_count()
            - self.board.lost_count(self.edge(core).max(core.una))
            + self.board.marked_count()
    }

    /// Whether nothing is known to be lost or out of order: then the scoreboard has nothing to say.
    #[inline]
    fn is_calm(&self, core: &Core) -> bool {
        !self.active && self.board.is_clear() && self.lost_below <= core.una
    }

    #[inline]
    pub(crate) fn on_ack(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        match core.config.detection.sack_pipe {
            SackPipe::Scoreboard if ack.blocks == 0 && ack.ack > core.una && self.is_calm(core) => {
                self.on_calm_ack(core, now, ack);
            }
            SackPipe::Scoreboard => self.on_ack_scoreboard(core, now, ack),
            SackPipe::Counter => self.on_ack_counter(core, now, ack),
        }
    }

    /// Enters what an acknowledgment shows; returns how many segments it newly shows to have arrived out of order.
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

    /// [`State::on_ack_scoreboard`] for what nearly every acknowledgment is: of new data, without blocks, in calm.
    #[inline]
    fn on_calm_ack(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        self.board.advance(ack.ack);
        self.found_more = false;
        core.burst = core.most_burst();
        core.acknowledge(now, ack);
    }

    /// RFC 6675 section 5.
    fn on_ack_scoreboard(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        let known = self.edge(core).max(ack.ack);
        let news = self.update(ack);
        let edge = self.edge(core);
        self.found_more = edge > known && self.board.sacked_between(known, edge) < edge - known;
        let again = self.find_lost_again(core);
        core.burst = core.most_burst();
        if ack.ack > core.una {
            if self.active && ack.ack < core.recover {
                let timer = core.timer;
                core.advance(now, ack);
                if self.partial && core.config.fast_recovery.sack_partial_timer == PartialAckTimer::First {
                    core.timer = timer;
                }
                self.partial = true;
                // Duplicates counted before still stand: recovery goes on.
                core.dup_acks = DUP_THRESH;
            } else if self.active {
                self.leave(core, now, ack);
            } else {
                core.acknowledge(now, ack);
                // By the forward-most, any acknowledgment that shows a loss begins recovery.
                let forward = core.config.detection.sack_loss == SackLoss::Forward;
                if forward && self.edge(core) > core.una && core.una >= core.recover {
                    self.enter(core, now);
                }
            }
            return;
        }
        if core.config.timers.dup_ack_timing {
            core.measure_stamp(now, ack);
        }
        if core.config.timers.dup_ack_timer {
            core.update_timer(now);
        }
        if news > 0 && !self.active {
            core.dup_acks += 1;
            let counted = core.config.detection.sack_loss == SackLoss::Count && core.dup_acks >= DUP_THRESH;
            // What is lost again after a timeout is a loss of its own (RFC 5681 section 4.3).
            if (counted || edge > core.una) && (core.una >= core.recover || again) {
                self.enter(core, now);
            } else if core.config.detection.limited_transmit && core.next == core.max {
                // By the forward-most, and by the pipe, the data in the network alone says what may go.
                core.extra = core.config.detection.sack_loss == SackLoss::Count
                    && core.config.detection.limited_transmit_bound == LimitedTransmitBound::Outstanding
                    && core.dup_acks < DUP_THRESH;
            }
        }
    }

    /// Takes back the mark of what was sent again and lost again. Returns whether there was any.
    fn find_lost_again(&mut self, core: &Core) -> bool {
        let Some(resent) = &mut self.resent else { return false };
        let (beyond, overtaken) =
            (core.config.detection.lost_retransmission, core.config.detection.overtaken_retransmission);
        let mut found = false;
        resent.lost(self.board.top(), u64::from(beyond), u64::from(overtaken), |seq| {
            self.board.unmark(seq);
            found = true;
        });
        self.found_more |= found;
        found
    }

    fn mark_resent(&mut self, core: &Core, seq: u64) {
        self.board.mark(seq);
        if core.config.detection.lost_retransmission > 0 || core.config.detection.overtaken_retransmission > 0
        {
            self.resent.get_or_insert_default().push(seq, core.max);
        }
    }

    fn forget_resent(&mut self) {
        self.board.unmark_all();
        if let Some(resent) = &mut self.resent {
            resent.clear();
        }
    }

    fn enter(&mut self, core: &mut Core, now: Instant) {
        self.active = true;
        self.rescued = false;
        self.partial = false;
        core.dup_acks = core.dup_acks.max(core.duplicates());
        core.in_network = Some(self.in_flight(core));
        core.cut(now, Congestion::FastLoss);
        if core.config.decrease.window_reduction == WindowReduction::RateHalving
            && !core.has_room(self.scoreboard_pipe(core))
        {
            // Even the first retransmission waits for the window.
            core.begin_repair(now);
        } else {
            self.mark_resent(core, core.una);
            core.fast_retransmit(now);
        }
    }

    fn leave(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        self.active = false;
        self.forget_resent();
        core.recovered(now);
        core.acknowledge_last(now, ack);
        let FastRecovery { exit_burst, exit_forgets_sacks, .. } = core.config.fast_recovery;
        if exit_forgets_sacks {
            // Blocks that come later are news again.
            self.board.clear(core.una);
        }
        if exit_burst > 0 {
            let most = (core.max - core.una + u64::from(exit_burst)) as f64;
            let window = core.control.window_mut();
            window.cwnd = window.cwnd.min(most);
        }
    }

    /// Fall and Floyd 1996, section 3.4.
    fn on_ack_counter(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        let news = self.update(ack);
        core.burst = 0;
        if !self.active {
            if ack.ack > core.una {
                // Blocks that come with new data are forgotten: the next duplicate brings them as news.
                self.board.clear(ack.ack);
                core.acknowledge(now, ack);
                self.ignores_duplicates = false;
            } else if !self.ignores_duplicates && news > 0 {
                core.dup_acks += 1;
                if core.dup_acks == core.duplicates() {
                    if core.may_cut() || core.last_cut != LastCut::Timeout {
                        self.pipe = (core.max - core.una) as i64 - i64::from(core.duplicates());
                        self.enter(core, now);
                    }
                } else if core.dup_acks < core.duplicates() && core.config.detection.limited_transmit {
                    core.extra = true;
                }
            }
            if core.dup_acks == 0 {
                core.burst = core.most_burst();
            }
            return;
        }
        core.burst = core.most_burst();
        self.pipe -= 1;
        if ack.ack >= core.recover {
            self.active = false;
            self.ignores_duplicates = false;
            self.board.clear(ack.ack);
            core.recovered(now);
            core.advance(now, ack);
        } else if ack.ack > core.una {
            // A retransmission and the segment it replaces have both left the network.
            self.pipe -= 1;
            core.advance_partial(ack);
            core.rtt.end_backoff();
            core.update_timer(now);
        }
    }

    pub(crate) fn on_timeout(&mut self, core: &mut Core) {
        self.active = false;
        match core.config.detection.sack_pipe {
            // What has arrived is known and is not sent again (RFC 6675 section 5.1); all else is lost.
            SackPipe::Scoreboard => {
                if self.board.is_sacked(core.una) {
                    // The oldest segment is waited for though it was said to have arrived: the receiver has dropped it
                    // again, or was a gateway that crashed. Nothing said holds any more (RFC 2018 section 8).
                    self.board.clear(core.una);
                }
                self.forget_resent();
                self.lost_below = core.max;
                self.board.reserve(core.max);
            }
            SackPipe::Counter => {
                self.ignores_duplicates = true;
                self.board.clear(core.una);
            }
        }
    }

    /// The next segment to send, or none.
    #[inline]
    pub(crate) fn next(&mut self, core: &mut Core) -> Option<u64> {
        match core.config.detection.sack_pipe {
            SackPipe::Scoreboard if core.next == core.max && self.is_calm(core) => {
                let fits = core.has_room(core.max - core.una);
                (fits && core.next < core.stream.available && core.within_reach()).then_some(core.next)
            }
            SackPipe::Scoreboard => self.next_scoreboard(core),
            SackPipe::Counter => self.next_counter(core),
        }
    }

    fn next_scoreboard(&mut self, core: &mut Core) -> Option<u64> {
        if !core.has_room(self.scoreboard_pipe(core)) {
            return None;
        }
        if !self.active {
            return self.next_outside(core);
        }
        // NextSeg (RFC 6675 section 4): lost segments, then new data, then what may be lost, then one last rescue.
        let edge = self.edge(core);
        if let Some(hole) = self.board.first_hole(core.una, edge) {
            self.mark_resent(core, hole);
            return Some(hole);
        }
        if core.next < core.stream.available && core.within_reach() {
            return Some(core.next);
        }
        if core.config.detection.sack_tail == SackTail::Wait {
            return None;
        }
        if let Some(hole) = self.board.first_hole(core.una, self.board.top()) {
            self.mark_resent(core, hole);
            return Some(hole);
        }
        if self.rescued {
            return None;
        }
        // What it sends again is no news to the estimate of the data in the network.
        self.rescued = true;
        self.board.highest_missing(core.una, core.max)
    }

    /// Outside fast recovery: what a timeout took for lost, oldest first, then new data.
    fn next_outside(&mut self, core: &mut Core) -> Option<u64> {
        let passed = core.next.min(self.lost_below);
        if let Some(hole) = self.board.first_hole(core.una, passed) {
            // Sent again since the timeout, and lost again.
            self.mark_resent(core, hole);
            return Some(hole);
        }
        while core.next < core.max && self.board.is_sacked(core.next) {
            core.next += 1;
        }
        if core.next >= core.stream.available || !core.within_reach() {
            return None;
        }
        if core.next < core.max {
            self.mark_resent(core, core.next);
        }
        Some(core.next)
    }

    fn next_counter(&mut self, core: &mut Core) -> Option<u64> {
        if !self.active {
            return core.window_open().then_some(core.next);
        }
        let window = core.control_window() as i64;
        if self.pipe >= window {
            return None;
        }
        let limit = core.limit;
        let fits = |seq: u64| ((seq - core.una) as f64) < limit;
        match self.board.first_hole(core.una, self.board.top()) {
            Some(hole) if fits(hole) => {
                self.board.mark(hole);
                self.pipe += 1;
                Some(hole)
            }
            None if core.next < core.stream.available && fits(core.next) => {
                self.pipe += 1;
                Some(core.next)
            }
            _ => None,
        }
    }
}
