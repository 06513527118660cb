//! Vegas as Linux has it: judged once per round by the least round trip in it, with Reno's answer to losses.
//!
//! ```text
//! target = window at the beginning of the round * base / least      queued = that window - target
//! slow start:  queued > gamma: cwnd = target + 1, leave slow start;   else as Reno, every round
//! avoidance:   queued < alpha: +1 per round;   queued > beta: -1;     else keep
//! ```
//!
//! A round with no more than two round trips tells nothing: Reno's growth. The first segment's round trip is left out: where
//! the SYN is a segment, it is that of a bare header. There is no fine-grained timeout. Known from ns-2's TCP-Linux as run.

use super::vegas::{Config, MIN_WINDOW};
use super::{AckSample, Window};

/// A round with no more round trips than these is not judged.
const TOO_FEW: u32 = 2;

/// The judgment of rounds.
#[derive(Clone, Copy, Debug)]
pub struct LeastRound {
    /// Least round trip of the connection, seconds.
    base: f64,
    /// Least round trip of this round, seconds, and how many it had.
    least: f64,
    samples: u32,
    /// The round ends when this segment is acknowledged.
    end: u64,
    /// The window when it began.
    began_with: f64,
}

impl LeastRound {
    /// At the start of a connection.
    pub fn new() -> Self {
        Self { base: f64::INFINITY, least: f64::INFINITY, samples: 0, end: 0, began_with: 0.0 }
    }

    /// New data is acknowledged.
    pub fn on_ack(&mut self, window: &mut Window, config: &Config, ack: &AckSample) {
        if let Some(rtt) = ack.rtt.filter(|_| ack.una_before > 0) {
            self.least = self.least.min(rtt.secs());
            self.base = self.base.min(self.least);
            self.samples += 1;
        }
        if ack.una > self.end {
            if self.samples > TOO_FEW {
                self.judge(window, config, ack);
            } else if ack.grow {
                window.grow(ack.count, 1.0);
            }
            self.begin(window, ack.next);
        } else if window.cwnd < window.ssthresh && ack.grow {
            window.grow(ack.count, 1.0);
        }
    }

    fn judge(&self, window: &mut Window, config: &Config, ack: &AckSample) {
        let target = self.began_with * self.base / self.least;
        let queued = self.began_with - target;
        if window.cwnd < window.ssthresh {
            if queued > config.gamma {
                window.cwnd = window.cwnd.min(libm::floor(target) + 1.0).max(MIN_WINDOW);
                window.ssthresh = MIN_WINDOW;
            } else if ack.grow {
                window.grow(ack.count, 1.0);
            }
        } else if queued > config.beta {
            window.cwnd = (window.cwnd - 1.0).max(MIN_WINDOW);
        } else if queued < config.alpha && ack.grow {
            window.cwnd += 1.0;
        }
    }

    fn begin(&mut self, window: &Window, next: u64) {
        self.least = f64::INFINITY;
        self.samples = 0;
        self.end = next;
        self.began_with = window.cwnd;
    }

    /// A loss is answered: the round is not judged.
    pub fn lost(&mut self, window: &Window, outstanding_to: u64) {
        self.begin(window, outstanding_to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::samples::ack;

    const CONFIG: Config = Config { alpha: 2.0, beta: 4.0, gamma: 1.0, least: true };

    /// One round of `rtts` (ms) with a window of `cwnd`, after a base of 50 ms; returns the window then.
    fn round(cwnd: f64, ssthresh: f64, rtts: [f64; 3]) -> Window {
        let mut round = LeastRound { base: 0.050, began_with: cwnd, end: 13, ..LeastRound::new() };
        let mut window = Window { cwnd, ssthresh };
        for (i, rtt) in rtts.iter().enumerate() {
            let una = 11 + i as u64;
            round.on_ack(&mut window, &CONFIG, &ack(1.0, rtt / 1000.0, una, una + 10));
        }
        round.on_ack(&mut window, &CONFIG, &ack(1.0, 0.090, 14, 24));
        window
    }

    #[test]
    fn the_least_round_trip_judges_in_avoidance() {
        // 10 * 50 / 60 = 8.33: 1.67 queued, fewer than two.
        assert_eq!(round(10.0, 2.0, [60.0, 80.0, 70.0]).cwnd, 11.0);
        // 10 * 50 / 70 = 7.14: 2.86 queued.
        assert_eq!(round(10.0, 2.0, [75.0, 80.0, 70.0]).cwnd, 10.0);
        // 10 * 50 / 90 = 5.56: 4.44 queued.
        assert_eq!(round(10.0, 2.0, [90.0, 95.0, 99.0]).cwnd, 9.0);
    }

    #[test]
    fn slow_start_ends_at_the_target() {
        // 16 * 50 / 60 = 13.33: 2.67 queued, more than one.
        assert_eq!(round(16.0, 1000.0, [60.0, 80.0, 70.0]), Window { cwnd: 14.0, ssthresh: 2.0 });
        // Nothing queued: a segment for each of the four acknowledgments.
        assert_eq!(round(16.0, 1000.0, [50.0, 80.0, 70.0]), Window { cwnd: 20.0, ssthresh: 1000.0 });
    }
}
