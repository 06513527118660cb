//! Westwood as ns-2's TCP-Linux has it: Reno that in recovery keeps what the path is found to carry.
//!
//! ```text
//! sample, once more than max(RTT, 50 ms) has passed:   b = segments arrived / time
//! once  = 7/8 once + 1/8 b         twice = 7/8 twice + 1/8 once       both from zero
//! floor = max(twice RTTmin, 2), whole
//!
//! loss, timeout    ssthresh as Reno's; rate halving and a timeout's cut stop at the floor
//! end of recovery  cwnd = max(ssthresh, cwnd)
//! avoidance        once a window of segments is acknowledged since the last step, in recovery, too: cwnd += 1
//! ```
//!
//! RTT is the smoothed round trip, RTTmin its least since the last timeout, both in whole milliseconds; `AckedCount` is the
//! paper's. The threshold never comes from the estimate. What was held against ns-2: docs/reference/controls/westwood.md.

use super::estimate::AckedCount;
use crate::congestion::signals::{AckSample, Arrival, Congestion};
use crate::congestion::steps::ms;
use crate::congestion::window::Window;
use base::Instant;

/// A sample takes longer than this, ms.
const LEAST: u64 = 50;
/// A filter's new value has so much of the old one.
const KEEPS: f64 = 7.0 / 8.0;

/// What it measures, and what the window's next step is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    counted: AckedCount,
    /// Segments that have arrived since the sample began, and when it did, ms; `None` before the first acknowledgment.
    arrived: u64,
    began: Option<u64>,
    /// Segments per millisecond: smoothed once, and twice.
    once: f64,
    twice: f64,
    /// The smoothed round trip and its least, ms.
    rtt: Option<u64>,
    rtt_min: Option<u64>,
    /// Segments acknowledged that no step of the window has used.
    acked: u64,
}

impl Module {
    /// An acknowledgment arrives.
    pub(super) fn on_arrival(&mut self, arrival: &Arrival) {
        let now = ms(arrival.now);
        let passed = now - *self.began.get_or_insert(now);
        if let Some(rtt) = self.rtt {
            if passed > rtt.max(LEAST) {
                let sample = self.arrived as f64 / passed as f64;
                self.once = KEEPS * self.once + (1.0 - KEEPS) * sample;
                self.twice = KEEPS * self.twice + (1.0 - KEEPS) * self.once;
                self.arrived = 0;
                self.began = Some(now);
            }
            self.rtt_min = Some(self.rtt_min.map_or(rtt, |least| least.min(rtt)));
        }
        self.arrived += self.counted.count(arrival.acked);
    }

    /// New data is acknowledged.
    pub(super) fn on_ack(&mut self, window: &mut Window, ack: &AckSample) {
        if let Some(srtt) = ack.srtt {
            self.rtt = Some(ms(Instant::ZERO + srtt));
        }
        self.acked += ack.una - ack.una_before;
        if !ack.grow {
            return;
        }
        if window.cwnd < window.ssthresh {
            window.grow(ack.count, 1.0);
            self.acked = 0;
        } else if self.acked as f64 >= window.cwnd {
            self.acked -= window.cwnd as u64;
            window.cwnd += 1.0;
        }
    }

    /// A loss is answered: steps begin anew, and after a timeout the least round trip.
    pub(super) fn on_congestion(&mut self, why: Congestion) {
        self.acked = 0;
        if why == Congestion::Timeout {
            self.rtt_min = None;
        }
    }

    /// What the path carries in its least round trip, whole segments.
    pub(super) fn floor(&self) -> f64 {
        libm::floor(self.twice * self.rtt_min.or(self.rtt).unwrap_or(0) as f64).max(2.0)
    }

    /// The bandwidth, segments per second.
    pub(super) fn bandwidth(&self) -> f64 {
        1000.0 * self.twice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, at};

    /// Ten segments in each 61.5 ms: the first sample is 10/62 per ms, and a 64th of it is the estimate, times 60 ms below 2
    /// segments. It nears 10/61.5 times 60, 9.8 segments.
    #[test]
    fn the_floor_nears_what_arrives_in_a_round_trip() {
        let mut module = Module { rtt: Some(60), ..Module::default() };
        let mut trip = |k: u64| {
            (0..10).for_each(|i| {
                let now = at(0.0615 * k as f64 + 0.0001 * i as f64);
                module.on_arrival(&Arrival { now, acked: 1, outstanding: 10, marked: false });
            });
            (module.twice, module.floor())
        };
        trip(1);
        let (twice, floor) = trip(2);
        assert!((twice - 10.0 / 62.0 / 64.0).abs() < 1e-12, "{twice}");
        assert_eq!(floor, 2.0);
        let last = (3..=120).map(&mut trip).last();
        assert!(last.is_some_and(|(_, floor)| floor == 9.0), "{last:?}");
    }

    /// Window 6 above its threshold. An acknowledgment of ten segments ends recovery; the next one makes a step, and of the
    /// eleven segments five are left for the step after it, at seven.
    #[test]
    fn what_recovery_acknowledged_counts_for_the_next_steps() {
        let mut module = Module::default();
        let mut window = Window { cwnd: 6.0, ssthresh: 3.0 };
        let sample =
            |before, una, grow| AckSample { una_before: before, una, grow, ..ack(0.1, 0.05, una, 40) };
        module.on_ack(&mut window, &sample(0, 10, false));
        assert_eq!(window.cwnd, 6.0);
        module.on_ack(&mut window, &sample(10, 11, true));
        assert_eq!(window.cwnd, 7.0);
        module.on_ack(&mut window, &sample(11, 12, true));
        assert_eq!(window.cwnd, 7.0);
        module.on_ack(&mut window, &sample(12, 13, true));
        assert_eq!(window.cwnd, 8.0);
    }

    /// The least round trip is found anew after a timeout, not after a fast retransmit.
    #[test]
    fn a_timeout_forgets_the_least_round_trip() {
        let mut module = Module { rtt: Some(70), rtt_min: Some(45), twice: 0.2, ..Module::default() };
        module.on_congestion(Congestion::FastLoss);
        assert_eq!(module.floor(), 9.0);
        module.on_congestion(Congestion::Timeout);
        assert_eq!(module.floor(), 14.0);
    }
}
