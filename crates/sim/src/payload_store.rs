//! Payloads of packets on their way, for endpoints that read them: links carry only the sizes of packets.

use base::{Body, Packet, RealSegment, ip};
use std::collections::BTreeMap;

/// Payloads of a flow's packets on their way, in both directions.
#[derive(Clone, Default)]
pub(crate) struct PayloadStore {
    ways: [Way; 2],
}

#[derive(Clone, Default)]
struct Way {
    next: u64,
    loads: BTreeMap<u64, Load>,
}

#[derive(Clone)]
struct Load {
    bytes: Vec<u8>,
    /// Number of packets on their way with this payload.
    copies: u32,
}

impl PayloadStore {
    /// Stores the payload of a packet to the destination (`forward`) or back; returns the body for the packet.
    pub(crate) fn load(&mut self, forward: bool, bytes: Vec<u8>) -> Body {
        let way = &mut self.ways[usize::from(!forward)];
        let (seq, payload) = (way.next, bytes.len() as u32);
        way.next += 1;
        way.loads.insert(seq, Load { bytes, copies: 1 });
        if forward { Body::Datagram { seq, payload } } else { Body::Reply { seq, payload } }
    }

    /// Stores the bytes of an IP packet as [`PayloadStore::load`] does; the payload is that of the transport protocol.
    pub(crate) fn load_packet(&mut self, forward: bool, bytes: Vec<u8>) -> Body {
        let payload = ip::payload(&bytes);
        match self.load(forward, bytes) {
            Body::Datagram { seq, .. } => Body::Datagram { seq, payload },
            Body::Reply { seq, .. } => Body::Reply { seq, payload },
            other => other,
        }
    }

    /// Stores the bytes of an IP packet with a TCP segment, whose place in the stream is `offset`
    /// ([`RealSegment::offset`]).
    pub(crate) fn load_segment(
        &mut self,
        forward: bool,
        bytes: Vec<u8>,
        offset: u64,
        retransmission: bool,
    ) -> Body {
        match self.load_packet(forward, bytes) {
            Body::Datagram { seq, payload } | Body::Reply { seq, payload } => {
                Body::Real(RealSegment { seq, offset, payload, forward, retransmission })
            }
            other => other,
        }
    }

    /// Counts a second copy of `packet`.
    pub(crate) fn duplicate(&mut self, packet: &Packet) {
        if let Some((way, seq)) = self.way(packet)
            && let Some(load) = way.loads.get_mut(&seq)
        {
            load.copies += 1;
        }
    }

    /// Records that `packet` was lost; removes its payload if no other copy of the packet is on its way.
    pub(crate) fn lose(&mut self, packet: &Packet) {
        self.unload(packet);
    }

    /// Returns the payload of `packet`, which has arrived, and removes it with the last copy; `None` if no payload is
    /// stored for it.
    pub(crate) fn unload(&mut self, packet: &Packet) -> Option<Vec<u8>> {
        let (way, seq) = self.way(packet)?;
        let load = way.loads.get_mut(&seq)?;
        load.copies -= 1;
        if load.copies > 0 {
            return Some(load.bytes.clone());
        }
        way.loads.remove(&seq).map(|load| load.bytes)
    }

    /// Returns the number of packets on their way: to the destination, and back.
    #[cfg(test)]
    pub(crate) fn packets(&self) -> [u64; 2] {
        let packets = |way: &Way| way.loads.values().map(|load| u64::from(load.copies)).sum();
        [packets(&self.ways[0]), packets(&self.ways[1])]
    }

    fn way(&mut self, packet: &Packet) -> Option<(&mut Way, u64)> {
        match packet.body {
            Body::Datagram { seq, .. } => Some((&mut self.ways[0], seq)),
            Body::Reply { seq, .. } => Some((&mut self.ways[1], seq)),
            Body::Real(segment) => Some((&mut self.ways[usize::from(!segment.forward)], segment.seq)),
            Body::Data(_) | Body::Ack(_) => None,
        }
    }
}
