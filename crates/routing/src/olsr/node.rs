//! The router of one station: topology, messages, routes (RFC 3626, sections 3.4, 9 and 10).

use super::config::{Config, Jittered};
use super::message::{Action, LinkCode, Message, Topology};
use super::neighbourhood::Neighbourhood;
use crate::port::{Datagram, TIME_TO_LIVE};
use crate::router::{Router, Site};
use crate::waiting::Waiting;
use base::{DropCause, Duration, Instant, Rng};
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns true if sequence number `a` is newer than `b`, by the sign of the difference modulo 2^16 (section 19).
const fn newer(a: u16, b: u16) -> bool {
    (a.wrapping_sub(b) as i16) > 0
}

/// The OLSR router of one station.
#[derive(Clone, Debug)]
pub struct Olsr {
    me: Station,
    config: Config,
    neighbourhood: Neighbourhood,
    /// Topology set (section 4.4): for each last hop and destination, the ANSN and the time at which the
    /// tuple is removed.
    topology: BTreeMap<(Station, Station), (u16, Instant)>,
    /// Duplicate set: TCs seen (originator, message sequence number); `seen_until` has the same in order of the times
    /// at which they are forgotten.
    seen: BTreeSet<(Station, u16)>,
    seen_until: VecDeque<(Instant, (Station, u16))>,
    /// TCs to be forwarded, keyed by time and order of arrival.
    delayed: BTreeMap<(Instant, u64), Topology>,
    delays: u64,
    /// Routing table: the next hop to each destination.
    routes: BTreeMap<Station, Station>,
    /// Earliest expiry of the tuples from which `routes` was computed.
    horizon: Instant,
    pub(super) waiting: Waiting,
    hello_due: Instant,
    topology_due: Instant,
    /// With `jittered = "message"`: times of the HELLO and TC timers; the messages are due a random jitter
    /// later.
    hello_timer: Instant,
    topology_timer: Instant,
    /// MPR selectors in the last TC; `ansn` is the version of this set.
    advertised: Vec<Station>,
    ansn: u16,
    /// Time until which TCs are sent, even with an empty set of selectors.
    tell_until: Instant,
    number: u16,
    rng: Rng,
}

impl Router for Olsr {
    type Config = Config;
    type Message = Message;

    fn new(config: &Config, site: &Site<'_>) -> Self {
        let mut rng = site.rng();
        let within = |interval| match config.jittered {
            Jittered::Interval => interval,
            Jittered::Message => config.jitter,
        };
        let hello = rng.duration_below(within(config.hello_interval));
        let topology = rng.duration_below(within(config.tc_interval));
        Self {
            me: site.me,
            neighbourhood: Neighbourhood::default(),
            topology: BTreeMap::new(),
            seen: BTreeSet::new(),
            seen_until: VecDeque::new(),
            delayed: BTreeMap::new(),
            delays: 0,
            routes: BTreeMap::new(),
            horizon: Instant::MAX,
            waiting: Waiting::new(config.buffer, Some(config.buffer_time)),
            hello_due: Instant::ZERO + hello,
            topology_due: Instant::ZERO + topology,
            hello_timer: Instant::ZERO,
            topology_timer: Instant::ZERO,
            advertised: Vec::new(),
            ansn: 0,
            tell_until: Instant::ZERO,
            number: 0,
            rng,
            config: config.clone(),
        }
    }

    fn forward(
        &mut self,
        now: Instant,
        datagram: Datagram,
        previous: Option<Station>,
        out: &mut Vec<Action>,
    ) {
        if datagram.to == self.me {
            out.push(Action::Deliver(datagram));
            return;
        }
        self.renew(now);
        match self.routes.get(&datagram.to) {
            Some(next) if datagram.hops < TIME_TO_LIVE => {
                out.push(Action::Forward(Datagram { hops: datagram.hops + 1, ..datagram }, *next));
            }
            None if previous.is_none() && self.config.buffer > 0 => self.waiting.push(now, datagram, out),
            _ => out.push(Action::Drop(datagram, DropCause::NoRoute)),
        }
    }

