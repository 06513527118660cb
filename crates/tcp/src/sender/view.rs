//! A sender's state for others to read.

use super::connection::{Phase, Sender};
use crate::congestion::{CongestionControl, Fault};
use crate::stats::SenderStats;
use base::{Duration, Instant, Variable};

impl Sender {
    /// Returns the bytes on the wire on top of a segment's payload, without options.
    pub fn header(&self) -> u32 {
        self.tcb.config.sizes.header
    }

    /// Returns the counters so far.
    pub fn stats(&self) -> &SenderStats {
        &self.tcb.stats
    }

    /// Returns the phase of the connection.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the time at which the last payload of a transfer of given size was acknowledged.
    pub fn finished(&self) -> Option<Instant> {
        self.finished
    }

    /// Returns the time of the last segment if the connection has data to send but never will: nothing is outstanding,
    /// and no timer runs. This should never happen; a run reports it for each flow at its end.
    pub fn stalled(&self) -> Option<Instant> {
        let tcb = &self.tcb;
        let stalled = self.phase == Phase::Open
            && tcb.snd.una() == tcb.snd.max()
            && tcb.snd.nxt() < tcb.stream.offered()
            && self.control_segment.is_none()
            && self.timer().is_none()
            && self.release().is_none();
        stalled.then_some(tcb.last_sent())
    }

    /// Returns congestion control's name of its state; empty if its states have no names.
    pub fn control_state(&self) -> &'static str {
        self.tcb.control.state()
    }

    /// Shows the variables of congestion control, each with its name and value.
    pub fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        if let Some(rate) = self.tcb.control.pacing_rate() {
            show("pacing_rate", rate);
        }
        self.tcb.control.traced(show);
    }

    /// Returns the fault that has ended the work of a user-defined control, if any: the connection goes on with the
    /// window at that time.
    pub fn fault(&self) -> Option<&Fault> {
        self.tcb.control.fault()
    }

    /// Returns the rate that congestion control asks for, segments per second; `None` if it leaves that to the window.
    pub fn pacing_rate(&self) -> Option<f64> {
        self.tcb.control.pacing_rate()
    }

    /// Returns the congestion window, segments.
    pub fn cwnd(&self) -> f64 {
        self.tcb.control.window().cwnd
    }

    /// Returns the slow-start threshold, segments; infinite if unlimited.
    pub fn ssthresh(&self) -> f64 {
        self.tcb.control.window().ssthresh
    }

    /// Returns the segments sent and not known to have left the network.
    pub fn in_flight(&self) -> u64 {
        self.recovery.in_flight(&self.tcb)
    }

    /// Returns the first unacknowledged segment, the next to send, and one past the highest sent.
    pub fn sequence(&self) -> (u64, u64, u64) {
        (self.tcb.snd.una(), self.tcb.snd.nxt(), self.tcb.snd.max())
    }

    /// Returns the current values of the traced variables, without single round trips.
    pub fn variables(&self) -> [(Variable, f64); 6] {
        let tcb = &self.tcb;
        let window = tcb.control.window();
        let recovery = if tcb.episode.is_after_timeout(tcb.snd.una()) {
            2.0
        } else {
            f64::from(u8::from(self.recovery.active(tcb)))
        };
        [
            (Variable::Cwnd, window.cwnd),
            (Variable::Ssthresh, window.ssthresh),
            (Variable::Srtt, tcb.round_trips.srtt().map_or(0.0, Duration::secs)),
            (Variable::Rto, tcb.round_trips.rto().secs()),
            (Variable::InFlight, self.recovery.in_flight(tcb) as f64),
            (Variable::Recovery, recovery),
        ]
    }
}
