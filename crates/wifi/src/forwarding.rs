//! Forwarding between the stations' queues and their routers: packets, messages of routing protocols, and broken
//! links.

use crate::mac::payload::{Msdu, Payload, Queued, Service};
use crate::mac::schedule::Event;
use crate::mac::state::Mac;
use crate::mlme::association::{Members, Way};
use crate::phy::air::EVERYBODY;
use base::{DropCause, Instant};
use radio::access::{Outbox, Station};
use routing::{Action, Datagram, Message, Routing};

/// Forwarding of all stations.
#[derive(Clone, Debug)]
pub(crate) struct Forwarding {
    routing: Routing,
    /// Actions that a router returns; empty between calls, kept to reuse its memory.
    actions: Vec<Action<Message>>,
    /// Time of the next call of each station's router.
    wakes: Vec<Option<Instant>>,
    pub(crate) members: Members,
}

impl Forwarding {
    /// Creates the routing of a network. Random streams are named after `name`.
    pub(crate) fn new(mac: &mut Mac, seed: u64, name: &str) -> Self {
        let (config, stations) = (mac.config.clone(), mac.stations());
        let frame = mac.durations.standard_frame(mac.durations.usual());
        let receives = |from, to| mac.reaches(Instant::ZERO, from, to);
        let ap = config.access_point;
        let routing = Routing::new(&config.routing, ap, stations, frame, (seed, name), receives);
        let wakes = vec![None; stations as usize];
        let mut forwarding = Self { routing, actions: Vec::new(), wakes, members: Members::new(mac) };
        (0..stations).for_each(|at| forwarding.wake(at, mac));
        forwarding
    }

    /// Handles a packet at a station, from a neighbour or (`None`) from the station itself: delivers, forwards or
    /// drops it.
    pub(crate) fn forward(
        &mut self,
        now: Instant,
        at: u32,
        datagram: Datagram,
        previous: Option<Station>,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        match &mut self.routing {
            Routing::Fixed(_) if datagram.to.0 == at => mac.counters.deliver(at, datagram, out),
            Routing::Fixed(_) if self.members.are_distributed() => {
                self.distribute(now, at, datagram, mac, out);
            }
            Routing::Fixed(routes) => match routes.next_hop(at, datagram.to.0) {
                Some(via) if !self.members.is_associated(now, (at, via), mac, out) => {
                    self.members.lose(at, datagram, mac, out);
                }
                Some(via) => {
                    let hops = datagram.hops.saturating_add(1);
                    mac.enqueue(now, at, Payload::Datagram(Datagram { hops, ..datagram }), via, out);
                }
                None => mac.counters.lose(at, datagram, DropCause::NoRoute, out),
            },
            Routing::Adaptive(routers) => {
                let mut actions = std::mem::take(&mut self.actions);
                routers[at as usize].forward(now, datagram, previous, &mut actions);
                self.act(now, at, actions, mac, out);
            }
        }
    }

    /// Does the work of [`Forwarding::forward`] in a network with several access points: sends the packet over the
    /// air, or through the distribution system.
    fn distribute(&mut self, now: Instant, at: u32, datagram: Datagram, mac: &mut Mac, out: &mut Outbox) {
        match self.members.way(at, datagram.to.0) {
            Way::Air(from, via) => {
                let hops = datagram.hops.saturating_add(1);
                mac.enqueue(now, from, Payload::Datagram(Datagram { hops, ..datagram }), via, out);
            }
            Way::Distribution(ap) => mac.counters.deliver(ap, datagram, out),
            Way::None => self.members.lose(at, datagram, mac, out),
        }
    }

    /// Carries out the actions that a station's router asks for.
    fn act(
        &mut self,
        now: Instant,
        at: u32,
        mut actions: Vec<Action<Message>>,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        for action in actions.drain(..) {
            match action {
                Action::Forward(datagram, next) => {
                    mac.enqueue(now, at, Payload::Datagram(datagram), next.0, out);
                }
                Action::Send(message, to) => {
                    let (bytes, name) = (message.bytes(mac.durations.header), message.name());
                    let payload = Payload::Message { number: mac.messages.add(message), bytes, name };
                    mac.enqueue(now, at, payload, to.map_or(EVERYBODY, |to| to.0), out);
                }
                Action::Deliver(datagram) => mac.counters.deliver(at, datagram, out),
                Action::Drop(datagram, cause) => mac.counters.lose(at, datagram, cause, out),
            }
        }
        self.actions = actions;
        self.wake(at, mac);
    }

    /// Schedules the next call of a station's router.
    fn wake(&mut self, at: u32, mac: &mut Mac) {
        let Routing::Adaptive(routers) = &self.routing else { return };
        let Some(due) = routers[at as usize].next() else { return };
        let wakes = &mut self.wakes[at as usize];
        if wakes.is_none_or(|already| due < already) {
            *wakes = Some(due);
            mac.schedule.add(due, Event::Route(at));
        }
    }

