//! Vegas as in Linux: one decision per round, from the least round-trip time in it, and Reno's reaction to
//! losses.
//!
//! `outstanding` is the number of segments outstanding when the round began, including those acknowledged at
//! that time, and the window is that at the beginning of the round:
//!
//! ```text
//! target = outstanding * base / least, in half segments, rounded down       queued = outstanding - target
//! slow start:  queued > gamma: cwnd = target + 1, leave slow start;   else as Reno, every round
//! avoidance:   queued < alpha: window + 1;   queued > beta: window - 1;   else window
//! ```
//!
//! Each change is by at most one segment. The next window is computed from that at the beginning of the
//! round, so steady growth or reduction takes effect only in every second round. After a round with at most
//! two samples of the round-trip time, and in recovery from a loss, the window grows as in Reno. The first
//! segment's sample is ignored, because it may be that of a SYN without data. There is no fine-grained
//! timeout. Derived from the output of ns-2's TCP-Linux.
//!
//! Linux 6.12 compares the current window instead of that at the beginning of the round, so steady growth
//! takes effect in every round. The number of queued segments is cwnd (least - base) / base, rounded down,
//! which exceeds that from the target if round trips are long. After a decision the slow-start threshold is at
//! most the window if the window shrinks, and always at least the sum of half and a quarter of the window, each
//! rounded down. Derived from the kernel's windows over time.
//!
//! The form of ns-3 uses the smoothed round-trip time at each acknowledgment (RFC 6298, weight 1/8 for a new
//! sample), beginning with that of the SYN. It compares the current window with a target in whole segments,
//! and changes the window by one segment in every round, with a ssthresh of at least 3/4 of the window. If
//! the comparison or a loss reduces the window, ssthresh becomes `cwnd - 1`, or stays if it is lower.
//! Validated against packet traces of ns-3.37: with their times it gives the windows of ns-3's trace.

use super::config::{Config, MIN_WINDOW, Rounds};
use crate::congestion::signals::AckSample;
use crate::congestion::window::Window;
use base::Duration;

/// Largest number of samples in a round after which no decision is made.
const TOO_FEW: u32 = 2;
/// Round-trip time before the first sample.
const NEVER: Duration = Duration::from_ps(u64::MAX);

/// Returns ns-3's ssthresh after a reduction of `window`.
pub(super) fn lower(window: &Window) -> f64 {
    window.ssthresh.min(window.cwnd - 1.0).max(MIN_WINDOW)
}

/// Returns Linux 6.12's ssthresh after a reduction of `window`.
fn at_most(window: &Window) -> f64 {
    window.ssthresh.min(window.cwnd)
}

/// State of the round and of the connection's samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastRound {
    /// Least round-trip time of the connection.
    base: Duration,
    /// Least round-trip time of the current round, and the number of its samples.
    least: Duration,
    samples: u32,
    /// First outstanding segment when the round began.
    from: u64,
    /// The round ends when this segment is acknowledged.
    end: u64,
    /// Window when the round began, segments.
    began_with: f64,
    /// After a loss: no decision is made until all segments below this one are acknowledged.
    repaired: Option<u64>,
    /// Smoothed round-trip time; `None` unless `rounds` is "smoothed".
    smoothed: Option<Duration>,
}

impl LeastRound {
    /// Creates the state at the start of a connection.
    pub(super) fn new() -> Self {
        Self {
            base: NEVER,
            least: NEVER,
            samples: 0,
            from: 0,
            end: 0,
            began_with: 0.0,
            repaired: None,
            smoothed: None,
        }
    }

    /// Takes the round-trip time of the SYN as a sample, in the form of ns-3.
    pub(super) fn on_handshake(&mut self, config: &Config, rtt: Duration) {
        if config.rounds == Rounds::Smoothed {
            self.measured(config, rtt);
        }
    }

    fn measured(&mut self, config: &Config, rtt: Duration) {
        let rtt = if config.rounds == Rounds::Smoothed {
            let smoothed = self.smoothed.map_or(rtt, |old| Duration::from_ps((7 * old.ps() + rtt.ps()) / 8));
            *self.smoothed.insert(smoothed)
        } else {
            rtt
        };
        self.least = self.least.min(rtt);
        self.base = self.base.min(self.least);
        self.samples += 1;
    }

    /// Adds the round-trip time of an acknowledgment to the round, and increases or reduces the window.
    pub(super) fn on_ack(&mut self, window: &mut Window, config: &Config, ack: &AckSample) {
        if let Some(rtt) = ack.rtt.filter(|_| ack.una_before > 0 || self.smoothed.is_some()) {
            self.measured(config, rtt);
        }
        let whole = if let Some(repaired) = self.repaired {
            if ack.una >= repaired {
                self.repaired = None;
                self.restart(ack.next);
            }
            false
        } else {
            // ns-3's round ends at the acknowledgment of the last segment sent before the round began,
            // Linux's round at that of the first segment sent afterwards.
            ack.una > self.end - u64::from(config.rounds == Rounds::Smoothed && self.end > 0)
        };
        let before = self.began_with;
        if whole {
            self.began_with = window.cwnd;
        }
        if whole && self.samples > TOO_FEW {
            self.judge(window, config, ack, before);
        } else if ack.grow && (whole || self.repaired.is_some() || window.cwnd < window.ssthresh) {
            window.grow(ack.count, 1.0);
        }
        if whole {
            self.from = self.end;
            self.restart(ack.next);
        }
    }

