//! Losses, marks and duplicates of each flow's packets in the network.

use crate::payload_store::PayloadStore;
use base::{Body, DropCause, Instant, Packet, Place};
use metrics::{LostStats, Reactions};

/// Losses, marks and duplicates of a flow's packets.
#[derive(Clone, Default)]
pub(crate) struct FlowLosses {
    /// Losses of packets from source to destination.
    pub forward: LostStats,
    /// Losses of packets on the way from destination to source.
    pub acks: LostStats,
    /// Packets from source to destination that queues marked (ECN).
    pub marked: u64,
    /// Second copies that links made of packets from source to destination.
    pub duplicated: u64,
    /// Reactions of the sender to losses, with the actual causes of these losses.
    pub reactions: Reactions,
    /// Queues whose drops must be reported to proxies of gateways.
    pub watched: Vec<Watched>,
    /// Payloads of the packets on their way, if the endpoints read them; links carry only sizes.
    pub payloads: Option<Box<PayloadStore>>,
}

/// Queue behind a proxy whose drops are reported to the proxy.
#[derive(Clone)]
pub(crate) struct Watched {
    pub place: Place,
    pub proxy: u32,
    /// Numbers of the segments that the queue has dropped since the proxy last ran.
    pub dropped: Vec<u64>,
}

impl FlowLosses {
    /// Records the loss of `packet` at `place`.
    #[inline]
    pub(crate) fn on_lost(&mut self, now: Instant, place: Place, packet: &Packet, cause: DropCause) {
        if packet.is_forward() { &mut self.forward } else { &mut self.acks }.add(cause);
        if let Some(payloads) = &mut self.payloads {
            payloads.lose(packet);
        }
        if let Body::Data(segment) = &packet.body
            && !segment.bare_ack
            && !segment.probe
        {
            self.reactions.on_lost(segment.seq, now, cause);
            if cause.is_congestion() {
                let watched = self.watched.iter_mut().filter(|watched| watched.place == place);
                watched.for_each(|watched| watched.dropped.push(segment.seq));
            }
        }
    }

    /// Adds the counts of `other`, a connection of the same flow.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.forward.merge(&other.forward);
        self.acks.merge(&other.acks);
        self.marked += other.marked;
        self.duplicated += other.duplicated;
        self.reactions.merge(&other.reactions);
    }

    /// Records that a link made a second copy of `packet`.
    pub(crate) fn on_duplicated(&mut self, packet: &Packet) {
        self.duplicated += u64::from(packet.is_forward());
        if let Some(payloads) = &mut self.payloads {
            payloads.duplicate(packet);
        }
    }
}
