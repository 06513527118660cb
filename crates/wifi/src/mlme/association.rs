//! Association of stations with an access point, and its end (10.1.4, 10.3).
//!
//! With [`crate::config::Association::InReach`] a station is associated without frames, for the rest of the run, as
//! soon as it or the access point has a packet for the other and both are in reach. With
//! [`crate::config::Association::Exchange`] a station scans passively: it waits until it receives a beacon. Then follow
//! a request and a response of open-system authentication and of association, as unicast frames. These frames are sent
//! at the rate of control frames, before waiting data. They contend, are acknowledged and are sent again like data (as
//! voice under EDCA). A station that gets no response in time scans again. A station that has missed a number of
//! consecutive beacons loses its association, drops its packets for the access point, and scans again. The access point
//! counts a station as associated from the acknowledgment of its response until the station asks for authentication
//! again, or reports that it is not associated. The access point then drops the packets that wait for the station.
//!
//! Packets that come from or are for a station that is not associated are lost (cause `not-associated`), as in ns-3,
//! and in Linux, where the interface then has no carrier. A receiver does not pass on data from a station that it does
//! not count as associated. It then sends a Disassociation frame (10.3.3). A station sends one to an access point only
//! while it scans, not while it associates.
//!
//! Several access points form one extended service set. A distribution system (4.5.2) connects them, without delay or
//! loss. A packet may enter and leave at any access point; a packet for a station goes to the access point that counts
//! the station as associated. At most one access point does. When a station roams, the new access point counts it as
//! associated from the acknowledgment of the response on. The old access point is informed at once and drops the
//! packets that wait for the station, as Linux does. The station's own waiting packets go to the new access point.
//! Frames between the station and the old access point that have failed are not sent again, and are lost. If such a
//! frame arrives nevertheless, its receiver does not pass on the packet. The module [`crate::mlme::roaming`] decides
//! when a station roams, and to which access point.
//!
//! Left out: active scanning, other channels, shared keys and RSN, forwarding of waiting packets between access
//! points, ageing of silent stations. ns-3.37 differs in that it has no authentication, scans for 120 ms before it
//! sends a request, and repeats the request without a new beacon. In ns-3.37 the user sets up a bridge as
//! distribution system. The bridge learns from the first packet of a station at which access point the station is.
//!
//! Validated (`tests/it/association.rs`) against timelines worked out by hand, to the microsecond: an exchange, a lost
//! frame, a station out of reach, and a station that leaves and comes back. `docs/explanation/wifi.md` compares frames
//! and times with ns-3.37's. For roaming see `tests/it/roaming.rs`.

use crate::mac::payload::{Payload, Queued};
use crate::mac::schedule::Event;
use crate::mac::state::Mac;
use crate::mlme::management::{Management, Subtype};
use crate::mlme::roaming::Roaming;
use crate::phy::air::Transmission;
use base::{DropCause, Instant};
use radio::access::{Outbox, Station};
use routing::Datagram;

/// The response for which a station waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Authenticating,
    Associating,
}

/// Membership of a station, as the station and the access points see it.
#[derive(Clone, Copy, Debug, Default)]
struct Membership {
    /// Access point with which the station counts itself as associated.
    with: Option<u32>,
    /// Access point that the station has sent a request, and the response for which it waits. If `with` and `asks`
    /// are `None`, the station scans.
    asks: Option<(Step, u32)>,
    /// Access point that counts the station as associated.
    known: Option<u32>,
    /// Last access point with which the station was associated.
    last: Option<u32>,
    /// Consecutive beacons of its access point that the station has missed.
    missed: u32,
    /// Number of requests that the station has sent.
    requests: u32,
}

impl Membership {
    fn scans(&self) -> bool {
        self.with.is_none() && self.asks.is_none()
    }
}

/// Next hop of a packet at a station of a network with several access points.
pub(crate) enum Way {
    /// Over the air, from the first station to the second.
    Air(u32, u32),
    /// Through the distribution system to this access point.
    Distribution(u32),
    /// No next hop: a station is not associated.
    None,
}

/// Associations of all stations.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    access_point: Option<Station>,
    /// Measurements of the access points' beacons; `None` with at most one access point.
    roaming: Option<Box<Roaming>>,
    /// True if stations associate by an exchange of authentication and association frames; false if association needs
    /// no frames (`Association::InReach`).
    exchange: bool,
    /// Membership of each station.
    memberships: Vec<Membership>,
}

