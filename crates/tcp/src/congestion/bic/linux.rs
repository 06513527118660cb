//! BIC as in TCP-Linux: Xu, Harfoush and Rhee 2004, in whole segments.
//!
//! ```text
//! cwnd <= 14:             every = cwnd                                            Reno
//! cwnd < max:             far = (max - cwnd) / 4, whole
//!   far > 16:             every = cwnd / 16                                       additive increase
//!   far <= 1:             every = 5 cwnd                                          near max
//!   else                  every = cwnd / far                                      binary search
//! cwnd < max + 4:         every = 5 cwnd
//! cwnd < max + 48:        every = 3 cwnd / (cwnd - max)                           max probing
//! else                    every = cwnd / 16
//! before any loss: every = 20 at most
//! loss: max = cwnd; if cwnd < max, max = cwnd * 1843 / 2048 (fast convergence); then cwnd *= 819 / 1024, or 1 / 2 if cwnd <= 14
//! ```
//!
//! The window grows by one segment after `every` acknowledged segments (`steps.rs`). `every` is computed when
//! the window has changed, and 31 ms after the last computation. Derived from the output of ns-2's TCP-Linux;
//! compared in docs/reference/controls/bic.md.

use super::config::Config;
use crate::congestion::signals::AckSample;
use crate::congestion::steps::{Every, Steps};
use crate::congestion::window::Window;

/// `every` near `max`, as a multiple of the window.
const NEAR: f64 = 5.0;
/// Largest `every` before any loss.
const UNKNOWN: f64 = 20.0;

/// State in addition to the window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Whole {
    /// Window at the last loss; 0 before any loss.
    max: f64,
    every: Every,
    steps: Steps,
}

impl Whole {
    /// Increases the window for newly acknowledged data in congestion avoidance.
    pub(super) fn on_ack(&mut self, window: &mut Window, config: &Config, ack: &AckSample) {
        if self.every.is_due(window.cwnd, ack.now) {
            let cwnd = window.cwnd;
            if cwnd <= config.low_window {
                self.every.set_exactly(cwnd);
            } else {
                self.every.set(self.reckon(cwnd, config));
            }
        }
        self.steps.count(&mut window.cwnd, ack.count, self.every.get());
    }

    /// Computes `every`, the segments per increase of the window, above the low window.
    fn reckon(&self, cwnd: f64, config: &Config) -> f64 {
        let Config { max_increment, search, .. } = *config;
        let (max, part) = (self.max, |of: f64| libm::floor(cwnd / of));
        let every = if cwnd < max {
            let far = libm::floor((max - cwnd) / search);
            if far > max_increment {
                part(max_increment)
            } else if far <= 1.0 {
                NEAR * cwnd
            } else {
                part(far)
            }
        } else if cwnd < max + search {
            NEAR * cwnd
        } else if cwnd < max + max_increment * (search - 1.0) {
            libm::floor(cwnd * (search - 1.0) / (cwnd - max))
        } else {
            part(max_increment)
        };
        if max == 0.0 { every.min(UNKNOWN) } else { every }
    }

    /// Handles a loss; returns the reduced window, segments.
    pub(super) fn on_congestion(&mut self, config: &Config, cwnd: f64) -> f64 {
        let beta = 1.0 - config.decrease;
        let shrinks = config.fast_convergence && cwnd < self.max;
        self.max = if shrinks { libm::floor(cwnd * (1.0 + beta) / 2.0) } else { cwnd };
        self.steps.clear();
        libm::floor(cwnd * if cwnd <= config.low_window { 0.5 } else { beta })
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::ALGORITHM;
    use super::*;

    fn config() -> Config {
        let paper = Config::new(&|name| ALGORITHM.default_of(name));
        Config { max_increment: 16.0, decrease: 205.0 / 1024.0, search: 4.0, ..paper }
    }

    /// After a loss at 152, as ns-2's packets show: from 122, 7 segments a round trip; 4 from 133, 2 from 141; then the least.
    #[test]
    fn the_search_goes_by_whole_quarters() {
        let (mut whole, config) = (Whole::default(), config());
        assert_eq!(whole.on_congestion(&config, 152.0), 121.0);
        for (cwnd, every) in [(122.0, 17.0), (133.0, 33.0), (141.0, 70.0), (145.0, 725.0), (153.0, 765.0)] {
            assert_eq!(whole.reckon(cwnd, &config), every, "{cwnd}");
        }
        // Max probing: 160 * 3 / 8; then the most.
        assert_eq!(whole.reckon(160.0, &config), 60.0);
        assert_eq!(whole.reckon(200.0, &config), 12.0);
    }

    #[test]
    fn before_a_loss_twenty_segments_are_enough() {
        let whole = Whole::default();
        assert_eq!(whole.reckon(1000.0, &config()), 20.0);
        assert_eq!(whole.reckon(160.0, &config()), 10.0);
    }
}
