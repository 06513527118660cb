//! State of Westwood, and its reaction to losses.

use super::config::Config;
use super::estimate::Estimate;
use super::linux::Module;
use crate::congestion::algorithm::Form;
use crate::congestion::control::{CongestionControl, Halving, Needs, RecoveryStep, own_window};
use crate::congestion::signals::{AckSample, Arrival, Congestion, LossClassification, LossSample, Reaction};
use crate::congestion::window::Window;
use base::{Duration, Instant};

impl Window {
    /// Reduces the window as Westwood does; `estimate` is BWE times RTTmin, segments.
    pub(in crate::congestion) fn westwood(&mut self, loss: &LossSample, estimate: f64) -> Reaction {
        let before = self.cwnd;
        self.ssthresh = loss.threshold(estimate);
        self.cwnd = match loss.why {
            Congestion::FastLoss | Congestion::Mark => before.min(self.ssthresh).max(loss.floor),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
        let by_acks = matches!(loss.why, Congestion::FastLoss | Congestion::Restart);
        let uncut = by_acks && self.ssthresh >= before;
        Reaction::to(if uncut { LossClassification::Random } else { LossClassification::Congestion })
    }
}

/// State of Westwood.
#[derive(Clone, Debug)]
pub struct Westwood {
    pub(in crate::congestion) window: Window,
    estimate: Estimate,
    /// State of the forms `tcp-linux` and `linux`; boxed, so that idle flows stay small.
    module: Option<Box<Module>>,
    /// True for the form `linux`: the end of recovery sets the window.
    kernel: bool,
}

impl Westwood {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        let module = (config.form != Form::Published).then(Box::default);
        Self { window, estimate: Estimate::new(config), module, kernel: config.form == Form::Linux }
    }
}

