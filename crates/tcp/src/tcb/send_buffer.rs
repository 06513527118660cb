//! Send buffer of a Linux socket, and the segments with PSH that follow from it, which the receiver acknowledges
//! at once.
//!
//! An application with more data than the buffer holds writes until the buffer is full, and again when a third of it
//! is free. The last segment of each write has PSH. By experiments with Linux 6.12 (`SO_MEMINFO`, payloads of 200 to
//! 1448 bytes):
//!
//! - A queued segment takes its payload and 896 bytes of memory. Segments of one SACK block, except the first, take
//!   their payload only, since they are merged.
//! - The buffer holds twice the largest window so far. Each segment of the window counts as the sum of its
//!   payload and 576 bytes, rounded up to a power of two, plus 256 bytes. The buffer is never smaller than at
//!   the start (`send_buffer`).
//! - Within a write, a segment also has PSH if the data since the last segment with PSH exceed half of the largest
//!   window that the receiver has advertised.

use crate::config::Config;
use std::collections::VecDeque;

/// Memory of a queued segment in addition to its payload, bytes.
const OVERHEAD: u64 = 896;
/// Bytes added to a segment's payload before the sum is rounded up to a power of two, for the buffer's size. Any value
/// from 525 to 600 gives the measured sizes.
const HEADERS: u64 = 576;
/// Bytes added to that power of two.
const DESCRIPTOR: u64 = 256;
/// Windows that the buffer holds.
const WINDOWS: u64 = 2;
/// Largest window of a SYN's answer, which is not scaled (RFC 7323 section 2.2).
const LARGEST_OF_SYN: u64 = 65_535;

/// A socket's send buffer, to which an application writes whenever it may.
#[derive(Clone, Debug)]
pub(crate) struct SendBuffer {
    /// Payload of a full segment, bytes.
    segment: u64,
    /// Size of the buffer, bytes of memory.
    size: u64,
    /// Least window that enlarges the buffer, segments: one more than the largest so far.
    larger: f64,
    /// Largest window that the receiver has advertised, bytes; `u64::MAX` if it has advertised none.
    advertised: u64,
    /// Number of the first segment that is not written yet.
    written: u64,
    /// SND.UNA from which on the application writes again, if no segments are merged.
    room_at: u64,
    /// Number of the segment after the last one with PSH.
    pushed: u64,
    /// Segments with PSH that are outstanding or not sent yet, in order.
    ends: VecDeque<u64>,
    /// First of them that has not been sent; `u64::MAX` if there is none.
    next_end: u64,
}

impl SendBuffer {
    /// Creates the buffer before the first write.
    pub(crate) fn new(config: &Config) -> Self {
        let first = config.first_payload();
        Self {
            segment: config.sizes.segment.into(),
            size: config.connection.send_buffer,
            larger: 1.0,
            advertised: u64::MAX,
            written: first,
            room_at: 0,
            pushed: first,
            ends: VecDeque::new(),
            next_end: u64::MAX,
        }
    }

    /// Takes the window of `bytes` that the receiver advertises; `syn` is true in the answer to a SYN.
    #[inline]
    pub(crate) fn take_window(&mut self, bytes: u64, syn: bool) {
        if self.advertised == u64::MAX {
            self.advertised = 0;
        }
        self.advertised = self.advertised.max(if syn { bytes.min(LARGEST_OF_SYN) } else { bytes });
    }

    /// Lets the application write, if enough of the buffer is free: segments below `una` are acknowledged, those
    /// below `max` have been sent, the window is `cwnd`, and `merged` segments have been merged with the segment before.
    #[inline]
    pub(crate) fn acknowledged(&mut self, una: u64, max: u64, cwnd: f64, merged: u64) {
        if cwnd >= self.larger {
            self.grow(cwnd as u64);
        }
        if una >= self.room_at || merged > 0 {
            self.look(una, max, merged);
        }
    }

    /// Lets the application write, if a third of the buffer is free.
    fn look(&mut self, una: u64, max: u64, merged: u64) {
        // With a window larger than the buffer, more segments can be sent, and merged, than were written.
        let used = (self.segment + OVERHEAD) * self.written.saturating_sub(una);
        let used = used.saturating_sub(OVERHEAD * merged);
        if used + used / 2 <= self.size {
            self.write(una, max, used);
        }
    }

    /// Computes `room_at` after a change of the buffer's size or of `written`.
    fn plan(&mut self) {
        // The most bytes that fulfil `used + used / 2 <= size`.
        let most = (2 * self.size + 1) / 3;
        self.room_at = self.written.saturating_sub(most / (self.segment + OVERHEAD));
    }

