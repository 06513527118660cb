//! HighSpeed TCP: larger increases and smaller decreases as the window grows (RFC 3649).
//!
//! With w the window, W = low_window, W1 = high_window, P = low_loss, P1 = high_loss (section 5):
//!
//! ```text
//! p(w) = exp(ln P + (ln w - ln W) / (ln W1 - ln W) * (ln P1 - ln P))      loss rate at which the average window is w
//! b(w) = 0.5 + (high_decrease - 0.5) * (ln w - ln W) / (ln W1 - ln W)
//! a(w) = w^2 * p(w) * 2 * b(w) / (2 - b(w))
//! acknowledgment: cwnd += a(cwnd) / cwnd          ACK-detected loss: cwnd *= 1 - b(cwnd)      w <= W: a = 1, b = 1/2
//! ```
//!
//! a is at least 1 (the formula gives 0.96 at W). A loss in slow start and a timeout halve the window as in
//! Reno, because the RFC's equations are for congestion avoidance. The window does not grow while it does not
//! limit the sender (RFC 7661). Left out: limited slow start (RFC 3742), a separate mechanism.

use super::algorithm::{Algorithm, Form, parameters};
use super::control::{CongestionControl, own_window};
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "highspeed",
    summary: "larger increases and smaller decreases as the window grows",
    source: "RFC 3649",
    aliases: &["hstcp", "high-speed", "tcp_highspeed", "TcpHighSpeed", "ns3::TcpHighSpeed"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of HighSpeed TCP.
    low_window: f64 = number("segments", 38.0, 2.0, 1000000000.0; "up to this window as Reno (Low_Window)"),
    high_window: f64 = number("segments", 83000.0, 3.0, 1000000000.0; "average window at the loss ratio `high_loss` (High_Window)"),
    low_loss: f64 = number("", 0.001, 1e-09, 1.0; "loss ratio at which the average window is `low_window`"),
    high_loss: f64 = number("", 1e-07, 1e-12, 1.0; "loss ratio at which the average window is `high_window` (High_P)"),
    high_decrease: f64 = number("", 0.1, 0.001, 0.5; "share by which a loss reduces the window at `high_window` (High_Decrease)"),
    by_window as "cut_row": bool = words(&["growth", "window"], 0; "row that gives the cut, where rows do: that of the last growth, or that of the window that lost"),
    form: Form = words(&["formula", "tcp-linux", "linux"], 0; "by the equations; or as in TCP-Linux, by the rows of appendix B in whole segments; or as in Linux 6.12, the same with one increment per acknowledgment"),
}

/// Amount by which a(w) may exceed a whole number and still belong to the row of that number, derived from
/// the windows of appendix B.
const IN_ROW: f64 = 0.011;
/// The table's response function p(w) = 0.078 / w^1.2 (section 5).
const ROW_LOSS: (f64, f64) = (0.078, 1.2);
/// TCP-Linux rounds b(w) to two decimal digits, and keeps it as a multiple of 1 / `PARTS`.
const PARTS: f64 = 256.0;

/// A row of appendix B: increase and decrease for windows above `from` up to `upto`.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Row {
    from: f64,
    upto: f64,
    increase: f64,
    decrease: f64,
}

/// State of HighSpeed TCP.
#[derive(Clone, Debug)]
pub struct HighSpeed {
    pub(super) window: Window,
    config: Config,
    /// Forms `tcp-linux` and `linux`: the row that gave the last increase of the window.
    row: Row,
}

