//! Form `linux`: aggregation of acknowledgments (`extra`).

use base::Instant;

/// Length in round trips of each of the two windows over which the maximum for `extra` is taken.
const EXTRA_ROUNDS: u64 = 5;
/// `extra` is at most the number of segments that BtlBw delivers in this time, seconds.
const EXTRA_S: f64 = 0.1;

/// Form `linux`: estimate of the aggregation of acknowledgments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Aggregation {
    /// Beginning of the current interval of the estimate, and segments delivered since then.
    pub(super) began: Instant,
    pub(super) delivered: f64,
    /// Largest number of segments delivered beyond the expected number, in the current window of round trips
    /// and in the window before.
    pub(super) most: [f64; 2],
    /// Round trips since the current window of `most` began.
    rounds: u64,
}

impl Aggregation {
    pub(super) const NONE: Self = Self { began: Instant::ZERO, delivered: 0.0, most: [0.0; 2], rounds: 0 };

    /// Updates the estimate by an acknowledgment of `newly` segments. BtlBw is `rate` segments per second,
    /// and the window `cwnd` segments.
    pub(super) fn add(&mut self, now: Instant, newly: f64, rate: f64, cwnd: f64, round_began: bool) {
        if round_began {
            self.rounds += 1;
            if self.rounds >= EXTRA_ROUNDS {
                self.rounds = 0;
                self.most = [0.0, self.most[0]];
            }
        }
        if newly == 0.0 {
            return;
        }
        let mut expected = libm::floor(rate * now.since(self.began).secs());
        if self.delivered <= expected {
            (self.began, self.delivered, expected) = (now, 0.0, 0.0);
        }
        self.delivered += newly;
        let extra = (self.delivered - expected).clamp(0.0, cwnd);
        self.most[0] = self.most[0].max(extra);
    }

    /// Returns `extra`, segments: the maximum over the last two windows of round trips, if BtlBw is `rate`
    /// segments per second.
    pub(super) fn extra(&self, rate: f64) -> f64 {
        self.most[0].max(self.most[1]).min(libm::floor(rate * EXTRA_S))
    }
}
