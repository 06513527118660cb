//! What a run leaves: a summary, tables, and whatever traces were asked for.

mod radio;

use crate::by_row;
use crate::flow::Flow;
use crate::model::{self, Data, FlowKind, Judging, Scenario, Source};
use crate::network::Network;
use crate::relays::Relays;
use crate::run::{Timing, variant_name};
use crate::scenario::Document;
use base::Duration;
use metrics::radio::{
    CellSummary, LteSummary, StationSummary, UeSummary, WifiSummary, cells_table, stations_table, ues_table,
};
use metrics::{
    EvalVid, FlowIdentity, FlowSummary, GatewaySummary, LinkSummary, Recording, Table, Tables, flows_table,
    gateways_table, jain, links_table, loss_reactions_table, video_table,
};
use radio::Radio;
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

/// The version of the simulator: part of what makes a run repeatable.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a run was.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub seed: u64,
    pub jitter: Duration,
    /// The scenario.
    pub document: Document,
    pub events: u64,
}

/// The results of a run. The same scenario, seed and version give the same, whatever computed them; but for
/// [`Results::timing`].
///
/// Kept as rows of numbers: text and tables, several times as large, are made when they are asked for.
#[derive(Debug)]
pub struct Results {
    flows: Vec<FlowSummary>,
    links: Vec<LinkSummary>,
    gateways: Vec<GatewaySummary>,
    radio: Radio,
    manifest: Manifest,
    duration: Duration,
    /// One table for each trace asked for.
    pub traces: Tables,
    /// Capture files, where asked for.
    pub pcap: Option<metrics::Capture>,
    /// The trace in ns-2's format, where asked for.
    pub ns2: Option<metrics::Ns2Trace>,
    /// The statistics as FlowMonitor has them, where asked for.
    pub flowmonitor: Option<metrics::FlowMonitor>,
    /// EvalVid's traces of the videos, where asked for.
    pub evalvid: Option<Vec<metrics::EvalVid>>,
    /// Events handled.
    pub events: u64,
    /// What the run took; for people, not part of the results.
    pub timing: Timing,
}

impl Results {
    /// The tables that every run has.
    pub const TABLES: [&'static str; 8] =
        ["flows", "links", "loss_reactions", "video", "gateways", "stations", "ues", "cells"];

    pub(crate) fn new(
        scenario: &Scenario,
        mut network: Network,
        flows: Vec<Flow>,
        relays: &Relays,
        mut recording: Recording,
        manifest: Manifest,
        timing: Timing,
    ) -> Self {
        let end = base::Instant::ZERO + scenario.duration;
        network.finish();
        let mut rows = Vec::with_capacity(flows.len());
        let mut delivered = Vec::with_capacity(flows.len());
        let balances = relays.balances(scenario);
        // Row by row: what a connection held makes room for what is left of it.
        for ((mut flow, given), relayed) in flows.into_iter().zip(&scenario.flows).zip(balances) {
            flow.finish();
            let losses = std::mem::take(&mut network.losses[flow.id.index()]);
            flow.stats.relayed_packets = relayed;
            flow.stats.lost = losses.forward;
            flow.stats.lost_acks = losses.acks;
            flow.stats.marked_packets = losses.marked;
            flow.stats.duplicated_packets = losses.duplicated;
            let identity = FlowIdentity {
                name: given.name.clone(),
                variant: variant_name(&given.kind).to_owned(),
                from: scenario.nodes[given.from].clone(),
                to: scenario.nodes[given.to].clone(),
                start: flow.start,
                stop: flow.stop.min(end),
            };
            let mut row = FlowSummary::new(identity, &flow.stats, flow.written(), losses.reactions.summary());
            if let Some((traces, judging)) = video(given, &mut flow) {
                row.video = metrics::video::summarise(&traces.frames, &traces.log, judging);
                if let Some(videos) = &mut recording.evalvid {
                    videos.push(traces);
                }
            }
            rows.push(row);
            delivered.push(flow.stats.delivered_bytes);
        }
        let gateways = relays.summaries(scenario, &delivered);
        let links = network
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
        Self {
            flows: rows,
            links,
            gateways,
            radio: Radio::new(scenario, &network.radios),
            events: manifest.events,
            manifest,
            duration: scenario.duration,
            traces: recording.tables,
            pcap: recording.pcap,
            ns2: recording.ns2,
            flowmonitor: recording.flowmonitor,
            evalvid: recording.evalvid,
            timing,
        }
    }

    /// Flows, links, fairness and manifest as JSON, a line for each flow and link.
    pub fn summary(&self) -> String {
        let mut out = Vec::new();
        // Memory takes everything, and what is written is text.
        self.write_summary(&mut out).unwrap_or_default();
        String::from_utf8(out).unwrap_or_default()
    }

    /// Writes [`Results::summary`] bit by bit.
    ///
    /// # Errors
    /// What `out` reports.
    pub fn write_summary(&self, out: impl Write) -> io::Result<()> {
        let Self { flows, links, gateways, radio, manifest, duration, .. } = self;
        let scenario = manifest.document.canonical_json();
        let scenario_hash = scenario_hash(&scenario);
        // Written by this program from parsed JSON: it parses.
        let scenario = &RawValue::from_string(scenario).unwrap_or_else(|_| RawValue::NULL.to_owned());
        let shares: Vec<f64> = flows.iter().map(|row| row.goodput_bps).collect();
        let summary = Summary {
            flows,
            links,
            gateways,
            wifi: &radio.wifi,
            stations: &radio.stations,
            lte: &radio.lte,
            ues: &radio.ues,
            cells: &radio.cells,
            fairness: Fairness { jain: jain(&shares) },
            manifest: ManifestSummary {
                version: VERSION,
                seed: manifest.seed,
                jitter_s: manifest.jitter.secs(),
                duration_s: duration.secs(),
                scenario,
                scenario_hash,
                events: manifest.events,
            },
        };
        by_row::write(&summary, out)
    }

    /// A table: one of [`Results::TABLES`], or a trace that was asked for.
    pub fn table(&self, name: &str) -> Option<Cow<'_, Table>> {
        Some(Cow::Owned(match name {
            "flows" => flows_table(&self.flows),
            "links" => links_table(&self.links),
            "loss_reactions" => {
                loss_reactions_table(self.flows.iter().map(|flow| flow.loss_reactions.as_slice()))
            }
            "video" => video_table(self.flows.iter().map(|flow| flow.video.as_slice())),
            "gateways" => gateways_table(&self.gateways),
            "stations" => stations_table(&self.radio.stations),
            "ues" => ues_table(&self.radio.ues),
            "cells" => cells_table(&self.radio.cells),
            trace => return self.traces.get(trace).map(Cow::Borrowed),
        }))
    }
}

/// A flow's video, and how it is judged; `None` where it is none.
fn video(given: &model::Flow, flow: &mut Flow) -> Option<(EvalVid, Judging)> {
    let (FlowKind::Tcp { data: Data::Written(source), .. } | FlowKind::Udp { source, .. }) = &given.kind
    else {
        return None;
    };
    let Source::Video { video, judging } = source else { return None };
    let (log, header) = flow.video()?;
    let frames = Arc::clone(&video.frames);
    Some((EvalVid { flow: given.name.clone(), frames, packet: video.packet, log, header }, *judging))
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
    wifi: &'a [WifiSummary],
    stations: &'a [StationSummary],
    lte: &'a [LteSummary],
    ues: &'a [UeSummary],
    cells: &'a [CellSummary],
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
