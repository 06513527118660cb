//! ARF, automatic rate fallback: A. Kamerman, L. Monteban, "WaveLAN-II: a high-performance wireless LAN for the
//! unlicensed band", Bell Labs Technical Journal 2(3), 1997.
//!
//! A station begins at the lowest rate. After ten consecutive acknowledged frames, or when the timer ends, it tries
//! the next higher rate. If the first frame at the higher rate fails, it returns to the lower one at once. Every
//! second consecutive failure lowers the rate. The paper's timer measures time; here it counts attempts.
//!
//! ARF is older than aggregation and spatial streams. Here an A-MPDU counts as one frame, acknowledged if more than
//! half of its MPDUs are. The first frame at a higher rate has a single packet, unless an A-MPDU must be sent again.
//! The rate moves along a list of rates, from which some are left out: those that are not faster than a rate with
//! another number of streams that needs less power. Such a rate would stop the climb without a gain.

use settings::Settings;

/// Settings of ARF (automatic rate fallback).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Config {
    /// Consecutive acknowledged frames after which the rate is raised.
    #[setting(default = 10, range = 1..=u32::MAX, source = "Kamerman and Monteban 1997")]
    pub successes: u32,
    /// Consecutive failed frames after which the rate is lowered.
    #[setting(default = 2, range = 1..=u32::MAX, source = "Kamerman and Monteban 1997")]
    pub failures: u32,
    /// Attempts since the last change of the rate after which the rate is raised.
    #[setting(default = 15, range = 1..=u32::MAX)]
    pub timer: u32,
}

/// State of ARF at a station for one neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arf {
    config: Config,
    /// Index of the rate in [`Rates::ladder`](super::rates::Rates::ladder).
    step: usize,
    /// Consecutive acknowledged frames.
    successes: u32,
    failures: u32,
    attempts: u32,
    /// True if the next attempt is the first since the rate was raised.
    tries: bool,
}

impl Arf {
    pub(super) const fn new(config: Config) -> Self {
        Self { config, step: 0, successes: 0, failures: 0, attempts: 0, tries: false }
    }

    pub(super) const fn step(&self) -> usize {
        self.step
    }

    /// Returns true if the next frame is the first at a higher rate.
    pub(super) const fn tries(&self) -> bool {
        self.tries
    }

    /// Counts an attempt and changes the rate if due. `success`: more than half of its packets were received. `steps`
    /// is the number of rates in the ladder.
    pub(super) fn report(&mut self, success: bool, steps: usize) {
        self.attempts += 1;
        let tries = std::mem::replace(&mut self.tries, false);
        if !success {
            self.successes = 0;
            self.failures += 1;
            if tries || self.failures.is_multiple_of(self.config.failures) {
                self.step = self.step.saturating_sub(1);
                self.attempts = 0;
                // After a failed try of a higher rate, consecutive failures are counted from zero.
                self.failures = if tries { 0 } else { self.failures };
            }
            return;
        }
        self.failures = 0;
        self.successes += 1;
        let enough = self.successes >= self.config.successes || self.attempts >= self.config.timer;
        if enough && self.step + 1 < steps {
            self.step += 1;
            (self.successes, self.attempts, self.tries) = (0, 0, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(arf: &mut Arf, outcomes: &[(bool, u32)]) -> usize {
        for &(success, times) in outcomes {
            (0..times).for_each(|_| arf.report(success, 8));
        }
        arf.step()
    }

    #[test]
    fn ten_successes_raise_the_rate_and_two_failures_lower_it() {
        let mut arf = Arf::new(Config::default());
        assert_eq!(after(&mut arf, &[(true, 9)]), 0);
        assert_eq!(after(&mut arf, &[(true, 1)]), 1);
        // The first frame at the new rate succeeds, so the rate is kept.
        assert_eq!(after(&mut arf, &[(true, 1), (false, 1)]), 1);
        assert_eq!(after(&mut arf, &[(false, 1)]), 0);
        // The rate is already the lowest.
        assert_eq!(after(&mut arf, &[(false, 4)]), 0);
    }

    #[test]
    fn a_rate_whose_first_frame_fails_is_left_at_once() {
        let mut arf = Arf::new(Config::default());
        assert_eq!(after(&mut arf, &[(true, 10)]), 1);
        assert_eq!(after(&mut arf, &[(false, 1)]), 0);
        // The first frame at a new rate succeeds; a failure after that counts as the first of two.
        assert_eq!(after(&mut arf, &[(true, 20)]), 2);
        assert_eq!(after(&mut arf, &[(true, 1), (false, 1), (true, 1), (false, 2)]), 1);
        assert_eq!(after(&mut arf, &[(false, 2)]), 0);
    }

    /// If every third attempt fails, ten successes in a row never occur, and the timer raises the rate.
    #[test]
    fn the_timer_raises_the_rate_too() {
        let mut arf = Arf::new(Config::default());
        for _ in 0..4 {
            assert_eq!(after(&mut arf, &[(true, 2), (false, 1)]), 0);
        }
        // After these 12 attempts the 15th is a failure, and the 16th a success.
        assert_eq!(after(&mut arf, &[(true, 2), (false, 1)]), 0);
        assert_eq!(after(&mut arf, &[(true, 1)]), 1);
    }

    #[test]
    fn the_highest_rate_is_the_last() {
        assert_eq!(after(&mut Arf::new(Config::default()), &[(true, 1000)]), 7);
    }
}
