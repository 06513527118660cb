//! The tables `flows` and `links`: the summary of a run, one row per flow and per direction of a link.

use crate::link_stats::LinkStats;
use crate::reactions::LossReaction;
use crate::row::{Cell, FLOW, RUN, Term, table};
use crate::sessions::{CompletionSummary, SessionsSummary};
use crate::stats::{FlowStats, LostStats};
use crate::subjects::Subjects;
use crate::table::{Column, Table};
use crate::video::VideoSummary;
use crate::writes::WriteSummary;
use base::{DropCause, Duration, Instant};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Properties of a flow that its summary shows beside the counters.
#[derive(Clone, PartialEq, Debug)]
pub struct FlowIdentity {
    /// Name of the flow in results.
    pub name: String,
    /// TCP variant, or `udp`.
    pub variant: String,
    /// Name of the source's node.
    pub from: String,
    /// Name of the destination's node.
    pub to: String,
    /// Size of the file that the flow transfers, bytes of payload; `None` for other traffic.
    pub size: Option<u64>,
    /// Time at which the flow began.
    pub start: Instant,
    /// Time from `start` until the source stopped offering data or the run ended, whichever was earlier.
    pub interval: Duration,
}

table! {
    "flows", RUN;
    /// One row per flow; in JSON `flows[]`.
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
        /// size of the file that the flow transfers; absent for other traffic, and for unlimited data
        #[serde(skip_serializing_if = "Option::is_none")]
        size_bytes: Option<u64> ["bytes of payload", "application, sender"] = identity.size;
        /// 8 acked_bytes / interval_s; datagrams, and receivers that conceal losses: 8 delivered_bytes / interval_s
        goodput_bps: f64
            ["bit/s", "transport, sender", over FLOW, as "goodput of RFC 5166 section 2.1.1, up to what is delivered and not yet acknowledged"]
            = stats.goodput_bps(identity.interval);
        /// 8 received_bytes / interval_s; includes headers and duplicates
        throughput_bps: f64
            ["bit/s", "link, receiver", over FLOW, as "throughput of RFC 5166 section 2.1.1"]
            = stats.throughput_bps(identity.interval);
        /// 8 (sent_bytes - retransmitted_bytes) / interval_s; includes data that were in flight or lost at
        /// the end
        new_data_bps: f64
            ["bit/s", "transport, sender", over FLOW, as "throughput of study abadin (there in bytes/s)"]
            = stats.new_data_bps(identity.interval);
        /// 8 received_bytes / (last arrival - first arrival)
        flowmonitor_throughput_bps: Option<f64>
            ["bit/s", "link, receiver", over "first to last arrival", as "FlowMonitor: 8 rxBytes / (timeLastRxPacket - timeFirstRxPacket)"]
            = stats.flowmonitor_throughput_bps();
        /// length of the interval of the flow's rates
        interval_s: f64 ["s", "", over FLOW] = identity.interval.secs();
        /// packets sent by the source's transport, including retransmissions and SYN, FIN and ACK without
        /// payload
        sent_packets: u64 ["packets", "transport, sender", as "FlowMonitor txPackets"] = stats.sent_packets;
        /// payload of sent_packets
        sent_bytes: u64 ["bytes of payload", "transport, sender"] = stats.sent_bytes;
        /// segments newly acknowledged, cumulatively; datagrams: packets received
        acked_packets: u64 ["segments", "transport, sender"] = stats.acked_packets;
        /// payload of acked_packets, each byte once
        acked_bytes: u64 ["bytes of payload", "transport, sender"] = stats.acked_bytes;
        /// retransmissions among sent_packets
        retransmitted_packets: u64 ["packets", "transport, sender", as "ns-2 nrexmitpack_"] = stats.retransmitted_packets;
        /// payload of retransmitted_packets
        retransmitted_bytes: u64
            ["bytes of payload", "transport, sender", as "ns-2 nrexmitbytes_"]
            = stats.retransmitted_bytes;
        /// packets that reached the destination, duplicates included
        received_packets: u64 ["packets", "link, receiver", as "FlowMonitor rxPackets"] = stats.received_packets;
        /// size of received_packets, with headers
        received_bytes: u64 ["bytes on the wire", "link, receiver", as "FlowMonitor rxBytes"] = stats.received_wire_bytes;
        /// payload delivered to the receiving application, each byte once and in order; datagrams, and receivers
        /// that conceal losses: in order of arrival
        delivered_bytes: u64 ["bytes of payload", "application, receiver"] = stats.delivered_bytes;
        /// Lost packets from source to destination: the total, and a column for each cause.
        #[serde(flatten)]
        losses: FlowLosses = FlowLosses::new(&stats.lost);
        /// acknowledgments from destination to source that were lost, all causes
        lost_acks_total: u64 ["packets", "link"] = stats.lost_acks.total();
        /// packets from source to destination that a queue marked instead of dropping them (ECN)
        marked_packets: u64 ["packets", "link"] = stats.marked_packets;
        /// copies that links made of packets from source to destination (duplication)
        duplicated_packets: u64 ["packets", "link"] = stats.duplicated_packets;
        /// lost_packets_total / (lost_packets_total + received_packets)
        loss_ratio: f64
            ["", "link", as "FlowMonitor lostPackets / (rxPackets + lostPackets), with true losses instead of packets unseen for 10 s"]
            = stats.loss_ratio();
        /// packets in flight at the end: sent_packets + duplicated_packets - received_packets -
        /// lost_packets_total, plus packets sent by gateways minus packets that gateways took over
        in_flight_packets: i64 ["packets", "link", over "end of the run"] = stats.in_flight_packets();
        /// mean one-way delay (time of arrival - time of sending) of received packets; for a retransmission,
        /// from its own sending
        delay_mean_s: Option<f64> ["s", "link, one way", as "FlowMonitor delaySum / rxPackets"] = stats.delay.mean_s();
        /// the least one-way delay of a delivered packet
        delay_min_s: Option<f64> ["s", "link, one way", as "FlowMonitor minDelay"] = stats.delay.min().map(Duration::secs);
        /// median of the one-way delays of received packets; percentiles are precise to 0.8 %
        delay_p50_s: Option<f64> ["s", "link, one way"] = stats.delay_percentile_s(0.5);
        /// 95th percentile of the one-way delays of received packets
        delay_p95_s: Option<f64> ["s", "link, one way"] = stats.delay_percentile_s(0.95);
        /// 99th percentile of the one-way delays of received packets
        delay_p99_s: Option<f64> ["s", "link, one way"] = stats.delay_percentile_s(0.99);
        /// the longest one-way delay of a received packet
        delay_max_s: Option<f64> ["s", "link, one way", as "FlowMonitor maxDelay"] = stats.delay.max().map(Duration::secs);
        /// mean of |d_i - d_(i-1)| over received packets in order of arrival, from the second on
        jitter_mean_s: Option<f64>
            ["s", "link, one way", as "FlowMonitor jitterSum / (rxPackets - 1); RFC 3393 with consecutive packets selected"]
            = stats.delay.jitter_mean_s();
        /// mean round trip of packets: from sending a packet to the arrival of the acknowledgment that it
        /// caused, including the wait for a delayed acknowledgment; for a retransmission, from its own
        /// sending. Absent for datagrams, and if a gateway acknowledges in place of the destination
        packet_rtt_mean_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt.mean_s();
        /// median round trip of packets, measured as packet_rtt_mean_s; percentiles are precise to 0.8 %
        packet_rtt_p50_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt_percentile_s(0.5);
        /// 95th percentile of the round trips of packets
        packet_rtt_p95_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt_percentile_s(0.95);
        /// 99th percentile of the round trips of packets
        packet_rtt_p99_s: Option<f64> ["s", "link, there and back"] = stats.packet_rtt_percentile_s(0.99);
        /// mean of the round-trip times that the sender measured. Without timestamps it measures one segment
        /// at a time and never a retransmission (Karn's rule), so the value can differ much from
        /// packet_rtt_mean_s
        sampled_rtt_mean_s: Option<f64> ["s", "transport, sender"] = stats.rtt.mean_s();
        /// the shortest round-trip time that the sender measured
        sampled_rtt_min_s: Option<f64> ["s", "transport, sender"] = stats.rtt.min().map(Duration::secs);
        /// time from the flow's start until its last byte was acknowledged; absent if the flow did not
        /// complete
        fct_s: Option<f64>
            ["s", "transport, sender", over "start to completion", as "connection transfer time of RFC 5166 section 2.1.1"]
            = stats.completed.map(|at| at.since(identity.start).secs());
        /// time of the last segment sent, if the flow is stalled: it has data to send, but no outstanding
        /// segment and no timer, so it will never send again; otherwise absent. A stalled flow is a fault of
        /// the simulator, or of the transport stack that ended its connection
        #[serde(skip_serializing_if = "Option::is_none")]
        stalled_s: Option<f64> ["s", "transport, sender", over "end of the run"] = stats.stalled.map(Instant::secs);
        /// retransmission timeouts
        timeouts: u64 ["", "transport, sender"] = u64::from(stats.timeouts);
        /// times that the sender entered fast retransmit
        fast_retransmits: u64 ["", "transport, sender"] = stats.fast_retransmits;
        /// Delays and losses of the application's writes to TCP.
        #[serde(flatten)]
        written: WriteSummary = written;
        /// actual and inferred causes of the losses to which the sender reacted
        loss_reactions: Vec<LossReaction> = loss_reactions;
        /// Evaluation of the flow's video; empty if the flow is not a video.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        video: Vec<VideoSummary> = Vec::new();
        /// Counts of the flow's sessions; empty for other traffic.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        sessions: Vec<SessionsSummary> = Vec::new();
        /// Completion times of the requests of the flow's sessions; empty for other traffic.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        completions: Vec<CompletionSummary> = Vec::new();
    }
}

