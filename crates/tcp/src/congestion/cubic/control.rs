//! State of CUBIC, and its reaction to acknowledgments and losses.

use super::config::Config;
use super::linux::Whole;
use crate::congestion::algorithm::Form;
use crate::congestion::control::{CongestionControl, Needs, own_window};
use crate::congestion::signals::{AckSample, Congestion, LossSample, Reaction};
use crate::congestion::window::Window;

/// Largest target, as a multiple of the window (section 4.2).
const MOST: f64 = 1.5;
/// Factor by which a mark multiplies the window with ABE (RFC 8511 section 3.1).
const ABE: f64 = 0.85;
/// Gain of the smoothed round-trip time (RFC 6298 section 2).
const GAIN: f64 = 1.0 / 8.0;

/// An epoch: a period of congestion avoidance between reductions.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Epoch {
    /// Time since the beginning of the epoch during which the window limited the sender, seconds.
    t: f64,
    /// K: seconds until the window reaches `w_max`.
    k: f64,
    /// W_max: plateau of the cubic function, segments.
    w_max: f64,
    /// W_est: window that Reno would have after the same time, segments.
    w_est: f64,
}

/// State of CUBIC.
#[derive(Clone, Debug)]
pub struct Cubic {
    pub(crate) window: Window,
    config: Config,
    /// Smoothed round-trip time, seconds.
    rtt: f64,
    /// W_max as set by the last loss, and cwnd_prior, the window before it; segments.
    w_max: f64,
    prior: f64,
    /// True if the next epoch can begin below W_max: the last reduction was not because of a timeout.
    climbs: bool,
    epoch: Option<Epoch>,
    /// Time of the last acknowledgment.
    last: Option<base::Instant>,
    /// State of the forms `tcp-linux` and `linux`, which replaces the fields above; boxed, so that idle flows
    /// stay small.
    whole: Option<Box<Whole>>,
}

impl Cubic {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            rtt: 0.0,
            w_max: 0.0,
            prior: 0.0,
            climbs: false,
            epoch: None,
            last: None,
            whole: Whole::new(config.form).map(Box::new),
        }
    }

    /// Begins an epoch, and returns its initial state.
    fn begin(&mut self) -> Epoch {
        let cwnd = self.window.cwnd;
        let plateau = if self.climbs { self.w_max.max(cwnd) } else { cwnd };
        if self.prior == 0.0 {
            self.prior = cwnd;
        }
        let k = libm::cbrt((plateau - cwnd) / self.config.c);
        Epoch { t: 0.0, k, w_max: plateau, w_est: cwnd }
    }

    /// Returns W_cubic(t), equation 1.
    fn cubic(&self, epoch: &Epoch, t: f64) -> f64 {
        let from_plateau = t - epoch.k;
        self.config.c * from_plateau * from_plateau * from_plateau + epoch.w_max
    }

    /// Increases the window in congestion avoidance; `elapsed` is the time since the last acknowledgment,
    /// seconds.
    fn avoid(&mut self, ack: &AckSample, elapsed: f64) {
        let count = ack.count;
        let mut epoch = match self.epoch {
            Some(epoch) => Epoch { t: epoch.t + elapsed, ..epoch },
            None => self.begin(),
        };
        let cwnd = self.window.cwnd;
        let beta = self.config.beta;
        let alpha = if epoch.w_est >= self.prior { 1.0 } else { 3.0 * (1.0 - beta) / (1.0 + beta) };
        let acked = if self.config.acks { count } else { (ack.una - ack.una_before) as f64 };
        epoch.w_est += alpha * acked / cwnd;
        self.window.cwnd = if self.config.reno_friendly && self.cubic(&epoch, epoch.t) < epoch.w_est {
            cwnd.max(epoch.w_est)
        } else {
            let target = self.cubic(&epoch, epoch.t + self.rtt).clamp(cwnd, MOST * cwnd);
            cwnd + (target - cwnd) * count / cwnd
        };
        self.epoch = Some(epoch);
    }
}

