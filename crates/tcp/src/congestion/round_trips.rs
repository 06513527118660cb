//! Round-trip times that are valid as measures of the path, and counting of round trips; used by controls
//! that react to delay.

use super::signals::{AckSample, LossSample};

/// Least and largest round-trip time of a connection.
///
/// A segment that waited at the receiver behind a missing segment gives no valid round-trip time. After a
/// loss, samples are therefore ignored until all segments outstanding at that time are acknowledged.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundTrips {
    /// Least round-trip time, seconds; infinite before the first sample.
    pub min: f64,
    /// Largest round-trip time, seconds; 0 before the first sample.
    pub max: f64,
    /// Acknowledgments whose first newly acknowledged segment is below this number are ignored.
    recover: u64,
}

impl RoundTrips {
    /// State before the first sample.
    pub(super) const NONE: Self = Self { min: f64::INFINITY, max: 0.0, recover: 0 };

    /// Returns the round-trip time of an acknowledgment, seconds; `None` if there is none or it is ignored.
    pub(super) fn believed(&self, ack: &AckSample) -> Option<f64> {
        ack.rtt.filter(|_| ack.una_before >= self.recover).map(base::Duration::secs)
    }

    /// Updates both extremes by an acknowledgment; returns its round-trip time, seconds, or `None` if there
    /// is none or it is ignored.
    pub(super) fn take(&mut self, ack: &AckSample) -> Option<f64> {
        let rtt = self.believed(ack)?;
        self.min = self.min.min(rtt);
        self.max = self.max.max(rtt);
        Some(rtt)
    }

    /// Skips samples until the segments outstanding at `loss` are acknowledged.
    pub(super) fn lost(&mut self, loss: &LossSample) {
        self.recover = loss.una + loss.outstanding;
    }
}

/// Counter of round trips. A round trip ends when a segment that was sent after its beginning is
/// acknowledged.
#[derive(Clone, Copy, Default, Debug)]
pub struct Rounds {
    end: u64,
}

impl Rounds {
    /// Begins a round trip that ends when segment `next`, or one sent later, is acknowledged.
    pub fn begin(&mut self, next: u64) {
        self.end = next;
    }

    /// Returns true if this acknowledgment ends a round trip; the next round trip then begins.
    pub fn ends(&mut self, ack: &AckSample) -> bool {
        let over = ack.una > self.end;
        if over {
            self.end = ack.next;
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, loss};

    #[test]
    fn a_round_trip_measured_across_a_hole_is_not_believed() {
        let mut trips = RoundTrips::NONE;
        assert_eq!(trips.take(&ack(0.1, 0.1, 10, 20)), Some(0.1));
        trips.lost(&loss(10.0, 10, 20));
        assert_eq!(trips.take(&ack(0.5, 0.4, 20, 25)), None, "its segment waited for the hole to be filled");
        assert_eq!(trips.take(&ack(0.6, 0.2, 21, 26)), Some(0.2));
        assert_eq!((trips.min, trips.max), (0.1, 0.2));
    }

    #[test]
    fn a_round_ends_when_a_segment_of_the_next_is_acknowledged() {
        let mut rounds = Rounds::default();
        assert!(rounds.ends(&ack(0.1, 0.1, 1, 11)));
        assert!(!rounds.ends(&ack(0.2, 0.1, 11, 21)));
        assert!(rounds.ends(&ack(0.2, 0.1, 12, 22)));
        assert!(!rounds.ends(&ack(0.3, 0.1, 22, 32)));
    }
}
