//! Construction of a world, ready to run, from a checked scenario.

use crate::arrived::Arrived;
use crate::burst::Burst;
use crate::flow::{Connection, Datagrams, Flow, Kernel, Kind, Stacked, Writing};
use crate::links;
use crate::losses::FlowLosses;
use crate::model::{self, FlowKind, Scenario};
use crate::network::{Links, Network, mark_followers};
use crate::paths::Paths;
use crate::proxies::Proxies;
use crate::radios::Radios;
use crate::sessions::state::{Alone, Query, Sessions};
use crate::world::World;
use base::{Duration, Ecn, FlowId, Instant, NodeId, Probe, Rng};
use metrics::{CrossingSubject, DropSequences, FlowStats, FlowSubject, LinkSubject, Subjects, WriteStats};
use net::wire::Pool;
use std::collections::BTreeMap;
use std::sync::Arc;
use tcp::config::{Syn, TickPhase};
use traffic::sessions;

/// Returns the names and properties of nodes, links, radio crossings and flows, for traces.
pub(crate) fn subjects(scenario: &Scenario) -> Subjects {
    let node = |index: usize| NodeId(index as u32);
    let links = scenario.links.iter().flat_map(|link| {
        let [a, b] = link.ends;
        [LinkSubject { from: node(a), to: node(b) }, LinkSubject { from: node(b), to: node(a) }]
    });
    let flows = scenario.flows.iter().map(|flow| flow_subject(flow, &scenario.addresses));
    let Scenario { nodes, radios, .. } = scenario;
    let mut crossings = Vec::new();
    if !radios.is_empty() {
        // If a flow has no path, the run fails before it begins.
        let paths = Paths::new(nodes.len(), &scenario.links, radios, &scenario.flows).unwrap_or_default();
        crossings.extend(paths.ways.iter().map(|way| {
            let [from, to] = way.ends.map(|station| node(radios[way.radio].stations[station]));
            CrossingSubject { network: way.radio as u32, ends: LinkSubject { from, to } }
        }));
    }
    let networks = radios.iter().map(|radio| radio.name.clone()).collect();
    Subjects { nodes: nodes.clone(), networks, links: links.collect(), crossings, flows: flows.collect() }
}

/// Returns the name and properties of a flow, for traces.
pub(crate) fn flow_subject(flow: &model::Flow, addresses: &[Option<[u8; 4]>]) -> FlowSubject {
    let node = |index: usize| NodeId(index as u32);
    let subject = FlowSubject {
        name: flow.name.clone(),
        from: node(flow.from),
        to: node(flow.to),
        addresses: [flow.from, flow.to].map(|node| addresses[node]),
        start: flow.start,
        stop: flow.stop,
        datagrams: true,
        packet_numbers: true,
        segment: flow.traffic.largest(),
        first_data: 0,
        size: None,
        handshake: false,
        timestamps: false,
        sack: false,
        receive_window: None,
    };
    let (tcp, packet_numbers) = match &flow.kind {
        FlowKind::Tcp { tcp, packet_numbers, .. } => (tcp, packet_numbers),
        FlowKind::Udp => return subject,
        FlowKind::Quic(_) | FlowKind::Stack(_) => {
            let segment = flow.kind.stack().map_or(subject.segment, |about| about.largest);
            return FlowSubject { segment, size: flow.traffic.size(), ..subject };
        }
        FlowKind::Outside(protocol) => {
            let datagrams = *protocol != Some(base::ip::protocol::TCP);
            let segment = crate::outside::state::SEGMENT;
            return FlowSubject { segment, datagrams, packet_numbers: datagrams, ..subject };
        }
        FlowKind::Kernel(_) => {
            return FlowSubject {
                datagrams: false,
                packet_numbers: false,
                segment: uml::SEGMENT,
                size: flow.traffic.size(),
                ..subject
            };
        }
    };
    let window = tcp.windows.receive_window;
    FlowSubject {
        datagrams: false,
        packet_numbers: *packet_numbers,
        segment: tcp.sizes.segment,
        first_data: tcp.first_payload(),
        size: flow.traffic.size(),
        handshake: tcp.connection.syn == Syn::Handshake,
        timestamps: tcp.options.timestamps,
        sack: tcp.acks.sack_blocks > 0,
        receive_window: window.is_finite().then(|| (window * f64::from(tcp.sizes.segment)) as u64),
        ..subject
    }
}

