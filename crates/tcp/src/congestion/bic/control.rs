//! State of BIC, and its reaction to acknowledgments and losses.

use super::config::Config;
use super::linux::Whole;
use crate::congestion::algorithm::Form;
use crate::congestion::control::{CongestionControl, own_window};
use crate::congestion::signals::{AckSample, LossSample, Reaction};
use crate::congestion::window::Window;

/// State of BIC.
#[derive(Clone, Debug)]
pub struct Bic {
    pub(crate) window: Window,
    config: Config,
    /// Window at the last loss, or less with fast convergence; infinite before any loss.
    max: f64,
    /// Max probing: growth per round trip, and the window at which that growth doubles; `None` during binary
    /// search.
    probing: Option<(f64, f64)>,
    /// State of the forms `tcp-linux` and `linux`, which replaces `max` and `probing`.
    whole: Whole,
}

impl Bic {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self { window, config: *config, max: f64::INFINITY, probing: None, whole: Whole::new(config.form) }
    }

    /// Returns the growth at the current window, segments per round trip.
    fn growth(&mut self) -> f64 {
        let cwnd = self.window.cwnd;
        let Config { low_window, max_increment, min_increment, search, near, .. } = self.config;
        if cwnd < low_window {
            return 1.0;
        }
        if (cwnd - self.max).abs() < near {
            return min_increment;
        }
        if cwnd < self.max {
            self.probing = None;
            return ((self.max - cwnd) / search).min(max_increment).max(min_increment);
        }
        let (mut step, mut target) = self.probing.unwrap_or((1.0, cwnd + 1.0));
        if cwnd >= target {
            step *= 2.0;
            target = cwnd + step;
        }
        self.probing = Some((step, target));
        step.min(max_increment).max(min_increment)
    }
}

impl CongestionControl for Bic {
    own_window!();

    fn on_ack(&mut self, ack: &AckSample) {
        let Window { cwnd, ssthresh } = self.window;
        if ack.grow && ack.window_limited(cwnd) {
            if self.config.form != Form::Published && cwnd >= ssthresh {
                return self.whole.on_ack(&mut self.window, &self.config, ack);
            }
            let growth = if cwnd < ssthresh { 1.0 } else { self.growth() };
            self.window.grow(ack.count, growth);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let Config { low_window, decrease, fast_convergence, .. } = self.config;
        let base = loss.base.min(self.window.cwnd);
        self.probing = None;
        if self.config.form != Form::Published {
            let left = self.whole.on_congestion(&self.config, libm::floor(base));
            self.window.leave(loss, left);
            return Reaction::CUT;
        }
        if !loss.why.goes_on() {
            self.max = self.max.min(base);
            self.window.cut_in_avoidance(loss, 1.0 - decrease);
            return Reaction::CUT;
        }
        let gives_way = fast_convergence && self.max.is_finite() && base < self.max;
        self.max = if gives_way { base * (1.0 - decrease / 2.0) } else { base };
        self.window.cut_in_avoidance(loss, if base < low_window { 0.5 } else { 1.0 - decrease });
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::ALGORITHM;
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    /// Returns BIC after a loss at a window of `max` segments.
    fn bic(max: f64) -> Bic {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut control = Bic::new(&config, Window { cwnd: max, ssthresh: 2.0 });
        control.on_congestion(&loss(max, 1, 101));
        control
    }

    #[test]
    fn it_searches_half_way_to_the_window_that_lost() {
        // The loss reduces 100 to 87.5. The target of the search is 93.75, so the first acknowledgment adds
        // 6.25 / 87.5.
        let mut control = bic(100.0);
        assert_eq!((control.window.cwnd, control.max), (87.5, 100.0));
        control.on_ack(&ack(1.0, 0.1, 1, 100));
        assert!(close(control.window.cwnd, 87.5 + 6.25 / 87.5));
    }

    #[test]
    fn growth_is_bounded_above_and_below() {
        let mut control = bic(1000.0);
        assert_eq!(control.growth(), 32.0, "half of 125 is more");
        control.window.cwnd = 1000.0 - 0.01;
        assert_eq!(control.growth(), 0.01, "half of 0.01 is less");
    }

    #[test]
    fn beyond_the_maximum_it_probes_ever_faster() {
        let mut control = bic(100.0);
        let mut steps = Vec::new();
        for cwnd in [100.0, 100.5, 101.0, 102.9, 103.0, 107.0, 115.0, 131.0, 163.0, 400.0] {
            control.window.cwnd = cwnd;
            steps.push(control.growth());
        }
        assert_eq!(steps, [1.0, 1.0, 2.0, 2.0, 4.0, 8.0, 16.0, 32.0, 32.0, 32.0]);
        control.window.cwnd = 90.0;
        assert_eq!(control.growth(), 5.0, "and searches again below");
    }

    #[test]
    fn it_gives_way_where_windows_fall() {
        let mut control = bic(100.0);
        control.window.cwnd = 96.0;
        control.on_congestion(&loss(96.0, 1, 101));
        // Fast convergence sets max to (96 + 84) / 2.
        assert_eq!((control.window.cwnd, control.max), (84.0, 90.0));
        control.window.cwnd = 96.0;
        control.on_congestion(&loss(96.0, 1, 101));
        assert_eq!(control.max, 96.0, "the loss before came at less");
    }

    #[test]
    fn small_windows_are_renos() {
        let mut control = bic(12.0);
        assert_eq!(control.window.cwnd, 6.0);
        control.window.cwnd = 10.0;
        control.on_ack(&ack(1.0, 0.1, 1, 100));
        assert!(close(control.window.cwnd, 10.1));
    }
}
