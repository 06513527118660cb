//! TCP-LP: uses spare capacity only, by early congestion inference from the one-way delay (Kuzmanovic and
//! Knightly 2003).
//!
//! With d the one-way delay of each acknowledgment, dmin and dmax the least and the largest:
//!
//! ```text
//! sd = (1 - smoothing) sd + smoothing d
//! early congestion:  sd > dmin + (dmax - dmin) * threshold
//!   outside the inference phase:      cwnd /= 2; inference phase of `inference` round trips, in which the window does not grow
//!   in the phase, after a round trip: cwnd = 1; the phase starts again, because cross traffic persists
//! after the phase:   cwnd += 1 / cwnd, as in Reno
//! loss:              as in Reno
//! ```
//!
//! For one round trip after a reduction, acknowledgments still show the former delay and are ignored; `sd`
//! starts again after it. `dmax` is meaningful only after a queue has overflowed, so before the first loss
//! there is no early congestion. The one-way delay is computed from timestamps (RFC 7323), from the echoed
//! stamp to the receiver's own stamp, so the reverse path does not matter. Clocks are synchronized here.
//! Without timestamps either the round-trip time is used (`without_timestamps` "round-trip"), or there is no
//! early congestion ("none"). Left out: nothing of the paper.
//!
//! A receiver that delays acknowledgments may have held the acknowledgment of a single segment until its
//! timer expired. That wait is no queueing delay, and at a window of one segment every acknowledgment
//! includes it. The delay of such an acknowledgment is ignored.
//!
//! Form `linux`: Linux 6.12 detects no early congestion, not even in a queue that the flow itself fills. Alone
//! on a path its `lp` equals its `reno`, byte for byte.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::round_trips::RoundTrips;
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;
use base::{Duration, Instant};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "lp",
    summary: "uses capacity that other flows leave, detected by the one-way delay",
    source: "Kuzmanovic and Knightly 2003",
    aliases: &["tcp-lp", "tcp_lp", "TcpLp", "ns3::TcpLp"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of TCP-LP.
    smoothing: f64 = number("", 0.125, 0.0001, 1.0; "weight of a new one-way delay in the smoothed delay (gamma)"),
    threshold: f64 = number("", 0.15, 0.0, 1.0; "smoothed delay that counts as early congestion, as a share of the range from least to largest (delta)"),
    inference: f64 = number("round trips", 3.0, 1.0, 1000.0; "length of the inference phase (itti)"),
    linux as "form": bool = words(&["paper", "linux"], 0; "as published; or as in Linux 6.12: Reno, because early congestion is never detected"),
    without_timestamps: bool = words(&["none", "round-trip"], 1; "delay used if timestamps are off; TCP-Linux: none"),
}

/// State of TCP-LP.
#[derive(Clone, Debug)]
pub struct Lp {
    pub(super) window: Window,
    config: Config,
    trips: RoundTrips,
    /// Smoothed, least and largest one-way delay, seconds.
    smoothed: Option<f64>,
    least: f64,
    largest: f64,
    /// True once a loss has shown that a queue overflowed.
    overflowed: bool,
    /// Time of the last reduction because of early congestion.
    reduced_at: Option<Instant>,
    /// Last sample of the round-trip time, seconds.
    rtt: f64,
}

impl Lp {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            trips: RoundTrips::NONE,
            smoothed: None,
            least: f64::INFINITY,
            largest: 0.0,
            overflowed: false,
            reduced_at: None,
            rtt: 0.0,
        }
    }

    /// Updates the delays by an acknowledgment; returns true if there is early congestion.
    fn early(&mut self, ack: &AckSample) -> bool {
        let rtt = self.trips.take(ack);
        self.rtt = rtt.unwrap_or(self.rtt);
        let stamped = ack.one_way.map(Duration::secs);
        let Some(delay) = stamped.or(rtt.filter(|_| self.config.without_timestamps)) else {
            return false;
        };
        if self.config.linux || may_be_held(ack) {
            return false;
        }
        self.least = self.least.min(delay);
        self.largest = self.largest.max(delay);
        if self.inferring(ack.now).is_some_and(|rounds| rounds < 1.0) {
            return false;
        }
        let before = self.smoothed.unwrap_or(delay);
        let smoothed = before + self.config.smoothing * (delay - before);
        self.smoothed = Some(smoothed);
        self.overflowed && smoothed > self.least + (self.largest - self.least) * self.config.threshold
    }

    /// Returns the number of round trips since the inference phase began; `None` outside the phase.
    fn inferring(&self, now: Instant) -> Option<f64> {
        let since = now.since(self.reduced_at?).secs();
        let phase = self.config.inference * self.rtt;
        (since < phase).then(|| since / self.rtt)
    }
}

/// Returns true if the receiver may have held the acknowledgment until its timer expired.
fn may_be_held(ack: &AckSample) -> bool {
    ack.delayed && ack.una - ack.una_before == 1
}

