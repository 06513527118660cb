//! What a sender shows of itself.

use super::connection::{Phase, Sender};
use crate::congestion::{CongestionControl, Fault};
use crate::stats::{ClassifiedLoss, SenderStats};
use crate::tcb::LastCut;
use base::{Duration, Instant, Variable};

impl Sender {
    /// Bytes on the wire on top of a segment's payload, without options.
    pub fn header(&self) -> u32 {
        self.tcb.config.sizes.header
    }

    /// Counters so far.
    pub fn stats(&self) -> &SenderStats {
        &self.tcb.stats
    }

    /// Where the connection is in its life.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// When the last payload of a transfer of given size was acknowledged.
    pub fn finished(&self) -> Option<Instant> {
        self.finished
    }

    /// When the last segment was sent, if the connection will never send again though it has data to send: nothing is
    /// outstanding, and no timer runs. It never should; a run says so of each flow at its end.
    pub fn stalled(&self) -> Option<Instant> {
        let tcb = &self.tcb;
        let stalled = self.phase == Phase::Open
            && tcb.una == tcb.max
            && tcb.next < tcb.stream.offered
            && self.control_segment.is_none()
            && self.timer().is_none()
            && self.release().is_none();
        stalled.then_some(tcb.last_sent)
    }

    /// What congestion control calls the state it is in; empty where its states have no names.
    pub fn control_state(&self) -> &'static str {
        self.tcb.control.state()
    }

    /// Shows the variables that congestion control has of its own, each by a name and as a number.
    pub fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        if let Some(rate) = self.tcb.control.pacing_rate() {
            show("pacing_rate", rate);
        }
        self.tcb.control.traced(show);
    }

    /// Why a user-defined control has ended its work, if it has: the connection goes on with the window that it left.
    pub fn fault(&self) -> Option<&Fault> {
        self.tcb.control.fault()
    }

    /// Segments per second that congestion control asks for; `None` where it leaves that to the window.
    pub fn pacing_rate(&self) -> Option<f64> {
        self.tcb.control.pacing_rate()
    }

    /// Congestion window, segments.
    pub fn cwnd(&self) -> f64 {
        self.tcb.control.window().cwnd
    }

    /// Slow-start threshold, segments; infinite where unlimited.
    pub fn ssthresh(&self) -> f64 {
        self.tcb.control.window().ssthresh
    }

    /// Segments sent and not known to have left the network.
    pub fn in_flight(&self) -> u64 {
        self.recovery.in_flight(&self.tcb)
    }

    /// First unacknowledged segment, next to send, and one past the highest sent.
    pub fn sequence(&self) -> (u64, u64, u64) {
        (self.tcb.una, self.tcb.next, self.tcb.max)
    }

    /// The round trip measured since the last call, if any.
    #[inline]
    pub fn take_rtt(&mut self) -> Option<Duration> {
        self.tcb.last_rtt.take()
    }

    /// The answer to a loss since the last call, if any.
    #[inline]
    pub fn take_loss(&mut self) -> Option<ClassifiedLoss> {
        self.tcb.loss.take()
    }

    /// The variables that are traced, as they are now, but for single round trips ([`Sender::take_rtt`]).
    pub fn variables(&self) -> [(Variable, f64); 6] {
        let tcb = &self.tcb;
        let window = tcb.control.window();
        let recovery = if tcb.una < tcb.recover && tcb.last_cut == LastCut::Timeout {
            2.0
        } else {
            f64::from(u8::from(self.recovery.active(tcb)))
        };
        [
            (Variable::Cwnd, window.cwnd),
            (Variable::Ssthresh, window.ssthresh),
            (Variable::Srtt, tcb.rtt.srtt().map_or(0.0, Duration::secs)),
            (Variable::Rto, tcb.rtt.rto().secs()),
            (Variable::InFlight, self.recovery.in_flight(tcb) as f64),
            (Variable::Recovery, recovery),
        ]
    }
}
