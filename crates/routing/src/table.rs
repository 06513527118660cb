//! Routing table with destination sequence numbers: AODV's (RFC 3561, sections 2 and 6.2), and HWMP's forwarding
//! information, which has a metric in place of the number of hops (IEEE Std 802.11-2016, 14.10.8).

use base::{Duration, Instant};
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet};

/// Returns true if sequence number `a` is newer than `b`, by the sign of the difference modulo 2^32 (section 6.1).
pub(super) const fn newer(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

/// Returns the newer of two sequence numbers, each of which may be unknown.
pub(super) fn newest(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if newer(b, a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// State of a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Packets are sent over the route.
    Active,
    /// The route has broken or expired; its sequence number is remembered.
    Invalid,
    /// The route has broken at this station, which repairs it; packets wait.
    Repairing,
}

/// Route to one destination.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub state: State,
    pub next: Station,
    pub hops: u8,
    /// Metric of the route, less is better: hops (AODV) or units of 0.01 TU (HWMP).
    pub metric: u32,
    /// Destination sequence number; `None`: unknown.
    pub seq: Option<u32>,
    /// Time until which the route is active; if it is not active, time until which it is remembered.
    pub expires: Instant,
    /// Precursors: neighbours that use this route and get a RERR or PERR when it breaks.
    pub precursors: BTreeSet<Station>,
}

/// A destination that has become unreachable, with its sequence number; `None` if that is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unreachable {
    pub destination: Station,
    pub seq: Option<u32>,
}

/// An unreachable destination, with the precursors of the route to it.
pub(super) type Broken = (Unreachable, BTreeSet<Station>);

/// Returns the contents of a RERR about broken routes, and its receivers; `None` if no broken route has precursors.
pub(super) fn report(broken: Vec<Broken>) -> Option<(Vec<Unreachable>, BTreeSet<Station>)> {
    let reported: Vec<Broken> = broken.into_iter().filter(|(_, precursors)| !precursors.is_empty()).collect();
    let precursors: BTreeSet<Station> =
        reported.iter().flat_map(|(_, precursors)| precursors).copied().collect();
    let unreachable = reported.into_iter().map(|(unreachable, _)| unreachable).collect();
    (!precursors.is_empty()).then_some((unreachable, precursors))
}

/// Routing table of a station.
#[derive(Clone, Debug)]
pub(super) struct Table {
    routes: BTreeMap<Station, Route>,
    delete_period: Duration,
}

impl Table {
    pub(super) fn new(delete_period: Duration) -> Self {
        Self { routes: BTreeMap::new(), delete_period }
    }

    /// Returns the route to a destination at time `now`. A route whose lifetime has ended is invalidated or removed
    /// first.
    pub(super) fn get(&mut self, to: Station, now: Instant) -> Option<&mut Route> {
        let route = self.routes.get_mut(&to)?;
        if route.state == State::Active && route.expires <= now {
            let then = route.expires;
            invalidate(route, then, self.delete_period);
        }
        if route.state == State::Invalid && route.expires <= now {
            self.routes.remove(&to);
            return None;
        }
        self.routes.get_mut(&to)
    }

    /// Returns the route to a destination if it is active.
    pub(super) fn active(&mut self, to: Station, now: Instant) -> Option<&mut Route> {
        self.get(to, now).filter(|route| route.state == State::Active)
    }

    /// Returns the next hop to a destination if its route is active.
    #[cfg(test)]
    pub(super) fn next_hop(&self, to: Station, now: Instant) -> Option<Station> {
        let active = |route: &&Route| route.state == State::Active && route.expires > now;
        self.routes.get(&to).filter(active).map(|route| route.next)
    }

    /// Returns true if there is an active route.
    pub(super) fn any_active(&self, now: Instant) -> bool {
        self.routes.values().any(|route| route.state == State::Active && route.expires > now)
    }

    /// Returns the destinations of the active routes whose next hop is `neighbour`.
    pub(super) fn over(&self, neighbour: Station, now: Instant) -> Vec<Station> {
        let over = |(to, route): (&Station, &Route)| {
            let active = route.state == State::Active && route.expires > now;
            (active && route.next == neighbour).then_some(*to)
        };
        self.routes.iter().filter_map(over).collect()
    }

