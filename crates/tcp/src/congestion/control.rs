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

/// The version of the contract. It rises when something that a control may rely on changes or goes; additions keep it.
pub const CONTRACT_VERSION: u32 = 2;

/// Parameters of rate halving from a control that has a say in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Halving {
    /// Least window, segments. The window at the end of recovery stays.
    pub floor: f64,
    /// Segments by which the window grows first.
    pub first: f64,
}

/// The requests of a control to its endpoint beside acknowledgments and losses. The endpoint asks once, as the
/// connection begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// True for every acknowledgment before loss recovery sees it ([`CongestionControl::on_arrival`]).
    pub arrivals: bool,
    /// True for samples of the delivery rate ([`CongestionControl::on_rate`]).
    pub rates: bool,
    /// True for a round trip of each segment ([`AckSample::rtt`]), not only of those that the endpoint measures.
    pub segment_times: bool,
    /// True for a timer ([`CongestionControl::wake`]).
    pub timer: bool,
    /// True if it may begin to send at a rate of its own at any time; else it does from the beginning, or never.
    pub may_pace: bool,
    /// A fine-grained timeout of its own ([`CongestionControl::timed_out`]), and the rules that come with it.
    pub fine_timeout: Option<FineTimeout>,
    /// True if the window opens only with the acknowledgment after that of the SYN, if the SYN is a segment of its own.
    pub opens_late: bool,
}

/// Rules of an endpoint whose control has a fine-grained timeout: as Vegas was published, or as ns-2 has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FineTimeout {
    /// True if send times are kept in as many slots as the window has segments, used in turn; an acknowledgment clears
    /// the slots of its segments, or none if these wrap around the end. Else each segment has its own.
    pub slots: bool,
    /// True if a segment that was not sent yet counts as sent at time zero, and so is sent twice.
    pub unsent_expired: bool,
    /// True if the inflation is part of the window: recovery takes it back only if a further duplicate came, and a
    /// timeout halves it, too.
    pub keeps_inflation: bool,
}

/// A step of loss recovery that a control may want to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecoveryStep {
    /// `reno` and `newreno` send a segment again on a loss signal.
    Retransmission {
        /// Segments outstanding.
        outstanding: u64,
    },
    /// `reno` and `newreno` take back the inflation of the window (RFC 5681 section 3.2, step 6).
    Deflation {
        /// Segments by which duplicate acknowledgments had inflated it.
        inflation: u64,
    },
    /// Fast recovery has ended: all segments outstanding at the loss are acknowledged.
    End,
}

/// The reason for which a control cannot go on. The run stops and reports it.
#[derive(Clone, Debug)]
pub struct Fault {
    /// When it happened.
    pub at: Instant,
    /// The call of the controller that failed, with its arguments.
    pub call: String,
    /// The error.
    pub message: String,
    /// An object for the control's author, such as an exception of another language.
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

/// The interface of every congestion control. Two methods decide, `on_ack` and `on_congestion`; the rest have defaults.
pub trait CongestionControl {
    /// Returns its window.
    fn window(&self) -> &Window;
    /// Returns its window to be changed by the endpoint's own rules: opening, clamping, the restart after an idle time,
    /// PRR and NewReno's deflation.
    fn window_mut(&mut self) -> &mut Window;
    /// Returns its requests to the endpoint.
    fn needs(&self) -> Needs {
        Needs::default()
    }
    /// Receives a random stream of its own, if the connection has one.
    fn set_rng(&mut self, _rng: Rng) {}
    /// Handles the first acknowledgment of the SYN, `rtt` after it was sent.
    fn on_handshake(&mut self, _now: Instant, _rtt: Duration) {}
    /// Handles any acknowledgment before loss recovery sees it; only with [`Needs::arrivals`].
    fn on_arrival(&mut self, _arrival: &Arrival) {}
    /// Handles an acknowledgment of new data.
    fn on_ack(&mut self, ack: &AckSample);
    /// Handles the delivery rate after an acknowledgment; only with [`Needs::rates`].
    fn on_rate(&mut self, _sample: &RateSample) {}
    /// Answers a loss: cuts the window, or not.
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction;
    /// Notes a step of loss recovery.
    fn on_recovery(&mut self, _now: Instant, _step: RecoveryStep) {}
    /// Returns the time at which to call [`CongestionControl::on_timer`], if any; a past time counts as none. Only with
    /// [`Needs::timer`].
    fn wake(&self) -> Option<Instant> {
        None
    }
    /// Handles the time of [`CongestionControl::wake`].
    fn on_timer(&mut self, _now: Instant) {}
    /// Returns true if the oldest outstanding segment is to be taken as lost now, by its age. Asked with each duplicate
    /// acknowledgment, and with each acknowledgment of new data (`new_data`); only with [`Needs::fine_timeout`].
    fn timed_out(&mut self, _now: Instant, _oldest: Transmission, _new_data: bool) -> bool {
        false
    }
    /// Returns its parameters of the rate halving that a fast loss begins; `None`: the window goes down to a share of
    /// the cut window, and recovery ends with that.
    fn halving(&self) -> Option<Halving> {
        None
    }
    /// Returns the rate to send at, segments per second; `None`: segments leave as the window opens.
    fn pacing_rate(&self) -> Option<f64> {
        None
    }
    /// Returns the name of its state; empty if its states have no names.
    fn state(&self) -> &'static str {
        ""
    }
    /// Shows the variables of its own in traces (trace `control`), each with its name and value.
    fn traced(&self, _show: &mut dyn FnMut(&str, f64)) {}
    /// Returns its fault, once; asked after each call of a user-defined control.
    fn take_fault(&mut self) -> Option<Fault> {
        None
    }
}
