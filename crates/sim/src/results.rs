//! Results of a run: a summary, tables, and the requested traces.

mod radio;

use crate::flow::{Flow, Kind};
use crate::model::{self, Scenario};
use crate::network::{Hop, Network};
use crate::proxies::Proxies;
use crate::scenario::Document;
use crate::summary_json;
use crate::timing::Timing;
use base::{Duration, Instant};
use metrics::radio::{CellSummary, LteSummary, StationSummary, UeSummary, WifiSummary};
use metrics::row::Declared;
use metrics::{
    CompletionSummary, DropDigest, EvalVid, FlowIdentity, FlowSummary, GatewaySummary, Judging, Kept,
    LinkSummary, LossReaction, Recording, Row, SessionsSummary, Table, Tables, Trace, TraceFiles,
    VideoSummary, jain,
};
use radio::Radio;
use serde::{Serialize, Serializer};
use settings::json::Sorted;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::OnceLock;

/// Version of the simulator; with scenario and seed it makes a run repeatable.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Description of a run, from which it can be repeated.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub seed: u64,
    pub jitter: Duration,
    /// Scenario as it was read.
    pub document: Document,
    pub events: u64,
    /// Number of interventions of a program ([`crate::Simulation::steered`]). If it is above zero, the
    /// manifest alone cannot repeat the run.
    pub steered: u64,
}

/// Results of a run. They depend on the scenario, the run's options and the version alone, except
/// [`Results::timing`], unless the run was steered.
///
/// Rows of numbers are kept. Text and tables are several times as large, and are made on demand.
#[derive(Debug)]
pub struct Results {
    flows: Vec<FlowSummary>,
    given_up: Vec<GivenUp>,
    links: Vec<LinkSummary>,
    gateways: Vec<GatewaySummary>,
    radio: Radio,
    drops: DropDigest,
    manifest: Manifest,
    /// Hash of the scenario, once a summary has been written.
    scenario_hash: OnceLock<String>,
    duration: Duration,
    /// Requested traces that are tables, by name.
    pub traces: Tables,
    /// Requested traces that are files.
    pub files: BTreeMap<Trace, Box<dyn TraceFiles>>,
    /// Number of events handled.
    pub events: u64,
    /// Wall-clock and processor time of the run; for information, not part of the results.
    pub timing: Timing,
}

/// A connection that its stack ended before the end of the run and of its data.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenUp {
    /// Name of the flow.
    pub flow: String,
    /// Name of the stack.
    pub stack: &'static str,
    /// Time of the flow's last packet, seconds.
    pub at_s: f64,
    /// Reason that the stack gave.
    pub reason: String,
}

/// State of a run that has ended.
pub(crate) struct Ended {
    pub network: Network,
    pub flows: Vec<Flow>,
    pub proxies: Proxies,
    pub recording: Recording,
    /// Logs of videos, if their traces were requested.
    pub videos: Option<Vec<EvalVid>>,
}

impl Results {
    pub(crate) fn new(scenario: &Scenario, mut ended: Ended, manifest: Manifest, timing: Timing) -> Self {
        ended.network.finish();
        let (flows, given_up) = flow_rows(scenario, &mut ended);
        let delivered: Vec<u64> = flows.iter().map(|row| row.delivered_bytes).collect();
        let Ended { network, proxies, mut recording, videos, .. } = ended;
        if let Some(videos) = videos {
            recording.files.insert(Trace::EvalVid, Box::new(videos));
        }
        Self {
            flows,
            given_up,
            links: link_rows(scenario, &network),
            gateways: proxies.summaries(scenario, &delivered),
            radio: Radio::new(scenario, &network.radios),
            drops: network.links.drops.digest(),
            events: manifest.events,
            manifest,
            scenario_hash: OnceLock::new(),
            duration: scenario.duration,
            traces: recording.tables,
            files: recording.files,
            timing,
        }
    }

    /// Returns a row for each flow, in the order of the scenario.
    pub fn flows(&self) -> &[FlowSummary] {
        &self.flows
    }

    /// Returns a row for each direction of each link.
    pub fn links(&self) -> &[LinkSummary] {
        &self.links
    }

    /// Returns the results as JSON, as they are serialized, with one line for each flow and link.
    pub fn summary(&self) -> String {
        let mut out = Vec::new();
        // Writing to a vector cannot fail, and JSON is valid UTF-8.
        self.write_summary(&mut out).unwrap_or_default();
        String::from_utf8(out).unwrap_or_default()
    }

