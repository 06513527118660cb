//! Interface between a connection and its congestion control: the calls that a control gets, and its results.
//!
//! Times are [`Instant`]s since the run began and [`Duration`]s. Windows are in segments, with fractions;
//! rates are in segments per second; sequence numbers count segments. A control owns its state and its
//! [`Window`]. The endpoint reports events by the methods of [`CongestionControl`]. Results are the
//! window that the control sets, [`CongestionControl::pacing_rate`], and the [`Reaction`] to a loss. A
//! control has no access to a clock, a queue or ambient entropy. Every control of this crate uses only
//! this interface; user-defined controls are registered through [`Controls`](super::Controls).

use super::signals::{AckSample, Arrival, LossSample, Reaction, Transmission};
use super::window::Window;
use crate::rate::{LostSegment, RateSample};
use base::{Duration, Instant, Rng};
use std::any::Any;
use std::sync::Arc;

/// Version of the interface [`CongestionControl`]. The version increases when something that a control may
/// rely on changes or is removed, not when something is added.
pub const CONTRACT_VERSION: u32 = 2;

/// Parameters that a control gives to rate halving.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Halving {
    /// Least window during rate halving, segments. Recovery ends with the current window, if that exceeds the
    /// reduced window.
    pub floor: f64,
    /// Segments that are added to the window at the beginning of recovery.
    pub first: f64,
}

/// Optional calls and rules that a control asks the endpoint for; read once, when the connection begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// Call [`CongestionControl::on_arrival`] for every acknowledgment, before loss recovery.
    pub arrivals: bool,
    /// Call [`CongestionControl::on_rate`] with samples of the delivery rate.
    pub rates: bool,
    /// Give a round-trip time for each acknowledged segment ([`AckSample::rtt`]), not only for those that the
    /// endpoint times.
    pub segment_times: bool,
    /// Call [`CongestionControl::on_timer`] at the time that [`CongestionControl::wake`] returns.
    pub timer: bool,
    /// The control may start to pace at any time. Otherwise it paces from the beginning or never.
    pub may_pace: bool,
    /// Support a fine-grained timeout ([`CongestionControl::timed_out`]), with these rules.
    pub fine_timeout: Option<FineTimeout>,
    /// If [`CongestionControl::on_ack`] reduces the window, reach the reduced window gradually, as after a mark; only
    /// with `pause_after_mark`.
    pub gradual: bool,
    /// If the SYN is a separate segment, set the initial window at the next acknowledgment after that of the
    /// SYN.
    pub opens_late: bool,
}

/// Rules of an endpoint whose control has a fine-grained timeout, as in the publication of Vegas or as in
/// ns-2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FineTimeout {
    /// Keep sending times in as many slots as the window has segments, reused cyclically. An acknowledgment
    /// clears the slots of its segments, or none if these wrap around the end. If false, keep one sending
    /// time per segment.
    pub slots: bool,
    /// A segment that has not been sent counts as sent at time zero, and is therefore sent twice.
    pub unsent_expired: bool,
    /// The inflation is a part of the window. Recovery removes it only if a further duplicate acknowledgment
    /// arrived, and a timeout halves the window with the inflation.
    pub keeps_inflation: bool,
}

/// A step of loss recovery that is reported to the control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecoveryStep {
    /// A loss signal made `reno` or `newreno` retransmit a segment.
    Retransmission {
        /// Number of outstanding segments.
        outstanding: u64,
    },
    /// `reno` or `newreno` deflated the window (RFC 5681 section 3.2, step 6).
    Deflation {
        /// Segments by which duplicate acknowledgments had inflated the window.
        inflation: u64,
    },
    /// Fast recovery has ended: with `reno` at the first acknowledgment of new data, with other recoveries
    /// when all segments outstanding at the loss are acknowledged.
    End,
}

/// Reason for which a control cannot continue. The run stops and reports it.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Time of the failure.
    pub at: Instant,
    /// The call to the control that failed, with its arguments.
    pub call: String,
    /// Description of the error, one line.
    pub message: String,
    /// An object for the control's author, such as a Python exception.
    pub cause: Option<Arc<dyn Any + Send + Sync>>,
}

