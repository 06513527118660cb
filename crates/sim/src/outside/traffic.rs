//! Preparation of a scenario for real traffic between two of its nodes.

use super::state::Gate;
use crate::model::{Flow, FlowKind, Scenario};
use crate::paths::Paths;
use crate::scenario::ScenarioError;
use base::{Instant, LOWEST_CLASS};
use std::net::SocketAddr;
use std::sync::Arc;

/// Nodes between which packets of outside programs cross the network of a scenario.
///
/// Flows of the scenario from one of the two nodes to the other are not simulated: the first real connections in their
/// direction take their places, with their numbers, names and classes. Other flows are simulated beside the real
/// packets.
#[derive(Clone, Debug)]
pub struct RealTraffic {
    /// Names of the two nodes.
    pub between: [String; 2],
    /// Number of further connections that get a flow of their own. If there are more, all others share one flow for
    /// each direction.
    pub flows: usize,
}

/// Most flows for real connections.
pub const MOST_REAL_FLOWS: usize = 10_000;

/// A flow of packets of outside programs, as the results name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RealFlow {
    /// Name of the flow.
    pub name: String,
    /// Protocol: `tcp`, `udp`, `icmp` or `ip`.
    pub protocol: String,
    /// Addresses and ports of source and destination; `None` if several connections share the flow.
    pub ends: Option<[SocketAddr; 2]>,
}

impl RealTraffic {
    /// Adds flows for the packets of outside programs to `scenario`, and returns the gate through which they go.
    pub(crate) fn open(&self, scenario: &mut Scenario) -> Result<Gate, ScenarioError> {
        let [a, b] = [self.node(scenario, 0)?, self.node(scenario, 1)?];
        if a == b {
            let message = format!("both ends are node \"{}\"", self.between[0]);
            return Err(ScenarioError::new("between", message).allowed("two different nodes"));
        }
        if self.flows > MOST_REAL_FLOWS {
            let message = format!("{} flows for real connections", self.flows);
            let allowed = format!("0 to {MOST_REAL_FLOWS}");
            return Err(ScenarioError::new("flows", message).allowed(allowed));
        }
        let named = scenario.flows.len();
        for flow in &mut scenario.flows {
            if [(a, b), (b, a)].contains(&(flow.from, flow.to)) {
                flow.kind = FlowKind::Outside(None);
                flow.traffic = Arc::new(traffic::Config::ENDLESS);
            }
        }
        let stop = Instant::ZERO + scenario.duration;
        let spare = |from: usize, to: usize| Flow {
            name: String::new(),
            from,
            to,
            start: Instant::ZERO,
            stop,
            class: LOWEST_CLASS,
            category: wifi::edca::AccessCategory::default(),
            traffic: Arc::new(traffic::Config::ENDLESS),
            kind: FlowKind::Outside(None),
        };
        scenario.flows.extend(std::iter::repeat_n(spare(a, b), self.flows));
        scenario.flows.extend([spare(a, b), spare(b, a)]);
        self.passes_no_gateway(scenario, named + self.flows)?;
        // If all links are adjustable, none computes departures in advance, so counters are right whenever the run is
        // ended.
        scenario.adjustable = (0..scenario.links.len()).collect();
        Ok(Gate::new(scenario, [a, b], named, self.flows))
    }

    fn node(&self, scenario: &Scenario, side: usize) -> Result<usize, ScenarioError> {
        let given = &self.between[side];
        scenario.nodes.iter().position(|node| node == given).ok_or_else(|| {
            ScenarioError::new("between", format!("the scenario has no node \"{given}\""))
                .names(given, scenario.nodes.iter().map(String::as_str))
        })
    }

    /// Refuses a scenario that has a gateway on the path of `flow`, a flow of packets of outside programs.
    fn passes_no_gateway(&self, scenario: &Scenario, flow: usize) -> Result<(), ScenarioError> {
        let Scenario { nodes, links, radios, flows, gateways, .. } = scenario;
        let Ok(paths) = Paths::new(nodes.len(), links, radios, flows) else {
            let [a, b] = &self.between;
            let message = format!("no path leads from `{a}` to `{b}` and back");
            return Err(ScenarioError::new("between", message).allowed("two nodes that links join"));
        };
        let passed = |node: usize| paths.hops(flow).any(|hop| paths.head(hop) == node);
        let Some(gateway) = gateways.iter().find(|gateway| passed(gateway.node)) else { return Ok(()) };
        let message = format!(
            "the path of the real packets leads through the gateway at \"{}\", which works on simulated TCP alone",
            nodes[gateway.node]
        );
        Err(ScenarioError::new("between", message).allowed("nodes with no gateway between them"))
    }
}
