//! The router of one mesh station: forwarding, broken links and errors (IEEE Std 802.11-2016, 10.35.4, 14.10.11).

use super::config::Config;
use super::message::{Action, Message, Request};
use super::metric::LinkMetrics;
use super::peering::Peers;
use super::search::Search;
use crate::port::Datagram;
use crate::router::{Router, Site};
use crate::station_ref::StationRef;
use crate::table::{self, Broken, Table, Unreachable};
use crate::waiting::Waiting;
use base::{DropCause, Duration, Instant, Rng};
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet};

/// Time for which an invalid path is remembered with its sequence number. The standard sets no limit.
const DELETE_PERIOD: Duration = Duration::from_secs(60);

/// The HWMP router of one station.
#[derive(Clone, Debug)]
pub struct Hwmp {
    pub(super) me: Station,
    pub(super) config: Config,
    pub(super) table: Table,
    pub(super) metrics: LinkMetrics,
    pub(super) peers: Peers,
    pub(super) seq: u32,
    pub(super) searches: BTreeMap<Station, Search>,
    /// Time of the last PREQ for each target.
    pub(super) asked: BTreeMap<Station, Instant>,
    /// Earliest time at which this station may originate the next PREQ.
    pub(super) may_ask: Instant,
    /// Earliest time at which this station may send the next PERR.
    may_report: Instant,
    pub(super) waiting: Waiting,
    /// PREQs to be forwarded, keyed by time and order of arrival.
    pub(super) delayed: BTreeMap<(Instant, u64), Request>,
    pub(super) delays: u64,
    pub(super) beacon_due: Instant,
    /// Time of the root's next proactive PREQ; `None` at other stations.
    pub(super) root_due: Option<Instant>,
    pub(super) rng: Rng,
}

impl Router for Hwmp {
    type Config = Config;
    type Message = Message;

    const MESH: bool = true;

