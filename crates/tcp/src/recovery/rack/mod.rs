//! RACK-TLP (RFC 8985): a segment counts as lost once a segment that was sent after it has arrived and the
//! lost segment's deadline has passed; a probe reveals losses at the tail.
//!
//! RACK keeps the time of each segment's last transmission. Of the delivered segments, take the one that was
//! sent last: `xmit` is its sending time, and `rtt` its round-trip time. A segment sent before `xmit` is lost
//! at
//!
//! ```text
//! its own sending time + rtt + reordering window
//! ```
//!
//! and a timer expires then. So neither the number of duplicate acknowledgments nor the order of segments
//! matters, and a lost retransmission is detected like any other segment. By default the reordering window is
//! a quarter of the least round-trip time ([`LossDetection::reordering_window`]); it is at most the smoothed
//! round-trip time. It is zero if no reordering has been seen, and either three segments have arrived out of
//! order or recovery is in progress (section 6.2, step 4).
//!
//! TLP (section 7): two smoothed round-trip times after the last acknowledgment or new segment, the next new
//! segment is sent, or if there is none the highest one is retransmitted. The acknowledgment of this probe
//! lets RACK detect losses. With one segment outstanding the time is longer by
//! [`LossDetection::max_ack_delay`]. If a probe has itself repaired the only loss, the window is reduced once
//! it is known that the probe caused no duplicate acknowledgment.
//!
//! A transmission is late once a segment that was sent later is delivered. It is then in a list in the order of
//! sending, until its own segment arrives or is lost. Of the transmissions that are not late, only retransmissions are
//! in a list. First transmissions are in the order of their numbers, so it suffices to keep the lowest number.
//!
//! Most of the time nothing is lost, late or sent again. An acknowledgment without SACK blocks then delivers
//! segments in the order of sending, and takes a fast path (`State::on_calm_ack`).
//!
//! A duplicate that D-SACK reports widens the reordering window by another quarter, at most once per
//! round trip. The window shrinks again after sixteen recoveries without such a report (section 6.2,
//! step 4).
//!
//! Left out: the windowed minimum of the round-trip time (section 6.2, step 1). The minimum here is that
//! of the whole connection.
//!
//! [`LossDetection::reordering_window`]: crate::config::LossDetection::reordering_window
//! [`LossDetection::max_ack_delay`]: crate::config::LossDetection::max_ack_delay

mod deliveries;
mod probe;
mod sendings;
#[cfg(test)]
mod tests;

use crate::congestion::{Congestion, Transmission};
use crate::scoreboard::Scoreboard;
use crate::tcb::{DUP_THRESH, Tcb};
use base::{AckHeader, Duration, Instant};
use deliveries::Deliveries;
use sendings::{Sending, Sendings};

/// Purpose of loss recovery's timer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Alarm {
    /// Late segments count as lost when the timer expires.
    Reordering,
    /// A tail loss probe is sent when the timer expires.
    Probe,
}

/// A probe that has not been acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Probe {
    /// TLP.end_seq: one more than the highest segment sent when the probe was sent.
    end: u64,
    /// TLP.is_retrans: true if the probe was a retransmission.
    again: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Segments that have arrived, and marks: a marked segment is lost and has not been retransmitted since.
    board: Scoreboard,
    /// True during fast recovery.
    active: bool,
    deliveries: Deliveries,
    /// True if the fast path `State::on_calm_ack` may be taken: all outstanding segments were sent once, none has
    /// been SACKed or may be lost, and neither recovery nor a tail loss probe is in progress (`State::is_calm`).
    calm: bool,
    sendings: Sendings,
    alarm: Alarm,
    probe: Option<Probe>,
    /// Segment to send even if the window does not allow it: the first retransmission of recovery, or a
    /// probe.
    urgent: Option<u64>,
    /// True if the last acknowledgment showed new losses.
    detected_new_loss: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            board: Scoreboard::default(),
            active: false,
            deliveries: Deliveries::default(),
            calm: true,
            sendings: Sendings::default(),
            alarm: Alarm::Probe,
            probe: None,
            urgent: None,
            detected_new_loss: false,
        }
    }
}

impl State {
    pub(crate) fn active(&self) -> bool {
        self.active
    }

    /// Returns true if a segment is to be sent even if the window does not allow it.
    pub(super) fn is_urgent(&self) -> bool {
        self.urgent.is_some()
    }

    /// Returns the number of segments known to have arrived out of order.
    pub(crate) fn sacked(&self) -> u64 {
        self.board.sacked_count()
    }

