//! True round-trip times of packets: from the time at which the source sends a packet until its acknowledgment is back.
//! A sender measures fewer: without timestamps only one packet at a time, and no retransmission (Karn's algorithm).

use base::cache::fetch;
use base::{Duration, Instant, Packet};
use std::collections::VecDeque;

/// Maximum number of acknowledgments on their way that are remembered, more than any path holds. A lost acknowledgment
/// is forgotten when later ones come back.
const MOST: usize = 1 << 16;

/// Round-trip times of a connection's packets.
#[derive(Clone, Default)]
pub(crate) struct RoundTrips {
    /// Time at which the source sent the packet that arrived last at the destination.
    last: Instant,
    /// True if a gateway acknowledges data in place of the destination, so that packets have no round trip.
    pub cut: bool,
    /// Acknowledgments on their way: for each the time at which the destination sent it, and the time at which the
    /// source sent the packet that it acknowledges.
    answered: VecDeque<(Instant, Instant)>,
}

impl RoundTrips {
    /// Prefetches the oldest acknowledgment on its way, which is likely to come back next.
    #[inline]
    pub(crate) fn fetch(&self) {
        if let Some(front) = self.answered.front() {
            fetch(front);
        }
    }

    /// Records the arrival of a packet at the destination.
    #[inline]
    pub(crate) fn on_arrival(&mut self, packet: &Packet) {
        self.last = packet.sent;
    }

    /// Records that the destination sends an acknowledgment of the last packet at `now`.
    #[inline]
    pub(crate) fn on_answer(&mut self, now: Instant) {
        if self.cut {
            return;
        }
        if self.answered.len() == MOST {
            self.answered.pop_front();
        }
        self.answered.push_back((now, self.last));
    }

    /// Returns the round-trip time of an acknowledgment that has come back. Returns `None` if it is not recorded as on
    /// its way: a gateway sent it, it is a second copy, or too many acknowledgments have overtaken it.
    #[inline]
    pub(crate) fn on_return(&mut self, now: Instant, ack: &Packet) -> Option<Duration> {
        let (sent, began) = *self.answered.front()?;
        if sent == ack.sent {
            self.answered.pop_front();
            return Some(now.since(began));
        }
        self.out_of_order(now, ack)
    }

    /// Does the work of [`RoundTrips::on_return`] if earlier acknowledgments were lost or overtaken.
    #[cold]
    fn out_of_order(&mut self, now: Instant, ack: &Packet) -> Option<Duration> {
        /// Maximum number of acknowledgments that another one may overtake before the oldest are forgotten.
        const OVERTAKEN: usize = 256;
        let at = self.answered.partition_point(|(sent, _)| *sent < ack.sent);
        let (_, began) = *self.answered.get(at).filter(|(sent, _)| *sent == ack.sent)?;
        self.answered.remove(at);
        self.answered.drain(..at.saturating_sub(OVERTAKEN));
        Some(now.since(began))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{AckHeader, Body, Ecn, FlowId};

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_ms(ms)
    }

    fn packet(sent: Instant) -> Packet {
        let body = Body::Ack(AckHeader::default());
        Packet { sent, flow: FlowId(0), route: 0, wire: 40, body, ecn: Ecn::NotEct, class: 0 }
    }

    #[test]
    fn each_acknowledgment_is_one_round_trip_however_many_are_lost_or_overtaken() {
        let mut trips = RoundTrips::default();
        for ms in [10, 20, 30, 40] {
            trips.on_arrival(&packet(at(ms - 10)));
            trips.on_answer(at(ms));
        }
        // The first acknowledgment is lost, and the third overtakes the second.
        assert_eq!(trips.on_return(at(45), &packet(at(30))), Some(Duration::from_ms(25)));
        assert_eq!(trips.on_return(at(46), &packet(at(20))), Some(Duration::from_ms(36)));
        assert_eq!(trips.on_return(at(50), &packet(at(40))), Some(Duration::from_ms(20)));
        // Neither a second copy nor a packet that a gateway sent gives a sample.
        assert_eq!(trips.on_return(at(51), &packet(at(40))), None);
        assert_eq!(trips.on_return(at(52), &packet(at(35))), None);
    }
}
