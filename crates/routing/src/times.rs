//! Bounds of times in settings.

use base::Duration;
use std::ops::RangeInclusive;

/// Longest time that a setting of routing accepts.
const DAY: Duration = Duration::from_secs(86_400);

/// Times from 0 to a day.
pub(crate) const TIMES: RangeInclusive<Duration> = Duration::ZERO..=DAY;

/// Intervals of timers, from 1 ms to a day. With shorter intervals, runs would take too long.
pub(crate) const INTERVALS: RangeInclusive<Duration> = Duration::from_ms(1)..=DAY;
