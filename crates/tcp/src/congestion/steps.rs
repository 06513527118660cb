//! Growth by whole segments as TCP-Linux's controls count it: once so many segments have been acknowledged since the last
//! step, the next acknowledgment makes one. Known from ns-2's TCP-Linux as run.

use base::Instant;

/// A millisecond, ps.
const MS: u64 = 1_000_000_000;
/// How many are waited for is reckoned anew with a new window, or so many milliseconds after it was.
const HOLDS: u64 = 31;
/// TCP-Linux takes an acknowledgment for so many segments: its running estimate begins at two, in sixteenths, and truncates.
const PER_ACK: f64 = 31.0 / 16.0;

/// Milliseconds since the simulation began, whole.
pub(super) fn ms(now: Instant) -> u64 {
    now.ps() / MS
}

/// Counts from step to step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    /// Acknowledged since the last step.
    waiting: f64,
}

impl Steps {
    /// So many segments are acknowledged: one more where `every` have been since the last step.
    pub(super) fn count(&mut self, cwnd: &mut f64, count: f64, every: f64) {
        if self.waiting >= every {
            *cwnd += 1.0;
            self.waiting = 0.0;
        } else {
            self.waiting += count;
        }
    }

    /// A loss: begins anew.
    pub(super) fn clear(&mut self) {
        self.waiting = 0.0;
    }
}

/// How many segments BIC and CUBIC wait for, as last reckoned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Every {
    every: f64,
    /// For this window, at this time in ms; 0: not yet.
    cwnd: f64,
    at: u64,
}

impl Every {
    /// Whether it is to be reckoned anew; if so, it counts as done.
    pub(super) fn is_due(&mut self, cwnd: f64, now: Instant) -> bool {
        let due = cwnd != self.cwnd || ms(now) - self.at > HOLDS;
        if due {
            self.cwnd = cwnd;
            self.at = ms(now);
        }
        due
    }

    /// What has been reckoned for acknowledgments of one segment.
    pub(super) fn set(&mut self, every: f64) {
        self.every = libm::floor(every / PER_ACK).max(1.0);
    }

    /// So many, whatever an acknowledgment is taken for.
    pub(super) fn set_exactly(&mut self, every: f64) {
        self.every = every;
    }

    /// How many segments are waited for.
    pub(super) fn get(&self) -> f64 {
        self.every
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::at;

    #[test]
    fn the_acknowledgment_after_so_many_makes_the_step() {
        let (mut steps, mut cwnd) = (Steps::default(), 10.0);
        (0..10).for_each(|_| steps.count(&mut cwnd, 1.0, 10.0));
        assert_eq!(cwnd, 10.0);
        steps.count(&mut cwnd, 1.0, 10.0);
        assert_eq!(cwnd, 11.0);
    }

    #[test]
    fn it_is_reckoned_anew_with_a_new_window_or_after_31_ms() {
        let mut every = Every::default();
        assert!(every.is_due(10.0, at(1.0)));
        assert!(!every.is_due(10.0, at(1.031)));
        assert!(every.is_due(11.0, at(1.031)));
        assert!(every.is_due(11.0, at(1.063)));
        // 50 segments are 25 acknowledgments of 31 sixteenths.
        every.set(50.0);
        assert_eq!(every.get(), 25.0);
    }
}
