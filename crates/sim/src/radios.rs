//! Radio networks of a run. Each is a simulator of its own: packets enter at one station and leave at another.
//!
//! The world passes packets and the time to the network, calls it at the times that the network requests, and records
//! its results. A crossing is one stop on a packet's route, however many hops the packet takes inside the network.

use crate::flow::Pending;
use crate::model::{RadioKind, Scenario};
use crate::paths::Paths;
use crate::positions;
use crate::route::RADIO;
use base::{
    Buffer, DropCause, FlowId, Instant, NodeId, Observation, Packet, Place, Probe, QueueVariable, Stamp,
};
use metrics::radio::{Association, Transmission};
use metrics::row::NetworkId;
use radio::access::{Outbox, Station};
use wifi::Site;
use wifi::edca::AccessCategory;

/// Lost packets, each with the station and the cause.
type Lost = Vec<(Station, Packet, DropCause)>;
/// Packets that have crossed the network, each with the station at which it leaves.
type Delivered = Vec<(Station, Packet)>;

/// Radio network of either kind.
#[derive(Clone)]
pub(crate) enum Machine {
    Wifi(Box<wifi::Network>),
    Lte(Box<lte::Network>),
}

impl Machine {
    fn send(
        &mut self,
        category: AccessCategory,
        now: Instant,
        at: Station,
        to: Station,
        packet: Packet,
        out: &mut Outbox,
    ) {
        match self {
            Self::Wifi(network) => network.send_as(category, now, (at, to), packet, out),
            Self::Lte(network) => network.send(now, at, to, packet, out),
        }
    }

    fn next(&self) -> Option<Instant> {
        match self {
            Self::Wifi(network) => network.next(),
            Self::Lte(network) => network.next(),
        }
    }

    fn run(&mut self, now: Instant, out: &mut Outbox) {
        match self {
            Self::Wifi(network) => network.run(now, out),
            Self::Lte(network) => network.run(now, out),
        }
    }

    /// Reports to `see` how many packets and bytes wait in each buffer of each station.
    fn buffers(&self, see: &mut dyn FnMut(Station, Buffer, u64, u64)) {
        match self {
            Self::Wifi(network) => network.buffers(see),
            Self::Lte(network) => network.buffers(see),
        }
    }

    /// Reports the variables of the queue disciplines of each station to `see`.
    fn variables(&self, see: &mut dyn FnMut(Station, QueueVariable, f64)) {
        match self {
            Self::Wifi(network) => network.variables(see),
            Self::Lte(_) => {}
        }
    }

    fn finish(&mut self, now: Instant) {
        match self {
            Self::Wifi(network) => network.finish(now),
            Self::Lte(network) => network.finish(now),
        }
    }
}

/// Radio network, with its output since the last call.
#[derive(Clone)]
pub(crate) struct Radio {
    pub machine: Machine,
    /// Node of each station.
    pub nodes: Vec<NodeId>,
    pending: Pending,
    out: Outbox,
}

/// Crossing of a radio network, from one station to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Crossing {
    /// Index of the network.
    pub radio: u32,
    /// Station at which packets enter.
    pub from: Station,
    /// Station at which packets leave.
    pub to: Station,
}

/// Radio networks, and the crossings that routes use.
#[derive(Clone, Default)]
pub(crate) struct Radios {
    pub each: Vec<Radio>,
    /// Crossings, by their number in the table of routes.
    pub crossings: Vec<Crossing>,
    /// Access category of each flow.
    categories: Vec<AccessCategory>,
    /// For each connection of a session, its flow in the scenario. The numbers of connections follow those of
    /// the scenario's flows.
    adopted: Vec<FlowId>,
    /// Transmissions on the air; `None` if no trace records them.
    frames: Option<Vec<Transmission>>,
}

fn association(radio: u32, nodes: &[NodeId], change: radio::access::Association) -> Association {
    let node = |station: Station| nodes[station.index()];
    Association {
        time_s: change.at,
        network: NetworkId(radio),
        station: node(change.station),
        access_point: change.access_point.map(node),
    }
}

