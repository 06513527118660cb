//! The router of one station: forwarding, broken links, hellos and errors (RFC 3561, sections 6.2, 6.9, 6.11, 6.12).

use super::config::{Config, LocalRepair};
use super::message::{Action, Message, Reply, Request};
use super::search::{Rate, Search};
use crate::port::{Datagram, TIME_TO_LIVE};
use crate::router::{Router, Site};
use crate::table::{self, Broken, Route, State, Table, Unreachable};
use crate::waiting::Waiting;
use base::{DropCause, Duration, Instant, Rng};
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The AODV router of one station.
#[derive(Clone, Debug)]
pub struct Aodv {
    pub(super) me: Station,
    pub(super) config: Config,
    pub(super) table: Table,
    pub(super) seq: u32,
    /// RREQ ID of the last RREQ.
    pub(super) id: u32,
    /// RREQs seen (originator, RREQ ID); `seen_until` has the same in order of the times at which they are forgotten.
    pub(super) seen: BTreeSet<(Station, u32)>,
    pub(super) seen_until: VecDeque<(Instant, (Station, u32))>,
    /// Neighbours to which an RREP could not be delivered, each with the time until which its RREQs are ignored.
    pub(super) blacklist: BTreeMap<Station, Instant>,
    pub(super) searches: BTreeMap<Station, Search>,
    /// Time per hop of the last answered searches, by destination, oldest first.
    pub(super) latencies: BTreeMap<Station, VecDeque<Duration>>,
    pub(super) waiting: Waiting,
    /// RREQs that wait for their random jitter, keyed by the time at which they are rebroadcast; a counter breaks
    /// ties in order of arrival.
    pub(super) delayed: BTreeMap<(Instant, u64), Request>,
    pub(super) delays: u64,
    pub(super) requests: Rate,
    errors: Rate,
    /// Next time at which it is decided if a hello message is sent; `None` without hello messages.
    hello_due: Option<Instant>,
    pub(super) last_broadcast: Option<Instant>,
    /// Neighbours that send hello messages, each with the time at which it counts as gone if no message or
    /// datagram of it arrives.
    hellos: BTreeMap<Station, Instant>,
    pub(super) rng: Rng,
}

impl Router for Aodv {
    type Config = Config;
    type Message = Message;

