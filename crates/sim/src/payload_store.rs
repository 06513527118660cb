//! The bytes of packets on their way, for endpoints that read them: links carry packets without bytes.

use base::{Body, Packet};
use std::collections::BTreeMap;

/// The bytes of a flow's packets on their way, there and back.
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
    /// Packets on their way with these bytes.
    copies: u32,
}

impl PayloadStore {
    /// Stores the `bytes` of a packet that sets out towards the destination (`forward`) or back; returns its body on
    /// the network.
    pub(crate) fn load(&mut self, forward: bool, bytes: Vec<u8>) -> Body {
        let way = &mut self.ways[usize::from(!forward)];
        let (seq, payload) = (way.next, bytes.len() as u32);
        way.next += 1;
        way.loads.insert(seq, Load { bytes, copies: 1 });
        if forward { Body::Datagram { seq, payload } } else { Body::Reply { seq, payload } }
    }

    /// Counts a second copy of `packet` on its way.
    pub(crate) fn duplicate(&mut self, packet: &Packet) {
        if let Some((way, seq)) = self.way(packet)
            && let Some(load) = way.loads.get_mut(&seq)
        {
            load.copies += 1;
        }
    }

    /// Forgets the bytes of `packet`, which was lost.
    pub(crate) fn lose(&mut self, packet: &Packet) {
        self.unload(packet);
    }

    /// Returns the bytes of `packet`, which has arrived.
    pub(crate) fn unload(&mut self, packet: &Packet) -> Option<Vec<u8>> {
        let (way, seq) = self.way(packet)?;
        let load = way.loads.get_mut(&seq)?;
        load.copies -= 1;
        if load.copies > 0 {
            return Some(load.bytes.clone());
        }
        way.loads.remove(&seq).map(|load| load.bytes)
    }

    /// Returns the number of packets on their way that still have their bytes: there, and back.
    #[cfg(test)]
    pub(crate) fn packets(&self) -> [u64; 2] {
        let packets = |way: &Way| way.loads.values().map(|load| u64::from(load.copies)).sum();
        [packets(&self.ways[0]), packets(&self.ways[1])]
    }

    fn way(&mut self, packet: &Packet) -> Option<(&mut Way, u64)> {
        match packet.body {
            Body::Datagram { seq, .. } => Some((&mut self.ways[0], seq)),
            Body::Reply { seq, .. } => Some((&mut self.ways[1], seq)),
            Body::Data(_) | Body::Ack(_) => None,
        }
    }
}
