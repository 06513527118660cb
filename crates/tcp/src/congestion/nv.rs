//! TCP-NV: a variant of Vegas for data centres. It estimates the queue from the largest rate of a round trip,
//! and reduces the window in proportion to the queue (Brakmo 2010 and 2015).
//!
//! Each acknowledgment gives a sample of the rate: the segments in flight when its newest segment was sent,
//! divided by the round-trip time. `base` is the least round-trip time. At the end of each round trip, with
//! `best = largest rate * base`, rounded down:
//!
//! ```text
//! most = best + pad
//! cwnd > most                   congestion: cwnd -= max(decrease * (cwnd - most), 2), rounded down; growth stops
//!                               ssthresh = most; in congestion avoidance cwnd stays >= most
//! cwnd <= most - pad_buffer     growth as in Reno
//! ACK-detected loss             cwnd *= loss_factor
//! ```
//!
//! Growth begins after 20 acknowledgments since the last reduction; a further reduction requires 60, or 30 in slow
//! start. At the end of each period `base` becomes the least round-trip time of that period. The first period is 2 s
//! long, the others last `reset_period`, which is varied at random by up to a quarter. A standing queue of the flow
//! itself therefore becomes a part of `base`, and the window of a flow alone on the path grows by `pad - 1` segments
//! in two periods.
//!
//! The rules are those of the publications. The constants, the values of ssthresh and the spread of the
//! period are those of Linux 6.12, from its module parameters and its windows over time. Left out: growth
//! slower or faster than Reno's, which Linux has switched off, and rules for interrupt coalescence.
//! Validated: docs/reference/controls/nv.md.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "nv",
    summary: "keeps a few segments queued, estimated from the largest rate of a round trip",
    source: "Brakmo 2010, 2015",
    aliases: &["tcp-nv", "tcp_nv"],
    linux: false,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of TCP-NV.
    pad: f64 = number("segments", 10.0, 0.0, 1000000000.0; "segments above the best window that count as congestion"),
    pad_buffer: f64 = number("segments", 2.0, 0.0, 1000000000.0; "growth begins again this number of segments below the onset of congestion"),
    decrease: f64 = number("", 0.296875, 0.0, 1.0; "share of the segments above the onset of congestion by which congestion reduces the window (38/128)"),
    loss_factor: f64 = number("", 0.7998046875, 0.0, 1.0; "factor by which a loss multiplies the window (819/1024)"),
    reset_period: f64 = number("s", 5.0, 0.001, 1000000000.0; "mean time after which the least round-trip time is measured again; random, within a quarter of this value"),
}

/// Least number of acknowledgments since the last reduction: before a reduction, before a reduction in slow start, and
/// before growth.
const CUT_ACKS: u32 = 60;
const SLOW_START_ACKS: u32 = 30;
const GROWTH_ACKS: u32 = 20;
/// Least reduction of the window at congestion, and least window after it, segments.
const LEAST_CUT: f64 = 2.0;
const LEAST_WINDOW: f64 = 2.0;
/// Length of the first period of the least round-trip time.
const FIRST_RESET: Duration = Duration::from_secs(2);
/// Length of a period, as a share of `reset_period`: uniform from 0.75 to 1.25, given as least value and
/// width.
const SPREAD: (f64, f64) = (0.75, 0.5);

/// State of TCP-NV.
#[derive(Clone, Debug)]
pub struct Nv {
    pub(super) window: Window,
    config: Config,
    rng: Option<Rng>,
    /// Least round-trip time in use (`base`), and least round-trip time of the current period, seconds.
    base: f64,
    fresh: f64,
    /// End of the period.
    reset_at: Option<Instant>,
    /// Largest rate of this round trip, segments per second.
    most: f64,
    /// The round trip ends when a segment is delivered that was sent after this number of segments had been
    /// delivered.
    round_ends: u64,
    /// Acknowledgments since the last reduction.
    acks: u32,
    grows: bool,
}

impl Nv {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            rng: None,
            base: f64::INFINITY,
            fresh: f64::INFINITY,
            reset_at: None,
            most: 0.0,
            round_ends: 0,
            acks: 0,
            grows: true,
        }
    }

    /// Takes the sample of a segment with the round-trip time `rtt`, seconds, at whose transmission `in_flight`
    /// segments were in flight, itself included. Begins the next period if the current one is over.
    fn measure(&mut self, now: Instant, rtt: f64, in_flight: u64) {
        self.base = self.base.min(rtt);
        self.fresh = self.fresh.min(rtt);
        self.most = self.most.max(in_flight as f64 / rtt);
        if *self.reset_at.get_or_insert(now + FIRST_RESET) <= now {
            self.base = self.fresh;
            self.fresh = f64::INFINITY;
            let (least, spread) = SPREAD;
            let drawn = least + spread * self.rng.as_mut().map_or(0.5, Rng::uniform);
            self.reset_at = Some(now + Duration::from_secs_f64(drawn * self.config.reset_period));
        }
    }

    /// Decides at the end of a round trip if the window is reduced, stays or grows.
    fn decide(&mut self) {
        let best = libm::floor(std::mem::take(&mut self.most) * self.base);
        let Config { pad, pad_buffer, decrease, .. } = self.config;
        let (cwnd, most) = (libm::floor(self.window.cwnd), best + pad);
        let slow_start = self.window.cwnd < self.window.ssthresh;
        if cwnd > most {
            if self.acks < if slow_start { SLOW_START_ACKS } else { CUT_ACKS } {
                return;
            }
            let least = if slow_start { LEAST_WINDOW } else { most };
            let less = libm::floor(decrease * (cwnd - most)).max(LEAST_CUT);
            self.window.cwnd = (cwnd - less).max(least);
            self.window.ssthresh = most.max(LEAST_WINDOW);
            self.grows = false;
            self.acks = 0;
        } else if cwnd <= most - pad_buffer && self.acks >= GROWTH_ACKS {
            self.grows = true;
        }
    }
}

