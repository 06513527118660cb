//! Segments whose delivery rate probe-rtt limits.

/// Range of the number of delivered segments in which probe-rtt limits the sender. Segments sent in this
/// range count as application-limited, until all data in flight at its end are delivered (draft section
/// 4.3.5, BBRHandleProbeRTT).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::congestion) struct LimitedSpan {
    from: u64,
    until: Option<u64>,
}

impl LimitedSpan {
    /// Extends the range at an acknowledgment in probe-rtt, or begins a new one if the old range has been
    /// passed; `delivered` and `in_flight` are numbers of segments.
    pub(in crate::congestion) fn extend(&mut self, delivered: u64, in_flight: u64) {
        if self.until.is_none_or(|until| delivered > until) {
            self.from = delivered;
        }
        self.until = Some(delivered + in_flight);
    }

    /// Returns true if a segment sent when `delivered` segments had been delivered is in the range.
    pub(in crate::congestion) fn contains(&self, delivered: u64) -> bool {
        self.until.is_some_and(|until| (self.from..=until).contains(&delivered))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 100 deliveries 20 segments are in flight: segments sent from then on until delivery 120 are
    /// limited, those sent before are not. Further acknowledgments in probe-rtt extend the range, and a later
    /// probe-rtt begins another.
    #[test]
    fn a_span_begins_with_probe_rtt_and_ends_a_flight_later() {
        let mut span = LimitedSpan::default();
        assert!(!span.contains(0));
        span.extend(100, 20);
        assert_eq!([99, 100, 120, 121].map(|at| span.contains(at)), [false, true, true, false]);
        span.extend(110, 4);
        assert_eq!([99, 100, 114, 115].map(|at| span.contains(at)), [false, true, true, false]);
        span.extend(500, 4);
        assert_eq!([110, 499, 500, 504].map(|at| span.contains(at)), [false, false, true, true]);
    }
}
