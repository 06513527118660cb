//! Interface of observers. A run is generic over its probe, so that values that no observer uses cost
//! nothing.

use crate::cause::DropCause;
use crate::ids::{CrossingId, FlowId, LinkId, NodeId};
use crate::packet::Packet;
use crate::time::{Instant, Stamp};

/// Place of a packet event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// At a host's transport; for a drop, at a station of a radio network.
    Node(NodeId),
    /// At the entry (`enq`, `deq`, `departed`, `drop`) or at the far end (`recv`) of one direction of a link.
    Link(LinkId),
    /// At the station where a packet enters a radio network (`enq`), or at the station where it leaves the
    /// network (`recv`).
    Radio(CrossingId),
}

/// Kind of a packet event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum PacketEvent {
    /// The sender's transport sent a segment.
    Send,
    /// The packet joined a link's queue, or entered a radio network.
    Enqueue,
    /// The packet's transmission began.
    Dequeue,
    /// The packet arrived at the far end of a link, or left a radio network.
    Receive,
    /// The packet was lost.
    Drop,
    /// The receiver's transport sent an acknowledgment.
    AckSent,
    /// An acknowledgment reached the sender.
    Ack,
    /// A data packet reached a gateway's transport, which ends its path and acknowledges it to the source. Traces
    /// of packets do not show this event.
    Taken,
    /// The packet left a link's queue: its transmission ended, or an outage interrupted it. Each `Enqueue` is
    /// followed by this event or by a `Drop` by the queue ([`DropCause::is_congestion`]). The event serves
    /// only to compute the queue's length; traces of packets do not show it.
    Departed,
    /// A queue marked the packet CE (ECN).
    Mark,
    /// The wire duplicated the packet: a second copy is in flight.
    Duplicate,
}

impl PacketEvent {
    /// Returns the event's name in traces.
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
    /// One sample of the round-trip time, seconds.
    Rtt,
    /// Smoothed round-trip time, seconds.
    Srtt,
    /// Retransmission timeout in use, with exponential backoff, seconds.
    Rto,
    /// Segments sent that are not known to have left the network.
    InFlight,
    /// Recovery state: 0 none, 1 fast recovery, 2 after a timeout.
    Recovery,
}

impl Variable {
    /// Every variable, in the order of declaration.
    pub const ALL: [Self; 7] =
        [Self::Cwnd, Self::Ssthresh, Self::Rtt, Self::Srtt, Self::Rto, Self::InFlight, Self::Recovery];

    /// Returns the variable's name in traces.
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

/// A queue or buffer of a radio network, not of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Buffer {
    /// The queue discipline that feeds an 802.11 station's own queue.
    Discipline,
    /// An 802.11 station's own queue with the packets in transmission; with EDCA, the queues of all access categories.
    Mac,
    /// The RLC transmission buffer of a UE's downlink, at its eNodeB.
    RlcDown,
    /// The RLC transmission buffer of a UE's uplink, at the UE.
    RlcUp,
}

impl Buffer {
    /// Returns the buffer's name in traces.
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
    /// RED: average queue length, packets.
    Average,
    /// RED: average queue length above which packets are dropped, packets.
    Min,
    /// RED: average queue length at which the drop probability is `MaxProbability`, packets.
    Max,
    /// RED: probability of a drop at `Max`.
    MaxProbability,
    /// CoDel: 1 in the dropping state, otherwise 0. FQ-CoDel: number of its queues in the dropping state.
    Dropping,
    /// CoDel: drops in the current dropping state.
    Count,
    /// CoDel, PIE: sojourn time of the packet that left last, seconds.
    Delay,
    /// CoDel, PIE: target of the delay, seconds.
    Target,
    /// PIE: probability of a drop.
    Probability,
}

impl QueueVariable {
    /// Returns the variable's name in traces.
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

/// A value that is observed after an event, whether or not it has changed. A new kind of value needs a
/// variant here, a call of [`Probe::observe`], and a trace that records it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Observation<'a> {
    /// A variable of a flow's sender, and its value.
    Variable(FlowId, Variable, f64),
    /// A buffer at a node, with the packets and bytes that wait in it.
    Buffer(NodeId, Buffer, u64, u64),
    /// A variable of the queue discipline at a place, and its value.
    QueueVariable(Place, QueueVariable, f64),
    /// A variable of the congestion control of a flow's sender: its name and value.
    Control(FlowId, &'a str, f64),
    /// Payload of a flow that is newly acknowledged at the sender, bytes.
    Acked(FlowId, u64),
}

/// An observer of a run. The default of every method does nothing.
///
/// The stamp of a packet event may lie after the event being handled, because links compute departures and
/// arrivals in advance; it never lies before. An observer that needs the order of time sorts by [`Stamp`],
/// with a stable sort.
pub trait Probe {
    /// True if [`Probe::packet`] is implemented; otherwise callers do not compute its arguments.
    const PACKETS: bool = false;
    /// True if [`Observation::Variable`] is used.
    const VARIABLES: bool = false;

    /// Observes an event of a packet; `_cause` is given for a drop.
    #[inline]
    fn packet(&mut self, _: Stamp, _: PacketEvent, _: Place, _: &Packet, _cause: Option<DropCause>) {}

    /// Observes the bytes of a packet that an outside program or a kernel has just sent.
    #[inline]
    fn content(&mut self, _: &Packet, _bytes: &[u8]) {}

    /// Observes a value of a variable or buffer after an event.
    #[inline]
    fn observe(&mut self, _: Instant, _: Observation<'_>) {}

    /// Returns true if [`Observation::Buffer`] or [`Observation::QueueVariable`] is used. Callers compute
    /// these only then, because they are expensive.
    #[inline]
    fn watches_queues(&self) -> bool {
        false
    }

    /// Returns true if [`Observation::Control`] is used. Callers compute it only then, because it is
    /// expensive.
    #[inline]
    fn watches_controls(&self) -> bool {
        false
    }

    /// Observes that the clock has advanced to `_now`; later packet events have no earlier stamps.
    #[inline]
    fn advance(&mut self, _now: Instant) {}
}

/// A probe that ignores every event, for runs without observers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}
