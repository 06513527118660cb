//! Who is a peer: beacons, and the handshake (IEEE Std 802.11-2016, 14.3 and 14.4).
//!
//! Who hears the beacon of a station that is no peer opens a peering; whoever gets an Open confirms it and opens in turn. Peers are
//! those who have each had both. Beacons go further than data: those that come too weak for nine in ten frames of 1500 bytes make no
//! peers, and end a peering (as Linux's threshold of received power does the former; the standard leaves it open).
//! An attempt without an answer is repeated, then closed and not tried again for a while.

use super::config::Config;
use super::message::{Action, Message, Peering};
use base::Instant;
use radio::access::Station;
use std::collections::BTreeMap;

/// A handshake under way.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    /// The other's Open has come.
    opened: bool,
    /// The other has confirmed ours.
    confirmed: bool,
    retries: u32,
    /// Closed: not tried again until `due`.
    holds: bool,
    due: Instant,
}

/// The neighbours of a station.
#[derive(Clone, Debug, Default)]
pub(super) struct Peers {
    /// When each peer was heard last.
    established: BTreeMap<Station, Instant>,
    attempts: BTreeMap<Station, Attempt>,
}

impl Peers {
    pub(super) fn is_peer(&self, station: Station) -> bool {
        self.established.contains_key(&station)
    }

    /// Something of a station has been heard.
    pub(super) fn heard(&mut self, now: Instant, from: Station) {
        if let Some(last) = self.established.get_mut(&from) {
            *last = now;
        }
    }

    /// A station is no peer any more; whether it was.
    pub(super) fn forget(&mut self, station: Station) -> bool {
        self.established.remove(&station).is_some()
    }

    /// When an attempt is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.attempts.values().map(|attempt| attempt.due).min()
    }

    /// A station's beacon: an attempt begins where the station is no peer and none is under way.
    pub(super) fn beacon(&mut self, now: Instant, from: Station, config: &Config, out: &mut Vec<Action>) {
        if !self.is_peer(from) && !self.attempts.contains_key(&from) {
            self.open(now, from, config, out);
        }
    }

    fn open(&mut self, now: Instant, with: Station, config: &Config, out: &mut Vec<Action>) {
        let due = now.saturating_add(config.peering_timeout);
        let attempt = Attempt { opened: false, confirmed: false, retries: 0, holds: false, due };
        self.attempts.insert(with, attempt);
        tell(with, Peering::Open, out);
    }

    /// A frame of a handshake; whether it ends a peering.
    pub(super) fn receive(
        &mut self,
        now: Instant,
        frame: Peering,
        from: Station,
        config: &Config,
        out: &mut Vec<Action>,
    ) -> bool {
        match frame {
            Peering::Open if self.is_peer(from) => tell(from, Peering::Confirm, out),
            Peering::Open => {
                if self.attempts.get(&from).is_some_and(|attempt| attempt.holds) {
                    tell(from, Peering::Close, out);
                    return false;
                }
                tell(from, Peering::Confirm, out);
                if !self.attempts.contains_key(&from) {
                    self.open(now, from, config, out);
                }
                self.attempts.entry(from).and_modify(|attempt| attempt.opened = true);
            }
            Peering::Confirm => {
                self.attempts.entry(from).and_modify(|attempt| attempt.confirmed = !attempt.holds);
            }
            Peering::Close => {
                let was = self.established.remove(&from).is_some();
                if was || self.attempts.contains_key(&from) {
                    self.hold(now, from, config);
                }
                return was;
            }
        }
        if self.attempts.get(&from).is_some_and(|attempt| attempt.opened && attempt.confirmed) {
            self.attempts.remove(&from);
            self.established.insert(from, now);
        }
        false
    }

    fn hold(&mut self, now: Instant, with: Station, config: &Config) {
        let due = now.saturating_add(config.peering_timeout);
        let attempt = Attempt { opened: false, confirmed: false, retries: 0, holds: true, due };
        self.attempts.insert(with, attempt);
    }

    /// Attempts that are due go on or end.
    pub(super) fn run(&mut self, now: Instant, config: &Config, out: &mut Vec<Action>) {
        let due: Vec<Station> =
            self.attempts.iter().filter(|(_, attempt)| attempt.due <= now).map(|(with, _)| *with).collect();
        for with in due {
            let Some(attempt) = self.attempts.get_mut(&with) else { continue };
            if attempt.holds {
                self.attempts.remove(&with);
            } else if !attempt.confirmed && attempt.retries < config.peering_retries {
                attempt.retries += 1;
                attempt.due = now.saturating_add(config.peering_timeout);
                tell(with, Peering::Open, out);
            } else {
                tell(with, Peering::Close, out);
                self.hold(now, with, config);
            }
        }
    }

    /// Takes out the peers that have been silent for too long.
    pub(super) fn silent(&mut self, now: Instant, config: &Config) -> Vec<Station> {
        let patience = config.beacon_interval * config.missed_beacons;
        let gone: Vec<Station> = self
            .established
            .iter()
            .filter(|(_, last)| now.since(**last) > patience)
            .map(|(station, _)| *station)
            .collect();
        for station in &gone {
            self.established.remove(station);
        }
        gone
    }

    #[cfg(test)]
    pub(super) fn list(&self) -> Vec<Station> {
        self.established.keys().copied().collect()
    }
}

fn tell(to: Station, frame: Peering, out: &mut Vec<Action>) {
    out.push(Action::Send(Message::Peering(frame), Some(to)));
}