    fn new(config: &Config, site: &Site<'_>) -> Self {
        let mut rng = site.rng();
        let beacon_due = Instant::ZERO + rng.duration_below(config.beacon_interval);
        let is_root = config.root() == Some(site.me);
        Self {
            me: site.me,
            table: Table::new(DELETE_PERIOD),
            metrics: LinkMetrics::new(site.frame, config.loss_memory),
            peers: Peers::default(),
            seq: 0,
            searches: BTreeMap::new(),
            asked: BTreeMap::new(),
            may_ask: Instant::ZERO,
            may_report: Instant::ZERO,
            waiting: Waiting::new(config.buffer, None),
            delayed: BTreeMap::new(),
            delays: 0,
            beacon_due,
            // The root's first proactive PREQ comes after one interval, in which stations find their peers.
            root_due: is_root.then(|| Instant::ZERO + config.root_interval),
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
        let until = now.saturating_add(self.config.active_path_timeout);
        if let Some(previous) = previous {
            self.peers.heard(now, previous);
            self.table.refresh(previous, now, until);
            self.table.refresh(datagram.from, now, until);
        }
        if datagram.to == self.me {
            out.push(Action::Deliver(datagram));
            return;
        }
        if datagram.hops >= self.config.ttl {
            out.push(Action::Drop(datagram, DropCause::NoRoute));
            return;
        }
        if let Some(path) = self.table.active(datagram.to, now) {
            path.expires = path.expires.max(until);
            let next = path.next;
            self.table.refresh(next, now, until);
            out.push(Action::Forward(Datagram { hops: datagram.hops + 1, ..datagram }, next));
            if previous.is_none() {
                self.keep(now, datagram.to, out);
            }
            return;
        }
        match previous {
            None => {
                self.waiting.push(now, datagram, out);
                self.search(now, datagram.to, false, out);
            }
            Some(previous) => {
                let seq = self.table.get(datagram.to, now).and_then(|path| path.seq);
                let unreachable = Unreachable { destination: datagram.to, seq };
                self.report(now, vec![(unreachable, BTreeSet::from([previous]))], out);
                out.push(Action::Drop(datagram, DropCause::NoRoute));
            }
        }
    }

    fn receive(&mut self, now: Instant, message: &Message, previous: Station, out: &mut Vec<Action>) {
        self.peers.heard(now, previous);
        match message {
            Message::Beacon => self.peers.beacon(now, previous, &self.config, out),
            Message::Peering(frame) => {
                if self.peers.receive(now, *frame, previous, &self.config, out) {
                    self.link_lost(now, previous, out);
                }
            }
            _ if !self.peers.is_peer(previous) => {}
            Message::Request(request) => self.request(now, request, previous, out),
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
        [delayed, search, self.peers.next(), self.root_due, Some(self.beacon_due)].into_iter().flatten().min()
    }

    fn run(&mut self, now: Instant, out: &mut Vec<Action>) {
        if self.beacon_due <= now {
            self.beacon(now, out);
        }
        self.peers.run(now, &self.config, out);
        if self.root_due.is_some_and(|due| due <= now) {
            self.proactive_request(now, out);
        }
        while let Some(entry) = self.delayed.first_entry().filter(|entry| entry.key().0 <= now) {
            let request = Message::Request(entry.remove());
            out.push(Action::Send(request, None));
        }
        self.searches_due(now, out);
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }

    fn breaks(&mut self, now: Instant, neighbour: Station) -> bool {
        self.metrics.given_up(now, neighbour) >= self.config.packet_failures
    }

    fn link_failed(
        &mut self,
        now: Instant,
        neighbour: Station,
        cause: DropCause,
        stranded: &[Datagram],
        out: &mut Vec<Action>,
    ) {
        self.link_lost(now, neighbour, out);
        for datagram in stranded {
            if datagram.from == self.me && self.config.salvage {
                self.forward(now, Datagram { hops: 0, ..*datagram }, None, out);
            } else {
                out.push(Action::Drop(*datagram, cause));
            }
        }
    }

    fn receive_distant_beacon(&mut self, now: Instant, neighbour: Station, out: &mut Vec<Action>) {
        if self.peers.forget(neighbour) {
            self.link_lost(now, neighbour, out);
        }
    }

    fn attempted(&mut self, now: Instant, neighbour: Station, frames: (u32, u32), frame: Option<Duration>) {
        self.metrics.attempted(now, neighbour, frames, frame);
    }

    fn reported(&mut self, now: Instant, neighbour: Station, frames: (u32, u32)) {
        self.metrics.reported(now, neighbour, frames);
    }

    #[cfg(test)]
    fn next_hop(&self, to: Station, now: Instant) -> Option<Station> {
        self.table.next_hop(to, now)
    }

    fn stations(config: &mut Config) -> Vec<(String, &mut StationRef)> {
        let gates = config.gates.iter_mut().flatten().enumerate();
        let gates = gates.map(|(i, gate)| (format!("gates.{i}"), gate));
        config.root.iter_mut().map(|root| ("root".to_owned(), root)).chain(gates).collect()
    }

    fn set_gateways(config: &mut Config, gateways: Vec<StationRef>) {
        config.gates.get_or_insert(gateways);
    }

    fn overhead(config: &Config, from: Station, to: Station, qos: bool) -> u8 {
        config.overhead(from, to, qos)
    }
}

impl Hwmp {
    /// Sends another PREQ for a path in use if `maintenance_interval` has passed. Paths to the root are kept by its
    /// proactive PREQs.
    fn keep(&mut self, now: Instant, to: Station, out: &mut Vec<Action>) {
        if self.config.root() == Some(to) {
            return;
        }
        let asked = *self.asked.entry(to).or_insert(now);
        if now.since(asked) >= self.config.maintenance_interval {
            self.search(now, to, true, out);
        }
    }

    /// Invalidates the paths over a broken link and sends a PERR to the stations that use them.
    pub(super) fn link_lost(&mut self, now: Instant, neighbour: Station, out: &mut Vec<Action>) {
        let mut broken = Vec::new();
        for to in self.table.over(neighbour, now) {
            self.table.invalidate(to, now);
            broken.extend(self.table.broken(to, now));
        }
        self.report(now, broken, out);
    }

    /// Sends a PERR to the precursors of broken paths: by unicast to a single precursor, else by broadcast. If less
    /// than `perr_min_interval` has passed since the last PERR, none is sent: the next packet for such a path causes
    /// another.
    fn report(&mut self, now: Instant, broken: Vec<Broken>, out: &mut Vec<Action>) {
        let Some((unreachable, precursors)) = table::report(broken) else { return };
        if now < self.may_report {
            return;
        }
        self.may_report = now.saturating_add(self.config.perr_min_interval);
        let only = precursors.first().filter(|_| precursors.len() == 1).copied();
        out.push(Action::Send(Message::Error(unreachable), only));
    }

    /// Sends a beacon, and ends the peerings with stations that have been silent for too long.
    pub(super) fn beacon(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.beacon_due = now.saturating_add(self.config.beacon_interval);
        out.push(Action::Send(Message::Beacon, None));
        for gone in self.peers.silent(now, &self.config) {
            self.link_lost(now, gone, out);
        }
    }
}
