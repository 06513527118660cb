//! Checks of `[[flow]]`: its ends can reach each other, its times are in order, and its transport suits its traffic.

use super::nodes::{Nodes, name};
use super::times::before_end;
use super::wifi::category;
use crate::model::{self, FlowKind};
use crate::scenario::ScenarioError;
use crate::scenario::wire::{File, Flow};
use ::wifi::edca::AccessCategory;
use base::{Duration, Instant};
use std::collections::BTreeMap;
use std::sync::Arc;
use traffic::Transport;

/// Checks all flows of the file, and returns them.
pub(super) fn flows(
    file: &File,
    nodes: &Nodes,
    links: &[model::Link],
    radios: &[model::Radio],
) -> Result<Vec<model::Flow>, ScenarioError> {
    let parts = parts(nodes.len(), links, radios);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut known = Known::default();
    let mut flows = Vec::with_capacity(file.flow.len());
    for (i, flow) in file.flow.iter().enumerate() {
        let path = format!("flow.{i}");
        let mut checked = one(flow, i, &path, nodes, &parts, file.duration, &mut known)?;
        checked.category = category(flow, &path, radios)?;
        let last = flows.last().filter(|last: &&model::Flow| last.traffic == checked.traffic);
        checked.traffic = last.map_or(checked.traffic, |last| Arc::clone(&last.traffic));
        if let Some(first) = seen.insert(checked.name.clone(), i) {
            let message = format!("flow {first} is called \"{}\" already", checked.name);
            return Err(ScenarioError::new(format!("{path}.name"), message).allowed("a name of its own"));
        }
        flows.push(checked);
    }
    Ok(flows)
}

/// Transports of the flows before.
#[derive(Default)]
struct Known<'a> {
    configs: Vec<Arc<::tcp::Config>>,
    /// Table of the last flow over TCP, with its variant and parameters. Most flows have the table of the one before.
    last: Option<(&'a ::tcp::Table, String, Arc<::tcp::Config>)>,
}

fn one<'a>(
    flow: &'a Flow,
    index: usize,
    path: &str,
    nodes: &Nodes,
    parts: &[usize],
    duration: Duration,
    known: &mut Known<'a>,
) -> Result<model::Flow, ScenarioError> {
    let flow_name = flow.name.clone().unwrap_or_else(|| model::Flow::unnamed(index));
    name(&flow_name).map_err(|e| e.under(&format!("{path}.name")))?;
    let from = nodes.find(&flow.from, &format!("{path}.from"))?;
    let to = nodes.find(&flow.to, &format!("{path}.to"))?;
    if from == to {
        let message = format!("a flow from \"{}\" to itself", flow.from);
        return Err(ScenarioError::new(format!("{path}.to"), message).allowed("another node"));
    }
    if parts[from] != parts[to] {
        return Err(crate::scenario::unreachable(index, &flow.from, &flow.to));
    }
    let start = before_end(format!("{path}.start"), flow.start, duration)?;
    let stop = stop(flow.stop, start, path, duration)?;
    let kind = match (&flow.stack, flow.quic, flow.kernel, flow.traffic.transport()) {
        (Some(table), ..) => {
            let custom = table.resolve().map_err(|e| e.under(&format!("{path}.stack")))?;
            stack(flow, path, "a stack of its own", "stack", FlowKind::Stack(custom))?
        }
        (None, Some(quic), ..) => stack(flow, path, "QUIC", "quic", FlowKind::Quic(quic))?,
        (None, None, Some(kernel), _) => stack(flow, path, "a kernel", "kernel", FlowKind::Kernel(kernel))?,
        (None, None, None, Transport::Tcp) => connection(flow, path, known)?,
        (None, None, None, Transport::Udp) if flow.tcp.is_none() => FlowKind::Udp,
        (None, None, None, Transport::Udp) => {
            let message = "this traffic runs over UDP: it has no TCP";
            return Err(ScenarioError::new(format!("{path}.tcp"), message).allowed(
                "no `tcp`, or transport = \"tcp\" in its traffic, or traffic = { kind = \"ftp\" }",
            ));
        }
    };
    Ok(model::Flow {
        name: flow_name,
        from,
        to,
        start,
        stop,
        class: flow.class,
        category: AccessCategory::default(),
        traffic: Arc::new(flow.traffic.clone()),
        kind,
    })
}