table! {
    "links", RUN;
    /// One row per direction of a link; in JSON `links[]`.
    #[derive(Clone, PartialEq, Debug, Serialize)]
    pub struct LinkSummary with pub fn new(name: String, link: String, stats: &LinkStats, ties: u64, end: Instant) {
        /// `a>b`: from node a to node b
        name: String ["", ""] = name;
        /// the link's name in the scenario; empty if it has none
        link: String ["", ""] = link;
        /// share of the run during which the link transmitted
        utilisation: f64 ["", "link", as "link utilisation of RFC 5166 section 2.1.1"] = stats.utilisation(end);
        /// packets whose transmission ended
        sent_packets: u64 ["packets", "link"] = stats.sent_packets;
        /// size of sent_packets, with headers
        sent_bytes: u64 ["bytes on the wire", "link"] = stats.sent_bytes;
        /// Packets lost on this link: the total, and a column for each cause.
        #[serde(flatten)]
        losses: LinkLosses = LinkLosses(stats.drops());
        /// packets that the queue marked instead of dropping them (ECN)
        marked_packets: u64 ["packets", "link"] = stats.marked_packets();
        /// copies that the wire made (duplication)
        duplicated_packets: u64 ["packets", "link"] = stats.duplicated_packets();
        /// time average of the number of packets in the queue, including the packet in transmission
        queue_mean_packets: f64 ["packets", "link"] = stats.queue_mean_packets(end);
        /// largest number of packets in the queue at one time, including the packet in transmission
        queue_max_packets: u64 ["packets", "link"] = stats.queue_max_packets().into();
        /// mean time from joining the queue to the beginning of transmission, over packets
        queue_delay_mean_s: Option<f64>
            ["s", "link", as "queueing delay of RFC 5166 section 2.1.2"]
            = stats.queue_delay_mean_s();
        /// arrivals whose fate depended on the order of simultaneous events: the queue was full, and in the
        /// same picosecond another packet left it or took its last place
        tied_packets: u64 ["packets", "link"] = ties;
    }
}

