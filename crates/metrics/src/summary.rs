//! One row per flow and per link: the numbers of a run's summary, as plain structs and as tables.

use crate::reactions::LossReaction;
use crate::row::{Cell, FLOW, RUN, Term, table};
use crate::stats::{FlowStats, LinkStats, LostStats};
use crate::subjects::Subjects;
use crate::table::{Column, Table};
use crate::video::VideoSummary;
use crate::writes::WriteSummary;
use base::{DropCause, Duration, Instant};
use serde::Serialize;

/// Facts of a flow beside its counters.
#[derive(Clone, PartialEq, Debug)]
pub struct FlowIdentity {
    /// Its name.
    pub name: String,
    /// Its variant (TCP), or how it sends (`udp`).
    pub variant: String,
    /// Name of its source's node.
    pub from: String,
    /// Name of its destination's node.
    pub to: String,
    /// When it began.
    pub start: Instant,
    /// Time for which it offered data, until the end of the run at the latest.
    pub interval: Duration,
}

table! {
    "flows", RUN;
    /// One row per flow; in JSON `flows[]`, where losses by cause are `lost_packets`.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct FlowSummary with pub fn new(
        flow: u32, identity: FlowIdentity, stats: &FlowStats, written: WriteSummary, loss_reactions: Vec<LossReaction>
    ) {
        /// the flow's number, from 0, in the scenario's order
        #[serde(skip)]
        flow: u32 ["", ""] = flow;
        /// the flow's name
        name: String ["", ""] = identity.name;
        /// TCP variant, or `udp`
        variant: String ["", ""] = identity.variant;
        /// node of the source
        from: String ["", ""] = identity.from;
        /// node of the destination
        to: String ["", ""] = identity.to;
        /// 8 acked_bytes / interval_s; datagrams: 8 delivered_bytes / interval_s
        goodput_bps: f64
            ["bit/s", "transport, sender", over FLOW, as "goodput of RFC 5166 section 2.1.1, up to what is delivered and not yet acknowledged"]
            = stats.goodput_bps(identity.interval);
        /// 8 received_bytes / interval_s: with headers and copies
        throughput_bps: f64
            ["bit/s", "link, receiver", over FLOW, as "throughput of RFC 5166 section 2.1.1"]
            = stats.throughput_bps(identity.interval);
        /// 8 (sent_bytes - retransmitted_bytes) / interval_s: data in flight or lost at the end counts
        new_data_bps: f64
            ["bit/s", "transport, sender", over FLOW, as "throughput of study abadin (there in bytes/s)"]
            = stats.new_data_bps(identity.interval);
        /// 8 received_bytes / (last arrival - first arrival)
        flowmonitor_throughput_bps: Option<f64>
            ["bit/s", "link, receiver", over "first to last arrival", as "FlowMonitor: 8 rxBytes / (timeLastRxPacket - timeFirstRxPacket)"]
            = stats.flowmonitor_throughput_bps();
        /// length of the interval
        interval_s: f64 ["s", "", over FLOW] = identity.interval.secs();
        /// packets handed down, retransmissions and bare SYN, FIN, ACK included
        sent_packets: u64 ["packets", "transport, sender", as "FlowMonitor txPackets"] = stats.sent_packets;
        /// their payload
        sent_bytes: u64 ["bytes of payload", "transport, sender"] = stats.sent_bytes;
        /// segments newly acknowledged cumulatively; datagrams: received
        acked_packets: u64 ["segments", "transport, sender"] = stats.acked_packets;
        /// their payload, each byte once
        acked_bytes: u64 ["bytes of payload", "transport, sender"] = stats.acked_bytes;
        /// packets sent that carry a segment sent before
        retransmitted_packets: u64 ["packets", "transport, sender", as "ns-2 nrexmitpack_"] = stats.retransmitted_packets;
        /// their payload
        retransmitted_bytes: u64
            ["bytes of payload", "transport, sender", as "ns-2 nrexmitbytes_"]
            = stats.retransmitted_bytes;
        /// packets that reached the destination, copies included
        received_packets: u64 ["packets", "link, receiver", as "FlowMonitor rxPackets"] = stats.received_packets;
        /// their size with headers
        received_bytes: u64 ["bytes on the wire", "link, receiver", as "FlowMonitor rxBytes"] = stats.received_wire_bytes;
        /// payload handed to the receiving application, each byte once and in order; datagrams: as they come
        delivered_bytes: u64 ["bytes of payload", "application, receiver"] = stats.delivered_bytes;
        /// their losses
        #[serde(flatten)]
        losses: FlowLosses = FlowLosses::new(&stats.lost);
        /// acknowledgments from destination to source that were lost, all causes
        lost_acks_total: u64 ["packets", "link"] = stats.lost_acks.total();
        /// packets from source to destination that a queue marked instead of dropping them (ECN)
        marked_packets: u64 ["packets", "link"] = stats.marked_packets;
        /// second copies that links made of packets from source to destination
        duplicated_packets: u64 ["packets", "link"] = stats.duplicated_packets;
        /// lost_packets_total / (lost_packets_total + received_packets)
        loss_ratio: f64
            ["", "link", as "FlowMonitor lostPackets / (rxPackets + lostPackets), with true losses instead of packets unseen for 10 s"]
            = stats.loss_ratio();
        /// sent_packets + duplicated_packets - received_packets - lost_packets_total, plus the packets that gateways sent minus those that
        /// they took
        in_flight_packets: i64 ["packets", "link", over "end of the run"] = stats.in_flight_packets();
        /// mean of arrival - sending over received packets; a retransmission is a packet of its own
        delay_mean_s: Option<f64> ["s", "link, one way", as "FlowMonitor delaySum / rxPackets"] = stats.delay.mean_s();
        /// the least one-way delay of a delivered packet
        delay_min_s: Option<f64> ["s", "link, one way", as "FlowMonitor minDelay"] = stats.delay.min().map(Duration::secs);
        /// the delay that half of them do not exceed; percentiles are to 0.8 %
        delay_p50_s: Option<f64> ["s", "link, one way"] = stats.delay_percentile_s(0.5);
        /// the delay that 95 % of them do not exceed
        delay_p95_s: Option<f64> ["s", "link, one way"] = stats.delay_percentile_s(0.95);
        /// the delay that 99 % of them do not exceed
        delay_p99_s: Option<f64> ["s", "link, one way"] = stats.delay_percentile_s(0.99);
        /// the longest of them
        delay_max_s: Option<f64> ["s", "link, one way", as "FlowMonitor maxDelay"] = stats.delay.max().map(Duration::secs);
        /// mean of |d_i - d_(i-1)| over packets in order of arrival, from the second on
        jitter_mean_s: Option<f64>
            ["s", "link, one way", as "FlowMonitor jitterSum / (rxPackets - 1); RFC 3393 with consecutive packets selected"]
            = stats.delay.jitter_mean_s();
        /// mean round trip of the packets themselves: from handing one down until the acknowledgment that answered it came
        /// back, the wait for a delayed acknowledgment included. A retransmission is a packet of its own. Absent for datagrams,
        /// and if a gateway acknowledges for the destination
        packet_rtt_mean_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt.mean_s();
        /// the round trip that half of them do not exceed; percentiles are to 0.8 %
        packet_rtt_p50_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt_percentile_s(0.5);
        /// the round trip that 95 % of them do not exceed
        packet_rtt_p95_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt_percentile_s(0.95);
        /// the round trip that 99 % of them do not exceed
        packet_rtt_p99_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt_percentile_s(0.99);
        /// mean of the sender's own samples of the round-trip time: without timestamps one at a time, and never of a
        /// retransmission (Karn's rule), so that it can be far from packet_rtt_mean_s
        sampled_rtt_mean_s: Option<f64> ["s", "transport, sender"] = stats.rtt.mean_s();
        /// the shortest of these samples
        sampled_rtt_min_s: Option<f64> ["s", "transport, sender"] = stats.rtt.min().map(Duration::secs);
        /// time from the flow's start until its last byte was acknowledged; absent if it did not end
        fct_s: Option<f64>
            ["s", "transport, sender", over "start to completion", as "connection transfer time of RFC 5166 section 2.1.1"]
            = stats.completed.map(|at| at.since(identity.start).secs());
        /// when its last segment was sent, if the flow is stalled: it has data to send, nothing outstanding and no timer, so that
        /// it will never send again; absent otherwise. A stalled flow is a fault of the simulator
        #[serde(skip_serializing_if = "Option::is_none")]
        stalled_s: Option<f64> ["s", "transport, sender", over "end of the run"] = stats.stalled.map(Instant::secs);
        /// retransmission timeouts that fired
        timeouts: u64 ["", "transport, sender"] = stats.timeouts;
        /// times that fast retransmit was entered
        fast_retransmits: u64 ["", "transport, sender"] = stats.fast_retransmits;
        /// delays and losses of its application's writes to TCP
        #[serde(flatten)]
        written: WriteSummary = written;
        /// its sender's classification of losses
        loss_reactions: Vec<LossReaction> = loss_reactions;
        /// the evaluation of its video, if it is one
        #[serde(skip_serializing_if = "Vec::is_empty")]
        video: Vec<VideoSummary> = Vec::new();
    }
}

