//! State of a run between two calls, and the events for which it can wait.

use crate::flow::{Connection, Kind};
use crate::world::World;
use base::{Duration, Instant};

/// Event at which a run stops, if it happens before the time up to which the run was to continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// New data of the flow is acknowledged.
    Ack,
    /// All segments that the flow's sender had sent when the call began are acknowledged.
    RoundTrip,
    /// The network has lost a packet of the flow. A link decides on losses in advance, so the packet may still be in
    /// its queue.
    Loss,
    /// The flow's sender has reacted to a loss or an ECN mark, or its retransmission timer has expired.
    Reaction,
}

/// State of a flow at one moment. Counters count from the beginning of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowState {
    /// Congestion window, segments; 0 for datagrams.
    pub cwnd: f64,
    /// Slow-start threshold, segments; infinite if unlimited.
    pub ssthresh: f64,
    /// Pacing rate that the congestion control asks for, segments per second.
    pub pacing_rate: Option<f64>,
    /// Smoothed round-trip time (RFC 6298), seconds.
    pub srtt_s: Option<f64>,
    /// Present retransmission timeout, seconds.
    pub rto_s: Option<f64>,
    /// Shortest round-trip time that the sender has measured, seconds.
    pub rtt_min_s: Option<f64>,
    /// Sum of the round-trip times that the sender has measured, seconds.
    pub rtt_sum_s: f64,
    /// Number of round-trip times that the sender has measured.
    pub rtt_samples: u64,
    /// Segments in flight, by the sender's estimate.
    pub in_flight: u64,
    /// State of the sender: 0 open, 1 fast recovery, 2 after a retransmission timeout; for a kernel's TCP 1 in both
    /// cases, for QUIC always 0.
    pub recovery: u32,
    /// Packets sent by the source, including retransmissions.
    pub sent_packets: u64,
    /// Payload of the packets sent, bytes.
    pub sent_bytes: u64,
    /// Retransmissions among the packets sent.
    pub retransmitted_packets: u64,
    /// Segments acknowledged.
    pub acked_packets: u64,
    /// Payload of the segments acknowledged, bytes.
    pub acked_bytes: u64,
    /// Payload delivered to the receiving application, bytes.
    pub delivered_bytes: u64,
    /// Packets that the network has lost, whether or not the sender knows of the loss.
    pub lost_packets: u64,
    /// Packets that queues marked (ECN).
    pub marked_packets: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Losses that the sender has detected by acknowledgments (fast retransmits).
    pub fast_retransmits: u64,
    /// Actual mean one-way delay of the packets received, seconds, which the sender may not know.
    pub delay_mean_s: Option<f64>,
    /// True if a transfer of given size is complete.
    pub finished: bool,
}

/// State of a direction of a link at one moment. Counters count from the beginning of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkState {
    /// Present rate, bits per second.
    pub rate_bps: f64,
    /// Propagation delay, seconds.
    pub delay_s: f64,
    /// Packets in the queue, including the one in transmission.
    pub queue_packets: u64,
    /// Size of the packets in the queue, bytes on the wire.
    pub queue_bytes: u64,
    /// Bytes on the wire of the packets accepted so far; some may still be in the queue.
    pub sent_bytes: u64,
    /// Packets lost at the queue or on the wire.
    pub dropped_packets: u64,
}

