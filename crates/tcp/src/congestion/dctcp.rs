//! DCTCP: reduces the window in proportion to the share of marked packets (RFC 8257).
//!
//! Once per window of data, of whose `N` segments `M` were marked (section 3.3):
//!
//! ```text
//! alpha = (1 - g) * alpha + g * M / N
//! ```
//!
//! If ECE was received, once per round trip `cwnd = cwnd * (1 - alpha / 2)`. Growth and the reaction to
//! losses are Reno's. The receiver must report every mark (`ecn = "dctcp"`, preset by this control). The
//! queue must mark at a threshold: RED with equal thresholds and no averaging.
//!
//! Left out: marks on SYNs, and the lower bound of alpha for small `g` (section 4.2). Validated: alpha by
//! hand here, the queue at its threshold in crates/sim.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Arrival, Congestion, LossSample, Reaction};
use super::window::Window;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "dctcp",
    summary: "reduces the window in proportion to the share of marked packets",
    source: "RFC 8257",
    aliases: &["TcpDctcp", "ns3::TcpDctcp", "tcp_dctcp"],
    linux: false,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of DCTCP.
    g: f64 = number("", 0.0625, 0.0001, 1.0; "weight of the newest window of data in the estimated share of marked segments"),
}

/// State of DCTCP.
#[derive(Clone, Debug)]
pub struct Dctcp {
    pub(super) window: Window,
    config: Config,
    /// DCTCP.Alpha: estimated share of marked segments.
    alpha: f64,
    /// Segments acknowledged in the current window of data, and those of them that were marked.
    acked: u64,
    marked: u64,
    /// Segments acknowledged in total, and the total at which the current window of data ends.
    total: u64,
    window_ends: u64,
}

impl Dctcp {
    /// Creates the state at the start of a connection. Alpha is 1, so that the first mark halves the window
    /// (section 3.3).
    pub fn new(config: &Config, window: Window) -> Self {
        Self { window, config: *config, alpha: 1.0, acked: 0, marked: 0, total: 0, window_ends: 0 }
    }
}

impl CongestionControl for Dctcp {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { arrivals: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if ack.grow {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        self.acked += arrival.acked;
        self.total += arrival.acked;
        if arrival.marked {
            self.marked += arrival.acked;
        }
        if self.total >= self.window_ends && self.acked > 0 {
            let share = self.marked as f64 / self.acked as f64;
            self.alpha += self.config.g * (share - self.alpha);
            self.acked = 0;
            self.marked = 0;
            self.window_ends = self.total + arrival.outstanding.saturating_sub(arrival.acked);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let factor = if loss.why == Congestion::Mark { 1.0 - self.alpha / 2.0 } else { 0.5 };
        let reduced = loss.reduced(factor);
        if !loss.keep_ssthresh {
            self.window.ssthresh = loss.threshold(reduced);
        }
        self.window.cwnd = match loss.why {
            Congestion::FastLoss | Congestion::Mark => reduced.max(loss.floor).max(1.0),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Instant;

    fn window(dctcp: &mut Dctcp, segments: u64, marked: u64) {
        for i in 0..segments {
            let arrival = Arrival {
                now: Instant::ZERO,
                acked: 1,
                outstanding: segments,
                segment: 1000,
                srtt: None,
                marked: i < marked,
            };
            dctcp.on_arrival(&arrival);
        }
    }

    /// With g = 1/16 a first acknowledgment without mark reduces alpha from 1 to 15/16. Windows of ten
    /// segments with 0, 5 and 10 marks follow.
    #[test]
    fn alpha_follows_the_share_of_marks() {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut dctcp = Dctcp::new(&config, Window { cwnd: 10.0, ssthresh: f64::INFINITY });
        window(&mut dctcp, 1, 0);
        let mut alpha = 15.0 / 16.0;
        assert!((dctcp.alpha - alpha).abs() < 1e-12);
        for (marks, share) in [(0, 0.0), (5, 0.5), (10, 1.0)] {
            // A window of data has the segments that were outstanding when it began, here always ten.
            dctcp.window_ends = dctcp.total + 10;
            window(&mut dctcp, 10, marks);
            alpha = 15.0 / 16.0 * alpha + share / 16.0;
            assert!((dctcp.alpha - alpha).abs() < 1e-12, "{} for {alpha}", dctcp.alpha);
        }
    }
}
