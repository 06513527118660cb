//! Flows: ends that reach each other, times in order, traffic and its transport.

use super::nodes::{Nodes, name};
use super::wifi::category;
use super::{before_end, links, video};
use crate::model::{self, Data, Distribution, FlowKind, Source};
use crate::scenario::ScenarioError;
use crate::scenario::wire::scalar::Size;
use crate::scenario::wire::traffic::{Cbr, DistributionName, Ftp, OnOff, Traffic, Transport, TransportName};
use crate::scenario::wire::{File, Flow};
use ::wifi::edca::AccessCategory;
use base::{Bytes, DataRate, Duration, Instant};
use std::collections::BTreeMap;
use std::sync::Arc;

/// IPv4 and UDP.
const UDP_HEADER: u64 = 28;
/// The largest IPv4 packet.
const LARGEST: u64 = 65_535;
/// Shape of a Pareto distribution where none is given.
const DEFAULT_SHAPE: f64 = 1.5;

/// Every flow of the file.
pub fn flows(
    file: &File,
    nodes: &Nodes,
    links: &[model::Link],
    radios: &[model::Radio],
) -> Result<Vec<model::Flow>, ScenarioError> {
    let parts = parts(nodes.len(), links, radios);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut configs = Vec::new();
    let mut flows = Vec::with_capacity(file.flow.len());
    for (i, flow) in file.flow.iter().enumerate() {
        let path = format!("flow.{i}");
        let mut checked = one(flow, i, &path, nodes, &parts, file.duration, &mut configs)?;
        checked.category = category(flow, &path, radios)?;
        if let Some(first) = seen.insert(checked.name.clone(), i) {
            let message = format!("flow {first} is called \"{}\" already", checked.name);
            return Err(ScenarioError::new(format!("{path}.name"), message).allowed("a name of its own"));
        }
        flows.push(checked);
    }
    Ok(flows)
}

fn one(
    flow: &Flow,
    index: usize,
    path: &str,
    nodes: &Nodes,
    parts: &[usize],
    duration: Duration,
    configs: &mut Vec<Arc<::tcp::Config>>,
) -> Result<model::Flow, ScenarioError> {
    let flow_name = flow.name.clone().unwrap_or_else(|| format!("flow{index}"));
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
    let ftp = Traffic::Ftp(Ftp::default());
    let kind = match flow.traffic.as_deref().unwrap_or(&ftp) {
        Traffic::Ftp(Ftp { size }) => {
            if let Some(Size(Bytes(0))) = size {
                let message = "a file has at least one byte";
                return Err(ScenarioError::new(format!("{path}.traffic.size"), message)
                    .allowed("like \"1MB\", or no size"));
            }
            connection(flow, path, Data::File { size: size.map(|s| s.0) }, configs)?
        }
        Traffic::Cbr(cbr) => paced(flow, path, cbr, None, configs)?,
        Traffic::OnOff(t) => {
            let OnOff { rate, packet, transport, header, spacing, ecn, .. } = *t;
            let steady = Cbr { rate, packet, transport, header, spacing, ecn };
            paced(flow, path, &steady, Some(bursts(t, path)?), configs)?
        }
        Traffic::Video(given) => {
            let (carried, source) = video::source(given, path)?;
            carried.flow(flow, path, source, configs)?
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
        kind,
    })
}

/// A flow over TCP.
fn connection(
    flow: &Flow,
    path: &str,
    data: Data,
    configs: &mut Vec<Arc<::tcp::Config>>,
) -> Result<FlowKind, ScenarioError> {
    let given = flow.tcp.clone().unwrap_or_default();
    let (variant, tcp) = given.resolve().map_err(|e| e.under(&format!("{path}.tcp")))?;
    let packet_numbers = tcp.connection.syn == ::tcp::config::Syn::Packet;
    let tcp = shared(tcp, configs);
    let receiver = Arc::clone(&tcp);
    Ok(FlowKind::Tcp { data, variant, tcp, receiver, packet_numbers })
}

/// `config` as flows share it: equal ones stand in memory once, so that a thousand flows find theirs in the cache.
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

/// How a source's packets are carried, as traffic says it.
pub(super) struct Carried {
    pub transport: Option<Transport>,
    pub header: Option<Size>,
    pub ecn: Option<bool>,
}

impl Carried {
    /// The header on top of each datagram, bytes; over TCP none.
    pub fn header(&self) -> u64 {
        if self.over_tcp() { 0 } else { self.header.map_or(UDP_HEADER, |h| h.0.0) }
    }

    fn over_tcp(&self) -> bool {
        self.transport.is_some_and(|transport| transport.0 == TransportName::Tcp)
    }

