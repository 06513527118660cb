//! A station's neighbourhood: links, stations two hops away, multipoint relays (RFC 3626, sections 7 and 8).

use super::config::Config;
use super::message::LinkCode;
use base::Instant;
use radio::access::Station;
use std::collections::{BTreeMap, BTreeSet};

/// Link tuple: state of the link to a neighbour (section 4.2.1).
#[derive(Clone, Copy, Debug)]
struct LinkTuple {
    /// L_SYM_time: time until which the link is symmetric.
    symmetric: Instant,
    /// L_ASYM_time: time until which the neighbour counts as heard.
    heard: Instant,
    /// L_time: time at which the tuple is removed.
    known: Instant,
}

/// Links, 2-hop neighbours, MPR selectors and relays of a station (RFC 3626, sections 4.2 and 4.3).
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbourhood {
    links: BTreeMap<Station, LinkTuple>,
    /// 2-hop tuples: a neighbour and a symmetric neighbour of it, with the time at which the tuple is removed.
    two_hops: BTreeMap<(Station, Station), Instant>,
    /// MPR selectors: stations that have picked this one as a relay, each with the time at which it is removed.
    selectors: BTreeMap<Station, Instant>,
    pub relays: BTreeSet<Station>,
}

impl Neighbourhood {
    /// Updates links, 2-hop tuples and selectors from the HELLO of station `from`; `me` is this station.
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

    /// Marks the link to a neighbour as lost after the MAC gave up on a packet (section 13).
    pub(super) fn lost(&mut self, config: &Config, now: Instant, neighbour: Station) {
        if let Some(link) = self.links.get_mut(&neighbour) {
            (link.symmetric, link.heard) = (now, now);
            link.known = now.saturating_add(config.neighbour_hold_time());
        }
        self.forget(now);
    }

    /// Removes links, 2-hop tuples and selectors that have expired by `now`, and entries of neighbours whose
    /// link is no longer symmetric.
    pub(super) fn forget(&mut self, now: Instant) {
        self.links.retain(|_, link| link.known > now);
        let symmetric: BTreeSet<Station> = self.neighbours(now).collect();
        self.two_hops.retain(|(via, _), until| *until > now && symmetric.contains(via));
        self.selectors.retain(|station, until| *until > now && symmetric.contains(station));
        self.relays.retain(|station| symmetric.contains(station));
    }

    /// Returns the neighbours with a symmetric link.
    pub(super) fn neighbours(&self, now: Instant) -> impl Iterator<Item = Station> {
        self.links.iter().filter(move |(_, link)| link.symmetric > now).map(|(station, _)| *station)
    }

    /// Lists the 2-hop tuples: a neighbour, and a symmetric neighbour of it.
    pub(super) fn two_hops(&self) -> impl Iterator<Item = (Station, Station)> {
        self.two_hops.keys().copied()
    }

    /// Returns the MPR selectors: the stations that have picked this one as a relay.
    pub(super) fn selectors(&self) -> impl Iterator<Item = Station> {
        self.selectors.keys().copied()
    }

    /// Returns true if a neighbour has picked this station as a multipoint relay.
    pub(super) fn relays_for(&self, neighbour: Station) -> bool {
        self.selectors.contains_key(&neighbour)
    }

    /// Returns the contents of this station's HELLO: its neighbours, each with its link code.
    pub(super) fn say(&self, now: Instant) -> Vec<(Station, LinkCode)> {
        let kind = |station: &Station, link: &LinkTuple| match () {
            () if link.symmetric > now && self.relays.contains(station) => LinkCode::Relay,
            () if link.symmetric > now => LinkCode::Symmetric,
            () if link.heard > now => LinkCode::Asymmetric,
            () => LinkCode::Lost,
        };
        self.links.iter().map(|(station, link)| (*station, kind(station, link))).collect()
    }

    /// Returns the time at which the first link, 2-hop tuple or selector expires.
    pub(super) fn horizon(&self, now: Instant) -> Instant {
        let links = self.links.values().flat_map(|link| [link.symmetric, link.known]).filter(|at| *at > now);
        let others = self.two_hops.values().chain(self.selectors.values()).copied();
        links.chain(others).min().unwrap_or(Instant::MAX)
    }

    /// Picks the multipoint relays (section 8.3.1). First come the neighbours that are the only ones to reach
    /// some station two hops away. Then the neighbour that reaches most of the remaining stations is added
    /// until all are reached; ties go to the higher degree, then to the lower number.
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
