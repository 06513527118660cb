//! BIC as in TCP-Linux and in Linux 6.12: Xu, Harfoush and Rhee 2004, in whole segments.
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
//! the window has changed, and 31 ms after the last computation. Above 14 segments `every` is divided by d /
//! 16, the mean number of segments per acknowledgment. In TCP-Linux d is 31. In Linux 6.12 d begins at 32,
//! and each acknowledgment sets d += acked - floor(d / 16); acknowledged segments that remain after an
//! increase count towards the next. Derived from the output of ns-2's TCP-Linux and from experiments with the
//! kernel; compared in docs/reference/controls/bic.md.

use super::config::Config;
use crate::congestion::algorithm::Form;
use crate::congestion::signals::AckSample;
use crate::congestion::steps::{Every, Steps};
use crate::congestion::window::Window;

/// `every` near `max`, as a multiple of the window.
const NEAR: f64 = 5.0;
/// Largest value of `every` before any loss, segments.
const UNKNOWN: f64 = 20.0;

/// Linux 6.12: d is the number of segments per acknowledgment in units of 1 / `PARTS`, and begins at `FIRST`.
const PARTS: f64 = 16.0;
const FIRST: f64 = 32.0;

/// State that the forms `tcp-linux` and `linux` have in addition to the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// d of Linux 6.12: segments per acknowledgment, in sixteenths; `None` in TCP-Linux.
    ratio: Option<f64>,
    /// Window at the last loss; 0 before any loss.
    max: f64,
    every: Every,
    steps: Steps,
}

impl Whole {
    /// Creates the state at the start of a connection.
    pub(super) fn new(form: Form) -> Self {
        let ratio = (form == Form::Linux).then_some(FIRST);
        Self { ratio, max: 0.0, every: Every::default(), steps: Steps::default() }
    }

    /// Increases the window for newly acknowledged data in congestion avoidance.
    pub(super) fn on_ack(&mut self, window: &mut Window, config: &Config, ack: &AckSample) {
        if let Some(ratio) = &mut self.ratio {
            *ratio += ack.count - libm::floor(*ratio / PARTS);
        }
        if self.every.is_due(window.cwnd, ack.now) {
            let cwnd = window.cwnd;
            if cwnd <= config.low_window {
                self.every.set_exactly(cwnd);
            } else {
                let every = self.reckon(cwnd, config);
                match self.ratio {
                    Some(ratio) => self.every.set_exactly(libm::floor(every * PARTS / ratio).max(1.0)),
                    None => self.every.set(every),
                }
            }
        }
        if self.ratio.is_some() {
            self.steps.count_with_rest(&mut window.cwnd, ack.count, self.every.get());
        } else {
            self.steps.count(&mut window.cwnd, ack.count, self.every.get());
        }
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
    use crate::congestion::fixtures::ack;

    fn config() -> Config {
        let paper = Config::new(&|name| ALGORITHM.default_of(name));
        Config { max_increment: 16.0, decrease: 205.0 / 1024.0, search: 4.0, ..paper }
    }

    /// With two segments per acknowledgment d stays at 32. Near the last loss `every` is then 5 * 54 * 16 /
    /// 32 = 135 segments at a window of 54, and 42 at 17; at 14 it is 14, as in Reno. With one segment per
    /// acknowledgment d becomes 31 at the first acknowledgment.
    #[test]
    fn linux_6_counts_the_segments_of_an_acknowledgment() {
        for (cwnd, every) in [(54.0, 135.0), (17.0, 42.0), (14.0, 14.0)] {
            let mut whole = Whole::new(Form::Linux);
            whole.max = cwnd + 1.0;
            let mut window = Window { cwnd, ssthresh: 2.0 };
            let sample = AckSample { count: 2.0, ..ack(1.0, 0.1, 1, 100) };
            whole.on_ack(&mut window, &config(), &sample);
            assert_eq!((whole.ratio, whole.every.get()), (Some(32.0), every));
            (1..libm::ceil(every / 2.0) as u32).for_each(|_| whole.on_ack(&mut window, &config(), &sample));
            assert_eq!(window.cwnd, cwnd + 1.0);
        }
        let mut whole = Whole::new(Form::Linux);
        let mut window = Window { cwnd: 20.0, ssthresh: 2.0 };
        for _ in 0..3 {
            whole.on_ack(&mut window, &config(), &ack(1.0, 0.1, 1, 100));
            assert_eq!(whole.ratio, Some(31.0));
        }
    }

    /// `every` is the window divided by its growth per round trip, rounded down. The loss at 152 is from a
    /// run of ns-2: the growth is then 7 segments at a window of 122, 4 at 133, 2 at 141, and after that the
    /// least, 1/5.
    #[test]
    fn the_search_goes_by_whole_quarters() {
        let (mut whole, config) = (Whole::new(Form::TcpLinux), config());
        assert_eq!(whole.on_congestion(&config, 152.0), 121.0);
        for (cwnd, every) in [(122.0, 17.0), (133.0, 33.0), (141.0, 70.0), (145.0, 725.0), (153.0, 765.0)] {
            assert_eq!(whole.reckon(cwnd, &config), every, "{cwnd}");
        }
        // Max probing: growth is 8/3 segments at a window of 160, and the largest, 16, at 200.
        assert_eq!(whole.reckon(160.0, &config), 60.0);
        assert_eq!(whole.reckon(200.0, &config), 12.0);
    }

    #[test]
    fn before_a_loss_twenty_segments_are_enough() {
        let whole = Whole::new(Form::TcpLinux);
        assert_eq!(whole.reckon(1000.0, &config()), 20.0);
        assert_eq!(whole.reckon(160.0, &config()), 10.0);
    }
}
