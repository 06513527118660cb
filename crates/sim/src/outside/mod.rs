//! Real traffic in a run: IP packets of programs outside, which enter the network at one node and leave it at another.
//!
//! Each packet belongs to a flow, as packets of simulated endpoints do: counters, traces and fair queues see it. Each
//! TCP connection has a flow for each direction in which it carries data; acknowledgments without data belong to the
//! flow of the data that they acknowledge. Other packets with equal addresses, ports and protocol are a flow in each
//! direction.

mod conversations;
pub(crate) mod state;
#[cfg(test)]
mod tests;
pub(crate) mod traffic;

use crate::event::Event;
use crate::flow::{Flow, Kind};
use crate::world::World;
use base::ip::{self, Ends, Segment, Stream};
use base::{Instant, NodeId, Observation, Packet, PacketEvent, Place, Probe, Stamp, Variable};
use conversations::Way;
use engine::EventQueue;
use state::{Departed, Outside, SEGMENT, SenderSample};

impl<P: Probe> World<P> {
    /// Lets a packet enter the network at node `side` of the two. Returns false if the bytes are no IP
    /// packet; also returns the number of the packet's flow if the packet is the flow's first.
    pub(crate) fn enter(
        &mut self,
        stamp: Stamp,
        side: usize,
        bytes: Vec<u8>,
        queue: &mut EventQueue<Event>,
    ) -> (bool, Option<u32>) {
        let Some(gate) = &mut self.gate else { return (false, None) };
        let Some(ends) = Ends::of(&bytes) else { return (false, None) };
        let segment = Segment::of(&bytes);
        let Way { flow: at, forward, new, opposite } = gate.conversations.way(side, &ends, segment.as_ref());
        if new {
            let nodes = [gate.nodes[side], gate.nodes[1 - side]];
            let is_tcp = segment.is_some() && gate.conversations.is_single(at);
            self.begin_outside(stamp.at, at, nodes, is_tcp);
        }
        let flow = &mut self.flows[at as usize];
        let Kind::Outside(own) = &mut flow.kind else { return (true, None) };
        own.last = stamp.at;
        own.opposite = opposite.or(own.opposite);
        let wire = bytes.len() as u32;
        let ecn = ip::ecn(&bytes);
        let again = match (&mut own.stream, segment) {
            (Some(stream), Some(segment)) if forward => stream.on_sent(&segment),
            (Some(stream), Some(Segment { ack: Some(ack), .. })) => {
                stream.on_answer(ack);
                flow.stats.delivered_bytes = stream.delivered();
                None
            }
            _ => None,
        };
        let offset = own.stream.zip(segment).map(|(stream, segment)| {
            let number = if forward { Some(segment.seq) } else { segment.ack };
            number.and_then(|number| stream.offset(number)).unwrap_or(0)
        });
        let head = P::PACKETS.then(|| bytes.clone());
        let payloads = self.network.links.losses[at as usize].payloads.get_or_insert_default();
        let body = match offset {
            Some(offset) => payloads.load_segment(forward, bytes, offset, again.is_some()),
            None => payloads.load_packet(forward, bytes),
        };
        let route = if forward { flow.there } else { flow.back };
        let packet = Packet { sent: stamp.at, flow: flow.id, route, wire, body, ecn, class: flow.class };
        let (event, from) =
            if forward { (PacketEvent::Send, flow.from) } else { (PacketEvent::AckSent, flow.to) };
        if forward {
            flow.stats.on_sent(&packet);
        } else {
            own.round_trips.on_answer(stamp.at);
        }
        if let Some(bytes) = head {
            self.probe.content(&packet, &bytes);
            self.probe.packet(stamp, event, Place::Node(from), &packet, None);
        }
        self.network.forward(stamp, packet, queue, &mut self.probe);
        (true, new.then_some(at))
    }

    /// Begins flow number `at`, which has carried no packet, as a flow of packets of outside programs from
    /// `nodes[0]` to `nodes[1]`.
    fn begin_outside(&mut self, now: Instant, at: u32, nodes: [NodeId; 2], is_tcp: bool) {
        let flow = &mut self.flows[at as usize];
        if flow.from != nodes[0] {
            std::mem::swap(&mut flow.there, &mut flow.back);
            [flow.from, flow.to] = nodes;
        }
        flow.start = now;
        if let Kind::Outside(own) = &mut flow.kind {
            own.stream = is_tcp.then(Stream::default);
        }
    }

