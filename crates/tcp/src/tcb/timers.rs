//! Timers of a sender: retransmission (RFC 6298), loss recovery (RFC 8985) and congestion control.

use crate::wheel::Wheel;
use base::{Duration, Instant, Stamp};

/// Timers of one sender. A stamp holds the time at which the timer's wait ends, and the time at which the timer was set.
/// The timer wheel rounds the end of the wait only when the time of expiry is read, because most timers are set anew
/// before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timers {
    retransmission: Timer,
    recovery: Timer,
    control: Timer,
}

/// One timer. If it does not run, its wait never ends, so that it can be compared with others without a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Timer(Stamp);

impl Timer {
    /// Timer that does not run.
    const IDLE: Self = Self(Stamp::new(Instant::MAX, Instant::ZERO));

    /// Returns the timer's stamp; `None` if it does not run.
    #[inline(always)]
    fn get(self) -> Option<Stamp> {
        (self.0.at != Instant::MAX).then_some(self.0)
    }

    /// Returns true if the timer's wait ends before `at`.
    #[inline(always)]
    fn ends_before(self, at: Instant) -> bool {
        self.0.at < at
    }
}

impl From<Option<Stamp>> for Timer {
    fn from(stamp: Option<Stamp>) -> Self {
        stamp.map_or(Self::IDLE, Self)
    }
}

impl Default for Timers {
    fn default() -> Self {
        Self { retransmission: Timer::IDLE, recovery: Timer::IDLE, control: Timer::IDLE }
    }
}

impl Timers {
    /// Returns the retransmission timer, with the end of its wait; `None` if it does not run.
    #[inline(always)]
    pub(crate) fn retransmission(&self) -> Option<Stamp> {
        self.retransmission.get()
    }

    /// Restarts the retransmission timer, to expire after `wait`.
    #[inline(always)]
    pub(crate) fn start_retransmission(&mut self, now: Instant, wait: Duration) {
        self.retransmission = Timer(Stamp::new(now + wait, now));
    }

    /// Restores an earlier setting of the retransmission timer.
    pub(crate) fn restore_retransmission(&mut self, timer: Option<Stamp>) {
        self.retransmission = timer.into();
    }

    #[inline(always)]
    pub(crate) fn stop_retransmission(&mut self) {
        self.retransmission = Timer::IDLE;
    }

    /// Restarts loss recovery's timer, to expire after `wait`.
    #[inline(always)]
    pub(crate) fn start_recovery(&mut self, now: Instant, wait: Duration) {
        self.recovery = Timer(Stamp::new(now + wait, now));
    }

    pub(crate) fn stop_recovery(&mut self) {
        self.recovery = Timer::IDLE;
    }

    /// Returns true if loss recovery's timer, whose expiry `wheel` rounds, has expired by `now`.
    pub(crate) fn recovery_expired(&self, now: Instant, wheel: Wheel) -> bool {
        self.recovery.get().is_some_and(|timer| wheel.turned(timer).at <= now)
    }

    /// Stops the timers of retransmission and recovery at the end of the connection.
    pub(crate) fn close(&mut self) {
        self.retransmission = Timer::IDLE;
        self.recovery = Timer::IDLE;
    }

    /// Returns true if congestion control's timer has expired by `now`.
    pub(crate) fn control_expired(&self, now: Instant) -> bool {
        self.control.get().is_some_and(|timer| timer.at <= now)
    }

    pub(crate) fn stop_control(&mut self) {
        self.control = Timer::IDLE;
    }

    /// Sets congestion control's timer to `wake`; `None` or a time that has passed stops it. If the timer has
    /// expired and `wake` is still its time, it stays, so that the expiry is handled.
    #[cold]
    pub(crate) fn set_control(&mut self, now: Instant, wake: Option<Instant>) {
        let running = self.control.get();
        if running.is_some_and(|timer| timer.at <= now && wake == Some(timer.at)) {
            return;
        }
        let wake = wake.filter(|at| *at > now);
        if running.map(|timer| timer.at) != wake {
            self.control = wake.map(|at| Stamp::new(at, now)).into();
        }
    }

    /// Returns the timer that expires first, with its time of expiry, which `wheel` rounds; congestion control's timer
    /// counts only if `control` is true.
    #[inline(always)]
    pub(crate) fn earliest(&self, control: bool, wheel: Wheel) -> Option<Stamp> {
        match (self.recovery.get(), control) {
            (None, false) => self.retransmission.get().map(|timer| wheel.turned(timer)),
            (recovery, control) => {
                let own = self.control.get().filter(|_| control);
                let [first, second] =
                    [self.retransmission.get(), recovery].map(|timer| Some(wheel.turned(timer?)));
                [first, second, own].into_iter().flatten().min()
            }
        }
    }

    /// Returns false if it is certain that no timer expires before `at`, congestion control's timer included.
    #[inline(always)]
    pub(crate) fn may_expire_before(&self, at: Instant) -> bool {
        // Rounding delays the expiry only.
        [self.retransmission, self.recovery, self.control].iter().any(|timer| timer.ends_before(at))
    }
}
