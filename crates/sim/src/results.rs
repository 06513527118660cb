//! What a run leaves: a summary, tables, and whatever traces were asked for.

use crate::flow::Flow;
use crate::model::Scenario;
use crate::network::Network;
use crate::run::{Timing, variant_name};
use base::{DropCause, Duration};
use metrics::{
    FlowIdentity, FlowSummary, LinkSummary, LostStats, Recording, Tables, flows_table, jain, links_table,
};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The version of the simulator: part of what makes a run repeatable.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a run was.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub seed: u64,
    pub jitter: Duration,
    /// The scenario's canonical document.
    pub document: String,
    pub events: u64,
}

/// The results of a run. The same scenario, seed and version give the same, whatever computed them; but for
/// [`Results::timing`].
#[derive(Debug)]
pub struct Results {
    /// Flows, links, fairness and manifest as JSON.
    pub summary: String,
    /// `flows`, `links`, and one table for each trace asked for.
    pub tables: Tables,
    /// Capture files, where asked for.
    pub pcap: Option<metrics::Capture>,
    /// The trace in ns-2's format, where asked for.
    pub ns2: Option<metrics::Ns2Trace>,
    /// Events handled.
    pub events: u64,
    /// What the run took; for people, not part of the results.
    pub timing: Timing,
}

impl Results {
    pub(crate) fn new(
        scenario: &Scenario,
        network: &Network,
        mut flows: Vec<Flow>,
        recording: Recording,
        manifest: Manifest,
        timing: Timing,
    ) -> Self {
        let end = base::Instant::ZERO + scenario.duration;
        let mut rows = Vec::with_capacity(flows.len());
        for (flow, given) in flows.iter_mut().zip(&scenario.flows) {
            flow.finish();
            flow.stats.lost = network.losses[flow.id.index()].forward;
            flow.stats.lost_acks = network.losses[flow.id.index()].acks;
            let identity = FlowIdentity {
                name: given.name.clone(),
                variant: variant_name(&given.kind).to_owned(),
                from: scenario.nodes[given.from].clone(),
                to: scenario.nodes[given.to].clone(),
                start: flow.start,
                stop: flow.stop.min(end),
            };
            rows.push(FlowSummary::new(identity, &flow.stats));
        }
        let links: Vec<LinkSummary> = network
            .hops
            .iter()
            .enumerate()
            .map(|(i, hop)| {
                let [a, b] = scenario.links[i / 2].ends;
                let (from, to) = if i % 2 == 0 { (a, b) } else { (b, a) };
                let name = format!("{}>{}", scenario.nodes[from], scenario.nodes[to]);
                LinkSummary::new(name, &hop.stats)
            })
            .collect();
        let mut tables = recording.tables;
        tables.insert("flows", flows_table(&rows));
        tables.insert("links", links_table(&links));
        let shares: Vec<f64> = rows.iter().map(|row| row.goodput_bps).collect();
        let ack_losses: Vec<u64> = network.losses.iter().map(|l| l.acks.total()).collect();
        Self {
            summary: summary(scenario, &rows, &ack_losses, &links, jain(&shares), &manifest),
            tables,
            pcap: recording.pcap,
            ns2: recording.ns2,
            events: manifest.events,
            timing,
        }
    }
}

/// The hash of a scenario's canonical document: SHA-256, in hexadecimal.
pub fn scenario_hash(document: &str) -> String {
    let digest = Sha256::digest(document.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn by_cause(lost: &LostStats) -> Value {
    let counts = DropCause::ALL.iter().map(|cause| (cause.name().to_owned(), json!(lost.of(*cause))));
    Value::Object(counts.collect::<Map<_, _>>())
}

fn summary(
    scenario: &Scenario,
    flows: &[FlowSummary],
    ack_losses: &[u64],
    links: &[LinkSummary],
    jain: Option<f64>,
    manifest: &Manifest,
) -> String {
    let flows: Vec<Value> = flows
        .iter()
        .zip(ack_losses)
        .map(|(f, lost_acks)| {
            json!({
                "name": f.name,
                "variant": f.variant,
                "from": f.from,
                "to": f.to,
                "goodput_bps": f.goodput_bps,
                "throughput_bps": f.throughput_bps,
                "new_data_bps": f.new_data_bps,
                "flowmonitor_throughput_bps": f.flowmonitor_throughput_bps,
                "interval_s": f.interval_s,
                "sent_packets": f.sent_packets,
                "sent_bytes": f.sent_bytes,
                "acked_packets": f.acked_packets,
                "acked_bytes": f.acked_bytes,
                "retransmitted_packets": f.retransmitted_packets,
                "retransmitted_bytes": f.retransmitted_bytes,
                "received_packets": f.received_packets,
                "received_bytes": f.received_bytes,
                "delivered_bytes": f.delivered_bytes,
                "lost_packets": by_cause(&f.lost_packets),
                "lost_packets_total": f.lost_packets_total,
                "lost_acks_total": lost_acks,
                "loss_ratio": f.loss_ratio,
                "in_flight_packets": f.in_flight_packets,
                "delay_mean_s": f.delay_mean_s,
                "delay_max_s": f.delay_max_s,
                "jitter_mean_s": f.jitter_mean_s,
                "rtt_mean_s": f.rtt_mean_s,
                "rtt_min_s": f.rtt_min_s,
                "fct_s": f.fct_s,
                "timeouts": f.timeouts,
                "fast_retransmits": f.fast_retransmits,
            })
        })
        .collect();
    let links: Vec<Value> = links
        .iter()
        .map(|l| {
            json!({
                "name": l.name,
                "utilisation": l.utilisation,
                "sent_packets": l.sent_packets,
                "sent_bytes": l.sent_bytes,
                "drops": by_cause(&l.drops),
                "queue_mean_packets": l.queue_mean_packets,
                "queue_max_packets": l.queue_max_packets,
                "queue_delay_mean_s": l.queue_delay_mean_s,
            })
        })
        .collect();
    let document: Value = serde_json::from_str(&manifest.document).unwrap_or(Value::Null);
    let whole = json!({
        "flows": flows,
        "links": links,
        "fairness": { "jain": jain },
        "manifest": {
            "version": VERSION,
            "seed": manifest.seed,
            "jitter_s": manifest.jitter.secs(),
            "duration_s": scenario.duration.secs(),
            "scenario": document,
            "scenario_hash": scenario_hash(&manifest.document),
            "events": manifest.events,
        },
    });
    format!("{whole:#}")
}
