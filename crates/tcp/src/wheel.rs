//! Timer wheel: the clock of Linux's timers, which expire late rather than early.
//!
//! A wheel has levels. A timer of less than 63 ticks is in the first level and expires at the first tick after
//! its time. Each further level is eight times as coarse: timers of 63 to 503 ticks expire at the next multiple
//! of 8 ticks, those of 504 to 4031 ticks at the next multiple of 64. (Corbet, "Reinventing the timer wheel", LWN,
//! 2015.) Ticks are counted from the start of the run.

use base::{Duration, Instant, Stamp};

/// Ticks from which on a timer is in the second level.
const SECOND_LEVEL: u64 = 63;
/// Logarithm to base 2 of the factor between the granularities of two levels.
const COARSER: u32 = 3;
/// Highest level; it has all longer timers, too.
const TOP: u32 = 8;
/// One nanosecond, picoseconds.
const NS: u64 = 1000;
/// Ticks that are added to loss recovery's timers.
const LEAST: u64 = 2;

/// Rounding of the times at which timers expire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wheel {
    /// Time of a tick, ns; 0 if timers expire exactly.
    tick: u32,
}

impl Wheel {
    /// Creates a wheel with a tick of `tick`; with a tick of zero, timers expire exactly.
    pub(crate) fn new(tick: Duration) -> Self {
        Self { tick: (tick.ps() / NS) as u32 }
    }

    /// Returns true if timers expire exactly.
    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.tick == 0
    }

    /// Returns the time by which each timer of loss recovery is extended: `LEAST` ticks.
    pub(crate) fn least(self) -> Duration {
        Duration::from_ps(LEAST * self.ps())
    }

    /// Returns the time at which a timer expires that is set at `now` for `wait`.
    #[inline]
    pub(crate) fn expiry(self, now: Instant, wait: Duration) -> Instant {
        if self.tick == 0 { now + wait } else { self.rounded(now, wait) }
    }

    /// Returns `timer` with its time of expiry in place of the end of its wait.
    #[inline]
    pub(crate) fn turned(self, timer: Stamp) -> Stamp {
        if self.tick == 0 {
            timer
        } else {
            Stamp::new(self.rounded(timer.since, timer.at.since(timer.since)), timer.since)
        }
    }

    fn ps(self) -> u64 {
        u64::from(self.tick) * NS
    }

    fn rounded(self, now: Instant, wait: Duration) -> Instant {
        let tick = self.ps();
        let ticks = wait.ps().div_ceil(tick);
        let (mut shift, mut end) = (0, SECOND_LEVEL);
        while ticks >= end && shift < TOP * COARSER {
            shift += COARSER;
            end <<= COARSER;
        }
        let expires = now.ps() / tick + ticks;
        let fires = ((expires >> shift) + 1) << shift;
        Instant::from_ps(fires.saturating_mul(tick))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the expiry in microseconds of a timer that is set at `now_us` for `wait_us`, with a tick of 1 ms.
    fn expiry(now_us: u64, wait_us: u64) -> u64 {
        let wheel = Wheel::new(Duration::from_ms(1));
        let at = wheel.expiry(Instant::ZERO + Duration::from_us(now_us), Duration::from_us(wait_us));
        at.ps() / 1_000_000
    }

    #[test]
    fn a_short_timer_expires_at_the_first_tick_after_its_time() {
        assert_eq!(expiry(0, 10_000), 11_000);
        assert_eq!(expiry(400, 9_100), 11_000);
        assert_eq!(expiry(400, 62_000), 63_000);
    }

    #[test]
    fn longer_timers_expire_at_multiples_of_eight_and_sixty_four_ticks() {
        assert_eq!(expiry(0, 63_000), 64_000);
        assert_eq!(expiry(600_500, 246_000), 848_000);
        // A timer set for a multiple of 8 ticks expires at the next multiple.
        assert_eq!(expiry(8_000, 200_000), 216_000);
        assert_eq!(expiry(0, 503_000), 504_000);
        assert_eq!(expiry(0, 504_000), 512_000);
        assert_eq!(expiry(100_000, 1_000_000), 1_152_000);
    }

    #[test]
    fn a_tick_of_zero_is_exact() {
        let now = Instant::ZERO + Duration::from_us(3);
        let wheel = Wheel::new(Duration::ZERO);
        assert_eq!(wheel.expiry(now, Duration::from_us(7)), now + Duration::from_us(7));
        assert_eq!(wheel.least(), Duration::ZERO);
    }
}