table! {
    "links", RUN;
    /// One row per direction of a link; in JSON `links[]`, where losses by cause are `drops`.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct LinkSummary with pub fn new(name: String, link: String, stats: &LinkStats, ties: u64, end: Instant) {
        /// `a>b`: from node a to node b
        name: String ["", ""] = name;
        /// the link's name in the scenario; empty if it has none
        link: String ["", ""] = link;
        /// share of the run during which it transmitted
        utilisation: f64 ["", "link", as "link utilisation of RFC 5166 section 2.1.1"] = stats.utilisation(end);
        /// packets whose transmission ended
        sent_packets: u64 ["packets", "link"] = stats.sent_packets;
        /// their size with headers
        sent_bytes: u64 ["bytes on the wire", "link"] = stats.sent_bytes;
        /// packets lost here
        drops: LinkDrops = LinkDrops(stats.drops());
        /// packets that the queue marked instead of dropping them (ECN)
        marked_packets: u64 ["packets", "link"] = stats.marked_packets();
        /// second copies that the wire made
        duplicated_packets: u64 ["packets", "link"] = stats.duplicated_packets();
        /// packets in the queue, the one in transmission included, averaged over time
        queue_mean_packets: f64 ["packets", "link"] = stats.queue_mean_packets(end);
        /// the most that were in it at once
        queue_max_packets: u64 ["packets", "link"] = stats.queue_max_packets.into();
        /// time from joining the queue to the beginning of transmission, averaged over packets
        queue_delay_mean_s: Option<f64>
            ["s", "link", as "queueing delay of RFC 5166 section 2.1.2"]
            = stats.queue_delay_mean_s();
        /// arrivals whose fate hung on a tie: they met a full queue in the picosecond in which another packet left it or took its
        /// last place
        tied_packets: u64 ["packets", "link"] = ties;
    }
}

