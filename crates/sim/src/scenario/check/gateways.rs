//! Checks of gateways, and the parameters of each connection on their far sides.

use super::nodes::Nodes;
use crate::model::{self, FlowKind};
use crate::paths::Paths;
use crate::scenario::ScenarioError;
use crate::scenario::wire::File;
use ::tcp::config::Misbehaviour;
use ::tcp::congestion::Controls;
use ::tcp::{Config, Table};
use gateway::Kind;
use net::routes::Routes;
use std::sync::Arc;
use traffic::Config as Traffic;

/// Parameters that decide the form of a connection's packets and the behaviour of its destination. A gateway that
/// forwards the source's packets cannot change them.
const ENDS: &[&str] = &[
    "segment",
    "header",
    "ack_size",
    "syn_size",
    "syn",
    "receive_window",
    "delayed_ack",
    "ack_every",
    "timestamps",
    "timestamps_size",
    "timestamps_on_data",
    "sack_option",
    "sack_memory",
    "fin",
];

/// Part of a connection between two gateways, or between a gateway and an end.
struct Leg {
    /// Parameters in the form of a scenario file.
    table: Table,
    variant: String,
    config: Arc<Config>,
}

/// Checks all gateways and returns them in the order of the node tables. Sets each flow's receiver to the parameters
/// of its last leg.
pub(super) fn gateways(
    file: &File,
    nodes: &Nodes,
    links: &[model::Link],
    radios: &[model::Radio],
    flows: &mut [model::Flow],
) -> Result<Vec<model::Gateway>, ScenarioError> {
    let mut gateways = Vec::new();
    for (i, node) in file.node.iter().enumerate() {
        if let Some(given) = &node.gateway {
            let path = format!("node.{i}.gateway");
            let at = nodes.find(&node.name, &path)?;
            let joined = links.iter().filter(|link| link.ends.contains(&at)).count()
                + radios.iter().filter(|radio| radio.stations.contains(&at)).count();
            if joined < 2 {
                let message =
                    format!("a gateway stands between two networks: \"{}\" is in one only", node.name);
                let allowed = "a node with two links or radio networks, or more";
                return Err(ScenarioError::new(path, message).allowed(allowed));
            }
            let mut config = given.clone();
            one_table(&mut config, &file.controls).map_err(|e| e.under(&path))?;
            let variant = String::new();
            gateways.push(model::Gateway { node: at, path, config, variant, proxies: Vec::new() });
        }
    }
    if gateways.is_empty() {
        return Ok(Vec::new());
    }
    // Every flow has a path, since the check of flows has found that its ends can reach each other.
    let paths = Paths::new(nodes.len(), links, radios, flows).unwrap_or_default();
    for (number, flow) in flows.iter_mut().enumerate() {
        let FlowKind::Tcp { variant, tcp, receiver, .. } = &mut flow.kind else { continue };
        let mut leg =
            Leg { table: Table::of(variant, tcp), variant: variant.clone(), config: Arc::clone(tcp) };
        for at in through(&paths, number) {
            let Some(gateway) = gateways.iter_mut().find(|g| g.node == at) else { continue };
            if flow.traffic.sessions().is_some() {
                let message = format!("sessions of flow \"{}\" pass through the gateway", flow.name);
                let allowed =
                    "single connections (traffic = { kind = \"ftp\" }), or a path without a gateway";
                return Err(ScenarioError::new(&gateway.path, message).allowed(allowed));
            }
            let near = Arc::clone(&leg.config);
            if let Some(far) = gateway.config.far() {
                let own = far.tcp.clone().unwrap_or_default();
                leg = beyond(gateway, &own, &leg)?;
                if own.variant.is_some() {
                    gateway.variant.clone_from(&leg.variant);
                }
            }
            if [&near, &leg.config].iter().any(|end| end.misbehaviour != Misbehaviour::default()) {
                let message = format!("the receiver of flow \"{}\" misbehaves behind the gateway", flow.name);
                let allowed = "an honest receiver, or a path without a gateway";
                return Err(ScenarioError::new(&gateway.path, message).allowed(allowed));
            }
            fits(gateway, &near, &leg.config, &flow.traffic)?;
            gateway.proxies.push(model::Proxy { flow: number, near, far: Arc::clone(&leg.config) });
        }
        *receiver = leg.config;
    }
    if let Some(idle) = gateways.iter().find(|g| g.proxies.is_empty()) {
        let message = format!("no TCP flow passes through \"{}\" both ways", nodes.name(idle.node));
        return Err(ScenarioError::new(&idle.path, message).allowed("a node within a TCP flow's path"));
    }
    Ok(gateways)
}

