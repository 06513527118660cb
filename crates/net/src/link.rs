//! One direction of a point-to-point link: a queue, a transmitter and a wire.
//!
//! A FIFO link whose rate never changes knows a packet's departure the moment it arrives: `max(arrival, free) + bytes / rate`.
//! Such a link needs no event of its own for the end of a transmission, and a link fed by just one other needs none for
//! arrivals either. A link that the scenario changes while it runs (rate, delay, outage) is *stepped*: it serves one
//! packet at a time, an event each.
//!
//! Room is counted as ns-2 and most routers do: a limit of N packets is N - 1 waiting and one in transmission.

use crate::loss::Losses;
use base::{DataRate, DropCause, Duration, Instant, Packet, Stamp};
use std::collections::VecDeque;

/// How many packets or bytes find room, the packet in transmission included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// So many packets.
    Packets(u32),
    /// So many bytes on the wire.
    Bytes(u64),
    /// Any number.
    None,
}

/// A packet in the queue or in transmission.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// When its transmission ends, decided when it begins.
    departs: Stamp,
    wire: u32,
}

/// What happens to an arriving packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// No room, or lost before the queue.
    Dropped(DropCause),
    /// It waits; a stepped link says later when it departs.
    Waiting,
    /// Its transmission ends at `departs`, having begun at `departs.since`; `queued` packets were in the queue with it.
    Departs {
        /// End and beginning of its transmission.
        departs: Stamp,
        /// Packets in the queue, itself and the one in transmission included.
        queued: u32,
        /// Since when what began its transmission had been pending: its arrival, or the end of the one before.
        cause: Instant,
    },
}

/// A packet on the wire, and when it arrives.
#[derive(Clone, Copy, Debug)]
pub struct InFlight {
    /// When it arrives, decided when its transmission began.
    pub arrives: Stamp,
    /// Since when what began its transmission had been pending.
    pub cause: Instant,
    /// The packet.
    pub packet: Packet,
}

/// Where a link loses packets.
#[derive(Clone, Debug, Default)]
pub struct LinkLosses {
    /// Before the queue.
    pub entry: Losses,
    /// After it.
    pub wire: Losses,
}

/// One direction of a link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Picoseconds per byte, 64.64 fixed point: exact to less than a picosecond for any packet.
    ps_per_byte: u128,
    rate: DataRate,
    delay: Duration,
    limit: Limit,
    queued_bytes: u64,
    /// When the transmitter is free: the last packet's departure.
    free: Instant,
    /// When the last packet's transmission begins.
    began: Instant,
    /// The last packet's size.
    last_wire: u32,
    /// Packets queued or in transmission ahead of the last one, first in first out. An idle link never touches it.
    departures: VecDeque<Queued>,
    /// Packets on the wire, in order of arrival.
    pub wire: VecDeque<InFlight>,
    /// Losses, where there are any.
    pub losses: Option<Box<LinkLosses>>,
    /// What a stepped link needs; `None`: departures are computed ahead.
    pub stepped: Option<Box<Stepped>>,
}

/// State of a link that serves one packet at a time.
#[derive(Clone, Debug, Default)]
pub struct Stepped {
    /// Packets waiting, and when each arrived; the first is in transmission where `serving`.
    waiting: VecDeque<(Instant, Packet)>,
    /// The end of the transmission under way.
    serving: Option<Stamp>,
    down: bool,
    /// No packet arrives before the one ahead of it.
    last_arrival: Instant,
}

impl Link {
    /// An idle link.
    pub fn new(rate: DataRate, delay: Duration, limit: Limit) -> Self {
        Self {
            ps_per_byte: fixed_point(rate),
            rate,
            delay,
            limit,
            queued_bytes: 0,
            free: Instant::ZERO,
            began: Instant::ZERO,
            last_wire: 0,
            departures: VecDeque::new(),
            wire: VecDeque::new(),
            losses: None,
            stepped: None,
        }
    }

    /// The time to transmit `wire` bytes.
    #[inline]
    pub fn transmission(&self, wire: u32) -> Duration {
        Duration::from_ps(((u128::from(wire) * self.ps_per_byte + (1 << 63)) >> 64) as u64)
    }