impl Members {
    /// Creates the state with no station associated.
    pub(crate) fn new(mac: &Mac) -> Self {
        let access_point = mac.config.access_point;
        let exchange = access_point.is_some() && mac.contention.medium.rules.beacons;
        let memberships = vec![Membership::default(); mac.stations() as usize];
        let roaming = Roaming::new(&mac.config).map(Box::new);
        Self { access_point, roaming, exchange, memberships }
    }

    fn of(&mut self, at: u32) -> &mut Membership {
        &mut self.memberships[at as usize]
    }

    /// Returns true if there are several access points.
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

    /// Returns the next transmission of a packet at station `at` for station `to`, in a network with several
    /// access points. From an access point, a packet for a station is sent over the air by the access point with
    /// which that station is associated; the distribution system in between takes no time.
    pub(crate) fn way(&self, at: u32, to: u32) -> Way {
        if !self.is_access_point(at) {
            return self.memberships[at as usize].with.map_or(Way::None, |ap| Way::Air(at, ap));
        }
        if self.is_access_point(to) {
            return Way::Distribution(to);
        }
        self.memberships[to as usize].known.map_or(Way::None, |ap| Way::Air(ap, to))
    }

    /// Returns true if a station may send packets to a neighbour. In infrastructure mode one of the two is an access
    /// point, and the other must be associated. Without association frames, the other is associated now if the two are
    /// in reach.
    pub(crate) fn is_associated(
        &mut self,
        now: Instant,
        (from, to): (u32, u32),
        mac: &mut Mac,
        out: &mut Outbox,
    ) -> bool {
        let Some(ap) = self.access_point else { return true };
        let member = if from == ap.0 { to } else { from };
        let membership = &mut self.memberships[member as usize];
        if self.exchange {
            return if from == ap.0 { membership.known.is_some() } else { membership.with.is_some() };
        }
        if membership.known.is_none() && mac.reaches(now, ap.0, member) && mac.reaches(now, member, ap.0) {
            membership.known = Some(ap.0);
            mac.counters.of(member).associated = Some(now);
            mac.counters.belongs(now, member, Some(ap), out);
        }
        membership.known.is_some()
    }

    /// Drops a packet because a station is not associated, and counts it.
    pub(crate) fn lose(&self, at: u32, datagram: Datagram, mac: &mut Mac, out: &mut Outbox) {
        let cause = if self.exchange { DropCause::NotAssociated } else { DropCause::OutOfRange };
        mac.counters.lose(at, datagram, cause, out);
    }

    /// Returns true if station `at` counts `from`, the sender of a data frame, as associated.
    pub(crate) fn takes_data(&self, from: u32, at: u32) -> bool {
        if !self.exchange {
            return true;
        }
        if self.is_access_point(at) {
            return self.memberships[from as usize].known == Some(at);
        }
        self.memberships[at as usize].with == Some(from)
    }

    /// Sends a Disassociation frame to station `to`, which has sent data without being associated. A station other
    /// than an access point sends the frame only while it scans: not while it associates, and not to an access
    /// point that it has left.
    pub(crate) fn refuse(&mut self, now: Instant, at: u32, to: u32, mac: &mut Mac, out: &mut Outbox) {
        if self.is_access_point(at) || self.of(at).scans() {
            send(now, (at, to), Subtype::Disassociation, mac, out);
        }
    }

    /// Handles the end of an access point's beacon at all stations, including those that missed it.
    pub(crate) fn beacon(
        &mut self,
        now: Instant,
        frame: &Transmission,
        number: u64,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        let alone = mac.contention.medium.is_alone(frame, number);
        let ap = frame.from;
        for at in (0..mac.stations()).filter(|at| *at != ap) {
            if self.roaming.is_some() && self.is_access_point(at) {
                continue;
            }
            let received = mac.contention.medium.receives_beacon(now, at, frame, number, alone);
            let membership = self.of(at);
            let own = membership.with == Some(ap);
            if own && received {
                membership.missed = 0;
            } else if own {
                membership.missed += 1;
            }
            let (scans, missed) = (membership.scans(), membership.missed);
            if self.roaming.is_some() {
                let power = received.then(|| mac.contention.medium.beacon_power(at, frame));
                self.compare(now, (at, ap), power, mac, out);
            } else if scans && received {
                self.ask(now, at, ap, mac, out);
            }
            if own && missed >= mac.config.mac.bss.missed_beacons {
                self.lose_association(now, at, mac, out);
            }
        }
    }

