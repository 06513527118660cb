//! Between the stations' queues and their routers: packets passed on, messages of routing protocols, links that break.

use crate::air::{EVERYBODY, Transmission};
use crate::edca::AccessCategory;
use crate::exchange::Event;
use crate::network::Network;
use crate::routing::{Datagram, Message, Order, Router};
use crate::station::{Held, Load, Mpdu, Service};
use base::{DropCause, Duration, Instant};
use radio::access::{Outbox, Station};

/// Messages in the stations' queues.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    held: Vec<Option<Message>>,
    free: Vec<u32>,
}

impl Messages {
    fn add(&mut self, message: Message) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.held[number as usize] = Some(message);
                number
            }
            None => {
                self.held.push(Some(message));
                self.held.len() as u32 - 1
            }
        }
    }

    /// The message of a number, if it is still held.
    pub(crate) fn get(&self, number: u32) -> Option<&Message> {
        self.held[number as usize].as_ref()
    }

    fn take(&mut self, number: u32) -> Option<Message> {
        let message = self.held[number as usize].take();
        self.free.extend(message.is_some().then_some(number));
        message
    }
}

impl Network {
    /// A packet has come to a station from a neighbour, or (`None`) enters the network there: out, on, or lost.
    pub(crate) fn pass_on(
        &mut self,
        now: Instant,
        at: u32,
        datagram: Datagram,
        previous: Option<Station>,
        out: &mut Outbox,
    ) {
        match &mut self.router {
            Router::Fixed(_) if datagram.to.0 == at => self.deliver(at, datagram, out),
            Router::Fixed(routes) => match routes.next_hop(at, datagram.to.0) {
                Some(via) if !self.is_associated(now, at, via) => self.lose_unassociated(at, datagram, out),
                Some(via) => {
                    let load = Load::Datagram(Datagram { hops: datagram.hops.saturating_add(1), ..datagram });
                    self.enqueue(now, at, load, via, out);
                }
                None => self.lose(at, datagram, DropCause::NoRoute, out),
            },
            Router::Adaptive(routers) => {
                let mut orders = Vec::new();
                routers[at as usize].carry(now, datagram, previous, &mut orders);
                self.obey(now, at, orders, out);
            }
        }
    }

    /// Does what the router of a station wants.
    fn obey(&mut self, now: Instant, at: u32, orders: Vec<Order>, out: &mut Outbox) {
        for order in orders {
            match order {
                Order::Send(datagram, next) => self.enqueue(now, at, Load::Datagram(datagram), next.0, out),
                Order::Tell(message, to) => {
                    let (bytes, name) = (message.bytes(self.frames.header), message.name());
                    let load = Load::Message { number: self.messages.add(message), bytes, name };
                    self.enqueue(now, at, load, to.map_or(EVERYBODY, |to| to.0), out);
                }
                Order::Deliver(datagram) => self.deliver(at, datagram, out),
                Order::Lose(datagram, cause) => self.lose(at, datagram, cause, out),
            }
        }
        self.wake(at);
    }

    /// Sees to it that the router of a station is called when it wants to be.
    pub(crate) fn wake(&mut self, at: u32) {
        let Router::Adaptive(routers) = &self.router else { return };
        let Some(due) = routers[at as usize].next() else { return };
        let wakes = &mut self.stations[at as usize].wakes;
        if wakes.is_none_or(|already| due < already) {
            *wakes = Some(due);
            self.schedule(due, Event::Route(at));
        }
    }

    /// The router of a station wanted to be called, unless it has thought better of it.
    pub(crate) fn route(&mut self, now: Instant, at: u32, out: &mut Outbox) {
        if self.stations[at as usize].wakes != Some(now) {
            return;
        }
        self.stations[at as usize].wakes = None;
        let Router::Adaptive(routers) = &mut self.router else { return };
        let mut orders = Vec::new();
        routers[at as usize].run(now, &mut orders);
        self.obey(now, at, orders, out);
    }

