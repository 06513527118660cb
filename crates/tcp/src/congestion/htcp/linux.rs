//! H-TCP as in TCP-Linux: uses the smoothed round-trip time, and increases the window by whole segments.
//!
//! ```text
//! factor = 1 + 10 (D - delta_l) + (D - delta_l)^2 / 4, whole; D the time since the last loss
//! with rtt_scaling: factor *= 8 / n, whole, at least 1;  n = 800 ms / RTTmin, whole, within 4 to 80
//! alpha = 2 (1 - beta) factor, computed at each loss and at each increase of the window
//! increase: cwnd += 1 when alpha times the acknowledgments since the last increase reaches the window
//! ```
//!
//! RTTmin and RTTmax are extremes of the endpoint's smoothed round-trip time in congestion avoidance. RTTmax
//! is updated only from four RTTmin after a loss on, and only by values at most 20 ms above it. At each loss
//! its difference from RTTmin is multiplied by 0.95. Throughput is measured over a window of acknowledgments
//! that takes at least RTTmin. Until four RTTmin after a loss the estimate is the measured value, later a
//! mean in which the previous estimate has weight 3/4. The largest values of successive epochs are compared.
//! Beta is RTTmin / RTTmax only from the second successive loss with steady throughput on, and only if RTTmin
//! is above 10 ms. Round-trip times are in whole milliseconds. In form `linux` they are those of single
//! segments, rounded up, from the first acknowledgment on, and RTTmax is updated by each sample outside
//! recovery. Derived from the output of ns-2's TCP-Linux; compared in docs/reference/controls/htcp.md.

use super::config::Config;
use crate::congestion::algorithm::Form;
use crate::congestion::signals::AckSample;
use crate::congestion::window::Window;
use base::Instant;

/// One millisecond, picoseconds.
const MS: u64 = 1_000_000_000;
/// Beta is a multiple of 1 / `PARTS`.
const PARTS: f64 = 128.0;
/// Largest difference from RTTmax with which a smoothed round-trip time can replace it, milliseconds.
const FOLLOWS: f64 = 20.0;
/// Factor by which a loss multiplies the difference between RTTmax and RTTmin.
const KEEPS: f64 = 0.95;
/// RTTmin up to which beta does not become RTTmin / RTTmax, milliseconds.
const COARSE: f64 = 10.0;
/// Time after a loss, in multiples of RTTmin, during which RTTmax is not updated and throughput is not
/// averaged.
const UNSETTLED: f64 = 4.0;
/// RTT scaling multiplies growth by 8 / n, where n is 800 ms / RTTmin, rounded down and limited to 4 to 80. The
/// values are 800 (ms) and the lower and upper limit of n.
const EIGHTHS: (f64, f64, f64) = (800.0, 4.0, 80.0);

/// Measurements of the path, and alpha and beta, which follow from them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Smoothed {
    /// RTTmin and RTTmax, whole milliseconds; infinity and 0 before the first sample.
    min: f64,
    max: f64,
    /// Time of the last loss, or of the end of its recovery; before any loss, of the first acknowledgment.
    cut_at: Option<Instant>,
    /// True if throughput was steady at the last loss.
    steady: bool,
    beta: f64,
    alpha: f64,
    /// Acknowledgments since the last increase of the window.
    waiting: f64,
    /// Segments acknowledged since `began`.
    segments: u64,
    began: Instant,
    /// Throughput, segments per second: mean, largest value of this epoch, and largest value of the last
    /// epoch.
    mean: f64,
    most: f64,
    most_before: f64,
}

impl Smoothed {
    /// Creates the state at the start of a connection.
    pub(super) fn new(config: &Config) -> Self {
        Self {
            min: f64::INFINITY,
            max: 0.0,
            cut_at: None,
            steady: false,
            beta: config.beta_min,
            alpha: 1.0,
            waiting: 0.0,
            segments: 0,
            began: Instant::ZERO,
            mean: 0.0,
            most: 0.0,
            most_before: 0.0,
        }
    }

