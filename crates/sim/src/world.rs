//! World: everything that a scenario names, built and running.

use crate::burst::{Burst, end};
use crate::event::{self, Event};
use crate::flow::{Connection, Datagrams, Flow, Kind};
use crate::model::{Change, Scenario};
use crate::network::Network;
use crate::outside::state::Gate;
use crate::proxies::Proxies;
use crate::route::{END, PROXY, RADIO};
use crate::sender_events::record_events;
use base::{
    Body, CrossingId, Ecn, FlowId, Instant, LinkId, Observation, Packet, PacketEvent, Place, Probe, Stamp,
};
use engine::{EventQueue, Model};
use metrics::RequestRow;
use net::wire::Landed;
use stack::Side;
use std::collections::BTreeMap;
use tcp::congestion::Fault;

/// A running scenario, observed by probe `P`.
pub(crate) struct World<P> {
    pub network: Network,
    /// Flows of the scenario, then directions of sessions' connections.
    pub flows: Vec<Flow>,
    /// Number of the scenario's flows.
    pub stated_flows: u32,
    pub proxies: Proxies,
    pub changes: Vec<Change>,
    /// Prefixes of the names of random streams, by number of the link, for links that change.
    pub streams: BTreeMap<usize, String>,
    pub seed: u64,
    pub probe: P,
    /// True if the scenario has user-defined controls, which can fail.
    pub custom: bool,
    /// True once a stack has violated its contract.
    pub stack_failed: bool,
    /// Nodes at which packets of outside programs enter and leave; `None` if all traffic is simulated.
    pub gate: Option<Box<Gate>>,
    /// Packets sent by the current event, and checks that can stop it.
    pub burst: Burst,
    /// Packets that were delivered early ([`crate::early_delivery`]); each saved an event.
    pub elided_events: u64,
    /// Requests of sessions that are complete; `None` if no trace records them.
    pub requests: Option<Vec<RequestRow>>,
}

impl<P: Probe> World<P> {
    /// Schedules the events whose times the scenario gives.
    pub(crate) fn schedule(&mut self, scenario: &Scenario, queue: &mut EventQueue<Event>) {
        let now = base::Instant::ZERO;
        for (i, change) in (0u32..).zip(&self.changes) {
            queue.push(Stamp::new(change.at, now), Event::new(event::Kind::Change, i));
        }
        let end = now + scenario.duration;
        for flow in &self.flows {
            queue.push(Stamp::new(flow.start, now), Event::new(event::Kind::Start, flow.id.0));
            if flow.stop < end {
                queue.push(Stamp::new(flow.stop, now), Event::new(event::Kind::Stop, flow.id.0));
            }
        }
        // Beacons and routing protocols start before any packet enters.
        for radio in 0..self.network.radios.each.len() as u32 {
            self.network.settle(Stamp::new(now, now), radio, queue, &mut self.probe);
        }
    }

    fn start(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let flow = &mut self.flows[at as usize];
        match &mut flow.kind {
            Kind::Tcp(connection) => {
                if let Some(writing) = &mut connection.writing {
                    connection.sender.open_writes(stamp.at);
                    let first = writing.source.begin(stamp.at);
                    if first < flow.stop {
                        queue.push(Stamp::new(first, stamp.at), Event::new(event::Kind::Source, at));
                    }
                } else {
                    connection.sender.open(stamp.at, connection.size);
                }
                self.pump_sender(stamp, at, queue);
            }
            Kind::Stack(connection) => {
                connection.transfer.open(stamp.at);
                self.pump_stack(stamp, at, Side::Client, queue);
            }
            Kind::Kernel(connection) => {
                connection.transfer.open(stamp.at);
                self.pump_kernel(stamp, at, queue);
            }
            Kind::Outside(_) => {}
            Kind::Sessions(sessions) => {
                let first = sessions.process.begin(stamp.at);
                if first < flow.stop {
                    queue.push(Stamp::new(first, stamp.at), Event::new(event::Kind::Source, at));
                }
            }
            Kind::Udp(datagrams) => {
                let first = datagrams.source.begin(stamp.at);
                if first < flow.stop {
                    queue.push(Stamp::new(first, stamp.at), Event::new(event::Kind::Source, at));
                }
            }
        }
    }