    /// Increases the size of the buffer, if necessary, so that it holds `WINDOWS` windows of `cwnd` segments;
    /// never reduces it.
    #[cold]
    fn grow(&mut self, cwnd: u64) {
        self.larger = cwnd as f64 + 1.0;
        let counted = (self.segment + HEADERS).next_power_of_two() + DESCRIPTOR;
        self.size = self.size.max(WINDOWS * cwnd * counted);
        self.plan();
    }

    /// Fills the buffer, of which `used` bytes are in use.
    fn write(&mut self, una: u64, max: u64, used: u64) {
        while self.ends.front().is_some_and(|end| *end < una) {
            self.ends.pop_front();
        }
        self.written += (self.size - used).div_ceil(self.segment + OVERHEAD);
        let most = (self.advertised / 2 / self.segment).saturating_add(1);
        while self.written - self.pushed > most {
            self.pushed += most;
            self.ends.push_back(self.pushed - 1);
        }
        if self.written > self.pushed {
            self.pushed = self.written;
            self.ends.push_back(self.written - 1);
        }
        self.next_end = self.end_from(max);
        self.plan();
    }

    /// Returns the first segment with PSH of `seq` or above; `u64::MAX` if there is none.
    fn end_from(&self, seq: u64) -> u64 {
        self.ends.iter().copied().find(|end| *end >= seq).unwrap_or(u64::MAX)
    }

    /// Returns true if segment `seq`, which is about to be sent, has PSH; `again` is true for a retransmission.
    #[inline]
    pub(crate) fn pushes(&mut self, seq: u64, again: bool) -> bool {
        // New segments are sent in the order of their numbers.
        if !again && seq != self.next_end { false } else { self.finds(seq, again) }
    }

    fn finds(&mut self, seq: u64, again: bool) -> bool {
        if !again {
            self.next_end = self.end_from(seq + 1);
        }
        self.ends.contains(&seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a buffer of 64 KiB for segments of `payload` bytes.
    fn buffer(payload: u32) -> SendBuffer {
        let mut config = Config::default();
        config.sizes.segment = payload;
        config.connection.send_buffer = 65_536;
        SendBuffer::new(&config)
    }

    /// The sizes are those of the kernel's buffer at windows of 71, 229, 291 and 293 segments.
    #[test]
    fn the_buffer_holds_twice_the_largest_window() {
        for (payload, cwnd, size) in
            [(1448, 71, 327_168), (1000, 229, 1_055_232), (500, 291, 1_340_928), (200, 293, 750_080)]
        {
            let mut buffer = buffer(payload);
            buffer.grow(cwnd);
            assert_eq!(buffer.size, size, "{payload}");
        }
    }

    /// The kernel's first writes are of 28, 13 and 18 segments: 28 * 2344 bytes fill 64 KiB, and windows of 17 and 23
    /// segments enlarge it. With an advertised window of 64 240 bytes, segment 22 is pushed too: 22 segments have
    /// 31 856 bytes, at most half of it, and 23 have more.
    #[test]
    fn the_first_writes_are_the_kernels() {
        let mut buffer = buffer(1448);
        buffer.take_window(64_240, true);
        let mut ends = Vec::new();
        for una in 0..=13 {
            buffer.acknowledged(una, una + 10, (10 + una) as f64, 0);
            if una == 0 {
                buffer.take_window(33_554_432, false);
            }
            ends.extend(buffer.ends.iter().filter(|end| !ends.contains(*end)).copied().collect::<Vec<_>>());
        }
        assert_eq!(ends, [22, 27, 40, 58]);
    }

    /// At a largest window of 71 segments, 140 fill the buffer, and the application writes again when at most 93 are
    /// left. Of 97 segments, 12 merged ones in a SACK block leave the memory of 93.
    #[test]
    fn writes_come_when_a_third_is_free() {
        let mut buffer = buffer(1448);
        buffer.acknowledged(0, 71, 71.0, 0);
        assert_eq!(buffer.written, 140);
        buffer.acknowledged(46, 117, 71.0, 0);
        assert_eq!(buffer.written, 140);
        buffer.acknowledged(47, 118, 71.0, 0);
        assert_eq!(buffer.written, 187);
        assert!(buffer.pushes(186, true) && !buffer.pushes(185, true));
        assert!(buffer.pushes(139, false) && !buffer.pushes(140, false) && buffer.pushes(186, false));
        buffer.acknowledged(90, 187, 71.0, 10);
        assert_eq!(buffer.written, 187);
        buffer.acknowledged(90, 187, 71.0, 11);
        assert_eq!(buffer.written, 234);
    }
}
