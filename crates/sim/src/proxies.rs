//! Proxies of gateways in a run: passes packets to the proxies at which routes stop, and forwards the proxies' packets.

use crate::event::{self, Event};
use crate::flow::Pending;
use crate::losses::Watched;
use crate::model::{self, Scenario};
use crate::network::Network;
use crate::paths::Paths;
use crate::route::{END, PROXY, RADIO};
use base::{FlowId, LinkId, NodeId, Packet, PacketEvent, Place, Probe, Rng, Stamp};
use engine::EventQueue;
use gateway::{Gateway, Outbox, Outgoing, Proxy, Setup, Toward};
use metrics::GatewaySummary;
use net::routes::Routes;
use tcp::config::TickPhase;
use tcp::congestion::Fault;

/// Place of a proxy in the world.
#[derive(Clone)]
pub(crate) struct At {
    /// Index of the gateway; `slot` is the index of the proxy in the gateway.
    gateway: usize,
    slot: usize,
    /// Node of the gateway.
    node: NodeId,
    flow: FlowId,
    /// Indices, in the table of routes, of the first hop after the proxy: toward the flow's destination (`there`) and
    /// toward its source (`back`).
    there: u32,
    back: u32,
    timer: Pending,
}

/// Gateways with their proxies.
#[derive(Clone, Default)]
pub(crate) struct Proxies {
    pub gateways: Vec<Gateway>,
    /// Place of each proxy, by its number in the table of routes.
    at: Vec<At>,
    out: Outbox,
    /// Packets sent by the proxy that ran last.
    pub sent: u32,
}

impl Proxies {
    /// Builds the scenario's gateways, and inserts stops at their proxies into the routes of flows.
    pub(crate) fn build(scenario: &Scenario, seed: u64, paths: &mut Paths) -> Self {
        let mut proxies = Self::default();
        if scenario.gateways.is_empty() {
            return proxies;
        }
        // Stops on each way: the edge that ends at the gateway, and the number of the proxy.
        let mut stops: Vec<Vec<(u32, u32)>> = vec![Vec::new(); paths.routes.starts.len()];
        for (number, gateway) in scenario.gateways.iter().enumerate() {
            let built = gateway.proxies.iter().enumerate().map(|(slot, proxy)| {
                let id = proxies.at.len() as u32;
                proxies.at.push(At {
                    gateway: number,
                    slot,
                    node: NodeId(gateway.node as u32),
                    flow: FlowId(proxy.flow as u32),
                    there: 0,
                    back: 0,
                    timer: Pending::NONE,
                });
                for way in [2 * proxy.flow, 2 * proxy.flow + 1] {
                    let hops = &paths.routes.hops[paths.routes.starts[way] as usize..];
                    let mut hops = hops.iter().take_while(|hop| **hop != END);
                    let before = hops.find(|hop| paths.head(**hop) == gateway.node);
                    stops[way].extend(before.map(|link| (*link, id)));
                }
                Proxy::new(setup(scenario, seed, number, slot))
            });
            let built = built.collect();
            proxies.gateways.push(Gateway::new(built));
        }
        paths.routes = proxies.with_stops(&paths.routes, &stops);
        proxies
    }

    /// Returns the routes with stops inserted, and records where the routes go on after each proxy.
    fn with_stops(&mut self, routes: &Routes, stops: &[Vec<(u32, u32)>]) -> Routes {
        let mut longer = Routes::default();
        for (way, start) in routes.starts.iter().enumerate() {
            longer.starts.push(longer.hops.len() as u32);
            for hop in routes.hops[*start as usize..].iter().take_while(|hop| **hop != END) {
                longer.hops.push(*hop);
                for (_, proxy) in stops[way].iter().filter(|(link, _)| link == hop) {
                    longer.hops.push(PROXY | proxy);
                    let at = &mut self.at[*proxy as usize];
                    let on = if way % 2 == 0 { &mut at.there } else { &mut at.back };
                    *on = longer.hops.len() as u32;
                }
            }
            longer.hops.push(END);
        }
        longer
    }

    /// Returns for each flow the number of packets towards its destination that began at gateways, minus the number
    /// that ended there.
    pub(crate) fn balances(&self, scenario: &Scenario) -> Vec<i64> {
        let mut balances = vec![0; scenario.flows.len()];
        for (gateway, given) in self.gateways.iter().zip(&scenario.gateways) {
            for (proxy, of) in gateway.proxies().iter().zip(&given.proxies) {
                balances[of.flow] += proxy.balance();
            }
        }
        balances
    }

    /// Returns the flows for which a user-defined control on a gateway's far side has failed, with the fault.
    pub(crate) fn faults(&self) -> impl Iterator<Item = (FlowId, &Fault)> {
        self.at.iter().filter_map(|at| Some((at.flow, self.gateways[at.gateway].proxies()[at.slot].fault()?)))
    }

    /// Returns the flows whose data a gateway acknowledges before the destination has received it.
    pub(crate) fn acknowledged(scenario: &Scenario) -> impl Iterator<Item = FlowId> {
        let gateways =
            scenario.gateways.iter().filter(|gateway| gateway.config.kind() != gateway::Kind::Snoop);
        gateways.flat_map(|gateway| gateway.proxies.iter().map(|proxy| FlowId(proxy.flow as u32)))
    }

    /// Registers the queues behind the proxies of Snoop gateways, so that drops in these queues are reported to the
    /// proxies.
    pub(crate) fn watch(&self, scenario: &Scenario, network: &mut Network) {
        for (proxy, at) in (0u32..).zip(&self.at) {
            let given = &scenario.gateways[at.gateway];
            if given.config.kind() != gateway::Kind::Snoop {
                continue;
            }
            let next = network.links.routes[at.there as usize];
            let place = if next < RADIO { Place::Link(LinkId(next)) } else { Place::Node(at.node) };
            network.links.losses[at.flow.index()].watched.push(Watched { place, proxy, dropped: Vec::new() });
        }
    }