    /// Updates the measurements. Then increases the window for newly acknowledged data, if `ack.grow` allows
    /// it and the window limited the sender.
    pub(super) fn on_ack(&mut self, window: &mut Window, config: &Config, ack: &AckSample) {
        let cut_at = *self.cut_at.get_or_insert(ack.now);
        let since = ack.now.since(cut_at).secs();
        let settled = 1000.0 * since >= UNSETTLED * self.min;
        let kernel = config.form == Form::Linux;
        if let Some(rtt) = ack.rtt.filter(|_| kernel) {
            self.measured(rtt.ps().div_ceil(MS) as f64, ack.grow);
        }
        if !ack.grow {
            return self.recount(ack.now);
        }
        self.count(window.cwnd, ack, settled);
        if !ack.window_limited(window.cwnd) {
            return;
        }
        if window.cwnd < window.ssthresh {
            window.grow(ack.count, 1.0);
            return;
        }
        if let Some(srtt) = ack.srtt.filter(|_| !kernel) {
            self.measured((srtt.ps() / MS) as f64, settled);
        }
        if self.waiting * self.alpha >= window.cwnd {
            window.cwnd += 1.0;
            self.waiting = 0.0;
            self.choose_alpha(config, since);
        } else {
            self.waiting += ack.count;
        }
    }

    /// Updates RTTmin by a round-trip time in milliseconds; if `raises`, also RTTmax, unless the time exceeds
    /// it by more than `FOLLOWS`.
    fn measured(&mut self, rtt: f64, raises: bool) {
        self.min = self.min.min(rtt);
        if raises {
            self.max = self.max.max(self.min);
            if rtt <= self.max + FOLLOWS {
                self.max = self.max.max(rtt);
            }
        }
    }

    /// Updates the throughput when a window of segments has been acknowledged and at least RTTmin has passed.
    fn count(&mut self, cwnd: f64, ack: &AckSample, settled: bool) {
        self.segments += ack.una - ack.una_before;
        let passed = ack.now.since(self.began).secs();
        let window = cwnd - libm::floor(self.alpha).max(1.0);
        if (self.segments as f64) < window || passed <= 0.0 || 1000.0 * passed < self.min {
            return;
        }
        let current = self.segments as f64 / passed;
        if settled {
            self.mean = (3.0 * self.mean + current) / 4.0;
            self.most = self.most.max(self.mean);
        } else {
            self.mean = current;
            self.most = current;
        }
        self.recount(ack.now);
    }

    /// Restarts, at the end of recovery, the time since the loss and the measurement of throughput.
    pub(super) fn on_recovered(&mut self, now: Instant) {
        self.cut_at = Some(now);
        self.recount(now);
    }

    /// Restarts the measurement of throughput.
    fn recount(&mut self, now: Instant) {
        self.segments = 0;
        self.began = now;
    }

    fn choose_alpha(&mut self, config: &Config, since: f64) {
        let late = (since - config.delta_l).max(0.0);
        let mut factor = libm::floor(1.0 + 10.0 * late + 0.25 * late * late);
        if (config.rtt_scaling || config.form == Form::Linux) && self.min.is_finite() {
            let (reference, least, most) = EIGHTHS;
            let eighths = libm::floor(reference / self.min).clamp(least, most);
            factor = libm::floor(factor * 8.0 / eighths).max(1.0);
        }
        self.alpha = 2.0 * (1.0 - self.beta) * factor;
    }

