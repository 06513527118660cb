//! Delivery of packets that have reached their destination.

use crate::event::Event;
use crate::flow::{Flow, Kind};
use crate::world::World;
use base::{AckHeader, Body, DataHeader, Ecn, Observation, Packet, PacketEvent, Place, Probe, Stamp};
use engine::EventQueue;
use net::wire::Landed;

impl<P: Probe> World<P> {
    /// Delivers the packet that has landed to the endpoint of its flow. The endpoint reads the packet where it lies,
    /// without a copy.
    #[inline(never)]
    pub(crate) fn deliver(&mut self, stamp: Stamp, landed: Landed, queue: &mut EventQueue<Event>) {
        let mut packet = self.network.flying.landed(landed);
        let at = packet.flow.0;
        let in_session = self.is_in_session(at);
        if in_session && packet.sent < self.flows[at as usize].start {
            // The packet belongs to an earlier connection, whose flow number this connection reuses.
            if packet.is_forward() {
                self.flows[at as usize].stats.on_received(stamp.at, packet);
            }
            return;
        }
        let copy;
        if matches!(packet.body, Body::Data(_)) && packet.ecn.is_capable() {
            // The receiver may first send an ACK because the ECN codepoint changed, and that ACK overwrites the
            // landed packet.
            copy = *packet;
            packet = &copy;
            if let Kind::Tcp(connection) = &mut self.flows[at as usize].kind {
                connection.receiver.on_ecn(packet.ecn == Ecn::Ce);
                self.pump_receiver(stamp, at, queue);
            }
        }
        let flow = &mut self.flows[at as usize];
        match (&packet.body, &mut flow.kind) {
            (Body::Ack(ack), Kind::Tcp(_)) => {
                take_ack(flow, stamp, packet, ack, &mut self.probe);
                self.pump_sender(stamp, at, queue);
                if in_session {
                    self.end_half(stamp.at, at);
                }
            }
            (Body::Data(segment), Kind::Tcp(_)) => {
                take_segment(flow, stamp, packet, segment);
                if let Kind::Tcp(connection) = &mut flow.kind {
                    connection.arrived(stamp.at, segment);
                }
                self.pump_receiver(stamp, at, queue);
                if in_session {
                    self.delivered_more(stamp, at, queue);
                }
            }
            (_, Kind::Stack(_)) => {
                let packet = *packet;
                self.stack_arrival(stamp, &packet, queue);
            }
            (_, Kind::Kernel(_)) => {
                let packet = *packet;
                self.kernel_arrival(stamp, &packet, queue);
            }
            // No packet belongs to a flow with sessions: its connections are flows of their own.
            (_, Kind::Sessions(_)) => {}
            (_, Kind::Outside(_)) => {
                let packet = *packet;
                self.outside_arrival(stamp, &packet);
            }
            (Body::Datagram { seq, payload }, Kind::Udp(datagrams)) => {
                if let Some(video) = &mut datagrams.video {
                    video.on_delivered(stamp.at, *seq);
                }
                flow.stats.on_received(stamp.at, packet);
                // The counter rises when a link makes a copy, that is before the datagram or its copy
                // arrives.
                if self.network.links.losses[at as usize].duplicated > 0 && !datagrams.arrived.add(*seq) {
                    return;
                }
                flow.stats.delivered_bytes += u64::from(*payload);
                flow.stats.on_acked(1, u64::from(*payload));
                self.probe.observe(stamp.at, Observation::Acked(flow.id, u64::from(*payload)));
            }
            // Routes are per flow, so a datagram source gets no segments, and a TCP endpoint no datagrams or replies.
            (_, Kind::Udp(_))
            | (Body::Datagram { .. } | Body::Reply { .. } | Body::Real(_), Kind::Tcp(_)) => {}
        }
    }
}

/// Passes an acknowledgment to the sender of a TCP flow.
#[inline(always)]
pub(crate) fn take_ack<P: Probe>(
    flow: &mut Flow,
    stamp: Stamp,
    packet: &Packet,
    ack: &AckHeader,
    probe: &mut P,
) {
    let Kind::Tcp(connection) = &mut flow.kind else { return };
    if P::PACKETS {
        probe.packet(stamp, PacketEvent::Ack, Place::Node(flow.from), packet, None);
    }
    if let Some(round_trip) = connection.round_trips.on_return(stamp.at, packet) {
        flow.stats.on_returned(round_trip);
    }
    connection.sender.on_ack(stamp.at, ack);
}

/// Passes a segment to the receiver of a TCP flow.
#[inline(always)]
pub(crate) fn take_segment(flow: &mut Flow, stamp: Stamp, packet: &Packet, segment: &DataHeader) {
    let Kind::Tcp(connection) = &mut flow.kind else { return };
    flow.stats.on_received(stamp.at, packet);
    connection.round_trips.on_arrival(packet);
    connection.receiver.on_segment(stamp.at, segment);
}