impl CongestionControl for Cubic {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: self.config.form == Form::Linux, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(whole) = &mut self.whole {
            return whole.on_ack(&mut self.window, &self.config, ack);
        }
        if let Some(rtt) = ack.rtt {
            let rtt = rtt.secs();
            self.rtt = if self.rtt > 0.0 { self.rtt + GAIN * (rtt - self.rtt) } else { rtt };
        }
        let elapsed = self.last.map_or(0.0, |last| ack.now.since(last).secs());
        self.last = Some(ack.now);
        if !ack.grow || !ack.window_limited(self.window.cwnd) {
            return;
        }
        if self.window.cwnd < self.window.ssthresh {
            let slow = ack.count.min((self.window.ssthresh - self.window.cwnd).max(1.0));
            self.window.cwnd += slow;
            self.epoch = None;
        } else {
            self.avoid(ack, elapsed);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let (cwnd, beta) = (self.window.cwnd, self.config.beta);
        if !loss.keep_ssthresh {
            self.prior = cwnd;
            let shrinks = self.config.fast_convergence && cwnd < self.w_max;
            self.w_max = if shrinks { cwnd * (1.0 + beta) / 2.0 } else { cwnd };
        }
        self.climbs = loss.why != Congestion::Timeout;
        self.epoch = None;
        let mut reduced = loss.within(cwnd).reduced(loss.abe.map_or(beta, |_| ABE));
        if let Some(whole) = &mut self.whole {
            reduced = whole.on_congestion(&self.config, loss.within(cwnd).base);
        }
        self.window.leave(loss, reduced);
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    const CONFIG: Config = Config {
        c: 0.4,
        beta: 0.7,
        fast_convergence: true,
        reno_friendly: false,
        acks: false,
        form: Form::Published,
    };

    /// Returns CUBIC whose window was reduced from `cwnd` segments at time 0.
    fn cut(config: Config, cwnd: f64) -> Cubic {
        let mut control = Cubic::new(&config, Window { cwnd, ssthresh: 2.0 });
        control.on_congestion(&loss(cwnd, 0, cwnd as u64));
        control
    }

    /// Acknowledges, one at a time, the segments that a sender with a full window sends in `seconds` at a
    /// round-trip time of `rtt`.
    fn run(control: &mut Cubic, rtt: f64, seconds: f64) {
        let mut now = 0.0;
        while now < seconds {
            control.on_ack(&ack(now, rtt, 1, 2));
            now += rtt / control.window.cwnd;
        }
    }

    /// A loss reduces 100 segments to 70, so K = cbrt(30 / 0.4) = 4.2172 s. The window follows 0.4 (t -
    /// 4.2172)^3 + 100, here within half a segment: 70 at the start, flat at 100 at K, 130 at twice K.
    #[test]
    fn the_window_follows_the_formula() {
        let k = libm::cbrt(75.0);
        assert!((k - 4.2172).abs() < 1e-4);
        for t in [0.5, 1.0, 2.0, 3.0, k, 5.0, 6.0, 2.0 * k, 10.0] {
            let mut control = cut(CONFIG, 100.0);
            assert!(close(control.window.cwnd, 70.0) && close(control.window.ssthresh, 70.0));
            run(&mut control, 0.05, t);
            let formula = 0.4 * (t - k) * (t - k) * (t - k) + 100.0;
            let error = control.window.cwnd - formula;
            assert!(error.abs() < 0.5, "t {t}: {} for {formula}", control.window.cwnd);
        }
    }

    /// With a round trip of 10 ms Reno's growth exceeds the cubic.
    ///
    /// From 14 segments the window grows by alpha = 0.9 / 1.7 = 0.529 per round trip. It reaches 20, the
    /// window before the loss, after 6 / 0.529 = 11.3 round trips, and then grows by 1 per round trip.
    #[test]
    fn on_short_paths_it_is_as_fast_as_reno() {
        let config = Config { reno_friendly: true, ..CONFIG };
        let mut control = cut(config, 20.0);
        run(&mut control, 0.01, 0.05);
        assert!((control.window.cwnd - (14.0 + 5.0 * 0.9 / 1.7)).abs() < 0.1, "{}", control.window.cwnd);
        let mut control = cut(config, 20.0);
        run(&mut control, 0.01, 0.213);
        assert!((control.window.cwnd - 30.0).abs() < 0.3, "{}", control.window.cwnd);
    }

    /// With fast convergence a second loss at 80, below the last plateau of 100, sets the plateau to 80 * 1.7
    /// / 2 = 68, without it to 80. The window then grows from 56 towards it.
    #[test]
    fn a_shrinking_window_leaves_room() {
        for (fast_convergence, plateau) in [(true, 68.0), (false, 80.0)] {
            let mut control = cut(Config { fast_convergence, ..CONFIG }, 100.0);
            control.window.cwnd = 80.0;
            control.on_congestion(&loss(80.0, 0, 80));
            run(&mut control, 0.05, 0.01);
            let epoch = control.epoch.unwrap();
            assert!(close(epoch.w_max, plateau));
            assert!(close(epoch.k, libm::cbrt((plateau - 56.0) / 0.4)));
        }
    }

    /// After a timeout slow start ends at 70 segments. From there the window follows the convex half, 0.4 t^3
    /// + 70.
    #[test]
    fn after_a_timeout_it_grows_from_where_slow_start_ends() {
        let mut control = Cubic::new(&CONFIG, Window { cwnd: 100.0, ssthresh: 2.0 });
        control.on_congestion(&LossSample { why: Congestion::Timeout, ..loss(100.0, 0, 100) });
        assert_eq!((control.window.cwnd, control.window.ssthresh), (1.0, 70.0));
        for _ in 1..70 {
            control.on_ack(&ack(0.0, 0.05, 1, 2));
        }
        assert_eq!(control.window.cwnd, 70.0);
        run(&mut control, 0.05, 4.0);
        assert!((control.window.cwnd - (70.0 + 0.4 * 64.0)).abs() < 1.5, "{}", control.window.cwnd);
    }

    /// For three seconds the window does not limit the sender: it does not grow, and the epoch's time `t`
    /// stands still.
    #[test]
    fn an_unused_window_does_not_grow() {
        let mut control = cut(CONFIG, 100.0);
        run(&mut control, 0.05, 1.0);
        let (before, epoch) = (control.window.cwnd, control.epoch.unwrap());
        for tenth in 10..=40 {
            let idle = AckSample { outstanding: 3, ..ack(f64::from(tenth) / 10.0, 0.05, 1, 2) };
            control.on_ack(&idle);
        }
        assert_eq!(control.window.cwnd, before);
        control.on_ack(&ack(4.01, 0.05, 1, 2));
        assert!(control.epoch.unwrap().t - epoch.t < 0.011);
    }
}
