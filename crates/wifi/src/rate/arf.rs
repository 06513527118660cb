//! ARF, automatic rate fallback: A. Kamerman, L. Monteban, "WaveLAN-II: a high-performance wireless LAN for the
//! unlicensed band", Bell Labs Technical Journal 2(3), 1997.
//!
//! After ten frames in a row that were acknowledged, or the number of attempts that the timer counts, the next faster
//! rate is tried; if its first frame fails, the slower one is used again at once. Two failures in a row lower the rate,
//! and each two more. It begins at the lowest rate. The paper's timer runs in time; here it counts attempts.
//!
//! It was made before aggregates and streams. An aggregate counts as one frame, acknowledged if most of it is; the
//! first at a faster rate is sent alone, unless packets of an aggregate wait to be sent again with it. Steps are those
//! of a ladder. A rate is left out of it if one with another number of streams is as fast with less power: it would
//! stop the climb for nothing.

use settings::Settings;

/// Settings of ARF.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Config {
    /// Frames acknowledged in a row that raise the rate.
    #[setting(default = 10, range = 1..=u32::MAX, source = "Kamerman and Monteban 1997")]
    pub successes: u32,
    /// Failures in a row that lower it.
    #[setting(default = 2, range = 1..=u32::MAX, source = "Kamerman and Monteban 1997")]
    pub failures: u32,
    /// Attempts since the last change that raise it.
    #[setting(default = 15, range = 1..=u32::MAX)]
    pub timer: u32,
}

/// The state of a station for a neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arf {
    config: Config,
    /// Index of its rate on the ladder.
    step: usize,
    /// Acknowledged frames in a row.
    successes: u32,
    failures: u32,
    attempts: u32,
    /// True if the rate has just been raised.
    tries: bool,
}

impl Arf {
    pub(super) const fn new(config: Config) -> Self {
        Self { config, step: 0, successes: 0, failures: 0, attempts: 0, tries: false }
    }

    pub(super) const fn step(&self) -> usize {
        self.step
    }

    /// Returns true if the next frame is the first at a faster rate.
    pub(super) const fn tries(&self) -> bool {
        self.tries
    }

    /// Counts an attempt; `success`: it brought something. The ladder has `steps` rates.
    pub(super) fn report(&mut self, success: bool, steps: usize) {
        self.attempts += 1;
        let tries = std::mem::replace(&mut self.tries, false);
        if !success {
            self.successes = 0;
            self.failures += 1;
            if tries || self.failures.is_multiple_of(self.config.failures) {
                self.step = self.step.saturating_sub(1);
                self.attempts = 0;
                // Failures after a try that failed are counted anew.
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
        // A failure right after that counts as the first of two.
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
        // 12 attempts so far; the 15th is a failure, the 16th a success.
        assert_eq!(after(&mut arf, &[(true, 2), (false, 1)]), 0);
        assert_eq!(after(&mut arf, &[(true, 1)]), 1);
    }

    #[test]
    fn the_highest_rate_is_the_last() {
        assert_eq!(after(&mut Arf::new(Config::default()), &[(true, 1000)]), 7);
    }
}
