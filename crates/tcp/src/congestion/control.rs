//! The contract between a connection and its congestion control: what a control is told, and what it may answer.
//!
//! Times are [`Instant`]s since the run began and [`Duration`]s; windows are in segments, with fractions; rates are in segments
//! per second; sequence numbers count segments. A control owns its state and its [`Window`]. It is told of events by the methods
//! of [`CongestionControl`] and answers by what it leaves in its window, by [`CongestionControl::pacing_rate`], and by the
//! [`Reaction`] to a loss. It cannot reach a clock, a queue or ambient entropy. Every control of this crate uses this contract and
//! nothing else; a user-defined control is handed in through [`Controls`](super::Controls).

use super::signals::{AckSample, Arrival, LossSample, Reaction, Transmission};
use super::window::Window;
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};
use std::any::Any;
use std::sync::Arc;

/// The version of the contract. It rises when something that a control may rely on changes or goes; what is only added keeps it.
pub const CONTRACT_VERSION: u32 = 2;

/// How rate halving goes for a control that has a say in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Halving {
    /// The window that it does not go below, segments. What is left of the window when recovery ends stays.
    pub floor: f64,
    /// Segments that the window first grows by.
    pub first: f64,
}

/// What a control asks of its endpoint beside acknowledgments and losses. The endpoint asks once, as the connection begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// Every acknowledgment, before loss recovery sees it ([`CongestionControl::on_arrival`]).
    pub arrivals: bool,
    /// Samples of the delivery rate ([`CongestionControl::on_rate`]).
    pub rates: bool,
    /// A round trip of each segment ([`AckSample::rtt`]), not only those that the endpoint measures.
    pub segment_times: bool,
    /// A timer ([`CongestionControl::wake`]).
    pub timer: bool,
    /// It may begin to send at a rate of its own at any time; else it does from the beginning, or never.
    pub may_pace: bool,
    /// A fine-grained timeout of its own ([`CongestionControl::timed_out`]), and the rules that come with it.
    pub fine_timeout: Option<FineTimeout>,
    /// If the SYN is a segment of its own, the window opens only with the acknowledgment after that of the SYN.
    pub opens_late: bool,
}

/// How an endpoint behaves whose control has a fine-grained timeout: as Vegas was published, or as ns-2 has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FineTimeout {
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
pub enum RecoveryStep {
    /// `reno` and `newreno` send a segment again on a loss signal.
    Retransmission {
        /// Segments outstanding.
        outstanding: u64,
    },
    /// `reno` and `newreno` take back the inflation of the window (RFC 5681 section 3.2, step 6).
    Deflation {
        /// By how many segments duplicate acknowledgments had inflated it.
        inflation: u64,
    },
    /// Fast recovery is over: all that was outstanding at the loss is acknowledged.
    End,
}

/// Why a control cannot go on. The run stops and says so.
#[derive(Clone, Debug)]
pub struct Fault {
    /// When it happened.
    pub at: Instant,
    /// The call of the controller that failed, with its arguments.
    pub call: String,
    /// What went wrong.
    pub message: String,
    /// What the control's author may want to have back: an exception of another language.
    pub cause: Option<Arc<dyn Any + Send + Sync>>,
}

/// The two methods of [`CongestionControl`] that every control writes alike, for one whose window is the field `window`.
#[macro_export]
macro_rules! own_window {
    () => {
        #[inline]
        fn window(&self) -> &$crate::congestion::Window {
            &self.window
        }
        #[inline]
        fn window_mut(&mut self) -> &mut $crate::congestion::Window {
            &mut self.window
        }
    };
}
pub(super) use own_window;

/// What every congestion control does. Two methods decide, `on_ack` and `on_congestion`; the rest have defaults.
pub trait CongestionControl {
    /// Its window.
    fn window(&self) -> &Window;
    /// Its window, for the endpoint's own rules: opening, clamping, the restart after an idle time, PRR and NewReno's deflation.
    fn window_mut(&mut self) -> &mut Window;
    /// What it asks of its endpoint.
    fn needs(&self) -> Needs {
        Needs::default()
    }
    /// A stream of its own is handed in, if the connection has one: for algorithms that draw.
    fn set_rng(&mut self, _rng: Rng) {}
    /// The SYN was acknowledged `rtt` after it was sent, the first time that it was.
    fn on_handshake(&mut self, _now: Instant, _rtt: Duration) {}
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
    /// When [`CongestionControl::on_timer`] is to be called, if ever; a time that has passed counts as none. Only with
    /// [`Needs::timer`].
    fn wake(&self) -> Option<Instant> {
        None
    }
    /// The time of [`CongestionControl::wake`] has come.
    fn on_timer(&mut self, _now: Instant) {}
    /// Whether the oldest outstanding segment is to be taken as lost already now, by its age; asked with each duplicate
    /// acknowledgment, and with each acknowledgment of new data (`new_data`); only with [`Needs::fine_timeout`].
    fn timed_out(&mut self, _now: Instant, _oldest: Transmission, _new_data: bool) -> bool {
        false
    }
    /// Its say in the rate halving that a fast loss begins; `None`: the window goes down to a share of what the cut left, and
    /// recovery ends with that.
    fn halving(&self) -> Option<Halving> {
        None
    }
    /// Segments per second to send at, if it sends by a rate; `None`: as the window opens.
    fn pacing_rate(&self) -> Option<f64> {
        None
    }
    /// What it calls the state it is in; empty if its states have no names.
    fn state(&self) -> &'static str {
        ""
    }
    /// Shows the variables of its own that traces have (trace `control`), each by a name and as a number.
    fn traced(&self, _show: &mut dyn FnMut(&str, f64)) {}
    /// Why it cannot go on, told once; asked after each call of a user-defined control.
    fn take_fault(&mut self) -> Option<Fault> {
        None
    }
}
