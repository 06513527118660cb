//! Estimation of the round-trip time, and the retransmission timeout.
//!
//! There are two estimators, selected by [`Timers::clock_tick`]: RFC 6298 with exact times, and Jacobson's
//! integer arithmetic on a coarse clock (Jacobson 1988, appendix A), whose rounding published ns-2 results
//! depend on. Backoff and Karn's rule are the same for both: after backoff, the longer timeout is kept until
//! a segment that was sent only once is acknowledged.

use crate::config::{RtoFloor, Timers};
use base::{Duration, Instant};

/// Round-trip time estimate and retransmission timeout of one sender. The bounds of the timeout are in [`Timers`], which
/// many connections share; the caller gives the same ones each time.
#[derive(Clone, Debug)]
pub struct RttEstimator {
    /// Retransmission timeout in use. Computed from the other fields by `bound`, and stored because it is
    /// read far more often than they change.
    rto: Duration,
    /// Factor by which the timeout is multiplied; doubles each time the retransmission timer expires.
    backoff: u32,
    /// True if `srtt` and `rttvar` are valid: a sample has been taken, and they have not been discarded since.
    sampled: bool,
    /// Retransmission timeout before bounds and backoff are applied.
    timeout: Duration,
    /// Smoothed round-trip time: picoseconds, or ticks scaled by 8.
    srtt: u64,
    /// Variation of the round-trip time: picoseconds, or ticks scaled by 4.
    rttvar: u64,
    /// Tick of the clock, picoseconds; 0 for exact times.
    tick: u64,
    /// Time since the clock's last tick at the start of the connection, picoseconds.
    phase: u64,
}

/// Backoff above which the tick estimator discards its smoothed round-trip time.
const FORGET_BEYOND: u32 = 8;
/// Largest backoff factor. RFC 6298 limits only the RTO itself (sections 2.5 and 5.5).
const BACKOFF_LIMIT: u32 = 1 << 20;

impl RttEstimator {
    /// Creates an estimator without samples; `phase` is the time since the clock's last tick at the start of
    /// the connection.
    pub fn new(timers: &Timers, phase: Duration) -> Self {
        let mut estimator = Self {
            rto: timers.initial_rto,
            backoff: 1,
            sampled: false,
            timeout: timers.initial_rto,
            srtt: 0,
            rttvar: 0,
            tick: timers.clock_tick.ps(),
            phase: phase.ps(),
        };
        estimator.bound(timers);
        estimator
    }

    /// Updates the estimate by a sample `rtt` that was taken at `now`.
    pub fn measured(&mut self, now: Instant, rtt: Duration, timers: &Timers) {
        self.timeout = if self.tick == 0 {
            self.measured_exactly(rtt, timers)
        } else {
            self.measured_in_ticks(now, rtt)
        };
        self.sampled = true;
        self.bound(timers);
    }

    /// Updates the estimate by RFC 6298; returns the timeout without bounds.
    fn measured_exactly(&mut self, rtt: Duration, timers: &Timers) -> Duration {
        let r = rtt.ps();
        // RFC 6298 sections 2.2 and 2.3: rttvar (beta = 1/4) is updated before srtt (alpha = 1/8).
        (self.rttvar, self.srtt) = if self.sampled {
            ((3 * self.rttvar + self.srtt.abs_diff(r)) / 4, (7 * self.srtt + r) / 8)
        } else {
            (r / 2, r)
        };
        let least = if timers.rto_floor == RtoFloor::Deviation { timers.min_rto.ps() } else { 0 };
        let timeout = self.srtt + (4 * self.rttvar).max(least);
        // The test avoids a division by a variable, which takes long.
        let unit = timers.rto_unit.ps();
        Duration::from_ps(if unit <= 1 { timeout } else { timeout.next_multiple_of(unit) })
    }

    /// Updates the estimate by Jacobson's arithmetic in whole ticks; returns the timeout without bounds.
    fn measured_in_ticks(&mut self, now: Instant, rtt: Duration) -> Duration {
        let sent = now.ps() - rtt.ps() + self.phase;
        let ticks = (((rtt.ps() + sent % self.tick) / self.tick) as i64).max(1);
        let (mut srtt, mut rttvar) = (self.srtt as i64, self.rttvar as i64);
        if self.sampled {
            let delta = ticks - (srtt >> 3);
            srtt = (srtt + delta).max(1);
            let spread = delta.abs() - (rttvar >> 2);
            rttvar = (rttvar + spread).max(1);
        } else {
            (srtt, rttvar) = (ticks << 3, ticks << 1);
        }
        (self.srtt, self.rttvar) = (srtt as u64, rttvar as u64);
        Duration::from_ps((((rttvar << 3) + srtt) >> 3) as u64).saturating_mul(self.tick)
    }

    /// Returns the timeout in use, with bounds and backoff.
    #[inline]
    pub fn rto(&self) -> Duration {
        self.rto
    }

    /// Computes `rto` after a change of a field from which it follows.
    #[inline]
    fn bound(&mut self, timers: &Timers) {
        let Timers { min_rto, max_rto, .. } = *timers;
        // A timer based on a clock tick cannot be shorter than two ticks.
        let floor = if self.tick == 0 { min_rto } else { Duration::from_ps(2 * self.tick) };
        let backed_off = self.timeout.max(min_rto).saturating_mul(self.backoff.into());
        self.rto = backed_off.min(max_rto).max(floor.min(max_rto));
    }

    /// Doubles the RTO, up to its maximum (RFC 6298 section 5.5). The tick estimator discards srtt once the
    /// backoff exceeds `FORGET_BEYOND`.
    pub fn back_off(&mut self, timers: &Timers) {
        if self.backoff < BACKOFF_LIMIT && self.rto() < timers.max_rto {
            self.backoff *= 2;
        }
        // The next sample then initializes the mean deviation as well.
        self.sampled &= self.tick == 0 || self.backoff <= FORGET_BEYOND;
        self.bound(timers);
    }

    /// Ends the backoff, because a segment sent only once was acknowledged (Karn and Partridge 1987).
    #[inline]
    pub fn end_backoff(&mut self, timers: &Timers) {
        if self.backoff > 1 {
            self.backoff = 1;
            self.bound(timers);
        }
    }

    /// Returns true if the timeout has been doubled since backoff last ended.
    pub fn backed_off(&self) -> bool {
        self.backoff > 1
    }

    /// Returns the smoothed round-trip time; `None` before the first sample.
    pub fn srtt(&self) -> Option<Duration> {
        let ps = if self.tick == 0 { self.srtt } else { self.srtt * self.tick / 8 };
        self.sampled.then_some(Duration::from_ps(ps))
    }
}
