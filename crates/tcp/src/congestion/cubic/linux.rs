//! CUBIC as TCP-Linux has it: Ha, Rhee and Xu 2008, algorithm 1, in whole segments and milliseconds.
//!
//! ```text
//! t      = now - epoch + the least round trip           which ns-2 hands it with timestamps alone; else none
//! target = origin -+ floor(C |t - K|^3)                 origin = max(W_max, cwnd), K = cbrt((W_max - cwnd) / C), in 1/1024 s
//! every  = cwnd / (target - cwnd), whole; 100 cwnd where target <= cwnd
//! TCP-friendly: one segment for every 23 / 8 cwnd acknowledged since the epoch began; what Reno would have more than cwnd
//!          bounds `every` as the target does
//! before any loss: every = 50
//! ```
//!
//! Round trips within a second of the epoch's beginning do not count: they are those of a recovery.
//!
//! `every` is reckoned anew with a new window, or 31 ms after it was; the window grows by one segment for each (`steps.rs`).
//! Known from ns-2's TCP-Linux as run; beside it, docs/reference/controls/cubic.md.

use super::config::Config;
use crate::congestion::signals::AckSample;
use crate::congestion::steps::{Every, Steps, ms};
use crate::congestion::window::Window;
use base::Instant;

/// Parts of the window in which friendliness counts, in eighths: 3 (1 + beta) / (1 - beta) of a Reno window, truncated.
const FRIENDLY: f64 = 23.0;
/// `every` before any loss.
const UNKNOWN: f64 = 50.0;
/// `every` at the plateau, windows.
const IDLE: f64 = 100.0;

/// Time after an epoch's beginning during which round trips do not count, ms.
const QUIET: u64 = 1000;

/// Parts of a second of which K is a whole number.
const TICKS: f64 = 1024.0;

/// A stretch of congestion avoidance: it began at `start`, ms, and reaches `origin` segments after `k` seconds.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    start: u64,
    k: f64,
    origin: f64,
    /// Reno's window in the same time, segments, and the segments acknowledged towards its next.
    reno: f64,
    acked: f64,
}

/// The state beside the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// W_max; 0 before any loss.
    w_max: f64,
    epoch: Option<Epoch>,
    every: Every,
    steps: Steps,
    /// The least round trip by timestamps, ms; `None` before the first.
    least: Option<u64>,
}

impl Whole {
    /// Creates the state at the start of a connection.
    pub(super) fn new() -> Self {
        Self { w_max: 0.0, epoch: None, every: Every::default(), steps: Steps::default(), least: None }
    }

    /// Grows the window for new data acknowledged.
    pub(super) fn on_ack(&mut self, window: &mut Window, config: &Config, ack: &AckSample) {
        self.measure(ack);
        if !ack.grow || !ack.window_limited(window.cwnd) {
            return;
        }
        if window.cwnd < window.ssthresh {
            window.cwnd += ack.count;
            return;
        }
        if let Some(epoch) = &mut self.epoch {
            epoch.acked += ack.count;
        }
        if self.every.is_due(window.cwnd, ack.now) {
            let every = self.reckon(window.cwnd, config, ack.now);
            self.every.set(every);
        }
        self.steps.count(&mut window.cwnd, ack.count, self.every.get());
    }

    /// Updates the least round trip by one measured by timestamps.
    fn measure(&mut self, ack: &AckSample) {
        let (Some(rtt), Some(_)) = (ack.rtt, ack.one_way) else { return };
        let now = ms(ack.now);
        // With no epoch yet, Linux uses epoch_start = 0.
        if now - self.epoch.as_ref().map_or(0, |epoch| epoch.start) >= QUIET {
            let sent = ms(Instant::ZERO + (ack.now - rtt).since(Instant::ZERO));
            let rtt = (now - sent).max(1);
            self.least = Some(self.least.map_or(rtt, |least| least.min(rtt)));
        }
    }