    /// That packets of `payload` bytes can be carried.
    pub fn fits(&self, payload: u64, path: &str) -> Result<(), ScenarioError> {
        if payload == 0 || payload > LARGEST {
            let message = "a packet carries 1 to 65535 bytes";
            return Err(
                ScenarioError::new(format!("{path}.traffic.packet"), message).allowed("like \"1000B\"")
            );
        }
        if payload + self.header() > LARGEST {
            let message = format!("payload and header come to more than {LARGEST} bytes");
            return Err(ScenarioError::new(format!("{path}.traffic.header"), message).allowed("like \"28B\""));
        }
        Ok(())
    }

    /// A flow of a source's packets.
    fn flow(
        &self,
        flow: &Flow,
        path: &str,
        source: Source,
        configs: &mut Vec<Arc<::tcp::Config>>,
    ) -> Result<FlowKind, ScenarioError> {
        if !self.over_tcp() {
            if flow.tcp.is_some() {
                let message = "this traffic runs over UDP: it has no TCP";
                return Err(ScenarioError::new(format!("{path}.tcp"), message).allowed(
                    "no `tcp`, or transport = \"tcp\" in its traffic, or traffic = { kind = \"ftp\" }",
                ));
            }
            let (header, ecn) = (self.header() as u32, self.ecn.unwrap_or(false));
            return Ok(FlowKind::Udp { source, header, ecn });
        }
        for (key, given) in [("header", self.header.is_some()), ("ecn", self.ecn.is_some())] {
            if given {
                let message = "this traffic runs over TCP, whose `tcp` says it";
                return Err(ScenarioError::new(format!("{path}.traffic.{key}"), message)
                    .allowed(format!("tcp = {{ {key} = ... }}")));
            }
        }
        connection(flow, path, Data::Written(source), configs)
    }
}

/// A source of packets of one size, over UDP or TCP.
fn paced(
    flow: &Flow,
    path: &str,
    cbr: &Cbr,
    on_off: Option<model::OnOff>,
    configs: &mut Vec<Arc<::tcp::Config>>,
) -> Result<FlowKind, ScenarioError> {
    let carried = Carried { transport: cbr.transport, header: cbr.header, ecn: cbr.ecn };
    let payload = cbr.packet.0.0;
    carried.fits(payload, path)?;
    let rate = interval_fits(links::rate(cbr.rate.0, &format!("{path}.traffic.rate"))?, payload, path)?;
    let spacing = cbr.spacing.map_or(model::Spacing::Constant, |s| s.0);
    let source = Source::Paced(model::Paced { rate, packet: cbr.packet.0, spacing, on_off });
    carried.flow(flow, path, source, configs)
}

/// The rate, where it leaves at least a nanosecond between packets.
fn interval_fits(rate: DataRate, payload: u64, path: &str) -> Result<DataRate, ScenarioError> {
    if rate.time_for(payload) >= Duration::from_ps(1000) {
        return Ok(rate);
    }
    let message = "more than one packet in a nanosecond";
    Err(ScenarioError::new(format!("{path}.traffic.rate"), message)
        .allowed("a lower rate, or larger packets"))
}

fn bursts(traffic: &OnOff, path: &str) -> Result<model::OnOff, ScenarioError> {
    for (key, time) in [("on", traffic.on), ("off", traffic.off)] {
        if time.0.is_zero() {
            let message = "a burst and the time between bursts each take time";
            return Err(ScenarioError::new(format!("{path}.traffic.{key}"), message)
                .allowed("like \"0.5s\"; without pause: kind = \"cbr\""));
        }
    }
    let shape_path = format!("{path}.traffic.shape");
    let distribution =
        match (traffic.distribution.map_or(DistributionName::Constant, |d| d.0), traffic.shape) {
            (DistributionName::Pareto, shape) => {
                let shape = shape.unwrap_or(DEFAULT_SHAPE);
                if !(shape > 1.0 && shape <= 100.0) {
                    let message = "a Pareto distribution has a mean only where its shape is above 1";
                    return Err(ScenarioError::new(shape_path, message).allowed("above 1, at most 100"));
                }
                Distribution::Pareto(shape)
            }
            (_, Some(_)) => {
                let message = "only a Pareto distribution has a shape";
                return Err(ScenarioError::new(shape_path, message)
                    .allowed("no `shape`, or distribution = \"pareto\""));
            }
            (DistributionName::Constant, None) => Distribution::Constant,
            (DistributionName::Exponential, None) => Distribution::Exponential,
        };
    Ok(model::OnOff { on: traffic.on.0, off: traffic.off.0, distribution })
}

/// For each node the number of the connected part of the network that it lies in.
fn parts(nodes: usize, links: &[model::Link], radios: &[model::Radio]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..nodes).collect();
    let stations = radios.iter().flat_map(|radio| radio.stations.windows(2).map(|two| [two[0], two[1]]));
    for ends in links.iter().map(|link| link.ends).chain(stations) {
        let [a, b] = ends.map(|end| root(&mut parent, end));
        parent[a] = b;
    }
    (0..nodes).map(|node| root(&mut parent, node)).collect()
}

/// The representative of a node's part; halves paths on the way, so that many links stay cheap.
fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
