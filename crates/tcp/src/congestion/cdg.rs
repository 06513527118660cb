//! CAIA Delay-Gradient (CDG): reduces the window with a probability that grows with the gradient of the
//! round-trip time (Hayes and Armitage 2011).
//!
//! At the end of each round trip n, CDG computes two gradients: one with the least round-trip time of the
//! round trip as `time_n`, and one with the largest, ms:
//!
//! ```text
//! g_n   = time_n - time_(n-1)                        gradient
//! gbar  = mean of the last `samples` gradients       smoothed gradient
//! P     = 1 - exp(-gbar / scale)                     probability of a back-off, for each gbar > 0
//! back-off: cwnd *= backoff, ssthresh = cwnd         at most in every second round trip; also ends slow start
//! else:     as Reno
//! ```
//!
//! *Ineffectual back-offs.* After `ineffectual` successive back-offs during which neither gradient became
//! negative, loss-based flows are assumed to fill the queue. There is then no back-off for the same number of
//! round trips, or until a gradient is negative.
//!
//! *Shadow window.* This is the window that would exist without back-offs; it grows as the window does. A
//! loss sets the window to half of the larger of the two.
//!
//! *Loss tolerance* (`loss_tolerance`). The queue counts as full when the least round-trip time grows and the
//! largest does not, and as not full when both decrease. A loss at a queue that is not full does not count as
//! congestion, and the window stays. Linux has this switched off.
//!
//! Left out: nothing of the paper. Without a random stream, a back-off occurs if its probability is above one
//! half. Validated: by hand (below); docs/reference/controls/cdg.md.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::round_trips::{RoundTrips, Rounds};
use super::signals::{AckSample, LossClassification, LossSample, Reaction};
use super::window::Window;
use base::Rng;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "cdg",
    summary: "reduces the window with a probability that grows with the gradient of the round-trip time",
    source: "Hayes and Armitage 2011",
    aliases: &["caia-delay-gradient", "tcp_cdg"],
    linux: false,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of CDG.
    samples: f64 = number("round trips", 8.0, 1.0, 32.0; "number of gradients that are averaged (a)"),
    scale: f64 = number("ms", 3.0, 0.001, 1000000.0; "scale of the gradient in the back-off probability; with a larger scale back-offs are rarer (G)"),
    backoff: f64 = number("", 0.7, 0.01, 1.0; "factor by which a back-off multiplies the window (beta); Linux: 0.7071"),
    ineffectual: f64 = number("", 5.0, 0.0, 1000000.0; "number of successive back-offs without effect after which back-offs are suspended for as many round trips (b); 0: never suspended"),
    shadow: bool = words(&["off", "on"], 1; "a loss halves the window that would exist without back-offs (shadow window)"),
    bounded as "shadow_limit": bool = words(&["none", "cwnd"], 0; "limit of the window that the shadow window leaves after a loss: none, as published; or cwnd before the loss (Linux 6.12)"),
    larger as "draws": bool = words(&["each", "larger"], 0; "gradients for which a back-off is drawn: each of the two, as published; or the larger one (Linux 6.12)"),
    loss_tolerance: bool = words(&["off", "on"], 1; "a loss does not reduce the window if the queue is not full; Linux: off"),
}

/// Largest number of gradients in a mean.
const MOST: usize = 32;
/// Least window after a back-off, segments.
const LEAST_WINDOW: f64 = 2.0;

/// Gradients of the least or of the largest round-trip time of a round trip, ms.
#[derive(Clone, Copy, Debug)]
struct Gradient {
    /// The last gradients, the oldest at index `at`; zeros before the first.
    last: [f64; MOST],
    at: usize,
    sum: f64,
    before: Option<f64>,
}

impl Gradient {
    const NONE: Self = Self { last: [0.0; MOST], at: 0, sum: 0.0, before: None };

    /// Adds the gradient from the last round trip's value to `time`, the value of this round trip, ms;
    /// returns the mean of the last `samples` gradients.
    fn add(&mut self, time: f64, samples: usize) -> f64 {
        let gradient = self.before.map_or(0.0, |before| time - before);
        self.before = Some(time);
        let oldest = &mut self.last[self.at];
        self.sum += gradient - *oldest;
        *oldest = gradient;
        self.at = (self.at + 1) % samples;
        self.sum / samples as f64
    }
}

/// State of CDG.
#[derive(Clone, Debug)]
pub struct Cdg {
    pub(super) window: Window,
    config: Config,
    rng: Option<Rng>,
    trips: RoundTrips,
    rounds: Rounds,
    /// Least and largest round-trip time of the current round trip, seconds.
    least: f64,
    largest: f64,
    gradients: [Gradient; 2],
    /// Shadow window, segments; 0 if there was no back-off since the last loss.
    shadow: f64,
    full: bool,
    /// Number of successive back-offs without a negative gradient, and number of round trips for which
    /// back-offs are still suspended.
    backoffs: f64,
    ignores: f64,
    /// True if the last round trip ended with a back-off.
    waits: bool,
}

