//! Timers of a sender: retransmission (RFC 6298), loss recovery (RFC 8985) and congestion control.

use base::{Instant, Stamp};

/// Timers of one sender. A stamp holds the time of expiry and the time at which the timer was set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timers {
    retransmission: Option<Stamp>,
    recovery: Option<Stamp>,
    control: Option<Stamp>,
}

impl Timers {
    /// Returns the retransmission timer; `None` if it does not run.
    #[inline(always)]
    pub(crate) fn retransmission(&self) -> Option<Stamp> {
        self.retransmission
    }

    /// Restarts the retransmission timer, to expire at `due`.
    #[inline(always)]
    pub(crate) fn start_retransmission(&mut self, now: Instant, due: Instant) {
        self.retransmission = Some(Stamp::new(due, now));
    }

    /// Restores an earlier setting of the retransmission timer.
    pub(crate) fn restore_retransmission(&mut self, timer: Option<Stamp>) {
        self.retransmission = timer;
    }

    #[inline(always)]
    pub(crate) fn stop_retransmission(&mut self) {
        self.retransmission = None;
    }

    /// Restarts loss recovery's timer, to expire at `due`.
    pub(crate) fn start_recovery(&mut self, now: Instant, due: Instant) {
        self.recovery = Some(Stamp::new(due, now));
    }

    pub(crate) fn stop_recovery(&mut self) {
        self.recovery = None;
    }

    /// Returns true if loss recovery's timer has expired by `now`.
    pub(crate) fn recovery_expired(&self, now: Instant) -> bool {
        self.recovery.is_some_and(|timer| timer.at <= now)
    }

    /// Stops the timers of retransmission and recovery at the end of the connection.
    pub(crate) fn close(&mut self) {
        self.retransmission = None;
        self.recovery = None;
    }

    /// Returns true if congestion control's timer has expired by `now`.
    pub(crate) fn control_expired(&self, now: Instant) -> bool {
        self.control.is_some_and(|timer| timer.at <= now)
    }

    pub(crate) fn stop_control(&mut self) {
        self.control = None;
    }

    /// Sets congestion control's timer to `wake`; `None` or a time that has passed stops it. If the timer has
    /// expired and `wake` is still its time, it stays, so that the expiry is handled.
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

    /// Returns the timer that expires first; congestion control's timer counts only if `control` is true.
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