    /// Propagation delay.
    #[inline]
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// A packet arrives at `stamp`. Arrivals come in order of stamp.
    #[inline]
    pub fn admit(&mut self, stamp: Stamp, packet: &Packet) -> Admission {
        if let Some(losses) = &mut self.losses
            && let Some(cause) = losses.entry.lose(packet)
        {
            return Admission::Dropped(cause);
        }
        if self.stepped.is_some() {
            return self.admit_stepped(stamp, packet);
        }
        let now = stamp.key();
        let last = Stamp::new(self.free, self.began);
        let ahead = if last.key() <= now {
            if !self.departures.is_empty() {
                // Back to the ring's beginning: a short queue then stays in few cache lines.
                self.departures.clear();
            }
            self.queued_bytes = 0;
            0
        } else {
            while let Some(front) = self.departures.front()
                && front.departs.key() <= now
            {
                self.queued_bytes -= u64::from(front.wire);
                self.departures.pop_front();
            }
            self.departures.len() + 1
        };
        if !self.fits(ahead, packet.wire) {
            return Admission::Dropped(DropCause::Queue);
        }
        if ahead > 0 {
            self.departures.push_back(Queued { departs: last, wire: self.last_wire });
        }
        let (begins, cause) =
            if self.free < stamp.at { (stamp.at, stamp.since) } else { (self.free, self.began) };
        let departs = Stamp::new(begins + self.transmission(packet.wire), begins);
        self.began = begins;
        self.free = departs.at;
        self.last_wire = packet.wire;
        self.queued_bytes += u64::from(packet.wire);
        Admission::Departs { departs, queued: ahead as u32 + 1, cause }
    }

    #[inline]
    fn fits(&self, queued: usize, wire: u32) -> bool {
        match self.limit {
            Limit::Packets(n) => queued < n as usize,
            Limit::Bytes(n) => self.queued_bytes + u64::from(wire) <= n,
            Limit::None => true,
        }
    }

    /// When a packet whose transmission is `departs` arrives at the far end.
    #[inline]
    pub fn arrival(&self, departs: Stamp) -> Stamp {
        Stamp::new(departs.at + self.delay, departs.since)
    }

    /// Whether `packet`, transmitted, is lost on the wire; and why.
    #[inline]
    pub fn lose_on_wire(&mut self, packet: &Packet) -> Option<DropCause> {
        self.losses.as_mut().and_then(|losses| losses.wire.lose(packet))
    }

    #[cold]
    fn admit_stepped(&mut self, stamp: Stamp, packet: &Packet) -> Admission {
        let Some(stepped) = &self.stepped else { return Admission::Waiting };
        if stepped.down {
            return Admission::Dropped(DropCause::Outage);
        }
        if !self.fits(stepped.waiting.len(), packet.wire) {
            return Admission::Dropped(DropCause::Queue);
        }
        self.queued_bytes += u64::from(packet.wire);
        if let Some(stepped) = &mut self.stepped {
            stepped.waiting.push_back((stamp.at, *packet));
        }
        Admission::Waiting
    }

    /// Stepped: begins to transmit the first packet waiting, if the link is idle and up. Returns the packet, when it
    /// arrived, when its transmission ends, and how many are queued with it.
    pub fn begin(&mut self, now: Instant) -> Option<(Packet, Instant, Stamp, u32)> {
        let stepped = self.stepped.as_deref()?;
        if stepped.down || stepped.serving.is_some() {
            return None;
        }
        let (arrived, packet) = *stepped.waiting.front()?;
        let queued = stepped.waiting.len() as u32;
        let departs = Stamp::new(now + self.transmission(packet.wire), now);
        self.stepped.as_deref_mut()?.serving = Some(departs);
        Some((packet, arrived, departs, queued))
    }

    /// Stepped: the transmission that ends at `stamp` ends. Returns the packet and when it arrives; `None` where that
    /// transmission was cut off.
    pub fn end(&mut self, stamp: Stamp) -> Option<(Packet, Stamp)> {
        let delay = self.delay;
        let stepped = self.stepped.as_deref_mut()?;
        if stepped.serving != Some(stamp) {
            return None;
        }
        stepped.serving = None;
        let (_, packet) = stepped.waiting.pop_front()?;
        self.queued_bytes -= u64::from(packet.wire);
        let at = (stamp.at + delay).max(stepped.last_arrival);
        stepped.last_arrival = at;
        Some((packet, Stamp::new(at, stamp.since)))
    }