impl Cdg {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            rng: None,
            trips: RoundTrips::NONE,
            rounds: Rounds::default(),
            least: f64::INFINITY,
            largest: 0.0,
            gradients: [Gradient::NONE; 2],
            shadow: 0.0,
            full: false,
            backoffs: 0.0,
            ignores: 0.0,
            waits: false,
        }
    }

    /// Updates the gradients at the end of a round trip, and backs off with the probability that they give.
    fn end_round(&mut self) {
        if !self.least.is_finite() {
            return;
        }
        let samples = self.config.samples as usize;
        let least = self.gradients[0].add(1e3 * self.least, samples);
        let largest = self.gradients[1].add(1e3 * self.largest, samples);
        (self.least, self.largest) = (f64::INFINITY, 0.0);
        if least > 0.0 && largest <= 0.0 {
            self.full = true;
        } else if least < 0.0 && largest < 0.0 {
            self.full = false;
        }
        if least < 0.0 || largest < 0.0 {
            (self.backoffs, self.ignores) = (0.0, 0.0);
        }
        if self.waits || self.ignores > 0.0 {
            self.waits = false;
            self.ignores = (self.ignores - 1.0).max(0.0);
            return;
        }
        let happens = if self.config.larger {
            self.happens(least.max(largest))
        } else {
            self.happens(least) || self.happens(largest)
        };
        if happens {
            self.back_off();
        }
    }

    /// Draws at random, and returns true if a smoothed gradient, ms, causes a back-off.
    fn happens(&mut self, gradient: f64) -> bool {
        if gradient <= 0.0 {
            return false;
        }
        let chance = 1.0 - libm::exp(-gradient / self.config.scale);
        self.rng.as_mut().map_or(0.5, Rng::uniform) < chance
    }

    fn back_off(&mut self) {
        let cwnd = self.window.cwnd;
        self.shadow = self.shadow.max(cwnd);
        self.window.cwnd = (cwnd * self.config.backoff).max(LEAST_WINDOW);
        self.window.ssthresh = self.window.cwnd;
        self.waits = true;
        self.backoffs += 1.0;
        if self.config.ineffectual > 0.0 && self.backoffs >= self.config.ineffectual {
            (self.backoffs, self.ignores) = (0.0, self.config.ineffectual);
        }
    }
}

impl CongestionControl for Cdg {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, gradual: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = self.trips.believed(ack) {
            self.least = self.least.min(rtt);
            self.largest = self.largest.max(rtt);
        }
        // In Linux 6.12 no round trip ends while the window may not grow, for example just after a back-off.
        if (ack.grow || !self.config.bounded) && self.rounds.ends(ack) {
            self.end_round();
        }
        let cwnd = self.window.cwnd;
        if ack.grow && ack.window_limited(cwnd) {
            self.window.grow(ack.count, 1.0);
            if self.shadow > 0.0 {
                self.shadow += (self.window.cwnd - cwnd).max(0.0);
            }
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.trips.lost(loss);
        if self.config.loss_tolerance && loss.why.goes_on() && !self.full {
            return Reaction::to(LossClassification::Random);
        }
        let base = loss.within(self.window.cwnd).base;
        let most = if self.config.bounded { 2.0 * base } else { f64::INFINITY };
        let base = if self.config.shadow { base.max(self.shadow.min(most)) } else { base };
        self.shadow = 0.0;
        self.window.cut(&LossSample { base, ..*loss }, 0.5);
        Reaction::CUT
    }

