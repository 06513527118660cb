//! One direction of a point-to-point link: a queue, a transmitter and a wire.
//!
//! A FIFO link whose rate never changes knows a packet's departure the moment it arrives: `max(arrival, free) + bytes / rate`.
//! Such a link needs no event of its own for the end of a transmission, and a link fed by just one other needs none for
//! arrivals either. A link that does more (queue disciplines but drop tail, rate traces, impaired wires, changes while
//! the scenario runs) is *stepped*: it serves one packet at a time, an event each ([`crate::stepped`]).
//!
//! Room is counted as ns-2 and most routers do: a limit of N packets is N - 1 waiting and one in transmission.

use crate::loss::LinkLosses;
use crate::queue::{Limit, Queue};
use crate::rate_trace::RateTrace;
use crate::stepped::{Delivery, Next, Stepped};
use base::cache::fetch;
use base::{DataRate, DropCause, Duration, FlowId, Instant, Packet, Stamp};
use std::collections::VecDeque;

/// A packet in the queue or in transmission.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// When its transmission ends, decided when it begins.
    departs: Stamp,
    wire: u32,
}

/// The answer of a link to an arriving packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// It is held up for this time: [`Link::let_pass`] before it comes again.
    Held(Duration),
    /// It is lost: no room, or a loss before the queue.
    Dropped(DropCause),
    /// It has been handed to the queue of a stepped link, whose decisions tell its fate; its departure comes later.
    Waiting,
    /// Its transmission ends at `departs`, having begun at `departs.since`; `queued` packets were in the queue with it.
    Departs {
        /// End and beginning of its transmission.
        departs: Stamp,
        /// Packets in the queue, itself and the one in transmission included.
        queued: u32,
        /// When the event that led to the transmission was scheduled: the packet's arrival, or the end of the
        /// transmission before.
        cause: Instant,
    },
}

/// One direction of a link. 64 bytes, one cache line: all fields that a packet needs if it finds the link idle. The
/// others lie in `Rest`.
#[derive(Clone, Debug)]
pub struct Link {
    /// Picoseconds per byte, 64.64 fixed point: exact to less than a picosecond for any packet.
    ps_per_byte: u128,
    delay: Duration,
    /// When the transmitter is free: the last packet's departure.
    free: Instant,
    /// When the last packet's transmission began.
    began: Instant,
    room: Room,
    /// The last packet's size.
    last_wire: u32,
    /// Framing of each packet, bytes: counted on the wire, not in the queue.
    framing: u16,
    /// True with losses or as a stepped link: then time and room alone do not decide a packet's fate.
    special: bool,
    /// True if the link has been idle since a packet was last counted in `ahead`: all of them have departed.
    idle: bool,
    /// Made when first needed.
    rest: Option<Box<Rest>>,
}

/// The fields of a link that a packet does not need if it finds a plain link idle.
#[derive(Clone, Debug, Default)]
struct Rest {
    /// Packets queued or in transmission ahead of the last one, first in, first out. Departed ones are removed when a
    /// packet finds the link busy.
    ahead: VecDeque<Queued>,
    /// Their size, bytes on the wire.
    ahead_bytes: u64,
    /// Arrival and flow of the last packet that found the link busy and had room.
    joined: (Instant, FlowId),
    /// Ties so far (see [`Link::ties`]) while departures are computed ahead.
    ties: u64,
    losses: Option<LinkLosses>,
    /// `None`: departures are computed ahead.
    stepped: Option<Box<Stepped>>,
}

/// A [`Limit`] in eight bytes: the highest bit says that it counts bytes, not packets.
#[derive(Clone, Copy, Debug)]
struct Room(u64);

impl Room {
    const BYTES: u64 = 1 << 63;

    fn new(limit: Limit) -> Self {
        match limit {
            Limit::Packets(n) => Self(n.into()),
            Limit::Bytes(n) => Self(n.min(Self::BYTES - 1) | Self::BYTES),
            Limit::Unlimited => Self(Self::BYTES - 1),
        }
    }