pub(super) fn flow<P>(world: &World<P>, at: usize) -> FlowState {
    let flow = &world.flows[at];
    let losses = &world.network.links.losses[at];
    let stats = &flow.stats;
    let common = FlowState {
        sent_packets: stats.sent_packets,
        sent_bytes: stats.sent_bytes,
        retransmitted_packets: stats.retransmitted_packets,
        acked_packets: stats.acked_packets,
        acked_bytes: stats.acked_bytes,
        delivered_bytes: stats.delivered_bytes,
        lost_packets: losses.forward.total(),
        marked_packets: losses.marked,
        delay_mean_s: stats.delay.mean_s(),
        rtt_min_s: stats.rtt.min().map(Duration::secs),
        rtt_sum_s: stats.rtt.mean_s().unwrap_or_default() * stats.rtt.count() as f64,
        rtt_samples: stats.rtt.count(),
        ..FlowState::default()
    };
    if let Kind::Stack(connection) = &flow.kind
        && let Some(state) = connection.transfer.state()
    {
        return FlowState {
            cwnd: state.cwnd,
            ssthresh: state.ssthresh.unwrap_or(f64::INFINITY),
            srtt_s: Some(state.srtt_s),
            fast_retransmits: state.congestion_events,
            finished: connection.transfer.finished().is_some(),
            ..common
        };
    }
    if let Kind::Kernel(connection) = &flow.kind {
        let state = connection.transfer.state();
        return FlowState {
            cwnd: state.cwnd.into(),
            ssthresh: state.ssthresh.map_or(f64::INFINITY, f64::from),
            srtt_s: (state.srtt_us > 0).then(|| f64::from(state.srtt_us) / 1e6),
            rto_s: (state.rto_us > 0).then(|| f64::from(state.rto_us) / 1e6),
            in_flight: state.in_flight.into(),
            recovery: u32::from(state.recovery >= 3),
            fast_retransmits: state.recoveries.into(),
            timeouts: state.timeouts.into(),
            finished: connection.transfer.finished().is_some(),
            ..common
        };
    }
    let Kind::Tcp(connection) = &flow.kind else { return common };
    let Connection { sender, receiver, .. } = &**connection;
    let sent = sender.stats();
    let [_, _, (_, srtt), (_, rto), _, (_, recovery)] = sender.variables();
    FlowState {
        cwnd: sender.cwnd(),
        ssthresh: sender.ssthresh(),
        pacing_rate: sender.pacing_rate(),
        srtt_s: (srtt > 0.0).then_some(srtt),
        rto_s: Some(rto),
        in_flight: sender.in_flight(),
        recovery: recovery as u32,
        acked_packets: sent.acked_packets,
        acked_bytes: sent.acked_bytes,
        delivered_bytes: receiver.delivered_bytes(),
        timeouts: sent.timeouts,
        fast_retransmits: sent.fast_retransmits,
        finished: sender.finished().is_some(),
        ..common
    }
}

pub(super) fn link<P>(world: &World<P>, direction: usize, now: Instant) -> LinkState {
    let hop = &world.network.links.hops[direction];
    let (queue_packets, queue_bytes) = hop.link.backlog(now);
    LinkState {
        rate_bps: hop.link.rate_bps(),
        delay_s: hop.link.delay().secs(),
        queue_packets,
        queue_bytes,
        sent_bytes: hop.stats.sent_bytes,
        dropped_packets: hop.stats.drops().total(),
    }
}

/// Returns the present value of the counter for an awaited event or, for [`Wait::RoundTrip`], the value that it must
/// reach.
pub(super) fn mark<P>(world: &World<P>, flow: usize, wait: Wait) -> u64 {
    match (wait, &world.flows[flow].kind) {
        (Wait::RoundTrip, Kind::Tcp(connection)) => {
            let (una, _, max) = connection.sender.sequence();
            max.max(una + 1)
        }
        _ => counter(world, flow, wait),
    }
}

/// Returns true if the event awaited since [`mark`] returned `mark` has happened.
#[inline]
pub(super) fn has_happened<P>(world: &World<P>, flow: usize, wait: Wait, mark: u64) -> bool {
    let counter = counter(world, flow, wait);
    if wait == Wait::RoundTrip { counter >= mark } else { counter > mark }
}

#[inline]
fn counter<P>(world: &World<P>, flow: usize, wait: Wait) -> u64 {
    if wait == Wait::Loss {
        return world.network.links.losses[flow].forward.total();
    }
    let Kind::Tcp(connection) = &world.flows[flow].kind else { return 0 };
    let sender = &connection.sender;
    match wait {
        Wait::RoundTrip => sender.sequence().0,
        Wait::Ack => sender.stats().acked_packets,
        _ => {
            let stats = sender.stats();
            stats.timeouts + stats.fast_retransmits + stats.ecn_reductions
        }
    }
}