/// Checks a TCP flow, and returns its transport.
fn connection<'a>(flow: &'a Flow, path: &str, known: &mut Known<'a>) -> Result<FlowKind, ScenarioError> {
    let (variant, tcp) = transport(flow.tcp.as_ref(), path, known)?;
    if tcp.misbehaviour.conceals_losses() && !matches!(flow.traffic, traffic::Config::Ftp(_)) {
        let message = "a receiver that conceals losses never has all data of a write or a response";
        return Err(ScenarioError::new(format!("{path}.traffic"), message)
            .allowed("traffic = { kind = \"ftp\" }, or conceal_losses = false and optimistic_acks = 0"));
    }
    let packet_numbers = tcp.connection.syn == ::tcp::config::Syn::Packet;
    let receiver = Arc::clone(&tcp);
    Ok(FlowKind::Tcp { variant, tcp, receiver, packet_numbers })
}

/// Returns the variant and the parameters that a flow's table gives.
fn transport<'a>(
    table: Option<&'a ::tcp::Table>,
    path: &str,
    known: &mut Known<'a>,
) -> Result<(String, Arc<::tcp::Config>), ScenarioError> {
    if let (Some(table), Some((last, variant, tcp))) = (table, &known.last)
        && *last == table
    {
        return Ok((variant.clone(), Arc::clone(tcp)));
    }
    let resolved = table.map_or_else(|| ::tcp::Table::default().resolve(), ::tcp::Table::resolve);
    let (variant, tcp) = resolved.map_err(|e| e.under(&format!("{path}.tcp")))?;
    let tcp = shared(tcp, &mut known.configs);
    known.last = table.map(|table| (table, variant.clone(), Arc::clone(&tcp)));
    Ok((variant, tcp))
}

/// Checks a flow over a stack other than the simulator's TCP, and returns `kind`, its transport.
fn stack(
    flow: &Flow,
    path: &str,
    what: &str,
    table: &str,
    kind: FlowKind,
) -> Result<FlowKind, ScenarioError> {
    if flow.tcp.is_some() {
        let message = format!("the flow runs over {what}: it has no TCP of this simulator");
        return Err(
            ScenarioError::new(format!("{path}.tcp"), message).allowed(format!("either `tcp` or `{table}`"))
        );
    }
    if flow.stack.is_some()
        && let Some(other) =
            [(flow.quic.is_some(), "quic"), (flow.kernel.is_some(), "kernel")].iter().find(|o| o.0)
    {
        let message = format!("the flow runs over {what}: it has no `{}`", other.1);
        return Err(ScenarioError::new(format!("{path}.{}", other.1), message).allowed("one of them"));
    }
    if flow.quic.is_some() && flow.kernel.is_some() {
        let message = "the flow runs over QUIC: it has no kernel's TCP";
        return Err(
            ScenarioError::new(format!("{path}.kernel"), message).allowed("either `quic` or `kernel`")
        );
    }
    if !matches!(flow.traffic, traffic::Config::Ftp(_)) {
        let message = format!("a flow over {what} sends a file");
        let allowed = format!("traffic = {{ kind = \"ftp\" }}, with or without a size; or no `{table}`");
        return Err(ScenarioError::new(format!("{path}.traffic"), message).allowed(allowed));
    }
    Ok(kind)
}

/// Returns a shared copy of `config`. Flows with equal parameters share one copy in memory, so that the parameters of
/// a thousand flows fit into the cache.
fn shared(config: ::tcp::Config, known: &mut Vec<Arc<::tcp::Config>>) -> Arc<::tcp::Config> {
    if let Some(same) = known.iter().find(|known| ***known == config) {
        return Arc::clone(same);
    }
    known.push(Arc::new(config));
    Arc::clone(&known[known.len() - 1])
}

fn stop(
    stop: Option<Duration>,
    start: Instant,
    path: &str,
    duration: Duration,
) -> Result<Instant, ScenarioError> {
    let stop = Instant::ZERO + stop.map_or(duration, |t| t.min(duration));
    if stop > start {
        return Ok(stop);
    }
    Err(ScenarioError::new(format!("{path}.stop"), "the flow stops no later than it starts")
        .allowed(format!("a time after {start}")))
}

/// Returns for each node the number of the connected part of the network to which it belongs.
fn parts(nodes: usize, links: &[model::Link], radios: &[model::Radio]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..nodes).collect();
    let stations = radios.iter().flat_map(|radio| radio.stations.windows(2).map(|two| [two[0], two[1]]));
    for ends in links.iter().map(|link| link.ends).chain(stations) {
        let [a, b] = ends.map(|end| root(&mut parent, end));
        parent[a] = b;
    }
    (0..nodes).map(|node| root(&mut parent, node)).collect()
}

/// Returns the representative of a node's connected part (union-find with path halving).
fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