    /// Updates a station's measurements after a beacon of one of several access points. `power` is the received power
    /// in dBm; `None`: the beacon was missed.
    fn compare(
        &mut self,
        now: Instant,
        (at, ap): (u32, u32),
        power: Option<f64>,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        let membership = self.memberships[at as usize];
        let Some(roaming) = &mut self.roaming else { return };
        match (membership.with, power) {
            (Some(own), _) if own == ap => roaming.hear_own(at, own, power, membership.missed),
            (Some(own), Some(power)) => {
                let better = roaming.hear_other(at, (own, ap), power).filter(|_| membership.asks.is_none());
                if let Some(better) = better {
                    self.ask(now, at, better, mac, out);
                }
            }
            (None, Some(power)) if membership.asks.is_none() => {
                if let Some(ends) = roaming.hear(now, at, ap, power) {
                    mac.schedule.add(ends, Event::Scanned(at));
                }
            }
            (Some(_) | None, _) => {}
        }
    }

    /// Ends the scan of a station, if it is still scanning, and asks the best access point for association.
    pub(crate) fn scanned(&mut self, now: Instant, at: u32, mac: &mut Mac, out: &mut Outbox) {
        let scans = self.of(at).scans();
        let best = self.roaming.as_mut().filter(|_| scans).and_then(|roaming| roaming.choose(now, at));
        if let Some(ap) = best {
            self.ask(now, at, ap, mac, out);
        }
    }

    /// Starts the association of a station with an access point by asking for authentication.
    fn ask(&mut self, now: Instant, at: u32, ap: u32, mac: &mut Mac, out: &mut Outbox) {
        self.request(now, at, (Step::Authenticating, ap), mac, out);
    }

    /// Sends a station's request to an access point and starts the association timeout.
    fn request(&mut self, now: Instant, at: u32, (step, ap): (Step, u32), mac: &mut Mac, out: &mut Outbox) {
        let membership = self.of(at);
        membership.asks = Some((step, ap));
        membership.requests += 1;
        let subtype = match step {
            Step::Authenticating => Subtype::Authentication,
            Step::Associating if membership.with.is_some() => Subtype::ReassociationRequest,
            Step::Associating => Subtype::AssociationRequest,
        };
        let timeout = Event::AssociationTimedOut(at, membership.requests);
        mac.schedule.add(now + mac.config.mac.bss.association_timeout, timeout);
        send(now, (at, ap), subtype, mac, out);
    }

    /// Handles an association timeout. A station that still waits for the response to this request scans again, unless
    /// it is still associated with another access point.
    pub(crate) fn timed_out(&mut self, now: Instant, at: u32, request: u32) {
        let membership = self.of(at);
        if membership.requests != request || membership.asks.take().is_none() || membership.with.is_some() {
            return;
        }
        if let Some(roaming) = &mut self.roaming {
            roaming.scan(now, at);
        }
    }

    /// Ends the association of a station and drops its packets for the access point. With several access points, a
    /// station that is not associating begins a scan.
    fn lose_association(&mut self, now: Instant, at: u32, mac: &mut Mac, out: &mut Outbox) {
        let membership = self.of(at);
        membership.missed = 0;
        let (ap, asks) = (membership.with.take(), membership.asks.is_some());
        mac.counters.of(at).disassociations += 1;
        mac.counters.belongs(now, at, None, out);
        self.drop_queued(at, ap.unwrap_or(at), mac, out);
        if let Some(roaming) = self.roaming.as_mut().filter(|_| !asks) {
            roaming.scan(now, at);
        }
    }

    /// Makes an access point count a station as not associated, and drops the packets that wait there for the station.
    fn forget(&mut self, ap: u32, member: u32, mac: &mut Mac, out: &mut Outbox) {
        if self.of(member).known.take_if(|known| *known == ap).is_some() {
            self.drop_queued(ap, member, mac, out);
            if self.roaming.is_some() {
                mac.leave(ap, member);
            }
        }
    }

    /// Drops a station's packets that wait for a neighbour.
    fn drop_queued(&self, at: u32, via: u32, mac: &mut Mac, out: &mut Outbox) {
        for f in mac.contention.edcaf_index.edcafs_of(at) {
            for datagram in mac.take_for(f, via) {
                self.lose(at, datagram, mac, out);
            }
        }
    }