    fn new(config: &Config, site: &Site<'_>) -> Self {
        let mut rng = site.rng();
        let hello_due = config.hello.map(|hello| Instant::ZERO + rng.duration_below(hello.interval));
        Self {
            me: site.me,
            table: Table::new(config.delete_period),
            seq: 0,
            id: 0,
            seen: BTreeSet::new(),
            seen_until: VecDeque::new(),
            blacklist: BTreeMap::new(),
            searches: BTreeMap::new(),
            latencies: BTreeMap::new(),
            waiting: Waiting::new(config.buffer, config.buffer_time.0),
            delayed: BTreeMap::new(),
            delays: 0,
            requests: Rate::new(config.rreq_ratelimit),
            errors: Rate::new(config.rerr_ratelimit),
            hello_due,
            last_broadcast: None,
            hellos: BTreeMap::new(),
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
        let until = now.saturating_add(self.config.active_route_timeout);
        if let Some(previous) = previous {
            self.heard(now, previous);
            self.table.refresh(previous, now, until);
            self.table.refresh(datagram.from, now, until);
        }
        if datagram.to == self.me {
            out.push(Action::Deliver(datagram));
            return;
        }
        if datagram.hops >= TIME_TO_LIVE {
            out.push(Action::Drop(datagram, DropCause::NoRoute));
            return;
        }
        match self.table.get(datagram.to, now) {
            Some(route) if route.state == State::Active => {
                route.expires = route.expires.max(until);
                let next = route.next;
                self.table.refresh(next, now, until);
                out.push(Action::Forward(Datagram { hops: datagram.hops + 1, ..datagram }, next));
            }
            Some(route) if route.state == State::Repairing => self.waiting.push(now, datagram, out),
            _ => match previous {
                None => {
                    self.waiting.push(now, datagram, out);
                    self.search(now, datagram.to, out);
                }
                Some(previous) => {
                    let seq = self.table.get(datagram.to, now).and_then(|route| route.seq);
                    let unreachable = Unreachable { destination: datagram.to, seq };
                    self.report(now, vec![(unreachable, BTreeSet::from([previous]))], out);
                    out.push(Action::Drop(datagram, DropCause::NoRoute));
                }
            },
        }
    }

    fn receive(&mut self, now: Instant, message: &Message, previous: Station, out: &mut Vec<Action>) {
        self.heard(now, previous);
        match message {
            Message::Request(request) => self.request(now, *request, previous, out),
            Message::Reply(reply) if reply.originator == reply.destination => {
                self.hello(now, reply, previous, out)
            }
            Message::Reply(reply) => self.reply(now, *reply, previous, out),
            Message::Error(unreachable) => {
                let broken = self.table.error(unreachable, previous, now);
                self.report(now, broken, out);
            }
        }
    }

    fn next(&self) -> Option<Instant> {
        let delayed = self.delayed.first_key_value().map(|(key, _)| key.0);
        let search = self.searches.values().map(|search| search.due).min();
        let gone = self.hellos.values().min().copied();
        [delayed, search, self.waiting.due(), gone, self.hello_due].into_iter().flatten().min()
    }

    fn run(&mut self, now: Instant, out: &mut Vec<Action>) {
        while let Some(entry) = self.delayed.first_entry().filter(|entry| entry.key().0 <= now) {
            let request = entry.remove();
            self.broadcast(now, Message::Request(request), out);
        }
        let due: Vec<Station> =
            self.searches.iter().filter(|(_, search)| search.due <= now).map(|(to, _)| *to).collect();
        for to in due {
            self.search_due(now, to, out);
        }
        self.waiting.expire(now, out);
        let gone: Vec<Station> =
            self.hellos.iter().filter(|(_, until)| **until <= now).map(|(station, _)| *station).collect();
        for neighbour in gone {
            self.hellos.remove(&neighbour);
            self.link_lost(now, neighbour, None, out);
        }
        self.say_hello(now, out);
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn link_failed(
        &mut self,
        now: Instant,
        neighbour: Station,
        cause: DropCause,
        stranded: &[Datagram],
        out: &mut Vec<Action>,
    ) {
        let repair = stranded.first().filter(|datagram| self.can_repair(now, datagram, neighbour)).copied();
        self.link_lost(now, neighbour, repair, out);
        for datagram in stranded {
            let repairing = |route: &mut Route| route.state == State::Repairing;
            if datagram.from == self.me && self.config.salvage {
                self.forward(now, Datagram { hops: 0, ..*datagram }, None, out);
            } else if self.table.get(datagram.to, now).is_some_and(repairing) {
                self.waiting.push(now, *datagram, out);
            } else {
                out.push(Action::Drop(*datagram, cause));
            }
        }
    }

    fn message_failed(&mut self, now: Instant, neighbour: Station, message: &Message) {
        if self.config.blacklist && matches!(message, Message::Reply(_)) {
            // This time is the RFC's BLACKLIST_TIMEOUT.
            let time = self.config.net_traversal_time() * u64::from(self.config.rreq_retries);
            self.blacklist.insert(neighbour, now.saturating_add(time));
        }
    }

    #[cfg(test)]
    fn next_hop(&self, to: Station, now: Instant) -> Option<Station> {
        self.table.next_hop(to, now)
    }

    fn ns2() -> Config {
        Config::ns2()
    }
}

impl Aodv {
    /// Queues a broadcast of `message`.
    pub(super) fn broadcast(&mut self, now: Instant, message: Message, out: &mut Vec<Action>) {
        self.last_broadcast = Some(now);
        out.push(Action::Send(message, None));
    }

    /// Extends the time until which a neighbour that sends hello messages counts as present; called after any message
    /// or datagram of that neighbour.
    fn heard(&mut self, now: Instant, neighbour: Station) {
        if let (Some(until), Some(hello)) = (self.hellos.get_mut(&neighbour), self.config.hello) {
            *until = now.saturating_add(hello.interval * hello.allowed_loss);
        }
    }

    fn hello(&mut self, now: Instant, hello: &Reply, previous: Station, out: &mut Vec<Action>) {
        let until = now.saturating_add(hello.lifetime);
        if self.config.hello.is_some() {
            self.hellos.insert(previous, until);
        }
        self.table.neighbour(previous, 1, now, until);
        self.table.offer(previous, Route::new(previous, 1, Some(hello.destination_seq), until), now);
        self.table.refresh(previous, now, until);
        self.found(now, previous, out);
    }

    /// Broadcasts a hello message if it is due, no broadcast was sent for an interval, and some route is active.
    fn say_hello(&mut self, now: Instant, out: &mut Vec<Action>) {
        let (Some(hello), Some(due)) = (self.config.hello, self.hello_due) else {
            return;
        };
        if due > now {
            return;
        }
        self.hello_due = Some(now.saturating_add(hello.interval));
        let silent = self.last_broadcast.is_none_or(|last| now.since(last) >= hello.interval);
        if silent && self.table.any_active(now) {
            let reply = Reply {
                hops: 0,
                destination: self.me,
                destination_seq: self.seq,
                originator: self.me,
                lifetime: hello.interval * hello.allowed_loss,
                asked: now,
            };
            self.broadcast(now, Message::Reply(reply), out);
        }
    }

    /// Returns true if this station repairs the datagram's route, after the MAC gave up on sending the datagram to
    /// `neighbour`.
    fn can_repair(&mut self, now: Instant, datagram: &Datagram, neighbour: Station) -> bool {
        let Some(route) = self.table.active(datagram.to, now) else {
            return false;
        };
        // `datagram.hops` includes the hop that has just failed.
        let come = datagram.hops.saturating_sub(1);
        let near = match self.config.local_repair {
            LocalRepair::Never => false,
            LocalRepair::Within(hops) => route.hops <= hops,
            LocalRepair::NearDestination => route.hops < come,
        };
        near && datagram.from != self.me && route.next == neighbour
    }

    /// Invalidates the routes over a broken link and sends a RERR about them. The route of the datagram
    /// `repair`, if given, is not reported but repaired by this station.
    fn link_lost(
        &mut self,
        now: Instant,
        neighbour: Station,
        repair: Option<Datagram>,
        out: &mut Vec<Action>,
    ) {
        let mut broken = Vec::new();
        for to in self.table.over(neighbour, now) {
            let hops = self.table.get(to, now).map_or(0, |route| route.hops);
            self.table.invalidate(to, now);
            match repair.filter(|datagram| datagram.to == to) {
                Some(datagram) => self.repair(now, datagram, hops, out),
                None => broken.extend(self.table.broken(to, now)),
            }
        }
        self.report(now, broken, out);
    }

    /// Sends a RERR to the precursors of broken routes, unless RERR_RATELIMIT is reached: by unicast to a
    /// single precursor, else by broadcast (section 6.11).
    pub(super) fn report(&mut self, now: Instant, broken: Vec<Broken>, out: &mut Vec<Action>) {
        let Some((unreachable, precursors)) = table::report(broken) else { return };
        if self.errors.take(now).is_err() {
            return;
        }
        let message = Message::Error(unreachable);
        match precursors.first() {
            Some(&only) if precursors.len() == 1 => {
                out.push(Action::Send(message, Some(only)));
            }
            _ => self.broadcast(now, message, out),
        }
    }
}
