//! One direction of a point-to-point link: a queue, a transmitter and a wire.
//!
//! On a FIFO link of constant rate the departure of a packet is known when the packet arrives: `max(arrival,
//! free) + bytes / rate`, where `free` is the departure of the packet before. Such a link needs no event for
//! the end of a transmission. If it is fed by only one other link, it needs no event for arrivals either. All
//! other links are *stepped*: they transmit one packet per event ([`crate::stepped`]). A link is stepped if
//! it has a queue discipline other than drop tail, a rate trace, an impaired wire or packets that are delayed
//! before the queue, or if it changes during the run.
//!
//! The capacity of a queue includes the packet in transmission, as in ns-2 and most routers: with a limit of
//! N packets, N - 1 wait and one is transmitted.

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
    /// End and beginning of the transmission.
    departs: Stamp,
    wire: u32,
}

/// Result of the arrival of a packet at a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// The packet is delayed by this time before it joins the queue. The caller calls [`Link::let_pass`]
    /// and then [`Link::admit`] again after that time.
    Held(Duration),
    /// The packet is lost: the queue was full, a loss model before the queue dropped it, or the link is down.
    Dropped(DropCause),
    /// The packet was handed to the queue of a stepped link. [`Stepped::decisions`] lists the packets that
    /// the queue dropped; [`Link::begin`] returns the transmission of each other packet.
    Waiting,
    /// The packet will be transmitted from `departs.since` to `departs.at`.
    Departs {
        /// End and beginning of the packet's transmission.
        departs: Stamp,
        /// Packets in the queue, including this one and the one in transmission.
        queued: u32,
        /// Time at which the event that starts the transmission was scheduled. If the link was idle, this is when
        /// the packet's arrival was scheduled; otherwise it is the beginning of the previous transmission.
        cause: Instant,
    },
}

/// One direction of a link. The struct has 64 bytes, one cache line, and contains all fields that are needed
/// for a packet that finds the link idle. The other fields are in `Rest`.
#[derive(Clone, Debug)]
pub struct Link {
    /// Transmission time per byte, picoseconds, as 64.64 fixed point. The error is less than a picosecond for
    /// any packet.
    ps_per_byte: u128,
    delay: Duration,
    /// End of the last packet's transmission.
    free: Instant,
    /// Beginning of the last packet's transmission.
    began: Instant,
    room: Room,
    /// Size of the last packet that the queue admitted, bytes, without `framing`; `NO_PACKET` before the first.
    last_wire: u32,
    /// Bytes that framing adds to each packet on the wire. These bytes count for the transmission time, not
    /// for the length of the queue.
    framing: u16,
    /// True if the link has loss models or is stepped, so that `admit` must look at `rest` first.
    special: bool,
    /// True if the link has been idle since the last entry was appended to `rest.ahead`: all entries have
    /// departed.
    idle: bool,
    /// Fields beyond those for an idle plain link; allocated when first needed.
    rest: Option<Box<Rest>>,
}

/// Size of no packet.
const NO_PACKET: u32 = u32::MAX;

/// Fields of a link that are not needed for a packet that finds a plain link idle. The fields that every queued packet
/// needs come first and fill one cache line.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
struct Rest {
    /// Packets queued or in transmission ahead of the last one, first in, first out. Departed packets are
    /// removed when a packet finds the link busy.
    ahead: VecDeque<Queued>,
    /// Sum of the sizes of the packets in `ahead`, bytes.
    ahead_bytes: u64,
    /// Arrival time and flow of the last packet that found the link busy and was queued.
    joined: (Instant, FlowId),
    /// Ties (see [`Link::ties`]) counted so far while the link was not stepped.
    ties: u64,
    losses: Option<LinkLosses>,
    /// State of a stepped link; `None` if departures are computed on arrival.
    stepped: Option<Box<Stepped>>,
}

