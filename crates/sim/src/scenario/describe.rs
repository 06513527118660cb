//! A checked scenario written back with every parameter filled in: itself a scenario, of the same meaning.

mod links;
mod lte;
mod routing;
mod wifi;

use super::files::frames_text;
use super::wire::declared::{Declared, Legacy};
use super::wire::gateway::{FarSide, Gateway, Snoop};
use super::wire::places::{Disc, Grid, Place, Placement, Rectangle, Spacing as Gaps, Uniform};
use super::wire::scalar::{Rate, Size, Time};
use super::wire::traffic::{
    Cbr, Distribution, DistributionName, Ftp, OnOff, Spacing, Traffic, Transport, TransportName, Video,
};
use super::wire::{Event, File, Flow, Node};
use crate::model::{self, Change, ChangeKind, Data, FlowKind, Scenario, Start};
use base::{Bytes, Instant};
use gateway::Kind;
use links::{link, loss, rate};
use radio::{mobility, placement};
use settings::Setting;

/// The scenario as JSON, every parameter given: what reports and manifests show. It can be run again as it stands.
pub fn describe(scenario: &Scenario) -> String {
    file(scenario).write().to_json()
}

fn file(scenario: &Scenario) -> File {
    let name = |node: usize| scenario.nodes[node].clone();
    File {
        duration: scenario.duration,
        seed: scenario.seed,
        node: (0..scenario.nodes.len()).map(|at| node(at, scenario)).collect(),
        wifi: wifi::networks(scenario),
        lte: lte::networks(scenario),
        link: scenario.links.iter().map(|l| link(l, &scenario.nodes)).collect(),
        flow: scenario.flows.iter().map(|f| flow(f, name(f.from), name(f.to))).collect(),
        event: scenario.changes.iter().flat_map(|c| events(c, scenario)).collect(),
    }
}

fn node(at: usize, scenario: &Scenario) -> Node {
    let gateway = scenario.gateways.iter().find(|g| g.node == at).map(|g| {
        let buffer = Some(Size(Bytes(g.buffer)));
        let tcp = (g.far != tcp::Table::default()).then(|| Declared(g.far.clone()));
        match g.kind {
            Kind::Intelligent => Gateway::Intelligent(FarSide { buffer, variant: None, tcp }),
            Kind::Split => Gateway::Split(FarSide { buffer, variant: None, tcp }),
            Kind::Snoop => Gateway::Snoop(Snoop { buffer, min_timeout: Some(Time(g.min_timeout)) }),
        }
    });
    let mut node = Node { gateway: gateway.map(Legacy), ..Node::named(&scenario.nodes[at]) };
    if let Some(place) = &scenario.places[at] {
        node.mobility = place.given.clone().map(Legacy);
        match place.start {
            // The file of a movement says where it begins.
            Start::At(_) if matches!(place.mobility, mobility::Config::Track(_)) => {}
            Start::At(at) => node.position = Some(Legacy(Place(at))),
            Start::Drawn(ref from) => node.placement = Some(Legacy(placement(from))),
        }
    }
    node
}

fn placement(from: &placement::Config) -> Placement {
    match *from {
        placement::Config::Grid { origin, columns, spacing } => {
            let (spacing, origin) = (Gaps(spacing), Some(Place(origin)));
            Placement::Grid(Grid { columns, spacing, index: Some(0), origin })
        }
        placement::Config::Disc { centre, radius } => {
            Placement::Disc(Disc { radius, center: Some(Place(centre)) })
        }
        placement::Config::Uniform { bounds, z } => {
            Placement::Uniform(Uniform { bounds: Rectangle(bounds), height: Some(z) })
        }
    }
}

fn flow(flow: &model::Flow, from: String, to: String) -> Flow {
    let time = |at: Instant| at.since(Instant::ZERO);
    let (traffic, tcp) = match &flow.kind {
        FlowKind::Tcp { data, variant, tcp, receiver: _, packet_numbers: _ } => {
            let traffic = match data {
                Data::File { size } => Traffic::Ftp(Ftp { size: size.map(Size) }),
                Data::Written(from) => source(from, TransportName::Tcp, None, None),
            };
            (traffic, Some(tcp::Table::of(variant, tcp)))
        }
        FlowKind::Udp { source: from, header, ecn } => {
            (source(from, TransportName::Udp, Some(bytes(*header)), Some(*ecn)), None)
        }
    };
    Flow {
        name: Some(flow.name.clone()),
        from,
        to,
        start: time(flow.start),
        stop: Some(time(flow.stop)),
        traffic: Some(Legacy(traffic)),
        class: flow.class,
        access_category: (flow.category != ::wifi::edca::AccessCategory::default()).then_some(flow.category),
        tcp,
    }
}

fn source(
    from: &model::Source,
    transport: TransportName,
    header: Option<Size>,
    ecn: Option<bool>,
) -> Traffic {
    let transport = Some(Transport(transport));
    let from = match from {
        model::Source::Paced(paced) => paced,
        model::Source::Video { video, judging } => {
            return Traffic::Video(Video {
                frames: Some(frames_text(&video.frames)),
                repeat: video.repeat.map(Time),
                packet: video.packet.map(bytes),
                transport,
                header,
                ecn,
                playout: judging.playout.map(Time),
                quality: Some(judging.quality),
                motion: Some(judging.motion),
                ..Video::default()
            });
        }
    };
    let (rate, packet, spacing) = (Rate(from.rate), Size(from.packet), Some(Spacing(from.spacing)));
    let Some(bursts) = from.on_off else {
        return Traffic::Cbr(Cbr { rate, packet, transport, header, spacing, ecn });
    };
    let (name, shape) = match bursts.distribution {
        model::Distribution::Constant => (DistributionName::Constant, None),
        model::Distribution::Exponential => (DistributionName::Exponential, None),
        model::Distribution::Pareto(shape) => (DistributionName::Pareto, Some(shape)),
    };
    let (on, off, distribution) = (Time(bursts.on), Time(bursts.off), Some(Distribution(name)));
    Traffic::OnOff(OnOff { rate, packet, transport, header, spacing, ecn, on, off, distribution, shape })
}

fn bytes(n: u32) -> Size {
    Size(Bytes(n.into()))
}

/// A change as events: one where it names both directions or one of them.
fn events(change: &Change, scenario: &Scenario) -> Vec<Event> {
    let at = change.at.since(Instant::ZERO);
    if let ChangeKind::Gateway { gateway, up } = &change.what {
        let node = &scenario.nodes[scenario.gateways[*gateway].node];
        return vec![Event { at, set: format!("node.{node}.gateway.up"), to: (*up).into() }];
    }
    let one = |link: usize, direction: &str| {
        let (property, to): (&str, settings::Node) = match &change.what {
            ChangeKind::Rate(to) => ("rate", rate(to).write()),
            ChangeKind::Delay(delay) => ("delay", delay.write()),
            ChangeKind::Up(up) | ChangeKind::Gateway { up, .. } => ("up", (*up).into()),
            ChangeKind::Losses(losses) => {
                ("loss", losses.iter().map(|l| loss(l, None)).collect::<Vec<_>>().write())
            }
            ChangeKind::Queue(q) => ("queue", q.write()),
        };
        Event { at, set: format!("link.{link}.{direction}{property}"), to }
    };
    match change.directions.as_slice() {
        [(a, 0), (b, 1)] if a == b && scenario.links.get(*a).is_some() => vec![one(*a, "")],
        each => {
            each.iter().map(|(link, direction)| one(*link, ["forward.", "reverse."][*direction])).collect()
        }
    }
}
