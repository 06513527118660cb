//! The interface to observers. A run is generic over its probe, so that values that nobody observes cost nothing.

use crate::cause::DropCause;
use crate::ids::{CrossingId, FlowId, LinkId, NodeId};
use crate::packet::Packet;
use crate::time::{Instant, Stamp};

/// Place of a packet event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// At a host's transport; or, for a `drop`, at a station of a radio network.
    Node(NodeId),
    /// At the entry (`enq`, `deq`, `departed`, `drop`) or the far end (`recv`) of one direction of a link.
    Link(LinkId),
    /// At the station where a packet enters a radio network (`enq`), or at the one where it leaves it (`recv`).
    Radio(CrossingId),
}

/// Kind of a packet event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum PacketEvent {
    /// The sender's transport handed a segment down.
    Send,
    /// It joined a link's queue.
    Enqueue,
    /// Its transmission began.
    Dequeue,
    /// It arrived at the far end of a link.
    Receive,
    /// It was lost.
    Drop,
    /// The receiver's transport handed an acknowledgment down.
    AckSent,
    /// An acknowledgment reached the sender.
    Ack,
    /// A packet towards the destination ended at a gateway, whose transport took it. Traces of packets leave it out.
    Taken,
    /// It left a link's queue: its transmission ended, or an outage cut it off. Each `Enqueue` is followed by this or by a
    /// `Drop` by the queue ([`DropCause::is_congestion`]). Only the queue's length is derived from it; traces of packets
    /// leave it out.
    Departed,
    /// A queue marked it: congestion experienced (ECN).
    Mark,
    /// The wire delivers it once more: a second copy is on its way.
    Duplicate,
}

impl PacketEvent {
    /// Returns its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Enqueue => "enq",
            Self::Dequeue => "deq",
            Self::Receive => "recv",
            Self::Drop => "drop",
            Self::AckSent => "acksent",
            Self::Ack => "ack",
            Self::Taken => "taken",
            Self::Departed => "departed",
            Self::Mark => "mark",
            Self::Duplicate => "duplicate",
        }
    }
}

/// A variable of a sender that changes over time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Variable {
    /// Congestion window, segments.
    Cwnd,
    /// Slow-start threshold, segments.
    Ssthresh,
    /// One measured round-trip time, seconds.
    Rtt,
    /// Smoothed round-trip time, seconds.
    Srtt,
    /// Retransmission timeout in force (with backoff), seconds.
    Rto,
    /// Segments sent and not yet known to have left the network.
    InFlight,
    /// Recovery state: 0 open, 1 fast recovery, 2 after a timeout.
    Recovery,
}

impl Variable {
    /// Every variable.
    pub const ALL: [Self; 7] =
        [Self::Cwnd, Self::Ssthresh, Self::Rtt, Self::Srtt, Self::Rto, Self::InFlight, Self::Recovery];

    /// Returns its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cwnd => "cwnd",
            Self::Ssthresh => "ssthresh",
            Self::Rtt => "rtt",
            Self::Srtt => "srtt",
            Self::Rto => "rto",
            Self::InFlight => "in_flight",
            Self::Recovery => "recovery",
        }
    }
}

/// A place other than a link's queue where packets wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Buffer {
    /// The queue discipline above an 802.11 station's own queue.
    Discipline,
    /// An 802.11 station's own queue with the packets in transmission; with EDCA, the queues of all access categories.
    Mac,
    /// The RLC transmission buffer of a UE's downlink, at its eNodeB.
    RlcDown,
    /// The RLC transmission buffer of a UE's uplink, at the UE.
    RlcUp,
}

impl Buffer {
    /// Returns its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Discipline => "discipline",
            Self::Mac => "mac",
            Self::RlcDown => "rlc-down",
            Self::RlcUp => "rlc-up",
        }
    }
}

/// A variable of a queue discipline that changes over time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum QueueVariable {
    /// RED: average length, packets.
    Average,
    /// RED: average length at which drops begin, packets.
    Min,
    /// RED: average length at which their probability is `MaxProbability`, packets.
    Max,
    /// RED: probability of a drop at `Max`.
    MaxProbability,
    /// CoDel: 1 while it drops, else 0. FQ-CoDel: number of its queues that drop.
    Dropping,
    /// CoDel: drops since the dropping began.
    Count,
    /// CoDel, PIE: time that the packet that left last had waited, seconds.
    Delay,
    /// CoDel, PIE: the delay that it aims at, seconds.
    Target,
    /// PIE: probability of a drop.
    Probability,
}

impl QueueVariable {
    /// Returns its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::Min => "min",
            Self::Max => "max",
            Self::MaxProbability => "max_p",
            Self::Dropping => "dropping",
            Self::Count => "count",
            Self::Delay => "delay",
            Self::Target => "target",
            Self::Probability => "probability",
        }
    }
}

/// A value that is observed after an event, changed or not. A new one is a variant here, its caller, and the trace that
/// records it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Observation<'a> {
    /// A variable of a flow's sender.
    Variable(FlowId, Variable, f64),
    /// Packets and bytes that wait in a buffer at a node.
    Buffer(NodeId, Buffer, u64, u64),
    /// A variable of the queue discipline at a place.
    QueueVariable(Place, QueueVariable, f64),
    /// A variable of the congestion control of a flow's sender.
    Control(FlowId, &'a str, f64),
    /// Bytes of payload of a flow's sender that are newly acknowledged.
    Acked(FlowId, u64),
}

/// An observer of a run. Every method's default does nothing.
///
/// Stamps of packet events are never before the event being handled, but may lie ahead of it: links compute departures
/// and arrivals ahead of time. An observer that wants time order sorts by [`Stamp`], stably.
pub trait Probe {
    /// True if [`Probe::packet`] does anything: if not, the caller skips the work of describing.
    const PACKETS: bool = false;
    /// True if [`Observation::Variable`] is used.
    const VARIABLES: bool = false;

    /// Observes an event of a packet; `cause` is the cause of a drop.
    #[inline]
    fn packet(&mut self, _: Stamp, _: PacketEvent, _: Place, _: &Packet, _cause: Option<DropCause>) {}

    /// Observes a value.
    #[inline]
    fn observe(&mut self, _: Instant, _: Observation<'_>) {}

    /// Returns true if [`Observation::Buffer`] or [`Observation::QueueVariable`] is used; they cost more to describe
    /// than the rest.
    #[inline]
    fn watches_queues(&self) -> bool {
        false
    }

    /// Returns true if [`Observation::Control`] is used; it costs more to describe than the rest.
    #[inline]
    fn watches_controls(&self) -> bool {
        false
    }

    /// Observes that the clock has reached an event: later reports are stamped no earlier.
    #[inline]
    fn advance(&mut self, _now: Instant) {}
}

/// An observer that does nothing, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}