/// Losses of a flow's packets: in JSON a map from cause to number, and the total.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FlowLosses {
    /// By cause.
    pub lost_packets: LostStats,
    /// For all causes.
    pub lost_packets_total: u64,
}

impl FlowLosses {
    fn new(lost: &LostStats) -> Self {
        Self { lost_packets: lost.clone(), lost_packets_total: lost.total() }
    }
}

/// Losses at a link: in JSON a map from cause to number.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct LinkDrops(pub LostStats);

/// Adds a column of losses for each of `causes` to `table`.
fn columns_by_cause(
    values: &[LostStats],
    causes: impl Iterator<Item = DropCause>,
    mut table: Table,
) -> Table {
    for cause in causes {
        let each = values.iter().map(|lost| lost.of(cause) as i64);
        table = table.with(cause.column(), Column::Int(each.collect()));
    }
    table
}

/// Returns the causes for which a link loses packets.
fn at_link() -> impl Iterator<Item = DropCause> {
    DropCause::ALL.into_iter().filter(DropCause::is_at_link)
}

impl Cell for FlowLosses {
    type Values = Vec<LostStats>;

    fn store(&self, values: &mut Self::Values) {
        values.push(self.lost_packets.clone());
    }

    fn columns(values: Self::Values, _: &'static str, _: &Subjects, table: Table) -> Table {
        let total = values.iter().map(|lost| lost.total() as i64).collect();
        columns_by_cause(
            &values,
            DropCause::ALL.into_iter(),
            table.with("lost_packets_total", Column::Int(total)),
        )
    }

    fn terms(own: Term) -> Vec<Term> {
        let term = |name, definition, layer| Term { name, definition, ..own.of("packets", layer) };
        let total = "packets from source to destination that were lost, all causes";
        let each =
            DropCause::ALL.into_iter().map(|cause| term(cause.column(), cause.of_these(), cause.layer()));
        [term("lost_packets_total", total, "link")].into_iter().chain(each).collect()
    }
}

impl Cell for LinkDrops {
    type Values = Vec<LostStats>;

    fn store(&self, values: &mut Self::Values) {
        values.push(self.0.clone());
    }

    fn columns(values: Self::Values, _: &'static str, _: &Subjects, table: Table) -> Table {
        columns_by_cause(&values, at_link(), table)
    }

    fn terms(own: Term) -> Vec<Term> {
        let term = |cause: DropCause| Term {
            name: cause.column(),
            definition: cause.packets(),
            ..own.of("packets", "link")
        };
        at_link().map(term).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;

    #[test]
    fn rows_follow_the_stats() {
        let mut stats = FlowStats {
            acked_bytes: 1000,
            completed: Some(Instant::from_ps(3_000_000_000_000)),
            ..FlowStats::default()
        };
        stats.on_lost(DropCause::List);
        let identity = FlowIdentity {
            name: "a".into(),
            variant: "reno".into(),
            from: "n0".into(),
            to: "n1".into(),
            start: Instant::from_ps(1_000_000_000_000),
            interval: Duration::from_secs(4),
        };
        let summary = |stats: &FlowStats| {
            FlowSummary::new(0, identity.clone(), stats, WriteSummary::default(), Vec::new())
        };
        let row = summary(&stats);
        assert_eq!((row.interval_s, row.goodput_bps, row.fct_s), (4.0, 2000.0, Some(2.0)));
        assert_eq!((row.delay_mean_s, row.delay_min_s, row.loss_ratio), (None, None, 1.0));
        let table = FlowSummary::table(&[row]);
        assert_eq!(table.column("lost_list_packets"), Some(&Column::Int(vec![1])));
        assert_eq!(table.column("fct_s"), Some(&Column::OptionalFloat(vec![Some(2.0)])));

        for ms in [30, 20, 40] {
            stats.delay.add(Duration::from_ms(ms));
        }
        let row = summary(&stats);
        assert_eq!(
            (row.delay_min_s, row.delay_mean_s, row.delay_max_s),
            (Some(0.02), Some(0.03), Some(0.04))
        );

        let link = LinkSummary::new("a>b".into(), String::new(), &LinkStats::default(), 0, Instant::ZERO);
        assert_eq!(LinkSummary::table(&[link]).rows(), 1);
    }
}
