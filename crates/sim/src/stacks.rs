//! Flows over transport stacks: passes datagrams between the two ends of a stack and the network.

use crate::burst::end;
use crate::event::{self, Event};
use crate::flow::{Flow, Kind, Pending};
use crate::model::Scenario;
use crate::world::World;
use base::{FlowId, Observation, Packet, PacketEvent, Place, Probe, Stamp, Variable};
use engine::EventQueue;
use metrics::FlowLog;
use stack::{Custom, Datagram, Fault, Side, Stacks};

fn kind(side: Side) -> event::Kind {
    match side {
        Side::Client => event::Kind::SenderTimer,
        Side::Server => event::Kind::ReceiverTimer,
    }
}

impl<P: Probe> World<P> {
    /// Starts the logs of all stacks.
    pub(crate) fn watch_stacks(&mut self, scenario: &Scenario) {
        for (flow, given) in self.flows.iter_mut().zip(&scenario.flows) {
            if let Kind::Stack(connection) = &mut flow.kind {
                connection.watch(&given.name);
            }
        }
    }

    /// Removes and returns the logs of the stacks.
    pub(crate) fn take_logs(&mut self) -> Vec<FlowLog> {
        let log = |flow: &mut Flow| match &mut flow.kind {
            Kind::Stack(connection) => connection.log.take(),
            Kind::Tcp(_) | Kind::Udp(_) | Kind::Kernel(_) | Kind::Outside(_) | Kind::Sessions(_) => None,
        };
        self.flows.iter_mut().filter_map(log).collect()
    }

    /// Passes a packet to the end at which it has arrived.
    pub(crate) fn stack_arrival(&mut self, stamp: Stamp, packet: &Packet, queue: &mut EventQueue<Event>) {
        let at = packet.flow.0;
        let payloads = self.network.links.losses[at as usize].payloads.as_mut();
        let Some(bytes) = payloads.and_then(|payloads| payloads.unload(packet)) else { return };
        let flow = &mut self.flows[at as usize];
        let Kind::Stack(connection) = &mut flow.kind else { return };
        let datagram = Datagram { bytes, ecn: packet.ecn };
        let side = if packet.is_forward() { Side::Server } else { Side::Client };
        match side {
            Side::Client => {
                if P::PACKETS {
                    self.probe.packet(stamp, PacketEvent::Ack, Place::Node(flow.from), packet, None);
                }
                if let Some(round_trip) = connection.round_trips.on_return(stamp.at, packet) {
                    flow.stats.on_returned(round_trip);
                }
                connection.transfer.receive(stamp.at, side, datagram);
            }
            Side::Server => {
                flow.stats.on_received(stamp.at, packet);
                connection.round_trips.on_arrival(packet);
                connection.unanswered = true;
                connection.transfer.receive(stamp.at, side, datagram);
                // The source learns of delivered data only from acknowledgments. Results count data on arrival, as
                // for datagrams.
                let more = connection.transfer.delivered_bytes() - flow.stats.delivered_bytes;
                flow.stats.delivered_bytes += more;
                flow.stats.on_acked(1, more);
                if more > 0 {
                    self.probe.observe(stamp.at, Observation::Acked(flow.id, more));
                }
            }
        }
        self.pump_stack(stamp, at, side, queue);
    }

    /// Handles a timer event of one end; ignores an event that is out of date.
    #[cold]
    pub(crate) fn stack_timer(&mut self, stamp: Stamp, at: u32, side: Side, queue: &mut EventQueue<Event>) {
        let Kind::Stack(connection) = &mut self.flows[at as usize].kind else { return };
        if !connection.timers[side as usize].take(stamp) {
            return;
        }
        if connection.transfer.timer(side).is_some_and(|due| due <= stamp.at) {
            connection.transfer.on_timer(stamp.at, side);
        }
        self.pump_stack(stamp, at, side, queue);
    }

    /// Sends the datagrams of an end that are due, and arms its timer.
    pub(crate) fn pump_stack(&mut self, stamp: Stamp, at: u32, side: Side, queue: &mut EventQueue<Event>) {
        let flow = &mut self.flows[at as usize];
        let Kind::Stack(connection) = &mut flow.kind else { return };
        let forward = side == Side::Client;
        let headers = connection.transfer.about().headers;
        let mut sent = 0;
        while self.burst.goes_on(sent)
            && let Some(Datagram { bytes, ecn }) = connection.transfer.poll(stamp.at, side)
        {
            sent += 1;
            let wire = bytes.len() as u32 + headers;
            let payloads = self.network.links.losses[at as usize].payloads.get_or_insert_default();
            let body = payloads.load(forward, bytes);
            let route = if forward { flow.there } else { flow.back };
            let packet = Packet { sent: stamp.at, flow: flow.id, route, wire, body, ecn, class: flow.class };
            let (event, from) =
                if forward { (PacketEvent::Send, flow.from) } else { (PacketEvent::AckSent, flow.to) };
            if forward {
                flow.stats.on_sent(&packet);
                connection.last_sent = stamp.at;
            } else if std::mem::take(&mut connection.unanswered) {
                connection.round_trips.on_answer(stamp.at);
            }
            if P::PACKETS {
                self.probe.packet(stamp, event, Place::Node(from), &packet, None);
            }
            self.network.forward(stamp, packet, queue, &mut self.probe);
        }
        if connection.transfer.fault().is_some() {
            self.stack_failed = true;
            return end(queue);
        }
        if P::VARIABLES
            && forward
            && let Some(state) = connection.transfer.state()
        {
            self.probe.observe(stamp.at, Observation::Variable(flow.id, Variable::Cwnd, state.cwnd));
            self.probe.observe(stamp.at, Observation::Variable(flow.id, Variable::Srtt, state.srtt_s));
            if let Some(ssthresh) = state.ssthresh {
                self.probe.observe(stamp.at, Observation::Variable(flow.id, Variable::Ssthresh, ssthresh));
            }
        }
        let mut timer = connection.transfer.timer(side).map(|due| Stamp::new(due.max(stamp.at), stamp.at));
        let stops = self.burst.stops(sent);
        if stops {
            // The end may have more to send; the event continues when the run is resumed.
            (connection.timers[side as usize], timer) = (Pending::NONE, Some(stamp));
        }
        if let Some(due) = connection.timers[side as usize].arm(timer) {
            queue.push(due, Event::new(kind(side), at));
        }
        if stops {
            self.burst.put_aside(stamp.at, queue);
        }
    }
}

impl<P> World<P> {
    /// Returns the first flow whose stack has violated its contract, with the fault.
    pub(crate) fn stack_fault(&self) -> Option<(FlowId, &Fault)> {
        let faults = self.flows.iter().filter_map(|flow| match &flow.kind {
            Kind::Stack(connection) => Some((flow.id, connection.transfer.fault()?)),
            _ => None,
        });
        faults.min_by_key(|(_, fault)| fault.at)
    }
}

/// Returns the stack called `name`: one of `own`, or a variant of a QUIC stack.
pub fn stack_named(name: &str, own: &Stacks) -> Option<Custom> {
    if let Some(custom) = own.get(name) {
        return Some(custom.clone());
    }
    let control = quic::Control::ALL.iter().find(|control| control.name().eq_ignore_ascii_case(name))?;
    let table = quic::Table::new(*control);
    Some(Custom::new(control.about(), move |rng| quic::ends(&table, rng)))
}
