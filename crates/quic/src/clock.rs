//! Conversion between simulated time and `std::time::Instant`, which quinn-proto uses as its clock.

use base::Instant;
use std::time::{Duration, Instant as Std};

/// The `std::time::Instant` that stands for the start of the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Std);

impl Clock {
    /// Creates a clock at the start of a run.
    #[expect(
        clippy::disallowed_methods,
        reason = "`std::time::Instant` has no other constructor; only differences from this one are ever seen"
    )]
    pub(crate) fn new() -> Self {
        Self(Std::now())
    }

    /// Converts `at` to `std::time::Instant`, rounded down to a nanosecond.
    pub(crate) fn there(self, at: Instant) -> Std {
        self.0 + Duration::from_nanos(at.ps() / 1000)
    }

    /// Converts `at` to simulated time; zero if `at` is before the start of the run.
    pub(crate) fn back(self, at: Std) -> Instant {
        let nanos = at.saturating_duration_since(self.0).as_nanos();
        Instant::from_ps(u64::try_from(nanos).unwrap_or(u64::MAX).saturating_mul(1000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back_to_the_nanosecond() {
        let clock = Clock::new();
        for ps in [0, 999, 1000, 1_234_567_890_123] {
            assert_eq!(clock.back(clock.there(Instant::from_ps(ps))).ps(), ps / 1000 * 1000);
        }
    }
}
