//! The table of a station whose routes have numbers given by their destinations: AODV's (RFC 3561, sections 2 and 6.2), and
//! HWMP's, whose forwarding information is the same with a metric in place of the number of hops (IEEE Std 802.11-2016,
//! 14.10.8).

use base::{Duration, Instant};
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet};

/// Whether sequence number `a` is newer than `b`: a signed difference, so that numbers may wrap (section 6.1).
pub(super) const fn newer(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

/// The newer of two numbers that may be unknown.
pub(super) fn newest(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if newer(b, a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// What can be done with a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Packets take it.
    Active,
    /// It has broken or expired; its number is remembered.
    Invalid,
    /// It has broken here, and a new way is looked for; packets wait.
    Repairing,
}

/// What is known of the way to a destination.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub state: State,
    pub next: Station,
    pub hops: u8,
    /// What it costs: hops, or units of a metric. The less, the better.
    pub metric: u32,
    /// The destination's number; `None`: not known.
    pub seq: Option<u32>,
    /// Until when it is active; when not active, until when it is remembered.
    pub expires: Instant,
    /// Neighbours that are likely to send packets this way: whom to tell when it breaks.
    pub precursors: BTreeSet<Station>,
}

/// A destination that cannot be reached any more, with its number; `None`: not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unreachable {
    pub destination: Station,
    pub seq: Option<u32>,
}

/// The same with the neighbours that are to hear of it.
pub(super) type Broken = (Unreachable, BTreeSet<Station>);

/// What a message about such destinations says, and whom it is for; `None`: nobody has to hear of it.
pub(super) fn report(broken: Vec<Broken>) -> Option<(Vec<Unreachable>, BTreeSet<Station>)> {
    let reported: Vec<Broken> = broken.into_iter().filter(|(_, precursors)| !precursors.is_empty()).collect();
    let precursors: BTreeSet<Station> =
        reported.iter().flat_map(|(_, precursors)| precursors).copied().collect();
    let unreachable = reported.into_iter().map(|(unreachable, _)| unreachable).collect();
    (!precursors.is_empty()).then_some((unreachable, precursors))
}

/// All routes of a station.
#[derive(Clone, Debug)]
pub(super) struct Table {
    routes: BTreeMap<Station, Route>,
    delete_period: Duration,
}

impl Table {
    pub(super) fn new(delete_period: Duration) -> Self {
        Self { routes: BTreeMap::new(), delete_period }
    }

    /// What is known of a destination at `now`; brings it up to date first.
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

    /// The route that packets to a destination take.
    pub(super) fn active(&mut self, to: Station, now: Instant) -> Option<&mut Route> {
        self.get(to, now).filter(|route| route.state == State::Active)
    }

    /// The next hop of the route that packets to a destination take.
    #[cfg(test)]
    pub(super) fn next_hop(&self, to: Station, now: Instant) -> Option<Station> {
        let active = |route: &&Route| route.state == State::Active && route.expires > now;
        self.routes.get(&to).filter(active).map(|route| route.next)
    }

    /// Whether there is any active route.
    pub(super) fn any_active(&self, now: Instant) -> bool {
        self.routes.values().any(|route| route.state == State::Active && route.expires > now)
    }

    /// Destinations whose active routes go over a neighbour.
    pub(super) fn over(&self, neighbour: Station, now: Instant) -> Vec<Station> {
        let over = |(to, route): (&Station, &Route)| {
            let active = route.state == State::Active && route.expires > now;
            (active && route.next == neighbour).then_some(*to)
        };
        self.routes.iter().filter_map(over).collect()
    }

    /// An active route lives at least until `until`.
    pub(super) fn refresh(&mut self, to: Station, now: Instant, until: Instant) {
        if let Some(route) = self.active(to, now) {
            route.expires = route.expires.max(until);
        }
    }

    /// A neighbour has been heard: there is a route to it, whose number may be unknown (sections 6.5 and 6.7); what it costs.
    pub(super) fn neighbour(&mut self, to: Station, metric: u32, now: Instant, until: Instant) {
        match self.get(to, now) {
            Some(route) if route.state == State::Active && route.next == to => {
                (route.metric, route.expires) = (metric, route.expires.max(until));
            }
            Some(route) if route.state == State::Active && route.metric <= metric => {}
            Some(route) => {
                // Nearer than what was known: the number stays.
                (route.state, route.next, route.hops, route.expires) = (State::Active, to, 1, until);
                route.metric = metric;
            }
            None => {
                self.insert(to, Route { metric, ..Route::new(to, 1, None, until) });
            }
        }
    }

    /// A route offered with a number: taken where it is newer, or as new and either better or the old one is not active, or
    /// where no number is known (sections 6.2 and 6.7). Whether it was taken.
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

    /// The route to a destination is no more. Its number is increased, so that nobody takes an old answer for a new one.
    pub(super) fn invalidate(&mut self, to: Station, now: Instant) {
        if let Some(route) = self.routes.get_mut(&to) {
            invalidate(route, now, self.delete_period);
        }
    }

    /// What to say of a destination that cannot be reached, and to whom; they are forgotten.
    pub(super) fn broken(&mut self, to: Station, now: Instant) -> Option<Broken> {
        let route = self.get(to, now)?;
        let precursors = std::mem::take(&mut route.precursors);
        Some((Unreachable { destination: to, seq: route.seq }, precursors))
    }

    /// A neighbour says what it cannot reach any more: routes that go over it are invalid too. What to say of them.
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
                // The number is that of whoever saw the link break, where it is not older than ours.
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
    /// An active route without precursors, which costs its hops.
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