impl CongestionControl for Nv {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { rates: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if ack.grow && self.grows && ack.window_limited(self.window.cwnd) {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_rate(&mut self, sample: &RateSample) {
        if sample.newly_delivered == 0 {
            return;
        }
        self.acks = self.acks.saturating_add(1);
        if sample.prior_delivered >= self.round_ends {
            self.round_ends = sample.delivered;
            if self.most > 0.0 {
                self.decide();
            }
        }
        if let Some(rtt) = sample.rtt.filter(|rtt| !rtt.is_zero()) {
            self.measure(sample.now, rtt.secs(), sample.tx_in_flight);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let factor = if loss.why.goes_on() { self.config.loss_factor } else { 0.5 };
        let left = libm::floor(loss.within(self.window.cwnd).base * factor);
        self.window.leave(loss, left);
        self.acks = 0;
        self.grows = true;
        Reaction::CUT
    }

    fn set_rng(&mut self, rng: Rng) {
        self.rng = Some(rng);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, at, close, loss};

    /// Returns a control at the end of a round trip: the largest rate was 800 segments per second and the
    /// least round-trip time 50 ms, so `best` is 40. There were 60 acknowledgments since the last reduction.
    fn nv(cwnd: f64, ssthresh: f64) -> Nv {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut control = Nv::new(&config, Window { cwnd, ssthresh });
        control.measure(at(0.1), 0.05, 30);
        control.measure(at(0.2), 0.06, 48);
        assert!(close(control.most, 800.0) && control.base == 0.05);
        control.acks = 60;
        control
    }

    /// The onset of congestion is best + pad = 50. Growth begins at windows up to 48. At 49 and 50 it continues, if
    /// the window was growing before.
    #[test]
    fn it_grows_up_to_the_onset_of_congestion() {
        for (cwnd, before, grows) in
            [(48.0, false, true), (49.0, false, false), (49.0, true, true), (50.0, true, true)]
        {
            let mut control = nv(cwnd, 2.0);
            control.grows = before;
            control.decide();
            assert_eq!((control.window.cwnd, control.grows), (cwnd, grows));
            control.on_ack(&ack(0.3, 0.05, 1, 2));
            assert_eq!(control.window.cwnd > cwnd, grows, "{cwnd}");
        }
    }

    /// Windows of 51, 60 and 90 are 1, 10 and 40 segments above the onset of 50. The reductions are 0.3, 2.97 and 11.9
    /// segments, but at least 2, in whole segments. In congestion avoidance the window stays at or above the onset. In slow
    /// start the kernel reduced 40 segments to 37 at an onset of 27, and to 38 at 37.
    #[test]
    fn congestion_reduces_the_window() {
        for (cwnd, ssthresh, left) in [
            (51.0, 2.0, 50.0),
            (60.0, 2.0, 58.0),
            (90.0, 2.0, 79.0),
            (63.0, 1e9, 60.0),
            (53.0, 1e9, 51.0),
            (51.0, 1e9, 49.0),
        ] {
            let mut control = nv(cwnd, ssthresh);
            control.decide();
            assert_eq!(control.window, Window { cwnd: left, ssthresh: 50.0 }, "{cwnd}");
            assert!(!control.grows);
        }
    }

    #[test]
    fn a_reduction_and_growth_need_acknowledgments() {
        for (acks, ssthresh, cuts) in [(59, 2.0, false), (60, 2.0, true), (29, 1e9, false), (30, 1e9, true)] {
            let mut control = nv(60.0, ssthresh);
            control.acks = acks;
            control.decide();
            assert_eq!(control.window.cwnd < 60.0, cuts, "{acks}");
        }
        for (acks, decides) in [(19, false), (20, true)] {
            let mut control = nv(30.0, 2.0);
            (control.acks, control.grows) = (acks, false);
            control.decide();
            assert_eq!(control.grows, decides);
        }
    }

    /// The first period lasts 2 s; the next, without a random stream, 5 s. After each, `base` is the least
    /// round-trip time of that period.
    #[test]
    fn the_least_round_trip_is_measured_anew() {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut control = Nv::new(&config, Window { cwnd: 10.0, ssthresh: 2.0 });
        for (time, rtt, base) in [
            (0.1, 0.05, 0.05),
            (1.9, 0.06, 0.05),
            (2.2, 0.07, 0.05),
            (3.0, 0.08, 0.05),
            (7.1, 0.09, 0.05),
            (7.3, 0.09, 0.08),
            (9.0, 0.04, 0.04),
        ] {
            control.measure(at(time), rtt, 10);
            assert_eq!(control.base, base, "{time}");
        }
    }

    /// A loss at 67 segments leaves 67 * 819 / 1024 = 53.6, rounded down.
    #[test]
    fn a_loss_leaves_four_fifths() {
        let mut control = nv(67.0, 2.0);
        control.on_congestion(&loss(67.0, 0, 67));
        assert_eq!(control.window, Window { cwnd: 53.0, ssthresh: 53.0 });
    }
}
