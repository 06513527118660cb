//! Bytes of one direction of a TCP connection, counted from the packets of a real endpoint.

use super::segment::Segment;

/// Data that one end of a TCP connection sends, with counts of the bytes sent, delivered and acknowledged.
///
/// Offsets count payload from the first byte. Sequence numbers wrap at 4 GiB; each stands for the possible
/// offset that is nearest to the highest offset sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stream {
    /// Sequence number of the first byte; `None` before a SYN or data was seen.
    first: Option<u32>,
    highest: u64,
    acked: u64,
    delivered: u64,
    /// Offset of the FIN; `None` until it is sent.
    end: Option<u64>,
    /// True if the FIN was acknowledged.
    closed: bool,
}

impl Stream {
    /// Returns the offset of a sequence number; `None` if the stream has not begun, or begins after it.
    pub fn offset(&self, seq: u32) -> Option<u64> {
        let low = seq.wrapping_sub(self.first?);
        let apart = low.wrapping_sub(self.highest as u32) as i32;
        self.highest.checked_add_signed(apart.into())
    }

    /// Counts a segment that the sender sends; returns its payload if it is a retransmission.
    pub fn on_sent(&mut self, segment: &Segment) -> Option<u32> {
        if segment.syn {
            self.first = Some(segment.seq.wrapping_add(1));
            return None;
        }
        if segment.payload > 0 {
            self.first.get_or_insert(segment.seq);
        }
        let begin = self.offset(segment.seq)?;
        let end = begin + u64::from(segment.payload);
        if segment.fin {
            self.end = Some(end);
        }
        // A FIN has a sequence number of its own, but no data.
        if segment.payload == 0 {
            return None;
        }
        let again = begin < self.highest;
        self.highest = self.highest.max(end);
        again.then_some(segment.payload)
    }

    /// Counts an acknowledgment that the receiver sends.
    pub fn on_answer(&mut self, ack: u32) {
        if let Some(offset) = self.offset(ack) {
            self.delivered = self.delivered.max(offset.min(self.highest));
        }
    }

    /// Counts an acknowledgment that reaches the sender.
    pub fn on_ack(&mut self, ack: u32) {
        if let Some(offset) = self.offset(ack) {
            // An acknowledgment of the FIN has an offset one above the end of the data.
            self.closed |= self.end.is_some_and(|end| offset > end);
            self.acked = self.acked.max(offset.min(self.highest));
        }
    }

    /// Returns the number of bytes sent, each once.
    pub fn sent(&self) -> u64 {
        self.highest
    }

    /// Returns the number of bytes acknowledged to the sender.
    pub fn acked(&self) -> u64 {
        self.acked
    }

    /// Returns the number of bytes that have arrived in order, by the receiver's acknowledgments.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Returns true if the sender has ended the stream and the end is acknowledged.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}