    /// Decides on the window at the end of a round; `before` is the window at the beginning of the round.
    fn judge(&self, window: &mut Window, config: &Config, ack: &AckSample, before: f64) {
        let current = config.rounds.judge_current();
        let lower = if config.rounds == Rounds::Linux { at_most } else { lower };
        // The target is counted in 1/`parts` of a segment.
        let (judged, parts) = if current { (window.cwnd as u64, 1) } else { (self.end - self.from + 1, 2) };
        let target = u128::from(parts * judged) * u128::from(self.base.ps()) / u128::from(self.least.ps());
        let target = target as f64 / parts as f64;
        let queued = if config.rounds == Rounds::Linux {
            let longer = u128::from((self.least - self.base).ps());
            (u128::from(judged) * longer / u128::from(self.base.ps())) as f64
        } else {
            judged as f64 - target
        };
        if window.cwnd < window.ssthresh {
            if queued > config.gamma {
                window.cwnd = window.cwnd.min(libm::floor(target) + 1.0).max(MIN_WINDOW);
                window.ssthresh = if current { lower(window) } else { MIN_WINDOW };
            } else if ack.grow {
                window.grow(ack.count, 1.0);
            }
        } else {
            let before = if current { window.cwnd } else { before };
            let next = if queued > config.beta {
                before - 1.0
            } else if queued < config.alpha {
                before + 1.0
            } else {
                before
            };
            if next < window.cwnd {
                window.cwnd = (window.cwnd - 1.0).max(MIN_WINDOW);
                if current {
                    window.ssthresh = lower(window);
                }
            } else if next > window.cwnd && ack.grow {
                window.cwnd += 1.0;
            }
        }
        let least = match config.rounds {
            Rounds::Smoothed => 0.75 * window.cwnd,
            Rounds::Linux => libm::floor(window.cwnd / 2.0) + libm::floor(window.cwnd / 4.0),
            Rounds::Mean | Rounds::Least => return,
        };
        window.ssthresh = window.ssthresh.max(least);
    }

    fn restart(&mut self, next: u64) {
        self.least = NEVER;
        self.samples = 0;
        self.end = next;
    }

