//! Westwood+: Westwood with one bandwidth sample per round trip, so that bursts of acknowledgments do not
//! distort the estimate (Grieco and Mascolo 2004).
//!
//! With `d` the segments that arrived in the last round trip, and `T` its duration:
//!
//! ```text
//! b[k]   = d / T
//! BWE[k] = filter BWE[k-1] + (1 - filter) b[k]         BWE[0] = b[0]
//!
//! acknowledgments     as Reno
//! ACK-detected loss   ssthresh = cwnd = BWE RTTmin
//! mark                ssthresh = BWE RTTmin    cwnd = min(cwnd, ssthresh)
//! timeout             ssthresh = BWE RTTmin    cwnd = 1
//! ```
//!
//! ssthresh is at least 2. Arrivals are counted as in [`super::westwood`]. A sample ends with the first acknowledgment
//! that arrives at least one round-trip time, as last measured, after the sample began. The paper sets the window to the
//! estimate even if that increases it; such a loss counts as random. Before the first round-trip time and sample, a loss
//! is handled as by Reno. The paper leaves the filter's initial value open. By default it is the first sample. With `start
//! = "zero"` it is zero, as in ns-3.37, so that in the first second the estimate is below the path's capacity. With
//! `samples = "mean"`, also as in ns-3.37, the filter's input is the mean of the last two samples (Tustin's rule, as in
//! Westwood).
//!
//! Left out: nothing of the paper. Linux's `westwood` has the same samples, but `filter` is 7/8 and no sample
//! is shorter than 50 ms. Validated: samples worked by hand (below); an estimate of 19.4 to 20.0 segments on
//! a path of 20 (docs/reference/controls/westwood+.md).

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Arrival, Congestion, LossClassification, LossSample, Reaction};
use super::westwood::AckedCount;
use super::window::Window;
use base::Instant;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "westwood+",
    summary: "Westwood with one bandwidth sample for each round trip",
    source: "Grieco and Mascolo 2004",
    aliases: &["westwoodplus", "westwood-plus", "TcpWestwoodPlus", "ns3::TcpWestwoodPlus"],
    linux: false,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Westwood+.
    filter: f64 = number("", 0.9, 0.0, 0.9999; "weight of the previous estimate in the filter of the bandwidth"),
    from_zero as "start": bool = words(&["first-sample", "zero"], 0; "first value of the filter of the bandwidth"),
    of_two as "samples": bool = words(&["last", "mean"], 0; "input of the filter: the last sample, or the mean of the last two"),
}

/// State of Westwood+.
#[derive(Clone, Debug)]
pub struct WestwoodPlus {
    pub(super) window: Window,
    config: Config,
    counted: AckedCount,
    /// Beginning of the current sample, and the segments that have arrived since then.
    began: Option<Instant>,
    arrived: u64,
    /// Filtered bandwidth, and the last sample of it; segments per second.
    bandwidth: Option<f64>,
    sample: f64,
    /// Last and least round-trip time, seconds.
    rtt: Option<f64>,
    rtt_min: f64,
}

impl WestwoodPlus {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            counted: AckedCount::default(),
            began: None,
            arrived: 0,
            bandwidth: None,
            sample: 0.0,
            rtt: None,
            rtt_min: f64::INFINITY,
        }
    }

    /// Takes a sample of the bandwidth, segments per second.
    fn filter(&mut self, sample: f64) {
        let before = self.bandwidth.or(self.config.from_zero.then_some(0.0));
        let input = if self.config.of_two { f64::midpoint(self.sample, sample) } else { sample };
        let weight = self.config.filter;
        self.bandwidth = Some(before.map_or(sample, |b| weight * b + (1.0 - weight) * input));
        self.sample = sample;
    }

    /// Returns BWE times RTTmin, segments; `None` until both exist.
    fn estimate(&self) -> Option<f64> {
        self.bandwidth.filter(|_| self.rtt_min.is_finite()).map(|b| b * self.rtt_min)
    }
}

