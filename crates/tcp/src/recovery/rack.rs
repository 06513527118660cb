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
//! Transmissions are kept in two lists in the order of sending. A transmission stays in `sent` until a
//! segment that was sent later is delivered, and then in `late` until its own segment arrives or is
//! lost.
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

use crate::congestion::{Congestion, Transmission};
use crate::scoreboard::Scoreboard;
use crate::stamps::timestamp;
use crate::tcb::{DUP_THRESH, Tcb};
use base::{AckHeader, Duration, Instant};
use std::collections::VecDeque;

/// Probe timeout before the first sample of the round-trip time (RFC 8985 section 7.2).
const FIRST_PROBE: Duration = Duration::from_secs(1);

/// Recoveries without a D-SACK after which the reordering window shrinks again (section 6.2, step 4: RACK.reo_wnd_persist).
const PERSIST: u32 = 16;

/// One transmission of a segment.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Sending {
    seq: u64,
    at: Instant,
    /// Number of times that the segment had been sent, this transmission included. A smaller number than
    /// `Tcb::sending` returns means that the segment was sent again since.
    transmissions: u32,
}

/// Times and order of deliveries (section 6.2, steps 1 to 3).
#[derive(Clone, Debug)]
struct Deliveries {
    /// RACK.xmit_ts and RACK.end_seq: sending time and number of the last sent of the segments that have
    /// arrived.
    newest: Option<(Instant, u64)>,
    /// RACK.rtt: round-trip time of the last sent of the segments that the last acknowledgment delivered.
    rtt: Duration,
    /// RACK.min_RTT: least round-trip time of the connection.
    min_rtt: Duration,
    /// RACK.fack: one more than the highest segment that has arrived.
    fack: u64,
    /// RACK.reordering_seen: true once a segment that was sent only once has arrived after a higher one.
    reordering_seen: bool,
    /// RACK.reo_wnd_mult: factor of the parameter `reordering_window`.
    multiplier: u32,
    /// RACK.reo_wnd_persist: recoveries without a D-SACK until the multiplier is 1 again.
    persist: u32,
    /// RACK.dsack_round: the next D-SACK counts once this segment is the oldest unacknowledged one; `None`
    /// before the first D-SACK.
    dsack_round: Option<u64>,
    /// Sending time and number of the last sent of the segments that the current acknowledgment delivers.
    latest: Option<(Instant, u64)>,
    /// Sending time of the first of the segments that the current acknowledgment delivers and that were sent
    /// only once.
    earliest: Option<Instant>,
    /// True if there has been a sample of the round-trip time since the last probe.
    measured: bool,
}

impl Default for Deliveries {
    fn default() -> Self {
        Self {
            newest: None,
            rtt: Duration::ZERO,
            min_rtt: Duration::from_ps(u64::MAX),
            fack: 0,
            reordering_seen: false,
            multiplier: 1,
            persist: 0,
            dsack_round: None,
            latest: None,
            earliest: None,
            measured: false,
        }
    }
}

impl Deliveries {
    /// Handles a D-SACK that comes with an acknowledgment of SND.UNA `una`, while `next` is the next new segment.
    fn duplicated(&mut self, una: u64, next: u64) {
        if self.dsack_round.is_none_or(|round| una >= round) {
            self.dsack_round = Some(next);
            self.multiplier += 1;
            self.persist = PERSIST;
        }
    }

    /// Handles the end of a recovery: the last of `PERSIST` recoveries without a D-SACK resets the
    /// multiplier.
    fn recovered(&mut self) {
        self.persist = self.persist.saturating_sub(1);
        if self.persist == 0 {
            self.multiplier = 1;
        }
    }