/// Losses of a flow's packets: the total, and one column for each cause.
#[derive(Clone, PartialEq, Debug)]
pub struct FlowLosses {
    /// Lost packets by cause.
    pub lost_packets: LostStats,
    /// Lost packets, all causes.
    pub lost_packets_total: u64,
}

impl FlowLosses {
    fn new(lost: &LostStats) -> Self {
        Self { lost_packets: lost.clone(), lost_packets_total: lost.total() }
    }
}

impl Serialize for FlowLosses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_losses(&self.lost_packets, DropCause::ALL.into_iter(), "lost_packets", serializer)
    }
}

/// Losses on a link: the total, and one column for each cause.
#[derive(Clone, PartialEq, Debug)]
pub struct LinkLosses(pub LostStats);

impl Serialize for LinkLosses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_losses(&self.0, at_link(), "drops", serializer)
    }
}

/// Name of the column with losses of all causes.
const TOTAL: &str = "lost_packets_total";

/// Writes the total and the losses for each of `causes` under the names of their columns. This version also writes
/// the form of the previous version, a map from cause to number, under the key `former`.
fn serialize_losses<S: Serializer>(
    lost: &LostStats,
    causes: impl Iterator<Item = DropCause>,
    former: &'static str,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(former, lost)?;
    map.serialize_entry(TOTAL, &lost.total())?;
    for cause in causes {
        map.serialize_entry(cause.column(), &lost.of(cause))?;
    }
    map.end()
}

