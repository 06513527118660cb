//! CUBIC as in TCP-Linux and in Linux 6.12: Ha, Rhee and Xu 2008, algorithm 1, in whole segments and milliseconds.
//!
//! ```text
//! t      = now - epoch_start + the least round-trip time (which ns-2 provides only with timestamps)
//! target = origin -+ floor(C |t - K|^3)                 origin = max(W_max, cwnd), K = cbrt((W_max - cwnd) / C), in 1/1024 s
//! every  = cwnd / (target - cwnd), whole; 100 cwnd if target <= cwnd
//! TCP-friendly: Reno's window grows by one segment per n / 8 cwnd segments acknowledged since epoch_start; if Reno's
//!          window is above cwnd, it bounds `every` as the target does; n = floor(8 (1 + beta) / (3 (1 - beta))), 23 in
//!          TCP-Linux and 15 in Linux 6.12
//! before any loss: every = 50 in TCP-Linux, at most 20 in Linux 6.12
//! ```
//!
//! Samples of the round-trip time in the first second of an epoch are ignored, because they belong to
//! recovery.
//!
//! The window grows by one segment after `every` acknowledged segments (`steps.rs`). `every` is computed when
//! the window has changed, and 31 ms after the last computation. Linux 6.12 takes round-trip times also
//! without timestamps. Acknowledged segments that remain after an increase count towards the next, and the
//! window grows by at most half in a round trip (RFC 9438 section 4.2). Derived from the output of ns-2's
//! TCP-Linux and from experiments with the kernel; compared in docs/reference/controls/cubic.md.

use super::config::Config;
use crate::congestion::algorithm::Form;
use crate::congestion::signals::AckSample;
use crate::congestion::steps::{Every, Steps, ms};
use crate::congestion::window::Window;
use base::Instant;

/// Before any loss: value of `every` in TCP-Linux, and its largest value in Linux 6.12, segments.
const UNKNOWN: f64 = 50.0;
const UNKNOWN_MOST: f64 = 20.0;
/// Least value of `every` in Linux 6.12, segments.
const FASTEST: f64 = 2.0;
/// `every` if the target is not above the window, as a multiple of the window.
const IDLE: f64 = 100.0;

/// Time after epoch_start during which samples of the round-trip time are ignored, milliseconds.
const QUIET: u64 = 1000;

/// K is a whole number of 1/`TICKS` seconds.
const TICKS: f64 = 1024.0;

/// An epoch: it began at `start` (milliseconds), and the cubic function reaches its plateau `origin`
/// (segments) after `k` seconds.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    start: u64,
    k: f64,
    origin: f64,
    /// Window that Reno would have after the same time, segments, and the segments acknowledged towards its
    /// next increase.
    reno: f64,
    acked: f64,
}

/// State that the forms `tcp-linux` and `linux` have in addition to the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// True for the rules of Linux 6.12, false for those of TCP-Linux.
    kernel: bool,
    /// W_max; 0 before any loss.
    w_max: f64,
    epoch: Option<Epoch>,
    every: Every,
    steps: Steps,
    /// Least round-trip time, milliseconds, in TCP-Linux only from timestamps; `None` without a sample.
    least: Option<u64>,
}

impl Whole {
    /// Creates the state at the start of a connection; `None` for the form `rfc`.
    pub(super) fn new(form: Form) -> Option<Self> {
        let kernel = form == Form::Linux;
        let (every, steps) = (Every::default(), Steps::default());
        let whole = Self { kernel, w_max: 0.0, epoch: None, every, steps, least: None };
        (form != Form::Published).then_some(whole)
    }

    /// Updates the least round-trip time. Then increases the window for newly acknowledged data, if
    /// `ack.grow` allows it and the window limited the sender.
    pub(super) fn on_ack(&mut self, window: &mut Window, config: &Config, ack: &AckSample) {
        self.measure(ack);
        if !ack.grow || !ack.window_limited(window.cwnd) {
            return;
        }
        let mut count = ack.count;
        if window.cwnd < window.ssthresh {
            let slow = if self.kernel { count.min(window.ssthresh - window.cwnd) } else { count };
            window.cwnd += slow;
            count -= slow;
            if count == 0.0 {
                return;
            }
        }
        if let Some(epoch) = &mut self.epoch {
            epoch.acked += count;
        }
        if self.every.is_due(window.cwnd, ack.now) {
            let every = self.reckon(window.cwnd, config, ack.now);
            if self.kernel {
                self.every.set_exactly(every);
            } else {
                self.every.set(every);
            }
        }
        if self.kernel {
            self.steps.count_with_rest(&mut window.cwnd, count, self.every.get());
        } else {
            self.steps.count(&mut window.cwnd, count, self.every.get());
        }
    }

    /// Updates the least round-trip time, except in the first second of an epoch. TCP-Linux uses only samples
    /// from timestamps.
    fn measure(&mut self, ack: &AckSample) {
        let Some(rtt) = ack.rtt.filter(|_| self.kernel || ack.one_way.is_some()) else { return };
        let now = ms(ack.now);
        // With no epoch yet, Linux uses epoch_start = 0.
        if now - self.epoch.as_ref().map_or(0, |epoch| epoch.start) >= QUIET {
            let sent = ms(Instant::ZERO + (ack.now - rtt).since(Instant::ZERO));
            let rtt = (now - sent).max(1);
            self.least = Some(self.least.map_or(rtt, |least| least.min(rtt)));
        }
    }

