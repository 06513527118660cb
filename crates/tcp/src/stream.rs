//! The stream of bytes to send, and its division into segments.
//!
//! A file is divided into segments of one size. If an application writes data in parts, a segment gets the
//! data available when it is first sent, at most a full segment. Data that wait for the window are sent in
//! full segments; data that meet an open window are sent as written. There is no Nagle algorithm (RFC 9293
//! section 3.7.4), as with `TCP_NODELAY`. A segment keeps its boundaries when it is retransmitted.

use crate::calm::special;
use crate::config::Config;
use std::collections::VecDeque;

/// The stream that a connection sends.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    /// One more than the last segment of the whole stream; `u64::MAX` while the end is unknown.
    end: u64,
    /// One more than the last segment that the application has made available.
    offered: u64,
    /// One more than the last segment within the receiver's advertised window.
    edge: u64,
    /// One more than the last segment that may be sent: the lesser of `offered` and `edge`.
    available: u64,
    /// Payload of the whole stream, bytes; `u64::MAX` if unlimited.
    total_bytes: u64,
    /// Boundaries of segments, if the stream is written in parts; `None` if all segments have one size.
    boundaries: Option<Box<Boundaries>>,
    /// Payload of a full segment, bytes.
    segment: u32,
    /// Number of the first segment with payload: 0 or 1.
    first_payload: u32,
}

impl Stream {
    /// Creates a stream without data.
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            end: 0,
            offered: 0,
            edge: u64::MAX,
            available: 0,
            total_bytes: u64::MAX,
            boundaries: None,
            segment: config.sizes.segment,
            first_payload: config.first_payload() as u32,
        }
    }

    /// Returns the number of the first segment with payload.
    #[inline]
    pub(crate) fn first_payload(&self) -> u64 {
        self.first_payload.into()
    }

    /// Returns one more than the last segment that may be sent: available data within the advertised window.
    #[inline(always)]
    pub(crate) fn available(&self) -> u64 {
        self.available
    }

    /// Returns one more than the last segment that the application has made available.
    #[inline(always)]
    pub(crate) fn offered(&self) -> u64 {
        self.offered
    }

    /// Returns one more than the last segment of the whole stream; `u64::MAX` while the end is unknown.
    #[inline(always)]
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Returns one more than the last segment within the advertised window.
    #[inline(always)]
    pub(crate) fn edge(&self) -> u64 {
        self.edge
    }

    /// Returns true if no advertised window limits the stream.
    #[inline(always)]
    pub(crate) fn is_unbounded(&self) -> bool {
        self.edge == u64::MAX
    }

    /// Makes a whole stream of `bytes` available; returns one more than its last segment.
    pub(crate) fn offer_all(&mut self, bytes: u64) -> u64 {
        let end = self.ends_after(bytes);
        self.offer(end, end);
        end
    }

    /// Sets the length of the stream to `bytes`; returns one more than its last segment.
    pub(crate) fn ends_after(&mut self, bytes: u64) -> u64 {
        self.total_bytes = bytes;
        self.end_of(bytes)
    }

    /// Ends the stream below segment `end`.
    pub(crate) fn cut_off(&mut self, end: u64) {
        self.offer(end, end);
        self.total_bytes = self.bytes_below(end);
    }

    /// Returns one more than the last segment of a stream of `bytes`.
    fn end_of(&self, bytes: u64) -> u64 {
        self.first_payload() + bytes.div_ceil(u64::from(self.segment))
    }

    /// Returns one more than the last full segment within `bytes`.
    pub(crate) fn full_segments(&self, bytes: u64) -> u64 {
        self.first_payload() + bytes / u64::from(self.segment)
    }

    /// Returns the payload of all segments below `seq`, bytes.
    pub(crate) fn bytes_below(&self, seq: u64) -> u64 {
        self.offset::<false>(seq)
    }

    /// Returns the offset at which segment `seq` begins: the payload of all segments below it, bytes.
    #[inline(always)]
    fn offset<const CALM: bool>(&self, seq: u64) -> u64 {
        if special::<CALM>(self.boundaries.is_some())
            && let Some(boundaries) = &self.boundaries
        {
            return boundaries.below(seq);
        }
        (seq.saturating_sub(self.first_payload()) * u64::from(self.segment)).min(self.total_bytes)
    }

    /// Makes segments below `offered` available; the whole stream ends below segment `end`.
    pub(crate) fn offer(&mut self, offered: u64, end: u64) {
        self.offered = offered;
        self.end = end;
        self.available = offered.min(self.edge);
    }

    /// Treats writes as a stream of bytes from now on, instead of as whole segments.
    pub(crate) fn divide_writes(&mut self) {
        self.boundaries = Some(Box::new(Boundaries::new(self.first_payload())));
    }

    /// Adds a write of `bytes`; returns one more than the last segment to send now, and the length of the
    /// stream, bytes.
    pub(crate) fn written(&mut self, bytes: u64) -> (u64, u64) {
        let segment = u64::from(self.segment);
        match &mut self.boundaries {
            Some(boundaries) => {
                boundaries.written += bytes;
                let waiting = boundaries.written - boundaries.last();
                (boundaries.next() + waiting.div_ceil(segment), boundaries.written)
            }
            None => {
                let packets = self.offered.saturating_sub(self.first_payload()) + bytes.div_ceil(segment);
                (self.first_payload() + packets, packets * segment)
            }
        }
    }

    /// Records that segment `seq` is sent; returns its offset in the stream and its payload, bytes.
    #[inline(always)]
    pub(crate) fn send<const CALM: bool>(&mut self, seq: u64) -> (u64, u32) {
        if special::<CALM>(self.boundaries.is_some())
            && let Some(boundaries) = &mut self.boundaries
        {
            boundaries.begin(seq, self.segment);
        }
        let offset = self.offset::<CALM>(seq);
        if special::<CALM>(self.boundaries.is_some() || seq < self.first_payload()) {
            return (offset, (self.offset::<CALM>(seq + 1) - offset) as u32);
        }
        (offset, u64::from(self.segment).min(self.total_bytes - offset) as u32)
    }

    /// Returns true if all segments have one size, and the first one with payload is below `una`.
    pub(crate) fn is_calm(&self, una: u64) -> bool {
        let Self {
            end: _,
            offered: _,
            edge: _,
            available: _,
            total_bytes: _,
            boundaries,
            segment: _,
            first_payload,
        } = self;
        boundaries.is_none() && u64::from(*first_payload) < una
    }

    /// Records that the segments below `una` are acknowledged.
    #[inline(always)]
    pub(crate) fn acknowledge<const CALM: bool>(&mut self, una: u64) {
        if special::<CALM>(self.boundaries.is_some())
            && let Some(boundaries) = &mut self.boundaries
        {
            boundaries.forget(una);
        }
    }

    /// Returns one more than the last segment within an advertised window of `bytes` from segment `from` on;
    /// at least the former edge, because windows do not shrink.
    pub(crate) fn edge_of(&self, from: u64, bytes: u64) -> u64 {
        let reach = self.bytes_below(from) + bytes;
        let edge = match &self.boundaries {
            _ if reach >= self.total_bytes => self.end,
            Some(boundaries) => boundaries.within(reach, self.segment),
            None => self.full_segments(reach),
        };
        if self.edge == u64::MAX { edge } else { edge.max(self.edge) }
    }

    /// Moves the right edge of the advertised window.
    pub(crate) fn move_edge(&mut self, edge: u64) {
        self.edge = edge;
        self.available = self.offered.min(edge);
    }

    /// Returns true if there are data to send, but the advertised window ends at `una` or before.
    #[inline]
    pub(crate) fn window_closed(&self, una: u64) -> bool {
        una >= self.edge && una < self.offered
    }
}

