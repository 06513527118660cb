//! TCP Hybla: growth in time as that of a connection with a short round-trip time (Caini and Firrincieli
//! 2004).
//!
//! ```text
//! rho = max(RTT / reference_rtt, 1), RTT the least so far
//! slow start:  cwnd += 2^rho - 1 for each acknowledgment
//! avoidance:   cwnd += rho^2 / cwnd
//! loss:        as in Reno
//! start:       cwnd grows as in Reno for three acknowledgments, which give an estimate of the bottleneck's rate B, the largest of
//!              the rates between two of them; then ssthresh = B * RTT (Hoe 1996)
//! ```
//!
//! The window does not grow while it does not limit the sender (RFC 7661). Slow start ends exactly at
//! ssthresh, not an increment of 2^rho beyond it. Left out: the paper's pacing, and its initial window of rho
//! segments, which belong to the endpoint. Without pacing, slow start on a long path sends bursts that
//! overflow a short queue. rho in the exponent is at most 16. In form `linux` the initial window is rho, in whole segments.

use super::algorithm::{Algorithm, Form, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::round_trips::RoundTrips;
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;
use base::Instant;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "hybla",
    summary: "the same growth per second as a connection with a short round-trip time",
    source: "Caini and Firrincieli 2004",
    aliases: &["tcp-hybla", "tcp_hybla", "TcpHybla", "ns3::TcpHybla"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of TCP Hybla.
    reference_rtt: f64 = number("ms", 25.0, 0.001, 100000.0; "round-trip time of the reference connection, whose growth per second Hybla has (RTT0)"),
    estimate: bool = words(&["off", "on"], 1; "the first acknowledgments set ssthresh to their rate times the round-trip time"),
    form: Form = words(&["paper", "tcp-linux", "linux"], 0; "as published; tcp-linux: rho from the least smoothed round-trip time, in whole eighths, and known from the second acknowledgment on; linux: as Linux 6.12, with an initial window of rho segments, and growth per acknowledgment in parts of 1/128"),
}

/// Number of acknowledgments from which the bottleneck's rate is estimated.
const SHOWING_RATE: u32 = 3;
/// Largest rho in the exponent of slow start. 2^16 segments exceed any window without window scaling.
const MAX_EXPONENT: f64 = 16.0;

/// Form `linux`: the window grows by whole units of 1 / `PARTS` segment.
const PARTS: f64 = 128.0;

/// State of TCP Hybla.
#[derive(Clone, Debug)]
pub struct Hybla {
    pub(super) window: Window,
    config: Config,
    trips: RoundTrips,
    /// Acknowledgments so far from which the bottleneck's rate is estimated.
    seen: u32,
    /// Time of the last acknowledgment used for the estimate.
    last: Instant,
    /// Largest rate between two acknowledgments used for the estimate, segments per second.
    rate: f64,
    /// Form `linux`: growth that does not yet make a whole segment, in units of 1 / `PARTS` segment.
    parts: f64,
}

impl Hybla {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            trips: RoundTrips::NONE,
            seen: 0,
            last: Instant::ZERO,
            rate: 0.0,
            parts: 0.0,
        }
    }

    /// Returns rho, the ratio of the least round-trip time to `reference_rtt`, at least 1. All forms but
    /// `paper` round it down to a multiple of 1/8.
    fn rho(&self) -> f64 {
        if self.trips.min.is_finite() {
            let rho = (self.trips.min * 1e3 / self.config.reference_rtt).max(1.0);
            if self.config.form != Form::Published { libm::floor(8.0 * rho) / 8.0 } else { rho }
        } else {
            1.0
        }
    }

    /// Increases the window for an acknowledgment as in Linux 6.12, in units of 1 / `PARTS` segment. The
    /// increase does not depend on the number of segments acknowledged.
    fn step(&mut self, rho: f64) {
        let Window { cwnd, ssthresh } = self.window;
        let slow_start = cwnd < ssthresh;
        let growth = if slow_start {
            libm::floor(PARTS * (libm::exp2(rho.min(MAX_EXPONENT)) - 1.0))
        } else {
            libm::floor(PARTS * rho * rho / cwnd)
        };
        self.parts += growth;
        let whole = libm::floor(self.parts / PARTS);
        self.parts -= PARTS * whole;
        self.window.cwnd = cwnd + whole;
        if slow_start {
            self.window.cwnd = self.window.cwnd.min(ssthresh);
        }
    }

    /// Returns true while the bottleneck's rate is being estimated.
    fn estimating(&self) -> bool {
        self.config.estimate && self.seen < SHOWING_RATE
    }

    fn estimate(&mut self, ack: &AckSample) {
        let passed = ack.now.since(self.last).secs();
        if self.seen > 0 && passed > 0.0 {
            self.rate = self.rate.max((ack.una - ack.una_before) as f64 / passed);
        }
        self.last = ack.now;
        self.seen += 1;
        if self.seen == SHOWING_RATE && self.rate > 0.0 && self.trips.min.is_finite() {
            let path = (self.rate * self.trips.min).max(2.0);
            self.window.ssthresh = self.window.ssthresh.min(path);
        }
    }
}

