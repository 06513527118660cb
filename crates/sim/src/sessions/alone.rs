//! Transfers alone on the empty path: the reference of slowdowns.

use super::state::{Alone, Curve, Half, LinkTimes};
use crate::flow::{Flow, Kind};
use crate::model::{self, FlowKind, Scenario};
use crate::paths::Paths;
use crate::run;
use base::{Bytes, Duration, Instant, NoProbe};
use engine::{Control, Reached};
use metrics::Observe;
use net::routes::END;
use std::sync::Arc;

/// Longest time for which a transfer alone is simulated, one second below the longest run.
const LONGEST: Duration = Duration::from_secs(100 * 86_400 - 1);
/// Most events of the simulation of one transfer; the beacons of a radio network would go on for ever.
const MOST_EVENTS: u64 = 200_000_000;
/// Least size of the transfer that is simulated, segments.
const SEGMENTS: u64 = 256;

impl Alone {
    /// Creates the reference for flow `flow` of a scenario; `tcp` has the parameters of its connections'
    /// directions: responses, then requests.
    pub(crate) fn new(
        scenario: &Scenario,
        flow: &model::Flow,
        tcp: &[Arc<tcp::Config>; 2],
        seed: u64,
    ) -> Self {
        let of = |half: Half| {
            let config = Arc::clone(&tcp[half as usize]);
            let (from, to) = match half {
                Half::Responses => (flow.from, flow.to),
                Half::Requests => (flow.to, flow.from),
            };
            let kind = FlowKind::Tcp {
                variant: flow.kind.variant().to_owned(),
                tcp: Arc::clone(&config),
                receiver: config,
                packet_numbers: false,
            };
            let alone = model::Flow { from, to, start: Instant::ZERO, kind, ..flow.clone() };
            Arc::new(empty(scenario, alone))
        };
        let scenarios = [of(Half::Responses), of(Half::Requests)];
        let curves = [0, 1].map(|at| Curve { links: link_times(&scenarios[at]), ..Curve::default() });
        Self { scenarios, seed, curves }
    }

    /// Returns the time in which a request and its response are complete on the empty path, with the handshake of a new
    /// connection; `None` if the path does not carry them.
    pub(crate) fn time(&mut self, request: Option<u64>, response: u64) -> Option<Duration> {
        let response = self.half(Half::Responses, response)?;
        let request = request.map_or(Some(Duration::ZERO), |bytes| self.half(Half::Requests, bytes))?;
        Some(request + response)
    }

    fn half(&mut self, half: Half, bytes: u64) -> Option<Duration> {
        let (scenario, curve) = (&self.scenarios[half as usize], &mut self.curves[half as usize]);
        if curve.covered() < bytes && !curve.broken {
            // Each simulation begins anew. As each transfers at least four times as many bytes as the one
            // before, all together take about a third longer than the last.
            let segment =
                if let FlowKind::Tcp { tcp, .. } = &scenario.flows[0].kind { tcp.sizes.segment } else { 1 };
            let size = bytes.max(4 * curve.covered()).max(SEGMENTS * u64::from(segment));
            curve.delivered = deliveries(scenario, size, self.seed);
            curve.broken = curve.covered() < bytes;
        }
        curve.time(bytes)
    }
}

/// Returns the network of a scenario with one flow, without losses, impairments and changes.
fn empty(scenario: &Scenario, mut flow: model::Flow) -> Scenario {
    flow.stop = Instant::ZERO + LONGEST;
    let mut alone = Scenario {
        duration: LONGEST,
        flows: vec![flow],
        gateways: Vec::new(),
        changes: Vec::new(),
        controls: Vec::new(),
        adjustable: Vec::new(),
        ..scenario.clone()
    };
    for direction in alone.links.iter_mut().flat_map(|link| &mut link.directions) {
        let direction = Arc::make_mut(direction);
        direction.losses.clear();
        direction.impairments = net::impairment::Config::default();
    }
    alone
}

/// Returns the times that a byte takes on the links from the flow's source to its destination.
fn link_times(scenario: &Scenario) -> LinkTimes {
    let Scenario { nodes, links, radios, flows, .. } = scenario;
    let paths = Paths::new(nodes.len(), links, radios, flows).unwrap_or_default();
    let start = paths.routes.starts.first().map_or(0, |start| *start as usize);
    let hops =
        paths.routes.hops[start..].iter().map(|hop| *hop as usize).take_while(|hop| *hop != END as usize);
    let links = hops.filter_map(|hop| Some(&links.get(hop / 2)?.directions[hop % 2]));
    let times = links.map(|direction| 8e12 / direction.rate.mean().bps() as f64);
    times.fold(LinkTimes::default(), |sum, time| LinkTimes {
        all: sum.all + time,
        slowest: sum.slowest.max(time),
        from_slowest: if time >= sum.slowest { time } else { sum.from_slowest + time },
    })
}

/// Simulates a transfer of `size` bytes alone; returns the bytes delivered in order by each time.
fn deliveries(scenario: &Scenario, size: u64, seed: u64) -> Vec<(u64, Duration)> {
    let mut scenario = scenario.clone();
    scenario.flows[0].traffic = Arc::new(traffic::Config::Ftp(traffic::Ftp { size: Some(Bytes(size)) }));
    let (control, observe) = (Control::default(), Observe::default());
    let begun = run::begin(&scenario, seed, Duration::ZERO, NoProbe, &observe);
    let Ok((mut world, mut queue)) = begun else { return Vec::new() };
    let end = Instant::ZERO + LONGEST;
    let (mut delivered, mut events) = (Vec::new(), 0);
    let mut last = 0;
    while last < size && events < MOST_EVENTS {
        let (reached, more) = engine::run_while(&mut world, &mut queue, end, &control, |world| {
            received(&world.flows[0]) == last
        });
        events += more;
        let Reached::Stop(now) = reached else {
            if matches!(reached, Reached::Interrupted(_)) {
                continue;
            }
            break;
        };
        last = received(&world.flows[0]);
        delivered.push((last, now.since(Instant::ZERO)));
    }
    delivered
}

fn received(flow: &Flow) -> u64 {
    match &flow.kind {
        Kind::Tcp(connection) => connection.receiver.delivered_bytes(),
        _ => 0,
    }
}
