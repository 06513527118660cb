//! Scalable TCP: growth and decrease are proportional to the window (Kelly 2003).
//!
//! ```text
//! acknowledgment:    cwnd += increase    recovery from a loss takes the same number of round trips at every rate
//! ACK-detected loss: cwnd *= 1 - decrease
//! cwnd <= legacy_window: both as in Reno
//! ```
//!
//! Recovery from a loss takes ln(1 / (1 - decrease)) / ln(1 + increase) round trips, 13.4 with the paper's
//! values; Reno's takes cwnd / 2. A loss in slow start and a timeout halve the window as in Reno, because the
//! paper describes congestion avoidance only. The window does not grow while it does not limit the sender
//! (RFC 7661). The form `tcp-linux` is derived from packet traces of ns-2's TCP-Linux. The window grows by
//! one segment per 50 acknowledged segments, or per window of segments if the window is smaller (`steps.rs`),
//! and a loss reduces the window by 1/8, in whole segments. The form `linux` is that of Linux 6.12: 100
//! segments instead of 50, and acknowledged segments that remain after an increase count towards the next.
//! Left out: nothing of the paper.

use super::algorithm::{Algorithm, Form, parameters};
use super::control::{CongestionControl, own_window};
use super::signals::{AckSample, LossSample, Reaction};
use super::steps::Steps;
use super::window::Window;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "scalable",
    summary: "growth and decrease in proportion to the window",
    source: "Kelly 2003",
    aliases: &["stcp", "scalable-tcp", "tcp_scalable", "TcpScalable", "ns3::TcpScalable"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Scalable TCP.
    increase: f64 = number("segments per acknowledgment", 0.01, 0.0, 1.0; "growth above legacy_window"),
    decrease: f64 = number("", 0.125, 0.0, 1.0; "share by which a loss reduces the window above legacy_window"),
    legacy_window: f64 = number("segments", 16.0, 0.0, 1000000000.0; "up to this window as Reno"),
    form: Form = words(&["paper", "tcp-linux", "linux"], 0; "as published; or with growth by whole segments and a decrease by 1/8 at any window, as in TCP-Linux or in Linux 6.12"),
}

/// Forms `tcp-linux` and `linux`: acknowledged segments per increase of the window by one segment; with a
/// smaller window, one window of segments.
const STEP: f64 = 50.0;
const KERNEL_STEP: f64 = 100.0;

/// State of Scalable TCP.
#[derive(Clone, Debug)]
pub struct Scalable {
    pub(super) window: Window,
    config: Config,
    /// State of the forms `tcp-linux` and `linux`.
    steps: Steps,
}

impl Scalable {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self { window, config: *config, steps: Steps::default() }
    }

    /// Returns the growth at a window of `cwnd` segments, in segments per round trip.
    fn growth(&self, cwnd: f64) -> f64 {
        if cwnd <= self.config.legacy_window {
            return 1.0;
        }
        self.config.increase * cwnd
    }
}

impl CongestionControl for Scalable {
    own_window!();