    /// Returns true if a packet of `wire` bytes finds room beside `packets` of `bytes` in all.
    #[inline]
    fn fits(self, packets: u64, bytes: u64, wire: u32) -> bool {
        if self.0 < Self::BYTES { packets < self.0 } else { bytes + u64::from(wire) <= self.0 - Self::BYTES }
    }

    /// Returns true if a packet of `wire` bytes finds room in an empty queue.
    #[inline]
    fn fits_alone(self, wire: u32) -> bool {
        let some_packets = (self.0 as i64) > 0;
        some_packets || self.fits(0, 0, wire)
    }
}

impl Link {
    /// Creates an idle link.
    pub fn new(rate: DataRate, delay: Duration, limit: Limit) -> Self {
        Self {
            ps_per_byte: fixed_point(rate),
            delay,
            free: Instant::ZERO,
            began: Instant::ZERO,
            room: Room::new(limit),
            last_wire: 0,
            framing: 0,
            special: false,
            idle: true,
            rest: None,
        }
    }

    /// Adds `framing` bytes to each packet on the wire.
    pub fn frame(&mut self, framing: u16) {
        self.framing = framing;
    }

    /// Replaces its losses.
    pub fn set_losses(&mut self, losses: Option<LinkLosses>) {
        let rest = self.rest.get_or_insert_default();
        self.special = losses.is_some() || rest.stepped.is_some();
        rest.losses = losses;
    }

    /// Makes it a stepped link of `rate` that serves `queue`. The link must be idle.
    pub fn step(&mut self, queue: Queue, rate: DataRate) {
        self.rest.get_or_insert_default().stepped = Some(Box::new(Stepped::new(queue, rate)));
        self.special = true;
    }

    /// Returns true if it is a stepped link.
    pub fn is_stepped(&self) -> bool {
        self.stepped().is_some()
    }

    /// Returns the stepped part of the link; `None` if departures are computed ahead.
    pub fn stepped(&self) -> Option<&Stepped> {
        self.rest.as_ref()?.stepped.as_deref()
    }

    /// Returns the stepped part of the link; `None` if departures are computed ahead.
    pub fn stepped_mut(&mut self) -> Option<&mut Stepped> {
        self.rest.as_mut()?.stepped.as_deref_mut()
    }

    /// Prefetches the fields that a packet needs if it finds the link busy.
    #[inline]
    pub fn fetch_rest(&self) {
        if let Some(rest) = &self.rest {
            fetch(&**rest);
        }
    }

    /// Returns the packets in the queue at `now` and their bytes on the wire, the one in transmission included.
    pub fn backlog(&self, now: Instant) -> (u64, u64) {
        if let Some(stepped) = self.stepped() {
            return stepped.backlog();
        }
        if self.free <= now {
            return (0, 0);
        }
        let ahead = self.rest.iter().flat_map(|rest| &rest.ahead).filter(|queued| queued.departs.at > now);
        let last = (1, u64::from(self.last_wire));
        ahead.fold(last, |(packets, bytes), queued| (packets + 1, bytes + u64::from(queued.wire)))
    }

    /// Returns the number of arrivals at a full queue whose fate depended on the order of simultaneous events: another
    /// packet left the queue, or one of another flow took the last place, in the same instant. A queue with room for
    /// one packet alone is not looked at.
    pub fn ties(&self) -> u64 {
        self.rest
            .as_ref()
            .map_or(0, |rest| rest.ties + rest.stepped.as_ref().map_or(0, |stepped| stepped.ties()))
    }

    /// Returns the current rate, bit/s; the mean of the trace if the link follows one.
    pub fn rate_bps(&self) -> f64 {
        8.0 * base::time::PS_PER_S as f64 / (self.ps_per_byte as f64 / 18_446_744_073_709_551_616.0)
    }