    /// Handles a loss; returns beta, the factor of the window.
    pub(super) fn on_congestion(&mut self, config: &Config, now: Instant) -> f64 {
        let Config { beta_min, beta_max, delta_b, .. } = *config;
        let steady = (self.most - self.most_before).abs() <= delta_b * self.most_before;
        let judged = steady && self.steady && self.min > COARSE && self.max > 0.0;
        let left = match judged {
            true if !config.adaptive_backoff => beta_max,
            true => (self.min / self.max).min(beta_max).max(beta_min),
            false => beta_min,
        };
        self.beta = libm::floor(PARTS * left) / PARTS;
        self.steady = steady;
        self.most_before = self.most;
        let since = self.cut_at.map_or(0.0, |cut| now.since(cut).secs());
        self.choose_alpha(config, since);
        if self.max > self.min {
            self.max = self.min + libm::floor(KEEPS * (self.max - self.min));
        }
        self.cut_at = Some(now);
        self.waiting = 0.0;
        self.recount(now);
        self.beta
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::ALGORITHM;
    use super::*;
    use crate::congestion::fixtures::{ack, at};
    use base::Duration;

    fn config() -> Config {
        Config::new(&|name| if name == "rtt_scaling" { 1.0 } else { ALGORITHM.default_of(name) })
    }

    /// Returns the state after a loss at 0 s with these RTTmin and RTTmax, ms.
    fn known(min: f64, max: f64) -> Smoothed {
        Smoothed { min, max, cut_at: Some(at(0.0)), ..Smoothed::new(&config()) }
    }

    /// 1.6 s after a loss the factor is floor(1 + 10 * 0.6 + 0.6^2 / 4) = 7. RTT scaling makes it floor(7 * 8
    /// / n) with n = floor(800 / RTTmin), at least 4. For an RTTmin of 45 ms n is 17 and the factor 3; for 24
    /// ms n is 33 and the factor 1; for 400 ms n is 4 and the factor 14. As beta is 1/2, alpha is the factor.
    #[test]
    fn growth_counts_in_whole_segments() {
        for (min, alpha) in [(45.0, 3.0), (24.0, 1.0), (400.0, 14.0)] {
            let mut linux = known(min, 0.0);
            linux.choose_alpha(&config(), 1.6);
            assert_eq!(linux.alpha, alpha, "{min} ms");
        }
    }

    /// With alpha 3 and a window of 30 ten acknowledgments are enough (10 * 3 >= 30). The count is compared
    /// with the window before the current acknowledgment is added, so the eleventh increases the window.
    #[test]
    fn the_window_grows_by_steps() {
        let mut linux = Smoothed { alpha: 3.0, ..known(45.0, 60.0) };
        let mut window = Window { cwnd: 30.0, ssthresh: 2.0 };
        for una in 1..=10 {
            linux.on_ack(&mut window, &config(), &ack(0.5, 0.05, una, 40));
        }
        assert_eq!(window.cwnd, 30.0);
        linux.on_ack(&mut window, &config(), &ack(0.5, 0.05, 11, 41));
        assert_eq!((window.cwnd, linux.alpha), (31.0, 1.0), "no more than a second since the loss");
    }

    /// RTTmin is 45 ms. RTTmax is not updated until 4 * 45 = 180 ms after the loss. It then begins at RTTmin and takes
    /// 62 ms, which is at most 20 ms above, but not 83 ms, which is 21 ms above 62. A loss leaves floor(0.95 * 17) =
    /// 16 of the 17 ms between RTTmin and RTTmax.
    #[test]
    fn the_largest_round_trip_is_followed_in_small_steps_and_forgotten() {
        let mut linux = known(45.0, 0.0);
        let mut window = Window { cwnd: 30.0, ssthresh: 2.0 };
        for (now, srtt, max) in [(0.17, 50, 0.0), (0.18, 62, 62.0), (0.2, 83, 62.0)] {
            let ack = AckSample { srtt: Some(Duration::from_ms(srtt)), ..ack(now, 0.05, 1, 40) };
            linux.on_ack(&mut window, &config(), &ack);
            assert_eq!(linux.max, max, "{now} s");
        }
        linux.on_congestion(&config(), at(1.0));
        assert_eq!((linux.min, linux.max), (45.0, 61.0));
    }

    /// With steady throughput beta is RTTmin / RTTmax, rounded down to 128ths, from the second loss in a row
    /// on: 128 * 45 / 61 = 94.4, so 94 / 128. Otherwise it is 1/2.
    #[test]
    fn the_ratio_of_round_trips_is_left_once_throughput_is_steady() {
        let mut linux = known(45.0, 61.0);
        let mut lost = |most: f64| {
            (linux.most, linux.max) = (most, 61.0);
            linux.on_congestion(&config(), at(1.0))
        };
        assert_eq!(lost(1000.0), 0.5, "nothing to compare with");
        assert_eq!([lost(1190.0), lost(1000.0), lost(1100.0)], [0.5, 94.0 / 128.0, 94.0 / 128.0]);
        assert_eq!([lost(1400.0), lost(1400.0), lost(1400.0)], [0.5, 0.5, 94.0 / 128.0], "27 % more");
    }

    /// A throughput measured within four RTTmin after the loss becomes the mean: 100 segments in 100 ms. The
    /// next one, 50 in 100 ms, enters the mean with weight 1/4.
    #[test]
    fn throughput_is_smoothed_once_settled() {
        let mut linux = known(45.0, 61.0);
        let mut window = Window { cwnd: 30.0, ssthresh: 2.0 };
        let mut arrive = |now: f64, before: u64, una: u64| {
            let ack = AckSample { una_before: before, ..ack(now, 0.05, una, una + 30) };
            linux.on_ack(&mut window, &config(), &ack);
            linux.mean
        };
        assert!((arrive(0.1, 0, 100) - 1000.0).abs() < 1e-6);
        assert!((arrive(0.2, 100, 150) - 875.0).abs() < 1e-6, "3 * 1000 / 4 + 500 / 4");
        assert_eq!(linux.most, linux.mean.max(1000.0));
    }
}
