//! Simulated time in integer picoseconds.
//!
//! A `u64` of picoseconds spans 213 days. With integers, equal instants are equal on every platform; with
//! floating-point numbers, rounding errors would decide ties.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// Picoseconds in one second.
pub const PS_PER_S: u64 = 1_000_000_000_000;

/// A point in simulated time, in picoseconds since the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Instant(u64);

/// A span of simulated time in picoseconds, never negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Duration(u64);

/// The time of an event, with the time at which the event was scheduled.
///
/// Events at the same instant are ordered by `since`: the one scheduled first happens first. A component that
/// computes events in advance (a FIFO link knows departures on arrival) sets `since` to the time at which a
/// step-by-step execution would have scheduled the event, so that the order is the same.
///
/// ```
/// use base::{Duration, Instant, Stamp};
///
/// let at = Instant::ZERO + Duration::from_ms(20);
/// let decided_first = Stamp::new(at, Instant::ZERO);
/// assert!(decided_first < Stamp::new(at, Instant::ZERO + Duration::from_ms(5)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Stamp {
    /// Time of the event.
    pub at: Instant,
    /// Time at which the event was scheduled.
    pub since: Instant,
}

impl Stamp {
    /// Creates a stamp for an event that is scheduled at `since` to happen at `at`.
    #[inline]
    pub const fn new(at: Instant, since: Instant) -> Self {
        Self { at, since }
    }

    /// Returns an integer that has the same order as the stamp.
    #[inline]
    pub const fn key(self) -> u128 {
        ((self.at.0 as u128) << 64) | self.since.0 as u128
    }
}

impl Instant {
    /// Start of a run.
    pub const ZERO: Self = Self(0);
    /// An instant after the end of every run.
    pub const MAX: Self = Self(u64::MAX);

    /// Returns the instant `ps` picoseconds after the start.
    #[inline]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Returns the picoseconds since the start.
    #[inline]
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Returns the seconds since the start, rounded to the nearest `f64`; only for output, because rounding
    /// can make instants equal.
    pub fn secs(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }

    /// Returns the time since `earlier`; zero if `earlier` is later than `self`.
    #[inline]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }

    /// Returns `self + d`, at most [`Instant::MAX`].
    #[inline]
    pub const fn saturating_add(self, d: Duration) -> Self {
        Self(self.0.saturating_add(d.0))
    }
}

impl Duration {
    /// Zero duration.
    pub const ZERO: Self = Self(0);
    /// Largest duration, longer than every run.
    pub const MAX: Self = Self(u64::MAX);

    /// Creates a span of `ps` picoseconds.
    #[inline]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Creates a span of `us` microseconds.
    pub const fn from_us(us: u64) -> Self {
        Self(us * 1_000_000)
    }

    /// Creates a span of `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1_000_000_000)
    }

    /// Creates a span of `s` seconds.
    pub const fn from_secs(s: u64) -> Self {
        Self(s * PS_PER_S)
    }

    /// Returns the duration nearest to `s` seconds; zero if `s` is negative or NaN.
    #[inline]
    pub fn from_secs_f64(s: f64) -> Self {
        // Rounds to nearest as `libm::round` does: adds the largest number below 1/2 and truncates. The cast
        // turns negative numbers and NaN into zero.
        const HALF: f64 = 0.5 - 0.25 * f64::EPSILON;
        Self((s * PS_PER_S as f64 + HALF) as u64)
    }

    /// Returns the number of picoseconds.
    #[inline]
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Returns the number of seconds, rounded to the nearest `f64`.
    #[inline]
    pub fn secs(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }

    /// Returns `self - other`; zero if `other` is longer.
    #[inline]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Returns `self * n`, at most [`Duration::MAX`].
    #[inline]
    pub const fn saturating_mul(self, n: u64) -> Self {
        Self(self.0.saturating_mul(n))
    }

    /// Returns true if the duration is zero.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add<Duration> for Instant {
    type Output = Self;
    #[inline]
    fn add(self, d: Duration) -> Self {
        Self(self.0 + d.0)
    }
}

impl AddAssign<Duration> for Instant {
    #[inline]
    fn add_assign(&mut self, d: Duration) {
        self.0 += d.0;
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;
    #[inline]
    fn sub(self, d: Duration) -> Self {
        Self(self.0 - d.0)
    }
}

impl Sub for Instant {
    type Output = Duration;
    #[inline]
    fn sub(self, earlier: Self) -> Duration {
        Duration(self.0 - earlier.0)
    }
}

impl Add for Duration {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Duration {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Duration {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<u64> for Duration {
    type Output = Self;
    #[inline]
    fn mul(self, n: u64) -> Self {
        Self(self.0 * n)
    }
}

impl Div<u64> for Duration {
    type Output = Self;
    #[inline]
    fn div(self, n: u64) -> Self {
        Self(self.0 / n)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.secs())
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ps = self.0;
        match ps {
            0 => write!(f, "0s"),
            _ if ps.is_multiple_of(PS_PER_S) => write!(f, "{}s", ps / PS_PER_S),
            _ if ps >= PS_PER_S => write!(f, "{}s", self.secs()),
            _ if ps >= 1_000_000_000 => write!(f, "{}ms", ps as f64 / 1e9),
            _ if ps >= 1_000_000 => write!(f, "{}us", ps as f64 / 1e6),
            _ if ps >= 1_000 => write!(f, "{}ns", ps as f64 / 1e3),
            _ => write!(f, "{ps}ps"),
        }
    }
}
