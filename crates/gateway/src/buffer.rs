//! The Local buffer: copies of the segments that the destination has not acknowledged.

use base::Instant;
use std::collections::VecDeque;

/// Copy of one segment. In a simulation payload is all zeros, so only its position in the stream is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Copied {
    /// Time at which the source's transport sent the segment.
    pub(crate) sent: Instant,
    /// Stream offset of the first payload byte.
    pub(crate) offset: u64,
    /// Payload, bytes.
    pub(crate) payload: u32,
    /// True if the segment ends the stream (FIN).
    pub(crate) fin: bool,
}

impl Copied {
    /// Returns the stream offset after the segment's last byte.
    pub(crate) fn end(&self) -> u64 {
        self.offset + u64::from(self.payload)
    }
}

/// Result of an attempt to insert a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Insert {
    /// A copy has been stored.
    Held,
    /// A copy was already stored, or the destination has acknowledged the segment.
    Known,
    /// The segment ends beyond the capacity of the buffer.
    NoRoom,
}

/// Copies of segments, with a capacity in bytes of payload.
///
/// The capacity limits stream offsets: the buffer takes segments that end at most `room` bytes after the last
/// byte that the destination has acknowledged. Space is thus reserved for missing segments when an
/// out-of-order segment is stored, and the advertised window, which ends at the same offset, never has to
/// shrink.
#[derive(Clone, Debug)]
pub(crate) struct LocalBuffer {
    room: u64,
    /// Lowest segment number that the destination has not acknowledged.
    base: u64,
    copies: VecDeque<Option<Copied>>,
    /// Bytes of the stream that the destination has acknowledged.
    confirmed: u64,
    held: u64,
}

impl LocalBuffer {
    pub(crate) fn new(room: u64) -> Self {
        Self { room, base: 0, copies: VecDeque::new(), confirmed: 0, held: 0 }
    }

    /// Stores a copy of segment `seq` if it is within the capacity.
    pub(crate) fn insert(&mut self, seq: u64, copy: Copied) -> Insert {
        if seq < self.base || self.get(seq).is_some() {
            return Insert::Known;
        }
        if copy.end() > self.reach() {
            return Insert::NoRoom;
        }
        let at = (seq - self.base) as usize;
        if at >= self.copies.len() {
            self.copies.resize(at + 1, None);
        }
        self.copies[at] = Some(copy);
        self.held += u64::from(copy.payload);
        Insert::Held
    }

    /// Returns the copy of segment `seq`.
    pub(crate) fn get(&self, seq: u64) -> Option<&Copied> {
        self.copies.get(seq.checked_sub(self.base)? as usize)?.as_ref()
    }

    /// Frees the copies of segments below `seq` and returns their number. The destination has acknowledged
    /// these segments and, in total, `bytes` bytes of the stream.
    pub(crate) fn confirm(&mut self, seq: u64, bytes: u64) -> u64 {
        let mut freed = 0;
        while self.base < seq && self.copies.pop_front().is_some() {
            self.base += 1;
            freed += 1;
        }
        self.held -= bytes - self.confirmed;
        self.confirmed = bytes;
        freed
    }

    /// Returns the bytes of the stream that the destination has acknowledged.
    pub(crate) fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// Returns the stream offset up to which segments are within the capacity.
    pub(crate) fn reach(&self) -> u64 {
        self.confirmed + self.room
    }

    /// Returns the payload stored, bytes.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Returns the capacity, bytes.
    pub(crate) fn room(&self) -> u64 {
        self.room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(seq: u64) -> Copied {
        Copied { sent: Instant::ZERO, offset: seq * 1000, payload: 1000, fin: false }
    }

    #[test]
    fn keeps_what_fits_and_frees_what_is_confirmed() {
        let mut buffer = LocalBuffer::new(3000);
        assert_eq!(buffer.insert(2, copy(2)), Insert::Held);
        assert_eq!(buffer.insert(0, copy(0)), Insert::Held);
        assert_eq!(buffer.insert(0, copy(0)), Insert::Known);
        assert_eq!(buffer.insert(3, copy(3)), Insert::NoRoom);
        assert_eq!((buffer.held(), buffer.get(1)), (2000, None));
        assert_eq!(buffer.insert(1, copy(1)), Insert::Held);
        assert_eq!((buffer.confirm(2, 2000), buffer.held(), buffer.reach()), (2, 1000, 5000));
        assert_eq!(buffer.insert(1, copy(1)), Insert::Known);
        assert_eq!(buffer.get(2), Some(&copy(2)));
        assert_eq!(buffer.insert(3, copy(3)), Insert::Held);
    }

    #[test]
    fn half_a_segment_confirmed_frees_its_bytes() {
        let mut buffer = LocalBuffer::new(2000);
        buffer.insert(0, copy(0));
        buffer.insert(1, copy(1));
        assert_eq!((buffer.confirm(0, 700), buffer.held(), buffer.reach()), (0, 1300, 2700));
        assert_eq!((buffer.confirm(1, 1400), buffer.held()), (1, 600));
    }
}
