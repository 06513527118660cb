//! How stations come to belong to the access point, and cease to (10.1.4, 10.3).
//!
//! Without the exchange ([`crate::config::Association::InReach`]) a station belongs to it from when the two first have something for each other and are
//! in reach, for good. With it ([`crate::config::Association::Exchange`]) a station scans passively: it waits for a beacon that it receives. Then
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
//! Left out: active scanning, other channels and other access points, shared keys and RSN, reassociation between access points, ageing
//! of stations that are silent. ns-3.37 is the same but has no authentication, waits 120 ms for beacons before it asks, and asks again
//! without a new beacon.
//!
//! Validated (`tests/association.rs`): an exchange, a frame that is lost, a station that is out of reach, one that goes and comes
//! back, by hand to the microsecond; frames and times of ns-3.37 in `docs/explanation/wifi.md`.

use crate::air::Transmission;
use crate::link::Link;
use crate::management::{Management, Subtype};
use crate::payload::{Payload, Queued};
use crate::routing::port::Datagram;
use crate::schedule::Event;
use base::{DropCause, Instant};
use radio::access::{Outbox, Station};

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
struct Membership {
    /// At the station.
    phase: Phase,
    /// At the access point.
    known: bool,
    /// Beacons missed in a row.
    missed: u32,
    /// Requests so far.
    requests: u32,
}

/// Who belongs to the access point.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    access_point: Option<Station>,
    /// Whether stations associate by frames.
    exchange: bool,
    /// By station.
    memberships: Vec<Membership>,
}

impl Members {
    /// Nobody does yet.
    pub(crate) fn new(link: &Link) -> Self {
        let access_point = link.config.access_point;
        let exchange = access_point.is_some() && link.contention.medium.rules.beacons;
        Self { access_point, exchange, memberships: vec![Membership::default(); link.stations() as usize] }
    }

    fn of(&mut self, at: u32) -> &mut Membership {
        &mut self.memberships[at as usize]
    }

    /// Whether a station may send a neighbour packets, one of them the access point if there is one.
    pub(crate) fn is_associated(&mut self, now: Instant, from: u32, to: u32, link: &mut Link) -> bool {
        let Some(ap) = self.access_point else { return true };
        let member = if from == ap.0 { to } else { from };
        let membership = &mut self.memberships[member as usize];
        if self.exchange {
            return if from == ap.0 { membership.known } else { membership.phase == Phase::Associated };
        }
        if !membership.known && link.reaches(now, ap.0, member) && link.reaches(now, member, ap.0) {
            membership.known = true;
            link.counters.of(member).associated = Some(now);
        }
        membership.known
    }

    /// A packet is lost because a station is not associated.
    pub(crate) fn lose(&self, at: u32, datagram: Datagram, link: &mut Link, out: &mut Outbox) {
        let cause = if self.exchange { DropCause::NotAssociated } else { DropCause::OutOfRange };
        link.counters.lose(at, datagram, cause, out);
    }

    /// Whether a data frame comes from a station with which its receiver is associated, by the receiver's books.
    pub(crate) fn takes_data(&self, from: u32, at: u32) -> bool {
        match self.access_point.filter(|_| self.exchange) {
            None => true,
            Some(ap) if at == ap.0 => self.memberships[from as usize].known,
            Some(_) => self.memberships[at as usize].phase == Phase::Associated,
        }
    }

    /// Data have come from a station that is not associated: it is told so, unless something else is under way to it.
    pub(crate) fn refuse(&mut self, now: Instant, at: u32, to: u32, link: &mut Link, out: &mut Outbox) {
        let is_access_point = self.access_point.is_some_and(|ap| ap.0 == at);
        if is_access_point || self.of(at).phase == Phase::Scanning {
            send(now, (at, to), Subtype::Disassociation, link, out);
        }
    }

    /// A beacon of the access point has ended everywhere: who has received it, and who has not.
    pub(crate) fn beacon(
        &mut self,
        now: Instant,
        frame: &Transmission,
        number: u64,
        link: &mut Link,
        out: &mut Outbox,
    ) {
        let alone = link.contention.medium.is_alone(frame, number);
        for at in (0..link.stations()).filter(|at| *at != frame.from) {
            let received = link.contention.medium.receives_beacon(now, at, frame, number, alone);
            let membership = self.of(at);
            match membership.phase {
                Phase::Scanning if received => {
                    membership.phase = Phase::Authenticating;
                    self.request(now, at, Subtype::Authentication, link, out);
                }
                Phase::Associated if received => membership.missed = 0,
                Phase::Associated => {
                    membership.missed += 1;
                    if membership.missed >= link.config.mac.bss.missed_beacons {
                        self.lose_association(at, link, out);
                    }
                }
                Phase::Scanning | Phase::Authenticating | Phase::Associating => {}
            }
        }
    }

