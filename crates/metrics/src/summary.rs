//! One row per flow and per link: the numbers of a run's summary, as plain structs and as tables.
//!
//! Every field is defined in [`glossary`](crate::glossary) under its own name.

use crate::reactions::LossReaction;
use crate::stats::{FlowStats, LinkStats, LostStats};
use crate::table::{Column, Table};
use crate::video::VideoSummary;
use crate::writes::WriteSummary;
use base::{DropCause, Duration, Instant};
use serde::Serialize;

/// What is known of a flow beside its counters.
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
    /// When it stopped offering data, or the run ended.
    pub stop: Instant,
}

/// The summary of one flow.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "each field is defined in the glossary under its name")]
pub struct FlowSummary {
    pub name: String,
    pub variant: String,
    pub from: String,
    pub to: String,
    pub goodput_bps: f64,
    pub throughput_bps: f64,
    pub new_data_bps: f64,
    pub flowmonitor_throughput_bps: Option<f64>,
    pub interval_s: f64,
    pub sent_packets: u64,
    pub sent_bytes: u64,
    pub acked_packets: u64,
    pub acked_bytes: u64,
    pub retransmitted_packets: u64,
    pub retransmitted_bytes: u64,
    pub received_packets: u64,
    pub received_bytes: u64,
    pub delivered_bytes: u64,
    pub lost_packets: LostStats,
    pub lost_packets_total: u64,
    pub lost_acks_total: u64,
    pub marked_packets: u64,
    pub duplicated_packets: u64,
    pub loss_ratio: f64,
    pub in_flight_packets: i64,
    pub delay_mean_s: Option<f64>,
    pub delay_max_s: Option<f64>,
    pub jitter_mean_s: Option<f64>,
    pub rtt_mean_s: Option<f64>,
    pub rtt_min_s: Option<f64>,
    pub fct_s: Option<f64>,
    pub timeouts: u64,
    pub fast_retransmits: u64,
    #[serde(flatten)]
    pub written: WriteSummary,
    pub loss_reactions: Vec<LossReaction>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub video: Vec<VideoSummary>,
}

impl FlowSummary {
    /// Sums up a flow whose sender reacted to losses like this; without what it may have of a video.
    pub fn new(
        identity: FlowIdentity,
        stats: &FlowStats,
        written: WriteSummary,
        loss_reactions: Vec<LossReaction>,
    ) -> Self {
        let FlowIdentity { name, variant, from, to, start, stop } = identity;
        let interval = stop.since(start);
        Self {
            name,
            variant,
            from,
            to,
            goodput_bps: stats.goodput_bps(interval),
            throughput_bps: stats.throughput_bps(interval),
            new_data_bps: stats.new_data_bps(interval),
            flowmonitor_throughput_bps: stats.flowmonitor_throughput_bps(),
            interval_s: interval.secs(),
            sent_packets: stats.sent_packets,
            sent_bytes: stats.sent_bytes,
            acked_packets: stats.acked_packets,
            acked_bytes: stats.acked_bytes,
            retransmitted_packets: stats.retransmitted_packets,
            retransmitted_bytes: stats.retransmitted_bytes,
            received_packets: stats.received_packets,
            received_bytes: stats.received_wire_bytes,
            delivered_bytes: stats.delivered_bytes,
            lost_packets: stats.lost.clone(),
            lost_packets_total: stats.lost.total(),
            lost_acks_total: stats.lost_acks.total(),
            marked_packets: stats.marked_packets,
            duplicated_packets: stats.duplicated_packets,
            loss_ratio: stats.loss_ratio(),
            in_flight_packets: stats.in_flight_packets(),
            delay_mean_s: stats.delay.mean_s(),
            delay_max_s: stats.delay.max().map(Duration::secs),
            jitter_mean_s: stats.delay.jitter_mean_s(),
            rtt_mean_s: stats.rtt.mean_s(),
            rtt_min_s: stats.rtt.min().map(Duration::secs),
            fct_s: stats.completed.map(|at| at.since(start).secs()),
            timeouts: stats.timeouts,
            fast_retransmits: stats.fast_retransmits,
            written,
            loss_reactions,
            video: Vec::new(),
        }
    }
}

/// The summary of one direction of a link.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "each field is defined in the glossary under its name")]
pub struct LinkSummary {
    pub name: String,
    pub utilisation: f64,
    pub sent_packets: u64,
    pub sent_bytes: u64,
    pub drops: LostStats,
    pub marked_packets: u64,
    pub duplicated_packets: u64,
    pub queue_mean_packets: f64,
    pub queue_max_packets: u64,
    pub queue_delay_mean_s: Option<f64>,
}