    /// Returns the time to transmit a packet of `wire` bytes with its framing.
    #[inline]
    pub fn transmission(&self, wire: u32) -> Duration {
        transmission(self.ps_per_byte, wire + u32::from(self.framing))
    }

    /// Returns the propagation delay.
    #[inline]
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// Admits a packet that arrives at `stamp`. Arrivals come in order of stamp.
    #[inline(always)]
    pub fn admit(&mut self, stamp: Stamp, packet: &Packet) -> Admission {
        if self.special
            && let Some(answer) = self.admit_special(stamp, packet)
        {
            return answer;
        }
        let last = Stamp::new(self.free, self.began);
        let mut queued = 1;
        if last.key() > stamp.key() {
            let rest = self.rest.get_or_insert_default();
            if std::mem::take(&mut self.idle) {
                rest.forget();
            }
            let (left, leaving) = rest.depart(stamp);
            queued = left + 2;
            let bytes = rest.ahead_bytes + u64::from(self.last_wire);
            if !self.room.fits(queued - 1, bytes, packet.wire) {
                let leaves = rest.ahead.front().map_or(self.free, |front| front.departs.at);
                rest.refuse(stamp.at, packet.flow, leaves);
                return Admission::Dropped(DropCause::Queue);
            }
            if leaving > 0 && !self.room.fits(queued, bytes + leaving, packet.wire) {
                rest.ties += 1;
            }
            rest.joined = (stamp.at, packet.flow);
            rest.ahead_bytes = bytes;
            rest.ahead.push_back(Queued { departs: last, wire: self.last_wire });
        } else if !self.room.fits_alone(packet.wire) {
            return Admission::Dropped(DropCause::Queue);
        } else {
            self.idle = true;
        }
        let (begins, cause) =
            if self.free < stamp.at { (stamp.at, stamp.since) } else { (self.free, self.began) };
        let departs = Stamp::new(begins + self.transmission(packet.wire), begins);
        self.began = begins;
        self.free = departs.at;
        self.last_wire = packet.wire;
        Admission::Departs { departs, queued: queued as u32, cause }
    }

    /// Returns the arrival at the far end of a packet whose transmission ends at `departs`.
    #[inline]
    pub fn arrival(&self, departs: Stamp) -> Stamp {
        Stamp::new(departs.at + self.delay, departs.since)
    }

    /// Returns the cause if the wire loses `packet` after its transmission.
    #[inline]
    pub fn lose_on_wire(&mut self, packet: &Packet) -> Option<DropCause> {
        if self.special { self.lose_special(packet) } else { None }
    }

    #[cold]
    fn lose_special(&mut self, packet: &Packet) -> Option<DropCause> {
        self.rest.as_mut()?.losses.as_mut()?.wire.lose(packet)
    }

    /// Marks the packet that comes next as held up already.
    #[cold]
    pub fn let_pass(&mut self) {
        if let Some(losses) = self.rest.as_mut().and_then(|rest| rest.losses.as_mut()) {
            losses.let_pass();
        }
    }

    /// Applies losses and hands the packet to a stepped link; `None` if a plain link would treat it the same.
    #[cold]
    fn admit_special(&mut self, stamp: Stamp, packet: &Packet) -> Option<Admission> {
        let Rest { losses, stepped, .. } = self.rest.as_deref_mut()?;
        if let Some(losses) = losses {
            if let Some(delay) = losses.hold(packet) {
                return Some(Admission::Held(delay));
            }
            if let Some(cause) = losses.entry.lose(packet) {
                return Some(Admission::Dropped(cause));
            }
        }
        Some(match stepped.as_mut()?.admit(stamp.at, packet) {
            true => Admission::Waiting,
            false => Admission::Dropped(DropCause::Outage),
        })
    }