/// A [`Limit`] in eight bytes. The highest bit is set if the limit counts bytes, and clear if it counts
/// packets.
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

    /// Returns true if a packet of `wire` bytes can join a queue that already has `packets` packets with
    /// `bytes` bytes in all.
    #[inline]
    fn fits(self, packets: u64, bytes: u64, wire: u32) -> bool {
        if self.0 < Self::BYTES { packets < self.0 } else { bytes + u64::from(wire) <= self.0 - Self::BYTES }
    }

    /// Returns true if a packet of `wire` bytes can join an empty queue.
    #[inline]
    fn fits_alone(self, wire: u32) -> bool {
        let some_packets = (self.0 as i64) > 0;
        some_packets || self.fits(0, 0, wire)
    }
}

impl Link {
    /// Creates an idle link that is not stepped.
    pub fn new(rate: DataRate, delay: Duration, limit: Limit) -> Self {
        Self {
            ps_per_byte: fixed_point(rate),
            delay,
            free: Instant::ZERO,
            began: Instant::ZERO,
            room: Room::new(limit),
            last_wire: NO_PACKET,
            framing: 0,
            special: false,
            idle: true,
            rest: None,
        }
    }

    /// Sets the bytes that framing adds to each packet on the wire.
    pub fn frame(&mut self, framing: u16) {
        self.framing = framing;
    }

    /// Replaces the loss models of the link.
    pub fn set_losses(&mut self, losses: Option<LinkLosses>) {
        let rest = self.rest.get_or_insert_default();
        self.special = losses.is_some() || rest.stepped.is_some();
        rest.losses = losses;
    }

    /// Turns the link into a stepped link of `rate` that serves `queue`. The link must be idle.
    pub fn step(&mut self, queue: Queue, rate: DataRate) {
        self.rest.get_or_insert_default().stepped = Some(Box::new(Stepped::new(queue, rate)));
        self.special = true;
    }

    /// Returns true if the link has loss models or is stepped: a packet's fate then depends on more than time and room.
    #[inline(always)]
    pub fn is_special(&self) -> bool {
        self.special
    }

    /// Returns true if the link transmits one packet per event ([`Stepped`]), instead of computing
    /// departures on arrival.
    pub fn is_stepped(&self) -> bool {
        self.stepped().is_some()
    }

    /// Returns the state of a stepped link; `None` if departures are computed on arrival.
    pub fn stepped(&self) -> Option<&Stepped> {
        self.rest.as_ref()?.stepped.as_deref()
    }

    /// Returns the state of a stepped link for modification; `None` if departures are computed on arrival.
    pub fn stepped_mut(&mut self) -> Option<&mut Stepped> {
        self.rest.as_mut()?.stepped.as_deref_mut()
    }

    /// Prefetches the fields that are needed for a packet that finds the link busy.
    #[inline]
    pub fn fetch_rest(&self) {
        if let Some(rest) = &self.rest {
            fetch(&**rest);
        }
    }

    /// Returns the number of packets in the queue at `now` and their bytes, including the packet in
    /// transmission.
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

    /// Returns the number of arrivals at a full queue whose fate depended on the order of simultaneous
    /// events: in the same instant another packet left the queue, or a packet of another flow took the last
    /// free place. Queues with a capacity of one packet are not examined.
    pub fn ties(&self) -> u64 {
        self.rest
            .as_ref()
            .map_or(0, |rest| rest.ties + rest.stepped.as_ref().map_or(0, |stepped| stepped.ties()))
    }

    /// Returns the current rate, bit/s. If the link follows a rate trace, this is the trace's mean rate.
    pub fn rate_bps(&self) -> f64 {
        8.0 * base::time::PS_PER_S as f64 / (self.ps_per_byte as f64 / 18_446_744_073_709_551_616.0)
    }

    /// Returns the time to transmit a packet of `wire` bytes plus framing.
    #[inline]
    pub fn transmission(&self, wire: u32) -> Duration {
        transmission(self.ps_per_byte, wire + u32::from(self.framing))
    }

    /// Returns the propagation delay.
    #[inline]
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// Handles the arrival of a packet at `stamp`. Calls must come in order of `stamp`.
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
        // Packets of one size take the same time.
        let takes = if packet.wire == self.last_wire {
            self.free - self.began
        } else {
            self.transmission(packet.wire)
        };
        let departs = Stamp::new(begins + takes, begins);
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

