//! Bounds of times and sizes in settings.

use base::Duration;
use std::ops::RangeInclusive;

/// Longest time that a setting of medium access accepts.
const LONGEST: Duration = Duration::from_secs(1);
/// Times from 0 to 1 s.
pub(super) const TIMES: RangeInclusive<Duration> = Duration::ZERO..=LONGEST;
/// Times from 1 us to 1 s.
pub(super) const SHORT: RangeInclusive<Duration> = Duration::from_us(1)..=LONGEST;
/// Times for which a station may scan.
pub(super) const SCANS: RangeInclusive<Duration> = Duration::from_ms(1)..=Duration::from_secs(3600);
/// Lengths of frames and headers, bytes.
pub(super) const SIZES: RangeInclusive<u32> = 0..=65_535;
