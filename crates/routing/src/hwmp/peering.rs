//! Mesh peering: beacons and the handshake (IEEE Std 802.11-2016, 14.3 and 14.4).
//!
//! A station that receives a beacon from a station that is not its peer sends a Mesh Peering Open. The receiver of an
//! Open sends a Confirm and an Open of its own. Two stations are peers once each has received both frames. A beacon
//! can be received at a distance at which data frames are lost. So a beacon opens no peering, and ends an existing
//! one, if fewer than nine in ten frames of 1500 bytes would arrive at its received power. Linux has a power
//! threshold for opening; the standard leaves it open. An unanswered Open is repeated; in the end a Close is sent,
//! and the next attempt follows after a pause.

use super::config::Config;
use super::message::{Action, Message, Peering};
use base::Instant;
use radio::access::Station;
use std::collections::BTreeMap;

/// State of a handshake.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    /// True if the other station's Open has been received.
    opened: bool,
    /// True if the other station has confirmed this station's Open.
    confirmed: bool,
    retries: u32,
    /// True if the handshake has failed: no new attempt until `due`.
    holds: bool,
    due: Instant,
}

/// Peers of a station, and handshakes under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Peers {
    /// Time of the last frame received from each peer.
    established: BTreeMap<Station, Instant>,
    attempts: BTreeMap<Station, Attempt>,
}

impl Peers {
    pub(super) fn is_peer(&self, station: Station) -> bool {
        self.established.contains_key(&station)
    }

    /// Records that a frame of station `from` has been received; ignored unless that station is a peer.
    pub(super) fn heard(&mut self, now: Instant, from: Station) {
        if let Some(last) = self.established.get_mut(&from) {
            *last = now;
        }
    }

    /// Ends a peering without a frame; returns true if the station was a peer.
    pub(super) fn forget(&mut self, station: Station) -> bool {
        self.established.remove(&station).is_some()
    }

    /// Returns the time at which [`Peers::run`] must be called next; `None` if no handshake is under way.
    pub(super) fn next(&self) -> Option<Instant> {
        self.attempts.values().map(|attempt| attempt.due).min()
    }

    /// Handles a beacon: opens a peering if its sender is no peer and no handshake with it is under way.
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

    /// Handles a frame of the handshake; returns true if the frame ends an existing peering.
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

    /// Handles the handshakes that are due: repeats the Open, sends a Close, or ends the pause after a failure.
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

    /// Removes the peers from which no frame has come for `missed_beacons` intervals, and returns them.
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