impl CongestionControl for Lp {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        let early = self.early(ack);
        let inferring = self.inferring(ack.now);
        if early {
            let window = &mut self.window;
            window.cwnd = if inferring.is_none() { (window.cwnd / 2.0).max(1.0) } else { 1.0 };
            window.ssthresh = window.cwnd.max(2.0);
            self.reduced_at = Some(ack.now);
            self.smoothed = None;
            return;
        }
        let cwnd = self.window.cwnd;
        if inferring.is_none() && ack.grow && ack.window_limited(cwnd) {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.overflowed = true;
        self.trips.lost(loss);
        self.window.cut(loss, 0.5);
        // After early congestion the window may be one segment already, which a loss must not halve.
        self.window.cwnd = self.window.cwnd.max(1.0);
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    /// Returns TCP-LP after a loss: cwnd is 16 segments, the least and largest delays are 100 and 200 ms, and the
    /// smoothed delay is 100 ms. Early congestion is thus inferred above 115 ms.
    fn lp(without_timestamps: f64) -> Lp {
        let config = Config::new(&|name| {
            if name == "without_timestamps" { without_timestamps } else { ALGORITHM.default_of(name) }
        });
        let mut control = Lp::new(&config, Window { cwnd: 32.0, ssthresh: 2.0 });
        control.on_congestion(&loss(32.0, 1, 2));
        control.least = 0.1;
        control.largest = 0.2;
        control.smoothed = Some(0.1);
        control
    }

    /// Returns an acknowledgment with this RTT, s, and with timestamps half of it as one-way delay.
    fn delayed(now: f64, rtt: f64, stamps: bool) -> AckSample {
        let plain = ack(now, rtt, 10, 20);
        AckSample {
            one_way: plain.rtt.filter(|_| stamps).map(|rtt| Duration::from_ps(rtt.ps() / 2)),
            ..plain
        }
    }

    #[test]
    fn early_congestion_is_judged_by_the_smoothed_delay() {
        let mut control = lp(1.0);
        // The smoothed delay becomes 100 + 100 / 8 = 112.5 ms, then 112.5 + 87.5 / 8 = 123.4 ms.
        control.on_ack(&delayed(1.0, 0.2, false));
        assert!(close(control.window.cwnd, 16.0 + 1.0 / 16.0));
        control.on_ack(&delayed(1.01, 0.2, false));
        assert!(close(control.window.cwnd, (16.0 + 1.0 / 16.0) / 2.0));
    }

    #[test]
    fn cross_traffic_that_stays_takes_all_but_one_segment() {
        let mut control = lp(1.0);
        control.smoothed = Some(0.2);
        control.on_ack(&delayed(1.0, 0.2, false));
        assert_eq!(control.window.cwnd, 8.0);
        control.on_ack(&delayed(1.1, 0.2, false));
        assert_eq!(control.window.cwnd, 8.0, "sent before the window was halved");
        control.on_ack(&delayed(1.21, 0.2, false));
        assert_eq!(control.window.cwnd, 1.0);
    }

    #[test]
    fn after_a_quiet_inference_it_grows() {
        let mut control = lp(1.0);
        control.smoothed = Some(0.2);
        control.on_ack(&delayed(1.0, 0.2, false));
        control.smoothed = Some(0.1);
        control.on_ack(&delayed(1.25, 0.1, false));
        assert_eq!(control.window.cwnd, 8.0, "inference lasts three round trips");
        control.on_ack(&delayed(1.31, 0.1, false));
        assert!(close(control.window.cwnd, 8.125));
    }

    /// The delay of an acknowledgment by the receiver's timer is no queueing delay: it is not counted, and a window of
    /// one segment grows.
    #[test]
    fn acknowledgments_that_wait_show_no_congestion() {
        let mut control = lp(1.0);
        control.window = Window { cwnd: 1.0, ssthresh: 2.0 };
        control.on_ack(&AckSample { delayed: true, ..delayed(1.0, 0.3, false) });
        assert_eq!((control.window.cwnd, control.smoothed, control.largest), (2.0, Some(0.1), 0.2));
        let pair = AckSample { delayed: true, una_before: 8, ..delayed(1.2, 0.2, false) };
        control.on_ack(&pair);
        assert!(close(control.smoothed.unwrap_or_default(), 0.1125), "an acknowledgment of two counts");
    }

    #[test]
    fn the_form_linux_is_reno() {
        let mut control = lp(1.0);
        control.config.linux = true;
        (0..20).for_each(|i| control.on_ack(&delayed(1.0 + 0.1 * f64::from(i), 0.2, true)));
        assert!(control.window.cwnd > 17.0, "{}", control.window.cwnd);
        assert_eq!(control.smoothed, Some(0.1));
    }

    #[test]
    fn one_way_delays_need_timestamps() {
        let mut control = lp(0.0);
        control.smoothed = Some(0.2);
        control.on_ack(&delayed(1.0, 0.2, false));
        assert!(close(control.window.cwnd, 16.0 + 1.0 / 16.0), "Reno without them");
        // With timestamps the one-way delay of 100 ms counts: the smoothed delay is 200 - (200 - 100) / 8 = 187.5 ms,
        // above the threshold of 115 ms.
        control.on_ack(&delayed(1.1, 0.2, true));
        assert!(close(control.window.cwnd, (16.0 + 1.0 / 16.0) / 2.0));
    }
}
