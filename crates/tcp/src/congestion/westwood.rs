//! Westwood: after a loss the window is what the acknowledgments show the path to carry (Mascolo, Casetti, Gerla, Sanadidi
//! and Wang 2001).
//!
//! Acknowledgment `k`, `d` segments after a time `gap` since the one before, is a sample of the bandwidth; a low-pass
//! filter, discretised by Tustin's rule, smooths them (sections 2.1 and 2.2 of the paper):
//!
//! ```text
//! b[k]   = d / gap
//! BWE[k] = a BWE[k-1] + (1 - a) (b[k] + b[k-1]) / 2        a = (2 tau - gap) / (2 tau + gap)
//! ```
//!
//! A silence of `tau / m` is a sample of zero. A duplicate acknowledgment counts one segment, which is taken off the
//! cumulative acknowledgment that follows (section 2.3, `AckedCount`). `RTTmin` is the least round-trip time seen.
//!
//! ```text
//! acknowledgments   as Reno
//! fast loss, mark   ssthresh = BWE RTTmin    cwnd = min(cwnd, ssthresh)
//! timeout           ssthresh = BWE RTTmin    cwnd = 1
//! ```
//!
//! ssthresh is at least 2. The paper leaves open where the filter begins. Here nothing counts that was not seen: it begins at
//! zero with the second acknowledgment, and its value is divided by the weight that its samples have so far, which nears 1
//! within a few `tau`. (Otherwise the loss that ends slow start, often within the first `tau`, would find half of the bandwidth or
//! less.) Until there are a round trip and a sample, a loss is answered as by Reno. A fast loss that leaves the window as
//! it is counts as taken for random.
//!
//! Left out: nothing of the paper. Linux's module of this name is nearer to `westwood+`; that of ns-2's TCP-Linux never
//! sets ssthresh from the estimate. Validated: hand-worked samples; a steady stream's rate within
//! 0.01 % (below); 20.00 segments found on a path of 20 (docs/reference/controls/westwood.md).

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Arrival, Congestion, LossSample, Reaction, Verdict};
use super::window::Window;
use base::{Duration, Instant};

/// What Westwood says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "westwood",
    summary: "sets the window after a loss to the bandwidth that acknowledgments show, times the least round trip",
    source: "Mascolo et al. 2001",
    aliases: &[
        "tcpw",
        "TCP/Westwood",
        "Agent/TCP/Westwood",
        "TcpWestwood",
        "ns3::TcpWestwood",
        "tcp_westwood",
    ],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Westwood's parameters.
    tau: f64 = number("s", 0.5, 0.001, 1000.0; "time constant of the bandwidth filter"),
    m: f64 = number("", 2.0, 2.0, 1000.0; "a silence of tau / m counts as a bandwidth sample of zero"),
}

/// Counts the segments that acknowledgments show to have arrived, each once (`AckedCount`).
#[derive(Clone, Debug, Default)]
pub(super) struct AckedCount {
    /// Segments that duplicates have counted already.
    accounted: u64,
}

