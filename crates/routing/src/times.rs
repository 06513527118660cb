//! Bounds of times in settings.

use base::Duration;
use std::ops::RangeInclusive;

/// The longest of the times of routing.
const DAY: Duration = Duration::from_secs(86_400);

/// Up to a day.
pub(crate) const TIMES: RangeInclusive<Duration> = Duration::ZERO..=DAY;

/// The same, above 0.
pub(crate) const NOT_ZERO: RangeInclusive<Duration> = Duration::from_ps(1)..=DAY;
