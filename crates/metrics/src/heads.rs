//! First bytes of packets in flight that have real contents, for capture files.

use base::{Body, Ecn, FlowId, Packet, RealSegment, ip};
use std::collections::{BTreeMap, VecDeque};

/// Number of packets, per flow and direction, whose bytes are kept although a later packet has been captured.
/// The bytes of older packets, which are lost or late, are discarded.
const BEHIND: u64 = 1 << 14;

/// First bytes of packets in flight that have real contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    ways: BTreeMap<(FlowId, bool), Way>,
}

/// First bytes of the packets of one flow and direction, in the order of the packets' numbers.
#[derive(Clone, Debug, Default)]
struct Way {
    /// Number of the first packet in `heads`.
    first: u64,
    heads: VecDeque<Box<[u8]>>,
}

/// Returns the number of a packet of a kind that may be real; `None` for segments of simulated TCP, which
/// have no bytes.
fn number(packet: &Packet) -> Option<u64> {
    match packet.body {
        Body::Datagram { seq, .. } | Body::Reply { seq, .. } | Body::Real(RealSegment { seq, .. }) => {
            Some(seq)
        }
        Body::Data(_) | Body::Ack(_) => None,
    }
}

impl Heads {
    /// Stores the first bytes of a packet. Packets of a flow and direction must come in the order of their
    /// numbers, without gaps.
    pub(crate) fn keep(&mut self, packet: &Packet, head: &[u8]) {
        let Some(number) = number(packet) else { return };
        let way = self.ways.entry((packet.flow, packet.is_forward())).or_default();
        if way.heads.is_empty() {
            way.first = number;
        }
        way.heads.push_back(head.into());
    }

    /// Returns the first bytes of a packet, with the ECN mark that a queue may have set since. `None` if the packet
    /// is not a real one, or its bytes have been discarded.
    pub(crate) fn of(&mut self, packet: &Packet) -> Option<Vec<u8>> {
        let way = self.ways.get_mut(&(packet.flow, packet.is_forward()))?;
        let at = number(packet)?.checked_sub(way.first)?;
        let mut head = way.heads.get(usize::try_from(at).ok()?)?.to_vec();
        if packet.ecn == Ecn::Ce {
            ip::mark(&mut head);
        }
        let old = at.saturating_sub(BEHIND);
        way.heads.drain(..old as usize);
        way.first += old;
        Some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Instant;

    fn packet(seq: u64, ecn: Ecn) -> Packet {
        let body = Body::Datagram { seq, payload: 0 };
        Packet { sent: Instant::ZERO, flow: FlowId(0), route: 0, wire: 40, body, ecn, class: 0 }
    }

    #[test]
    fn a_packet_is_found_until_many_later_ones_have_come() {
        let mut heads = Heads::default();
        let bytes = [&[0x45, 2][..], &[0; 18]].concat();
        for seq in 0..BEHIND + 3 {
            heads.keep(&packet(seq, Ecn::Ect0), &bytes);
        }
        assert_eq!(heads.of(&packet(0, Ecn::Ect0)), Some(bytes.clone()));
        // The mark appears in the result; the stored bytes do not change.
        assert_eq!(heads.of(&packet(1, Ecn::Ce)).map(|head| head[1]), Some(3));
        assert_eq!(heads.of(&packet(1, Ecn::Ect0)).map(|head| head[1]), Some(2));
        assert!(heads.of(&packet(BEHIND + 2, Ecn::Ect0)).is_some());
        assert_eq!(heads.of(&packet(1, Ecn::Ect0)), None);
        assert!(heads.of(&packet(2, Ecn::Ect0)).is_some());
        let other = Packet { body: Body::Reply { seq: 2, payload: 0 }, ..packet(2, Ecn::Ect0) };
        assert_eq!(heads.of(&other), None);
    }
}
