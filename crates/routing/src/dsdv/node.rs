//! The router of one station: updates, settling, and broken links.

use super::config::Config;
use super::message::{Action, Entry, MOST, Update};
use crate::port::{Datagram, TIME_TO_LIVE};
use crate::router::{Router, Site};
use crate::waiting::Waiting;
use base::{DropCause, Duration, Instant, Rng};
use radio::access::Station;
use std::collections::BTreeMap;

/// Returns true if sequence number `a` is newer than `b`, by the sign of the difference modulo 2^32.
const fn newer(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

/// Route to one destination.
#[derive(Clone, Copy, Debug)]
struct Route {
    next: Station,
    /// Hops to the destination; `None` if it is unreachable.
    hops: Option<u8>,
    seq: u32,
    /// Time at which the first route with this sequence number came.
    first: Instant,
    /// Settling time: running average of the time until the best route with a new sequence number has come.
    settling: Duration,
    /// Earliest time at which this route may be advertised.
    settled: Instant,
    /// True if the route must be advertised: it has changed since it was last advertised, or a neighbour has
    /// lost an older route.
    changed: bool,
}

/// The DSDV router of one station.
#[derive(Clone, Debug)]
pub struct Dsdv {
    me: Station,
    config: Config,
    routes: BTreeMap<Station, Route>,
    /// Own sequence number, always even.
    seq: u32,
    /// True if this station has increased its number because a neighbour advertised the station as unreachable; the new
    /// number must be advertised.
    raised: bool,
    /// Neighbours, each with the time at which it counts as gone unless an update comes.
    neighbours: BTreeMap<Station, Instant>,
    pub(super) waiting: Waiting,
    /// Time of the next full update.
    full: Instant,
    /// Earliest time of the next triggered update.
    free: Instant,
    rng: Rng,
}

impl Router for Dsdv {
    type Config = Config;
    type Message = Update;

    fn new(config: &Config, site: &Site<'_>) -> Self {
        let mut rng = site.rng();
        // The first update comes within `trigger_gap`, at a random time, so that the stations do not all send at
        // once.
        let first = rng.duration_below(config.trigger_gap);
        Self {
            me: site.me,
            routes: BTreeMap::new(),
            seq: 0,
            raised: false,
            neighbours: BTreeMap::new(),
            waiting: Waiting::new(config.buffer, Some(config.buffer_time)),
            full: Instant::ZERO + first,
            free: Instant::ZERO + first,
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
        match self.route(datagram.to) {
            Some(next) if datagram.hops < TIME_TO_LIVE => {
                out.push(Action::Forward(Datagram { hops: datagram.hops + 1, ..datagram }, next));
            }
            None if previous.is_none() => self.waiting.push(now, datagram, out),
            _ => out.push(Action::Drop(datagram, DropCause::NoRoute)),
        }
    }

    fn receive(&mut self, now: Instant, update: &Update, previous: Station, out: &mut Vec<Action>) {
        let gone = now.saturating_add(self.config.update_interval * self.config.missed_updates);
        self.neighbours.insert(previous, gone);
        for entry in &update.0 {
            if entry.to == self.me {
                // A neighbour advertises this station as unreachable; a newer even number overrides that.
                if newer(entry.seq, self.seq) {
                    self.seq = entry.seq.wrapping_add(1) & !1;
                    self.raised = true;
                }
                continue;
            }
            self.learn(now, *entry, previous);
            if self.route(entry.to).is_some() {
                for datagram in self.waiting.take(entry.to) {
                    self.forward(now, datagram, None, out);
                }
            }
        }
    }

    fn next(&self) -> Option<Instant> {
        let changed = self.routes.values().filter(|route| route.changed).map(|route| route.settled).min();
        let raised = self.raised.then_some(Instant::ZERO);
        let trigger = changed.into_iter().chain(raised).min().map(|at| at.max(self.free));
        let gone = self.neighbours.values().min().copied();
        [Some(self.full), trigger, gone, self.waiting.due()].into_iter().flatten().min()
    }

    fn run(&mut self, now: Instant, out: &mut Vec<Action>) {
        self.waiting.expire(now, out);
        let gone: Vec<Station> =
            self.neighbours.iter().filter(|(_, until)| **until <= now).map(|(station, _)| *station).collect();
        for neighbour in gone {
            self.link_lost(now, neighbour);
        }
        if self.full <= now {
            self.seq = self.seq.wrapping_add(2);
            // The interval is shortened by up to 5 % at random, so that neighbours do not stay synchronized.
            let interval = self.config.update_interval;
            self.full = now.saturating_add(interval - self.rng.duration_below(interval / 20));
            self.tell(now, false, out);
        } else if self.free <= now {
            let changed = |route: &Route| route.changed && route.settled <= now;
            if self.raised || self.routes.values().any(changed) {
                self.tell(now, true, out);
            }
        }
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
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
        self.link_lost(now, neighbour);
        for datagram in stranded {
            if self.config.salvage && datagram.from == self.me {
                self.forward(now, Datagram { hops: 0, ..*datagram }, None, out);
            } else {
                out.push(Action::Drop(*datagram, cause));
            }
        }
    }

    #[cfg(test)]
    fn next_hop(&self, to: Station, _now: Instant) -> Option<Station> {
        self.route(to)
    }

    fn ns2() -> Config {
        Config::ns2()
    }
}

impl Dsdv {
    /// Returns the next hop to a destination, if it is reachable.
    fn route(&self, to: Station) -> Option<Station> {
        self.routes.get(&to).filter(|route| route.hops.is_some()).map(|route| route.next)
    }

    /// Updates the route to one destination from an entry of the update that `previous` sent.
    fn learn(&mut self, now: Instant, entry: Entry, previous: Station) {
        let hops = entry.hops.map(|hops| hops.saturating_add(1));
        let Some(known) = self.routes.get_mut(&entry.to) else {
            if hops.is_some() {
                let settling = self.config.settling;
                let route = Route {
                    next: previous,
                    hops,
                    seq: entry.seq,
                    first: now,
                    settling,
                    settled: now,
                    changed: true,
                };
                self.routes.insert(entry.to, route);
            }
            return;
        };
        if newer(entry.seq, known.seq) {
            // A route that is lost or found is advertised at once. A changed distance waits for a better route with
            // the same number.
            let settled = match (known.hops, hops) {
                (Some(old), Some(new)) if old != new => now.saturating_add(known.settling * 2),
                _ => now,
            };
            let changed = known.changed || known.hops != hops;
            *known = Route { next: previous, hops, seq: entry.seq, first: now, settled, changed, ..*known };
        } else if entry.seq == known.seq {
            if let (Some(new), Some(old)) = (hops, known.hops)
                && new < old
            {
                let took = now.since(known.first);
                known.settling = (known.settling * 7 + took) / 8;
                (known.next, known.hops, known.changed) = (previous, hops, true);
                known.settled = known.settled.min(known.first.saturating_add(known.settling * 2)).max(now);
            }
        } else if hops.is_none() && known.hops.is_some() {
            // The neighbour has lost an older route to this destination, so the known newer one is advertised
            // again.
            known.changed = true;
        }
    }

    /// Marks all routes over a neighbour unreachable, with the next odd sequence number.
    fn link_lost(&mut self, now: Instant, neighbour: Station) {
        self.neighbours.remove(&neighbour);
        for route in self.routes.values_mut() {
            if route.next == neighbour && route.hops.is_some() {
                (route.hops, route.seq) = (None, route.seq.wrapping_add(1) | 1);
                (route.changed, route.settled) = (true, now);
            }
        }
    }

    /// Broadcasts an update with this station's own entry and all settled routes or, if `changes`, only those
    /// of them that have changed.
    fn tell(&mut self, now: Instant, changes: bool, out: &mut Vec<Action>) {
        self.free = now.saturating_add(self.config.trigger_gap);
        self.raised = false;
        let mut entries = vec![Entry { to: self.me, hops: Some(0), seq: self.seq }];
        for (to, route) in &mut self.routes {
            if route.settled <= now && (route.changed || !changes) {
                entries.push(Entry { to: *to, hops: route.hops, seq: route.seq });
                route.changed = false;
            }
        }
        for part in entries.chunks(MOST) {
            out.push(Action::Send(Update(part.to_vec()), None));
        }
    }
}
