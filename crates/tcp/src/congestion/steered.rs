//! A control that a program steers while the run stands still: it sets the window, or the rate, or both.
//!
//! A window that is held is the program's alone: neither acknowledgments nor losses move it, and the control underneath is
//! told nothing until it is let go. A rate alone leaves the window to the control underneath.

use super::State;
use super::control::{CongestionControl, Fault, Needs, RecoveryStep};
use super::signals::{AckSample, Arrival, LossSample, Reaction, Transmission};
use super::window::Window;
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

/// A control and what is steered of it.
#[derive(Clone, Debug)]
pub(crate) struct Steered {
    /// The connection's own control.
    pub(crate) control: State,
    /// The window that is held.
    held: Option<Window>,
    /// Takes what the endpoint writes to a window that is held.
    scratch: Window,
    /// Segments per second in place of the control's own rate.
    rate: Option<f64>,
}

impl Steered {
    pub(super) fn new(control: State) -> Self {
        let scratch = *control.window();
        Self { control, held: None, scratch, rate: None }
    }

    /// Holds this window, or lets the control go on from the one that was held.
    pub(crate) fn hold(&mut self, window: Option<Window>) {
        if window.is_none()
            && let Some(held) = self.held
        {
            *self.control.window_mut() = held;
        }
        self.held = window;
    }

    /// Sends at this rate, segments per second, or at the control's own.
    pub(crate) fn pace(&mut self, rate: Option<f64>) {
        self.rate = rate;
    }

    fn told(&mut self) -> Option<&mut State> {
        self.held.is_none().then_some(&mut self.control)
    }
}

impl CongestionControl for Steered {
    fn window(&self) -> &Window {
        self.held.as_ref().unwrap_or(self.control.window())
    }

    fn window_mut(&mut self) -> &mut Window {
        match self.held {
            Some(held) => {
                self.scratch = held;
                &mut self.scratch
            }
            None => self.control.window_mut(),
        }
    }

    fn needs(&self) -> Needs {
        self.control.needs()
    }

    fn give_stream(&mut self, rng: Rng) {
        self.control.give_stream(rng);
    }

    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if let Some(control) = self.told() {
            control.on_handshake(now, rtt);
        }
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        if let Some(control) = self.told() {
            control.on_arrival(arrival);
        }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(control) = self.told() {
            control.on_ack(ack);
        }
    }

    fn on_rate(&mut self, sample: &RateSample) {
        if let Some(control) = self.told() {
            control.on_rate(sample);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.told().map_or(Reaction::CUT, |control| control.on_congestion(loss))
    }

    fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
        if let Some(control) = self.told() {
            control.on_recovery(now, step);
        }
    }

    fn wake(&self) -> Option<Instant> {
        self.control.wake().filter(|_| self.held.is_none())
    }

    fn on_timer(&mut self, now: Instant) {
        if let Some(control) = self.told() {
            control.on_timer(now);
        }
    }

    fn timed_out(&mut self, now: Instant, oldest: Transmission, new_data: bool) -> bool {
        self.told().is_some_and(|control| control.timed_out(now, oldest, new_data))
    }

    fn pacing_rate(&self) -> Option<f64> {
        self.rate.or_else(|| self.control.pacing_rate().filter(|_| self.held.is_none()))
    }

    fn state(&self) -> &'static str {
        self.control.state()
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        self.control.traced(show);
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.control.take_fault()
    }
}