    /// Records that segment `seq`, with the transmissions `sending`, has arrived; `echo` is the TSecr of its
    /// acknowledgment.
    #[inline]
    fn deliver(&mut self, now: Instant, seq: u64, sending: Transmission, echo: Option<u32>) {
        let once = sending.transmissions == 1;
        if seq + 1 > self.fack {
            self.fack = seq + 1;
        } else if seq + 1 < self.fack && once {
            self.reordering_seen = true;
        }
        let rtt = now.since(sending.sent);
        if once {
            self.min_rtt = self.min_rtt.min(rtt);
            self.earliest.get_or_insert(sending.sent);
        } else if rtt < self.min_rtt
            || echo.is_some_and(|echo| (echo.wrapping_sub(timestamp(sending.sent)) as i32) < 0)
        {
            // The segment that arrived is an earlier transmission, so its round-trip time is unknown.
            return;
        }
        self.measured = true;
        let this = (sending.sent, seq);
        if self.latest.is_none_or(|latest| this > latest) {
            self.latest = Some(this);
            self.rtt = rtt;
        }
        if self.newest.is_none_or(|newest| this > newest) {
            self.newest = Some(this);
        }
    }
}

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
    /// Transmissions later than that of `Deliveries::newest`, in the order of sending.
    sent: VecDeque<Sending>,
    /// Transmissions up to that of `Deliveries::newest` of segments that have not arrived, in the order of
    /// sending.
    late: VecDeque<Sending>,
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
            sent: VecDeque::new(),
            late: VecDeque::new(),
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

    pub(crate) fn on_ack(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        tcb.release_burst();
        self.detected_new_loss = false;
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
                    tcb.round_trips.measured(now, now.since(sent));
                    if sent < tcb.oldest().sent {
                        // The oldest segment was sent again after the segment that arrived, so it cannot have
                        // been acknowledged yet: its timer restarts.
                        tcb.set_timer(now);
                    }
                }
            }
            true if !self.active => tcb.acknowledge(now, ack),
            true if ack.ack < tcb.episode.recover() => {
                tcb.advance(now, ack);
            }
            true => {
                self.active = false;
                self.deliveries.recovered();
                tcb.recovered(now);
                tcb.acknowledge_last(now, ack);
                if tcb.config.fast_recovery.chained_recovery
                    && let Some(seq) = self.unrepaired(tcb)
                {
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

    /// Marks the segments that are lost at `now`, and begins recovery if it is not in progress. Returns the
    /// time at which the last of the other late segments will be lost (section 6.2, step 5).
    fn detect(&mut self, tcb: &mut Tcb, now: Instant) -> Option<Instant> {
        let newest = self.deliveries.newest?;
        while let Some(first) = self.sent.front().copied()
            && (first.at, first.seq) <= newest
        {
            self.sent.pop_front();
            if self.is_open(tcb, &first) {
                self.late.push_back(first);
            }
        }
        if self.late.is_empty() {
            return None;
        }
        let patience = self.deliveries.rtt + self.reordering_window(tcb);
        let mut lost = None;
        while let Some(first) = self.late.front().copied() {
            let open = self.is_open(tcb, &first);
            if open && first.at + patience > now {
                break;
            }
            self.late.pop_front();
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
        while let Some(last) = self.late.back().copied() {
            if self.is_open(tcb, &last) {
                return Some(last.at + patience);
            }
            self.late.pop_back();
        }
        None
    }

    /// Returns a segment for which a new recovery must begin when the last one has ended: a segment that is
    /// marked as lost, or a retransmitted one that has not arrived.
    fn unrepaired(&mut self, tcb: &Tcb) -> Option<u64> {
        let again = |sending: &&Sending| sending.transmissions > 1 && self.is_open(tcb, sending);
        let resent = self.late.iter().chain(&self.sent).find(again).map(|sending| sending.seq);
        resent.or_else(|| self.board.first_marked())
    }

    fn enter(&mut self, tcb: &mut Tcb, now: Instant, seq: u64) {
        self.active = true;
        self.probe = None;
        self.urgent = self.board.first_marked();
        tcb.cut_for(now, Congestion::FastLoss, seq);
        tcb.begin_repair(now);
    }

    /// Sets the timer to `due` if segments are late. If none is late, `news` sets it for a probe, provided
    /// that a probe may be sent. Without `news`, a timer that was set for a probe continues; all other timers
    /// are stopped.
    fn arm(&mut self, tcb: &mut Tcb, now: Instant, due: Option<Instant>, news: bool) {
        if let Some(due) = due {
            self.alarm = Alarm::Reordering;
            tcb.start_alarm(now, due);
        } else if !self.may_probe(tcb) {
            tcb.timers.stop_recovery();
        } else if news {
            self.arm_probe(tcb, now);
        } else if self.alarm == Alarm::Reordering {
            tcb.timers.stop_recovery();
        }
    }

    /// Returns true if a probe may be sent (section 7.2): the parameter `tail_loss_probe` asks for probes,
    /// segments are outstanding, no recovery is in progress, and no segment has arrived out of order. After
    /// an arrival out of order, RACK needs no probe to detect losses.
    fn may_probe(&self, tcb: &Tcb) -> bool {
        tcb.config.detection.tail_loss_probe
            && !self.active
            && tcb.snd.una() < tcb.snd.max()
            && self.sacked() == 0
            && !Self::repairing(tcb)
    }

    fn arm_probe(&mut self, tcb: &mut Tcb, now: Instant) {
        let wait = tcb.round_trips.srtt().map_or(FIRST_PROBE, |srtt| {
            let alone = tcb.snd.unacknowledged() == 1;
            srtt + srtt + if alone { tcb.config.detection.max_ack_delay } else { Duration::ZERO }
        });
        self.alarm = Alarm::Probe;
        tcb.start_probe(now, wait);
    }

    /// Handles the expiry of loss recovery's timer.
    pub(crate) fn on_alarm(&mut self, tcb: &mut Tcb, now: Instant) {
        tcb.timers.stop_recovery();
        tcb.release_burst();
        match self.alarm {
            Alarm::Reordering => {
                let due = self.detect(tcb, now);
                self.arm(tcb, now, due, false);
            }
            Alarm::Probe => self.send_probe(tcb, now),
        }
    }

    /// Sends a probe (section 7.3), unless one is unacknowledged or there has been no sample of the
    /// round-trip time since the last one. Restarts the retransmission timer in either case.
    fn send_probe(&mut self, tcb: &mut Tcb, now: Instant) {
        if self.probe.is_none() && self.deliveries.measured {
            let fits =
                tcb.snd.nxt() < tcb.stream.available() && (tcb.snd.outstanding() as f64) < tcb.growth.limit();
            let seq = if fits { tcb.snd.nxt() } else { tcb.snd.max() - 1 };
            self.urgent = Some(seq);
            self.probe = Some(Probe { end: tcb.snd.max().max(seq + 1), again: !fits });
            self.deliveries.measured = false;
        }
        tcb.set_timer(now);
    }

    /// Ends the probe at an acknowledgment that answers it; reduces the window if the probe repaired a loss
    /// (section 7.4.2).
    fn judge_probe(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        let Some(probe) = self.probe.filter(|probe| ack.ack >= probe.end) else {
            return;
        };
        // A duplicate ACK without SACK blocks also shows that both the segment and its probe have arrived.
        let twice = Self::is_answer_to(probe, ack) || (ack.ack == tcb.snd.una() && ack.blocks == 0);
        if !probe.again || twice {
            self.probe = None;
        } else if ack.ack > probe.end {
            // The probe repaired the only loss, so the window is reduced.
            self.probe = None;
            tcb.cut_for(now, Congestion::FastLoss, probe.end - 1);
            tcb.recovered(now);
            tcb.forget_cut();
            tcb.episode.move_recover(ack.ack);
        }
    }

    /// Returns true if a D-SACK reports that both the segment and its probe have arrived (section 7.4.2, case 1).
    fn is_answer_to(probe: Probe, ack: &AckHeader) -> bool {
        ack.duplicate().is_some_and(|(from, to)| (from..to).contains(&(probe.end - 1)))
    }

    /// Handles an acknowledgment that arrives while no segment is outstanding: ends the probe that it
    /// answers.
    pub(crate) fn on_idle_ack(&mut self, ack: &AckHeader) {
        let answers = |probe| Self::is_answer_to(probe, ack) || ack.blocks == 0;
        if self.probe.is_some_and(|probe| ack.ack == probe.end && answers(probe)) {
            self.probe = None;
        }
    }

    /// Ends recovery because no segment was lost. Segments marked as lost are unmarked and judged again, and
    /// reordering counts as seen.
    pub(super) fn undo(&mut self, tcb: &Tcb) {
        self.active = false;
        self.urgent = None;
        self.deliveries.reordering_seen = true;
        while let Some(seq) = self.board.first_marked() {
            self.board.unmark(seq);
            let Transmission { sent: at, transmissions } = tcb.sending(seq);
            if self.deliveries.newest.is_some_and(|newest| (at, seq) <= newest) {
                self.late.push_back(Sending { seq, at, transmissions });
            }
        }
        self.late.make_contiguous().sort_by_key(|sending| (sending.at, sending.seq));
    }

    /// Returns true if segment `seq` is known to have arrived out of order.
    pub(super) fn is_sacked(&self, seq: u64) -> bool {
        self.board.is_sacked(seq)
    }

    /// Handles a timeout (section 6.3): marks as lost the oldest segment, and all segments sent longer ago
    /// than RACK's round-trip time and the reordering window.
    pub(crate) fn on_timeout(&mut self, tcb: &mut Tcb, now: Instant) {
        let patience = self.deliveries.rtt + self.reordering_window(tcb);
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
        for at in 0..self.late.len() + self.sent.len() {
            let sending = *self.late.get(at).unwrap_or_else(|| &self.sent[at - self.late.len()]);
            if sending.at + patience > now {
                break;
            }
            if self.is_open(tcb, &sending) {
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
        let transmissions = tcb.sending(seq).transmissions;
        self.sent.push_back(Sending { seq, at: now, transmissions });
        let probing = self.probe.is_some_and(|probe| probe.end == seq + 1);
        if !again && !probing && self.may_probe(tcb) {
            self.arm_probe(tcb, now);
        }
    }

    /// Returns the next segment to send; `None` if the window or the data allow none. An urgent segment is
    /// sent even if the window is full.
    pub(crate) fn next(&mut self, tcb: &mut Tcb) -> Option<u64> {
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