/// Builds the world. The start of each flow is its time in the scenario plus a random delay, uniform on `[0, jitter)`.
///
/// # Errors
/// The index of a flow without a path between its ends.
pub(crate) fn world<P: Probe>(
    scenario: &Scenario,
    seed: u64,
    jitter: Duration,
    probe: P,
) -> Result<World<P>, usize> {
    let end = Instant::ZERO + scenario.duration;
    let hops = links::build(scenario, seed);
    let Scenario { nodes, links, radios, flows, .. } = scenario;
    let mut paths = Paths::new(nodes.len(), links, radios, flows).map_err(|e| e.pair / 2)?;
    let proxies = Proxies::build(scenario, seed, &mut paths);
    let radios = Radios::build(scenario, seed, &mut paths);
    let routes = paths.routes;
    let stepped: Vec<bool> = hops.iter().map(|hop| hop.link.is_stepped()).collect();
    let flows = (0..scenario.flows.len()).map(|i| {
        let there = routes.starts[2 * i];
        let back = routes.starts[2 * i + 1];
        build_flow(scenario, i, [there, back], seed, jitter)
    });
    let links = Links {
        hops,
        losses: vec![FlowLosses::default(); scenario.flows.len()],
        drops: DropSequences::default(),
        held: None,
        routes: mark_followers(routes.hops, &stepped),
        end,
    };
    let mut network = Network { links, radios, flying: Pool::default() };
    let mut flows: Vec<Flow> = flows.collect();
    join_queries(&mut flows);
    for at in Proxies::acknowledged(scenario) {
        if let Kind::Tcp(connection) = &mut flows[at.index()].kind {
            connection.round_trips.cut = true;
        }
    }
    if P::PACKETS || P::VARIABLES {
        for flow in &mut flows {
            if let Kind::Tcp(connection) = &mut flow.kind {
                connection.sender.observe();
            }
        }
    }
    proxies.watch(scenario, &mut network);
    let custom = scenario.flows.iter().any(|flow| match &flow.kind {
        FlowKind::Tcp { tcp, receiver, .. } => {
            [tcp, receiver].iter().any(|end| end.control.custom().is_some())
        }
        _ => false,
    });
    let changing = scenario.changes.iter().flat_map(|change| &change.directions);
    let streams = changing.map(|&(link, _)| (link, scenario.links[link].streams(link))).collect();
    Ok(World {
        stated_flows: flows.len() as u32,
        flows,
        network,
        proxies,
        changes: scenario.changes.clone(),
        streams,
        seed,
        probe,
        custom,
        stack_failed: false,
        gate: None,
        burst: Burst::default(),
        elided_events: 0,
        requests: None,
    })
}

/// Joins the flows that answer the same queries.
fn join_queries(flows: &mut [Flow]) {
    let mut queries: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, flow) in flows.iter().enumerate() {
        if let Kind::Sessions(sessions) = &flow.kind
            && let Some(query) = &sessions.config.query
        {
            queries.entry(query.clone()).or_default().push(at);
        }
    }
    for members in queries.values() {
        for &at in members {
            if let Kind::Sessions(sessions) = &mut flows[at].kind {
                sessions.query = Some(Query::new(members[0] as u32, members.len() as u32));
            }
        }
    }
}

/// Creates the state of the sessions of flow number `index`.
fn sessions(
    scenario: &Scenario,
    index: usize,
    config: &sessions::Config,
    seed: u64,
) -> Option<Box<Sessions>> {
    let flow = &scenario.flows[index];
    let FlowKind::Tcp { tcp, .. } = &flow.kind else { return None };
    let streams = flow.streams(index);
    let phase = match tcp.timers.tick_phase {
        TickPhase::At(phase) => phase,
        TickPhase::Random => {
            Rng::stream(seed, &format!("{streams}.clock")).duration_below(tcp.timers.clock_tick)
        }
    };
    let arrivals = config.query.as_ref().map_or_else(|| streams.clone(), |query| format!("query.{query:?}"));
    let arrivals = Rng::stream(seed, &format!("{arrivals}.arrivals"));
    let mut halves = [Arc::clone(tcp), Arc::clone(tcp)];
    if config.request.is_some() {
        // The flow of requests (`halves[1]`) opens the connection, so the flow of responses sends no SYN.
        let mut opened = tcp::Config::clone(tcp);
        opened.connection.syn = Syn::None;
        halves[0] = Arc::new(opened);
    }
    let alone = Alone::new(scenario, flow, &halves, seed);
    Some(Box::new(Sessions::new(config, streams, halves, phase, arrivals, alone)))
}

