//! How stations come to belong to the access point, and cease to (10.1.4, 10.3).
//!
//! Without the exchange ([`Association::InReach`]) a station belongs to it from when the two first have something for each other and are
//! in reach, for good. With it ([`Association::Exchange`]) a station scans passively: it waits for a beacon that it receives. Then
//! go a request and a response of open-system authentication and of association, each a frame to one station, at the rate of control frames, that
//! contends as data do (as voice under EDCA), before what waits, and is acknowledged and sent again like them. A station that has no
//! response in time scans again, and so does one that has missed so many beacons in a row: it has lost its association, and what waited
//! there for the access point. The access point counts a station as associated from the acknowledgment of its response until it asks for
//! authentication again, or says that it is not; what waits for it is lost then.
//!
//! Packets of a station that is not associated, and those for it at the access point, are lost (`not-associated`), as in ns-3 and as in
//! Linux, which has no carrier then. What a receiver gets from a station that by its books is not associated it does not pass on;
//! it sends it a Disassociation frame (10.3.3), unless the two are about to associate.
//!
//! Lengths have the mandatory elements of 8.3.3, with an SSID of one byte.
//!
//! Left out: active scanning, other channels and other access points, shared keys and RSN, reassociation between access points, ageing
//! of stations that are silent. ns-3.37 is the same but has no authentication, waits 120 ms for beacons before it asks, and asks again
//! without a new beacon.
//!
//! Validated (`tests/association.rs`): an exchange, a frame that is lost, a station that is out of reach, one that goes and comes
//! back, by hand to the microsecond; frames and times of ns-3.37 in `docs/wifi.md`.

use crate::air::{Kind, Transmission};
use crate::config::{Config, ConfigError};
use crate::exchange::Event;
use crate::frames::CONTROL_MODE;
use crate::network::Network;
use crate::station::{Held, Load};
use crate::timing::Standard;
use base::{DropCause, Duration, Instant};
use radio::access::Outbox;
use std::collections::VecDeque;

/// How a station comes to belong to the access point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Association {
    /// By being in reach, without a frame.
    #[default]
    InReach,
    /// By frames of authentication and association, after a beacon.
    Exchange,
}

/// What a management frame to one station is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subtype {
    /// Open system: of a station the request, of the access point the response.
    Authentication,
    AssociationRequest,
    AssociationResponse,
    Disassociation,
}

/// A management frame to one station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Management {
    subtype: Subtype,
    /// Its length, header and FCS included.
    pub(crate) bytes: u32,
}

impl Management {
    /// The standard's word, short.
    pub(crate) const fn name(self) -> &'static str {
        match self.subtype {
            Subtype::Authentication => "AUTH",
            Subtype::AssociationRequest => "ASSOC-REQ",
            Subtype::AssociationResponse => "ASSOC-RESP",
            Subtype::Disassociation => "DISASSOC",
        }
    }

    /// MAC header 24 bytes, FCS 4, and the elements of 8.3.3.
    pub(crate) fn new(subtype: Subtype, config: &Config) -> Self {
        const AROUND: u32 = 28;
        let standard = config.standard;
        // Supported Rates, of g with the Extended ones.
        let rates = match standard {
            Standard::B => 6,
            Standard::G => 10 + 6,
            Standard::A | Standard::N | Standard::Ac => 10,
        };
        let where_so = |is: bool, bytes: u32| if is { bytes } else { 0 };
        let (qos, vht) = (standard.is_qos(), standard == Standard::Ac);
        let edca = qos || config.mac.edca.is_some();
        let body = match subtype {
            // Algorithm, transaction, status.
            Subtype::Authentication => 6,
            // Capabilities, listen interval, SSID; QoS Capability, HT and VHT Capabilities.
            Subtype::AssociationRequest => {
                2 + 2 + 3 + rates + where_so(edca, 3) + where_so(qos, 28) + where_so(vht, 14)
            }
            // Capabilities, status, AID; EDCA Parameter Set, HT and VHT Capabilities and Operation.
            Subtype::AssociationResponse => {
                2 + 2 + 2 + rates + where_so(edca, 20) + where_so(qos, 28 + 24) + where_so(vht, 14 + 7)
            }
            // Reason.
            Subtype::Disassociation => 2,
        };
        Self { subtype, bytes: AROUND + body }
    }
}

/// How far a station has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Phase {
    #[default]
    Scanning,
    Authenticating,
    Associating,
    Associated,
}

/// What a station and the access point know of whether it belongs to it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Membership {
    /// At the station.
    phase: Phase,
    /// At the access point.
    known: bool,
    /// Beacons missed in a row.
    missed: u32,
    /// Requests so far.
    requests: u32,
}