    /// A station has sent a neighbour so many frames, and so many of them did not get through.
    pub(crate) fn attempted(&mut self, now: Instant, at: u32, service: Service, sent: u32, failed: u32) {
        self.rate_brought(at, service, sent, failed);
        if let Router::Adaptive(routers) = &mut self.router {
            // A sample says nothing of what the next frame takes.
            let frame = (!service.probes).then(|| self.frames.standard_frame(service.rate));
            routers[at as usize].attempted(now, Station(service.via), (sent, failed), frame);
            routers[service.via as usize].reported(now, Station(at), (sent, failed));
        }
    }

    fn deliver(&mut self, at: u32, datagram: Datagram, out: &mut Outbox) {
        let stats = &mut self.stations[at as usize].stats;
        stats.delivered += 1;
        stats.delivered_bytes.0 += u64::from(datagram.packet.wire);
        out.delivered.push((Station(at), datagram.packet));
    }

    /// A packet is lost at a station.
    pub(crate) fn lose(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        self.stations[at as usize].stats.lost[cause as usize] += 1;
        out.lost.push((Station(at), datagram.packet, cause));
    }

    /// Something goes into a station's queue. Messages that go first do so behind those that wait already, and in a full
    /// queue take the place of the last packet.
    fn enqueue(&mut self, now: Instant, at: u32, load: Load, via: u32, out: &mut Outbox) {
        let f = self.function_for(at, &load);
        if self.above.is_some()
            && let Load::Datagram(datagram) = load
        {
            self.enqueue_above(now, f, (datagram, via), out);
            if self.functions[f as usize].service.is_none() {
                self.serve(now, f, false, out);
            }
            return;
        }
        let queue = &mut self.functions[f as usize].queue;
        let first = self.config.queue.routing_first && matches!(load, Load::Message { .. });
        if queue.len() >= self.config.queue.packets as usize {
            let dropped = match queue.back() {
                Some(last) if first && matches!(last.load, Load::Datagram(_)) => {
                    queue.pop_back().map(|h| h.load)
                }
                _ => Some(load),
            };
            match dropped {
                Some(Load::Datagram(datagram)) => {
                    self.lose_queued(at, datagram, DropCause::Queue, out);
                }
                Some(load) => self.release(load),
                None => {}
            }
            if dropped == Some(load) {
                return;
            }
        }
        let held = Held { load, via, came: now };
        let function = &mut self.functions[f as usize];
        let messages =
            function.queue.iter().take_while(|held| matches!(held.load, Load::Message { .. })).count();
        function.queue.insert(if first { messages } else { function.queue.len() }, held);
        if function.service.is_none() {
            self.serve(now, f, false, out);
        }
    }

    /// Which function of a station sends something.
    pub(crate) fn function_for(&self, at: u32, load: &Load) -> u32 {
        match load {
            _ if self.shift == 0 => at,
            Load::Datagram(datagram) => (at << self.shift) + datagram.category as u32,
            Load::Message { .. } | Load::Management(_) => (at << self.shift) + AccessCategory::Voice as u32,
        }
    }

    /// A packet finds no room in a queue, has waited too long, or is dropped by the discipline above.
    pub(crate) fn lose_queued(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        if let Some(stats) = self.stations[at as usize].stats.categories.get_mut(datagram.category as usize) {
            stats.lost_queue += 1;
        }
        self.lose(at, datagram, cause, out);
    }

    /// What a frame to one station carried has reached it.
    pub(crate) fn receive(&mut self, now: Instant, from: u32, held: Held, out: &mut Outbox) {
        match held.load {
            Load::Datagram(datagram) if !self.takes_data(from, held.via) => {
                self.lose_unassociated(held.via, datagram, out);
                self.refuse(now, held.via, from, out);
            }
            Load::Datagram(datagram) => {
                if datagram.to.0 != held.via {
                    self.stations[held.via as usize].stats.forwarded += 1;
                }
                self.pass_on(now, held.via, datagram, Some(Station(from)), out);
            }
            Load::Message { number, .. } => {
                if let Some(message) = self.messages.get(number).cloned() {
                    self.hear(now, held.via, &message, from, out);
                }
            }
            Load::Management(frame) => self.manage(now, from, held.via, frame, out),
        }
    }