    /// Passes a sample of a real connection's sender to the traces, if the connection has a flow of its own.
    pub(crate) fn observe_sender(&mut self, now: Instant, side: usize, sample: &SenderSample) {
        let flow = self.gate.as_ref().and_then(|gate| gate.conversations.find(side, &sample.ends));
        let Some(flow) = flow.filter(|_| P::VARIABLES) else { return };
        let id = self.flows[flow as usize].id;
        let mut observe =
            |variable, value| self.probe.observe(now, Observation::Variable(id, variable, value));
        observe(Variable::Cwnd, f64::from(sample.cwnd));
        if let Some(ssthresh) = sample.ssthresh {
            observe(Variable::Ssthresh, f64::from(ssthresh));
        }
        if sample.srtt_s > 0.0 {
            observe(Variable::Srtt, sample.srtt_s);
        }
        observe(Variable::Rto, sample.rto_s);
        observe(Variable::InFlight, f64::from(sample.in_flight));
        // States as in the traces: 0 none, 1 fast recovery, 2 after a timeout.
        observe(Variable::Recovery, f64::from(sample.recovery.saturating_sub(2)));
    }

    /// Handles a packet of an outside program that has crossed the network.
    pub(crate) fn outside_arrival(&mut self, stamp: Stamp, packet: &Packet) {
        let at = packet.flow.index();
        let payloads = self.network.links.losses[at].payloads.as_mut();
        let Some(mut bytes) = payloads.and_then(|payloads| payloads.unload(packet)) else { return };
        let segment = Segment::of(&bytes);
        let flow = &mut self.flows[at];
        let Kind::Outside(own) = &mut flow.kind else { return };
        own.last = stamp.at;
        let mut acked = None;
        if packet.is_forward() {
            flow.stats.on_received(stamp.at, packet);
            own.round_trips.on_arrival(packet);
            acked = own.opposite;
            if own.stream.is_none() {
                let bytes = u64::from(packet.payload());
                flow.stats.delivered_bytes += bytes;
                flow.stats.on_acked(1, bytes);
                self.probe.observe(stamp.at, Observation::Acked(flow.id, bytes));
            }
        } else {
            if P::PACKETS {
                self.probe.packet(stamp, PacketEvent::Ack, Place::Node(flow.from), packet, None);
            }
            if let Some(round_trip) = own.round_trips.on_return(stamp.at, packet) {
                flow.stats.on_returned(round_trip);
            }
            acked = acked.or(Some(at as u32));
        }
        let to = if packet.is_forward() { flow.to } else { flow.from };
        if let (Some(at), Some(ack)) = (acked, segment.and_then(|segment| segment.ack)) {
            self.on_real_ack(stamp.at, at, ack);
        }
        if packet.ecn == base::Ecn::Ce {
            ip::mark(&mut bytes);
        }
        if let Some(gate) = &mut self.gate {
            let side = usize::from(gate.nodes[1] == to);
            gate.departed.push_back(Departed { at: stamp.at, side, bytes });
        }
    }

    /// Records that an acknowledgment of flow `at`'s data has reached the sender.
    fn on_real_ack(&mut self, now: Instant, at: u32, ack: u32) {
        let flow = &mut self.flows[at as usize];
        let Kind::Outside(own) = &mut flow.kind else { return };
        let Outside { stream: Some(stream), completed, .. } = &mut **own else { return };
        stream.on_ack(ack);
        if stream.is_closed() {
            completed.get_or_insert(now);
        }
        let more = stream.acked() - flow.stats.acked_bytes;
        if more > 0 {
            let segments = stream.acked().div_ceil(u64::from(SEGMENT));
            flow.stats.on_acked(segments - flow.stats.acked_packets, more);
            self.probe.observe(now, Observation::Acked(flow.id, more));
        }
    }
}

impl Flow {
    /// Completes the counters and the interval of a flow of packets of outside programs.
    pub(crate) fn finish_outside(&mut self) {
        let Kind::Outside(own) = &self.kind else { return };
        self.stats.completed = own.completed;
        if self.stats.sent_packets > 0 {
            self.stop = own.last;
        }
    }
}