    /// Delivers the packet that has just landed, or forwards it, by the next entry on its route.
    #[inline]
    pub(crate) fn pass_on(&mut self, stamp: Stamp, landed: Landed, queue: &mut EventQueue<Event>) {
        let packet = self.network.flying.landed(landed);
        match self.network.next(packet) {
            END => {
                if let Kind::Tcp(connection) = &mut self.flows[packet.flow.index()].kind {
                    let early = connection.early_delivery(packet.is_forward());
                    early.waiting = early.waiting.saturating_sub(1);
                }
                self.deliver(stamp, landed, queue);
            }
            0..PROXY => {
                let packet = *packet;
                self.network.forward(stamp, packet, queue, &mut self.probe);
            }
            proxy => {
                let packet = *packet;
                let Self { network, probe, .. } = self;
                self.proxies.on_packet(stamp, proxy & !PROXY, &packet, network, queue, probe);
                self.check_proxies(stamp.at, queue);
            }
        }
    }

    /// Runs radio network `at`, and passes on the packets that have crossed it.
    #[inline(never)]
    fn radio(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        if !self.network.radios.run(stamp, at) {
            return;
        }
        if self.network.radios.has_delivered(at) {
            let mut delivered = self.network.radios.take_delivered(at);
            for mut packet in delivered.drain(..).map(|(_, packet)| packet) {
                if P::PACKETS {
                    let place = Place::Radio(CrossingId(self.network.next(&packet) & !RADIO));
                    self.probe.packet(stamp, PacketEvent::Receive, place, &packet, None);
                }
                packet.route += 1;
                let landed = self.network.flying.land(packet);
                self.pass_on(stamp, landed, queue);
            }
            self.network.radios.give_back_delivered(at, delivered);
        }
        self.network.settle(stamp, at, queue, &mut self.probe);
    }

    /// Sends the segments of a sender that are due, and schedules its timer.
    #[inline(never)]
    pub(crate) fn pump_sender(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        self.pump_sender_inlined(stamp, at, queue);
    }

    /// Does the work of [`World::pump_sender`], for the caller that serves most packets.
    #[inline(always)]
    pub(crate) fn pump_sender_inlined(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let flow = &mut self.flows[at as usize];
        let Kind::Tcp(connection) = &mut flow.kind else { return };
        if self.custom && connection.sender.fault().is_some() {
            return end(queue);
        }
        let losses = &mut self.network.links.losses;
        record_events(stamp.at, flow.id, &mut connection.sender, &mut flow.stats, losses, &mut self.probe);
        let mut sent = 0u32;
        while self.burst.goes_on(sent)
            && let Some((segment, wire)) = connection.sender.poll(stamp.at)
        {
            sent += 1;
            let ecn = connection.sender.codepoint(&segment);
            if let Some(writing) = &mut connection.writing
                && !segment.retransmission
                && segment.payload > 0
            {
                writing.stats.on_sent(stamp.at, segment.seq);
            }
            let body = Body::Data(segment);
            let packet = Packet {
                sent: stamp.at,
                flow: flow.id,
                route: flow.there,
                wire,
                body,
                ecn,
                class: flow.class,
            };
            flow.stats.on_sent(&packet);
            if P::PACKETS {
                self.probe.packet(stamp, PacketEvent::Send, Place::Node(flow.from), &packet, None);
            }
            self.network.forward_inlined(stamp, packet, queue, &mut self.probe);
        }
        if P::VARIABLES {
            let losses = &mut self.network.links.losses;
            record_events(
                stamp.at,
                flow.id,
                &mut connection.sender,
                &mut flow.stats,
                losses,
                &mut self.probe,
            );
            if self.probe.watches_controls() {
                let probe = &mut self.probe;
                connection.sender.traced(&mut |name, value| {
                    probe.observe(stamp.at, Observation::Control(flow.id, name, value))
                });
            }
        }
        if let Some(due) =
            connection.sender_timer.arm(connection.sender.timer_before(connection.sender_timer.due()))
        {
            queue.push(due, Event::new(event::Kind::SenderTimer, at));
        }
        if let Some(due) = connection.release.arm(connection.sender.release()) {
            queue.push(due, Event::new(event::Kind::Release, at));
        }
        if self.burst.stops(sent) {
            self.stop_within(stamp, at, queue);
        }
    }

    #[cold]
    fn release(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Kind::Tcp(connection) = &mut self.flows[at as usize].kind else { return };
        if connection.release.take(stamp) {
            self.pump_sender(stamp, at, queue);
        }
    }

    /// Sends a receiver's acknowledgment if one is due (several if it misbehaves), and schedules the receiver's timer.
    #[inline(never)]
    pub(crate) fn pump_receiver(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Self { network, flows, probe, .. } = self;
        flows[at as usize].pump_receiver_inlined(stamp, network, queue, probe);
    }

