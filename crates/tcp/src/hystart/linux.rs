//! HyStart as in Linux 6.12: the first slow start ends if a train of acknowledgments is as long as half the
//! least round-trip time, or if round-trip times grow (Ha and Rhee 2011).
//!
//! A round ends with the acknowledgment of a segment that was sent after the round began. While cwnd is at
//! least 16 segments, slow start ends if one of two conditions holds, and ssthresh is set to the window
//! before the acknowledgment:
//!
//! ```text
//! train: acknowledgments at most 2 ms apart since the first one of the round, and
//!        now - time of the first one > (RTTmin + 1 ms) / 2                       RTTmin + 1 ms if segments are paced
//! delay: eight round-trip times of the round have been measured, and
//!        the least of these > RTTmin + clamp(RTTmin / 8, 4 ms, 16 ms)
//! ```
//!
//! RTTmin is the least round-trip time of a data segment. The rules were found by experiment with the kernel.
//! The train ends slow start at 38 segments on a path of 10 Mb/s and 40 ms, and at 249 on 100 Mb/s and 20 ms.
//! The delay ends slow start at 88 segments on 2 Mb/s and 200 ms. The upper bound of 16 ms is the paper's; no
//! experiment reached it.

use crate::congestion::AckSample;
use base::{Duration, Instant};

/// Least window at which slow start can end, segments (hystart_low_window).
const LOW_WINDOW: f64 = 16.0;
/// Longest time between two acknowledgments of a train (hystart_ack_delta).
const GAP: Duration = Duration::from_ms(2);
/// Time added to RTTmin before it is halved.
const ADDED: Duration = Duration::from_ms(1);
/// Number of round-trip times of a round whose least value is compared with RTTmin.
const SAMPLES: u32 = 8;
/// Bounds of the increase of the round-trip time that ends slow start.
const GROWTH: [Duration; 2] = [Duration::from_ms(4), Duration::from_ms(16)];

/// State of a connection in its first slow start.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Linux {
    /// True if segments are paced; the train that ends slow start is then twice as long.
    paced: bool,
    /// Segment that was next to be sent when the round began; `None` before the first round.
    end: Option<u64>,
    /// Time of the round's first acknowledgment.
    began: Instant,
    /// Time of the last acknowledgment of the train.
    last: Instant,
    /// RTTmin; `None` before the first sample.
    least: Option<Duration>,
    /// Least of the first [`SAMPLES`] round-trip times of the round, and number of round-trip times so far.
    current: Option<Duration>,
    samples: u32,
}

impl Linux {
    /// Creates the state before the first acknowledgment.
    pub(super) fn new(paced: bool) -> Self {
        Self {
            paced,
            end: None,
            began: Instant::ZERO,
            last: Instant::ZERO,
            least: None,
            current: None,
            samples: 0,
        }
    }

    /// Handles an acknowledgment that arrives when the window is `cwnd` segments; returns true if slow start
    /// ends.
    pub(super) fn ends(&mut self, cwnd: f64, ack: &AckSample) -> bool {
        if let Some(rtt) = ack.rtt {
            self.least = Some(self.least.map_or(rtt, |least| least.min(rtt)));
        }
        if self.end.is_none_or(|end| ack.una > end) {
            self.end = Some(ack.next);
            (self.began, self.last) = (ack.now, ack.now);
            (self.current, self.samples) = (None, 0);
        }
        let Some(least) = self.least.filter(|_| cwnd >= LOW_WINDOW) else { return false };
        self.is_long(ack.now, least) || self.is_late(ack.rtt, least)
    }

    /// Adds an acknowledgment to the round's train; returns true if the train is long enough.
    fn is_long(&mut self, now: Instant, least: Duration) -> bool {
        if now.since(self.last) > GAP {
            return false;
        }
        self.last = now;
        let path = least + ADDED;
        let enough = if self.paced { path } else { Duration::from_ps(path.ps() / 2) };
        now.since(self.began) > enough
    }

    /// Takes a round-trip time of the round. After the first [`SAMPLES`] samples, returns true if the least
    /// of them exceeds RTTmin by more than the threshold.
    fn is_late(&mut self, rtt: Option<Duration>, least: Duration) -> bool {
        let Some(rtt) = rtt else { return false };
        if self.samples < SAMPLES {
            self.samples += 1;
            self.current = Some(self.current.map_or(rtt, |current| current.min(rtt)));
            return false;
        }
        let [low, high] = GROWTH;
        let growth = Duration::from_ps(least.ps() / 8).clamp(low, high);
        self.current.is_some_and(|current| current > least + growth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::ack;

    /// Returns the window at which slow start ends, if it begins with `low` segments. The bottleneck sends a
    /// segment every `step` seconds, the round-trip time without queueing is `delay` seconds, and each
    /// segment is acknowledged.
    fn exit(step: f64, delay: f64, low: u64, paced: bool) -> f64 {
        let mut hystart = Linux::new(paced);
        // Time at which the bottleneck is idle, and time at which each segment was sent, seconds.
        let (mut free, mut sent) = (0.0_f64, vec![0.0_f64; low as usize]);
        let mut una = 0;
        loop {
            free = sent[una].max(free) + step;
            let (now, cwnd) = (free + delay, (low + una as u64) as f64);
            let sample = ack(now, now - sent[una], una as u64 + 1, sent.len() as u64);
            if hystart.ends(cwnd, &sample) {
                return cwnd;
            }
            una += 1;
            sent.extend([now; 2]);
        }
    }

    /// On 10 Mb/s and 40 ms, in the round that begins with 20 segments, a train of 18 gaps of 1.2 ms lasts
    /// 21.6 ms, more than (41.2 + 1) / 2 ms. On 100 Mb/s and 20 ms, in the round that begins with 160
    /// segments, 89 gaps of 0.12 ms last 10.68 ms, more than 10.56 ms. The kernel leaves slow start at the
    /// same windows.
    #[test]
    fn a_long_train_ends_slow_start() {
        assert_eq!(exit(0.001_2, 0.04, 10, false), 38.0);
        assert_eq!(exit(0.000_12, 0.020_000_001, 10, false), 249.0);
    }

    /// On 10 Mb/s and 10 ms a train of six gaps is long enough, in the first round in which the window is at
    /// least 16 segments.
    #[test]
    fn a_round_counts_from_sixteen_segments() {
        assert_eq!(exit(0.001_2, 0.01, 10, false), 26.0);
        assert_eq!(exit(0.001_2, 0.01, 16, false), 22.0);
    }

    /// With pacing the train must be longer than RTTmin + 1 ms: 36 gaps of 1.2 ms, 43.2 ms, in the round that
    /// begins with 40 segments.
    #[test]
    fn the_train_of_a_paced_sender_is_twice_as_long() {
        assert_eq!(exit(0.001_2, 0.04, 10, true), 76.0);
    }

    /// On 2 Mb/s acknowledgments are 6 ms apart, too far for a train. In the round that begins with 80
    /// segments, the first eight round-trip times show a queue.
    #[test]
    fn longer_round_trips_end_slow_start() {
        assert_eq!(exit(0.006, 0.2, 10, false), 88.0);
    }
}