    /// A station asks the access point for something and waits for the response.
    fn request(&mut self, now: Instant, at: u32, subtype: Subtype, link: &mut Link, out: &mut Outbox) {
        let Some(ap) = self.access_point else { return };
        let membership = self.of(at);
        membership.requests += 1;
        let timeout = Event::AssociationTimedOut(at, membership.requests);
        link.schedule.add(now + link.config.mac.bss.association_timeout, timeout);
        send(now, (at, ap.0), subtype, link, out);
    }

    /// A station has waited long enough for the response to a request.
    pub(crate) fn timed_out(&mut self, at: u32, request: u32) {
        let membership = self.of(at);
        if membership.requests == request && membership.phase != Phase::Associated {
            membership.phase = Phase::Scanning;
        }
    }

    /// A station no longer belongs to the access point, and has nothing to send any more.
    fn lose_association(&mut self, at: u32, link: &mut Link, out: &mut Outbox) {
        let membership = self.of(at);
        (membership.phase, membership.missed) = (Phase::Scanning, 0);
        link.counters.of(at).disassociations += 1;
        let ap = self.access_point.map_or(at, |ap| ap.0);
        self.drop_queued(at, ap, link, out);
    }

    /// The access point no longer counts a station as its own.
    fn forget(&mut self, ap: u32, member: u32, link: &mut Link, out: &mut Outbox) {
        if std::mem::take(&mut self.of(member).known) {
            self.drop_queued(ap, member, link, out);
        }
    }

    /// What a station has waiting for a neighbour is lost.
    fn drop_queued(&self, at: u32, via: u32, link: &mut Link, out: &mut Outbox) {
        for f in link.contention.layout.functions_of(at) {
            for datagram in link.take_for(f, via) {
                self.lose(at, datagram, link, out);
            }
        }
    }

    /// A management frame has reached a station.
    pub(crate) fn manage(
        &mut self,
        now: Instant,
        (from, at): (u32, u32),
        frame: Management,
        link: &mut Link,
        out: &mut Outbox,
    ) {
        let member = if self.access_point.is_some_and(|ap| ap.0 == at) { from } else { at };
        let membership = self.of(member);
        match (frame.subtype, membership.phase) {
            (Subtype::Authentication, _) if member == from => {
                self.forget(at, from, link, out);
                send(now, (at, from), Subtype::Authentication, link, out);
            }
            (Subtype::AssociationRequest, _) => {
                send(now, (at, from), Subtype::AssociationResponse, link, out);
            }
            (Subtype::Authentication, Phase::Authenticating) => {
                membership.phase = Phase::Associating;
                self.request(now, at, Subtype::AssociationRequest, link, out);
            }
            (Subtype::AssociationResponse, Phase::Associating) => {
                (membership.phase, membership.missed) = (Phase::Associated, 0);
                link.counters.of(at).associated.get_or_insert(now);
            }
            (Subtype::Disassociation, _) if member == from => self.forget(at, from, link, out),
            (Subtype::Disassociation, Phase::Associated) => self.lose_association(at, link, out),
            _ => {}
        }
    }

    /// A management frame has been acknowledged: after its response to it the access point counts a station as its own (10.3.5.3).
    pub(crate) fn acknowledged(&mut self, to: u32, frame: Management) {
        if frame.subtype == Subtype::AssociationResponse {
            self.of(to).known = true;
        }
    }
}

/// A management frame goes into a station's queue, before its packets. One to the same neighbour that waits there is overtaken by
/// events.
fn send(now: Instant, (at, to): (u32, u32), subtype: Subtype, link: &mut Link, out: &mut Outbox) {
    let payload = Payload::Management(Management::new(subtype, &link.config));
    let f = link.function_for(at, &payload);
    let is_management = |queued: &Queued| matches!(queued.payload, Payload::Management(_));
    let function = &mut link.functions[f as usize];
    function.queue.retain(|queued| queued.via != to || !is_management(queued));
    let ahead = function.queue.iter().take_while(|queued| is_management(queued)).count();
    function.queue.insert(ahead, Queued { payload, via: to, came: now });
    if function.service.is_some() {
        return;
    }
    // What a beacon sets off it sets off at every station that has received it: each draws a backoff.
    let contention = &mut link.contention;
    contention.listen(f, now);
    let over = contention.backoff_ends(f) <= now;
    if over || !contention.backoff(f).runs() {
        contention.draw(f, false);
        contention.backoff(f).hold = now;
    }
    link.serve(now, f, true, out);
}