    #[cold]
    fn sender_timer(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Kind::Tcp(connection) = &mut self.flows[at as usize].kind else {
            self.stack_timer(stamp, at, Side::Client, queue);
            return self.kernel_timer(stamp, at, queue);
        };
        let Connection { sender, sender_timer, .. } = &mut **connection;
        if !sender_timer.take(stamp) {
            return;
        }
        if sender.timer().is_some_and(|due| due.at <= stamp.at) {
            sender.on_timer(stamp.at);
        }
        self.pump_sender(stamp, at, queue);
    }

    #[cold]
    fn receiver_timer(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let Kind::Tcp(connection) = &mut self.flows[at as usize].kind else {
            return self.stack_timer(stamp, at, Side::Server, queue);
        };
        let Connection { receiver, receiver_timer, .. } = &mut **connection;
        if !receiver_timer.take(stamp) {
            return;
        }
        if receiver.timer().is_some_and(|due| due.at <= stamp.at) {
            receiver.on_timer(stamp.at);
        }
        self.pump_receiver(stamp, at, queue);
    }

    /// Handles the next data of a source: sends a datagram, writes to TCP, or starts a session or one of its requests.
    fn source(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        let flow = &mut self.flows[at as usize];
        let datagrams = match &mut flow.kind {
            Kind::Stack(_) | Kind::Kernel(_) | Kind::Outside(_) => return,
            Kind::Sessions(_) => return self.session_arrives(stamp, at, queue),
            Kind::Udp(datagrams) => datagrams,
            Kind::Tcp(connection) => {
                let Some(writing) = &mut connection.writing else {
                    return self.begin_exchange(stamp, at, queue);
                };
                let end = connection.sender.write(stamp.at, writing.source.payload().into());
                writing.stats.on_write(stamp.at, end);
                let due = writing.source.next(stamp.at);
                if due < flow.stop {
                    queue.push(Stamp::new(due, stamp.at), Event::new(event::Kind::Source, at));
                }
                self.pump_sender(stamp, at, queue);
                return;
            }
        };
        let Datagrams { source, header, next, video, ecn, .. } = &mut **datagrams;
        let payload = source.payload();
        let body = Body::Datagram { seq: *next, payload };
        *next += 1;
        let packet = Packet {
            sent: stamp.at,
            flow: flow.id,
            route: flow.there,
            wire: payload + *header,
            body,
            ecn: *ecn,
            class: flow.class,
        };
        if let Some(video) = video {
            video.on_write(stamp.at);
        }
        flow.stats.on_sent(&packet);
        let due = source.next(stamp.at);
        if due < flow.stop {
            queue.push(Stamp::new(due, stamp.at), Event::new(event::Kind::Source, at));
        }
        if P::PACKETS {
            self.probe.packet(stamp, PacketEvent::Send, Place::Node(flow.from), &packet, None);
        }
        self.network.forward(stamp, packet, queue, &mut self.probe);
    }

    fn stop(&mut self, stamp: Stamp, at: u32, queue: &mut EventQueue<Event>) {
        // Data that an application has written is still sent after the stop.
        match &mut self.flows[at as usize].kind {
            Kind::Tcp(connection) if connection.writing.is_none() => {
                connection.sender.stop();
                self.pump_sender(stamp, at, queue);
            }
            Kind::Stack(connection) => {
                connection.transfer.stop(stamp.at);
                self.pump_stack(stamp, at, Side::Client, queue);
            }
            _ => {}
        }
    }
}

impl Flow {
    /// Does the work of [`World::pump_receiver`], for callers that know the flow.
    #[inline(always)]
    pub(crate) fn pump_receiver_inlined<P: Probe>(
        &mut self,
        stamp: Stamp,
        network: &mut Network,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        let Kind::Tcp(connection) = &mut self.kind else { return };
        while let Some((ack, wire)) = connection.receiver.poll(stamp.at) {
            connection.round_trips.on_answer(stamp.at);
            let body = Body::Ack(ack);
            let packet = Packet {
                sent: stamp.at,
                flow: self.id,
                route: self.back,
                wire,
                body,
                ecn: Ecn::NotEct,
                class: self.class,
            };
            if P::PACKETS {
                probe.packet(stamp, PacketEvent::AckSent, Place::Node(self.to), &packet, None);
            }
            network.forward_inlined(stamp, packet, queue, probe);
        }
        if let Some(due) = connection.receiver_timer.arm(connection.receiver.timer()) {
            queue.push(due, Event::new(event::Kind::ReceiverTimer, self.id.0));
        }
    }
}