    /// Handles a loss: no decision is made until all segments below `end` are acknowledged.
    pub(super) fn lost(&mut self, end: u64) {
        self.repaired = Some(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::ack;

    const CONFIG: Config = Config {
        alpha: 2.0,
        beta: 4.0,
        gamma: 1.0,
        rounds: Rounds::Least,
        slots: false,
        unsent_expired: false,
        keeps_inflation: false,
    };

    /// Plays one round with RTTs `rtts`, ms, a window of `cwnd` and a base RTT of 50 ms; returns the window after it.
    fn round(cwnd: f64, ssthresh: f64, rtts: [f64; 3]) -> Window {
        round_by(&CONFIG, cwnd, ssthresh, rtts)
    }

    fn round_by(config: &Config, cwnd: f64, ssthresh: f64, rtts: [f64; 3]) -> Window {
        let from = 33 - cwnd as u64;
        let mut round =
            LeastRound { base: Duration::from_ms(50), began_with: cwnd, from, end: 33, ..LeastRound::new() };
        let mut window = Window { cwnd, ssthresh };
        for (i, rtt) in rtts.iter().enumerate() {
            let una = 31 + i as u64;
            round.on_ack(&mut window, config, &ack(1.0, rtt / 1000.0, una, una + 10));
        }
        round.on_ack(&mut window, config, &ack(1.0, 0.090, 34, 44));
        window
    }

    /// The base RTT is 50 ms. Without a queue, 11 and 13 grow to 12 and 14, and ssthresh becomes
    /// floor(cwnd / 2) + floor(cwnd / 4), 9 and 10. At 57 ms a window of 20 has 20 * 7 / 50 = 2.8
    /// segments queued and stays; at 63 ms it has 5.2 queued, and window and ssthresh become 19. In slow
    /// start the window grows from 32 to 35 within the round. At 53 ms 35 * 3 / 50 = 2.1 segments are
    /// queued, and the window is reduced to the target plus 1, floor(35 * 50 / 53) + 1 = 34.
    #[test]
    fn linux_6_judges_the_current_window() {
        let config = Config { rounds: Rounds::Linux, ..CONFIG };
        for (cwnd, ssthresh, rtt, after, threshold) in [
            (11.0, 2.0, 50.0, 12.0, 9.0),
            (13.0, 9.0, 50.0, 14.0, 10.0),
            (20.0, 16.0, 57.0, 20.0, 16.0),
            (20.0, 20.0, 62.4, 20.0, 20.0),
            (20.0, 20.0, 63.0, 19.0, 19.0),
            (32.0, 1e9, 53.0, 34.0, 34.0),
        ] {
            let window = round_by(&config, cwnd, ssthresh, [90.0, rtt, 95.0]);
            assert_eq!((window.cwnd, window.ssthresh), (after, threshold), "{cwnd} {rtt}");
        }
    }

    #[test]
    fn the_least_round_trip_judges_in_avoidance() {
        // 11 segments are outstanding. At 58 ms the target is 11 * 50 / 58 = 9.48, 9 in half segments: 2 are queued,
        // not fewer than alpha. At 57.5 ms it is 9.57, 9.5 in half segments: 1.5 are queued.
        assert_eq!(round(10.0, 2.0, [58.0, 80.0, 70.0]).cwnd, 10.0);
        assert_eq!(round(10.0, 2.0, [57.5, 80.0, 70.0]).cwnd, 11.0);
        // At 78 ms the target is 11 * 50 / 78 = 7.05, 7 in half segments: 4 are queued, not more than beta. At 79 ms
        // it is 6.96, 6.5 in half segments: 4.5 are queued.
        assert_eq!(round(10.0, 2.0, [78.0, 80.0, 79.0]).cwnd, 10.0);
        assert_eq!(round(10.0, 2.0, [79.0, 95.0, 99.0]).cwnd, 9.0);
    }

    /// The rule computes ns-3's windows from the times of ns-3's packets: in slow start, at its end, and throughout
    /// avoidance.
    #[test]
    fn smoothed_rounds_are_ns3s() {
        let config = Config { rounds: Rounds::Smoothed, ..CONFIG };
        let mut round = LeastRound::new();
        let mut window = Window { cwnd: 10.0, ssthresh: f64::INFINITY };
        round.on_handshake(&config, Duration::from_ms(35));
        let (mut before, mut checked) = (0, 0);
        let trace = include_str!("../../../tests/reference/ns3-vegas.txt");
        for line in trace.lines().filter(|line| !line.starts_with('#')) {
            let values: Vec<u64> = line.split(' ').map(|value| value.parse().unwrap()).collect();
            let (una, next, rtt) = (values[0], values[1], Duration::from_ms(values[2]));
            let sample = AckSample { rtt: Some(rtt), una_before: before, ..ack(0.0, 0.0, una.max(1), next) };
            round.on_ack(&mut window, &config, &sample);
            before = una;
            if let Some(&cwnd) = values.get(3) {
                assert_eq!(window.cwnd, cwnd as f64, "segment {una}");
                checked += 1;
            }
        }
        assert_eq!((checked, window), (126, Window { cwnd: 31.0, ssthresh: 23.25 }));
    }

    /// No segment is queued. The next window is one more than that at the beginning of the round, so it exceeds the
    /// present window in every second round only.
    #[test]
    fn steady_growth_comes_in_every_second_round() {
        let mut round = LeastRound {
            base: Duration::from_ms(50),
            began_with: 10.0,
            from: 0,
            end: 10,
            ..LeastRound::new()
        };
        let mut window = Window { cwnd: 10.0, ssthresh: 2.0 };
        let mut windows = Vec::new();
        for una in 1..=70 {
            let (end, next) = (round.end, una - 1 + window.cwnd as u64);
            round.on_ack(&mut window, &CONFIG, &ack(1.0, 0.050, una, next));
            if round.end != end {
                windows.push(window.cwnd);
            }
        }
        assert_eq!(windows, [11.0, 11.0, 12.0, 12.0, 13.0, 13.0]);
    }

    /// After a loss the window grows as in Reno until the loss is repaired; then a new round begins.
    #[test]
    fn a_loss_ends_the_round() {
        let mut round = LeastRound {
            base: Duration::from_ms(50),
            began_with: 10.0,
            from: 0,
            end: 10,
            ..LeastRound::new()
        };
        let mut window = Window { cwnd: 4.0, ssthresh: 5.0 };
        round.lost(12);
        round.on_ack(&mut window, &CONFIG, &ack(1.0, 0.050, 11, 12));
        assert_eq!((window.cwnd, round.end), (5.0, 10));
        round.on_ack(&mut window, &CONFIG, &AckSample { grow: false, ..ack(1.0, 0.050, 12, 17) });
        assert_eq!((window.cwnd, round.end, round.samples), (5.0, 17, 0));
    }

    #[test]
    fn slow_start_ends_at_the_target() {
        // The target is 17 * 50 / 60 = 14.17, 14 in half segments: 3 are queued, more than gamma. The window becomes
        // the target plus 1.
        assert_eq!(round(16.0, 1000.0, [60.0, 80.0, 70.0]), Window { cwnd: 15.0, ssthresh: 2.0 });
        // No segment is queued: the window grows by one for each of the four acknowledgments.
        assert_eq!(round(16.0, 1000.0, [50.0, 80.0, 70.0]), Window { cwnd: 20.0, ssthresh: 1000.0 });
    }
}