impl HighSpeed {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        let row = Row { from: 0.0, upto: config.low_window, increase: 1.0, decrease: 0.5 };
        Self { window, config: *config, row }
    }

    /// Returns the row that applies to a window of `w` segments.
    fn row(&self, w: f64) -> Row {
        let first = |w: f64| w <= self.config.low_window;
        let rows = |w: f64| {
            let b = self.decrease(w);
            let a = ROW_LOSS.0 * libm::pow(w, 2.0 - ROW_LOSS.1) * 2.0 * b / (2.0 - b);
            if first(w) { 1.0 } else { libm::ceil(a - IN_ROW).max(2.0) }
        };
        let increase = rows(w);
        let end = |reach: &dyn Fn(f64) -> bool, mut low: f64, mut high: f64| {
            // Bisection for the largest whole window that is still in the row.
            while high - low > 1.0 {
                let middle = libm::floor((low + high) / 2.0);
                if reach(middle) { low = middle } else { high = middle }
            }
            low
        };
        let upto = end(&|w| rows(w) <= increase, libm::floor(w), 2.0 * w + self.config.high_window);
        let from = end(&|w| rows(w) < increase, 0.0, libm::floor(w).max(1.0));
        let digits = libm::round(100.0 * self.decrease(upto)) / 100.0;
        Row { from, upto, increase, decrease: libm::floor(PARTS * digits) / PARTS }
    }

    /// Returns the position of `w` between low and high window on a logarithmic scale, 0 to 1; 0 below the
    /// low window, above 1 beyond the high window.
    fn way(&self, w: f64) -> f64 {
        let Config { low_window, high_window, .. } = self.config;
        let way = libm::log(w / low_window) / libm::log(high_window.max(low_window + 1.0) / low_window);
        way.max(0.0)
    }

    /// Returns b(w), the share by which a loss reduces the window.
    fn decrease(&self, w: f64) -> f64 {
        // Far above the high window the linear formula would be negative.
        (0.5 + (self.config.high_decrease - 0.5) * self.way(w)).max(0.0)
    }

    /// Returns a(w), the growth in segments per round trip.
    fn increase(&self, w: f64) -> f64 {
        let Config { low_window, low_loss, high_loss, .. } = self.config;
        if w <= low_window {
            return 1.0;
        }
        let p = low_loss * libm::pow(high_loss / low_loss, self.way(w));
        let b = self.decrease(w);
        (w * w * p * 2.0 * b / (2.0 - b)).max(1.0)
    }
}

impl CongestionControl for HighSpeed {
    own_window!();

