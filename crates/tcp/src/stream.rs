//! The stream of bytes to send, and its division into segments.
//!
//! A file is divided into segments of one size. If an application writes little by little, a segment takes the data
//! that there is when it is first sent, a full segment's payload at most. Data that waits while the window is closed is
//! sent in full segments; data that finds it open leaves as it was written. There is no Nagle algorithm (RFC 9293
//! section 3.7.4), as with `TCP_NODELAY`. Once sent, a segment keeps its boundaries.

use crate::config::Config;
use std::collections::VecDeque;

/// The stream that a connection sends, in segments.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    /// One past the last segment of the whole stream; the largest number while that is open.
    end: u64,
    /// One past the last segment offered so far.
    offered: u64,
    /// One past the last segment that the receiver's advertised window has room for.
    edge: u64,
    /// One past the last segment that may be sent: the lesser of `offered` and `edge`.
    available: u64,
    /// Payload of the whole stream, bytes; the largest number if it is endless.
    total_bytes: u64,
    /// Boundaries of segments, if the stream is written little by little; else they are of one size.
    boundaries: Option<Box<Boundaries>>,
    /// Payload of a full segment, bytes.
    segment: u32,
    first_payload: u64,
}

impl Stream {
    /// Creates a stream with nothing offered.
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            end: 0,
            offered: 0,
            edge: u64::MAX,
            available: 0,
            total_bytes: u64::MAX,
            boundaries: None,
            segment: config.sizes.segment,
            first_payload: config.first_payload(),
        }
    }

    /// Returns the first segment with payload.
    #[inline]
    pub(crate) fn first_payload(&self) -> u64 {
        self.first_payload
    }

    /// Returns the segment after the last one that may be sent: within the data and the advertised window.
    #[inline(always)]
    pub(crate) fn available(&self) -> u64 {
        self.available
    }

    /// Returns the segment after the last one that there is to send by now.
    #[inline(always)]
    pub(crate) fn offered(&self) -> u64 {
        self.offered
    }

    /// Returns the segment after the last one that there will ever be; the largest number while that is open.
    #[inline(always)]
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Returns the segment after the last one that the advertised window has room for.
    #[inline(always)]
    pub(crate) fn edge(&self) -> u64 {
        self.edge
    }

    /// Returns true if the receiver has advertised no window that bounds the stream.
    #[inline(always)]
    pub(crate) fn is_unbounded(&self) -> bool {
        self.edge == u64::MAX
    }

    /// Offers a whole stream of `bytes`; returns the segment after its last one.
    pub(crate) fn offer_all(&mut self, bytes: u64) -> u64 {
        let end = self.ends_after(bytes);
        self.offer(end, end);
        end
    }

    /// Lets the stream end after `bytes`; returns the segment after its last one.
    pub(crate) fn ends_after(&mut self, bytes: u64) -> u64 {
        self.total_bytes = bytes;
        self.end_of(bytes)
    }

    /// Ends the stream below segment `end`: there is no more data.
    pub(crate) fn cut_off(&mut self, end: u64) {
        self.offer(end, end);
        self.total_bytes = self.bytes_below(end);
    }

    /// Returns the segment after the last one of a stream of `bytes`.
    fn end_of(&self, bytes: u64) -> u64 {
        self.first_payload + bytes.div_ceil(u64::from(self.segment))
    }

    /// Returns one past the last full segment of `bytes`.
    pub(crate) fn full_segments(&self, bytes: u64) -> u64 {
        self.first_payload + bytes / u64::from(self.segment)
    }

    /// Returns the payload bytes below `seq`.
    #[inline]
    pub(crate) fn bytes_below(&self, seq: u64) -> u64 {
        if let Some(boundaries) = &self.boundaries {
            return boundaries.below(seq);
        }
        (seq.saturating_sub(self.first_payload) * u64::from(self.segment)).min(self.total_bytes)
    }

    /// Offers data up to segment `offered`; none will follow beyond `end`.
    pub(crate) fn offer(&mut self, offered: u64, end: u64) {
        self.offered = offered;
        self.end = end;
        self.available = offered.min(self.edge);
    }

    /// Treats writes as a stream of bytes from now on, not as whole segments.
    pub(crate) fn divide_writes(&mut self) {
        self.boundaries = Some(Box::new(Boundaries::new(self.first_payload)));
    }

    /// Notes a write of `bytes` more; returns one past the last segment to send by now, and the bytes of payload.
    pub(crate) fn written(&mut self, bytes: u64) -> (u64, u64) {
        let segment = u64::from(self.segment);
        match &mut self.boundaries {
            Some(boundaries) => {
                boundaries.written += bytes;
                let waiting = boundaries.written - boundaries.last();
                (boundaries.next() + waiting.div_ceil(segment), boundaries.written)
            }
            None => {
                let packets = self.offered.saturating_sub(self.first_payload) + bytes.div_ceil(segment);
                (self.first_payload + packets, packets * segment)
            }
        }
    }

    /// Notes that segment `seq` is sent; returns the offset of its payload and its length in bytes.
    #[inline(always)]
    pub(crate) fn send(&mut self, seq: u64) -> (u64, u32) {
        if let Some(boundaries) = &mut self.boundaries {
            boundaries.begin(seq, self.segment);
        }
        let offset = self.bytes_below(seq);
        (offset, (self.bytes_below(seq + 1) - offset) as u32)
    }

    /// Notes that everything below `una` is acknowledged.
    #[inline]
    pub(crate) fn forget(&mut self, una: u64) {
        if let Some(boundaries) = &mut self.boundaries {
            boundaries.forget(una);
        }
    }

    /// Returns one past the last segment that fits into an advertised window of `bytes` from segment `from` on; windows
    /// never shrink.
    pub(crate) fn edge_of(&self, from: u64, bytes: u64) -> u64 {
        let reach = self.bytes_below(from) + bytes;
        let edge = if reach >= self.total_bytes { self.end } else { self.full_segments(reach) };
        if self.edge == u64::MAX { edge } else { edge.max(self.edge) }
    }

    /// Moves the edge of the advertised window.
    pub(crate) fn move_edge(&mut self, edge: u64) {
        self.edge = edge;
        self.available = self.offered.min(edge);
    }

    /// Returns true if there is data to send from `una` on that the advertised window has no room for, and nothing
    /// before it.
    #[inline]
    pub(crate) fn window_closed(&self, una: u64) -> bool {
        una >= self.edge && una < self.offered
    }
}