impl CongestionControl for Westwood {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { arrivals: true, segment_times: self.module.is_none(), ..Needs::default() }
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        match &mut self.module {
            Some(module) => module.on_arrival(arrival),
            None => self.estimate.arrived(arrival),
        }
    }

    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if let Some(module) = self.module.as_mut().filter(|_| self.kernel) {
            module.on_handshake(now, rtt);
        }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(module) = self.module.as_mut().filter(|_| !self.kernel) {
            module.on_ack(&mut self.window, ack);
            return;
        }
        if let Some(rtt) = ack.rtt {
            self.estimate.measured(rtt);
        }
        if ack.grow {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if let Some(module) = &mut self.module {
            let carried = module.carried();
            if !self.kernel {
                module.on_congestion(&self.window);
            }
            self.window.cut(loss, 0.5);
            if self.kernel && loss.why != Congestion::FastLoss {
                // After a timeout or a mark no recovery follows whose end would set ssthresh and window.
                self.window.ssthresh = carried;
                self.window.cwnd = if loss.why == Congestion::Mark { carried } else { self.window.cwnd };
            }
            return Reaction::CUT;
        }
        let estimate = self.estimate.window().unwrap_or(loss.reduced(0.5));
        self.window.westwood(loss, estimate)
    }

    fn on_recovery(&mut self, _now: Instant, step: RecoveryStep) {
        if let Some(module) = self.module.as_ref().filter(|_| self.kernel && step == RecoveryStep::End) {
            let carried = module.carried();
            self.window = Window { cwnd: carried, ssthresh: carried };
        }
    }

    fn halving(&self) -> Option<Halving> {
        self.module.as_ref().filter(|_| !self.kernel).map(|module| module.halving())
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        let bandwidth = match &self.module {
            Some(module) => Some(module.bandwidth()),
            None => self.estimate.bandwidth(),
        };
        if let Some(bandwidth) = bandwidth {
            show("bandwidth", bandwidth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, at, close, loss};
    use crate::congestion::westwood::AckedCount;

    fn westwood(cwnd: f64) -> Westwood {
        let window = Window { cwnd, ssthresh: 2.0 };
        Westwood::new(&Config { tau: 0.5, m: 2.0, form: Form::Published }, window)
    }

    fn arrives(control: &mut Westwood, ms: u64, acked: u64) {
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

    fn bandwidth(control: &Westwood) -> f64 {
        control.estimate.bandwidth().unwrap()
    }

    /// With tau 0.5 s and an acknowledgment every 50 ms = tau / 10, a = (1 - 0.05) / (1 + 0.05) = 19/21. The
    /// first acknowledgment is of one segment, a sample of 20, and the estimate. The next is of two, a sample
    /// of 40. The filter is then at 19/21 2/21 20 + 1/21 (20 + 40) = 2020/441 and the weight of the samples
    /// is 1 - (19/21)^2 = 80/441, so the estimate is 25.25.
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

    /// A long first round trip does not count as silence: one segment after 600 ms is a sample of 1 / 0.6
    /// segments per second.
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

    /// 600 ms of silence: two samples of zero, each after 250 ms, then a sample of 1 / 0.6 over the last 100 ms.
    ///
    /// The filter starts from bandwidth 20 and sample 20, with gain a = 0.75 / 1.25 = 0.6 for 250 ms and 0.9 / 1.1 for 100 ms:
    ///
    /// - 0.6 20 + 0.4 (0 + 20) / 2 = 16
    /// - 0.6 16 = 9.6
    /// - 9/11 9.6 + 2/11 (1 / 0.6 + 0) / 2
    #[test]
    fn silence_is_a_sample_of_zero() {
        let mut control = westwood(10.0);
        arrives(&mut control, 0, 1);
        (control.estimate.filtered, control.estimate.sample, control.estimate.unseen) =
            (20.0, Some(20.0), 0.0);
        arrives(&mut control, 600, 1);
        assert!(close(bandwidth(&control), 9.6 * 9.0 / 11.0 + 2.0 / 11.0 / 1.2));
    }

    /// Each segment is counted once: the four duplicates count four segments, so the acknowledgment of five
    /// that follows counts only one.
    #[test]
    fn duplicates_are_taken_off_the_acknowledgment_that_follows() {
        let mut counted = AckedCount::default();
        let acked = [1, 0, 0, 0, 0, 5, 2, 0, 0, 0, 2, 3];
        assert_eq!(acked.map(|n| counted.count(n)), [1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2]);
    }

    /// With a bandwidth of 100 segments/s and a least round-trip time of 80 ms the path carries 8 segments.
    #[test]
    fn a_loss_leaves_what_the_path_carries() {
        for (cwnd, why, left, classification) in [
            (20.0, Congestion::FastLoss, 8.0, LossClassification::Congestion),
            (6.0, Congestion::FastLoss, 6.0, LossClassification::Random),
            (20.0, Congestion::Timeout, 1.0, LossClassification::Congestion),
            (6.0, Congestion::Timeout, 1.0, LossClassification::Congestion),
        ] {
            let mut control = westwood(cwnd);
            control.on_ack(&ack(0.1, 0.08, 1, 10));
            control.window.cwnd = cwnd;
            (control.estimate.filtered, control.estimate.unseen) = (100.0, 0.0);
            assert_eq!(
                control.on_congestion(&LossSample { why, ..loss(cwnd, 0, 10) }),
                Reaction::to(classification)
            );
            assert!(close(control.window.ssthresh, 8.0));
            assert!(close(control.window.cwnd, left), "{cwnd} {why:?}");
        }
    }

    /// With a handshake of 40 ms, 90 segments of 1000 bytes in 60 ms give the first sample, 1500 bytes/ms: a
    /// capacity of 1500 * 40 / 1000 = 60 segments. A loss at 100 segments reduces the window to 50; the end
    /// of recovery sets it to 60. A timeout sets ssthresh to 60.
    #[test]
    fn linux_6_sets_the_window_when_recovery_ends() {
        let window = Window { cwnd: 100.0, ssthresh: 2.0 };
        let mut control = Westwood::new(&Config { tau: 0.5, m: 2.0, form: Form::Linux }, window);
        control.on_handshake(at(0.0), base::Duration::from_ms(40));
        let arrives = |control: &mut Westwood, seconds: f64, acked: u64| {
            let srtt = Some(base::Duration::from_ms(55));
            let (outstanding, segment, marked) = (40, 1000, false);
            control.on_arrival(&Arrival { now: at(seconds), acked, outstanding, segment, srtt, marked });
        };
        arrives(&mut control, 0.05, 90);
        arrives(&mut control, 0.06, 3);
        control.on_congestion(&loss(100.0, 0, 100));
        assert_eq!(control.window, Window { cwnd: 50.0, ssthresh: 50.0 });
        control.on_recovery(at(0.1), RecoveryStep::End);
        assert_eq!(control.window, Window { cwnd: 60.0, ssthresh: 60.0 });
        control.on_congestion(&LossSample { why: Congestion::Timeout, ..loss(60.0, 0, 60) });
        assert_eq!(control.window, Window { cwnd: 1.0, ssthresh: 60.0 });
    }

    #[test]
    fn without_a_round_trip_a_loss_is_answered_as_by_reno() {
        let mut control = westwood(10.0);
        control.on_congestion(&loss(10.0, 0, 10));
        assert_eq!((control.window.cwnd, control.window.ssthresh), (5.0, 5.0));
    }
}