    /// Returns true if the last acknowledgment showed new losses.
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
        tcb.snd.unacknowledged() - self.board.sacked_count() - self.board.marked_count()
    }

    /// Returns true after a timeout, until all segments outstanding at that time are acknowledged.
    fn repairing(tcb: &Tcb) -> bool {
        tcb.episode.is_after_timeout(tcb.snd.una())
    }

    /// Returns true if all outstanding segments were sent once, none of them is known to have arrived or may be
    /// lost, and neither recovery nor a tail loss probe is in progress.
    fn is_calm(&self, tcb: &Tcb) -> bool {
        let Self {
            board,
            active,
            deliveries,
            calm: _,
            sendings,
            alarm: _,
            probe,
            urgent,
            detected_new_loss: _,
        } = self;
        let una = tcb.snd.una();
        !active
            && probe.is_none()
            && urgent.is_none()
            && sendings.late.is_empty()
            && board.is_clear()
            && sendings.resent_end <= una
            && deliveries.fack <= una
            && !Self::repairing(tcb)
            && !tcb.prefers_new_data()
    }

    /// Handles an acknowledgment by all rules.
    pub(crate) fn on_ack(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        tcb.release_burst();
        self.detected_new_loss = false;
        self.judge(tcb, now, ack);
        self.calm = self.is_calm(tcb);
        if self.calm {
            // All of these have arrived, and in calm nothing removes them.
            self.sendings.resent.clear();
        }
    }

    /// Returns true if the state was calm after the last acknowledgment and nothing has ended that.
    pub(super) fn calm(&self) -> bool {
        self.calm
    }

    /// Returns true if [`State::on_calm_ack`] may handle `ack`.
    #[inline]
    pub(super) fn takes_calmly(&self, tcb: &Tcb, ack: &AckHeader) -> bool {
        self.calm && ack.blocks == 0 && ack.ack > tcb.snd.una()
    }

    /// Handles an acknowledgment of new data without SACK blocks while the state is calm, as [`State::on_ack`]
    /// does.
    #[inline]
    pub(super) fn on_calm_ack<const CALM: bool>(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        debug_assert!(self.is_calm(tcb));
        #[cfg(test)]
        let expected = self.after_all_rules(tcb, now, ack);
        tcb.release_burst();
        self.detected_new_loss = false;
        let last = ack.ack - 1;
        self.deliveries.deliver_in_order(now, last, tcb.sending(last).sent);
        self.board.advance(ack.ack);
        self.sendings.fresh = ack.ack;
        tcb.note_sacked(0, 0);
        tcb.acknowledge::<CALM>(now, ack);
        if tcb.config.detection.tail_loss_probe && tcb.snd.una() < tcb.snd.max() {
            self.arm_probe(tcb, now);
        } else {
            tcb.timers.stop_recovery();
        }
        #[cfg(test)]
        assert_eq!(self.essence(tcb), expected);
    }

    fn judge(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        let news = ack.ack > tcb.snd.una();
        if self.probe.is_some() {
            self.judge_probe(tcb, now, ack);
        }
        let sacked = self.sacked();
        self.take_in(tcb, now, ack);
        tcb.note_sacked(sacked, self.sacked());
        match news {
            false => {
                let sent = self.deliveries.earliest.filter(|_| tcb.config.timers.sack_timing);
                if let Some(sent) = sent {
                    tcb.round_trips.measured(now, now.since(sent), &tcb.config.timers);
                    if sent < tcb.oldest().sent {
                        // The oldest segment was sent again after the segment that arrived, so it cannot have
                        // been acknowledged yet: its timer restarts.
                        tcb.set_timer(now);
                    }
                }
            }
            true if !self.active => tcb.acknowledge::<false>(now, ack),
            true if ack.ack < tcb.episode.recover() => {
                tcb.advance::<false>(now, ack);
            }
            true => {
                self.active = false;
                self.deliveries.recovered();
                tcb.recovered(now);
                let sample = tcb.advance::<false>(now, ack);
                let chains = tcb.config.fast_recovery.chained_recovery;
                let next = if chains { self.unrepaired(tcb) } else { None };
                tcb.grow_after_recovery(&sample, next.is_some());
                if let Some(seq) = next {
                    self.enter(tcb, now, seq);
                }
            }
        }
        let due = self.detect(tcb, now);
        self.arm(tcb, now, due, news);
    }

    /// Records the arrivals and the duplicate that an acknowledgment shows.
    fn take_in(&mut self, tcb: &Tcb, now: Instant, ack: &AckHeader) {
        let echo = (tcb.config.options.timestamps && ack.ts_ecr != 0).then_some(ack.ts_ecr);
        let Self { board, deliveries, .. } = self;
        deliveries.latest = None;
        deliveries.earliest = None;
        if ack.duplicate().is_some() {
            deliveries.duplicated(ack.ack, tcb.snd.max());
        }
        for seq in tcb.snd.una()..ack.ack {
            if !board.is_sacked(seq) {
                deliveries.deliver(now, seq, tcb.sending(seq), echo);
            }
        }
        board.advance(ack.ack);
        for block in ack.sacked() {
            let (from, to) = (ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
            // The receiver does not echo timestamps of segments out of order (RFC 7323 section 4.3).
            board.sack_each(from, to, |seq| deliveries.deliver(now, seq, tcb.sending(seq), None));
        }
    }

    /// Returns the reordering window (section 6.2, step 4).
    fn reordering_window(&self, tcb: &Tcb) -> Duration {
        let strict = self.active || Self::repairing(tcb) || self.sacked() >= u64::from(DUP_THRESH);
        if strict && !self.deliveries.reordering_seen {
            return Duration::ZERO;
        }
        let share = f64::from(self.deliveries.multiplier) * tcb.config.detection.reordering_window;
        let window = self.deliveries.min_rtt.secs() * share;
        let window = Duration::from_secs_f64(window);
        tcb.round_trips.srtt().map_or(window, |srtt| window.min(srtt))
    }

    /// Returns true if this is the last transmission of a segment that has neither arrived nor been declared
    /// lost.
    fn is_open(&self, tcb: &Tcb, sending: &Sending) -> bool {
        sending.seq >= tcb.snd.una()
            && !self.board.is_sacked(sending.seq)
            && !self.board.is_marked(sending.seq)
            && tcb.sending(sending.seq).transmissions == sending.transmissions
    }

    /// Enters all transmissions up to that of `Deliveries::newest` that are open into the list `late`.
    fn find_late(&mut self, tcb: &Tcb) {
        let Some(newest) = self.deliveries.newest else { return };
        while let Some(sending) = self.sendings.next_late(tcb, newest) {
            if self.is_open(tcb, &sending) {
                self.sendings.late.push_back(sending);
            }
        }
    }

    /// Marks the segments that are lost at `now`, and begins recovery if it is not in progress. Returns the
    /// time at which the last of the other late segments will be lost (section 6.2, step 5).
    fn detect(&mut self, tcb: &mut Tcb, now: Instant) -> Option<Instant> {
        self.find_late(tcb);
        if self.sendings.late.is_empty() {
            return None;
        }
        let patience = self.deliveries.rtt + self.reordering_window(tcb);
        let mut lost = None;
        while let Some(first) = self.sendings.late.front().copied() {
            let open = self.is_open(tcb, &first);
            if open && first.at + patience > now {
                break;
            }
            self.sendings.late.pop_front();
            if open {
                self.board.mark(first.seq);
                tcb.lost(now, first.seq);
                self.detected_new_loss = true;
                lost = lost.or(Some(first.seq));
            }
        }
        if let Some(seq) = lost
            && !self.active
            && tcb.snd.una() >= tcb.episode.recover()
        {
            self.enter(tcb, now, seq);
        }
        while let Some(last) = self.sendings.late.back().copied() {
            if self.is_open(tcb, &last) {
                return Some(last.at + patience);
            }
            self.sendings.late.pop_back();
        }
        None
    }

    /// Returns a segment for which a new recovery must begin when the last one has ended: a segment that is
    /// marked as lost, or a retransmitted one that has not arrived.
    fn unrepaired(&mut self, tcb: &Tcb) -> Option<u64> {
        let again = |sending: &&Sending| sending.transmissions > 1 && self.is_open(tcb, sending);
        let resent =
            self.sendings.late.iter().chain(&self.sendings.resent).find(again).map(|sending| sending.seq);
        resent.or_else(|| self.board.first_marked())
    }

    fn enter(&mut self, tcb: &mut Tcb, now: Instant, seq: u64) {
        self.active = true;
        self.probe = None;
        self.urgent = self.board.first_marked();
        tcb.cut_for(now, Congestion::FastLoss, seq);
        tcb.begin_repair(now);
    }

    /// Ends recovery because no segment was lost. Segments marked as lost are unmarked and judged again, and
    /// reordering counts as seen.
    pub(super) fn undo(&mut self, tcb: &Tcb) {
        self.calm = false;
        self.active = false;
        self.urgent = None;
        self.deliveries.reordering_seen = true;
        while let Some(seq) = self.board.first_marked() {
            self.board.unmark(seq);
            let Transmission { sent: at, transmissions } = tcb.sending(seq);
            if self.deliveries.newest.is_some_and(|newest| (at, seq) <= newest) {
                self.sendings.late.push_back(Sending { seq, at, transmissions });
            }
        }
        self.sendings.late.make_contiguous().sort_by_key(|sending| (sending.at, sending.seq));
    }

    /// Returns true if segment `seq` is known to have arrived out of order.
    pub(super) fn is_sacked(&self, seq: u64) -> bool {
        self.board.is_sacked(seq)
    }

    /// Handles a timeout (section 6.3): marks as lost the oldest segment, and all segments sent longer ago
    /// than RACK's round-trip time and the reordering window.
    pub(crate) fn on_timeout(&mut self, tcb: &mut Tcb, now: Instant) {
        let patience = self.deliveries.rtt + self.reordering_window(tcb);
        self.calm = false;
        self.active = false;
        self.probe = None;
        // The oldest segment is retransmitted even if the window does not allow it (RFC 6298 section 5.4).
        self.urgent = Some(tcb.snd.una());
        tcb.timers.stop_recovery();
        tcb.snd.advance(tcb.snd.max());
        if self.board.is_sacked(tcb.snd.una()) {
            // The receiver has discarded segments that it had reported, so no SACK information is valid (RFC
            // 2018 section 8).
            self.board.clear(tcb.snd.una());
            for seq in tcb.snd.una()..tcb.snd.max() {
                self.board.mark(seq);
                tcb.lost(now, seq);
            }
            return;
        }
        for sending in self.sendings.all(tcb) {
            if sending.at + patience <= now && self.is_open(tcb, &sending) {
                self.board.mark(sending.seq);
                tcb.lost(now, sending.seq);
            }
        }
        self.board.mark(tcb.snd.una());
        tcb.lost(now, tcb.snd.una());
    }

    /// Records that segment `seq` has been sent; `again` is true for a retransmission.
    #[inline]
    pub(crate) fn on_sent(&mut self, tcb: &mut Tcb, now: Instant, seq: u64, again: bool) {
        if again {
            self.calm = false;
            self.sendings.resent_end = self.sendings.resent_end.max(seq + 1);
            let transmissions = tcb.sending(seq).transmissions;
            self.sendings.resent.push_back(Sending { seq, at: now, transmissions });
            return;
        }
        let may_probe = if self.calm {
            tcb.config.detection.tail_loss_probe
        } else {
            let probing = self.probe.is_some_and(|probe| probe.end == seq + 1);
            !probing && self.may_probe(tcb)
        };
        if may_probe {
            self.arm_probe(tcb, now);
        }
    }

    /// Returns the next segment to send; `None` if the window or the data allow none. An urgent segment is
    /// sent even if the window is full.
    #[inline]
    pub(crate) fn next(&mut self, tcb: &mut Tcb) -> Option<u64> {
        if self.calm { tcb.next_new() } else { self.choose(tcb) }
    }

    /// Chooses the next segment to send by all rules.
    fn choose(&mut self, tcb: &mut Tcb) -> Option<u64> {
        if let Some(seq) = self.urgent.take()
            && seq >= tcb.snd.una()
            && seq < tcb.stream.available()
            && !self.board.is_sacked(seq)
        {
            self.board.unmark(seq);
            return Some(seq);
        }
        let window = tcb.window() as u64;
        if self.in_flight(tcb) >= window {
            return None;
        }
        if tcb.waits_for_verdict() {
            return None;
        }
        if !tcb.prefers_new_data()
            && let Some(seq) = self.board.first_marked()
        {
            self.board.unmark(seq);
            return Some(seq);
        }
        let outstanding = tcb.snd.outstanding();
        if tcb.snd.nxt() >= tcb.stream.available() || outstanding as f64 >= tcb.growth.limit() {
            return None;
        }
        if !self.active && outstanding >= window {
            // Limited Transmit (RFC 3042): segments that arrived out of order allow new segments beyond the
            // window, until a loss is detected.
            if !tcb.config.detection.limited_transmit {
                return None;
            }
            tcb.allowance.count_extra();
        }
        Some(tcb.snd.nxt())
    }
}
