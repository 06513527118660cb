//! Bounds of times in settings.

use base::Duration;
use std::ops::RangeInclusive;

/// Longest time that a setting of routing accepts.
const DAY: Duration = Duration::from_secs(86_400);

/// Times from 0 to a day.
pub(crate) const TIMES: RangeInclusive<Duration> = Duration::ZERO..=DAY;

/// Times above 0, up to a day.
pub(crate) const NOT_ZERO: RangeInclusive<Duration> = Duration::from_ps(1)..=DAY;
