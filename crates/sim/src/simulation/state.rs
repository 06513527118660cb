//! State of a run between two calls, and the events that it can wait for.

use crate::flow::{Connection, Kind};
use crate::world::World;
use base::{Duration, Instant};

/// An event at which a run stops, if it happens before the time is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// The flow's sender has new data acknowledged.
    Ack,
    /// All segments that the flow's sender had sent when the call began are acknowledged.
    RoundTrip,
    /// The network has lost a packet of the flow. Links decide ahead of time, so that the packet may still be waiting.
    Loss,
    /// The flow's sender answers a loss or a mark, or times out.
    Reaction,
}

/// A flow at one moment. Counters are from the beginning of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowState {
    /// Congestion window, segments; 0 for datagrams.
    pub cwnd: f64,
    /// Slow-start threshold, segments; infinite where unlimited.
    pub ssthresh: f64,
    /// Rate that the control asks for, segments per second.
    pub pacing_rate: Option<f64>,
    /// Smoothed round-trip time (RFC 6298), seconds.
    pub srtt_s: Option<f64>,
    /// Retransmission timeout in force, seconds.
    pub rto_s: Option<f64>,
    /// Shortest round-trip time that the sender measured, seconds.
    pub rtt_min_s: Option<f64>,
    /// Sum of the round-trip times that the sender measured, seconds.
    pub rtt_sum_s: f64,
    /// Number of the round-trip times that the sender measured.
    pub rtt_samples: u64,
    /// Segments sent and not known to have left the network.
    pub in_flight: u64,
    /// 0: open; 1: fast recovery; 2: after a timeout.
    pub recovery: u32,
    /// Packets that the source handed down, retransmissions included.
    pub sent_packets: u64,
    /// Their payload.
    pub sent_bytes: u64,
    /// Of these packets, retransmissions.
    pub retransmitted_packets: u64,
    /// Segments acknowledged.
    pub acked_packets: u64,
    /// Their payload.
    pub acked_bytes: u64,
    /// Payload handed to the receiving application.
    pub delivered_bytes: u64,
    /// Packets that the network has lost, whether or not the sender knows.
    pub lost_packets: u64,
    /// Packets that queues marked (ECN).
    pub marked_packets: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Losses that the sender detected by acknowledgments.
    pub fast_retransmits: u64,
    /// Mean one-way delay of the packets received, seconds: the truth.
    pub delay_mean_s: Option<f64>,
    /// True if a transfer of given size is over.
    pub finished: bool,
}

/// A direction of a link at one moment. Counters are from the beginning of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkState {
    /// The rate in force, bits per second.
    pub rate_bps: f64,
    /// Propagation delay, seconds.
    pub delay_s: f64,
    /// Packets in the queue, the one in transmission included.
    pub queue_packets: u64,
    /// Their size, bytes on the wire.
    pub queue_bytes: u64,
    /// Bytes on the wire of the packets that it has accepted for transmission; some may still be in the queue.
    pub sent_bytes: u64,
    /// Packets lost at its queue or on its wire.
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
    if let Kind::Quic(connection) = &flow.kind
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

/// Returns the counter that is waited for as it is now, or (round trips) the value that it has to reach.
pub(super) fn mark<P>(world: &World<P>, flow: usize, wait: Wait) -> u64 {
    match (wait, &world.flows[flow].kind) {
        (Wait::RoundTrip, Kind::Tcp(connection)) => {
            let (una, _, max) = connection.sender.sequence();
            max.max(una + 1)
        }
        _ => counter(world, flow, wait),
    }
}

/// Returns true if the awaited event has happened.
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