    fn set_rng(&mut self, rng: Rng) {
        self.rng = Some(rng);
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        show("shadow", self.shadow);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{close, loss};

    fn cdg(change: &[(&str, f64)]) -> Cdg {
        let config = Config::new(&|name| {
            let changed = change.iter().find(|(n, _)| *n == name);
            changed.map_or_else(|| ALGORITHM.default_of(name), |(_, value)| *value)
        });
        Cdg::new(&config, Window { cwnd: 100.0, ssthresh: 2.0 })
    }

    /// Ends a round trip with the given least and largest round-trip times, ms.
    fn round(control: &mut Cdg, least: f64, largest: f64) {
        (control.least, control.largest) = (least / 1e3, largest / 1e3);
        control.end_round();
    }

    /// A step from 40 to 56 ms is one gradient of 16 ms. It adds 2 ms to the mean of 8 gradients, for 8 round
    /// trips.
    #[test]
    fn the_gradient_is_a_moving_mean() {
        let mut gradient = Gradient::NONE;
        assert_eq!(gradient.add(40.0, 8), 0.0);
        for _ in 0..8 {
            assert_eq!(gradient.add(56.0, 8), 2.0);
        }
        assert_eq!(gradient.add(56.0, 8), 0.0);
        assert_eq!(gradient.add(48.0, 8), -1.0);
    }

    /// Without a random stream a back-off needs a probability above one half: 1 - exp(-g / 3) > 1/2 for g > 3
    /// ln 2 = 2.079 ms. A gradient of 2.0 ms causes none, a gradient of 2.2 ms does.
    #[test]
    fn the_chance_grows_with_the_gradient() {
        for (rise, backs_off) in [(2.0, false), (2.2, true)] {
            let mut control = cdg(&[("samples", 1.0)]);
            round(&mut control, 40.0, 40.0);
            round(&mut control, 40.0 + rise, 40.0);
            assert_eq!(control.window.cwnd < 100.0, backs_off, "{rise}");
        }
    }

    /// Both gradients are 2.1 ms, so each draw causes a back-off with probability 1 - exp(-2.1 / 3), 50 %. One draw for the
    /// larger gradient gives 50 % of 1000, two draws give 1 - exp(-1.4), 75 %.
    #[test]
    fn one_draw_for_the_larger_gradient_backs_off_less_often() {
        for (larger, share) in [(1.0, 0.50), (0.0, 0.75)] {
            let mut control = cdg(&[("samples", 1.0), ("draws", larger), ("ineffectual", 0.0)]);
            control.set_rng(Rng::stream(7, "cdg"));
            let mut cuts = 0;
            for _ in 0..1000 {
                control.waits = false;
                control.gradients = [Gradient { before: Some(40.0), ..Gradient::NONE }; 2];
                control.window.cwnd = 100.0;
                round(&mut control, 42.1, 42.1);
                cuts += u32::from(control.window.cwnd < 100.0);
            }
            assert!((f64::from(cuts) / 1000.0 - share).abs() < 0.04, "{larger}: {cuts}");
        }
    }

    /// Two back-offs, from 100 to 70 and from 70 to 49, with one round trip between them. The shadow window
    /// stays at 100, so a loss sets the window to 50.
    #[test]
    fn a_back_off_waits_for_its_effect_and_leaves_a_shadow() {
        let mut control = cdg(&[("samples", 1.0), ("loss_tolerance", 0.0)]);
        round(&mut control, 40.0, 40.0);
        for (time, cwnd) in [(50.0, 70.0), (60.0, 70.0), (70.0, 49.0)] {
            round(&mut control, time, time);
            assert!(close(control.window.cwnd, cwnd), "{time}: {}", control.window.cwnd);
        }
        assert_eq!(control.shadow, 100.0);
        control.on_congestion(&loss(49.0, 0, 49));
        assert_eq!((control.window.cwnd, control.shadow), (50.0, 0.0));
        control.shadow = 415.0;
        control.config.bounded = true;
        control.on_congestion(&loss(50.0, 1, 101));
        assert_eq!(control.window.cwnd, 50.0, "no more than before the loss");
    }

    /// Five back-offs take ten round trips. Then back-offs are suspended for five round trips, and the sixth
    /// follows.
    #[test]
    fn back_offs_that_change_nothing_end_for_a_while() {
        let mut control = cdg(&[("samples", 1.0), ("backoff", 0.9)]);
        let mut time = 40.0;
        let mut cuts = Vec::new();
        for n in 0..20 {
            let before = control.window.cwnd;
            round(&mut control, time, time);
            time += 10.0;
            if control.window.cwnd < before {
                cuts.push(n);
            }
        }
        assert_eq!(cuts, [1, 3, 5, 7, 9, 15, 17, 19]);
        // A negative gradient ends the suspension.
        control.ignores = 5.0;
        round(&mut control, time - 20.0, time - 20.0);
        assert_eq!(control.ignores, 0.0);
    }

    #[test]
    fn a_loss_counts_once_the_queue_is_full() {
        let mut control = cdg(&[("samples", 1.0), ("backoff", 1.0)]);
        round(&mut control, 40.0, 50.0);
        round(&mut control, 45.0, 55.0);
        let reaction = control.on_congestion(&loss(100.0, 0, 100));
        assert_eq!(reaction, Reaction::to(LossClassification::Random));
        assert_eq!(control.window.cwnd, 100.0);
        // The least round-trip time grows and the largest does not, so the queue is full.
        round(&mut control, 48.0, 55.0);
        assert_eq!(control.on_congestion(&loss(100.0, 0, 100)), Reaction::CUT);
        assert_eq!(control.window.cwnd, 50.0);
        // Both round-trip times decrease, so the queue is no longer full.
        round(&mut control, 40.0, 45.0);
        assert_eq!(control.on_congestion(&loss(50.0, 0, 100)), Reaction::to(LossClassification::Random));
    }
}
