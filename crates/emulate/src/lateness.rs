//! Lateness of packets: the time from when a packet was due at its destination until it was written to the device.

use base::{Duration, Instant};
use metrics::DelayStats;
use metrics::percentiles::Percentiles;

/// Latenesses of the packets of an emulation.
#[derive(Clone, Debug)]
pub struct Lateness {
    bound: Duration,
    late: u64,
    stats: DelayStats,
    percentiles: Percentiles,
}

impl Lateness {
    /// Creates an empty record; packets that are late by more than `bound` are counted.
    pub fn new(bound: Duration) -> Self {
        Self { bound, late: 0, stats: DelayStats::default(), percentiles: Percentiles::default() }
    }

    /// Records a packet that was due at `due` and was written at `written`.
    pub fn add(&mut self, due: Instant, written: Instant) {
        let by = Duration::from_ps(written.ps().saturating_sub(due.ps()));
        self.late += u64::from(by > self.bound);
        self.stats.add(by);
        self.percentiles.add(by);
    }

    /// Returns the number of packets.
    pub fn packets(&self) -> u64 {
        self.stats.count()
    }

    /// Returns the number of packets that were late by more than the bound.
    pub fn late_packets(&self) -> u64 {
        self.late
    }

    /// Returns the `p`-quantile (0 to 1) of the latenesses, seconds; `None` if there were no packets.
    pub fn percentile_s(&self, p: f64) -> Option<f64> {
        let range = [self.stats.min().unwrap_or_default(), self.stats.max().unwrap_or_default()];
        self.percentiles.at_s(p, self.stats.count(), range)
    }

    /// Returns the greatest lateness, seconds; `None` if there were no packets.
    pub fn max_s(&self) -> Option<f64> {
        self.stats.max().map(Duration::secs)
    }

    /// Returns true if at most one packet in a hundred was late by more than the bound.
    pub fn kept_up(&self) -> bool {
        self.late * 100 <= self.packets()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(us: u64) -> Instant {
        Instant::ZERO + Duration::from_us(us)
    }

    #[test]
    fn percentiles_and_late_packets_follow_the_packets() {
        let mut lateness = Lateness::new(Duration::from_us(50));
        assert_eq!((lateness.percentile_s(0.5), lateness.max_s(), lateness.kept_up()), (None, None, true));
        for us in 1..=100 {
            lateness.add(at(1000), at(1000 + us));
        }
        assert_eq!((lateness.packets(), lateness.late_packets(), lateness.kept_up()), (100, 50, false));
        let median = lateness.percentile_s(0.5).unwrap();
        assert!((median - 50e-6).abs() < 1e-6, "{median}");
        assert_eq!(lateness.max_s(), Some(100e-6));
    }

    #[test]
    fn one_late_packet_in_a_hundred_is_no_falling_behind() {
        let mut lateness = Lateness::new(Duration::from_us(50));
        for us in (0..99).map(|_| 1).chain([60]) {
            lateness.add(at(0), at(us));
        }
        assert!(lateness.kept_up());
        lateness.add(at(0), at(60));
        assert!(!lateness.kept_up());
    }
}
