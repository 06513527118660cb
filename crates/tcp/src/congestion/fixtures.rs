//! Samples of acknowledgments and losses, for tests of controls.

use super::signals::{AckSample, Congestion, LossSample, Transmission};
use base::{Duration, Instant};

/// Returns an acknowledgment of one segment at `now` (seconds) with a round-trip time of `rtt` (seconds).
/// Afterwards the first unacknowledged segment is `una`, and the next to send `next`. The window limited the
/// sender.
pub(crate) fn ack(now: f64, rtt: f64, una: u64, next: u64) -> AckSample {
    AckSample {
        now: at(now),
        count: 1.0,
        una_before: una - 1,
        una,
        next,
        delayed: false,
        rtt: Some(Duration::from_ps(libm::round(rtt * 1e12) as u64)),
        srtt: None,
        one_way: None,
        outstanding: u64::MAX / 2,
        grow: true,
    }
}

/// Returns a loss detected by acknowledgments. The reduction applies to `base` segments; segments `una` to
/// `next - 1` are outstanding.
pub(crate) fn loss(base: f64, una: u64, next: u64) -> LossSample {
    LossSample {
        now: at(0.0),
        why: Congestion::FastLoss,
        base,
        whole: false,
        whole_ssthresh: false,
        halve_in_slow_start: true,
        early: false,
        floor: 2.0,
        keep_ssthresh: false,
        oldest: Transmission { sent: at(0.0), transmissions: 1 },
        abe: None,
        una,
        outstanding: next - una,
    }
}

/// Returns the instant `seconds` after the start.
pub(crate) fn at(seconds: f64) -> Instant {
    Instant::from_ps(libm::round(seconds * 1e12) as u64)
}

/// Returns true if two windows are equal except for rounding.
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}
