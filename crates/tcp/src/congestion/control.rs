//! The contract that every congestion control fulfils.

use super::signals::{AckSample, Arrival, LossSample, Reaction, Transmission};
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

/// What a control asks of its endpoint beside acknowledgments and losses. The endpoint asks once, as the connection begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs {
    /// Every acknowledgment, before loss recovery sees it ([`CongestionControl::on_arrival`]).
    pub arrivals: bool,
    /// Samples of the delivery rate ([`CongestionControl::on_rate`]).
    pub rates: bool,
    /// A round trip of each segment ([`AckSample::rtt`]), not only those that the endpoint measures.
    pub segment_times: bool,
    /// A fine-grained timeout of its own ([`CongestionControl::timed_out`]), and the rules that come with it.
    pub fine_timeout: Option<FineTimeout>,
    /// If the SYN is a segment of its own, the window opens only with the acknowledgment after that of the SYN.
    pub opens_late: bool,
}

/// How an endpoint behaves whose control has a fine-grained timeout: as Vegas was published, or as ns-2 has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FineTimeout {
    /// Send times are in as many slots as the window has segments, used in turn; an acknowledgment clears the slots of its
    /// segments, or none if these wrap around the end. Else each segment has its own.
    pub slots: bool,
    /// A segment that was not sent yet counts as sent at time zero, and so is sent twice.
    pub unsent_expired: bool,
    /// The inflation is part of the window: recovery takes it back only if a further duplicate came, and a timeout halves it, too.
    pub keeps_inflation: bool,
}

/// What loss recovery does that a control may want to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecoveryStep {
    /// `reno` and `newreno` send a segment again on a loss signal, with so many segments outstanding.
    Retransmission { outstanding: u64 },
    /// `reno` and `newreno` take back the inflation of the window (RFC 5681 section 3.2, step 6).
    Deflation {
        /// By how many segments duplicate acknowledgments had inflated it.
        inflation: u64,
    },
    /// Fast recovery is over: all that was outstanding at the loss is acknowledged.
    End,
}

/// What every congestion control answers; its window is the field `window`. It owns its state and sees the time,
/// acknowledgments and losses; it cannot reach a clock, a queue or ambient entropy.
pub(crate) trait CongestionControl {
    /// What it asks of its endpoint.
    fn needs(&self) -> Needs {
        Needs::default()
    }
    /// A stream of its own is handed in, if the connection has one: for algorithms that draw.
    fn give_stream(&mut self, _rng: Rng) {}
    /// The SYN was acknowledged `rtt` after it was sent, the first time that it was.
    fn on_handshake(&mut self, _rtt: Duration) {}
    /// Any acknowledgment arrives, before loss recovery sees it; only with [`Needs::arrivals`].
    fn on_arrival(&mut self, _arrival: &Arrival) {}
    /// New data is acknowledged.
    fn on_ack(&mut self, ack: &AckSample);
    /// An acknowledgment has been dealt with; only with [`Needs::rates`].
    fn on_rate(&mut self, _sample: &RateSample) {}
    /// A loss is to be answered: cut the window, or not.
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction;
    /// Loss recovery takes a step.
    fn on_recovery(&mut self, _now: Instant, _step: RecoveryStep) {}
    /// Whether the oldest outstanding segment is to be taken as lost already now, by its age; asked with each duplicate
    /// acknowledgment, and with each acknowledgment of new data (`new_data`); only with [`Needs::fine_timeout`].
    fn timed_out(&mut self, _now: Instant, _oldest: Transmission, _new_data: bool) -> bool {
        false
    }
    /// Segments per second to send at, if it sends by a rate; `None`: as the window opens.
    fn pacing_rate(&self) -> Option<f64> {
        None
    }
    /// What it calls the state it is in; empty if its states have no names.
    fn state(&self) -> &'static str {
        ""
    }
}
