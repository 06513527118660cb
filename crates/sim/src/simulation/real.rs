//! Packets of outside programs in a run that a program drives: they enter at one node, cross the network, and
//! leave at another.

use super::{Simulation, Watched};
use crate::build;
use crate::model::FlowKind;
use crate::outside::state::{Departed, Gate, SenderSample};
use crate::outside::traffic::RealFlow;
use crate::results::Results;
use base::ip::Ends;
use base::{FlowId, Instant, NodeId, Stamp};
use metrics::Trace;
use std::net::Ipv4Addr;
use std::sync::Arc;

impl Simulation {
    /// Lets an IP packet enter the network now, at the first (`side` 0) or second node of
    /// [`RealTraffic`](crate::RealTraffic). Returns false if the bytes are no IP packet.
    pub fn enter(&mut self, side: usize, bytes: Vec<u8>) -> bool {
        self.steered += 1;
        let Self { world, queue, now, .. } = self;
        let stamp = Stamp::new(*now, *now);
        let (taken, begun) = world!(world, world => world.enter(stamp, side, bytes, queue));
        if let Some(flow) = begun {
            self.name_flow(flow);
        }
        taken
    }

    /// Records ends, start, protocol and name of a real flow that has just begun in the scenario's list of
    /// flows, and passes them to the recorder of traces.
    fn name_flow(&mut self, number: u32) {
        let (gate, flow) = world!(&self.world, world => (&world.gate, &world.flows[number as usize]));
        let ends = gate.iter().flat_map(|gate| gate.used()).find(|(flow, _)| *flow == number);
        let ends = ends.and_then(|(_, ends)| ends);
        let scenario = Arc::make_mut(&mut self.scenario);
        let given = &mut scenario.flows[number as usize];
        (given.from, given.to) = (flow.from.index(), flow.to.index());
        given.start = flow.start;
        let protocol = ends.map_or(u8::MAX, |ends| ends.protocol);
        given.kind = FlowKind::Outside(Some(protocol));
        if given.name.is_empty() {
            let [from, to] = [given.from, given.to].map(|node| &scenario.nodes[node]);
            let name = ends.map_or_else(
                || format!("{from}>{to}"),
                |Ends { source, destination, .. }| format!("{source}>{destination}"),
            );
            // An earlier connection may have had the same ends, or a flow of the scenario may have this name.
            let name = match scenario.flows.iter().filter(|flow| flow.name == name).count() {
                0 => name,
                _ => format!("{name} ({number})"),
            };
            scenario.flows[number as usize].name = name;
        }
        if let Watched::Recorded(world) = &mut self.world {
            let subject =
                build::flow_subject(&self.scenario.flows[number as usize], &self.scenario.addresses);
            world.probe.set_flow(FlowId(number), subject);
        }
    }

    /// Passes samples of the senders of real connections at node `side` to the traces.
    pub fn observe_senders(&mut self, side: usize, samples: &[SenderSample]) {
        let now = self.now;
        world!(&mut self.world, world => samples.iter().for_each(|one| world.observe_sender(now, side, one)));
    }

    /// Returns true if a trace records windows or round trips of senders.
    pub fn watches_senders(&self) -> bool {
        [Trace::Cwnd, Trace::State].iter().any(|trace| self.options.observe.has(*trace))
    }

    /// Returns the addresses of the two nodes of [`RealTraffic`](crate::RealTraffic): those that the scenario gives, or
    /// else those that captures use. Returns `None` if the run has no real traffic.
    pub fn real_addresses(&self) -> Option<[Ipv4Addr; 2]> {
        let nodes = world!(&self.world, world => world.gate.as_ref()?.nodes);
        let address =
            |node: NodeId| self.scenario.addresses[node.index()].unwrap_or_else(|| metrics::address(node));
        Some(nodes.map(|node| address(node).into()))
    }

    /// Removes and returns the next packet of an outside program that has crossed the network.
    pub fn departed(&mut self) -> Option<Departed> {
        world!(&mut self.world, world => world.gate.as_mut().and_then(|gate| gate.take()))
    }

    /// Returns the time of the next event of the network.
    pub fn next_event(&mut self) -> Option<Instant> {
        self.queue.next_stamp().map(|stamp| stamp.at)
    }

    /// Returns the flows of packets of outside programs.
    pub fn real_flows(&self) -> Vec<RealFlow> {
        let of = |gate: &Gate| {
            let flow = |(number, ends): (u32, Option<Ends>)| {
                let flow = &self.scenario.flows[number as usize];
                let ends = ends.map(|ends| [ends.source, ends.destination]);
                RealFlow { name: flow.name.clone(), protocol: flow.kind.variant().to_owned(), ends }
            };
            gate.used().map(flow).collect()
        };
        world!(&self.world, world => world.gate.as_deref().map_or_else(Vec::new, of))
    }

    /// Ends the run now, and returns its results.
    pub fn stop(mut self) -> Results {
        let end = self.now;
        world!(&mut self.world, world => world.gather_sessions());
        let scenario = Arc::make_mut(&mut self.scenario);
        scenario.duration = end.since(Instant::ZERO);
        world!(&mut self.world, world => {
            if let Some(gate) = &world.gate {
                let kept = gate.flows();
                scenario.flows.truncate(kept);
                world.flows.truncate(kept);
            }
            world.network.links.end = end;
        });
        if let Watched::Recorded(world) = &mut self.world {
            world.probe.keep_flows(self.scenario.flows.len());
        }
        self.leave()
    }
}