    /// Handles a management frame that a station has received.
    pub(crate) fn manage(
        &mut self,
        now: Instant,
        (from, at): (u32, u32),
        frame: Management,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        if self.is_access_point(at) {
            return self.serve(now, (from, at), frame, mac, out);
        }
        let membership = self.of(at);
        match (frame.subtype, membership.asks) {
            (Subtype::Authentication, Some((Step::Authenticating, ap))) if ap == from => {
                self.request(now, at, (Step::Associating, ap), mac, out);
            }
            (
                Subtype::AssociationResponse | Subtype::ReassociationResponse,
                Some((Step::Associating, ap)),
            ) if ap == from => self.join(now, at, ap, mac, out),
            (Subtype::Disassociation, _) if membership.with == Some(from) => {
                self.lose_association(now, at, mac, out);
            }
            _ => {}
        }
    }

    /// Handles a station's management frame that an access point has received: sends the response to a request. From a
    /// request for authentication or a Disassociation frame on, the access point no longer counts the station as
    /// associated.
    fn serve(
        &mut self,
        now: Instant,
        (from, at): (u32, u32),
        frame: Management,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        let answer = match frame.subtype {
            Subtype::Authentication => {
                self.forget(at, from, mac, out);
                Subtype::Authentication
            }
            Subtype::AssociationRequest => Subtype::AssociationResponse,
            Subtype::ReassociationRequest => Subtype::ReassociationResponse,
            Subtype::Disassociation => return self.forget(at, from, mac, out),
            Subtype::AssociationResponse | Subtype::ReassociationResponse => return,
        };
        send(now, (at, from), answer, mac, out);
    }

    /// Associates a station with an access point, from the station's view. Its association with another access point
    /// ends, and its waiting packets go to the new one.
    fn join(&mut self, now: Instant, at: u32, ap: u32, mac: &mut Mac, out: &mut Outbox) {
        let membership = self.of(at);
        (membership.asks, membership.missed) = (None, 0);
        let before = membership.with.replace(ap);
        let stats = mac.counters.of(at);
        stats.associated.get_or_insert(now);
        stats.handovers += u32::from(membership.last.replace(ap).is_some_and(|last| last != ap));
        mac.counters.belongs(now, at, Some(Station(ap)), out);
        if let Some(old) = before {
            mac.readdress(at, (old, ap));
        }
        if let Some(roaming) = &mut self.roaming {
            roaming.settle(at);
        }
    }

    /// Handles the acknowledgment of a management frame. After the acknowledgment of its (re)association response,
    /// the access point counts the station as associated (10.3.5.3), and the previous access point no longer does.
    pub(crate) fn acknowledged(
        &mut self,
        (ap, to): (u32, u32),
        frame: Management,
        mac: &mut Mac,
        out: &mut Outbox,
    ) {
        if !matches!(frame.subtype, Subtype::AssociationResponse | Subtype::ReassociationResponse) {
            return;
        }
        if let Some(old) = self.of(to).known.replace(ap).filter(|old| *old != ap) {
            self.drop_queued(old, to, mac, out);
            mac.leave(old, to);
        }
    }
}

/// Puts a management frame into a station's queue, before data. The frame replaces a waiting management frame to the
/// same neighbour.
fn send(now: Instant, (at, to): (u32, u32), subtype: Subtype, mac: &mut Mac, out: &mut Outbox) {
    let payload = Payload::Management(Management::new(subtype, &mac.config));
    let f = mac.edcaf_for(at, &payload);
    let is_management = |queued: &Queued| matches!(queued.payload, Payload::Management(_));
    let edcaf = &mut mac.edcafs[f as usize];
    edcaf.queue.retain(|queued| queued.via != to || !is_management(queued));
    let ahead = edcaf.queue.iter().take_while(|queued| is_management(queued)).count();
    edcaf.queue.insert(ahead, Queued { payload, via: to, came: now });
    if edcaf.service.is_some() {
        return;
    }
    // A beacon makes all stations that receive it respond at the same time, so each draws a backoff.
    let contention = &mut mac.contention;
    contention.listen(f, now);
    let over = contention.backoff_ends(f) <= now;
    if over || !contention.backoff(f).runs() {
        contention.draw(f, false);
        contention.backoff(f).hold = now;
    }
    mac.serve(now, f, true, out);
}
