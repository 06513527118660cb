//! Model of the path: bandwidth-delay product, and the data in flight that follow from it.

use super::phases::CYCLE;
use super::state::{Bbr, Phase};

/// Quanta in the window beyond the bandwidth-delay product, for delayed and aggregated acknowledgments.
const QUANTA: f64 = 3.0;
/// Pacing rate below which a quantum is one segment: 1.2 Mb/s of payload, in segments of 1448 bytes per
/// second (section 4.2.2).
const SLOW: f64 = 1.2e6 / 8.0 / 1448.0;
/// Least quantum above that rate, segments.
const LEAST_QUANTUM: f64 = 2.0;
/// Form `draft`: seconds in which a quantum is sent, and largest quantum, 64 KB in segments of 1448 bytes.
const QUANTUM_S: f64 = 0.001;
const MOST_QUANTUM: f64 = 45.0;
/// Form `linux`: number of quanta per second.
const QUANTA_PER_SECOND: f64 = 1024.0;

impl Bbr {
    /// Returns BtlBw, segments per second.
    pub(super) fn bottleneck(&self) -> f64 {
        self.rates.get()
    }

    /// Returns `gain` times the bandwidth-delay product, segments; `None` until BtlBw and RTprop have been
    /// measured.
    pub(super) fn bdp(&self, gain: f64) -> Option<f64> {
        let rtprop = self.rtprop.filter(|_| self.bottleneck() > 0.0)?;
        Some(gain * self.bottleneck() * rtprop.secs())
    }

    /// Returns BBRInflight: the target of data in flight at `gain`, segments (section 4.2.3.2); infinite
    /// until BtlBw and RTprop have been measured.
    pub(super) fn inflight(&self, gain: f64) -> f64 {
        let Some(bdp) = self.bdp(gain) else { return f64::INFINITY };
        if self.config.linux { self.quantized(libm::ceil(bdp)) } else { bdp + QUANTA * self.quantum() }
    }

    /// Returns a quantum, segments: the number sent in about 1 ms, but 1 below 1.2 Mb/s and at least 2 above.
    pub(super) fn quantum(&self) -> f64 {
        if self.pacing_rate < SLOW {
            1.0
        } else if self.config.linux {
            libm::floor(self.pacing_rate / QUANTA_PER_SECOND).max(LEAST_QUANTUM)
        } else {
            (self.pacing_rate * QUANTUM_S).clamp(LEAST_QUANTUM, MOST_QUANTUM)
        }
    }

    /// Returns `bdp` segments plus three quanta, rounded up to an even number, and 2 more in phase 5/4. With
    /// this margin `bdp` segments are in the network although sender and receiver work in batches.
    pub(super) fn quantized(&self, bdp: f64) -> f64 {
        let quantum = self.quantum();
        let probes = self.phase == Phase::ProbeBw && CYCLE[self.cycle_at] > 1.0;
        2.0 * libm::ceil((bdp + QUANTA * quantum) / 2.0) + if probes { 2.0 } else { 0.0 }
    }

    /// Returns the target of the window at `gain`, segments. In form `linux` the target includes `extra` (ACK
    /// aggregation) once the pipe is full.
    pub(super) fn target(&self, gain: f64) -> f64 {
        match self.bdp(gain) {
            Some(bdp) if self.config.linux && self.filled => {
                self.quantized(libm::ceil(bdp) + self.aggregation.extra(self.bottleneck()))
            }
            _ => self.inflight(gain),
        }
    }
}