    fn receive(&mut self, now: Instant, message: &Message, previous: Station, out: &mut Vec<Action>) {
        match message {
            Message::Hello(links) => self.hello(now, previous, links),
            Message::Topology(topology) => self.topology(now, previous, topology),
        }
        let ready: BTreeSet<Station> =
            self.waiting.destinations().filter(|to| self.routes.contains_key(to)).collect();
        for to in ready {
            for datagram in self.waiting.take(to) {
                self.forward(now, datagram, None, out);
            }
        }
    }

    fn next(&self) -> Option<Instant> {
        let delayed = self.delayed.first_key_value().map(|(key, _)| key.0);
        let own = Some(self.hello_due.min(self.topology_due));
        [delayed, own, self.waiting.due()].into_iter().flatten().min()
    }

    fn run(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.waiting.expire(now, out);
        self.renew(now);
        while let Some(entry) = self.delayed.first_entry().filter(|entry| entry.key().0 <= now) {
            tell(Message::Topology(entry.remove()), out);
        }
        if self.hello_due <= now {
            (self.hello_timer, self.hello_due) =
                self.later(now, self.hello_timer, self.config.hello_interval);
            tell(Message::Hello(self.neighbourhood.say(now)), out);
        }
        if self.topology_due <= now {
            (self.topology_timer, self.topology_due) =
                self.later(now, self.topology_timer, self.config.tc_interval);
            self.tell_topology(now, out);
        }
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn ns3() -> Config {
        Config::ns3()
    }

    fn breaks(&mut self, _now: Instant, _neighbour: Station) -> bool {
        self.config.link_layer
    }

    fn link_failed(
        &mut self,
        now: Instant,
        neighbour: Station,
        cause: DropCause,
        stranded: &[Datagram],
        out: &mut Vec<Action>,
    ) {
        self.neighbourhood.lost(&self.config, now, neighbour);
        self.compute_routes(now);
        for datagram in stranded {
            if self.config.salvage && datagram.from == self.me {
                self.forward(now, Datagram { hops: 0, ..*datagram }, None, out);
            } else {
                out.push(Action::Drop(*datagram, cause));
            }
        }
    }

    #[cfg(test)]
    fn next_hop(&self, to: Station, now: Instant) -> Option<Station> {
        let mut current = self.clone();
        current.renew(now);
        current.routes.get(&to).copied()
    }
}

impl Olsr {
    /// Returns the multipoint relays of this station.
    #[cfg(test)]
    pub(crate) fn relays(&self) -> Vec<Station> {
        self.neighbourhood.relays.iter().copied().collect()
    }

    /// Returns the next times of a timer and of its message. With `Jittered::Interval` the message is sent
    /// one `interval` after `now`, minus a random jitter; with `Jittered::Message`, one `interval` after
    /// `timer`, plus a random jitter.
    fn later(&mut self, now: Instant, timer: Instant, interval: Duration) -> (Instant, Instant) {
        let jitter = self.rng.duration_below(self.config.jitter);
        let timer = timer.saturating_add(interval);
        match self.config.jittered {
            Jittered::Interval => (timer, now.saturating_add(interval - jitter)),
            Jittered::Message => (timer, timer.saturating_add(jitter)),
        }
    }

    fn hello(&mut self, now: Instant, previous: Station, links: &[(Station, LinkCode)]) {
        self.neighbourhood.hello(&self.config, now, self.me, previous, links);
        self.compute_routes(now);
    }