    /// Calls the router of a station; ignores an event that is out of date because the router's next call is at another
    /// time.
    pub(crate) fn run(&mut self, now: Instant, at: u32, mac: &mut Mac, out: &mut Outbox) {
        if self.wakes[at as usize] != Some(now) {
            return;
        }
        self.wakes[at as usize] = None;
        let Routing::Adaptive(routers) = &mut self.routing else { return };
        let mut actions = std::mem::take(&mut self.actions);
        routers[at as usize].run(now, &mut actions);
        self.act(now, at, actions, mac, out);
    }

    /// Returns the number of packets that wait at a station for a route.
    pub(crate) fn waiting(&self, at: u32) -> usize {
        match &self.routing {
            Routing::Fixed(_) => 0,
            Routing::Adaptive(routers) => routers[at as usize].waiting(),
        }
    }

    /// Reports to rate control, to the station's router and to the neighbour's router how many packets the station has
    /// sent to the neighbour in one attempt, and how many of them failed.
    pub(crate) fn attempted(
        &mut self,
        now: Instant,
        at: u32,
        service: Service,
        (sent, failed): (u32, u32),
        mac: &mut Mac,
    ) {
        mac.report_rate(at, service, sent, failed);
        if let Routing::Adaptive(routers) = &mut self.routing {
            // A probe of rate control says nothing about the airtime of the next frame.
            let frame = (!service.sample).then(|| mac.durations.standard_frame(service.rate));
            routers[at as usize].attempted(now, Station(service.via), (sent, failed), frame);
            routers[service.via as usize].reported(now, Station(at), (sent, failed));
        }
    }

    /// Handles the payload of a unicast frame that has been received.
    pub(crate) fn receive(
        &mut self,
        now: Instant,
        from: u32,
        queued: Queued,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        let at = queued.via;
        match queued.payload {
            Payload::Datagram(datagram) if !self.members.takes_data(from, at) => {
                self.members.lose(at, datagram, mac, out);
                self.members.refuse(now, at, from, mac, out);
            }
            Payload::Datagram(datagram) => {
                if datagram.to.0 != at {
                    mac.counters.of(at).forwarded += 1;
                }
                self.forward(now, at, datagram, Some(Station(from)), mac, out);
            }
            Payload::Message { number, .. } => {
                if let Some(message) = mac.messages.get(number).cloned() {
                    self.receive_message(now, at, &message, from, mac, out);
                }
            }
            Payload::Management(frame) => self.members.manage(now, (from, at), frame, mac, out),
        }
    }

    /// Handles a message of a routing protocol that has reached station `at` from a neighbour.
    pub(crate) fn receive_message(
        &mut self,
        now: Instant,
        at: u32,
        message: &Message,
        from: u32,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        let distant = message.is_beacon() && !mac.reaches(now, from, at);
        let Routing::Adaptive(routers) = &mut self.routing else { return };
        let mut actions = std::mem::take(&mut self.actions);
        if distant {
            routers[at as usize].receive_distant_beacon(now, Station(from), &mut actions);
        } else {
            routers[at as usize].receive(now, message, Station(from), &mut actions);
        }
        self.act(now, at, actions, mac, out);
    }

    /// Handles packets for neighbour `via` on which the MAC has given up. The sender does not know if the receiver has
    /// them. If the router concludes that the link is broken, it gets these packets and all others that wait for `via`;
    /// otherwise the packets that the receiver does not have are lost.
    pub(crate) fn give_up(
        &mut self,
        now: Instant,
        (at, via): (u32, u32),
        gone: &[Msdu],
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        // The cause is the retry limit only if the receiver is within reach on a silent channel.
        let reaches = mac.reaches(now, at, via);
        let cause = if reaches { DropCause::RetryLimit } else { DropCause::OutOfRange };
        // Only lost data packets show that a link is broken; a lost message alone does not (RFC 3561, section 6.11).
        let data = gone.iter().any(|msdu| msdu.queued.payload.is_datagram());
        let broken = match &mut self.routing {
            Routing::Fixed(_) => false,
            Routing::Adaptive(routers) => data && routers[at as usize].breaks(now, Station(via)),
        };
        let mut stranded: Vec<Datagram> =
            gone.iter().filter(|msdu| !msdu.received).filter_map(datagram).collect();
        if !broken {
            for datagram in stranded.drain(..) {
                mac.counters.lose(at, datagram, cause, out);
            }
        }
        let failed: Vec<Message> = gone.iter().filter_map(|msdu| mac.messages.take_from(msdu)).collect();
        if broken {
            for f in mac.contention.edcaf_index.edcafs_of(at) {
                stranded.extend(mac.take_for(f, via));
                mac.refill(now, f, out);
            }
        }
        let Routing::Adaptive(routers) = &mut self.routing else { return };
        let (router, neighbour) = (&mut routers[at as usize], Station(via));
        let mut actions = std::mem::take(&mut self.actions);
        for message in &failed {
            router.message_failed(now, neighbour, message);
        }
        if broken {
            router.link_failed(now, neighbour, cause, &stranded, &mut actions);
        }
        self.act(now, at, actions, mac, out);
    }
}

/// Returns the packet in a frame; `None` if the frame carried a message or a management frame.
fn datagram(msdu: &Msdu) -> Option<Datagram> {
    match msdu.queued.payload {
        Payload::Datagram(datagram) => Some(datagram),
        Payload::Message { .. } | Payload::Management(_) => None,
    }
}
