//! Bounds of times and sizes.

use base::Duration;
use std::ops::RangeInclusive;

/// The longest of the times of medium access.
const LONGEST: Duration = Duration::from_secs(1);
/// Times of medium access.
pub(super) const TIMES: RangeInclusive<Duration> = Duration::ZERO..=LONGEST;
/// Times of medium access that are above zero.
pub(super) const SHORT: RangeInclusive<Duration> = Duration::from_ps(1)..=LONGEST;
/// Times for which a station listens.
pub(super) const SCANS: RangeInclusive<Duration> = Duration::from_ms(1)..=Duration::from_secs(3600);
/// Sizes of frames and headers.
pub(super) const SIZES: RangeInclusive<u32> = 0..=65_535;