    /// Computes `every`: segments to be acknowledged before the window grows by one segment.
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
            every = if self.kernel { every.min(UNKNOWN_MOST) } else { UNKNOWN };
        }
        if config.reno_friendly {
            let beta = config.beta;
            let eighths = libm::floor(8.0 * (1.0 + beta) / (3.0 * (1.0 - beta)));
            let part = libm::floor(cwnd * eighths / 8.0);
            while epoch.acked > part {
                epoch.acked -= part;
                epoch.reno += 1.0;
            }
            every = every.min(above(epoch.reno));
        }
        if self.kernel { every.max(FASTEST) } else { every }
    }

    /// Handles a loss; returns the reduced window, segments.
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

    fn whole(form: Form) -> Whole {
        Whole::new(form).expect("a form of its own")
    }

    /// For beta = 717 / 1024, n = floor(15.12) = 15. Reno's window grows by one segment per floor(15 / 8 *
    /// 10) = 18 segments at a window of 10, and by one per 28 segments at a window of 15.
    #[test]
    fn linux_6_is_as_friendly_as_its_beta_asks_for() {
        let config = Config { beta: 717.0 / 1024.0, ..config() };
        for (cwnd, part) in [(10.0, 18.0), (15.0, 28.0)] {
            let mut whole = whole(Form::Linux);
            whole.on_congestion(&config, 100.0);
            whole.reckon(cwnd, &config, at(1.0));
            for (acked, reno) in [(part, cwnd), (part + 1.0, cwnd + 1.0)] {
                whole.epoch.as_mut().expect("begun").acked = acked;
                whole.reckon(cwnd, &config, at(1.0));
                assert_eq!(whole.epoch.as_ref().expect("begun").reno, reno, "{acked}");
            }
        }
    }

    /// `reckon` returns at most 20 before the first loss, and never less than 2, here at a window of 30
    /// far below the target. A loss at 100 segments leaves 100 * 717 / 1024 = 70.02, rounded down to 70.
    #[test]
    fn linux_6_bounds_its_steps() {
        let config = Config { beta: 717.0 / 1024.0, reno_friendly: false, ..config() };
        let mut whole = whole(Form::Linux);
        assert_eq!(whole.reckon(38.0, &config, at(1.0)), 20.0);
        assert_eq!(whole.on_congestion(&config, 100.0), 70.0);
        whole.reckon(70.0, &config, at(1.0));
        assert_eq!(whole.reckon(30.0, &config, at(5.0)), 2.0);
    }

    /// At a window of 37 and a ssthresh of 38, an acknowledgment of three segments increases the window to
    /// ssthresh with the first; the other two count towards the next increase.
    #[test]
    fn linux_6_leaves_slow_start_at_the_threshold() {
        let mut whole = whole(Form::Linux);
        let mut window = Window { cwnd: 37.0, ssthresh: 38.0 };
        whole.on_ack(&mut window, &config(), &AckSample { count: 3.0, ..ack(1.0, 0.05, 3, 40) });
        assert_eq!(window.cwnd, 38.0);
        (4..=12).for_each(|n| {
            let sample = AckSample { count: 2.0, ..ack(1.0, 0.05, n, 60) };
            whole.on_ack(&mut window, &config(), &sample);
        });
        assert_eq!(window.cwnd, 39.0);
    }

    /// A loss at 62 leaves 49. For a window of 50 segments, K is cbrt((62 - 50) * 1024 / 410) = 3.1063 s, or
    /// 3180 whole 1024ths. At t = 0 the target is C K^3 = 11.99 segments below 62, 11 in whole segments: 51.
    /// It is 52 when 0.4004 (K - t)^3 < 11, from t = 0.088 s on.
    #[test]
    fn the_target_rises_in_whole_segments() {
        let (mut whole, config) = (whole(Form::TcpLinux), config());
        assert_eq!(whole.on_congestion(&config, 62.0), 49.0);
        assert_eq!(whole.reckon(50.0, &config, at(1.0)), 50.0);
        assert_eq!(whole.reckon(51.0, &config, at(1.087)), 5100.0);
        assert_eq!(whole.reckon(51.0, &config, at(1.089)), 51.0);
        // Three seconds after K the target is floor(0.4004 * 27) = 10 segments above 62, so `every` is 62 / 10,
        // rounded down.
        assert_eq!(whole.reckon(62.0, &config, at(1.0 + 3.106 + 3.0)), 6.0);
    }

    /// Reno's window grows by one segment per floor(50 * 23 / 8) = 143 acknowledged segments. After 287 it is
    /// 52, two above the window, so `every` is at most 50 / 2.
    #[test]
    fn renos_share_bounds_the_wait() {
        let (mut whole, config) = (whole(Form::TcpLinux), config());
        whole.on_congestion(&config, 62.0);
        whole.reckon(50.0, &config, at(1.0));
        whole.epoch.as_mut().expect("begun").acked = 287.0;
        assert_eq!(whole.reckon(50.0, &config, at(1.0)), 25.0);
    }

    #[test]
    fn what_a_loss_leaves_gives_way_where_the_one_before_came_at_more() {
        let (mut whole, config) = (whole(Form::TcpLinux), config());
        whole.on_congestion(&config, 100.0);
        whole.on_congestion(&config, 80.0);
        // W_max becomes 80 (1 + 819 / 1024) / 2 = 71.99, rounded down.
        assert_eq!(whole.w_max, 71.0);
    }

    /// TCP-Linux takes round-trip times from timestamps only, and ignores those in the first second of the
    /// connection and of an epoch. The least one, 80 ms, is added to the time since the epoch began. So the
    /// target rises to 52 80 ms earlier than in `the_target_rises_in_whole_segments`, 8 ms after the
    /// beginning.
    #[test]
    fn a_least_round_trip_by_timestamps_moves_the_epoch() {
        let (mut whole, config) = (whole(Form::TcpLinux), config());
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