    /// Begins a transmission, if the link is stepped, idle and up and a packet may go.
    pub fn begin(&mut self, now: Instant) -> Next {
        let Self { ps_per_byte, framing, rest, .. } = self;
        let stepped = rest.as_mut().and_then(|rest| rest.stepped.as_mut());
        stepped.map_or(Next::Nothing, |stepped| {
            stepped.begin(now, u32::from(*framing), |bytes| transmission(*ps_per_byte, bytes))
        })
    }

    /// Ends the transmission that ends at `stamp`; `None` if it was cut off. Only for stepped links.
    pub fn end(&mut self, stamp: Stamp) -> Option<Delivery> {
        let delay = self.delay;
        self.stepped_mut()?.end(stamp, delay)
    }

    /// Changes the rate, from the next transmission on: to that of `trace`, from now on, or to `rate`. Only for stepped links.
    pub fn set_rate(&mut self, now: Instant, trace: Option<RateTrace>, rate: DataRate) {
        self.ps_per_byte = fixed_point(rate);
        if let Some(stepped) = self.stepped_mut() {
            stepped.set_rate(now, trace, rate);
        }
    }

    /// Changes the propagation delay, for transmissions that end from now on. Only for stepped links.
    pub fn set_delay(&mut self, delay: Duration) {
        self.delay = delay;
    }
}

impl Rest {
    /// Removes all packets, which have departed.
    #[inline]
    fn forget(&mut self) {
        self.ahead.clear();
        self.ahead_bytes = 0;
    }

    /// Counts a tie of a packet of `flow` that finds no room at `now`; the packet ahead of all others leaves at
    /// `leaves`.
    #[cold]
    fn refuse(&mut self, now: Instant, flow: FlowId, leaves: Instant) {
        let (joined, other) = self.joined;
        self.ties += u64::from(leaves == now || (joined == now && other != flow));
    }

    /// Removes the packets that have departed before an arrival at `stamp`. Returns the number that is left, and the
    /// bytes of those that depart in the same instant.
    #[inline]
    fn depart(&mut self, stamp: Stamp) -> (u64, u64) {
        let mut leaving = 0;
        while let Some(front) = self.ahead.front()
            && front.departs.key() <= stamp.key()
        {
            if front.departs.at == stamp.at {
                leaving += u64::from(front.wire);
            }
            self.ahead_bytes -= u64::from(front.wire);
            self.ahead.pop_front();
        }
        if self.ahead.is_empty() {
            // Starts the ring over: a short queue then stays in few cache lines.
            self.ahead.clear();
        }
        (self.ahead.len() as u64, leaving)
    }
}

#[inline]
fn transmission(ps_per_byte: u128, wire: u32) -> Duration {
    Duration::from_ps(((u128::from(wire) * ps_per_byte + (1 << 63)) >> 64) as u64)
}

