//! LEDBAT: uses spare capacity only, and keeps its own queueing delay at a target (RFC 6817).
//!
//! On each acknowledgment of new data (section 2.4.2), with `delay` its one-way delay:
//!
//! ```text
//! base       = least delay of the last 10 minutes, kept per minute
//! current    = least of the last 4 delays
//! off_target = (target - (current - base)) / target
//! cwnd      += gain * off_target * acknowledged / cwnd,   at most outstanding + 1, at least 2 segments
//! ```
//!
//! A loss halves the window, to at least 2 segments; a timeout sets it to 1. The one-way delay is computed
//! from timestamps (`timestamps = true`). Without timestamps the round-trip time is used, so queues on the
//! reverse path count too.
//!
//! Left out: slow start, which section 2.4.1 leaves to the sender; clock skew. Validated: off-target steps by
//! hand (below).

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Congestion, LossSample, Reaction};
use super::window::Window;
use base::{Duration, Instant};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "ledbat",
    summary: "uses capacity that other flows leave; keeps its queueing delay at a target",
    source: "RFC 6817",
    aliases: &["TcpLedbat", "ns3::TcpLedbat", "tcp_ledbat", "utp"],
    linux: false,
    parameters: PARAMETERS,
};

/// Number of minutes in the base history, and number of delays in the current filter (section 2.4.2).
const BASE_HISTORY: usize = 10;
const CURRENT_FILTER: usize = 4;
const MINUTE: Duration = Duration::from_secs(60);
/// Least window except after a timeout, and largest excess of the window over outstanding data; segments.
const MIN_WINDOW: f64 = 2.0;
const ALLOWED_INCREASE: f64 = 1.0;

parameters! {
    /// Parameters of LEDBAT.
    target: f64 = number("s", 0.1, 0.001, 10.0; "target of the queueing delay; at most 0.1 by the RFC"),
    gain: f64 = number("", 1.0, 0.001, 1.0; "growth without queueing delay, in segments per round trip (GAIN)"),
}

/// State of LEDBAT.
#[derive(Clone, Debug)]
pub struct Ledbat {
    pub(super) window: Window,
    config: Config,
    /// Least delay of each of the last minutes, newest first, seconds.
    base: [f64; BASE_HISTORY],
    minute_began: Option<Instant>,
    /// The last delays, in a ring buffer, seconds.
    current: [f64; CURRENT_FILTER],
    at: usize,
}

impl Ledbat {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            base: [f64::INFINITY; BASE_HISTORY],
            minute_began: None,
            current: [f64::INFINITY; CURRENT_FILTER],
            at: 0,
        }
    }

    fn enter(&mut self, now: Instant, delay: f64) {
        let began = *self.minute_began.get_or_insert(now);
        if now.since(began) >= MINUTE {
            self.minute_began = Some(now);
            self.base.rotate_right(1);
            self.base[0] = f64::INFINITY;
        }
        self.base[0] = self.base[0].min(delay);
        self.current[self.at] = delay;
        self.at = (self.at + 1) % CURRENT_FILTER;
    }

    /// Returns the queueing delay, seconds.
    fn queueing(&self) -> f64 {
        let least = |delays: &[f64]| delays.iter().copied().fold(f64::INFINITY, f64::min);
        least(&self.current) - least(&self.base)
    }
}

impl CongestionControl for Ledbat {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(delay) = ack.one_way.or(ack.rtt) {
            self.enter(ack.now, delay.secs());
        }
        if !ack.grow || self.minute_began.is_none() {
            return;
        }
        let off_target = (self.config.target - self.queueing()) / self.config.target;
        let acked = (ack.una - ack.una_before) as f64;
        let cwnd = self.window.cwnd;
        let wanted = cwnd + self.config.gain * off_target * acked / cwnd;
        // At most one segment more than is outstanding: while the window is not used, the path's state is
        // unknown.
        self.window.cwnd = wanted.min((ack.outstanding as f64 + ALLOWED_INCREASE).max(cwnd)).max(MIN_WINDOW);
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let half = (self.window.cwnd / 2.0).max(MIN_WINDOW);
        self.window.ssthresh = half;
        self.window.cwnd = match loss.why {
            Congestion::FastLoss | Congestion::Mark => self.window.cwnd.min(half),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close};

    fn ledbat(cwnd: f64) -> Ledbat {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        Ledbat::new(&config, Window { cwnd, ssthresh: f64::INFINITY })
    }

    /// The target is 100 ms, the window 10 segments. Without a queue an acknowledgment adds 1/10. The least
    /// of four delays counts, so three acknowledgments with a queueing delay of 50 ms have no effect, and at
    /// the fourth off_target is 1/2. After four with 300 ms it is -2.
    #[test]
    fn the_window_moves_by_how_far_off_target_it_is() {
        let mut ledbat = ledbat(10.0);
        let mut expected = 10.0;
        for (n, (rtt, off)) in [
            (0.2, 1.0),
            (0.25, 1.0),
            (0.25, 1.0),
            (0.25, 1.0),
            (0.25, 0.5),
            (0.5, 0.5),
            (0.5, 0.5),
            (0.5, 0.5),
            (0.5, -2.0),
        ]
        .into_iter()
        .enumerate()
        {
            ledbat.on_ack(&ack(1.0 + 0.01 * n as f64, rtt, n as u64 + 1, n as u64 + 11));
            expected += off / expected;
            assert!(close(ledbat.window.cwnd, expected), "{n}: {} for {expected}", ledbat.window.cwnd);
        }
    }

    #[test]
    fn the_base_delay_is_forgotten_after_ten_minutes() {
        let mut ledbat = ledbat(10.0);
        ledbat.enter(Instant::ZERO, 0.1);
        for minute in 1..BASE_HISTORY as u64 {
            ledbat.enter(Instant::ZERO + Duration::from_secs(60 * minute), 0.3);
            assert!(close(ledbat.base.iter().copied().fold(f64::INFINITY, f64::min), 0.1));
        }
        ledbat.enter(Instant::ZERO + Duration::from_secs(600), 0.3);
        assert!(close(ledbat.queueing(), 0.0));
    }
}
