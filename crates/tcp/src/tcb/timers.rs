//! Timers of a sender: retransmission (RFC 6298), loss recovery (RFC 8985) and congestion control.

use base::{Duration, Instant, Stamp};

/// Timers of one sender. Each is the time of expiry with the time at which it was set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timers {
    retransmission: Option<Stamp>,
    recovery: Option<Stamp>,
    control: Option<Stamp>,
}

impl Timers {
    /// Returns the retransmission timer, if it runs.
    #[inline(always)]
    pub(crate) fn retransmission(&self) -> Option<Stamp> {
        self.retransmission
    }

    /// Starts the retransmission timer anew: it expires `wait` after `now`.
    #[inline(always)]
    pub(crate) fn start_retransmission(&mut self, now: Instant, wait: Duration) {
        self.retransmission = Some(Stamp::new(now + wait, now));
    }

    /// Puts the retransmission timer back to an earlier setting.
    pub(crate) fn restore_retransmission(&mut self, timer: Option<Stamp>) {
        self.retransmission = timer;
    }

    /// Stops the retransmission timer.
    #[inline(always)]
    pub(crate) fn stop_retransmission(&mut self) {
        self.retransmission = None;
    }

    /// Starts the timer of loss recovery: it expires at `due`.
    pub(crate) fn start_recovery(&mut self, now: Instant, due: Instant) {
        self.recovery = Some(Stamp::new(due, now));
    }

    /// Stops the timer of loss recovery.
    pub(crate) fn stop_recovery(&mut self) {
        self.recovery = None;
    }

    /// Returns true if the timer of loss recovery has expired by `now`.
    pub(crate) fn recovery_expired(&self, now: Instant) -> bool {
        self.recovery.is_some_and(|timer| timer.at <= now)
    }

    /// Stops the timers of retransmission and recovery: the connection is over.
    pub(crate) fn close(&mut self) {
        self.retransmission = None;
        self.recovery = None;
    }

    /// Returns true if the timer of congestion control has expired by `now`.
    pub(crate) fn control_expired(&self, now: Instant) -> bool {
        self.control.is_some_and(|timer| timer.at <= now)
    }

    /// Stops the timer of congestion control.
    pub(crate) fn stop_control(&mut self) {
        self.control = None;
    }

    /// Sets the timer of congestion control to `wake`; keeps one that has expired and was not handled.
    #[cold]
    pub(crate) fn set_control(&mut self, now: Instant, wake: Option<Instant>) {
        if self.control.is_some_and(|timer| timer.at <= now && wake == Some(timer.at)) {
            return;
        }
        let wake = wake.filter(|at| *at > now);
        if self.control.map(|timer| timer.at) != wake {
            self.control = wake.map(|at| Stamp::new(at, now));
        }
    }

    /// Returns the earliest timer; that of congestion control counts only if `control` is true.
    #[inline(always)]
    pub(crate) fn earliest(&self, control: bool) -> Option<Stamp> {
        match (self.recovery, control) {
            (None, false) => self.retransmission,
            (recovery, control) => {
                let own = self.control.filter(|_| control);
                [self.retransmission, recovery, own].into_iter().flatten().min()
            }
        }
    }
}
