//! A station's neighbourhood: links, stations two hops away, relays (RFC 3626, sections 7 and 8).

use super::config::Config;
use super::message::LinkCode;
use base::Instant;
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet};

/// A link to a neighbour (section 4.2.1).
#[derive(Clone, Copy, Debug)]
struct LinkTuple {
    /// Time until which both hear each other.
    symmetric: Instant,
    /// Time until which this station hears the neighbour.
    heard: Instant,
    /// Time until which it is remembered.
    known: Instant,
}

/// The neighbourhood of a station.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbourhood {
    links: BTreeMap<Station, LinkTuple>,
    /// Neighbour and its neighbour, with the end of validity.
    two_hops: BTreeMap<(Station, Station), Instant>,
    /// Stations that have picked this one as a relay, with the end of validity.
    selectors: BTreeMap<Station, Instant>,
    pub relays: BTreeSet<Station>,
}

impl Neighbourhood {
    /// Handles a hello of a neighbour.
    pub(super) fn hello(
        &mut self,
        config: &Config,
        now: Instant,
        me: Station,
        from: Station,
        links: &[(Station, LinkCode)],
    ) {
        let until = now.saturating_add(config.neighbour_hold_time());
        let fresh = LinkTuple { symmetric: Instant::ZERO, heard: until, known: until };
        let link = self.links.entry(from).or_insert(fresh);
        link.heard = until;
        match links.iter().find(|(station, _)| *station == me).map(|(_, kind)| *kind) {
            Some(LinkCode::Lost) => link.symmetric = Instant::ZERO,
            Some(kind) => {
                link.symmetric = until;
                link.known = until.saturating_add(config.neighbour_hold_time());
                if kind == LinkCode::Relay {
                    self.selectors.insert(from, until);
                }
            }
            None => {}
        }
        link.known = link.known.max(link.heard);
        if link.symmetric <= now {
            return;
        }
        for &(other, kind) in links.iter().filter(|(other, _)| *other != me) {
            match kind {
                LinkCode::Symmetric | LinkCode::Relay => {
                    self.two_hops.insert((from, other), until);
                }
                LinkCode::Asymmetric | LinkCode::Lost => {
                    self.two_hops.remove(&(from, other));
                }
            }
        }
    }

    /// Handles the MAC's giving up on a neighbour (section 13).
    pub(super) fn lost(&mut self, config: &Config, now: Instant, neighbour: Station) {
        if let Some(link) = self.links.get_mut(&neighbour) {
            (link.symmetric, link.heard) = (now, now);
            link.known = now.saturating_add(config.neighbour_hold_time());
        }
        self.forget(now);
    }

    /// Removes entries that are no longer valid.
    pub(super) fn forget(&mut self, now: Instant) {
        self.links.retain(|_, link| link.known > now);
        let symmetric: BTreeSet<Station> = self.neighbours(now).collect();
        self.two_hops.retain(|(via, _), until| *until > now && symmetric.contains(via));
        self.selectors.retain(|station, until| *until > now && symmetric.contains(station));
        self.relays.retain(|station| symmetric.contains(station));
    }

    /// Returns the neighbours with links both routes.
    pub(super) fn neighbours(&self, now: Instant) -> impl Iterator<Item = Station> {
        self.links.iter().filter(move |(_, link)| link.symmetric > now).map(|(station, _)| *station)
    }

    /// Returns pairs of a neighbour and its neighbour.
    pub(super) fn two_hops(&self) -> impl Iterator<Item = (Station, Station)> {
        self.two_hops.keys().copied()
    }

    /// Returns the stations that have picked this one as a relay.
    pub(super) fn selectors(&self) -> impl Iterator<Item = Station> {
        self.selectors.keys().copied()
    }

    /// Returns true if a neighbour has picked this station as a relay.
    pub(super) fn relays_for(&self, neighbour: Station) -> bool {
        self.selectors.contains_key(&neighbour)
    }

    /// Returns the contents of this station's hello.
    pub(super) fn say(&self, now: Instant) -> Vec<(Station, LinkCode)> {
        let kind = |station: &Station, link: &LinkTuple| match () {
            () if link.symmetric > now && self.relays.contains(station) => LinkCode::Relay,
            () if link.symmetric > now => LinkCode::Symmetric,
            () if link.heard > now => LinkCode::Asymmetric,
            () => LinkCode::Lost,
        };
        self.links.iter().map(|(station, link)| (*station, kind(station, link))).collect()
    }

    /// Returns the time at which the first entry ceases to be valid.
    pub(super) fn horizon(&self, now: Instant) -> Instant {
        let links = self.links.values().flat_map(|link| [link.symmetric, link.known]).filter(|at| *at > now);
        let others = self.two_hops.values().chain(self.selectors.values()).copied();
        links.chain(others).min().unwrap_or(Instant::MAX)
    }

    /// Picks relays that reach all stations two hops away (section 8.3.1): first the only ones that reach some station,
    /// then those that reach most of the rest, of equal ones that with more neighbours, then the lowest number.
    pub(super) fn pick_relays(&mut self, now: Instant, me: Station) {
        let neighbours: BTreeSet<Station> = self.neighbours(now).collect();
        let mut reach: BTreeMap<Station, BTreeSet<Station>> = BTreeMap::new();
        let mut reached_by: BTreeMap<Station, Vec<Station>> = BTreeMap::new();
        for (via, to) in self.two_hops.keys().copied() {
            if to != me && !neighbours.contains(&to) && neighbours.contains(&via) {
                reach.entry(via).or_default().insert(to);
                reached_by.entry(to).or_default().push(via);
            }
        }
        let degree = |via: &Station| {
            self.two_hops.keys().filter(|(v, to)| v == via && !neighbours.contains(to)).count()
        };
        let mut relays: BTreeSet<Station> =
            reached_by.values().filter(|by| by.len() == 1).map(|by| by[0]).collect();
        let mut left: BTreeSet<Station> = reached_by.keys().copied().collect();
        left.retain(|to| !relays.iter().any(|relay| reach[relay].contains(to)));
        while !left.is_empty() {
            let gain = |via: &Station| reach[via].intersection(&left).count();
            let best = reach.keys().max_by_key(|via| (gain(via), degree(via), std::cmp::Reverse(**via)));
            let Some(&best) = best else { break };
            relays.insert(best);
            left.retain(|to| !reach[&best].contains(to));
        }
        self.relays = relays;
    }
}