impl Config {
    pub(crate) fn check_association(&self) -> Result<(), ConfigError> {
        let mac = &self.mac;
        let fail = |field, message: &str| Err(ConfigError { field, message: message.to_owned() });
        if mac.missed_beacons == 0 {
            return fail("mac.missed_beacons", "at least 1");
        }
        if mac.association_timeout.is_zero() {
            return fail("mac.association_timeout", "longer than zero");
        }
        let exchange = self.access_point.is_some() && mac.association == Association::Exchange;
        if exchange && mac.beacons.is_none() {
            return fail(
                "mac.association",
                "stations find an access point by its beacons: without them \"in-reach\"",
            );
        }
        Ok(())
    }
}

impl Network {
    /// Whether a station may send a neighbour packets, one of them the access point where there is one.
    pub(crate) fn is_associated(&mut self, now: Instant, from: u32, to: u32) -> bool {
        let Some(ap) = self.config.access_point else { return true };
        let member = if from == ap.0 { to } else { from };
        let membership = self.stations[member as usize].membership;
        if self.hearing.beacons {
            return if from == ap.0 { membership.known } else { membership.phase == Phase::Associated };
        }
        if !membership.known && self.reaches(now, ap.0, member) && self.reaches(now, member, ap.0) {
            self.stations[member as usize].membership.known = true;
            self.stations[member as usize].stats.associated = Some(now);
        }
        self.stations[member as usize].membership.known
    }

    /// A packet is lost where a station is not associated.
    pub(crate) fn lose_unassociated(
        &mut self,
        at: u32,
        datagram: crate::routing::Datagram,
        out: &mut Outbox,
    ) {
        let cause = if self.hearing.beacons { DropCause::NotAssociated } else { DropCause::OutOfRange };
        self.lose(at, datagram, cause, out);
    }

    /// Whether a data frame comes from a station with which its receiver is associated, by the receiver's books.
    pub(crate) fn takes_data(&self, from: u32, at: u32) -> bool {
        match self.config.access_point.filter(|_| self.hearing.beacons) {
            None => true,
            Some(ap) if at == ap.0 => self.stations[from as usize].membership.known,
            Some(_) => self.stations[at as usize].membership.phase == Phase::Associated,
        }
    }

    /// Data have come from a station that is not associated: it is told so, unless something else is under way to it.
    pub(crate) fn refuse(&mut self, now: Instant, at: u32, to: u32, out: &mut Outbox) {
        let is_access_point = self.config.access_point.is_some_and(|ap| ap.0 == at);
        if is_access_point || self.stations[at as usize].membership.phase == Phase::Scanning {
            self.send_subtype(now, (at, to), Subtype::Disassociation, out);
        }
    }

    /// A beacon has ended everywhere: who has received it, and who has not.
    pub(crate) fn beacon_over(&mut self, now: Instant, frame: &Transmission, number: u64, out: &mut Outbox) {
        let delay = self.farthest(frame.from, frame.begins);
        let alone = self.air.is_alone(number, delay * 2);
        if self.config.access_point.is_none() {
            return self.give_beacons_up(now, frame, number, alone);
        }
        for at in (0..self.stations.len() as u32).filter(|at| *at != frame.from) {
            let received = self.hears_beacon(now, at, frame, number, alone);
            let membership = &mut self.stations[at as usize].membership;
            match membership.phase {
                Phase::Scanning if received => {
                    membership.phase = Phase::Authenticating;
                    self.request(now, at, Subtype::Authentication, out);
                }
                Phase::Associated if received => membership.missed = 0,
                Phase::Associated => {
                    membership.missed += 1;
                    if membership.missed >= self.config.mac.missed_beacons {
                        self.lose_association(at, out);
                    }
                }
                Phase::Scanning | Phase::Authenticating | Phase::Associating => {}
            }
        }
    }

    /// Whether a station has received a beacon. Where nothing else was on the air and its power is plainly enough or too little it need
    /// not read the log for it: stations with nothing to do cost little.
    pub(crate) fn hears_beacon(
        &mut self,
        now: Instant,
        at: u32,
        frame: &Transmission,
        number: u64,
        alone: bool,
    ) -> bool {
        let path = self.channel.path(frame.from, at, frame.begins);
        if let Some(received) = self.hearing.is_plain(&path, frame).filter(|_| alone && !self.channel.fades())
        {
            return received;
        }
        self.listen(at, now);
        self.stations[at as usize].ear.verdict(number).is_ok()
    }

    /// A station asks the access point for something and waits for the response.
    fn request(&mut self, now: Instant, at: u32, subtype: Subtype, out: &mut Outbox) {
        let Some(ap) = self.config.access_point else { return };
        let membership = &mut self.stations[at as usize].membership;
        membership.requests += 1;
        let number = membership.requests;
        self.schedule(now + self.config.mac.association_timeout, Event::Unjoined(at, number));
        self.send_subtype(now, (at, ap.0), subtype, out);
    }

    /// A station has waited long enough for the response to a request.
    pub(crate) fn unjoined(&mut self, at: u32, request: u32) {
        let membership = &mut self.stations[at as usize].membership;
        if membership.requests == request && membership.phase != Phase::Associated {
            membership.phase = Phase::Scanning;
        }
    }