impl AckedCount {
    /// Segments that this acknowledgment shows to have arrived, of which it acknowledges `acked` cumulatively.
    pub(super) fn count(&mut self, acked: u64) -> u64 {
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

/// The estimate of bandwidth, and the least round trip.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    config: Config,
    counted: AckedCount,
    /// The filter, begun at zero, and the last sample, segments per second.
    filtered: f64,
    sample: Option<f64>,
    /// Weight that the filter still gives to where it began.
    unseen: f64,
    last: Option<Instant>,
    /// Segments of acknowledgments that came at the same instant as the last.
    pending: u64,
    /// Seconds.
    pub rtt_min: f64,
}

impl Estimate {
    pub(super) fn new(config: &Config) -> Self {
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

    /// An acknowledgment arrives.
    pub(super) fn arrived(&mut self, arrival: &Arrival) {
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

    /// So many steps of the filter, of `gap` seconds each, which take the sum of two samples.
    fn filter(&mut self, gap: f64, times: f64, samples: f64) {
        let gain = libm::pow((2.0 * self.config.tau - gap) / (2.0 * self.config.tau + gap), times);
        self.filtered = gain * self.filtered + (1.0 - gain) * samples / 2.0;
        self.unseen *= gain;
    }

    /// The mean of what the filter has seen, segments per second.
    pub(super) fn bandwidth(&self) -> Option<f64> {
        (self.unseen < 1.0).then(|| self.filtered / (1.0 - self.unseen))
    }

    /// A round trip is measured.
    pub(super) fn measured(&mut self, rtt: Duration) {
        self.rtt_min = self.rtt_min.min(rtt.secs());
    }

    /// What the path carries in its least round trip, segments; `None` before there are a round trip and a sample.
    pub(super) fn window(&self) -> Option<f64> {
        self.bandwidth().filter(|_| self.rtt_min.is_finite()).map(|bandwidth| bandwidth * self.rtt_min)
    }
}

impl Window {
    /// Westwood's answer to a loss where the path carries `estimate` segments in its least round trip.
    pub(super) fn westwood(&mut self, loss: &LossSample, estimate: f64) -> Reaction {
        let before = self.cwnd;
        self.ssthresh = loss.threshold(estimate);
        self.cwnd = match loss.why {
            Congestion::FastLoss | Congestion::Mark => before.min(self.ssthresh).max(loss.floor),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
        let by_acks = matches!(loss.why, Congestion::FastLoss | Congestion::Restart);
        let uncut = by_acks && self.ssthresh >= before;
        Reaction::to(if uncut { Verdict::Random } else { Verdict::Congestion })
    }
}

/// Westwood's state.
#[derive(Clone, Debug)]
pub struct Westwood {
    pub(super) window: Window,
    estimate: Estimate,
}

impl Westwood {
    /// At the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self { window, estimate: Estimate::new(config) }
    }
}

impl CongestionControl for Westwood {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { arrivals: true, segment_times: true, ..Needs::default() }
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        self.estimate.arrived(arrival);
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = ack.rtt {
            self.estimate.measured(rtt);
        }
        if ack.grow {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let estimate = self.estimate.window().unwrap_or(loss.reduced(0.5));
        self.window.westwood(loss, estimate)
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        if let Some(bandwidth) = self.estimate.bandwidth() {
            show("bandwidth", bandwidth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, at, close, loss};

    fn westwood(cwnd: f64) -> Westwood {
        let window = Window { cwnd, ssthresh: 2.0 };
        Westwood::new(&Config { tau: 0.5, m: 2.0 }, window)
    }

    fn arrives(control: &mut Westwood, ms: u64, acked: u64) {
        let now = at(ms as f64 / 1000.0);
        control.on_arrival(&Arrival { now, acked, outstanding: 10, marked: false });
    }

    fn bandwidth(control: &Westwood) -> f64 {
        control.estimate.bandwidth().unwrap()
    }

    /// tau 0.5 s, an acknowledgment every 50 ms = tau / 10: a = (1 - 0.05) / (1 + 0.05) = 19/21. One segment: a sample of 20,
    /// alone. Two: 40, and the filter stands at 19/21 2/21 20 + 1/21 (20 + 40) = 2020/441 with a weight of 1 - (19/21)^2 =
    /// 80/441: 25.25.
    #[test]
    fn the_filter_by_hand() {
        let mut control = westwood(10.0);
        arrives(&mut control, 0, 1);
        assert_eq!(control.estimate.bandwidth(), None);
        arrives(&mut control, 50, 1);
        assert!(close(bandwidth(&control), 20.0));
        arrives(&mut control, 100, 2);
        assert!(close(bandwidth(&control), 25.25));
    }

    /// A long first round trip does not count as silence: one segment after 600 ms is a sample of 1 / 0.6.
    #[test]
    fn the_first_sample_is_no_silence() {
        let mut control = westwood(10.0);
        arrives(&mut control, 0, 1);
        arrives(&mut control, 600, 1);
        assert!(close(bandwidth(&control), 1.0 / 0.6));
    }

    /// After ten time constants a burst at the beginning, ten segments in 1 ms, is forgotten: the estimate is the rate of the
    /// steady stream within exp(-10).
    #[test]
    fn a_steady_stream_is_estimated_exactly() {
        let mut control = westwood(10.0);
        arrives(&mut control, 0, 1);
        arrives(&mut control, 1, 10);
        (1..=1000).for_each(|k| arrives(&mut control, 1 + 5 * k, 1));
        assert!((bandwidth(&control) / 200.0 - 1.0).abs() < 1e-4, "{}", bandwidth(&control));
    }

    /// 600 ms of silence: two samples of zero, each after 250 ms, then a sample of 1 / 0.6 over the last 100 ms. From
    /// bandwidth 20 and sample 20, with a = 0.75 / 1.25 = 0.6 for 250 ms and 0.9 / 1.1 for 100 ms:
    /// 0.6 20 + 0.4 (0 + 20) / 2 = 16; 0.6 16 = 9.6; 9/11 9.6 + 2/11 (1 / 0.6 + 0) / 2.
    #[test]
    fn silence_is_a_sample_of_zero() {
        let mut control = westwood(10.0);
        arrives(&mut control, 0, 1);
        (control.estimate.filtered, control.estimate.sample, control.estimate.unseen) =
            (20.0, Some(20.0), 0.0);
        arrives(&mut control, 600, 1);
        assert!(close(bandwidth(&control), 9.6 * 9.0 / 11.0 + 2.0 / 11.0 / 1.2));
    }

    /// Each segment is counted once: four duplicates, then the hole and what came after it.
    #[test]
    fn duplicates_are_taken_off_the_acknowledgment_that_follows() {
        let mut counted = AckedCount::default();
        let acked = [1, 0, 0, 0, 0, 5, 2, 0, 0, 0, 2, 3];
        assert_eq!(acked.map(|n| counted.count(n)), [1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2]);
    }

    /// Bandwidth 100 segments/s, least round trip 80 ms: 8 segments.
    #[test]
    fn a_loss_leaves_what_the_path_carries() {
        for (cwnd, why, left, verdict) in [
            (20.0, Congestion::FastLoss, 8.0, Verdict::Congestion),
            (6.0, Congestion::FastLoss, 6.0, Verdict::Random),
            (20.0, Congestion::Timeout, 1.0, Verdict::Congestion),
            (6.0, Congestion::Timeout, 1.0, Verdict::Congestion),
        ] {
            let mut control = westwood(cwnd);
            control.on_ack(&ack(0.1, 0.08, 1, 10));
            control.window.cwnd = cwnd;
            (control.estimate.filtered, control.estimate.unseen) = (100.0, 0.0);
            assert_eq!(
                control.on_congestion(&LossSample { why, ..loss(cwnd, 0, 10) }),
                Reaction::to(verdict)
            );
            assert!(close(control.window.ssthresh, 8.0));
            assert!(close(control.window.cwnd, left), "{cwnd} {why:?}");
        }
    }

    #[test]
    fn without_a_round_trip_a_loss_is_answered_as_by_reno() {
        let mut control = westwood(10.0);
        control.on_congestion(&loss(10.0, 0, 10));
        assert_eq!((control.window.cwnd, control.window.ssthresh), (5.0, 5.0));
    }
}