/// Implements `window` and `window_mut` of [`CongestionControl`] for a type whose window is the field
/// `window`.
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

/// Interface of a congestion control. A control must implement its window, `on_ack` and `on_congestion`; the
/// other methods have defaults.
pub trait CongestionControl {
    /// Returns the congestion window and the slow-start threshold.
    fn window(&self) -> &Window;
    /// Returns both as well, for changes by the endpoint's own rules: opening, clamping, restart after idle
    /// time, PRR and NewReno's deflation.
    fn window_mut(&mut self) -> &mut Window;
    /// Returns the optional calls and rules that the control uses.
    fn needs(&self) -> Needs {
        Needs::default()
    }
    /// Receives the control's random stream, if the connection has one.
    fn set_rng(&mut self, _rng: Rng) {}
    /// Handles the acknowledgment of the SYN, `rtt` after the SYN was sent.
    fn on_handshake(&mut self, _now: Instant, _rtt: Duration) {}
    /// Handles an acknowledgment before loss recovery handles it; called only with [`Needs::arrivals`].
    fn on_arrival(&mut self, _arrival: &Arrival) {}
    /// Handles an acknowledgment of new data.
    fn on_ack(&mut self, ack: &AckSample);
    /// Handles a sample of the delivery rate; called only with [`Needs::rates`].
    fn on_rate(&mut self, _sample: &RateSample) {}
    /// Handles a segment whose loss has just been detected, before the sample of the acknowledgment that
    /// shows the loss; called only with [`Needs::rates`].
    fn on_lost(&mut self, _lost: &LostSegment) {}
    /// Handles the end of idle time: an application-limited sender is about to send, with nothing in flight;
    /// called only with [`Needs::rates`].
    fn on_restart(&mut self, _now: Instant) {}
    /// Handles a loss or mark: reduces the window, or leaves it unchanged.
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction;
    /// Handles a step of loss recovery.
    fn on_recovery(&mut self, _now: Instant, _step: RecoveryStep) {}
    /// Takes back the last cut, which proved needless because nothing was lost (RFC 4015, RFC 3708, RFC
    /// 5682). `before` is the window before that cut. By default restores ssthresh, and raises cwnd to at
    /// least that of `before`. A control that changed more on the cut must restore that, too.
    fn on_undo(&mut self, _now: Instant, before: &Window) {
        let window = self.window_mut();
        *window = Window { cwnd: window.cwnd.max(before.cwnd), ssthresh: before.ssthresh };
    }
    /// Returns the time at which [`CongestionControl::on_timer`] must be called; `None`, or a past time,
    /// means no call. Only with [`Needs::timer`].
    fn wake(&self) -> Option<Instant> {
        None
    }
    /// Handles the timer set by [`CongestionControl::wake`].
    fn on_timer(&mut self, _now: Instant) {}
    /// Returns true if the oldest outstanding segment, `_oldest`, counts as lost because of its age. Called
    /// for each duplicate acknowledgment, and for each acknowledgment of new data (then `_new_data` is true);
    /// only with [`Needs::fine_timeout`].
    fn timed_out(&mut self, _now: Instant, _oldest: Transmission, _new_data: bool) -> bool {
        false
    }
    /// Returns the control's parameters of rate halving in fast recovery. `None`: the window is halved down
    /// to `halving_floor` times the reduced window, and recovery ends with the reduced window.
    fn halving(&self) -> Option<Halving> {
        None
    }
    /// Returns the pacing rate, segments per second; `None`: segments are sent as the window allows.
    fn pacing_rate(&self) -> Option<f64> {
        None
    }
    /// Returns the name of the control's current state; empty if states have no names.
    fn state(&self) -> &'static str {
        ""
    }
    /// Calls `_show` with name and value of each variable for the trace `control`.
    fn traced(&self, _show: &mut dyn FnMut(&str, f64)) {}
    /// Removes and returns the control's fault; called after each other method of a user-defined control.
    fn take_fault(&mut self) -> Option<Fault> {
        None
    }
}