    /// A station no longer belongs to the access point, and has nothing to send any more.
    fn lose_association(&mut self, at: u32, out: &mut Outbox) {
        let station = &mut self.stations[at as usize];
        (station.membership.phase, station.membership.missed) = (Phase::Scanning, 0);
        station.stats.disassociations += 1;
        let ap = self.config.access_point.map_or(at, |ap| ap.0);
        self.drop_queued(at, ap, out);
    }

    /// The access point no longer counts a station as its own.
    fn forget(&mut self, ap: u32, member: u32, out: &mut Outbox) {
        if std::mem::take(&mut self.stations[member as usize].membership.known) {
            self.drop_queued(ap, member, out);
        }
    }

    /// What a station has waiting for a neighbour is lost.
    fn drop_queued(&mut self, at: u32, via: u32, out: &mut Outbox) {
        for f in self.functions_of(at) {
            let queue = std::mem::take(&mut self.functions[f as usize].queue);
            let gone = |held: &Held| held.via == via && held.load.is_datagram();
            let (gone, kept): (VecDeque<Held>, VecDeque<Held>) = queue.into_iter().partition(gone);
            self.functions[f as usize].queue = kept;
            for held in gone {
                if let Load::Datagram(datagram) = held.load {
                    self.lose_unassociated(at, datagram, out);
                }
            }
            let above = self.above.as_mut().map_or_else(Vec::new, |above| above.take(f, via));
            for datagram in above {
                self.lose_unassociated(at, datagram, out);
            }
        }
    }

    /// A management frame goes into a station's queue, before its packets. One to the same neighbour that waits there is overtaken by
    /// events.
    fn send_subtype(&mut self, now: Instant, (at, to): (u32, u32), subtype: Subtype, out: &mut Outbox) {
        let load = Load::Management(Management::new(subtype, &self.config));
        let f = self.function_for(at, &load);
        let queue = &mut self.functions[f as usize].queue;
        queue.retain(|held| held.via != to || !matches!(held.load, Load::Management(_)));
        let ahead = queue.iter().take_while(|held| matches!(held.load, Load::Management(_))).count();
        queue.insert(ahead, Held { load, via: to, came: now });
        if self.functions[f as usize].service.is_some() {
            return;
        }
        // What a beacon sets off it sets off at every station that has received it: each draws a backoff.
        let rank = self.rank(f);
        self.listen(at, now);
        let ear = &mut self.stations[at as usize].ear;
        let over = ear.fires(rank, &self.hearing) <= now;
        let backoff = &mut ear.backoffs[rank];
        if over || !backoff.runs() {
            backoff.draw(&self.hearing.backoff);
            backoff.hold = now;
        }
        self.serve(now, f, true, out);
    }

    /// A management frame has reached a station.
    pub(crate) fn manage(&mut self, now: Instant, from: u32, at: u32, frame: Management, out: &mut Outbox) {
        let member = if self.config.access_point.is_some_and(|ap| ap.0 == at) { from } else { at };
        let membership = &mut self.stations[member as usize].membership;
        match (frame.subtype, membership.phase) {
            (Subtype::Authentication, _) if member == from => {
                self.forget(at, from, out);
                self.send_subtype(now, (at, from), Subtype::Authentication, out);
            }
            (Subtype::AssociationRequest, _) => {
                self.send_subtype(now, (at, from), Subtype::AssociationResponse, out);
            }
            (Subtype::Authentication, Phase::Authenticating) => {
                membership.phase = Phase::Associating;
                self.request(now, at, Subtype::AssociationRequest, out);
            }
            (Subtype::AssociationResponse, Phase::Associating) => {
                (membership.phase, membership.missed) = (Phase::Associated, 0);
                self.stations[at as usize].stats.associated.get_or_insert(now);
            }
            (Subtype::Disassociation, _) if member == from => self.forget(at, from, out),
            (Subtype::Disassociation, Phase::Associated) => self.lose_association(at, out),
            _ => {}
        }
    }

    /// A management frame has been acknowledged: after its response to it the access point counts a station as its own (10.3.5.3).
    pub(crate) fn management_acknowledged(&mut self, to: u32, frame: Management) {
        if frame.subtype == Subtype::AssociationResponse {
            self.stations[to as usize].membership.known = true;
        }
    }

    /// A function's management frame goes on the air.
    pub(crate) fn send_management(&mut self, begins: Instant, f: u32, bytes: u32) {
        let at = self.station_of(f);
        let Some(via) = self.functions[f as usize].service.map(|service| service.via) else { return };
        self.stations[at as usize].stats.control_sent += 1;
        let ends = begins + self.frames.control_time(bytes);
        let response = self.frames.cts;
        let reserves = self.frames.sifs + response.airtime;
        self.put(Transmission {
            from: at,
            to: via,
            kind: Kind::Management,
            begins,
            ends,
            reserves: reserves + self.rest_of_txop(f, ends + reserves),
            bytes,
            mode: CONTROL_MODE,
            rate: 0,
            aggregates: 0,
            flow: None,
        });
        let patience: Duration = self.frames.patience(&response).0;
        self.hold_others(at, ends + patience);
    }
}