impl Radios {
    /// Builds the scenario's networks, and replaces their edges in the routes by numbered crossings.
    pub(crate) fn build(scenario: &Scenario, seed: u64, paths: &mut Paths) -> Self {
        if scenario.radios.is_empty() {
            return Self::default();
        }
        let sites = positions::sites(scenario, seed);
        let each = scenario.radios.iter().map(|radio| {
            let machine = match &radio.kind {
                RadioKind::Wifi(config) => {
                    let sites = radio.stations.iter().map(|node| sites[*node].clone()).collect();
                    let config = wifi::Config { sites, ..(**config).clone() };
                    Machine::Wifi(Box::new(wifi::Network::new(&config, seed, &radio.name)))
                }
                RadioKind::Lte(config) => {
                    let mut config = (**config).clone();
                    for (ue, node) in config.ues.iter_mut().zip(&radio.stations[1..]) {
                        let Site { position, mobility } = sites[*node].clone();
                        (ue.position, ue.mobility) = (position, mobility);
                    }
                    Machine::Lte(Box::new(lte::Network::new(&config, seed, &radio.name)))
                }
            };
            let nodes = radio.stations.iter().map(|node| NodeId(*node as u32)).collect();
            Radio { machine, nodes, pending: Pending::NONE, out: Outbox::default() }
        });
        let each = each.collect();
        let links = 2 * scenario.links.len() as u32;
        for hop in paths.routes.hops.iter_mut().filter(|hop| (links..RADIO).contains(*hop)) {
            *hop = RADIO | (*hop - links);
        }
        let crossings = paths.ways.iter().map(|way| {
            let [from, to] = way.ends.map(|station| Station(station as u32));
            Crossing { radio: way.radio as u32, from, to }
        });
        let categories = scenario.flows.iter().map(|flow| flow.category).collect();
        Self { each, crossings: crossings.collect(), categories, adopted: Vec::new(), frames: None }
    }

    /// Gives the next flow, a connection of flow `of`, the access category of that flow.
    pub(crate) fn adopt(&mut self, of: FlowId) {
        let category = self.categories.get(of.index()).copied().unwrap_or_default();
        self.categories.push(category);
        self.adopted.push(of);
    }

    /// Starts the recording of transmissions on the air.
    pub(crate) fn watch_frames(&mut self) {
        self.frames = Some(Vec::new());
        for radio in &mut self.each {
            radio.out.frames = Some(Vec::new());
        }
    }

    /// Removes and returns the recorded transmissions. Those of a session's connection get the number of its
    /// flow in the scenario.
    pub(crate) fn take_frames(&mut self) -> Option<Vec<Transmission>> {
        let mut frames = self.frames.take()?;
        let named = self.categories.len() - self.adopted.len();
        for flow in frames.iter_mut().filter_map(|frame| frame.flow.as_mut()) {
            let of = flow.index().checked_sub(named).and_then(|at| self.adopted.get(at));
            *flow = of.copied().unwrap_or(*flow);
        }
        Some(frames)
    }

    /// Starts the recording of changes of stations' access points.
    pub(crate) fn watch_associations(&mut self) {
        for radio in &mut self.each {
            radio.out.associations = Some(Vec::new());
        }
    }

    /// Removes and returns the recorded changes of access points, in order of time.
    pub(crate) fn take_associations(&mut self) -> Vec<Association> {
        let mut noted = Vec::new();
        for (number, Radio { out, nodes, .. }) in (0..).zip(&mut self.each) {
            let changes = out.associations.take().unwrap_or_default();
            noted.extend(changes.into_iter().map(|change| association(number, nodes, change)));
        }
        noted.sort_by_key(|change| change.time_s);
        noted
    }

    /// Passes a packet to the network that it crosses; returns the index of the network.
    pub(crate) fn send(&mut self, now: Instant, crossing: u32, packet: Packet) -> u32 {
        let Crossing { radio, from, to } = self.crossings[crossing as usize];
        let Radio { machine, out, .. } = &mut self.each[radio as usize];
        let category = self.categories.get(packet.flow.index()).copied().unwrap_or_default();
        machine.send(category, now, from, to, packet, out);
        radio
    }

