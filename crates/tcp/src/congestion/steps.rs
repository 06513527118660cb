//! Growth by whole segments as TCP-Linux's controls count it: once a number of segments has been acknowledged since the
//! last step, the next acknowledgment makes one. Known from ns-2's TCP-Linux as run.

use base::Instant;

/// A millisecond, ps.
const MS: u64 = 1_000_000_000;
/// Milliseconds after which the number is computed anew, if the window has not changed before.
const HOLDS: u64 = 31;
/// Segments that TCP-Linux counts for an acknowledgment: its running estimate begins at two, in sixteenths, and
/// truncates.
const PER_ACK: f64 = 31.0 / 16.0;

/// Returns the milliseconds since the simulation began, whole.
pub(super) fn ms(now: Instant) -> u64 {
    now.ps() / MS
}

/// Counts segments from step to step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    /// Segments acknowledged since the last step.
    waiting: f64,
}

impl Steps {
    /// Counts acknowledged segments; opens the window by one if `every` have been acknowledged since the last step.
    pub(super) fn count(&mut self, cwnd: &mut f64, count: f64, every: f64) {
        if self.waiting >= every {
            *cwnd += 1.0;
            self.waiting = 0.0;
        } else {
            self.waiting += count;
        }
    }

    /// Restarts the count after a loss.
    pub(super) fn clear(&mut self) {
        self.waiting = 0.0;
    }
}

/// The number of segments that BIC and CUBIC wait for, as last computed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Every {
    every: f64,
    /// Window and time in ms at which it was computed; 0: not yet.
    cwnd: f64,
    at: u64,
}

impl Every {
    /// Returns true if it is to be computed anew, and counts it as done.
    pub(super) fn is_due(&mut self, cwnd: f64, now: Instant) -> bool {
        let due = cwnd != self.cwnd || ms(now) - self.at > HOLDS;
        if due {
            self.cwnd = cwnd;
            self.at = ms(now);
        }
        due
    }

    /// Sets the segments per step, computed for one segment per ACK and scaled by `PER_ACK`.
    pub(super) fn set(&mut self, every: f64) {
        self.every = libm::floor(every / PER_ACK).max(1.0);
    }

    /// Sets the segments per step without scaling.
    pub(super) fn set_exactly(&mut self, every: f64) {
        self.every = every;
    }

    /// Returns the number of segments waited for.
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