    /// Handles a TC: its MPR selectors are one hop from the originator (section 9.5). If the sender picked this
    /// station as a relay, the TC is forwarded (section 3.4.1).
    fn topology(&mut self, now: Instant, previous: Station, topology: &Topology) {
        self.renew(now);
        let known = self.neighbourhood.neighbours(now).any(|neighbour| neighbour == previous);
        if topology.originator == self.me
            || !known
            || !self.remember(now, (topology.originator, topology.number))
        {
            return;
        }
        let last = topology.originator;
        let old =
            |((from, _), (ansn, _)): (&(Station, Station), &(u16, Instant))| (*from == last).then_some(*ansn);
        if !self.topology.iter().filter_map(old).any(|ansn| newer(ansn, topology.ansn)) {
            let until = now.saturating_add(self.config.topology_hold_time());
            self.topology.retain(|(from, _), (ansn, _)| *from != last || *ansn == topology.ansn);
            for to in &topology.selectors {
                self.topology.insert((last, *to), (topology.ansn, until));
            }
            self.compute_routes(now);
        }
        if self.neighbourhood.relays_for(previous) && topology.ttl > 1 {
            let at = now.saturating_add(self.rng.duration_below(self.config.jitter));
            self.delays += 1;
            self.delayed.insert((at, self.delays), Topology { ttl: topology.ttl - 1, ..topology.clone() });
        }
    }

    /// Records a TC for DUP_HOLD_TIME; returns true if it was new.
    fn remember(&mut self, now: Instant, message: (Station, u16)) -> bool {
        while let Some(&(_, old)) = self.seen_until.front().filter(|seen| seen.0 <= now) {
            self.seen_until.pop_front();
            self.seen.remove(&old);
        }
        let new = self.seen.insert(message);
        if new {
            self.seen_until.push_back((now.saturating_add(self.config.duplicate_hold_time()), message));
        }
        new
    }

    /// Sends a TC with the MPR selectors. When there are none any more, sends empty TCs for TOP_HOLD_TIME (section
    /// 9.3).
    fn tell_topology(&mut self, now: Instant, out: &mut Vec<Action>) {
        let selectors: Vec<Station> = self.neighbourhood.selectors().collect();
        if selectors != self.advertised {
            self.ansn = self.ansn.wrapping_add(1);
            self.advertised.clone_from(&selectors);
        }
        if !selectors.is_empty() {
            self.tell_until = now.saturating_add(self.config.topology_hold_time());
        }
        if self.tell_until > now {
            self.number = self.number.wrapping_add(1);
            let (originator, number, ansn) = (self.me, self.number, self.ansn);
            tell(Message::Topology(Topology { originator, number, ttl: u8::MAX, ansn, selectors }), out);
        }
    }

    /// Computes the routes anew if an entry from which they were computed has expired.
    fn renew(&mut self, now: Instant) {
        if self.horizon <= now {
            self.compute_routes(now);
        }
    }

    /// Computes the multipoint relays, and the shortest routes to all known stations (section 10).
    fn compute_routes(&mut self, now: Instant) {
        self.neighbourhood.forget(now);
        self.topology.retain(|_, (_, until)| *until > now);
        self.neighbourhood.pick_relays(now, self.me);
        let ends = self.topology.values().map(|(_, until)| *until).min();
        self.horizon = self.neighbourhood.horizon(now).min(ends.unwrap_or(Instant::MAX));
        self.routes.clear();
        let mut edge: Vec<Station> = self.neighbourhood.neighbours(now).collect();
        self.routes.extend(edge.iter().map(|neighbour| (*neighbour, *neighbour)));
        let near: BTreeSet<(Station, Station)> = self.neighbourhood.two_hops().collect();
        let mut first = true;
        while !edge.is_empty() {
            let mut next = Vec::new();
            for at in edge {
                let next_hop = self.routes[&at];
                let range = (at, Station(0))..=(at, Station(u32::MAX));
                let advertised = self.topology.range(range.clone()).map(|((_, to), _)| *to);
                let heard = near.range(range).map(|(_, to)| *to).filter(|_| first);
                for to in advertised.chain(heard).collect::<Vec<_>>() {
                    if to != self.me && !self.routes.contains_key(&to) {
                        self.routes.insert(to, next_hop);
                        next.push(to);
                    }
                }
            }
            (edge, first) = (next, false);
        }
    }
}

fn tell(message: Message, out: &mut Vec<Action>) {
    out.push(Action::Send(message, None));
}