fn build_flow(
    scenario: &Scenario,
    index: usize,
    [there, back]: [u32; 2],
    seed: u64,
    jitter: Duration,
) -> Flow {
    let flow = &scenario.flows[index];
    let streams = flow.streams(index);
    let stream = |what: &str| Rng::stream(seed, &format!("{streams}.{what}"));
    let source = flow.traffic.source(stream("source"));
    let video = flow.traffic.video().map(|_| metrics::VideoLog::default());
    let start = flow.start + jitter_of(flow, &streams, seed).duration_below(jitter);
    if let Some(sessions) = flow.traffic.sessions().and_then(|config| sessions(scenario, index, config, seed))
    {
        return placed(flow, index, [there, back], start, Kind::Sessions(sessions));
    }
    let kind = match (&flow.kind, source) {
        (FlowKind::Tcp { tcp, receiver, .. }, source) => {
            let phase = match tcp.timers.tick_phase {
                TickPhase::At(phase) => phase,
                TickPhase::Random => stream("clock").duration_below(tcp.timers.clock_tick),
            };
            let mut sender = tcp::Sender::new(tcp, phase);
            sender.set_rng(stream("control"));
            if !tcp.timers.send_overhead.is_zero() {
                sender.set_overhead_rng(stream("overhead"));
            }
            let mut connection = Connection::new(sender, tcp::Receiver::new(receiver));
            connection.size = flow.traffic.size();
            connection.writing =
                source.map(|source| Box::new(Writing { source, stats: WriteStats::new(video) }));
            Kind::Tcp(Box::new(connection))
        }
        (FlowKind::Quic(table), _) => {
            let ends = quic::ends(table, stream("quic"));
            Kind::Stack(Stacked::boxed(table.variant.about(), ends, flow.traffic.size()))
        }
        (FlowKind::Stack(custom), _) => {
            Kind::Stack(Stacked::boxed(custom.about(), custom.ends(stream("stack")), flow.traffic.size()))
        }
        (FlowKind::Kernel(table), _) => {
            let seed = stream("kernel").bits();
            let lasts = flow.stop.since(start);
            Kind::Kernel(Box::new(Kernel::new(uml::Transfer::new(*table, flow.traffic.size(), lasts, seed))))
        }
        (FlowKind::Outside(_), _) => Kind::Outside(Box::default()),
        (FlowKind::Udp, None) => unreachable!("a file goes over TCP"),
        (FlowKind::Udp, Some(source)) => Kind::Udp(Box::new(Datagrams {
            source,
            header: flow.traffic.header(),
            video,
            next: 0,
            arrived: Arrived::default(),
            ecn: if flow.traffic.ecn() { Ecn::Ect0 } else { Ecn::NotEct },
        })),
    };
    placed(flow, index, [there, back], start, kind)
}

/// Returns the random stream of the delay of a flow's start. Flows that answer the same queries start together.
fn jitter_of(flow: &model::Flow, streams: &str, seed: u64) -> Rng {
    let query = flow.traffic.sessions().and_then(|config| config.query.as_ref());
    let name = query.map_or_else(|| streams.to_owned(), |query| format!("query.{query:?}"));
    Rng::stream(seed, &format!("{name}.jitter"))
}

fn placed(flow: &model::Flow, index: usize, [there, back]: [u32; 2], start: Instant, kind: Kind) -> Flow {
    Flow {
        id: FlowId(index as u32),
        from: NodeId(flow.from as u32),
        to: NodeId(flow.to as u32),
        start,
        stop: flow.stop,
        class: flow.class,
        there,
        back,
        stats: FlowStats::default(),
        kind,
    }
}