impl<P: Probe> World<P> {
    /// Lets `steer` change a flow's TCP sender, then sends what the change allows.
    pub(crate) fn steer(
        &mut self,
        now: Instant,
        at: u32,
        queue: &mut EventQueue<Event>,
        steer: impl FnOnce(&mut tcp::Sender),
    ) {
        if let Kind::Tcp(connection) = &mut self.flows[at as usize].kind {
            steer(&mut connection.sender);
            self.pump_sender(Stamp::new(now, now), at, queue);
        }
    }
}

impl<P: Clone> World<P> {
    /// Returns a copy of the world. The error is the number of a flow whose stack or kernel cannot be copied.
    pub(crate) fn copy(&self) -> Result<Self, usize> {
        let flows = self.flows.iter().enumerate().map(|(at, flow)| flow.copy().ok_or(at));
        Ok(Self {
            flows: flows.collect::<Result<_, _>>()?,
            network: self.network.clone(),
            proxies: self.proxies.clone(),
            changes: self.changes.clone(),
            streams: self.streams.clone(),
            seed: self.seed,
            probe: self.probe.clone(),
            custom: self.custom,
            stack_failed: self.stack_failed,
            gate: None,
            burst: Burst::default(),
            elided_events: self.elided_events,
            stated_flows: self.stated_flows,
            requests: self.requests.clone(),
        })
    }
}

impl<P> World<P> {
    /// Returns the first flow whose user-defined control has failed, with the fault. A control on a gateway's far
    /// side belongs to the flow, too.
    pub(crate) fn fault(&self) -> Option<(FlowId, &Fault)> {
        let senders = self.flows.iter().filter_map(|flow| match &flow.kind {
            Kind::Tcp(connection) => {
                let of = connection.member.as_ref().map_or(flow.id, |member| FlowId(member.owner));
                Some((of, connection.sender.fault()?))
            }
            Kind::Udp(_) | Kind::Stack(_) | Kind::Kernel(_) | Kind::Outside(_) | Kind::Sessions(_) => None,
        });
        senders.chain(self.proxies.faults()).min_by_key(|(_, fault)| fault.at)
    }
}

impl<P: Probe> Model for World<P> {
    type Event = Event;

    fn watched_by(&mut self, control: &engine::Control) {
        self.burst.watch(control);
    }

    fn halted(&self) -> bool {
        (self.custom && self.fault().is_some()) || self.stack_failed
    }

    fn foresees(&self) -> bool {
        self.is_large()
    }

    #[inline(always)]
    fn foresee(&self, events: impl Iterator<Item = Event>) {
        self.prefetch(events);
    }

    // Most events are arrivals, so that the run loop has these inlined and calls for the others.
    #[inline(always)]
    fn handle(&mut self, stamp: Stamp, event: Event, queue: &mut EventQueue<Event>) {
        self.probe.advance(stamp.at);
        match event.arrival() {
            Some(link) => self.arrive(stamp, link, queue),
            None => self.handle_other(stamp, event, queue),
        }
    }
}

impl<P: Probe> World<P> {
    /// Handles an event other than an arrival.
    #[inline(never)]
    fn handle_other(&mut self, stamp: Stamp, event: Event, queue: &mut EventQueue<Event>) {
        let (kind, at) = event.decode();
        match kind {
            event::Kind::Arrive => {}
            event::Kind::Radio => self.radio(stamp, at, queue),
            event::Kind::SenderTimer => self.sender_timer(stamp, at, queue),
            event::Kind::ReceiverTimer => self.receiver_timer(stamp, at, queue),
            event::Kind::Release => self.release(stamp, at, queue),
            event::Kind::ProxyTimer => {
                self.proxies.on_timer(stamp, at, &mut self.network, queue, &mut self.probe);
                self.check_proxies(stamp.at, queue);
            }
            event::Kind::Source => self.source(stamp, at, queue),
            event::Kind::Depart => self.network.depart(stamp, LinkId(at), queue, &mut self.probe),
            event::Kind::Wake => self.network.wake(stamp.at, LinkId(at), queue, &mut self.probe),
            event::Kind::Start => self.start(stamp, at, queue),
            event::Kind::Stop => self.stop(stamp, at, queue),
            event::Kind::Change => self.change(stamp, at, queue),
        }
    }
}
