//! A control whose window, pacing rate or both are set by a program while the run is paused.
//!
//! A held window changes only by the program: acknowledgments and losses do not change it, and the control
//! beneath is not called until the window is released. The exception is a retransmission timeout, which has
//! the effect of RFC 5681 section 3.1: the window becomes one segment, and slow start increases it to the
//! held value. If the held value took effect at once, a window beyond the path's capacity would lose most of
//! the segments that each timeout retransmits. If the program sets only the rate, the control beneath sets
//! the window.

use super::control::{CongestionControl, Fault, Halving, Needs, RecoveryStep};
use super::signals::{AckSample, Arrival, Congestion, LossSample, Reaction, Transmission};
use super::window::Window;
use crate::rate::{LostSegment, RateSample};
use base::{Duration, Instant, Rng};

/// A control with the values that a program has set.
#[derive(Clone, Debug)]
pub(crate) struct Steered<C> {
    /// The connection's own control.
    pub(crate) control: C,
    /// Held window, segments; `None` if it is released.
    held: Option<f64>,
    /// Window in use while a window is held.
    window: Window,
    /// Copy of the window for the endpoint to change, because its changes must have no effect on a held
    /// window.
    scratch: Window,
    /// Pacing rate set by the program, segments per second.
    rate: Option<f64>,
}

impl<C: CongestionControl> Steered<C> {
    pub(super) fn new(control: C) -> Self {
        let window = *control.window();
        Self { control, held: None, window, scratch: window, rate: None }
    }

    /// Holds the window at `segments`; `None` releases it, and the control continues from the current window.
    pub(crate) fn hold(&mut self, segments: Option<f64>) {
        match segments {
            Some(cwnd) => self.window = Window { cwnd, ..*self.window() },
            None if self.held.is_some() => *self.control.window_mut() = self.window,
            None => {}
        }
        self.held = segments;
    }

    /// Sets the pacing rate, segments per second; `None` restores the control's own rate.
    pub(crate) fn pace(&mut self, rate: Option<f64>) {
        self.rate = rate;
    }

    fn active(&mut self) -> Option<&mut C> {
        self.held.is_none().then_some(&mut self.control)
    }
}

impl<C: CongestionControl> CongestionControl for Steered<C> {
    fn window(&self) -> &Window {
        if self.held.is_some() { &self.window } else { self.control.window() }
    }

    fn window_mut(&mut self) -> &mut Window {
        if self.held.is_none() {
            return self.control.window_mut();
        }
        // The endpoint changes a copy, so its changes have no effect.
        self.scratch = self.window;
        &mut self.scratch
    }

    fn needs(&self) -> Needs {
        self.control.needs()
    }

    fn set_rng(&mut self, rng: Rng) {
        self.control.set_rng(rng);
    }

    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if let Some(control) = self.active() {
            control.on_handshake(now, rtt);
        }
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        if let Some(control) = self.active() {
            control.on_arrival(arrival);
        }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        match self.held {
            Some(held) => self.window.cwnd = held.min(self.window.cwnd + ack.count),
            None => self.control.on_ack(ack),
        }
    }

    fn on_rate(&mut self, sample: &RateSample) {
        if let Some(control) = self.active() {
            control.on_rate(sample);
        }
    }

    fn on_lost(&mut self, lost: &LostSegment) {
        if let Some(control) = self.active() {
            control.on_lost(lost);
        }
    }

    fn on_restart(&mut self, now: Instant) {
        if let Some(control) = self.active() {
            control.on_restart(now);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if self.held.is_none() {
            return self.control.on_congestion(loss);
        }
        if loss.why == Congestion::Timeout {
            self.window.cwnd = 1.0;
        }
        Reaction::CUT
    }

    fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
        if let Some(control) = self.active() {
            control.on_recovery(now, step);
        }
    }

    fn on_undo(&mut self, now: Instant, before: &Window) {
        if let Some(control) = self.active() {
            control.on_undo(now, before);
        }
    }

    fn wake(&self) -> Option<Instant> {
        self.control.wake().filter(|_| self.held.is_none())
    }

    fn on_timer(&mut self, now: Instant) {
        if let Some(control) = self.active() {
            control.on_timer(now);
        }
    }

    fn timed_out(&mut self, now: Instant, oldest: Transmission, new_data: bool) -> bool {
        self.active().is_some_and(|control| control.timed_out(now, oldest, new_data))
    }

    fn halving(&self) -> Option<Halving> {
        self.control.halving().filter(|_| self.held.is_none())
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