/// Merges the settings of the far side into one table: `variant` becomes `tcp.variant`.
fn one_table(config: &mut gateway::Config<Table>, controls: &Controls) -> Result<(), ScenarioError> {
    let kind = config.kind();
    let Some(far) = config.far_mut() else { return Ok(()) };
    let mut table = far.tcp.take().unwrap_or_default();
    if let Some(variant) = far.variant.take() {
        if table.variant.is_some() {
            let message = "the far side has one variant: here and in `tcp` are two";
            return Err(ScenarioError::new("variant", message).allowed("one of them"));
        }
        // Reports an unknown name here, where the path of `variant` is known.
        Table::preset(&variant, controls)?;
        table.variant = Some(variant);
    }
    if table.variant.is_some() {
        table.controls = controls.clone();
    }
    let owned = table.parameters.names().find(|name| ENDS.contains(name));
    if let Some(name) = owned.filter(|_| kind == Kind::Intelligent) {
        let message =
            format!("an intelligent gateway sends the flow's own packets: `{name}` is the flow's to say");
        return Err(ScenarioError::new(format!("tcp.{name}"), message)
            .allowed("parameters of a sender; or kind = \"split\""));
    }
    far.tcp = (table != Table::default()).then_some(table);
    Ok(())
}

/// Returns the leg beyond a gateway: the connection's parameters on the gateway's far side. `own` are the settings of
/// the gateway, `near` is the leg before it.
fn beyond(gateway: &model::Gateway, own: &Table, near: &Leg) -> Result<Leg, ScenarioError> {
    let mut table = own.clone();
    if gateway.config.kind() == Kind::Intelligent {
        table.parameters = table.parameters.or(&near.table.parameters.only(ENDS));
    }
    let path = format!("{}.tcp", gateway.path);
    if own.profile.is_none() {
        let mut base = near.table.clone();
        if let Some(variant) = &own.variant {
            table = table.or(&Table::preset(variant, &own.controls).map_err(|e| e.under(&path))?);
            // Parameters of the flow's congestion control do not apply to another variant.
            base.parameters.remove("control");
            if near.config.acks.sack_blocks == 0 {
                base.parameters.remove("sack_blocks");
            }
        }
        table = table.or(&base);
    } else if own.variant.is_none() {
        table.variant.clone_from(&near.table.variant);
        table.parameters = table.parameters.or(&near.table.parameters.only(&["control"]));
    }
    let (variant, mut config) = table.resolve().map_err(|e| e.under(&path))?;
    if gateway.config.kind() == Kind::Intelligent {
        // The destination sends SACK blocks if either side uses them.
        config.acks.sack_blocks = config.acks.sack_blocks.max(near.config.acks.sack_blocks);
    }
    Ok(Leg { table: Table::of(&variant, &config), variant, config: Arc::new(config) })
}

/// Checks that a connection can pass through a gateway. The buffer must hold a segment. Unless the gateway is Snoop, an
/// application's writes must be whole segments, of the same size on both sides. If the segment size changes, a transfer
/// of given size must end with a FIN.
fn fits(
    gateway: &model::Gateway,
    near: &Config,
    far: &Config,
    traffic: &Traffic,
) -> Result<(), ScenarioError> {
    let recut = near.sizes.segment != far.sizes.segment;
    let sized = traffic.size().is_some();
    if !matches!(traffic, Traffic::Ftp(_)) && gateway.config.kind() != Kind::Snoop {
        // A video's frames are cut into packets of varying size.
        let packet = traffic.packet().unwrap_or(1);
        let whole = near.connection.pad_writes || packet.is_multiple_of(near.sizes.segment);
        if recut || !whole {
            let message = "where an application writes to TCP, its writes must be whole segments, the same on both sides";
            return Err(ScenarioError::new(&gateway.path, message).allowed(format!(
                "packets that are multiples of tcp.sizes.segment ({} B), or kind = \"snoop\"",
                near.sizes.segment
            )));
        }
    }
    if recut && sized && !near.connection.fin {
        let message = "where the far side cuts the stream anew, the source must tell its end";
        return Err(ScenarioError::new(format!("{}.tcp.sizes.segment", gateway.path), message)
            .allowed("the flow's segment, or fin = true in the flow"));
    }
    // The buffer must hold a segment and, if the far side has another segment size, also a segment of the far side.
    let least = u64::from(near.sizes.segment) + if recut { u64::from(far.sizes.segment) } else { 0 };
    let buffer = gateway.config.buffer();
    if buffer < least {
        let message = format!("a buffer of {buffer} B has no room for a segment");
        return Err(ScenarioError::new(format!("{}.buffer", gateway.path), message)
            .allowed(format!("at least \"{least}B\"")));
    }
    Ok(())
}

/// Returns the nodes between the ends of a path, in order; `pair` is its index among the routes.
fn between(paths: &Paths, pair: usize) -> Vec<usize> {
    let Routes { hops, starts } = &paths.routes;
    let start = starts.get(pair).map_or(hops.len(), |start| *start as usize);
    let hops = hops[start..].iter().take_while(|hop| **hop != net::routes::END);
    let mut nodes: Vec<usize> = hops.map(|hop| paths.head(*hop)).collect();
    nodes.pop();
    nodes
}

/// Returns the nodes that a flow passes in both directions, in the order of its way to the destination.
fn through(paths: &Paths, flow: usize) -> Vec<usize> {
    let back = between(paths, 2 * flow + 1);
    between(paths, 2 * flow).into_iter().filter(|node| back.contains(node)).collect()
}