    #[inline]
    fn on_ack(&mut self, ack: &AckSample) {
        let cwnd = self.window.cwnd;
        if ack.grow && ack.window_limited(cwnd) {
            let avoids = cwnd >= self.window.ssthresh;
            let rows = self.config.form != Form::Published;
            if rows && avoids && !(self.row.from < cwnd && cwnd <= self.row.upto) {
                self.row = self.row(cwnd);
            }
            let increase = match avoids {
                false => 1.0,
                true if rows => self.row.increase,
                true => self.increase(cwnd),
            };
            let by_acks = avoids && self.config.form == Form::Linux;
            self.window.grow(if by_acks { 1.0 } else { ack.count }, increase);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if self.config.form != Form::Published {
            if self.config.by_window {
                self.row = self.row(self.window.cwnd);
            }
            self.window.leave(loss, loss.within(self.window.cwnd).less(self.row.decrease));
            return Reaction::CUT;
        }
        let decrease = self.decrease(loss.base);
        self.window.cut_in_avoidance(loss, 1.0 - decrease);
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    fn highspeed(cwnd: f64) -> HighSpeed {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        HighSpeed::new(&config, Window { cwnd, ssthresh: 2.0 })
    }

    /// In Linux 6.12 an acknowledgment of two segments counts once, in congestion avoidance. Above 38 segments a is 2: 40
    /// acknowledgments add two segments. A loss takes 22 of 51.
    #[test]
    fn the_form_linux_counts_acknowledgments() {
        let mut control = highspeed(40.0);
        control.config.form = Form::Linux;
        let two = AckSample { count: 2.0, ..ack(1.0, 0.1, 1, 100) };
        control.on_ack(&two);
        assert!(close(control.window.cwnd, 40.0 + 2.0 / 40.0), "{}", control.window.cwnd);
        control.window = Window { cwnd: 10.0, ssthresh: 20.0 };
        control.on_ack(&two);
        assert_eq!(control.window.cwnd, 12.0, "slow start counts segments");
        control.window = Window { cwnd: 51.0, ssthresh: 2.0 };
        control.on_ack(&two);
        control.window.cwnd = 51.0;
        control.on_congestion(&loss(51.0, 1, 101));
        assert_eq!(control.window.cwnd, 29.0);
    }

    /// ns-3.37, with 391 segments in the network and a window of 394 at the loss of slow start, leaves 246 segments. In another
    /// run it leaves 163 of 263, with a window of 266. These are the rows 348 to 495 and 222 to 347 of appendix B, with b =
    /// 0.37 and 0.38. Here b is 94/256 and 97/256, so the reductions leave one or two segments more.
    #[test]
    fn the_window_can_give_the_row_of_the_cut() {
        for (window, lost, left) in [(394.0, 391.0, 248.0), (266.0, 263.0, 164.0)] {
            let mut control = highspeed(window);
            (control.config.form, control.config.by_window) = (Form::TcpLinux, true);
            control.on_congestion(&loss(lost, 1, 401));
            assert_eq!(control.window.ssthresh, left);
        }
    }

    /// RFC 3649 appendix B: window, increase in whole segments, decrease in two digits.
    const TABLE: &[(f64, f64, f64)] = &[
        (38.0, 1.0, 0.50),
        (118.0, 2.0, 0.44),
        (221.0, 3.0, 0.41),
        (347.0, 4.0, 0.38),
        (495.0, 5.0, 0.37),
        (663.0, 6.0, 0.35),
        (851.0, 7.0, 0.34),
        (1058.0, 8.0, 0.33),
        (1284.0, 9.0, 0.32),
        (1529.0, 10.0, 0.31),
    ];

    #[test]
    fn the_response_is_the_table_of_the_rfc() {
        let control = highspeed(10.0);
        for &(w, a, b) in TABLE {
            assert_eq!(libm::round(control.increase(w)), a, "a({w}) = {}", control.increase(w));
            assert!((control.decrease(w) - b).abs() <= 0.0051, "b({w}) = {}", control.decrease(w));
        }
        // RFC 3649 section 5 gives a = 72 and b = 0.1 at 83000 segments.
        assert!((control.increase(83000.0) - 72.5).abs() < 0.1, "{}", control.increase(83000.0));
        assert!(close(control.decrease(83000.0), 0.1));
    }

    /// The rows end at 38, 118 and 221. The decrease 0.44 becomes 112 / 256. The first loss halves any
    /// window, because no row has given an increase yet.
    #[test]
    fn the_form_linux_goes_by_rows() {
        let config = Config { form: Form::TcpLinux, ..Config::new(&|name| ALGORITHM.default_of(name)) };
        let mut control = HighSpeed::new(&config, Window { cwnd: 153.0, ssthresh: 2.0 });
        for (w, from, upto, increase, parts) in [
            (20.0, 0.0, 38.0, 1.0, 128.0),
            (39.0, 38.0, 118.0, 2.0, 112.0),
            (221.0, 118.0, 221.0, 3.0, 104.0),
        ] {
            assert_eq!(control.row(w), Row { from, upto, increase, decrease: parts / 256.0 });
        }
        for rows in TABLE.windows(2) {
            let row = control.row(rows[1].0);
            assert_eq!((row.from, row.upto, row.increase), (rows[0].0, rows[1].0, rows[1].1));
        }
        control.on_congestion(&loss(153.0, 0, 153));
        assert_eq!(control.window.cwnd, 77.0, "76.5 are taken, 76 whole");
        control.on_ack(&ack(1.0, 0.1, 1, 100));
        assert!(close(control.window.cwnd, 77.0 + 2.0 / 77.0));
        control.on_congestion(&loss(100.0, 0, 100));
        assert_eq!(control.window.cwnd, 44.0, "33 of 77 are taken");
    }

    #[test]
    fn small_windows_are_renos() {
        let mut control = highspeed(20.0);
        control.on_ack(&ack(1.0, 0.1, 1, 100));
        assert!(close(control.window.cwnd, 20.05));
        control.on_congestion(&loss(20.0, 0, 100));
        assert_eq!(control.window, Window { cwnd: 10.0, ssthresh: 10.0 });
    }

    #[test]
    fn a_loss_takes_the_share_of_the_window() {
        let mut control = highspeed(1058.0);
        control.on_congestion(&loss(1058.0, 0, 100));
        assert!((control.window.cwnd - 0.67 * 1058.0).abs() < 5.0, "{}", control.window.cwnd);
        assert_eq!(control.window.cwnd, control.window.ssthresh);
    }
}
