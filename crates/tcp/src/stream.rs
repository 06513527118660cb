//! The stream of bytes: what there is to send, and how it is cut into segments.
//!
//! A file is cut into segments of one size. Of what an application writes by and by, a segment takes what there is when it
//! is first sent, a full segment's payload at most: what waits while the window is closed is sent in full segments, what
//! finds it open leaves as it was written. There is no Nagle algorithm (RFC 9293 section 3.7.4), as with `TCP_NODELAY`.
//! Once sent, a segment keeps its cut.

use crate::congestion::CongestionControl;
use crate::core::Core;
use base::Instant;
use std::collections::VecDeque;

/// Where the segments of a stream begin that an application writes by and by.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    /// Bytes written so far.
    written: u64,
    /// The segment that the first of `begins` is of.
    first: u64,
    /// Offsets at which segments begin, the last of them of the segment that is cut next.
    begins: VecDeque<u64>,
}

impl Cuts {
    /// Nothing is written; segments below `first_payload` carry nothing.
    pub fn new(first_payload: u64) -> Self {
        Self { written: 0, first: first_payload, begins: VecDeque::from([0]) }
    }

    /// The segment that is cut next.
    fn next(&self) -> u64 {
        self.first + self.begins.len() as u64 - 1
    }

    fn last(&self) -> u64 {
        self.begins.back().copied().unwrap_or_default()
    }

    /// Bytes below segment `seq`, which is not acknowledged yet and no higher than the one that is cut next.
    pub fn below(&self, seq: u64) -> u64 {
        self.begins.get(seq.saturating_sub(self.first) as usize).copied().unwrap_or(self.last())
    }

    /// Segment `seq` is sent: if for the first time, it takes at most `segment` bytes of what there is.
    #[inline]
    pub fn cut(&mut self, seq: u64, segment: u32) {
        if seq == self.next() {
            self.begins.push_back((self.last() + u64::from(segment)).min(self.written));
        }
    }

    /// Everything below `una` is acknowledged.
    #[inline]
    pub fn forget(&mut self, una: u64) {
        while self.first < una && self.begins.len() > 1 {
            self.begins.pop_front();
            self.first += 1;
        }
    }
}

impl Core {
    /// The first segment with payload.
    #[inline]
    pub fn first_payload(&self) -> u64 {
        self.config.first_payload()
    }

    /// Payload bytes below `seq`.
    #[inline]
    pub fn bytes_below(&self, seq: u64) -> u64 {
        if let Some(cuts) = &self.cuts {
            return cuts.below(seq);
        }
        (seq.saturating_sub(self.first_payload()) * u64::from(self.config.segment)).min(self.total_bytes)
    }

    /// There is data up to segment `offered` now, and none will follow beyond `end`.
    pub fn offer(&mut self, offered: u64, end: u64) {
        self.offered = offered;
        self.end = end;
        self.available = offered.min(self.edge);
    }

    /// The application has written `bytes` more; returns one past the last segment that there is to send by now, and how
    /// many bytes of payload there are.
    pub fn written(&mut self, bytes: u64) -> (u64, u64) {
        let segment = u64::from(self.config.segment);
        match &mut self.cuts {
            Some(cuts) => {
                cuts.written += bytes;
                (cuts.next() + (cuts.written - cuts.last()).div_ceil(segment), cuts.written)
            }
            None => {
                let packets = self.offered.saturating_sub(self.first_payload()) + bytes.div_ceil(segment);
                (self.first_payload() + packets, packets * segment)
            }
        }
    }

    /// A window that nothing was sent in for longer than a timeout says nothing of the path any more: the connection
    /// begins again with its first one (RFC 5681 section 4.1). A control with a rate of its own looks after that itself.
    pub fn restart_after_idle(&mut self, now: Instant) {
        let idle = self.una == self.max && self.max > self.first_payload();
        if idle && now.since(self.last_sent) > self.rtt.rto() && self.control.pacing_rate().is_none() {
            let first = self.config.initial_window;
            let window = self.control.window_mut();
            window.cwnd = window.cwnd.min(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_leaves_in_full_segments() {
        let mut cuts = Cuts::new(1);
        cuts.written = 700;
        cuts.cut(1, 1000);
        assert_eq!((cuts.below(1), cuts.below(2)), (0, 700));
        // Three writes wait: a full segment, and what is left.
        cuts.written += 3 * 700;
        cuts.cut(2, 1000);
        cuts.cut(3, 1000);
        cuts.cut(4, 1000);
        assert_eq!([2, 3, 4, 5].map(|seq| cuts.below(seq)), [700, 1700, 2700, 2800]);
        // Sent again, it keeps its cut.
        cuts.written += 700;
        cuts.cut(4, 1000);
        assert_eq!(cuts.below(5), 2800);
        cuts.forget(4);
        assert_eq!((cuts.below(4), cuts.below(5), cuts.next()), (2700, 2800, 5));
        cuts.forget(5);
        assert_eq!((cuts.below(5), cuts.next()), (2800, 5));
    }
}
