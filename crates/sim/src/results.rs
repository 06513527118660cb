//! What a run leaves: a summary, tables, and whatever traces were asked for.

use crate::flow::Flow;
use crate::model::Scenario;
use crate::network::Network;
use crate::relays::Relays;
use crate::run::{Timing, variant_name};
use base::Duration;
use metrics::{
    FlowIdentity, FlowSummary, GatewaySummary, LinkSummary, Recording, Tables, flows_table, gateways_table,
    jain, links_table, loss_reactions_table,
};
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// The version of the simulator: part of what makes a run repeatable.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a run was.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub seed: u64,
    pub jitter: Duration,
    /// The scenario's canonical document.
    pub document: Box<RawValue>,
    pub events: u64,
}

/// The results of a run. The same scenario, seed and version give the same, whatever computed them; but for
/// [`Results::timing`].
#[derive(Debug)]
pub struct Results {
    /// Flows, links, fairness and manifest as JSON.
    pub summary: String,
    /// `flows`, `links`, `gateways`, and one table for each trace asked for.
    pub tables: Tables,
    /// Capture files, where asked for.
    pub pcap: Option<metrics::Capture>,
    /// The trace in ns-2's format, where asked for.
    pub ns2: Option<metrics::Ns2Trace>,
    /// The statistics as FlowMonitor has them, where asked for.
    pub flowmonitor: Option<metrics::FlowMonitor>,
    /// Events handled.
    pub events: u64,
    /// What the run took; for people, not part of the results.
    pub timing: Timing,
}

impl Results {
    pub(crate) fn new(
        scenario: &Scenario,
        mut network: Network,
        mut flows: Vec<Flow>,
        relays: &Relays,
        recording: Recording,
        manifest: Manifest,
        timing: Timing,
    ) -> Self {
        let end = base::Instant::ZERO + scenario.duration;
        network.finish();
        let mut rows = Vec::with_capacity(flows.len());
        for (flow, (given, relayed)) in
            flows.iter_mut().zip(scenario.flows.iter().zip(relays.balances(scenario)))
        {
            flow.finish();
            flow.stats.relayed_packets = relayed;
            flow.stats.lost = network.losses[flow.id.index()].forward;
            flow.stats.lost_acks = network.losses[flow.id.index()].acks;
            flow.stats.marked_packets = network.losses[flow.id.index()].marked;
            flow.stats.duplicated_packets = network.losses[flow.id.index()].duplicated;
            let identity = FlowIdentity {
                name: given.name.clone(),
                variant: variant_name(&given.kind).to_owned(),
                from: scenario.nodes[given.from].clone(),
                to: scenario.nodes[given.to].clone(),
                start: flow.start,
                stop: flow.stop.min(end),
            };
            let reactions = network.losses[flow.id.index()].reactions.summary();
            rows.push(FlowSummary::new(identity, &flow.stats, flow.written(), reactions));
        }
        let delivered: Vec<u64> = flows.iter().map(|flow| flow.stats.delivered_bytes).collect();
        let gateways = relays.summaries(scenario, &delivered);
        // What the world held makes room for the summary's text.
        drop(flows);
        let links: Vec<LinkSummary> = network
            .hops
            .iter()
            .enumerate()
            .map(|(i, hop)| {
                let [a, b] = scenario.links[i / 2].ends;
                let (from, to) = if i % 2 == 0 { (a, b) } else { (b, a) };
                let name = format!("{}>{}", scenario.nodes[from], scenario.nodes[to]);
                let mut summary = LinkSummary::new(name, &hop.stats, end);
                // A link that follows a trace transmits at instants: its share in use is one of bytes.
                if let Some(capacity) = hop.link.stepped().and_then(|stepped| stepped.capacity(end)) {
                    summary.utilisation = hop.stats.sent_bytes as f64 / (capacity.max(1)) as f64;
                }
                summary
            })
            .collect();
        drop(network);
        let mut tables = recording.tables;
        tables.insert("flows", flows_table(&rows));
        tables.insert("links", links_table(&links));
        let reactions: Vec<_> = rows.iter().map(|row| row.loss_reactions.clone()).collect();
        tables.insert("loss_reactions", loss_reactions_table(&reactions));
        tables.insert("gateways", gateways_table(&gateways));
        Self {
            summary: summary(scenario, &rows, &links, &gateways, &manifest),
            tables,
            pcap: recording.pcap,
            ns2: recording.ns2,
            flowmonitor: recording.flowmonitor,
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

/// The summary as it is written.
#[derive(Serialize)]
struct Summary<'a> {
    flows: &'a [FlowSummary],
    links: &'a [LinkSummary],
    gateways: &'a [GatewaySummary],
    fairness: Fairness,
    manifest: ManifestSummary<'a>,
}

#[derive(Serialize)]
struct Fairness {
    jain: Option<f64>,
}

#[derive(Serialize)]
struct ManifestSummary<'a> {
    version: &'static str,
    seed: u64,
    jitter_s: f64,
    duration_s: f64,
    scenario: &'a RawValue,
    scenario_hash: String,
    events: u64,
}

fn summary(
    scenario: &Scenario,
    flows: &[FlowSummary],
    links: &[LinkSummary],
    gateways: &[GatewaySummary],
    manifest: &Manifest,
) -> String {
    let shares: Vec<f64> = flows.iter().map(|row| row.goodput_bps).collect();
    let whole = Summary {
        flows,
        links,
        gateways,
        fairness: Fairness { jain: jain(&shares) },
        manifest: ManifestSummary {
            version: VERSION,
            seed: manifest.seed,
            jitter_s: manifest.jitter.secs(),
            duration_s: scenario.duration.secs(),
            scenario: &manifest.document,
            scenario_hash: scenario_hash(manifest.document.get()),
            events: manifest.events,
        },
    };
    // Numbers, text and JSON that was parsed before: nothing that could fail to be written.
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}