    /// Returns the cause if a loss model behind the queue drops `packet`, whose transmission has ended.
    #[inline]
    pub fn lose_on_wire(&mut self, packet: &Packet) -> Option<DropCause> {
        if self.special { self.lose_special(packet) } else { None }
    }

    #[cold]
    fn lose_special(&mut self, packet: &Packet) -> Option<DropCause> {
        self.rest.as_mut()?.losses.as_mut()?.wire.lose(packet)
    }

    /// Lets the next packet join the queue without another delay, because it has been delayed already.
    #[cold]
    pub fn let_pass(&mut self) {
        if let Some(losses) = self.rest.as_mut().and_then(|rest| rest.losses.as_mut()) {
            losses.let_pass();
        }
    }

    /// Applies the loss models and, if the link is stepped, hands the packet to its queue. Returns `None` if
    /// the packet is to be treated as on a plain link.
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

    /// Begins the next transmission if the link is stepped, idle and up, and a packet is ready.
    pub fn begin(&mut self, now: Instant) -> Next {
        let Self { ps_per_byte, framing, rest, .. } = self;
        let stepped = rest.as_mut().and_then(|rest| rest.stepped.as_mut());
        stepped.map_or(Next::Nothing, |stepped| {
            stepped.begin(now, u32::from(*framing), |bytes| transmission(*ps_per_byte, bytes))
        })
    }

    /// Ends the transmission that ends at `stamp`; returns `None` if the link went down during that
    /// transmission. Only for stepped links.
    pub fn end(&mut self, stamp: Stamp) -> Option<Delivery> {
        let delay = self.delay;
        self.stepped_mut()?.end(stamp, delay)
    }

    /// Changes the rate from the next transmission on. If there is a `trace`, the link follows the trace,
    /// which starts at `now`, and the queue assumes `rate`; otherwise the link has the rate `rate`. Only for
    /// stepped links.
    pub fn set_rate(&mut self, now: Instant, trace: Option<RateTrace>, rate: DataRate) {
        self.ps_per_byte = fixed_point(rate);
        if let Some(stepped) = self.stepped_mut() {
            stepped.set_rate(now, trace, rate);
        }
    }

    /// Changes the propagation delay of packets whose transmission ends from now on. Only for stepped links.
    pub fn set_delay(&mut self, delay: Duration) {
        self.delay = delay;
    }
}

impl Rest {
    /// Removes all packets from `ahead`. The caller knows that they have departed.
    #[inline]
    fn forget(&mut self) {
        self.ahead.clear();
        self.ahead_bytes = 0;
    }

    /// Counts a tie if the drop of a packet of `flow` at `now` depended on the order of simultaneous events;
    /// `leaves` is the time of the next departure.
    #[cold]
    fn refuse(&mut self, now: Instant, flow: FlowId, leaves: Instant) {
        let (joined, other) = self.joined;
        self.ties += u64::from(leaves == now || (joined == now && other != flow));
    }

    /// Removes the packets that depart before an arrival at `stamp`. Returns the number of packets left, and
    /// the bytes of those removed packets that depart in the same instant as the arrival.
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
            // Resets the ring to its start, so that a short queue stays within a few cache lines.
            self.ahead.clear();
        }
        (self.ahead.len() as u64, leaving)
    }
}

#[inline]
fn transmission(ps_per_byte: u128, wire: u32) -> Duration {
    Duration::from_ps(((u128::from(wire) * ps_per_byte + (1 << 63)) >> 64) as u64)
}

/// Returns the transmission time per byte at `rate`, picoseconds, as 64.64 fixed point, rounded to nearest.
fn fixed_point(rate: DataRate) -> u128 {
    let bits = 8 * u128::from(base::time::PS_PER_S);
    let bps = u128::from(rate.bps());
    let whole = bits / bps;
    let rest = bits % bps;
    (whole << 64) + ((rest << 64) + bps / 2) / bps
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