impl CongestionControl for Hybla {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, ..Needs::default() }
    }

    fn on_handshake(&mut self, _now: Instant, rtt: base::Duration) {
        if self.config.form == Form::Linux {
            self.trips.min = rtt.secs();
            // The paper's initial window, in whole segments.
            self.window.cwnd = libm::floor(self.rho());
        }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        let before = self.rho();
        if self.config.form != Form::Published {
            if let Some(srtt) = ack.srtt.filter(|_| ack.grow) {
                self.trips.min = self.trips.min.min(srtt.secs());
            }
        } else {
            self.trips.take(ack);
        }
        let reno = self.estimating();
        if reno {
            self.estimate(ack);
        }
        let Window { cwnd, ssthresh } = self.window;
        if !ack.grow || !ack.window_limited(cwnd) {
            return;
        }
        let rho = match reno {
            true => 1.0,
            false if self.config.form == Form::TcpLinux => before,
            false => self.rho(),
        };
        if self.config.form == Form::Linux {
            return self.step(rho);
        }
        self.window.cwnd = if cwnd < ssthresh {
            (cwnd + (libm::exp2(rho.min(MAX_EXPONENT)) - 1.0) * ack.count).min(ssthresh.max(cwnd + ack.count))
        } else {
            cwnd + rho * rho * ack.count / cwnd
        };
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.trips.lost(loss);
        self.seen = SHOWING_RATE;
        self.window.cut(loss, 0.5);
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    fn hybla(cwnd: f64, ssthresh: f64, estimate: bool) -> Hybla {
        Hybla::new(
            &Config { reference_rtt: 25.0, estimate, form: Form::Published },
            Window { cwnd, ssthresh },
        )
    }

    #[test]
    fn growth_is_that_of_the_reference_connection() {
        // The round-trip time is 100 ms and the reference 25 ms, so rho is 4.
        let mut control = hybla(2.0, 100.0, false);
        control.on_ack(&ack(0.1, 0.1, 1, 10));
        assert!(close(control.window.cwnd, 17.0), "slow start: 2^4 - 1 more");
        let mut control = hybla(20.0, 10.0, false);
        control.on_ack(&ack(0.1, 0.1, 1, 10));
        assert!(close(control.window.cwnd, 20.8), "avoidance: 16 / 20 more");
    }

    /// rho = 84.08 ms / 25 ms = 3.36, in whole eighths 26 / 8 = 3.25. The first acknowledgment adds one
    /// segment, the second 2^3.25 - 1.
    #[test]
    fn the_form_linux_counts_eighths() {
        let config = Config { reference_rtt: 25.0, estimate: false, form: Form::TcpLinux };
        let mut control = Hybla::new(&config, Window { cwnd: 2.0, ssthresh: 100.0 });
        let smoothed = |una| {
            let sample = ack(0.1, 0.08408, una, 10);
            AckSample { srtt: sample.rtt, ..sample }
        };
        control.on_ack(&smoothed(1));
        assert_eq!(control.window.cwnd, 3.0);
        control.on_ack(&smoothed(2));
        assert!(close(control.window.cwnd, 3.0 + 8.513_656_920_021_768));
    }

    /// rho = 40.1 ms / 25 ms, in whole eighths 12 / 8 = 1.5. Each acknowledgment adds 1.5^2 * 128 / cwnd =
    /// 288 / cwnd units: 4 at 60 segments, 7 at 40; in slow start 128 (2^1.5 - 1) = 234. The number of
    /// segments acknowledged does not matter.
    #[test]
    fn the_form_linux_of_today_counts_parts() {
        let config = Config { reference_rtt: 25.0, estimate: false, form: Form::Linux };
        let mut control = Hybla::new(&config, Window { cwnd: 60.0, ssthresh: 2.0 });
        control.on_handshake(Instant::ZERO, base::Duration::from_us(40_100));
        assert_eq!(control.window.cwnd, 1.0, "rho segments");
        control.window.cwnd = 60.0;
        let two = |una| AckSample { count: 2.0, ..ack(0.1, 0.045, una, 10) };
        (1..32).for_each(|una| control.on_ack(&two(una)));
        assert_eq!((control.window.cwnd, control.parts), (60.0, 124.0));
        control.on_ack(&two(32));
        assert_eq!((control.window.cwnd, control.parts), (61.0, 0.0));
        control.window.cwnd = 40.0;
        control.on_ack(&two(33));
        assert_eq!(control.parts, 7.0);
        control.window.ssthresh = 42.0;
        control.on_ack(&two(34));
        assert_eq!((control.window.cwnd, control.parts), (41.0, 113.0));
        control.on_ack(&two(35));
        assert_eq!(control.window.cwnd, 42.0, "no further than the threshold");
    }

    #[test]
    fn a_short_round_trip_leaves_reno() {
        let mut control = hybla(10.0, 5.0, false);
        control.on_ack(&ack(0.01, 0.01, 1, 10));
        assert!(close(control.window.cwnd, 10.1));
        control.on_congestion(&loss(10.0, 1, 11));
        assert_eq!(control.window, Window { cwnd: 5.0, ssthresh: 5.0 });
    }

    #[test]
    fn slow_start_ends_at_the_bottlenecks_rate_times_the_round_trip() {
        // Acknowledgments come 10 ms apart, which is a rate of 100 segments per second; the round-trip time
        // is 600 ms.
        let mut control = hybla(10.0, f64::INFINITY, true);
        for i in 0..3u64 {
            control.on_ack(&ack(0.6 + 0.01 * i as f64, 0.6, i + 1, 20));
        }
        assert!(close(control.window.cwnd, 13.0), "Reno's growth until then: {}", control.window.cwnd);
        assert!(close(control.window.ssthresh, 60.0));
        control.on_ack(&ack(0.63, 0.6, 4, 20));
        assert!(close(control.window.cwnd, 60.0), "{}", control.window.cwnd);
    }
}