    /// Extends the lifetime of an active route at least to `until`.
    pub(super) fn refresh(&mut self, to: Station, now: Instant, until: Instant) {
        if let Some(route) = self.active(to, now) {
            route.expires = route.expires.max(until);
        }
    }

    /// Updates the direct route to a neighbour from which a frame has come. An active route over another
    /// station stays if it is at least as good. The neighbour's sequence number can be unknown (sections 6.5
    /// and 6.7). `metric` is the metric of the link.
    pub(super) fn neighbour(&mut self, to: Station, metric: u32, now: Instant, until: Instant) {
        match self.get(to, now) {
            Some(route) if route.state == State::Active && route.next == to => {
                (route.metric, route.expires) = (metric, route.expires.max(until));
            }
            Some(route) if route.state == State::Active && route.metric <= metric => {}
            Some(route) => {
                // The direct link is better than the known route; the sequence number stays.
                (route.state, route.next, route.hops, route.expires) = (State::Active, to, 1, until);
                route.metric = metric;
            }
            None => {
                self.insert(to, Route { metric, ..Route::new(to, 1, None, until) });
            }
        }
    }

    /// Enters `offer` as the route to `to` if no route is known, or if the known number is unknown or older. With
    /// equal numbers, replaces the known route if the offer has the lower metric or the known route is not active
    /// (sections 6.2 and 6.7). Returns true if it entered the offer.
    pub(super) fn offer(&mut self, to: Station, offer: Route, now: Instant) -> bool {
        let Some(known) = self.get(to, now) else {
            self.insert(to, offer);
            return true;
        };
        let better = match (known.seq, offer.seq) {
            (None, _) => true,
            (Some(old), Some(new)) if new == old => {
                known.state != State::Active || offer.metric < known.metric
            }
            (Some(old), Some(new)) => newer(new, old),
            (Some(_), None) => false,
        };
        if better {
            known.state = State::Active;
            (known.next, known.hops, known.metric) = (offer.next, offer.hops, offer.metric);
            (known.seq, known.expires) = (offer.seq, offer.expires);
        }
        better
    }

    /// Invalidates the route to a destination and increases its sequence number, so that no station takes an old
    /// route for a new one.
    pub(super) fn invalidate(&mut self, to: Station, now: Instant) {
        if let Some(route) = self.routes.get_mut(&to) {
            invalidate(route, now, self.delete_period);
        }
    }

    /// Returns the unreachable destination with the precursors of its route, and clears these precursors.
    pub(super) fn broken(&mut self, to: Station, now: Instant) -> Option<Broken> {
        let route = self.get(to, now)?;
        let precursors = std::mem::take(&mut route.precursors);
        Some((Unreachable { destination: to, seq: route.seq }, precursors))
    }

    /// Handles a RERR from `previous`: invalidates the routes over `previous` to the destinations that the
    /// RERR names, and returns these destinations with the precursors of their routes.
    pub(super) fn error(
        &mut self,
        unreachable: &[Unreachable],
        previous: Station,
        now: Instant,
    ) -> Vec<Broken> {
        let mut broken = Vec::new();
        for lost in unreachable {
            let to = lost.destination;
            let Some(route) = self.active(to, now).filter(|route| route.next == previous) else {
                continue;
            };
            let seq = newest(route.seq, lost.seq);
            self.invalidate(to, now);
            if let Some(route) = self.get(to, now) {
                // The newer of the two sequence numbers is kept, because a RERR never lowers one.
                route.seq = seq;
            }
            broken.extend(self.broken(to, now));
        }
        broken
    }

    fn insert(&mut self, to: Station, route: Route) {
        self.routes.insert(to, route);
    }
}

impl Route {
    /// Creates an active route without precursors, whose metric is the number of hops.
    pub(super) const fn new(next: Station, hops: u8, seq: Option<u32>, expires: Instant) -> Self {
        let metric = hops as u32;
        Self { state: State::Active, next, hops, metric, seq, expires, precursors: BTreeSet::new() }
    }
}

fn invalidate(route: &mut Route, now: Instant, delete_period: Duration) {
    route.state = State::Invalid;
    route.seq = route.seq.map(|seq| seq.wrapping_add(1));
    route.expires = now.saturating_add(delete_period);
}