    fn hear(&mut self, now: Instant, at: u32, message: &Message, from: u32, out: &mut Outbox) {
        let faint = message.is_beacon() && !self.reaches(now, from, at);
        let Router::Adaptive(routers) = &mut self.router else { return };
        let mut orders = Vec::new();
        if faint {
            routers[at as usize].faint(now, Station(from), &mut orders);
        } else {
            routers[at as usize].hear(now, message, Station(from), &mut orders);
        }
        self.obey(now, at, orders, out);
    }

    /// How long after its end a frame to everybody has ended everywhere.
    pub(crate) fn farthest(&mut self, from: u32, now: Instant) -> Duration {
        let stations = self.stations.len() as u32;
        (0..stations).map(|to| self.channel.path(from, to, now).delay).max().unwrap_or(Duration::ZERO)
    }

    /// A frame to everybody has ended everywhere: who has received it hears the message.
    pub(crate) fn heard_by_all(&mut self, now: Instant, frame: &Transmission, number: u64, out: &mut Outbox) {
        let f = self.active(frame.from);
        let mpdu = self.functions[f as usize].mpdus.pop();
        let message = mpdu.and_then(|mpdu| match mpdu.held.load {
            Load::Message { number, .. } => self.messages.take(number),
            Load::Datagram(_) | Load::Management(_) => None,
        });
        for to in (0..self.stations.len() as u32).filter(|to| *to != frame.from) {
            self.listen(to, now);
            if let (Some(message), Ok(_)) = (&message, self.stations[to as usize].ear.verdict(number)) {
                self.hear(now, to, message, frame.from, out);
            }
        }
        self.end_exchange(now, frame.from, false);
        self.finish_service(now, f, out);
    }

    /// The MAC has given up on a neighbour, `via`, and on what it was to have; whether it has got it nobody here knows.
    pub(crate) fn give_up(&mut self, now: Instant, at: u32, via: u32, gone: &[Mpdu], out: &mut Outbox) {
        // Where the receiver cannot be reached even on a silent channel, trying more often would not have helped.
        let cause = match self.reaches(now, at, via) {
            true => DropCause::RetryLimit,
            false => DropCause::OutOfRange,
        };
        // It is data that find a link broken: a message alone tells less (RFC 3561, section 6.11).
        let data = gone.iter().any(|mpdu| mpdu.held.load.is_datagram());
        let broken = match &mut self.router {
            Router::Fixed(_) => false,
            Router::Adaptive(routers) => data && routers[at as usize].breaks(now, Station(via)),
        };
        if !broken {
            for datagram in gone.iter().filter(|mpdu| !mpdu.received).filter_map(datagram) {
                self.lose(at, datagram, cause, out);
            }
        }
        let failed: Vec<Message> = gone
            .iter()
            .filter_map(|mpdu| match mpdu.held.load {
                Load::Message { number, .. } => self.messages.take(number),
                Load::Datagram(_) | Load::Management(_) => None,
            })
            .collect();
        let mut stranded: Vec<Datagram> = Vec::new();
        if broken {
            stranded.extend(gone.iter().filter(|mpdu| !mpdu.received).filter_map(datagram));
            for f in self.functions_of(at) {
                self.functions[f as usize].queue.retain(|waiting| match waiting.load {
                    Load::Datagram(datagram) if waiting.via == via => {
                        stranded.push(datagram);
                        false
                    }
                    _ => true,
                });
                if let Some(above) = &mut self.above {
                    stranded.extend(above.take(f, via));
                    self.refill(now, f, out);
                }
            }
        }
        let Router::Adaptive(routers) = &mut self.router else { return };
        let (router, neighbour) = (&mut routers[at as usize], Station(via));
        let mut orders = Vec::new();
        for message in &failed {
            router.message_failed(now, neighbour, message);
        }
        if broken {
            router.failed(now, neighbour, cause, &stranded, &mut orders);
        }
        self.obey(now, at, orders, out);
    }

    /// A packet or message is no longer in transmission.
    pub(crate) fn release(&mut self, load: Load) {
        if let Load::Message { number, .. } = load {
            self.messages.take(number);
        }
    }
}

/// The packet that a frame carried, if it was one.
fn datagram(mpdu: &Mpdu) -> Option<Datagram> {
    match mpdu.held.load {
        Load::Datagram(datagram) => Some(datagram),
        Load::Message { .. } | Load::Management(_) => None,
    }
}