/// Returns the picoseconds per byte at `rate` as 64.64 fixed point, rounded to nearest.
fn fixed_point(rate: DataRate) -> u128 {
    let bits = 8 * u128::from(base::time::PS_PER_S);
    let bps = u128::from(rate.bps());
    let whole = bits / bps;
    let rest = bits % bps;
    (whole << 64) + ((rest << 64) + bps / 2) / bps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue;
    use base::{Body, Ecn, FlowId};
    use proptest::prelude::*;

    fn packet(wire: u32) -> Packet {
        let body = Body::Datagram { seq: 0, payload: wire };
        Packet { sent: Instant::ZERO, flow: FlowId(0), route: 0, wire, body, ecn: Ecn::NotEct, class: 0 }
    }

    fn at(us: u64) -> Stamp {
        let now = Instant::ZERO + Duration::from_us(us);
        Stamp::new(now, now)
    }

    fn rate(bps: u64) -> DataRate {
        DataRate::from_bps(bps).expect("positive")
    }

    #[test]
    fn room_counts_the_packet_in_transmission() {
        // 1000 B at 8 Mb/s: 1 ms each.
        let mut link = Link::new(rate(8_000_000), Duration::from_ms(5), Limit::Packets(2));
        let Admission::Departs { departs, queued, .. } = link.admit(at(0), &packet(1000)) else { panic!() };
        assert_eq!((departs.at, queued), (at(1000).at, 1));
        assert_eq!(link.arrival(departs).at, at(6000).at);
        assert!(matches!(link.admit(at(0), &packet(1000)), Admission::Departs { queued: 2, .. }));
        assert_eq!(link.admit(at(999), &packet(1000)), Admission::Dropped(DropCause::Queue));
        assert!(matches!(link.admit(at(1001), &packet(1000)), Admission::Departs { queued: 2, .. }));
    }

    #[test]
    fn equal_instants_go_by_the_time_of_scheduling() {
        let mut link = Link::new(rate(8_000_000), Duration::ZERO, Limit::Packets(1));
        link.admit(at(0), &packet(1000));
        let end = at(1000).at;
        // Scheduled before that transmission began: it still finds the place taken.
        let mut early = link.clone();
        assert!(matches!(early.admit(Stamp::new(end, Instant::ZERO), &packet(1)), Admission::Departs { .. }));
        link.began = Instant::from_ps(5);
        let arrival = Stamp::new(end, Instant::from_ps(4));
        assert_eq!(link.admit(arrival, &packet(1)), Admission::Dropped(DropCause::Queue));
    }

    /// Returns a packet of another flow than [`packet`]'s.
    fn other(wire: u32) -> Packet {
        Packet { flow: FlowId(1), ..packet(wire) }
    }

    /// Returns a link that holds two packets of 1 ms each, both accepted, at 0 and at 100 us.
    fn full(stepped: bool) -> Link {
        let mut link = Link::new(rate(8_000_000), Duration::ZERO, Limit::Packets(2));
        if stepped {
            link.step(drop_tail(Limit::Packets(2)), rate(8_000_000));
        }
        link.admit(at(0), &packet(1000));
        begins(&mut link, at(0).at);
        link.admit(at(100), &packet(1000));
        assert_eq!(link.ties(), 0);
        link
    }

    #[test]
    fn arrivals_whose_fate_hangs_on_a_tie_are_counted() {
        let end = at(1000).at;
        for stepped in [false, true] {
            // Before a departure at the same instant: refused. A picosecond earlier there is no tie.
            for (arrives, ties) in [(end, 1), (Instant::from_ps(end.ps() - 1), 0)] {
                let mut link = full(stepped);
                link.began = Instant::from_ps(5);
                link.rest
                    .get_or_insert_default()
                    .ahead
                    .iter_mut()
                    .for_each(|one| one.departs.since = link.began);
                link.admit(Stamp::new(arrives, Instant::ZERO), &packet(1000));
                assert_eq!(link.ties(), ties, "stepped: {stepped}");
            }
            // After it: it takes the place that became free in that instant. Later, or with room to spare, no tie.
            for (arrives, ties) in [(end, 1), (Instant::from_ps(end.ps() + 1), 0)] {
                let mut link = full(stepped);
                if stepped {
                    link.end(Stamp::new(end, Instant::ZERO));
                    begins(&mut link, end);
                }
                link.admit(Stamp::new(arrives, Instant::from_ps(1)), &packet(1000));
                assert_eq!(link.ties(), ties, "stepped: {stepped}");
            }
            // Two in one instant, and the last place: a tie between flows, not within one.
            for (second, ties) in [(other(1000), 1), (packet(1000), 0)] {
                let mut link = full(stepped);
                if stepped {
                    link.end(Stamp::new(end, Instant::ZERO));
                    begins(&mut link, end);
                }
                let now = Stamp::new(at(1500).at, at(1400).at);
                link.admit(now, &packet(1000));
                link.admit(now, &second);
                assert_eq!(link.ties(), ties, "stepped: {stepped}");
            }
        }
    }

    fn drop_tail(limit: Limit) -> Queue {
        let config = queue::Config::DropTail(queue::drop_tail::Config { limit });
        Queue::new(&config, rate(8_000_000), 1, "queue")
    }

    /// Begins a transmission and returns its end, if there is a packet.
    fn begins(link: &mut Link, now: Instant) -> Option<Stamp> {
        match link.begin(now) {
            Next::Transmit { departs, .. } => Some(departs),
            _ => None,
        }
    }

    #[test]
    fn an_outage_loses_what_is_in_transmission() {
        let mut link = Link::new(rate(8_000_000), Duration::from_ms(5), Limit::Packets(10));
        link.step(drop_tail(Limit::Packets(10)), rate(8_000_000));
        assert_eq!(link.admit(at(0), &packet(1000)), Admission::Waiting);
        let departs = begins(&mut link, at(0).at).expect("idle");
        link.admit(at(10), &packet(1000));
        assert_eq!(link.stepped().map(Stepped::queued), Some(2));
        assert_eq!(link.end(departs).expect("transmitted").arrives.at, at(6000).at);
        let cut_off = begins(&mut link, departs.at).expect("the second");
        assert!(link.stepped_mut().expect("stepped").take_down().is_some());
        assert_eq!(link.end(cut_off), None);
        assert_eq!(link.admit(at(2000), &packet(1)), Admission::Dropped(DropCause::Outage));
        link.stepped_mut().expect("stepped").bring_up();
        assert_eq!(link.admit(at(3000), &packet(1)), Admission::Waiting);
    }

    #[test]
    fn framing_takes_time_and_no_room() {
        // 998 B and 2 B of framing at 8 Mb/s: 1 ms each; two packets of 998 B fill the queue.
        let mut link = Link::new(rate(8_000_000), Duration::ZERO, Limit::Bytes(1996));
        link.frame(2);
        for end in [1000, 2000] {
            let Admission::Departs { departs, .. } = link.admit(at(0), &packet(998)) else { panic!() };
            assert_eq!(departs.at, at(end).at);
        }
        assert_eq!(link.admit(at(0), &packet(1)), Admission::Dropped(DropCause::Queue));
    }

    proptest! {
        #[test]
        fn transmission_times_are_exact(wire in 1u32..100_000, bps in 1u64..400_000_000_000) {
            let link = Link::new(rate(bps), Duration::ZERO, Limit::Unlimited);
            let exact = rate(bps).time_for(u64::from(wire)).ps();
            prop_assert!(link.transmission(wire).ps().abs_diff(exact) <= 1);
        }

        /// Computed ahead or stepped, a link does the same.
        #[test]
        fn ahead_equals_stepped(
            arrivals in prop::collection::vec((0u64..3000, 40u32..1500), 1..80),
            room in 1u32..8,
            framing in 0u16..50,
        ) {
            let mut ahead = Link::new(rate(8_000_000), Duration::from_ms(1), Limit::Packets(room));
            ahead.frame(framing);
            let mut stepped = ahead.clone();
            stepped.step(drop_tail(Limit::Packets(room)), rate(8_000_000));
            let (mut now, mut expected, mut got) = (0, Vec::new(), Vec::new());
            let mut due: Option<Stamp> = None;
            for (gap, wire) in arrivals {
                now += gap;
                // Picoseconds off any departure: ties are another test's matter.
                let stamp = Stamp::new(at(now).at + Duration::from_ps(1), at(now).at);
                if let Admission::Departs { departs, .. } = ahead.admit(stamp, &packet(wire)) {
                    expected.push(departs.at);
                }
                while let Some(end) = due.filter(|end| end.key() <= stamp.key()) {
                    got.push(end.at);
                    stepped.end(end);
                    due = begins(&mut stepped, end.at);
                }
                stepped.admit(stamp, &packet(wire));
                if due.is_none() {
                    due = begins(&mut stepped, stamp.at);
                }
            }
            while let Some(end) = due {
                got.push(end.at);
                stepped.end(end);
                due = begins(&mut stepped, end.at);
            }
            prop_assert_eq!(expected, got);
        }
    }
}