    #[inline]
    fn on_ack(&mut self, ack: &AckSample) {
        let cwnd = self.window.cwnd;
        if ack.grow && ack.window_limited(cwnd) {
            let (steps, window) = (&mut self.steps, &mut self.window.cwnd);
            match self.config.form {
                Form::TcpLinux if cwnd >= self.window.ssthresh => {
                    return steps.count(window, ack.count, cwnd.min(STEP));
                }
                Form::Linux if cwnd >= self.window.ssthresh => {
                    return steps.count_with_rest(window, ack.count, cwnd.min(KERNEL_STEP));
                }
                _ => {}
            }
            let growth = self.growth(cwnd);
            self.window.grow(ack.count, growth);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if self.config.form != Form::Published {
            self.steps.clear();
            self.window.leave(loss, loss.within(self.window.cwnd).less(self.config.decrease));
            return Reaction::CUT;
        }
        let legacy = loss.base <= self.config.legacy_window;
        self.window.cut_in_avoidance(loss, if legacy { 0.5 } else { 1.0 - self.config.decrease });
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    fn scalable(cwnd: f64) -> Scalable {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        Scalable::new(&config, Window { cwnd, ssthresh: 2.0 })
    }

    #[test]
    fn a_cut_is_made_good_in_as_many_round_trips_at_any_rate() {
        for window in [100.0, 10_000.0] {
            let mut control = scalable(window);
            control.on_congestion(&loss(window, 0, 100));
            assert!(close(control.window.cwnd, 0.875 * window));
            let mut rounds = 0;
            while control.window.cwnd < window {
                for _ in 0..control.window.cwnd as u32 {
                    control.on_ack(&ack(1.0, 0.1, 1, 100));
                }
                rounds += 1;
            }
            // Recovery takes ln(8 / 7) / ln(1.01) = 13.42 round trips.
            assert_eq!(rounds, 14, "from {} segments", 0.875 * window);
        }
    }

    #[test]
    fn small_windows_are_renos() {
        let mut control = scalable(16.0);
        control.on_ack(&ack(1.0, 0.1, 1, 100));
        assert!(close(control.window.cwnd, 16.0 + 1.0 / 16.0));
        control.on_ack(&ack(1.0, 0.1, 2, 100));
        assert!(close(control.window.cwnd, 16.0 + 1.0 / 16.0 + 0.01));
        control.on_congestion(&loss(16.0, 0, 100));
        assert_eq!(control.window, Window { cwnd: 8.0, ssthresh: 8.0 });
    }

    /// A loss at 62 segments reduces the window by 7. At 55 segments the 51st acknowledgment increases the
    /// window, at 40 the 41st.
    #[test]
    fn the_form_linux_counts_in_whole_segments() {
        let config = Config { form: Form::TcpLinux, ..Config::new(&|name| ALGORITHM.default_of(name)) };
        let mut control = Scalable::new(&config, Window { cwnd: 62.0, ssthresh: 2.0 });
        control.on_congestion(&loss(62.0, 0, 62));
        for (cwnd, acks) in [(55.0, 51), (40.0, 41)] {
            control.window = Window { cwnd, ssthresh: 2.0 };
            (1..acks).for_each(|una| control.on_ack(&ack(1.0, 0.1, una, 100)));
            assert_eq!(control.window.cwnd, cwnd);
            control.on_ack(&ack(1.0, 0.1, acks, 100));
            assert_eq!(control.window.cwnd, cwnd + 1.0);
        }
    }

    /// A loss at 62 segments reduces the window by 7. One segment of growth takes 100 acknowledged segments
    /// at a window of 120, and 40 at a window of 40. Each acknowledgment covers two segments.
    #[test]
    fn the_form_linux_of_today_steps_by_a_hundred() {
        let config = Config { form: Form::Linux, ..Config::new(&|name| ALGORITHM.default_of(name)) };
        let mut control = Scalable::new(&config, Window { cwnd: 62.0, ssthresh: 2.0 });
        control.on_congestion(&loss(62.0, 0, 62));
        assert_eq!(control.window, Window { cwnd: 55.0, ssthresh: 55.0 });
        for (cwnd, acks) in [(120.0, 50), (40.0, 20)] {
            control.window = Window { cwnd, ssthresh: 2.0 };
            let two = |una| crate::congestion::AckSample { count: 2.0, ..ack(1.0, 0.1, una, 100) };
            (1..acks).for_each(|una| control.on_ack(&two(una)));
            assert_eq!(control.window.cwnd, cwnd);
            control.on_ack(&two(acks));
            assert_eq!(control.window.cwnd, cwnd + 1.0);
        }
    }

    #[test]
    fn a_window_that_is_not_used_does_not_grow() {
        let mut control = scalable(100.0);
        control.on_ack(&crate::congestion::AckSample { outstanding: 50, ..ack(1.0, 0.1, 1, 100) });
        assert_eq!(control.window.cwnd, 100.0);
    }
}
