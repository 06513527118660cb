//! Conversion of a checked scenario to a scenario file with every parameter filled in and the same meaning.

mod links;
mod lte;
mod shared;
mod wifi;

pub use shared::describe_shared;

use super::wire::{Event, File, Flow, Link, Node};
use crate::model::{self, Change, ChangeKind, FlowKind, Scenario, Start};
use base::Instant;
use links::{link, loss, rate};
use settings::Setting;
use std::net::Ipv4Addr;

/// Returns the scenario as JSON with every parameter given, as reports and manifests show it; it can be run again.
pub fn describe(scenario: &Scenario) -> String {
    let (links, flows) = (scenario.links.iter(), scenario.flows.iter());
    file(
        scenario,
        links.map(|l| link(l, &scenario.nodes)).collect(),
        flows.map(|f| Flow { tcp: tcp(f), ..flow(f, &scenario.nodes) }).collect(),
    )
    .write()
    .to_json()
}

/// Returns the file with `link` and `flow` as its links and flows.
fn file(scenario: &Scenario, link: Vec<Link>, flow: Vec<Flow>) -> File {
    File {
        duration: scenario.duration,
        seed: scenario.seed,
        allow: Vec::new(),
        node: (0..scenario.nodes.len()).map(|at| node(at, scenario)).collect(),
        wifi: wifi::networks(scenario),
        lte: lte::networks(scenario),
        link,
        flow,
        control: scenario.controls.clone(),
        controls: tcp::congestion::Controls::default(),
        event: scenario.changes.iter().flat_map(|c| events(c, scenario)).collect(),
    }
}

fn node(at: usize, scenario: &Scenario) -> Node {
    let gateway = scenario.gateways.iter().find(|g| g.node == at).map(|g| g.config.clone());
    let address = scenario.addresses[at].map(|octets| Ipv4Addr::from(octets).to_string());
    let mut node = Node { gateway, address, ..Node::named(&scenario.nodes[at]) };
    if let Some(place) = &scenario.places[at] {
        node.mobility.clone_from(&place.mobility);
        match &place.start {
            // The movement file gives the initial position.
            Start::At(_) if place.mobility.as_ref().is_some_and(|said| said.track().is_some()) => {}
            Start::At(at) => node.position = Some(*at),
            Start::Drawn(from) => node.placement = Some(from.clone()),
        }
    }
    node
}

/// Returns the table of a flow without its table `tcp`.
fn flow(flow: &model::Flow, nodes: &[String]) -> Flow {
    let time = |at: Instant| at.since(Instant::ZERO);
    Flow {
        name: Some(flow.name.clone()),
        from: nodes[flow.from].clone(),
        to: nodes[flow.to].clone(),
        count: None,
        step: None,
        start: time(flow.start),
        stop: Some(time(flow.stop)),
        traffic: traffic::Config::clone(&flow.traffic),
        class: flow.class,
        access_category: (flow.category != ::wifi::edca::AccessCategory::default()).then_some(flow.category),
        tcp: None,
        quic: match &flow.kind {
            FlowKind::Quic(table) => Some(*table),
            _ => None,
        },
        stack: match &flow.kind {
            FlowKind::Stack(custom) => Some(stack::Table::of(custom)),
            _ => None,
        },
        kernel: match &flow.kind {
            FlowKind::Kernel(table) => Some(*table),
            _ => None,
        },
    }
}

/// Returns the table `tcp` of a flow; `None` if it runs over something else.
fn tcp(flow: &model::Flow) -> Option<tcp::Table> {
    match &flow.kind {
        FlowKind::Tcp { variant, tcp, .. } => Some(tcp::Table::of(variant, tcp)),
        _ => None,
    }
}

/// Returns the events that describe a change: one for both directions of a link, or one for the direction that
/// changes.
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