/// Adds to `table`, for each of `causes`, a column with the number of packets lost because of this cause.
fn columns_by_cause(values: &[LostStats], causes: impl Iterator<Item = DropCause>, table: &mut Table) {
    for cause in causes {
        let each = values.iter().map(|lost| lost.of(cause) as i64);
        table.push(cause.column(), Column::Int(each.collect()));
    }
}

/// Returns the causes for which packets can be lost on a link.
fn at_link() -> impl Iterator<Item = DropCause> {
    DropCause::ALL.into_iter().filter(DropCause::is_at_link)
}

impl Cell for FlowLosses {
    type Values = Vec<LostStats>;

    fn store(&self, values: &mut Self::Values) {
        values.push(self.lost_packets.clone());
    }

    fn columns(values: Self::Values, _: &'static str, _: &Subjects, table: &mut Table) {
        let total = values.iter().map(|lost| lost.total() as i64).collect();
        table.push(TOTAL, Column::Int(total));
        columns_by_cause(&values, DropCause::ALL.into_iter(), table);
    }

    fn terms(own: &Term, terms: &mut Vec<Term>) {
        let term = |name, definition, layer| Term { name, definition, ..own.of("packets", layer) };
        let total = "packets from source to destination that were lost, all causes";
        let each =
            DropCause::ALL.into_iter().map(|cause| term(cause.column(), cause.of_these(), cause.layer()));
        terms.extend([term(TOTAL, total, "link")].into_iter().chain(each));
    }
}

impl Cell for LinkLosses {
    type Values = Vec<LostStats>;

    fn store(&self, values: &mut Self::Values) {
        values.push(self.0.clone());
    }

    fn columns(values: Self::Values, _: &'static str, _: &Subjects, table: &mut Table) {
        let total = values.iter().map(|lost| lost.total() as i64).collect();
        table.push(TOTAL, Column::Int(total));
        columns_by_cause(&values, at_link(), table);
    }

    fn terms(own: &Term, terms: &mut Vec<Term>) {
        let term = |name, definition| Term { name, definition, ..own.of("packets", "link") };
        let each = at_link().map(|cause| term(cause.column(), cause.packets()));
        terms.extend([term(TOTAL, "packets lost on this link, all causes")].into_iter().chain(each));
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
            size: Some(1000),
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
