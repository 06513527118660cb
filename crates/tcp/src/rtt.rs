//! Estimation of the round-trip time, and the retransmission timeout.
//!
//! There are two estimators, selected by [`Timers::clock_tick`]: RFC 6298 with exact times, and Jacobson's
//! integer arithmetic on a coarse clock (Jacobson 1988, appendix A), whose rounding published ns-2 results
//! depend on. Backoff and Karn's rule are the same for both: after backoff, the longer timeout is kept until
//! a segment that was sent only once is acknowledged.

use crate::config::{RtoFloor, Timers};
use base::{Duration, Instant};

/// Round-trip time estimate and retransmission timeout of one sender. What is read most often comes first in memory.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct RttEstimator {
    /// Retransmission timeout in use. Computed from the other fields by `bound`, and stored because it is
    /// read far more often than they change.
    rto: Duration,
    /// Factor by which the timeout is multiplied; doubles each time the retransmission timer expires.
    backoff: u32,
    kind: Kind,
    /// Retransmission timeout before bounds and backoff are applied.
    timeout: Duration,
    min: Duration,
    max: Duration,
    /// True if `min` is the least value of the timeout's deviation term ([`RtoFloor::Deviation`]).
    floors_deviation: bool,
    /// Unit that the timeout is rounded up to, ps.
    unit: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    /// RFC 6298, times in picoseconds.
    Exact { srtt: Option<u64>, rttvar: u64 },
    /// Jacobson's arithmetic in whole ticks: `srtt` is scaled by 8, `rttvar` by 4; `srtt` is zero before the
    /// first sample.
    Ticks { tick: u64, phase: u64, srtt: i64, rttvar: i64 },
}

/// Backoff above which the tick estimator discards its smoothed round-trip time.
const FORGET_BEYOND: u32 = 8;
/// Largest backoff factor. RFC 6298 limits only the RTO itself (sections 2.5 and 5.5).
const BACKOFF_LIMIT: u32 = 1 << 20;

impl RttEstimator {
    /// Creates an estimator without samples; `phase` is the time since the clock's last tick at the start of
    /// the connection.
    pub fn new(timers: &Timers, phase: Duration) -> Self {
        let tick = timers.clock_tick.ps();
        let kind = if tick == 0 {
            Kind::Exact { srtt: None, rttvar: 0 }
        } else {
            // The mean deviation starts at 3 ticks, scaled by 4: 12, as in 4.3BSD.
            Kind::Ticks { tick, phase: phase.ps(), srtt: 0, rttvar: 12 }
        };
        let mut estimator = Self {
            kind,
            rto: timers.initial_rto,
            timeout: timers.initial_rto,
            backoff: 1,
            min: timers.min_rto,
            max: timers.max_rto,
            floors_deviation: timers.rto_floor == RtoFloor::Deviation,
            unit: timers.rto_unit.ps().max(1),
        };
        estimator.bound();
        estimator
    }

    /// Updates the estimate by a sample `rtt` that was taken at `now`.
    pub fn measured(&mut self, now: Instant, rtt: Duration) {
        match &mut self.kind {
            Kind::Exact { srtt, rttvar } => {
                let r = rtt.ps();
                // RFC 6298 sections 2.2 and 2.3: rttvar (beta = 1/4) is updated before srtt (alpha = 1/8).
                let smoothed = match *srtt {
                    None => {
                        *rttvar = r / 2;
                        r
                    }
                    Some(s) => {
                        *rttvar = (3 * *rttvar + s.abs_diff(r)) / 4;
                        (7 * s + r) / 8
                    }
                };
                *srtt = Some(smoothed);
                let least = if self.floors_deviation { self.min.ps() } else { 0 };
                let timeout = smoothed + (4 * *rttvar).max(least);
                // The test avoids a division by a variable, which takes long.
                let whole = if self.unit == 1 { timeout } else { timeout.next_multiple_of(self.unit) };
                self.timeout = Duration::from_ps(whole);
            }
            Kind::Ticks { tick, phase, srtt, rttvar } => {
                let sent = now.ps() - rtt.ps() + *phase;
                let ticks = (((rtt.ps() + sent % *tick) / *tick) as i64).max(1);
                if *srtt == 0 {
                    *srtt = ticks << 3;
                    *rttvar = ticks << 1;
                } else {
                    let delta = ticks - (*srtt >> 3);
                    *srtt = (*srtt + delta).max(1);
                    let spread = delta.abs() - (*rttvar >> 2);
                    *rttvar = (*rttvar + spread).max(1);
                }
                self.timeout =
                    Duration::from_ps((((*rttvar << 3) + *srtt) >> 3) as u64).saturating_mul(*tick);
            }
        }
        self.bound();
    }

    /// Returns the timeout in use, with bounds and backoff.
    #[inline]
    pub fn rto(&self) -> Duration {
        self.rto
    }

    /// Computes `rto` after a change of a field from which it follows.
    #[inline]
    fn bound(&mut self) {
        let floor = match self.kind {
            Kind::Exact { .. } => self.min,
            // A timer based on a clock tick cannot be shorter than two ticks.
            Kind::Ticks { tick, .. } => Duration::from_ps(2 * tick),
        };
        let backed_off = self.timeout.max(self.min).saturating_mul(self.backoff.into());
        self.rto = backed_off.min(self.max).max(floor.min(self.max));
    }

    /// Doubles the RTO, up to its maximum (RFC 6298 section 5.5). The tick estimator discards srtt once the
    /// backoff exceeds `FORGET_BEYOND`.
    pub fn back_off(&mut self) {
        if self.backoff < BACKOFF_LIMIT && self.rto() < self.max {
            self.backoff *= 2;
        }
        if let Kind::Ticks { srtt, .. } = &mut self.kind
            && self.backoff > FORGET_BEYOND
        {
            // While srtt is zero, the next sample initializes the mean deviation as well.
            *srtt = 0;
        }
        self.bound();
    }

    /// Ends the backoff, because a segment sent only once was acknowledged (Karn and Partridge 1987).
    #[inline]
    pub fn end_backoff(&mut self) {
        if self.backoff > 1 {
            self.backoff = 1;
            self.bound();
        }
    }

    /// Returns true if the timeout has been doubled since backoff last ended.
    pub fn backed_off(&self) -> bool {
        self.backoff > 1
    }

    /// Returns the smoothed round-trip time; `None` before the first sample.
    pub fn srtt(&self) -> Option<Duration> {
        match self.kind {
            Kind::Exact { srtt, .. } => srtt.map(Duration::from_ps),
            Kind::Ticks { tick, srtt, .. } => (srtt > 0).then(|| Duration::from_ps(srtt as u64 * tick / 8)),
        }
    }
}
