//! Access to a sender's state for reading.

use super::connection::{Phase, Sender};
use crate::congestion::{CongestionControl, Fault};
use crate::stats::SenderStats;
use base::{Duration, Instant, Variable};

impl Sender {
    /// Returns the size of a segment's headers without options, bytes.
    pub fn header(&self) -> u32 {
        self.tcb.config.sizes.header
    }

    /// Returns the counters so far.
    pub fn stats(&self) -> SenderStats {
        self.tcb.stats()
    }

    /// Returns the number of cuts of the window that were undone because nothing was lost.
    pub fn undone(&self) -> u64 {
        self.tcb.undone
    }

    /// Returns the phase of the connection, from not opened to closed.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the time at which the last payload was acknowledged; `None` before that, and for unlimited
    /// data.
    pub fn finished(&self) -> Option<Instant> {
        self.finished
    }

    /// Returns the time of the last segment if the connection is stalled: it has data to send, but no
    /// outstanding segment and no timer. This is a fault; a run reports it for each flow at its end.
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

    /// Returns the name of congestion control's current state; empty if states have no names.
    pub fn control_state(&self) -> &'static str {
        self.tcb.control.state()
    }

    /// Calls `show` with name and value of each variable of congestion control.
    pub fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        if let Some(rate) = self.tcb.control.pacing_rate() {
            show("pacing_rate", rate);
        }
        self.tcb.control.traced(show);
    }

    /// Returns the fault that ended a user-defined control, if there was one; the connection then continues
    /// with the last valid window.
    pub fn fault(&self) -> Option<&Fault> {
        self.tcb.control.fault()
    }

    /// Returns congestion control's pacing rate, segments per second; `None` if it sets none.
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

    /// Returns the number of segments sent that are not known to have left the network.
    pub fn in_flight(&self) -> u64 {
        self.recovery.in_flight(&self.tcb)
    }

    /// Returns SND.UNA, SND.NXT, and one more than the highest segment sent.
    pub fn sequence(&self) -> (u64, u64, u64) {
        (self.tcb.snd.una(), self.tcb.snd.nxt(), self.tcb.snd.max())
    }

    /// Returns the current values of the traced variables, except single samples of the round-trip time.
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