/// Boundaries of the segments of a stream that an application writes little by little.
#[derive(Clone, Debug)]
struct Boundaries {
    /// Bytes written so far.
    written: u64,
    /// The segment at whose beginning the first of `begins` is.
    first: u64,
    /// Offsets at which segments begin; the last one belongs to the segment that begins next.
    begins: VecDeque<u64>,
}

impl Boundaries {
    /// Creates boundaries with nothing written; segments below `first_payload` carry nothing.
    fn new(first_payload: u64) -> Self {
        Self { written: 0, first: first_payload, begins: VecDeque::from([0]) }
    }

    /// Returns the segment that begins next.
    fn next(&self) -> u64 {
        self.first + self.begins.len() as u64 - 1
    }

    fn last(&self) -> u64 {
        self.begins.back().copied().unwrap_or_default()
    }

    /// Returns the bytes below segment `seq`, which is not acknowledged yet and no higher than the one that begins
    /// next.
    fn below(&self, seq: u64) -> u64 {
        self.begins.get(seq.saturating_sub(self.first) as usize).copied().unwrap_or(self.last())
    }

    /// Notes that segment `seq` is sent: for the first time, it takes at most `segment` bytes of the data written.
    #[inline]
    fn begin(&mut self, seq: u64, segment: u32) {
        if seq == self.next() {
            self.begins.push_back((self.last() + u64::from(segment)).min(self.written));
        }
    }

    /// Notes that everything below `una` is acknowledged.
    #[inline]
    fn forget(&mut self, una: u64) {
        while self.first < una && self.begins.len() > 1 {
            self.begins.pop_front();
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_leaves_in_full_segments() {
        let mut bounds = Boundaries::new(1);
        bounds.written = 700;
        bounds.begin(1, 1000);
        assert_eq!((bounds.below(1), bounds.below(2)), (0, 700));
        // Three writes wait: a full segment, and what is left.
        bounds.written += 3 * 700;
        bounds.begin(2, 1000);
        bounds.begin(3, 1000);
        bounds.begin(4, 1000);
        assert_eq!([2, 3, 4, 5].map(|seq| bounds.below(seq)), [700, 1700, 2700, 2800]);
        // Sent again, it keeps its boundaries.
        bounds.written += 700;
        bounds.begin(4, 1000);
        assert_eq!(bounds.below(5), 2800);
        bounds.forget(4);
        assert_eq!((bounds.below(4), bounds.below(5), bounds.next()), (2700, 2800, 5));
        bounds.forget(5);
        assert_eq!((bounds.below(5), bounds.next()), (2800, 5));
    }
}