impl LinkSummary {
    /// Sums up the direction called `name` (`a>b`) of a run that ended at `end`.
    pub fn new(name: String, stats: &LinkStats, end: Instant) -> Self {
        Self {
            name,
            utilisation: stats.utilisation(end),
            sent_packets: stats.sent_packets,
            sent_bytes: stats.sent_bytes,
            drops: stats.drops(),
            marked_packets: stats.marked_packets(),
            duplicated_packets: stats.duplicated_packets(),
            queue_mean_packets: stats.queue_mean_packets(end),
            queue_max_packets: stats.queue_max_packets.into(),
            queue_delay_mean_s: stats.queue_delay_mean_s(),
        }
    }
}

/// Columns of losses on links by cause, in the order of [`DropCause::ALL`].
const LOST_ON_LINKS: [(&str, DropCause); 9] = [
    ("lost_queue_packets", DropCause::Queue),
    ("lost_aqm_packets", DropCause::Aqm),
    ("lost_random_packets", DropCause::Random),
    ("lost_gilbert_elliott_packets", DropCause::GilbertElliott),
    ("lost_bit_error_packets", DropCause::BitError),
    ("lost_list_packets", DropCause::List),
    ("lost_periodic_packets", DropCause::Periodic),
    ("lost_trace_packets", DropCause::Trace),
    ("lost_outage_packets", DropCause::Outage),
];

/// Columns of losses in radio networks by cause, likewise.
const LOST_BY_RADIO: [(&str, DropCause); 9] = [
    ("lost_collision_packets", DropCause::Collision),
    ("lost_noise_packets", DropCause::Noise),
    ("lost_retry_limit_packets", DropCause::RetryLimit),
    ("lost_out_of_range_packets", DropCause::OutOfRange),
    ("lost_no_route_packets", DropCause::NoRoute),
    ("lost_not_associated_packets", DropCause::NotAssociated),
    ("lost_rlc_buffer_packets", DropCause::RlcBuffer),
    ("lost_harq_packets", DropCause::Harq),
    ("lost_handover_packets", DropCause::Handover),
];

pub(crate) fn text<T>(rows: &[T], value: impl Fn(&T) -> &String) -> Column {
    Column::Text(rows.iter().map(|row| value(row).clone()).collect())
}

pub(crate) fn float<T>(rows: &[T], value: impl Fn(&T) -> f64) -> Column {
    Column::Float(rows.iter().map(value).collect())
}

pub(crate) fn optional<T>(rows: &[T], value: impl Fn(&T) -> Option<f64>) -> Column {
    Column::OptionalFloat(rows.iter().map(value).collect())
}

pub(crate) fn count<T>(rows: &[T], value: impl Fn(&T) -> u64) -> Column {
    Column::Int(rows.iter().map(|row| i64::try_from(value(row)).unwrap_or(i64::MAX)).collect())
}