    /// Returns a summary row for each gateway; `delivered` are the bytes that have reached each flow's destination.
    pub(crate) fn summaries(&self, scenario: &Scenario, delivered: &[u64]) -> Vec<GatewaySummary> {
        let gateways = self.gateways.iter().zip(&scenario.gateways);
        gateways.map(|(gateway, given)| summary(gateway, given, scenario, delivered)).collect()
    }

    /// Reports to proxy `at` the segments that its own queue has dropped since the last report.
    fn tell_drops(&mut self, at: u32, network: &mut Network) {
        let here = &self.at[at as usize];
        for watched in &mut network.links.losses[here.flow.index()].watched {
            if watched.proxy == at && !watched.dropped.is_empty() {
                self.gateways[here.gateway].with(here.slot, |proxy| {
                    watched.dropped.drain(..).for_each(|seq| proxy.on_own_drop(seq))
                });
            }
        }
    }

    /// Handles a packet that stops at proxy `at`.
    #[cold]
    pub(crate) fn on_packet<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: u32,
        packet: &Packet,
        network: &mut Network,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        self.tell_drops(at, network);
        let here = &self.at[at as usize];
        let out = &mut self.out;
        self.gateways[here.gateway].with(here.slot, |proxy| proxy.on_packet(stamp.at, packet, out));
        if P::PACKETS && !out.iter().any(|out| out.passed) {
            let event = if packet.is_forward() { PacketEvent::Taken } else { PacketEvent::Ack };
            probe.packet(stamp, event, Place::Node(here.node), packet, None);
        }
        self.send_on(stamp, at, network, queue, probe);
    }

    /// Handles a timer event of proxy `at`.
    #[cold]
    pub(crate) fn on_timer<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: u32,
        network: &mut Network,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        self.tell_drops(at, network);
        let here = &mut self.at[at as usize];
        if !here.timer.take(stamp) {
            return;
        }
        let out = &mut self.out;
        self.gateways[here.gateway].with(here.slot, |proxy| proxy.on_timer(stamp.at, out));
        self.send_on(stamp, at, network, queue, probe);
    }

    /// Sends the packets that proxy `at` has put out, and arms its timer.
    fn send_on<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: u32,
        network: &mut Network,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        let here = &mut self.at[at as usize];
        self.sent = self.out.len() as u32;
        for Outgoing { toward, packet, passed } in self.out.drain(..) {
            let route = match toward {
                Toward::Source => here.back,
                Toward::Destination => here.there,
            };
            let packet = Packet { route, ..packet };
            if P::PACKETS && !passed {
                let event = if packet.is_forward() { PacketEvent::Send } else { PacketEvent::AckSent };
                probe.packet(stamp, event, Place::Node(here.node), &packet, None);
            }
            network.forward(stamp, packet, queue, probe);
        }
        let proxy = &self.gateways[here.gateway].proxies()[here.slot];
        if let Some(due) = here.timer.arm(proxy.timer()) {
            queue.push(due, Event::new(event::Kind::ProxyTimer, at));
        }
    }
}

fn summary(
    gateway: &Gateway,
    given: &model::Gateway,
    scenario: &Scenario,
    delivered: &[u64],
) -> GatewaySummary {
    let stats = gateway.stats();
    let proxies = gateway.proxies().iter().zip(&given.proxies);
    let undelivered = proxies.map(|(proxy, of)| proxy.acknowledged().saturating_sub(delivered[of.flow]));
    GatewaySummary {
        node: scenario.nodes[given.node].clone(),
        kind: given.config.kind().name().to_owned(),
        variant: given.variant.clone(),
        buffer_bytes: given.config.buffer(),
        connections: given.proxies.len() as u64,
        pre_acks: stats.pre_acks,
        window_updates: stats.window_updates,
        zero_window_events: stats.zero_window_events,
        refused_packets: stats.refused_packets,
        copied_packets: stats.copied_packets,
        freed_packets: stats.freed_packets,
        retransmitted_packets: stats.retransmitted_packets,
        retransmitted_bytes: stats.retransmitted_bytes,
        timeouts: stats.timeouts,
        fast_retransmits: stats.fast_retransmits,
        suppressed_acks: stats.suppressed_acks,
        given_up_packets: stats.given_up_packets,
        dropped_packets: stats.dropped_packets,
        buffered_max_bytes: gateway.held_max(),
        crashes: gateway.crashes(),
        crash_unconfirmed_bytes: stats.crash_unconfirmed_bytes,
        acknowledged_undelivered_bytes: undelivered.sum(),
    }
}

fn setup(scenario: &Scenario, seed: u64, gateway: usize, slot: usize) -> Setup {
    let given = &scenario.gateways[gateway];
    let proxy = &given.proxies[slot];
    let node = &scenario.nodes[given.node];
    let streams = scenario.flows[proxy.flow].streams(proxy.flow);
    let stream = |what: &str| Rng::stream(seed, &format!("node.{node}.{streams}.{what}"));
    Setup {
        kind: given.config.kind(),
        flow: FlowId(proxy.flow as u32),
        class: scenario.flows[proxy.flow].class,
        buffer: given.config.buffer(),
        near: proxy.near.clone(),
        far: proxy.far.clone(),
        phase: match proxy.far.timers.tick_phase {
            TickPhase::At(phase) => phase,
            TickPhase::Random => stream("clock").duration_below(proxy.far.timers.clock_tick),
        },
        stream: stream("control"),
        overhead: stream("overhead"),
        min_timeout: given.config.min_timeout(),
    }
}
