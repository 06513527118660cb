//! How stations come to belong to an access point, and cease to (10.1.4, 10.3).
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
//! Several access points are one extended service set. A distribution system (4.5.2) joins them, which takes no time and loses nothing. A
//! packet may enter and leave at any of them; one for a station goes to the access point that counts that station as its own. So at most
//! one does: from the acknowledgment of its response the new one does, and the old one, which is told at once, drops what waits for the
//! station, as Linux does. What the station has waiting goes to the new one. What it or the old one has sent in vain is not sent again,
//! and is lost; what arrives all the same the receiver does not pass on. [`crate::mlme::roaming`] says whom a station asks, and when.
//!
//! Left out: active scanning, other channels, shared keys and RSN, access points that forward what waits for a station, ageing
//! of stations that are silent. ns-3.37 is the same but has no authentication, waits 120 ms for beacons before it asks, and asks again
//! without a new beacon. Its distribution system is what its user bridges, and learns of a station with the first packet that it sends.
//!
//! Validated (`tests/it/association.rs`): an exchange, a frame that is lost, a station that is out of reach, one that goes and comes
//! back, by hand to the microsecond; frames and times of ns-3.37 in `docs/explanation/wifi.md`. Roaming: `tests/it/roaming.rs`.

use crate::mac::payload::{Payload, Queued};
use crate::mac::schedule::Event;
use crate::mac::state::Link;
use crate::mlme::management::{Management, Subtype};
use crate::mlme::roaming::Roaming;
use crate::phy::air::Transmission;
use base::{DropCause, Instant};
use radio::access::{Outbox, Station};
use routing::Datagram;

/// What a station waits for from an access point that it asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Authenticating,
    Associating,
}

/// What a station and the access points know of where it belongs.
#[derive(Clone, Copy, Debug, Default)]
struct Membership {
    /// The access point that it belongs to, at the station.
    with: Option<u32>,
    /// The one that it asks, and what it waits for. Without either it scans.
    asks: Option<(Step, u32)>,
    /// The access point that counts it as its own.
    known: Option<u32>,
    /// The last access point that it belonged to.
    last: Option<u32>,
    /// Beacons missed in a row.
    missed: u32,
    /// Requests so far.
    requests: u32,
}

impl Membership {
    fn scans(&self) -> bool {
        self.with.is_none() && self.asks.is_none()
    }
}

/// Where a packet goes from a station of a network with several access points.
pub(crate) enum Way {
    /// Over the air, from the first to the second.
    Air(u32, u32),
    /// Through the distribution system to this access point, which it is for.
    Distribution(u32),
    /// Nowhere: somebody is not associated.
    None,
}