    /// Writes the text of [`Results::summary`] to `out` without keeping it in memory.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write_summary(&self, out: impl Write) -> io::Result<()> {
        summary_json::write(self, out)
    }

    /// Returns the stalled flows, each with the time (s) of its last segment. A stalled flow has data to send but no
    /// outstanding data and no timer, so that it would never send again. That is a fault of the simulator, whatever
    /// the scenario. Connections that a stack ended ([`Results::given_up`]) are not among them.
    pub fn stalled(&self) -> impl Iterator<Item = (&str, f64)> {
        let ended = |name: &str| self.given_up.iter().any(|one| one.flow == name);
        let stalled = self.flows.iter().filter_map(|flow| Some((flow.name.as_str(), flow.stalled_s?)));
        stalled.filter(move |(name, _)| !ended(name))
    }

    /// Returns the connections that a stack ended before the end of the run and of their data.
    pub fn given_up(&self) -> &[GivenUp] {
        &self.given_up
    }

    /// Returns the names of this run's tables: those that every run has, then the requested traces.
    pub fn tables(&self) -> impl Iterator<Item = &'static str> {
        TABLES.iter().map(|(declared, _)| declared.name).chain(self.traces.keys().copied())
    }

    /// Returns the name of each trace with the space that it takes.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&'static str, Kept)> {
        let tables = self.traces.iter().map(|(name, table)| (*name, table.kept()));
        tables.chain(self.files.iter().map(|(trace, files)| (trace.name(), files.kept())))
    }

    /// Returns a table of [`Results::tables`], by name.
    pub fn table(&self, name: &str) -> Option<Cow<'_, Table>> {
        if let Some((_, rows)) = TABLES.iter().find(|(declared, _)| declared.name == name) {
            return Some(Cow::Owned(rows(self)));
        }
        self.traces.get(name).map(Cow::Borrowed)
    }
}

/// The summary of the run: flows, links, fairness and manifest.
impl Serialize for Results {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { flows, links, gateways, radio, drops, manifest, duration, .. } = self;
        let scenario_hash = self.scenario_hash.get_or_init(|| scenario_hash(&manifest.document));
        let shares: Vec<f64> = flows.iter().map(|row| row.goodput_bps).collect();
        let summary = Summary {
            schema_version: SCHEMA_VERSION,
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
                scenario: manifest.document.canonical(),
                scenario_hash,
                events: manifest.events,
                drop_digest: *drops,
                steered: manifest.steered,
            },
        };
        summary.serialize(serializer)
    }
}

/// Function that makes a table of a run.
type Rows = fn(&Results) -> Table;

/// Tables that every run has, each with the function that makes it.
const TABLES: [(Declared, Rows); 10] = [
    (FlowSummary::TABLE, |run| FlowSummary::table(&run.flows)),
    (LinkSummary::TABLE, |run| LinkSummary::table(&run.links)),
    (LossReaction::TABLE, |run| LossReaction::table(run.flows.iter().flat_map(|flow| &flow.loss_reactions))),
    (VideoSummary::TABLE, |run| VideoSummary::table(run.flows.iter().flat_map(|flow| &flow.video))),
    (SessionsSummary::TABLE, |run| SessionsSummary::table(run.flows.iter().flat_map(|flow| &flow.sessions))),
    (CompletionSummary::TABLE, |run| {
        CompletionSummary::table(run.flows.iter().flat_map(|flow| &flow.completions))
    }),
    (GatewaySummary::TABLE, |run| GatewaySummary::table(&run.gateways)),
    (StationSummary::TABLE, |run| StationSummary::table(&run.radio.stations)),
    (UeSummary::TABLE, |run| UeSummary::table(&run.radio.ues)),
    (CellSummary::TABLE, |run| CellSummary::table(&run.radio.cells)),
];

/// Number of flows whose memory is freed at a time.
const FREED: usize = 4096;

