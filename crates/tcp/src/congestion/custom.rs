//! User-defined controls: registered by name, and run by a guard that checks their results.

use super::algorithm::Algorithm;
use super::control::{CongestionControl, Fault, Halving, Needs, RecoveryStep};
use super::signals::{AckSample, Arrival, LossSample, Reaction, Transmission};
use super::window::{LEAST, Window};
use crate::rate::{LostSegment, RateSample};
use base::{Duration, Instant, Rng};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// State of a user-defined control, which must be able to copy itself, because connections can be copied.
pub trait CustomControl: CongestionControl + fmt::Debug + Send {
    /// Returns a copy with a state of its own.
    fn copied(&self) -> Box<dyn CustomControl>;
}

impl<T: CongestionControl + Clone + fmt::Debug + Send + 'static> CustomControl for T {
    fn copied(&self) -> Box<dyn CustomControl> {
        Box::new(self.clone())
    }
}

type Build = dyn Fn(&[f64], Window) -> Box<dyn CustomControl> + Send + Sync;

/// A user-defined control and the values of its parameters.
#[derive(Clone)]
pub struct Custom {
    algorithm: &'static Algorithm,
    build: Arc<Build>,
    values: Vec<f64>,
}

impl Custom {
    /// Creates a user-defined control. At the start of each connection `build` is called with the values of
    /// the parameters, in the order of `algorithm.parameters`, and the initial window.
    pub fn new<C: CongestionControl + Clone + fmt::Debug + Send + 'static>(
        algorithm: &'static Algorithm,
        build: impl Fn(&[f64], Window) -> C + Send + Sync + 'static,
    ) -> Self {
        let values = algorithm.parameters.iter().map(|parameter| parameter.default).collect();
        let build: Arc<Build> = Arc::new(move |values: &[f64], window| Box::new(build(values, window)));
        Self { algorithm, build, values }
    }

    /// Returns the control with another registry entry, whose parameters have their defaults.
    #[must_use]
    pub fn declared(&self, algorithm: &'static Algorithm) -> Self {
        let values = algorithm.parameters.iter().map(|parameter| parameter.default).collect();
        Self { algorithm, build: Arc::clone(&self.build), values }
    }

    /// Returns the entry that names the control and lists its parameters.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Returns the values of the parameters, in the order of the registry entry.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the control with the parameters in `values`; others have their defaults.
    pub(super) fn with(&self, values: &[(String, f64)]) -> Self {
        let mut changed = self.clone();
        for (parameter, value) in self.algorithm.parameters.iter().zip(&mut changed.values) {
            let given = values.iter().rev().find(|(name, _)| name == parameter.name);
            *value = given.map_or(parameter.default, |(_, value)| *value);
        }
        changed
    }

    /// Creates the state at the start of a connection.
    pub(super) fn build(&self, window: Window) -> Guard {
        let mut guard =
            Guard { control: (self.build)(&self.values, window), last: window, pacing: None, fault: None };
        guard.check(Instant::ZERO, &|| "the start of the connection".to_owned());
        guard
    }
}

/// Two controls are equal if they share registry entry and `build` function and have equal parameters.
impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.algorithm, other.algorithm)
            && Arc::ptr_eq(&self.build, &other.build)
            && self.values == other.values
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(self.algorithm.name).field(&self.values).finish()
    }
}

/// User-defined controls, by the names that variants use.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Controls(BTreeMap<String, Custom>);

impl Controls {
    /// Adds a control under the name of its algorithm, in place of any other of that name.
    pub fn add(&mut self, custom: Custom) {
        self.0.insert(custom.algorithm.name.to_owned(), custom);
    }

    /// Returns the control called `name`; `None` if no such control was added.
    pub fn get(&self, name: &str) -> Option<&Custom> {
        self.0.get(name)
    }

    /// Adds all controls of `others`.
    pub fn extend(&mut self, others: &Controls) {
        self.0.extend(others.0.iter().map(|(name, custom)| (name.clone(), custom.clone())));
    }

    /// Returns the registry entries in the order of names.
    pub fn algorithms(&self) -> impl Iterator<Item = &'static Algorithm> {
        self.0.values().map(|custom| custom.algorithm)
    }

    /// Returns true if there is no control.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the names of the controls.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.0.values().map(|custom| custom.algorithm.name)
    }
}

/// Largest window that a control may set, segments: a thousand times
/// [`LARGEST_WINDOW`](crate::config::LARGEST_WINDOW). A control that increases its window with each
/// acknowledgment on a path without losses can exceed that window.
pub(crate) const LARGEST_ANSWER: f64 = 1e9;

/// A user-defined control in a connection. Window and pacing rate are checked after each call. If either is
/// invalid, or the control reports a fault, the control is not called again, and the connection keeps the
/// last valid window.
#[derive(Debug)]
pub(crate) struct Guard {
    control: Box<dyn CustomControl>,
    last: Window,
    pacing: Option<f64>,
    fault: Option<Box<Fault>>,
}

