//! Packets of an RLC entity as one stream of bytes.

use super::pdu::Sdu;
use std::collections::VecDeque;
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
struct Entry {
    sdu: Sdu,
    /// Offset in the stream of the packet's end.
    end: u64,
    /// True if the packet has been lost, so that it is not delivered.
    out: bool,
}

/// Packets of an entity from the buffer to delivery.
#[derive(Clone, Debug, Default)]
pub(super) struct Stream {
    ring: VecDeque<Entry>,
    /// Offset at which the front packet begins.
    begin: u64,
    /// Offset at which the last packet ends.
    end: u64,
    /// Offset up to which the stream has been sent at least once.
    sent: u64,
    /// Index in `ring` of the packet that contains `sent`.
    next: usize,
}

/// Returns the bytes of the length fields in a PDU of `packets` packets: 12 bits for each packet but the last,
/// rounded up to whole bytes.
#[inline]
pub(super) const fn lengths(packets: u32) -> u32 {
    (3 * packets.saturating_sub(1)).div_ceil(2)
}

/// Longest packet that another can follow in a PDU, bytes: the length field has 11 bits.
const LONGEST: u32 = 2047;

impl Stream {
    /// Adds a packet that takes `bytes` bytes with its PDCP header.
    pub(crate) fn push(&mut self, sdu: Sdu, bytes: u32) {
        self.end += u64::from(bytes);
        self.ring.push_back(Entry { sdu, end: self.end, out: false });
    }

    /// Returns the number of bytes that have never been sent.
    #[inline]
    pub(crate) fn unsent(&self) -> u64 {
        self.end - self.sent
    }

    /// Returns the number of packets that have not been sent whole.
    #[inline]
    pub(crate) fn unsent_packets(&self) -> u64 {
        (self.ring.len() - self.next) as u64
    }

    /// Returns the offset up to which the stream has been sent at least once.
    #[inline]
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    /// Returns the number of packets that have been neither delivered nor lost.
    pub(crate) fn inside(&self) -> usize {
        self.ring.iter().filter(|entry| !entry.out).count()
    }

    /// Takes new bytes for a PDU of at most `room` bytes whose fixed header has `header` bytes; returns their range in
    /// the stream and the size of the PDU. `None` if no data waits or fits.
    pub(crate) fn take(&mut self, room: u32, header: u32) -> Option<(Range<u64>, u32)> {
        let from = self.sent;
        let (mut packets, mut data) = (0, 0);
        while let Some(entry) = self.ring.get(self.next) {
            let overhead = header + lengths(packets + 1);
            let space = room.saturating_sub(overhead + data);
            if space == 0 {
                break;
            }
            let left = entry.end - self.sent;
            packets += 1;
            if left > u64::from(space) {
                self.sent += u64::from(space);
                data += space;
                break;
            }
            self.sent = entry.end;
            self.next += 1;
            data += left as u32;
            if left > u64::from(LONGEST) {
                break;
            }
        }
        (data > 0).then(|| (from..self.sent, header + lengths(packets) + data))
    }

    /// Returns the size of a PDU that carries `range` of the stream again.
    pub(crate) fn size(&self, range: &Range<u64>, header: u32) -> u32 {
        header + lengths(self.packets_in(range)) + (range.end - range.start) as u32
    }

    /// Returns the offset, at most `to`, at which a PDU of at most `room` bytes that begins at `from` ends; `None` if
    /// no data fits.
    pub(crate) fn fit(&self, from: u64, to: u64, room: u32, header: u32) -> Option<u64> {
        let mut reach = None;
        let mut packets = 0;
        for entry in self.ring.iter().filter(|entry| entry.end > from) {
            packets += 1;
            let overhead = u64::from(header + lengths(packets));
            let Some(space) =
                u64::from(room).checked_sub(overhead).filter(|&space| from + space > reach.unwrap_or(from))
            else {
                break;
            };
            let end = (from + space).min(entry.end).min(to);
            reach = Some(end);
            if end < entry.end || end == to {
                break;
            }
        }
        reach
    }

    fn packets_in(&self, range: &Range<u64>) -> u32 {
        let first = self.ring.partition_point(|entry| entry.end <= range.start);
        let last = self.ring.partition_point(|entry| entry.end < range.end);
        (last + 1 - first) as u32
    }

    /// Marks every packet that touches `range` as lost; appends those that were not lost before to `lost`.
    pub(crate) fn lose(&mut self, range: &Range<u64>, lost: &mut Vec<Sdu>) {
        let first = self.ring.partition_point(|entry| entry.end <= range.start);
        let mut begin = if first == 0 { self.begin } else { self.ring[first - 1].end };
        for entry in self.ring.iter_mut().skip(first) {
            if begin >= range.end {
                break;
            }
            begin = entry.end;
            if !entry.out {
                entry.out = true;
                lost.push(entry.sdu);
            }
        }
    }

    /// Removes the packets that end at or before `to`; appends those that are not lost to `delivered`.
    pub(crate) fn release(&mut self, to: u64, delivered: &mut Vec<Sdu>) {
        while let Some(&entry) = self.ring.front()
            && entry.end <= to
        {
            if !entry.out {
                delivered.push(entry.sdu);
            }
            self.begin = entry.end;
            self.ring.pop_front();
            // Only packets that have been sent whole are released, so `next` is at least 1.
            self.next -= 1;
        }
    }

    /// Empties the stream; returns the packets that are not lost, each with its range in the stream.
    pub(crate) fn drain(&mut self) -> Vec<(Sdu, Range<u64>)> {
        let mut begin = self.begin;
        let mut rest = Vec::new();
        for entry in self.ring.drain(..) {
            if !entry.out {
                rest.push((entry.sdu, begin..entry.end));
            }
            begin = entry.end;
        }
        self.begin = self.end;
        self.sent = self.end;
        self.next = 0;
        rest
    }
}
