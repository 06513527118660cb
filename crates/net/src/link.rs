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
    Departs(Departure),
}

/// Departure of a packet from a link that computes it on the packet's arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Departure {
    /// End and beginning of the packet's transmission.
    pub departs: Stamp,
    /// Time at which the event that starts the transmission was scheduled. If the link was idle, this is when
    /// the packet's arrival was scheduled; otherwise it is the beginning of the previous transmission.
    pub cause: Instant,
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
    /// Packets queued or in transmission ahead of the last one, first in, first out. The first `departed` of them have
    /// left, and maybe more: the link looks for those only when their number matters.
    ahead: Vec<Queued>,
    /// Number of packets at the beginning of `ahead` that are known to have departed.
    departed: u64,
    /// Sum of the sizes of the packets in `ahead` after these, bytes.
    ahead_bytes: u64,
    /// Arrival of the last packet that found the link busy and was queued.
    joined: Stamp,
    /// Flow of that packet.
    joined_flow: FlowId,
    /// Largest number of packets in the queue of a busy link so far, including the packet in transmission.
    longest: u32,
    losses: Option<Box<LinkLosses>>,
    /// Ties (see [`Link::ties`]) counted so far while the link was not stepped.
    ties: u64,
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
        rest.losses = losses.map(Box::new);
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
        let ahead = self.rest.iter().flat_map(|rest| rest.waiting()).filter(|queued| queued.departs.at > now);
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

    /// Returns the largest number of packets in the queue at one time, including the packet in transmission; 0 if each
    /// packet found the link idle. Only for links that compute departures on arrival.
    pub fn longest(&self) -> u32 {
        self.rest.as_ref().map_or(0, |rest| rest.longest)
    }

    /// Handles the arrival of a packet at `stamp`. Calls must come in order of `stamp`.
    pub fn admit(&mut self, stamp: Stamp, packet: &Packet) -> Admission {
        if self.special
            && let Some(answer) = self.admit_special(stamp, packet)
        {
            return answer;
        }
        if let Some(departure) = self.enqueue(stamp, packet) {
            return Admission::Departs(departure);
        }
        if self.is_busy(stamp) {
            self.refuse(stamp.at, packet.flow);
        }
        Admission::Dropped(DropCause::Queue)
    }

    /// Handles the arrival of a packet as [`Link::admit`] does, if it departs and the link is not
    /// [special](Link::is_special). Otherwise returns `None`, and the caller calls `admit`.
    // A small answer, so that it stays in registers.
    #[inline(always)]
    pub fn depart(&mut self, stamp: Stamp, packet: &Packet) -> Option<Departure> {
        if self.special { None } else { self.enqueue(stamp, packet) }
    }

    /// Lets a packet join the queue; returns `None`, and changes nothing that matters, if there is no room.
    #[inline(always)]
    fn enqueue(&mut self, stamp: Stamp, packet: &Packet) -> Option<Departure> {
        let (mut begins, mut cause) = (self.free, self.began);
        if self.is_busy(stamp) {
            if !self.join(stamp, packet) {
                return None;
            }
        } else if !self.room.fits_alone(packet.wire) {
            return None;
        } else {
            self.idle = true;
            if begins < stamp.at {
                (begins, cause) = (stamp.at, stamp.since);
            }
        }
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
        Some(Departure { departs, cause })
    }

    /// Returns true if the last packet has not departed before an arrival at `stamp`.
    // Times first, since equal times are rare.
    #[inline(always)]
    fn is_busy(&self, stamp: Stamp) -> bool {
        self.free > stamp.at || (self.free == stamp.at && self.began > stamp.since)
    }

    /// Lets a packet join the queue of a busy link; returns false if there is no room.
    #[inline(always)]
    fn join(&mut self, stamp: Stamp, packet: &Packet) -> bool {
        let last = Queued { departs: Stamp::new(self.free, self.began), wire: self.last_wire };
        let rest: &mut Rest = self.rest.get_or_insert_default();
        if std::mem::take(&mut self.idle) {
            rest.forget();
        }
        // Departed packets still count here. They matter only if the queue seems to be full, or longer than ever.
        let packets = rest.ahead.len() as u64 - rest.departed + 1;
        let bytes = rest.ahead_bytes + u64::from(last.wire);
        let certain = packets < rest.longest.into() && self.room.fits(packets, bytes, packet.wire);
        if !certain && !rest.make_room(self.room, stamp, last.wire, packet.wire) {
            return false;
        }
        rest.joined = stamp;
        rest.joined_flow = packet.flow;
        rest.ahead_bytes += u64::from(last.wire);
        rest.ahead.push(last);
        true
    }

    /// Counts a tie if the drop of a packet of `flow` at `now` depended on the order of simultaneous events.
    fn refuse(&mut self, now: Instant, flow: FlowId) {
        let Some(rest) = &mut self.rest else { return };
        let leaves = rest.waiting().first().map_or(self.free, |front| front.departs.at);
        let another = rest.joined.at == now && rest.joined_flow != flow;
        rest.ties += u64::from(leaves == now || another);
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
        self.departed = 0;
        self.ahead_bytes = 0;
    }

    /// Returns the packets in `ahead` that are not known to have departed.
    fn waiting(&self) -> &[Queued] {
        self.ahead.get(self.departed as usize..).unwrap_or_default()
    }

    /// Removes departed packets, and counts a tie if a packet of `wire` bytes that arrives at `stamp` has room only
    /// because of the order of simultaneous events. Returns false if it has no room; `last_wire` is the size of the last
    /// packet in the queue.
    fn make_room(&mut self, room: Room, stamp: Stamp, last_wire: u32, wire: u32) -> bool {
        let (left, leaving) = self.depart(stamp);
        let (packets, bytes) = (left + 1, self.ahead_bytes + u64::from(last_wire));
        if !room.fits(packets, bytes, wire) {
            return false;
        }
        if leaving > 0 && !room.fits(packets + 1, bytes + leaving, wire) {
            self.ties += 1;
        }
        self.longest = self.longest.max(packets as u32 + 1);
        true
    }

    /// Removes the packets that depart before an arrival at `stamp`. Returns the number of packets left, and
    /// the bytes of those removed packets that depart in the same instant as the arrival, but after the arrival before.
    fn depart(&mut self, stamp: Stamp) -> (u64, u64) {
        let (mut gone, mut bytes, mut leaving) = (0, 0, 0);
        for front in self.waiting().iter().take_while(|front| front.departs <= stamp) {
            gone += 1;
            bytes += u64::from(front.wire);
            if front.departs.at == stamp.at && front.departs > self.joined {
                leaving += u64::from(front.wire);
            }
        }
        self.departed += gone;
        self.ahead_bytes -= bytes;
        // The packets left move to the beginning once they are the fewer. A short queue so stays within a few cache
        // lines, and a packet moves at most once on average.
        if 2 * self.departed >= self.ahead.len() as u64 {
            self.ahead.drain(..self.departed as usize);
            self.departed = 0;
        }
        (self.ahead.len() as u64 - self.departed, leaving)
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
