//! Digest of the sequence of drops: two runs with the same digest lost the same packets in the same order.

use base::{Body, DropCause, Packet, Place};
use std::collections::BTreeMap;
use std::fmt;

/// 64-bit digest of the drops and ECN marks of a run: flow, packet and cause of each, in the order in which
/// each place decides them. Times do not enter, so runs that differ only by a shift in time have the same
/// digest. The digest is 0 if no packet was dropped or marked.
///
/// In a deterministic network the shares of flows can depend on a few possible sequences of drops (phase
/// effects: Floyd and Jacobson 1992, section 3). Replications with the same sequence are not independent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DropDigest(u64);

/// The drops and marks of a run so far, as one digest per place. The order between places does not enter,
/// because a link may decide on a packet before an earlier packet has reached another link.
#[derive(Clone, Debug, Default)]
pub struct DropSequences(BTreeMap<(u64, u32), u64>);

impl DropSequences {
    /// Adds a packet that was dropped at `place` because of `cause`, or marked there if `cause` is `None`.
    pub fn add(&mut self, place: Place, packet: &Packet, cause: Option<DropCause>) {
        let (kind, number) = match packet.body {
            Body::Data(segment) => (0, segment.seq),
            Body::Ack(header) => (1, header.ack),
            Body::Datagram { seq, .. } => (2, seq),
            Body::Reply { seq, .. } => (3, seq),
            Body::Real(segment) => (2 + u64::from(!segment.forward), segment.seq),
        };
        let site = match place {
            Place::Node(node) => (0, node.0),
            Place::Link(link) => (1, link.0),
            Place::Radio(crossing) => (2, crossing.0),
        };
        let cause = cause.map_or(0, |cause| 1 + cause as u64);
        let so_far = self.0.entry(site).or_default();
        *so_far = chain(*so_far, &[cause << 16 | kind, packet.flow.0.into(), number]);
    }

    /// Returns the digest of all places.
    pub fn digest(&self) -> DropDigest {
        let add =
            |so_far, (&(site, index), &sequence)| chain(so_far, &[u64::from(index) << 8 | site, sequence]);
        DropDigest(self.0.iter().fold(0, add))
    }
}

fn chain(so_far: u64, words: &[u64]) -> u64 {
    words.iter().fold(so_far, |digest, word| base::mix(digest.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word))
}

/// Shows the digest as sixteen hexadecimal digits.
impl fmt::Display for DropDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl serde::Serialize for DropDigest {
    /// Writes a string, because JSON readers round 64-bit numbers.
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
        let mut sequences = DropSequences::default();
        drops.iter().for_each(|(place, packet, cause)| sequences.add(*place, packet, *cause));
        sequences.digest()
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
        assert_eq!(DropSequences::default().digest().to_string(), "0000000000000000");
        assert_eq!(one.to_string(), "43ae29184d89cc7c", "stable across platforms and releases");
    }

    #[test]
    fn the_order_between_places_does_not_count() {
        let queue = Some(DropCause::Queue);
        let (here, there) = (Place::Link(LinkId(3)), Place::Link(LinkId(4)));
        let one =
            of(&[(here, segment(0, 7), queue), (there, segment(1, 9), queue), (here, segment(0, 8), queue)]);
        let same =
            of(&[(there, segment(1, 9), queue), (here, segment(0, 7), queue), (here, segment(0, 8), queue)]);
        let other =
            of(&[(there, segment(1, 9), queue), (here, segment(0, 8), queue), (here, segment(0, 7), queue)]);
        assert_eq!(one, same);
        assert_ne!(one, other);
    }
}