/// Boundaries of the segments of a stream that an application writes in parts.
#[derive(Clone, Debug)]
struct Boundaries {
    /// Bytes written so far.
    written: u64,
    /// Number of the segment to which the first entry of `begins` belongs.
    first: u64,
    /// Stream offsets at which segments begin; the last entry is that of the next new segment.
    begins: VecDeque<u64>,
}

impl Boundaries {
    /// Creates the boundaries of a stream without data; segments below `first_payload` have no payload.
    fn new(first_payload: u64) -> Self {
        Self { written: 0, first: first_payload, begins: VecDeque::from([0]) }
    }

    /// Returns the number of the next new segment.
    fn next(&self) -> u64 {
        self.first + self.begins.len() as u64 - 1
    }

    fn last(&self) -> u64 {
        self.begins.back().copied().unwrap_or_default()
    }

    /// Returns the payload of all segments below `seq`, bytes. Segment `seq` must not be acknowledged, and
    /// not be above the next new segment.
    fn below(&self, seq: u64) -> u64 {
        self.begins.get(seq.saturating_sub(self.first) as usize).copied().unwrap_or(self.last())
    }

    /// Returns one more than the last segment that ends at offset `reach` or before, if every new segment is
    /// a full one of `segment` bytes.
    fn within(&self, reach: u64, segment: u32) -> u64 {
        if reach >= self.last() {
            return self.next() + (reach - self.last()) / u64::from(segment);
        }
        // `begins[0]` is the beginning of segment `first`; every further entry ends a segment.
        self.first + self.begins.partition_point(|&begin| begin <= reach).saturating_sub(1) as u64
    }

    /// Records that segment `seq` is sent. A new segment gets the data written so far, at most `segment`
    /// bytes.
    #[inline]
    fn begin(&mut self, seq: u64, segment: u32) {
        if seq == self.next() {
            self.begins.push_back((self.last() + u64::from(segment)).min(self.written));
        }
    }

    /// Records that segments below `una` are acknowledged.
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
        // Three writes of 700 bytes wait: they leave as two full segments and one of 100 bytes.
        bounds.written += 3 * 700;
        bounds.begin(2, 1000);
        bounds.begin(3, 1000);
        bounds.begin(4, 1000);
        assert_eq!([2, 3, 4, 5].map(|seq| bounds.below(seq)), [700, 1700, 2700, 2800]);
        // A segment that is sent again keeps its boundaries.
        bounds.written += 700;
        bounds.begin(4, 1000);
        assert_eq!(bounds.below(5), 2800);
        // The segments end at 700, 1700, 2700 and 2800 bytes. The 700 bytes that wait are less than a full
        // segment, so the next segment would end at 3800.
        assert_eq!(
            [699, 700, 1699, 2750, 2800, 3799, 3800].map(|reach| bounds.within(reach, 1000)),
            [1, 2, 2, 4, 5, 5, 6]
        );
        bounds.forget(4);
        assert_eq!(bounds.within(2799, 1000), 4);
        assert_eq!((bounds.below(4), bounds.below(5), bounds.next()), (2700, 2800, 5));
        bounds.forget(5);
        assert_eq!((bounds.below(5), bounds.next()), (2800, 5));
    }
}