/// Returns a row for each flow, and the connections that a stack has given up. Flows are freed from the last one on, so
/// that rows reuse their memory.
fn flow_rows(scenario: &Scenario, ended: &mut Ended) -> (Vec<FlowSummary>, Vec<GivenUp>) {
    let mut given_up = Vec::new();
    let end = Instant::ZERO + scenario.duration;
    let Ended { network, flows, proxies, videos, .. } = ended;
    let balances = proxies.balances(scenario);
    let row = |mut flow: Flow| {
        let (given, relayed) = (&scenario.flows[flow.id.index()], balances[flow.id.index()]);
        flow.finish(end);
        given_up.extend(gave_up(&flow, &given.name));
        let losses = std::mem::take(&mut network.links.losses[flow.id.index()]);
        flow.stats.relayed_packets = relayed;
        flow.stats.lost = losses.forward;
        flow.stats.lost_acks = losses.acks;
        flow.stats.marked_packets = losses.marked;
        flow.stats.duplicated_packets = losses.duplicated;
        let number = flow.id.0;
        let identity = FlowIdentity {
            name: given.name.clone(),
            variant: given.kind.variant().to_owned(),
            from: scenario.nodes[given.from].clone(),
            to: scenario.nodes[given.to].clone(),
            size: given.traffic.size(),
            start: flow.start,
            interval: flow.stop.min(end).since(flow.start),
        };
        let reactions = losses.reactions.summary(number);
        let mut row = FlowSummary::new(number, identity, &flow.stats, flow.written(), reactions);
        if let Kind::Sessions(sessions) = &flow.kind {
            row.sessions = vec![sessions.stats.summary(number)];
            row.completions = sessions.stats.completions(number);
        }
        if let Some((traces, judging)) = video(given, &mut flow) {
            row.video = metrics::video::summarise(number, &traces.frames, &traces.log, judging);
            if let Some(videos) = videos {
                videos.push(traces);
            }
        }
        row
    };
    let mut rows = Vec::with_capacity(flows.len());
    rows.extend(
        std::iter::from_fn(|| {
            if flows.len() % FREED == 0 {
                flows.shrink_to_fit();
            }
            flows.pop()
        })
        .map(row),
    );
    rows.reverse();
    given_up.reverse();
    videos.iter_mut().for_each(|videos| videos.reverse());
    (rows, given_up)
}

/// Returns the reason for which the stack of `flow`, called `name`, ended its connection; `None` if it did not.
fn gave_up(flow: &Flow, name: &str) -> Option<GivenUp> {
    let Kind::Stack(connection) = &flow.kind else { return None };
    let reason = connection.transfer.failed()?.to_owned();
    let at_s = flow.stats.stalled?.secs();
    Some(GivenUp { flow: name.to_owned(), stack: connection.transfer.about().name, at_s, reason })
}

/// Returns a row for each direction of each link.
fn link_rows(scenario: &Scenario, network: &Network) -> Vec<LinkSummary> {
    let end = Instant::ZERO + scenario.duration;
    let row = |(i, hop): (usize, &Hop)| {
        let [a, b] = scenario.links[i / 2].ends;
        let (from, to) = if i % 2 == 0 { (a, b) } else { (b, a) };
        let name = format!("{}>{}", scenario.nodes[from], scenario.nodes[to]);
        let link = scenario.links[i / 2].name.clone().unwrap_or_default();
        let mut summary = LinkSummary::new(name, link, &hop.stats, hop.link.ties(), end);
        // A link with a rate trace transmits at instants, so that its utilisation is a share of bytes instead of
        // time.
        if let Some(capacity) = hop.link.stepped().and_then(|stepped| stepped.capacity(end)) {
            summary.utilisation = hop.stats.sent_bytes as f64 / (capacity.max(1)) as f64;
        }
        summary
    };
    network.links.hops.iter().enumerate().map(row).collect()
}

/// Returns the log of a flow's video with the settings of its evaluation; `None` if the flow sends no video.
fn video(given: &model::Flow, flow: &mut Flow) -> Option<(EvalVid, Judging)> {
    let video = given.traffic.video()?;
    let (log, header) = flow.video()?;
    let judging = Judging { playout: video.playout, quality: video.quality, motion: video.motion };
    let frames = video.frames();
    Some((EvalVid { flow: given.name.clone(), frames, packet: video.packet, log, header }, judging))
}

/// Returns the hash of a scenario: SHA-256 of its canonical document, in hexadecimal. Files that the scenario names
/// count by their content, not by their names.
pub fn scenario_hash(document: &Document) -> String {
    let mut hash = BufWriter::new(Sha256::new());
    // A hash takes any bytes.
    document.write_identity(&mut hash).unwrap_or_default();
    let digest = hash.into_inner().map(Sha256::finalize).unwrap_or_default();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Version of the form of a run's JSON; `ackclock schema run` prints the JSON Schema. The version rises when a field is
/// removed or renamed.
const SCHEMA_VERSION: u32 = 1;

/// Summary of a run, in the order in which it is written.
#[derive(Serialize)]
struct Summary<'a> {
    schema_version: u32,
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
    scenario: Sorted<'a>,
    scenario_hash: &'a str,
    events: u64,
    drop_digest: DropDigest,
    #[serde(skip_serializing_if = "is_zero")]
    steered: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_table_has_rows() {
        let names = TABLES.map(|(declared, _)| declared.name);
        assert_eq!(names, metrics::glossary::RESULTS.map(|declared| declared.name));
    }
}