    /// Stepped: packets in the queue, the one in transmission included.
    pub fn queued(&self) -> u32 {
        self.stepped.as_ref().map_or(0, |s| s.waiting.len() as u32)
    }

    /// Changes the rate, from the next transmission on. Only for stepped links.
    pub fn set_rate(&mut self, rate: DataRate) {
        self.rate = rate;
        self.ps_per_byte = fixed_point(rate);
    }

    /// Changes the propagation delay, for transmissions that end from now on. Only for stepped links.
    pub fn set_delay(&mut self, delay: Duration) {
        self.delay = delay;
    }

    /// Changes the room; packets already queued stay.
    pub fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    /// Takes the link down: returns the packets lost with it, the one in transmission and those on the wire.
    pub fn take_down(&mut self) -> Vec<Packet> {
        let Some(stepped) = self.stepped.as_deref_mut() else { return Vec::new() };
        stepped.down = true;
        let mut lost: Vec<Packet> = self.wire.drain(..).map(|flying| flying.packet).collect();
        if stepped.serving.take().is_some()
            && let Some((_, packet)) = stepped.waiting.pop_front()
        {
            self.queued_bytes -= u64::from(packet.wire);
            lost.push(packet);
        }
        lost
    }

    /// Brings the link up again.
    pub fn bring_up(&mut self) {
        if let Some(stepped) = self.stepped.as_deref_mut() {
            stepped.down = false;
        }
    }
}

/// Picoseconds per byte at `rate` as 64.64 fixed point, rounded to nearest.
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

    #[test]
    fn an_outage_loses_what_is_on_the_wire() {
        let mut link = Link::new(rate(8_000_000), Duration::from_ms(5), Limit::Packets(10));
        link.stepped = Some(Box::default());
        assert_eq!(link.admit(at(0), &packet(1000)), Admission::Waiting);
        let (_, _, departs, queued) = link.begin(at(0).at).expect("idle");
        assert_eq!(queued, 1);
        link.admit(at(10), &packet(1000));
        let (sent, arrives) = link.end(departs).expect("transmitted");
        assert_eq!(arrives.at, at(6000).at);
        link.wire.push_back(InFlight { arrives, cause: arrives.since, packet: sent });
        link.begin(departs.at).expect("the second");
        assert_eq!(link.take_down().len(), 2);
        assert_eq!(link.admit(at(2000), &packet(1)), Admission::Dropped(DropCause::Outage));
        link.bring_up();
        assert_eq!(link.admit(at(3000), &packet(1)), Admission::Waiting);
    }

    proptest! {
        #[test]
        fn transmission_times_are_exact(wire in 1u32..100_000, bps in 1u64..400_000_000_000) {
            let link = Link::new(rate(bps), Duration::ZERO, Limit::None);
            let exact = rate(bps).time_for(u64::from(wire)).ps();
            prop_assert!(link.transmission(wire).ps().abs_diff(exact) <= 1);
        }

        /// Computed ahead or stepped, a link does the same.
        #[test]
        fn ahead_equals_stepped(
            arrivals in prop::collection::vec((0u64..3000, 40u32..1500), 1..80),
            room in 1u32..8,
        ) {
            let mut ahead = Link::new(rate(8_000_000), Duration::from_ms(1), Limit::Packets(room));
            let mut stepped = ahead.clone();
            stepped.stepped = Some(Box::default());
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
                    due = stepped.begin(end.at).map(|b| b.2);
                }
                stepped.admit(stamp, &packet(wire));
                if due.is_none() {
                    due = stepped.begin(stamp.at).map(|b| b.2);
                }
            }
            while let Some(end) = due {
                got.push(end.at);
                stepped.end(end);
                due = stepped.begin(end.at).map(|b| b.2);
            }
            prop_assert_eq!(expected, got);
        }
    }
}
