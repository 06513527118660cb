//! The paper's estimate of the path's capacity: the bandwidth, from the rate of acknowledgments, and the
//! least round-trip time.

use super::config::Config;
use crate::congestion::signals::Arrival;
use base::{Duration, Instant};

/// Counter of segments that acknowledgments show to have arrived, each counted once (the paper's
/// `AckedCount`).
#[derive(Clone, Debug, Default)]
pub(in crate::congestion) struct AckedCount {
    /// Segments that duplicate acknowledgments have already counted (the paper's `accounted`).
    accounted: u64,
}

impl AckedCount {
    /// Returns the number of segments that an acknowledgment shows to have arrived; `acked` is the number
    /// that it acknowledges cumulatively, 0 for a duplicate.
    pub(in crate::congestion) fn count(&mut self, acked: u64) -> u64 {
        match acked {
            0 => {
                self.accounted += 1;
                1
            }
            1 => 1,
            _ if self.accounted >= acked => {
                self.accounted -= acked;
                1
            }
            _ => acked - std::mem::take(&mut self.accounted),
        }
    }
}

/// State of the bandwidth filter, and the least round-trip time.
#[derive(Clone, Debug)]
pub(in crate::congestion) struct Estimate {
    config: Config,
    counted: AckedCount,
    /// Output of the filter, which starts at zero, and the last sample; segments per second.
    pub(super) filtered: f64,
    pub(super) sample: Option<f64>,
    /// Weight that the filter's initial value still has, 0 to 1.
    pub(super) unseen: f64,
    last: Option<Instant>,
    /// Segments of acknowledgments that arrived at the same instant as the last one.
    pending: u64,
    /// Least round-trip time, seconds; infinite before the first sample.
    pub rtt_min: f64,
}

impl Estimate {
    pub(in crate::congestion) fn new(config: &Config) -> Self {
        Self {
            config: *config,
            counted: AckedCount::default(),
            filtered: 0.0,
            sample: None,
            unseen: 1.0,
            last: None,
            pending: 0,
            rtt_min: f64::INFINITY,
        }
    }

    /// Counts an arriving acknowledgment, and updates the bandwidth filter.
    pub(in crate::congestion) fn arrived(&mut self, arrival: &Arrival) {
        self.pending += self.counted.count(arrival.acked);
        let Some(last) = self.last else {
            self.last = Some(arrival.now);
            self.pending = 0;
            return;
        };
        let gap = arrival.now.since(last).secs();
        if gap > 0.0 {
            let sample = std::mem::take(&mut self.pending) as f64 / gap;
            let quiet = self.config.tau / self.config.m;
            let silences = (libm::ceil(gap / quiet) - 1.0).max(0.0);
            match self.sample {
                None => self.filter(gap.min(quiet), 1.0, sample + sample),
                Some(before) if silences == 0.0 => self.filter(gap, 1.0, before + sample),
                Some(before) => {
                    self.filter(quiet, 1.0, before);
                    self.filter(quiet, silences - 1.0, 0.0);
                    self.filter((gap - silences * quiet).max(0.0), 1.0, sample);
                }
            }
            self.sample = Some(sample);
            self.last = Some(arrival.now);
        }
    }

    /// Applies `times` filter steps of `gap` seconds each; `samples` is the sum of the last two samples,
    /// segments per second.
    fn filter(&mut self, gap: f64, times: f64, samples: f64) {
        let gain = libm::pow((2.0 * self.config.tau - gap) / (2.0 * self.config.tau + gap), times);
        self.filtered = gain * self.filtered + (1.0 - gain) * samples / 2.0;
        self.unseen *= gain;
    }

    /// Returns the bandwidth estimate, segments per second, corrected for the weight of the filter's initial
    /// value; `None` before the first sample.
    pub(in crate::congestion) fn bandwidth(&self) -> Option<f64> {
        (self.unseen < 1.0).then(|| self.filtered / (1.0 - self.unseen))
    }

    /// Updates the least round-trip time by a sample.
    pub(in crate::congestion) fn measured(&mut self, rtt: Duration) {
        self.rtt_min = self.rtt_min.min(rtt.secs());
    }

    /// Returns the bandwidth estimate times the least round-trip time, segments; `None` until both exist.
    pub(in crate::congestion) fn window(&self) -> Option<f64> {
        self.bandwidth().filter(|_| self.rtt_min.is_finite()).map(|bandwidth| bandwidth * self.rtt_min)
    }
}