impl CongestionControl for WestwoodPlus {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { arrivals: true, segment_times: true, ..Needs::default() }
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        self.arrived += self.counted.count(arrival.acked);
        let Some(began) = self.began else {
            self.began = Some(arrival.now);
            self.arrived = 0;
            return;
        };
        let took = arrival.now.since(began).secs();
        if took > 0.0 && self.rtt.is_some_and(|rtt| took >= rtt) {
            self.filter(self.arrived as f64 / took);
            self.began = Some(arrival.now);
            self.arrived = 0;
        }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = ack.rtt {
            self.rtt = Some(rtt.secs());
            self.rtt_min = self.rtt_min.min(rtt.secs());
        }
        if ack.grow {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let before = self.window.cwnd;
        let threshold = loss.threshold(self.estimate().unwrap_or(loss.reduced(0.5)));
        self.window.ssthresh = threshold;
        self.window.cwnd = match loss.why {
            Congestion::FastLoss => threshold.max(loss.floor),
            Congestion::Mark => threshold.min(before).max(loss.floor),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
        let by_acks = matches!(loss.why, Congestion::FastLoss | Congestion::Restart);
        let uncut = by_acks && threshold >= before;
        Reaction::to(if uncut { LossClassification::Random } else { LossClassification::Congestion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, at, close, loss};

    fn published() -> Config {
        Config { filter: 0.9, from_zero: false, of_two: false }
    }

    /// The first samples and filtered values of a run of ns-3.37, bit/s, by its trace of the estimated bandwidth. ns-3
    /// truncates each value to whole bit/s before it computes the next, so the fifth value can be 5 too low.
    #[test]
    fn the_filter_of_ns_3() {
        let config = Config { from_zero: true, of_two: true, ..published() };
        let mut control = WestwoodPlus::new(&config, Window { cwnd: 10.0, ssthresh: 2.0 });
        for (sample, filtered) in [
            (1_002_461.0, 50_122.0),
            (3_522_781.0, 271_371.0),
            (4_578_349.0, 649_289.0),
            (6_542_164.0, 1_140_385.0),
            (8_747_190.0, 1_790_813.0),
        ] {
            control.filter(sample);
            assert!((control.bandwidth.unwrap() - filtered).abs() < 5.0, "{:?}", control.bandwidth);
        }
    }

    fn arrives(control: &mut WestwoodPlus, ms: u64, acked: u64) {
        let now = at(ms as f64 / 1000.0);
        control.on_arrival(&Arrival {
            now,
            acked,
            outstanding: 10,
            segment: 1000,
            srtt: None,
            marked: false,
        });
    }

    /// The round-trip time is 100 ms. From 0 to 100 ms 10 segments arrive, so the first sample is 100/s. The
    /// second ends at 210 ms, with the first acknowledgment after a whole round trip: 22 segments, 200/s. The
    /// filter gives 0.9 100 + 0.1 200 = 110; times 0.1 s these are 11 segments.
    #[test]
    fn one_sample_for_each_round_trip() {
        let mut control = WestwoodPlus::new(&published(), Window { cwnd: 10.0, ssthresh: 2.0 });
        arrives(&mut control, 0, 1);
        control.on_ack(&ack(0.0, 0.1, 1, 10));
        arrives(&mut control, 50, 4);
        assert_eq!(control.bandwidth, None);
        arrives(&mut control, 100, 6);
        assert_eq!(control.bandwidth, Some(100.0));
        arrives(&mut control, 190, 11);
        arrives(&mut control, 210, 11);
        assert!(close(control.bandwidth.unwrap(), 110.0));
        // The window becomes the estimate of 11 segments, whether that is less or more than before.
        for (cwnd, classification) in
            [(20.0, LossClassification::Congestion), (8.0, LossClassification::Random)]
        {
            control.window.cwnd = cwnd;
            let reaction = control.on_congestion(&loss(cwnd, 0, 10));
            assert_eq!(reaction, Reaction::to(classification));
            assert!(close(control.window.cwnd, 11.0));
            assert!(close(control.window.ssthresh, 11.0));
        }
        control.on_congestion(&LossSample { why: Congestion::Timeout, ..loss(8.0, 0, 10) });
        assert_eq!(control.window.cwnd, 1.0);
    }

    #[test]
    fn without_a_sample_a_loss_is_answered_as_by_reno() {
        let mut control = WestwoodPlus::new(&published(), Window { cwnd: 10.0, ssthresh: 2.0 });
        control.on_congestion(&loss(10.0, 0, 10));
        assert_eq!((control.window.cwnd, control.window.ssthresh), (5.0, 5.0));
    }
}