/// The table `flows`: a row per flow, with losses in a column for each cause.
pub fn flows_table(rows: &[FlowSummary]) -> Table {
    let mut table = Table::new()
        .with("flow", Column::Int32((0..rows.len()).map(|i| i as i32).collect()))
        .with("name", text(rows, |r| &r.name))
        .with("variant", text(rows, |r| &r.variant))
        .with("from", text(rows, |r| &r.from))
        .with("to", text(rows, |r| &r.to))
        .with("goodput_bps", float(rows, |r| r.goodput_bps))
        .with("throughput_bps", float(rows, |r| r.throughput_bps))
        .with("new_data_bps", float(rows, |r| r.new_data_bps))
        .with("flowmonitor_throughput_bps", optional(rows, |r| r.flowmonitor_throughput_bps))
        .with("interval_s", float(rows, |r| r.interval_s))
        .with("sent_packets", count(rows, |r| r.sent_packets))
        .with("sent_bytes", count(rows, |r| r.sent_bytes))
        .with("acked_packets", count(rows, |r| r.acked_packets))
        .with("acked_bytes", count(rows, |r| r.acked_bytes))
        .with("retransmitted_packets", count(rows, |r| r.retransmitted_packets))
        .with("retransmitted_bytes", count(rows, |r| r.retransmitted_bytes))
        .with("received_packets", count(rows, |r| r.received_packets))
        .with("received_bytes", count(rows, |r| r.received_bytes))
        .with("delivered_bytes", count(rows, |r| r.delivered_bytes))
        .with("lost_packets_total", count(rows, |r| r.lost_packets_total));
    for (name, cause) in LOST_ON_LINKS.into_iter().chain(LOST_BY_RADIO) {
        table = table.with(name, count(rows, |r| r.lost_packets.of(cause)));
    }
    table
        .with("lost_acks_total", count(rows, |r| r.lost_acks_total))
        .with("marked_packets", count(rows, |r| r.marked_packets))
        .with("duplicated_packets", count(rows, |r| r.duplicated_packets))
        .with("loss_ratio", float(rows, |r| r.loss_ratio))
        .with("in_flight_packets", Column::Int(rows.iter().map(|r| r.in_flight_packets).collect()))
        .with("delay_mean_s", optional(rows, |r| r.delay_mean_s))
        .with("delay_max_s", optional(rows, |r| r.delay_max_s))
        .with("jitter_mean_s", optional(rows, |r| r.jitter_mean_s))
        .with("rtt_mean_s", optional(rows, |r| r.rtt_mean_s))
        .with("rtt_min_s", optional(rows, |r| r.rtt_min_s))
        .with("fct_s", optional(rows, |r| r.fct_s))
        .with("timeouts", count(rows, |r| r.timeouts))
        .with("fast_retransmits", count(rows, |r| r.fast_retransmits))
        .with("writes", count(rows, |r| r.written.writes))
        .with("delivered_writes", count(rows, |r| r.written.delivered_writes))
        .with("write_delay_mean_s", optional(rows, |r| r.written.write_delay_mean_s))
        .with("write_delay_max_s", optional(rows, |r| r.written.write_delay_max_s))
        .with("write_jitter_mean_s", optional(rows, |r| r.written.write_jitter_mean_s))
        .with("write_loss_ratio", optional(rows, |r| r.written.write_loss_ratio))
        .with("transit_delay_mean_s", optional(rows, |r| r.written.transit_delay_mean_s))
        .with("transit_jitter_mean_s", optional(rows, |r| r.written.transit_jitter_mean_s))
        .with("transit_loss_ratio", optional(rows, |r| r.written.transit_loss_ratio))
}

/// The table `links`: a row per direction of a link, with losses in a column for each cause.
pub fn links_table(rows: &[LinkSummary]) -> Table {
    let mut table = Table::new()
        .with("name", text(rows, |r| &r.name))
        .with("utilisation", float(rows, |r| r.utilisation))
        .with("sent_packets", count(rows, |r| r.sent_packets))
        .with("sent_bytes", count(rows, |r| r.sent_bytes));
    for (name, cause) in LOST_ON_LINKS {
        table = table.with(name, count(rows, |r| r.drops.of(cause)));
    }
    table
        .with("marked_packets", count(rows, |r| r.marked_packets))
        .with("duplicated_packets", count(rows, |r| r.duplicated_packets))
        .with("queue_mean_packets", float(rows, |r| r.queue_mean_packets))
        .with("queue_max_packets", count(rows, |r| r.queue_max_packets))
        .with("queue_delay_mean_s", optional(rows, |r| r.queue_delay_mean_s))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            stop: Instant::from_ps(5_000_000_000_000),
        };
        let row = FlowSummary::new(identity, &stats, WriteSummary::default(), Vec::new());
        assert_eq!((row.interval_s, row.goodput_bps, row.fct_s), (4.0, 2000.0, Some(2.0)));
        assert_eq!((row.delay_mean_s, row.loss_ratio), (None, 1.0));
        let table = flows_table(&[row]);
        assert_eq!(table.column("lost_list_packets"), Some(&Column::Int(vec![1])));
        assert_eq!(table.column("fct_s"), Some(&Column::OptionalFloat(vec![Some(2.0)])));

        let link = LinkSummary::new("a>b".into(), &LinkStats::default(), Instant::ZERO);
        assert_eq!(links_table(&[link]).rows(), 1);
    }

    #[test]
    fn every_cause_has_its_column() {
        let all: Vec<_> = LOST_ON_LINKS.into_iter().chain(LOST_BY_RADIO).collect();
        assert_eq!(all.iter().map(|(_, cause)| *cause).collect::<Vec<_>>(), DropCause::ALL);
        for (name, cause) in all {
            assert_eq!(name, format!("lost_{}_packets", cause.name().replace('-', "_")));
        }
    }
}
