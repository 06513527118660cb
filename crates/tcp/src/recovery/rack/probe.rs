//! Loss recovery's timer and tail loss probes (RFC 8985 section 7).

use super::{Alarm, Probe, State};
use crate::congestion::Congestion;
use crate::tcb::Tcb;
use base::{AckHeader, Duration, Instant};

/// Probe timeout before the first sample of the round-trip time (RFC 8985 section 7.2).
const FIRST_PROBE: Duration = Duration::from_secs(1);

impl State {
    /// Sets the timer to `due` if segments are late. If none is late, `news` sets it for a probe, provided
    /// that a probe may be sent. Without `news`, a timer that was set for a probe continues; all other timers
    /// are stopped.
    pub(super) fn arm(&mut self, tcb: &mut Tcb, now: Instant, due: Option<Instant>, news: bool) {
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
    pub(super) fn may_probe(&self, tcb: &Tcb) -> bool {
        tcb.config.detection.tail_loss_probe
            && !self.active
            && tcb.snd.una() < tcb.snd.max()
            && self.sacked() == 0
            && !Self::repairing(tcb)
    }

    pub(super) fn arm_probe(&mut self, tcb: &mut Tcb, now: Instant) {
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
            self.calm = false;
            self.deliveries.measured = false;
        }
        tcb.set_timer(now);
    }

    /// Ends the probe at an acknowledgment that answers it; reduces the window if the probe repaired a loss
    /// (section 7.4.2).
    pub(super) fn judge_probe(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
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
}
