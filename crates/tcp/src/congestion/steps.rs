//! Growth by whole segments, as in controls of TCP-Linux: when a number of segments has been acknowledged
//! since the last increase, the next acknowledgment increases the window by one. Derived from the output of
//! ns-2's TCP-Linux.

use base::Instant;

/// One millisecond, picoseconds.
const MS: u64 = 1_000_000_000;
/// Milliseconds after which `every` is computed again, if the window has not changed before.
const HOLDS: u64 = 31;
/// Segments per acknowledgment that TCP-Linux assumes. Its running estimate begins at two, is kept in
/// sixteenths, and is truncated.
const PER_ACK: f64 = 31.0 / 16.0;

/// Returns the time since the start of the run in whole milliseconds.
pub(super) fn ms(now: Instant) -> u64 {
    now.ps() / MS
}

/// Counter of acknowledged segments between increases of the window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    /// Segments acknowledged since the last increase.
    waiting: f64,
}

impl Steps {
    /// Counts `count` acknowledged segments, or increases `cwnd` by one if `every` segments have been
    /// acknowledged since the last increase.
    pub(super) fn count(&mut self, cwnd: &mut f64, count: f64, every: f64) {
        if self.waiting >= every {
            *cwnd += 1.0;
            self.waiting = 0.0;
        } else {
            self.waiting += count;
        }
    }

    /// Counts `count` acknowledged segments as in Linux 6.12: the window grows by one segment per `every`
    /// segments, and the remainder is kept. If `every` has become so small that the segments counted before
    /// suffice, they give one increase only.
    pub(super) fn count_with_rest(&mut self, cwnd: &mut f64, count: f64, every: f64) {
        if self.waiting >= every {
            *cwnd += 1.0;
            self.waiting = 0.0;
        }
        self.waiting += count;
        if self.waiting >= every {
            let steps = libm::floor(self.waiting / every);
            *cwnd += steps;
            self.waiting -= steps * every;
        }
    }

    /// Restarts the count; called after a loss.
    pub(super) fn clear(&mut self) {
        self.waiting = 0.0;
    }
}

/// Segments per increase of the window for BIC and CUBIC, as last computed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Every {
    every: f64,
    /// Window, and time in milliseconds, of the last computation; zeros before the first.
    cwnd: f64,
    at: u64,
}

impl Every {
    /// Returns true if the value must be computed now, and records the computation as done.
    pub(super) fn is_due(&mut self, cwnd: f64, now: Instant) -> bool {
        let due = cwnd != self.cwnd || ms(now) - self.at > HOLDS;
        if due {
            self.cwnd = cwnd;
            self.at = ms(now);
        }
        due
    }

    /// Sets the segments per increase from `every`, which was computed for one segment per acknowledgment,
    /// scaled by `PER_ACK`.
    pub(super) fn set(&mut self, every: f64) {
        self.every = libm::floor(every / PER_ACK).max(1.0);
    }

    /// Sets the segments per increase without scaling.
    pub(super) fn set_exactly(&mut self, every: f64) {
        self.every = every;
    }

    /// Returns the segments per increase.
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

    /// With `every` 10 and 3.5 segments per acknowledgment, the window grows at each tenth segment and the
    /// remainder counts. If 25 segments are counted when `every` becomes 3, the window grows by one segment
    /// only.
    #[test]
    fn what_a_step_leaves_over_counts_for_the_next() {
        let (mut steps, mut cwnd) = (Steps::default(), 10.0);
        for after in [10.0, 10.0, 11.0, 11.0, 11.0, 12.0, 12.0] {
            steps.count_with_rest(&mut cwnd, 3.5, 10.0);
            assert_eq!(cwnd, after);
        }
        let (mut steps, mut cwnd) = (Steps::default(), 10.0);
        steps.count_with_rest(&mut cwnd, 25.0, 100.0);
        steps.count_with_rest(&mut cwnd, 2.0, 3.0);
        assert_eq!(cwnd, 11.0);
        steps.count_with_rest(&mut cwnd, 4.0, 3.0);
        assert_eq!(cwnd, 13.0);
    }

    #[test]
    fn it_is_reckoned_anew_with_a_new_window_or_after_31_ms() {
        let mut every = Every::default();
        assert!(every.is_due(10.0, at(1.0)));
        assert!(!every.is_due(10.0, at(1.031)));
        assert!(every.is_due(11.0, at(1.031)));
        assert!(every.is_due(11.0, at(1.063)));
        // 50 segments per increase are 25 whole acknowledgments of 31/16 segments each.
        every.set(50.0);
        assert_eq!(every.get(), 25.0);
    }
}
