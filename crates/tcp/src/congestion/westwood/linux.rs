//! Westwood as in ns-2's TCP-Linux: Reno with rate halving whose lowest window is the estimated capacity of
//! the path. In Linux 6.12 the estimate begins with the handshake, growth is that of Reno, and the end of
//! recovery sets window and ssthresh to the capacity, whatever window PRR has reached. If the capacity is
//! computed from the kernel's acknowledgments, 223 of 236 windows after a recovery are exact, and 235 within
//! one segment.
//!
//! ```text
//! sample, when more than max(RTT, 50 ms) has passed:   b = bytes arrived / ms
//! once  = (7 once + b) / 8         twice = (7 twice + once) / 8       whole bytes per ms; both begin with the first sample
//! floor = max(twice RTTmin / segment, 2), whole, computed when recovery begins
//!
//! loss             ssthresh as Reno's; every second acknowledgment reduces the window by one segment, down to the floor
//! end of recovery  cwnd = max(ssthresh, cwnd)
//! avoidance        when a window of segments has been acknowledged since the last increase, also in recovery: cwnd += 1
//! ```
//!
//! RTT is the smoothed round-trip time before the acknowledgment, RTTmin its least value, both in whole
//! milliseconds. Arrivals are counted by the paper's `AckedCount`. The first acknowledgment is ignored.
//! An increase that is due when recovery begins is made then. ssthresh never depends on the estimate.
//! Some runs differ from ns-2's after a timeout; the reason was not found
//! (docs/reference/controls/westwood.md, which has the comparisons with ns-2).

use super::estimate::AckedCount;
use crate::congestion::control::Halving;
use crate::congestion::signals::{AckSample, Arrival};
use crate::congestion::steps::ms;
use crate::congestion::window::Window;
use base::{Duration, Instant};

/// Least duration of a sample, milliseconds.
const LEAST: u64 = 50;

/// Measurements, and the count towards the next increase of the window.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    counted: AckedCount,
    /// Bytes that have arrived since the sample began, and its beginning in milliseconds; `None` before the
    /// first acknowledgment.
    arrived: u64,
    began: Option<u64>,
    /// Payload of a full segment, bytes.
    segment: u64,
    /// Bandwidth, whole bytes per millisecond: smoothed once, and smoothed twice.
    once: u64,
    twice: u64,
    /// Smoothed round-trip time and its least value, milliseconds.
    rtt: Option<u64>,
    rtt_min: Option<u64>,
    /// Segments acknowledged since the last increase of the window.
    acked: u64,
    /// True if an increase of the window was due at the last loss; recovery then begins with that increase.
    first: bool,
}

/// Returns a running mean with weight 1/8 for the new value, truncated to a whole number.
fn smooth(old: u64, new: u64) -> u64 {
    (7 * old + new) / 8
}

