//! A digest of the sequence of drops, by which two runs are known to have lost the same packets in the same order.

use base::{Body, DropCause, Packet, Place};
use std::fmt;

/// Digest (64 bits) of the drops and ECN marks of a run, in the order in which the network decides them: place, flow, packet and
/// cause of each. Times are left out: runs that differ by a shift in time have the same digest. 0 before the first drop.
///
/// In a deterministic network a few sequences of drops decide what flows get (phase effects: Floyd and Jacobson 1992, section 3).
/// Replications that share a sequence are not independent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DropDigest(u64);

impl DropDigest {
    /// Adds a packet that was dropped at `place`; `None` as cause: it was marked instead.
    pub fn add(&mut self, place: Place, packet: &Packet, cause: Option<DropCause>) {
        let (kind, number) = match packet.body {
            Body::Data(segment) => (0, segment.seq),
            Body::Ack(header) => (1, header.ack),
            Body::Datagram { seq, .. } => (2, seq),
            Body::Reply { seq, .. } => (3, seq),
        };
        let (site, index) = match place {
            Place::Node(node) => (0, node.0),
            Place::Link(link) => (1, link.0),
            Place::Radio(crossing) => (2, crossing.0),
        };
        let cause = cause.map_or(0, |cause| 1 + cause as u64);
        for word in [u64::from(index) << 32 | cause << 16 | site << 8 | kind, packet.flow.0.into(), number] {
            self.0 = base::mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word);
        }
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for DropDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl serde::Serialize for DropDigest {
    /// As text: JSON's numbers lose digits of 64 bits.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{DataHeader, FlowId, Instant, LinkId, NodeId};

    fn segment(flow: u32, seq: u64) -> Packet {
        let body = Body::Data(DataHeader { seq, ..DataHeader::default() });
        Packet { flow: FlowId(flow), body, ..Packet::EMPTY }
    }

    fn of(drops: &[(Place, Packet, Option<DropCause>)]) -> DropDigest {
        let mut digest = DropDigest::default();
        drops.iter().for_each(|(place, packet, cause)| digest.add(*place, packet, *cause));
        digest
    }

    #[test]
    fn order_and_every_part_count_and_times_do_not() {
        let queue = Some(DropCause::Queue);
        let at = Place::Link(LinkId(3));
        let one = of(&[(at, segment(0, 7), queue), (at, segment(1, 9), queue)]);
        let later = Packet { sent: Instant::ZERO + base::Duration::from_ms(5), ..segment(0, 7) };
        assert_eq!(one, of(&[(at, later, queue), (at, segment(1, 9), queue)]));
        let others = [
            of(&[]),
            of(&[(at, segment(0, 7), queue)]),
            of(&[(at, segment(1, 9), queue), (at, segment(0, 7), queue)]),
            of(&[(at, segment(0, 8), queue), (at, segment(1, 9), queue)]),
            of(&[(at, segment(1, 7), queue), (at, segment(1, 9), queue)]),
            of(&[(at, segment(0, 7), None), (at, segment(1, 9), queue)]),
            of(&[(at, segment(0, 7), Some(DropCause::Random)), (at, segment(1, 9), queue)]),
            of(&[(Place::Link(LinkId(4)), segment(0, 7), queue), (at, segment(1, 9), queue)]),
            of(&[(Place::Node(NodeId(3)), segment(0, 7), queue), (at, segment(1, 9), queue)]),
        ];
        others.iter().for_each(|other| assert_ne!(one, *other));
        assert_eq!(DropDigest::default().to_string(), "0000000000000000");
        assert_eq!(one.to_string(), "ab53b5c6fcd82163", "stable across platforms and releases");
    }
}