    /// Computes the number of segments of a step.
    fn reckon(&mut self, cwnd: f64, config: &Config, now: Instant) -> f64 {
        let now = ms(now);
        let w_max = self.w_max;
        let epoch = self.epoch.get_or_insert_with(|| {
            let climb = (w_max - cwnd).max(0.0);
            let k = libm::floor(libm::cbrt(climb / config.c) * TICKS) / TICKS;
            Epoch { start: now, k, origin: cwnd + climb, reno: cwnd, acked: 1.0 }
        });
        let t = (now - epoch.start + self.least.unwrap_or_default()) as f64 / 1000.0;
        let far = libm::fabs(t - epoch.k);
        let distance = libm::floor(config.c * far * far * far);
        let target = if t < epoch.k { epoch.origin - distance } else { epoch.origin + distance };
        let above = |goal: f64| if goal > cwnd { libm::floor(cwnd / (goal - cwnd)) } else { IDLE * cwnd };
        let mut every = above(target);
        if w_max == 0.0 {
            every = UNKNOWN;
        }
        if config.reno_friendly {
            let part = libm::floor(cwnd * FRIENDLY / 8.0);
            while epoch.acked > part {
                epoch.acked -= part;
                epoch.reno += 1.0;
            }
            every = every.min(above(epoch.reno));
        }
        every
    }

    /// Answers a loss; returns the reduced window, segments.
    pub(super) fn on_congestion(&mut self, config: &Config, cwnd: f64) -> f64 {
        let shrinks = config.fast_convergence && cwnd < self.w_max;
        self.w_max = if shrinks { libm::floor(cwnd * (1.0 + config.beta) / 2.0) } else { cwnd };
        self.epoch = None;
        self.steps.clear();
        libm::floor(cwnd * config.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::ALGORITHM;
    use super::*;
    use crate::congestion::fixtures::{ack, at};

    fn config() -> Config {
        Config { c: 410.0 / 1024.0, beta: 819.0 / 1024.0, ..Config::new(&|name| ALGORITHM.default_of(name)) }
    }

    /// A loss at 62 leaves 49. From 50 segments K = cbrt(12 * 1024 / 410) = 3.1063 s, 3180 / 1024. At first 11.99 segments
    /// are left, 11 whole: the target is 51. It is 52 once 0.4004 (K - t)^3 < 11, from t = 0.088 s on.
    #[test]
    fn the_target_rises_in_whole_segments() {
        let (mut whole, config) = (Whole::new(), config());
        assert_eq!(whole.on_congestion(&config, 62.0), 49.0);
        assert_eq!(whole.reckon(50.0, &config, at(1.0)), 50.0);
        assert_eq!(whole.reckon(51.0, &config, at(1.087)), 5100.0);
        assert_eq!(whole.reckon(51.0, &config, at(1.089)), 51.0);
        // Three seconds beyond K, floor(0.4004 * 27) = 10 segments beyond 62: 62 / 10.
        assert_eq!(whole.reckon(62.0, &config, at(1.0 + 3.106 + 3.0)), 6.0);
    }

    /// 50 * 23 / 8 = 143 acknowledged segments make one of Reno's: two of them bound `every` at 50 / 2.
    #[test]
    fn renos_share_bounds_the_wait() {
        let (mut whole, config) = (Whole::new(), config());
        whole.on_congestion(&config, 62.0);
        whole.reckon(50.0, &config, at(1.0));
        whole.epoch.as_mut().expect("begun").acked = 287.0;
        assert_eq!(whole.reckon(50.0, &config, at(1.0)), 25.0);
    }

    #[test]
    fn what_a_loss_leaves_gives_way_where_the_one_before_came_at_more() {
        let (mut whole, config) = (Whole::new(), config());
        whole.on_congestion(&config, 100.0);
        whole.on_congestion(&config, 80.0);
        // 80 * 1843 / 2048 = 71.99
        assert_eq!(whole.w_max, 71.0);
    }

    /// ns-2 hands it round trips by timestamps alone; those of the first second, and of an epoch's first second, do not count. With
    /// a least one of 80 ms the time of the formula is that much later: the target of the test above is 52 from 0.008 s on.
    #[test]
    fn a_least_round_trip_by_timestamps_moves_the_epoch() {
        let (mut whole, config) = (Whole::new(), config());
        let stamped = |now: f64, rtt: f64| {
            let sample = ack(now, rtt, 1, 10);
            AckSample { one_way: sample.rtt, ..sample }
        };
        whole.measure(&stamped(0.9, 0.05));
        whole.measure(&ack(1.1, 0.05, 1, 10));
        assert_eq!(whole.least, None);
        whole.measure(&stamped(1.2, 0.09));
        whole.measure(&stamped(1.3, 0.08));
        assert_eq!(whole.on_congestion(&config, 62.0), 49.0);
        whole.reckon(50.0, &config, at(2.0));
        whole.measure(&stamped(2.9, 0.02));
        assert_eq!(whole.least, Some(80));
        assert_eq!(whole.reckon(51.0, &config, at(2.007)), 5100.0);
        assert_eq!(whole.reckon(51.0, &config, at(2.009)), 51.0);
    }
}