    /// Runs a network at `stamp`; returns false, without running it, if an earlier event has replaced this one.
    pub(crate) fn run(&mut self, stamp: Stamp, radio: u32) -> bool {
        let Radio { machine, pending, out, nodes } = &mut self.each[radio as usize];
        let wanted = pending.take(stamp);
        if wanted {
            machine.run(stamp.at, out);
            if let (Some(noted), Some(frames)) = (&mut self.frames, &mut out.frames) {
                let node = |station: Station| nodes[station.index()];
                frames.drain(..).for_each(|frame| {
                    noted.push(Transmission {
                        time_s: frame.begins,
                        end_s: frame.ends,
                        network: NetworkId(radio),
                        from: node(frame.from),
                        to: frame.to.map(node),
                        kind: frame.kind,
                        bytes: frame.bytes,
                        flow: frame.flow,
                        lost: frame.lost,
                    });
                });
            }
        }
        wanted
    }

    /// Returns the stamp of an event to schedule for a network's next call; `None` if no call is needed or an event for
    /// it is pending.
    pub(crate) fn arm(&mut self, radio: u32, now: Instant) -> Option<Stamp> {
        let Radio { machine, pending, out, .. } = &mut self.each[radio as usize];
        // Packets that have crossed already are delivered in the next call.
        let due = if out.delivered.is_empty() { machine.next() } else { Some(now) };
        pending.arm(due.map(|at| Stamp::new(at.max(now), now)))
    }

    /// Reports the buffers of a network and the variables of its queue disciplines to a probe.
    pub(crate) fn tell<P: Probe>(&self, now: Instant, radio: u32, probe: &mut P) {
        let Radio { machine, nodes, .. } = &self.each[radio as usize];
        machine.buffers(&mut |station, buffer, packets, bytes| {
            probe.observe(now, Observation::Buffer(nodes[station.index()], buffer, packets, bytes));
        });
        machine.variables(&mut |station, variable, value| {
            probe.observe(
                now,
                Observation::QueueVariable(Place::Node(nodes[station.index()]), variable, value),
            );
        });
    }

    /// Returns true if packets have crossed a network and are not yet delivered.
    #[inline]
    pub(crate) fn has_delivered(&self, radio: u32) -> bool {
        !self.each[radio as usize].out.delivered.is_empty()
    }

    /// Returns true if a network has marked or lost packets that are not yet recorded.
    #[inline]
    pub(crate) fn has_marked_or_lost(&self, radio: u32) -> bool {
        let Outbox { lost, marked, .. } = &self.each[radio as usize].out;
        !(lost.is_empty() && marked.is_empty())
    }

    /// Removes and returns the packets that a network has marked.
    pub(crate) fn take_marked(&mut self, radio: u32) -> Vec<(Station, Packet)> {
        std::mem::take(&mut self.each[radio as usize].out.marked)
    }

    pub(crate) fn node(&self, radio: u32, station: Station) -> NodeId {
        self.each[radio as usize].nodes[station.index()]
    }

    /// Removes and returns the packets that have crossed a network; [`Radios::give_back_delivered`] returns the
    /// memory.
    pub(crate) fn take_delivered(&mut self, radio: u32) -> Delivered {
        std::mem::take(&mut self.each[radio as usize].out.delivered)
    }

    /// Takes back the memory of an emptied vector of [`Radios::take_delivered`].
    pub(crate) fn give_back_delivered(&mut self, radio: u32, empty: Delivered) {
        let delivered = &mut self.each[radio as usize].out.delivered;
        if delivered.is_empty() {
            *delivered = empty;
        }
    }

    /// Removes and returns the packets that a network has lost; [`Radios::give_back_lost`] returns the memory.
    pub(crate) fn take_lost(&mut self, radio: u32) -> Lost {
        std::mem::take(&mut self.each[radio as usize].out.lost)
    }

    /// Takes back the memory of an emptied vector of [`Radios::take_lost`].
    pub(crate) fn give_back_lost(&mut self, radio: u32, empty: Lost) {
        self.each[radio as usize].out.lost = empty;
    }

    /// Completes the counters of all networks at `end`, the end of the run.
    pub(crate) fn finish(&mut self, end: Instant) {
        for radio in &mut self.each {
            radio.machine.finish(end);
        }
    }
}