/// Who belongs to which access point.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    access_point: Option<Station>,
    /// What stations know of several access points; `None`: there is one at most.
    roaming: Option<Box<Roaming>>,
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
        let memberships = vec![Membership::default(); link.stations() as usize];
        let roaming = Roaming::new(&link.config).map(Box::new);
        Self { access_point, roaming, exchange, memberships }
    }

    fn of(&mut self, at: u32) -> &mut Membership {
        &mut self.memberships[at as usize]
    }

    /// Whether there are several access points.
    #[inline]
    pub(crate) fn are_distributed(&self) -> bool {
        self.roaming.is_some()
    }

    fn is_access_point(&self, at: u32) -> bool {
        match &self.roaming {
            Some(roaming) => roaming.is_access_point(at),
            None => self.access_point == Some(Station(at)),
        }
    }

    /// Where a packet for `to` goes that is at a station, with several access points.
    pub(crate) fn way(&self, at: u32, to: u32) -> Way {
        if !self.is_access_point(at) {
            return self.memberships[at as usize].with.map_or(Way::None, |ap| Way::Air(at, ap));
        }
        if self.is_access_point(to) {
            return Way::Distribution(to);
        }
        self.memberships[to as usize].known.map_or(Way::None, |ap| Way::Air(ap, to))
    }

    /// Whether a station may send a neighbour packets, one of them the access point if there is one.
    pub(crate) fn is_associated(
        &mut self,
        now: Instant,
        (from, to): (u32, u32),
        link: &mut Link,
        out: &mut Outbox,
    ) -> bool {
        let Some(ap) = self.access_point else { return true };
        let member = if from == ap.0 { to } else { from };
        let membership = &mut self.memberships[member as usize];
        if self.exchange {
            return if from == ap.0 { membership.known.is_some() } else { membership.with.is_some() };
        }
        if membership.known.is_none() && link.reaches(now, ap.0, member) && link.reaches(now, member, ap.0) {
            membership.known = Some(ap.0);
            link.counters.of(member).associated = Some(now);
            link.counters.belongs(now, member, Some(ap), out);
        }
        membership.known.is_some()
    }

    /// A packet is lost because a station is not associated.
    pub(crate) fn lose(&self, at: u32, datagram: Datagram, link: &mut Link, out: &mut Outbox) {
        let cause = if self.exchange { DropCause::NotAssociated } else { DropCause::OutOfRange };
        link.counters.lose(at, datagram, cause, out);
    }

    /// Whether a data frame comes from a station with which its receiver is associated, by the receiver's books.
    pub(crate) fn takes_data(&self, from: u32, at: u32) -> bool {
        if !self.exchange {
            return true;
        }
        if self.is_access_point(at) {
            return self.memberships[from as usize].known == Some(at);
        }
        self.memberships[at as usize].with == Some(from)
    }

    /// Data have come from a station that is not associated: it is told so, unless something else is under way to it, or the access
    /// point knows by the distribution system.
    pub(crate) fn refuse(&mut self, now: Instant, at: u32, to: u32, link: &mut Link, out: &mut Outbox) {
        if self.is_access_point(at) || self.of(at).scans() {
            send(now, (at, to), Subtype::Disassociation, link, out);
        }
    }

    /// A beacon of an access point has ended everywhere: who has received it, and who has not.
    pub(crate) fn beacon(
        &mut self,
        now: Instant,
        frame: &Transmission,
        number: u64,
        link: &mut Link,
        out: &mut Outbox,
    ) {
        let alone = link.contention.medium.is_alone(frame, number);
        let ap = frame.from;
        for at in (0..link.stations()).filter(|at| *at != ap) {
            if self.roaming.is_some() && self.is_access_point(at) {
                continue;
            }
            let received = link.contention.medium.receives_beacon(now, at, frame, number, alone);
            let membership = self.of(at);
            let own = membership.with == Some(ap);
            if own && received {
                membership.missed = 0;
            } else if own {
                membership.missed += 1;
            }
            let (scans, missed) = (membership.scans(), membership.missed);
            if self.roaming.is_some() {
                let power = received.then(|| link.contention.medium.beacon_power(at, frame));
                self.compare(now, (at, ap), power, link, out);
            } else if scans && received {
                self.ask(now, at, ap, link, out);
            }
            if own && missed >= link.config.mac.bss.missed_beacons {
                self.lose_association(now, at, link, out);
            }
        }
    }

    /// A station has received a beacon of one of several access points, so many dBm strong, or has missed it.
    fn compare(
        &mut self,
        now: Instant,
        (at, ap): (u32, u32),
        power: Option<f64>,
        link: &mut Link,
        out: &mut Outbox,
    ) {
        let membership = self.memberships[at as usize];
        let Some(roaming) = &mut self.roaming else { return };
        match (membership.with, power) {
            (Some(own), _) if own == ap => roaming.hear_own(at, own, power, membership.missed),
            (Some(own), Some(power)) => {
                let better = roaming.hear_other(at, (own, ap), power).filter(|_| membership.asks.is_none());
                if let Some(better) = better {
                    self.ask(now, at, better, link, out);
                }
            }
            (None, Some(power)) if membership.asks.is_none() => {
                if let Some(ends) = roaming.hear(now, at, ap, power) {
                    link.schedule.add(ends, Event::Scanned(at));
                }
            }
            (Some(_) | None, _) => {}
        }
    }

    /// A station may have scanned long enough.
    pub(crate) fn scanned(&mut self, now: Instant, at: u32, link: &mut Link, out: &mut Outbox) {
        let scans = self.of(at).scans();
        let best = self.roaming.as_mut().filter(|_| scans).and_then(|roaming| roaming.choose(now, at));
        if let Some(ap) = best {
            self.ask(now, at, ap, link, out);
        }
    }

    /// A station asks an access point to take it.
    fn ask(&mut self, now: Instant, at: u32, ap: u32, link: &mut Link, out: &mut Outbox) {
        self.request(now, at, (Step::Authenticating, ap), link, out);
    }

    /// A station asks an access point for something and waits for the response.
    fn request(&mut self, now: Instant, at: u32, (step, ap): (Step, u32), link: &mut Link, out: &mut Outbox) {
        let membership = self.of(at);
        membership.asks = Some((step, ap));
        membership.requests += 1;
        let subtype = match step {
            Step::Authenticating => Subtype::Authentication,
            Step::Associating if membership.with.is_some() => Subtype::ReassociationRequest,
            Step::Associating => Subtype::AssociationRequest,
        };
        let timeout = Event::AssociationTimedOut(at, membership.requests);
        link.schedule.add(now + link.config.mac.bss.association_timeout, timeout);
        send(now, (at, ap), subtype, link, out);
    }

    /// A station has waited long enough for the response to a request.
    pub(crate) fn timed_out(&mut self, now: Instant, at: u32, request: u32) {
        let membership = self.of(at);
        if membership.requests != request || membership.asks.take().is_none() || membership.with.is_some() {
            return;
        }
        if let Some(roaming) = &mut self.roaming {
            roaming.scan(now, at);
        }
    }

    /// A station no longer belongs to its access point, and has nothing to send any more.
    fn lose_association(&mut self, now: Instant, at: u32, link: &mut Link, out: &mut Outbox) {
        let membership = self.of(at);
        membership.missed = 0;
        let (ap, asks) = (membership.with.take(), membership.asks.is_some());
        link.counters.of(at).disassociations += 1;
        link.counters.belongs(now, at, None, out);
        self.drop_queued(at, ap.unwrap_or(at), link, out);
        if let Some(roaming) = self.roaming.as_mut().filter(|_| !asks) {
            roaming.scan(now, at);
        }
    }

    /// An access point no longer counts a station as its own.
    fn forget(&mut self, ap: u32, member: u32, link: &mut Link, out: &mut Outbox) {
        if self.of(member).known.take_if(|known| *known == ap).is_some() {
            self.drop_queued(ap, member, link, out);
            if self.roaming.is_some() {
                link.leave(ap, member);
            }
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
        if self.is_access_point(at) {
            return self.serve(now, (from, at), frame, link, out);
        }
        let membership = self.of(at);
        match (frame.subtype, membership.asks) {
            (Subtype::Authentication, Some((Step::Authenticating, ap))) if ap == from => {
                self.request(now, at, (Step::Associating, ap), link, out);
            }
            (
                Subtype::AssociationResponse | Subtype::ReassociationResponse,
                Some((Step::Associating, ap)),
            ) if ap == from => self.join(now, at, ap, link, out),
            (Subtype::Disassociation, _) if membership.with == Some(from) => {
                self.lose_association(now, at, link, out);
            }
            _ => {}
        }
    }

    /// A management frame of a station has reached an access point.
    fn serve(
        &mut self,
        now: Instant,
        (from, at): (u32, u32),
        frame: Management,
        link: &mut Link,
        out: &mut Outbox,
    ) {
        let answer = match frame.subtype {
            Subtype::Authentication => {
                self.forget(at, from, link, out);
                Subtype::Authentication
            }
            Subtype::AssociationRequest => Subtype::AssociationResponse,
            Subtype::ReassociationRequest => Subtype::ReassociationResponse,
            Subtype::Disassociation => return self.forget(at, from, link, out),
            Subtype::AssociationResponse | Subtype::ReassociationResponse => return,
        };
        send(now, (at, from), answer, link, out);
    }

    /// A station belongs to an access point, and no longer to the one before.
    fn join(&mut self, now: Instant, at: u32, ap: u32, link: &mut Link, out: &mut Outbox) {
        let membership = self.of(at);
        (membership.asks, membership.missed) = (None, 0);
        let before = membership.with.replace(ap);
        let stats = link.counters.of(at);
        stats.associated.get_or_insert(now);
        stats.handovers += u32::from(membership.last.replace(ap).is_some_and(|last| last != ap));
        link.counters.belongs(now, at, Some(Station(ap)), out);
        if let Some(old) = before {
            link.readdress(at, (old, ap));
        }
        if let Some(roaming) = &mut self.roaming {
            roaming.settle(at);
        }
    }

    /// A management frame has been acknowledged: after its response to it the access point counts a station as its own (10.3.5.3), and the
    /// one that did before no longer does.
    pub(crate) fn acknowledged(
        &mut self,
        (ap, to): (u32, u32),
        frame: Management,
        link: &mut Link,
        out: &mut Outbox,
    ) {
        if !matches!(frame.subtype, Subtype::AssociationResponse | Subtype::ReassociationResponse) {
            return;
        }
        if let Some(old) = self.of(to).known.replace(ap).filter(|old| *old != ap) {
            self.drop_queued(old, to, link, out);
            link.leave(old, to);
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