impl Clone for Guard {
    fn clone(&self) -> Self {
        let Self { control, last, pacing, fault } = self;
        let mut control = control.copied();
        let fault = fault.clone().or_else(|| control.take_fault().map(Box::new));
        Self { control, last: *last, pacing: *pacing, fault }
    }
}

impl Guard {
    /// Returns the fault after which the control is no longer called; `None` without a fault.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.fault.as_deref()
    }

    #[inline]
    fn check(&mut self, at: Instant, call: &dyn Fn() -> String) {
        let window = *self.control.window();
        let pacing = self.control.pacing_rate();
        let sound = (LEAST..=LARGEST_ANSWER).contains(&window.cwnd)
            && window.ssthresh >= 0.0
            && pacing.is_none_or(|rate| rate.is_finite() && rate > 0.0);
        let fault = self.control.take_fault();
        if sound && fault.is_none() {
            self.last = window;
            self.pacing = pacing;
            return;
        }
        let fault = fault.unwrap_or_else(|| Fault {
            at,
            call: call(),
            message: unsound(window, pacing),
            cause: None,
        });
        self.fault = Some(Box::new(fault));
        *self.control.window_mut() = self.last;
    }
}

/// Describes the invalid window or pacing rate.
#[cold]
fn unsound(window: Window, pacing: Option<f64>) -> String {
    let Window { cwnd, ssthresh } = window;
    if !(LEAST..=LARGEST_ANSWER).contains(&cwnd) {
        return format!("cwnd is {cwnd}; it is a number of segments from {LEAST} to {LARGEST_ANSWER}");
    }
    if ssthresh.is_nan() || ssthresh < 0.0 {
        return format!("ssthresh is {ssthresh}; it is a number of segments, 0 or more, or infinite");
    }
    format!("pacing_rate is {}; it is segments per second above 0, or none", pacing.unwrap_or_default())
}

impl CongestionControl for Guard {
    #[inline]
    fn window(&self) -> &Window {
        self.control.window()
    }
    #[inline]
    fn window_mut(&mut self) -> &mut Window {
        self.control.window_mut()
    }
    fn needs(&self) -> Needs {
        Needs { may_pace: true, ..self.control.needs() }
    }
    fn set_rng(&mut self, rng: Rng) {
        self.control.set_rng(rng);
        self.check(Instant::ZERO, &|| "the start of the connection".to_owned());
    }
    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if self.fault.is_none() {
            self.control.on_handshake(now, rtt);
            self.check(now, &|| format!("on_handshake({}, {})", now.secs(), rtt.secs()));
        }
    }
    fn on_arrival(&mut self, arrival: &Arrival) {
        if self.fault.is_none() {
            self.control.on_arrival(arrival);
            self.check(arrival.now, &|| format!("on_arrival({arrival})"));
        }
    }
    #[inline]
    fn on_ack(&mut self, ack: &AckSample) {
        if self.fault.is_none() {
            self.control.on_ack(ack);
            self.check(ack.now, &|| format!("on_ack({ack})"));
        }
    }
    fn on_rate(&mut self, sample: &RateSample) {
        if self.fault.is_none() {
            self.control.on_rate(sample);
            self.check(sample.now, &|| format!("on_rate({sample})"));
        }
    }
    fn on_lost(&mut self, lost: &LostSegment) {
        if self.fault.is_none() {
            self.control.on_lost(lost);
            self.check(lost.now, &|| format!("on_lost({lost})"));
        }
    }
    fn on_restart(&mut self, now: Instant) {
        if self.fault.is_none() {
            self.control.on_restart(now);
            self.check(now, &|| format!("on_restart({})", now.secs()));
        }
    }
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if self.fault.is_some() {
            return Reaction::CUT;
        }
        let reaction = self.control.on_congestion(loss);
        self.check(loss.now, &|| format!("on_congestion({loss})"));
        reaction
    }
    fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
        if self.fault.is_none() {
            self.control.on_recovery(now, step);
            self.check(now, &|| format!("on_recovery({}, {step:?})", now.secs()));
        }
    }
    fn on_undo(&mut self, now: Instant, before: &Window) {
        if self.fault.is_none() {
            self.control.on_undo(now, before);
            self.check(now, &|| format!("on_undo({}, {before:?})", now.secs()));
        }
    }
    fn wake(&self) -> Option<Instant> {
        self.control.wake().filter(|_| self.fault.is_none())
    }
    fn on_timer(&mut self, now: Instant) {
        if self.fault.is_none() {
            self.control.on_timer(now);
            self.check(now, &|| format!("on_timer({})", now.secs()));
        }
    }
    fn timed_out(&mut self, now: Instant, oldest: Transmission, new_data: bool) -> bool {
        if self.fault.is_some() {
            return false;
        }
        let answer = self.control.timed_out(now, oldest, new_data);
        self.check(now, &|| format!("timed_out({})", now.secs()));
        answer
    }
    fn halving(&self) -> Option<Halving> {
        self.control.halving()
    }
    #[inline]
    fn pacing_rate(&self) -> Option<f64> {
        self.pacing
    }
    fn state(&self) -> &'static str {
        self.control.state()
    }
    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        self.control.traced(show);
    }
}
