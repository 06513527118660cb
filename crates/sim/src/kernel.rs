//! Event handlers of flows over a kernel's TCP: they carry packets between the network and the two ends of the
//! connection, which are both in a guest (User-Mode Linux).

use crate::burst::end;
use crate::event::{self, Event};
use crate::flow::{Flow, Kernel, Kind};
use crate::world::World;
use base::{FlowId, Observation, Packet, PacketEvent, Place, Probe, Stamp, Variable};
use engine::EventQueue;
use uml::{Datagram, Fault, Side};

impl<P: Probe> World<P> {
    /// Hands a packet to the end that it has reached.
    pub(crate) fn kernel_arrival(&mut self, stamp: Stamp, packet: &Packet, queue: &mut EventQueue<Event>) {
        let at = packet.flow.0;
        let payloads = self.network.links.losses[at as usize].payloads.as_mut();
        let Some(bytes) = payloads.and_then(|payloads| payloads.unload(packet)) else { return };
        let flow = &mut self.flows[at as usize];
        let Kind::Kernel(connection) = &mut flow.kind else { return };
        let datagram = Datagram { bytes, ecn: packet.ecn, again: false, offset: 0 };
        if packet.is_forward() {
            flow.stats.on_received(stamp.at, packet);
            connection.round_trips.on_arrival(packet);
            connection.transfer.receive(stamp.at, Side::Server, datagram);
        } else {
            if P::PACKETS {
                self.probe.packet(stamp, PacketEvent::Ack, Place::Node(flow.from), packet, None);
            }
            if let Some(round_trip) = connection.round_trips.on_return(stamp.at, packet) {
                flow.stats.on_returned(round_trip);
            }
            connection.transfer.receive(stamp.at, Side::Client, datagram);
            let Kernel { transfer, .. } = &**connection;
            let more = transfer.acked_bytes() - flow.stats.acked_bytes;
            flow.stats.on_acked(transfer.acked_segments() - flow.stats.acked_packets, more);
            if more > 0 {
                self.probe.observe(stamp.at, Observation::Acked(flow.id, more));
            }
        }
        self.pump_kernel(stamp, at, queue);
    }

    /// Handles an event of a guest's timer; ignores an event that is out of date.
    #[cold]
    pub(crate) fn kernel_timer(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Kind::Kernel(connection) = &mut self.flows[at as usize].kind else { return };
        if !connection.timer.take(stamp) {
            return;
        }
        if connection.transfer.timer().is_some_and(|due| due <= stamp.at) {
            connection.transfer.on_timer(stamp.at);
        }
        self.pump_kernel(stamp, at, queue);
    }

    /// Sends the packets of both ends that are due, and arms the guest's timer; ends the run if the guest has failed.
    pub(crate) fn pump_kernel(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Kind::Kernel(connection) = &mut self.flows[at as usize].kind else { return };
        if connection.transfer.fault().is_some() {
            return end(queue);
        }
        let timer = connection.transfer.timer().map(|due| Stamp::new(due.max(stamp.at), stamp.at));
        if let Some(due) = connection.timer.arm(timer) {
            queue.push(due, Event::new(event::Kind::SenderTimer, at));
        }
        let sample = connection.transfer.take_sample();
        for side in [Side::Client, Side::Server] {
            self.send_from_kernel(stamp, at, side, queue);
        }
        if P::VARIABLES
            && let Some(state) = sample
        {
            let id = self.flows[at as usize].id;
            let mut observe =
                |variable, value| self.probe.observe(stamp.at, Observation::Variable(id, variable, value));
            observe(Variable::Cwnd, f64::from(state.cwnd));
            observe(Variable::Srtt, f64::from(state.srtt_us) / 1e6);
            if let Some(ssthresh) = state.ssthresh {
                observe(Variable::Ssthresh, f64::from(ssthresh));
            }
        }
    }

    fn send_from_kernel(&mut self, stamp: Stamp, at: u32, side: Side, queue: &mut EventQueue<Event>) {
        let forward = side == Side::Client;
        loop {
            let flow = &mut self.flows[at as usize];
            let Kind::Kernel(connection) = &mut flow.kind else { return };
            let Some(Datagram { bytes, ecn, again, offset }) = connection.transfer.poll(side) else { return };
            let wire = bytes.len() as u32;
            let head = P::PACKETS.then(|| bytes.clone());
            let payloads = self.network.links.losses[at as usize].payloads.get_or_insert_default();
            let body = payloads.load_segment(forward, bytes, offset, again);
            let route = if forward { flow.there } else { flow.back };
            let packet = Packet { sent: stamp.at, flow: flow.id, route, wire, body, ecn, class: flow.class };
            let (event, from) =
                if forward { (PacketEvent::Send, flow.from) } else { (PacketEvent::AckSent, flow.to) };
            if forward {
                flow.stats.on_sent(&packet);
            } else {
                flow.stats.delivered_bytes = connection.transfer.delivered_bytes();
                connection.round_trips.on_answer(stamp.at);
            }
            if let Some(bytes) = head {
                self.probe.content(&packet, &bytes);
                self.probe.packet(stamp, event, Place::Node(from), &packet, None);
            }
            self.network.forward(stamp, packet, queue, &mut self.probe);
        }
    }
}

impl<P> World<P> {
    /// Returns the first flow whose guest has failed, with the fault.
    pub(crate) fn ended_guest(&self) -> Option<(FlowId, &Fault)> {
        self.flows.iter().find_map(|flow| match &flow.kind {
            Kind::Kernel(connection) => Some((flow.id, connection.transfer.fault()?)),
            _ => None,
        })
    }
}

impl Flow {
    /// Fills in the counters of a guest once the run is over.
    pub(crate) fn finish_kernel(&mut self) {
        let Kind::Kernel(connection) = &self.kind else { return };
        let state = connection.transfer.state();
        self.stats.timeouts = state.timeouts;
        self.stats.fast_retransmits = u64::from(state.recoveries);
        self.stats.completed = connection.transfer.finished();
    }
}