impl Module {
    /// Begins the first bandwidth sample at the handshake, which also gives the first round-trip time.
    pub(super) fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        self.began = Some(ms(now));
        self.rtt_min = Some(ms(Instant::ZERO + rtt));
    }

    /// Counts an arriving acknowledgment, and takes a sample if one is complete.
    pub(super) fn on_arrival(&mut self, arrival: &Arrival) {
        self.acked += arrival.acked;
        let now = ms(arrival.now);
        let Some(began) = self.began else {
            self.began = Some(now);
            self.segment = arrival.segment;
            return;
        };
        self.segment = arrival.segment;
        self.rtt = arrival.srtt.map(|srtt| ms(Instant::ZERO + srtt)).or(self.rtt);
        let passed = now - began;
        if let Some(rtt) = self.rtt {
            if passed > rtt.max(LEAST) {
                self.sample(self.arrived / passed);
                self.arrived = 0;
                self.began = Some(now);
            }
            self.rtt_min = Some(self.rtt_min.map_or(rtt, |least| least.min(rtt)));
        }
        self.arrived += self.counted.count(arrival.acked) * arrival.segment;
    }

    /// Applies a sample, in bytes per millisecond, to both filters.
    fn sample(&mut self, rate: u64) {
        if (self.once, self.twice) == (0, 0) {
            (self.once, self.twice) = (rate, rate);
        } else {
            self.once = smooth(self.once, rate);
            self.twice = smooth(self.twice, self.once);
        }
    }

    /// Increases the window for newly acknowledged data, if `ack.grow` allows it.
    pub(super) fn on_ack(&mut self, window: &mut Window, ack: &AckSample) {
        if !ack.grow {
            return;
        }
        if window.cwnd < window.ssthresh {
            window.grow(ack.count, 1.0);
            self.acked = 0;
        } else if self.is_due(window) {
            self.acked -= window.cwnd as u64;
            window.cwnd += 1.0;
        }
    }

    /// Returns true if an increase of the window is due: a window of segments has been acknowledged since the
    /// last.
    fn is_due(&self, window: &Window) -> bool {
        self.acked as f64 >= window.cwnd
    }

    /// Handles a loss: records if an increase was due, and restarts the count.
    pub(super) fn on_congestion(&mut self, window: &Window) {
        self.first = window.cwnd >= window.ssthresh && self.is_due(window);
        self.acked = 0;
    }

    /// Returns the estimated capacity: bandwidth times the least round-trip time in segments, rounded down,
    /// at least 2.
    pub(super) fn carried(&self) -> f64 {
        let bytes = self.twice * self.rtt_min.or(self.rtt).unwrap_or(0);
        (bytes / self.segment.max(1)).max(2) as f64
    }

    /// Returns the parameters of rate halving: the floor is the bandwidth estimate times the least round-trip
    /// time.
    pub(super) fn halving(&self) -> Halving {
        Halving { floor: self.carried(), first: f64::from(u8::from(self.first)) }
    }

    /// Returns the bandwidth estimate, segments per second.
    pub(super) fn bandwidth(&self) -> f64 {
        1000.0 * self.twice as f64 / self.segment.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, at};

    fn arrives(module: &mut Module, seconds: f64, acked: u64) {
        module.on_arrival(&Arrival {
            now: at(seconds),
            acked,
            outstanding: 40,
            segment: 1000,
            srtt: Some(Duration::from_ms(60)),
            marked: false,
        });
    }

    /// Twenty segments of 1000 B arrive per 100 ms. The first arrival begins the sample and is not counted, so
    /// the first sample is 19000 / 100 = 190 bytes per ms, and both filters begin with it. 190 * 60 ms are 11.4
    /// segments. Later samples are 200. The first filter stops at 193 = floor((7 * 193 + 200) / 8), the second
    /// at 190 = floor((7 * 190 + 193) / 8).
    #[test]
    fn the_estimate_begins_with_the_first_sample_and_is_whole() {
        let mut module = Module::default();
        let mut trip = |k: u64| {
            (0..20).for_each(|i| arrives(&mut module, 0.1 * k as f64 + 0.001 * f64::from(i), 1));
            (module.once, module.twice, module.halving().floor)
        };
        assert_eq!(trip(0), (0, 0, 2.0));
        assert_eq!(trip(1), (190, 190, 11.0));
        assert_eq!((2..100).map(&mut trip).last(), Some((193, 190, 11.0)));
        arrives(&mut module, 20.0, 1);
        assert!(module.twice < 190, "{}", module.twice);
    }

    /// A duplicate ACK counts as one segment; the next acknowledgment of new data counts fewer by the number of
    /// duplicates.
    #[test]
    fn duplicates_count_once() {
        let mut module = Module::default();
        arrives(&mut module, 0.0, 1);
        for acked in [1, 0, 0, 0, 5] {
            arrives(&mut module, 0.01, acked);
        }
        assert_eq!(module.arrived, 1000 * (1 + 3 + 2));
    }

    /// The window is 6, above ssthresh, and recovery acknowledged ten segments. With the next acknowledgment 11 are
    /// counted: the window becomes 7, and 11 - 6 = 5 remain. Two more make 7, and the window becomes 8.
    #[test]
    fn what_recovery_acknowledged_counts_for_the_next_steps() {
        let mut module = Module::default();
        let mut window = Window { cwnd: 6.0, ssthresh: 3.0 };
        let mut step = |acked, grow| {
            arrives(&mut module, 0.1, acked);
            module.on_ack(&mut window, &AckSample { grow, ..ack(0.1, 0.05, 40, 40) });
            window.cwnd
        };
        assert_eq!(
            [(10, false), (1, true), (1, true), (1, true)].map(|(n, grow)| step(n, grow)),
            [6.0, 7.0, 7.0, 8.0]
        );
    }

    /// At the first loss a whole window has been acknowledged since the last increase, so an increase of the
    /// window by one segment is due and is made when recovery begins. At the second loss no increase is due.
    #[test]
    fn a_step_that_is_due_is_made_as_recovery_begins() {
        let mut module = Module::default();
        let window = Window { cwnd: 6.0, ssthresh: 3.0 };
        arrives(&mut module, 0.1, 6);
        module.on_congestion(&window);
        assert_eq!(module.halving().first, 1.0);
        module.on_congestion(&window);
        assert_eq!(module.halving().first, 0.0);
    }
}
