//! Receivers that misbehave for the sake of more than their share (Savage, Cardwell, Wetherall and Anderson, "TCP
//! Congestion Control with a Misbehaving Receiver", CCR 1999): ACK division, DupACK spoofing, optimistic ACKing.
//!
//! The receiver first makes the acknowledgment that an honest receiver would send. The acknowledgments that the
//! misbehaviour adds are then sent at the same time, before or after it. Left out: acknowledgments that a receiver paces
//! by a clock of its own, and segments shorter than full ones, which are not divided.

use super::Receiver;
use super::cheat::Cheat;
use base::{AckHeader, Advertised, DataHeader, Instant};

impl Receiver {
    /// Returns true if the receiver acknowledges segments that have not arrived.
    pub fn conceals_losses(&self) -> bool {
        self.cheat.as_ref().is_some_and(|cheat| cheat.conceals_losses())
    }

    /// Returns the number of segments that were acknowledged although they have not arrived; 0 for a receiver that
    /// does not conceal losses.
    pub fn missing(&self) -> u64 {
        self.cheat.as_ref().map_or(0, |cheat| cheat.missing())
    }

    /// Moves RCV.NXT over missing segments to an arriving one, if losses are concealed. Returns true if the segment is one
    /// that was missing, and there is nothing more to do than to acknowledge it.
    #[cold]
    pub(super) fn conceal(&mut self, segment: &DataHeader) -> bool {
        let Some(cheat) = self.cheat.as_mut().filter(|cheat| cheat.conceals_losses()) else {
            return false;
        };
        let late = segment.seq < self.expected;
        let first = cheat.arrives(segment, self.expected);
        self.expected = self.expected.max(segment.seq);
        late && first
    }

    /// Returns the next acknowledgment of a receiver that misbehaves, and its size on the wire, bytes.
    #[cold]
    #[inline(never)]
    pub(super) fn misbehave(&mut self, cheat: &mut Cheat, now: Instant) -> (AckHeader, u32) {
        if cheat.waiting.is_empty() {
            let (from, in_order) = (self.last_ack, u64::from(self.unacked));
            let (ack, size) = self.answer::<false>(now);
            let divisible = in_order > 0 && ack.ack - from == in_order && self.is_full(from);
            if divisible && ack.blocks == 0 && !ack.syn && !ack.fin {
                self.divide(cheat, from, ack, size);
            }
            cheat.waiting.push_back((ack, size));
            if !ack.syn && !ack.fin {
                self.add(cheat, ack, size);
            }
            self.stats.acks_sent += cheat.waiting.len() as u64 - 1;
        }
        let next = cheat.waiting.pop_front();
        self.due = !cheat.waiting.is_empty();
        next.unwrap_or_default()
    }

    /// Returns true if all segments from `from` to RCV.NXT are full ones.
    fn is_full(&self, from: u64) -> bool {
        from >= u64::from(self.first_payload) && self.shorts().last().is_none_or(|short| short.0 < from)
    }

    /// Adds the acknowledgments that divide `ack`, which acknowledges the full segments from `from`: all but the last.
    fn divide(&self, cheat: &mut Cheat, from: u64, ack: AckHeader, size: u32) {
        let parts = cheat.rules.ack_division;
        for seq in from..ack.ack {
            let mut before = 0;
            for part in 1..parts {
                let bytes = (u64::from(self.segment) * u64::from(part) / u64::from(parts)) as u32;
                if bytes > before {
                    cheat.waiting.push_back((self.moved(ack, seq, bytes).with_part(bytes), size));
                    before = bytes;
                }
            }
            if seq + 1 < ack.ack {
                cheat.waiting.push_back((self.moved(ack, seq + 1, 0), size));
            }
        }
    }

    /// Adds the duplicates of `ack`, and acknowledgments of segments that have not arrived.
    fn add(&self, cheat: &mut Cheat, ack: AckHeader, size: u32) {
        for _ in 0..cheat.rules.dupack_spoofing {
            cheat.waiting.push_back((ack, size));
        }
        for ahead in 1..=u64::from(cheat.rules.optimistic_acks) {
            cheat.waiting.push_back((self.moved(ack, ack.ack + ahead, 0), size));
        }
    }

    /// Returns `ack` with the acknowledgment number `to` and `bytes` bytes more, and the same right edge of the window.
    fn moved(&self, ack: AckHeader, to: u64, bytes: u32) -> AckHeader {
        let window = ack.window.bytes().map_or(Advertised::NONE, |window| {
            let segment = u64::from(self.segment);
            let edge = window + ack.ack * segment;
            Advertised::of(edge.saturating_sub(to * segment + u64::from(bytes)))
        });
        AckHeader { ack: to, window, ..ack }
    }
}
