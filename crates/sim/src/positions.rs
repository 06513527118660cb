//! Positions of nodes in a run: those drawn from the seed, and mobility over the whole run.

use crate::model::{Place, Scenario, Start};
use base::{Duration, Instant, NodeId};
use radio::Position;
use radio::mobility::{Config, Mobility, Track};
use wifi::config::Site;

/// Returns the position and mobility of each node. A node without a position gets the origin, which nothing uses.
///
/// Each mobility model is converted to a track, so that a node in two networks has the same position in both.
pub(crate) fn sites(scenario: &Scenario, seed: u64) -> Vec<Site> {
    let each = scenario.nodes.iter().zip(&scenario.places);
    each.map(|(name, place)| match place {
        Some(place) => site(name, place, seed, scenario.duration),
        None => Site::fixed(Position::default()),
    })
    .collect()
}

fn site(name: &str, place: &Place, seed: u64, duration: Duration) -> Site {
    let position = match &place.start {
        Start::At(position) => *position,
        Start::Drawn(from) => from.place(1, seed, &format!("node.{name}.placement"))[0],
    };
    let mobility = match (place.movement(), place.movement().track()) {
        (_, Some(track)) => Config::Track(track),
        (Config::Constant, None) => Config::Constant,
        (moving, None) => {
            let end = Instant::ZERO + duration;
            let mut mobility = Mobility::new(moving, position, seed, &format!("node.{name}.mobility"));
            let mut leg = mobility.leg(Instant::ZERO);
            let mut waypoints = vec![(Instant::ZERO, leg.from)];
            while leg.ends < end {
                waypoints.push((leg.ends, leg.to));
                leg = mobility.leg(leg.ends);
            }
            waypoints.push((leg.ends.min(Instant::MAX), leg.to));
            Config::Track(Track::new(&waypoints))
        }
    };
    Site { position, mobility }
}

/// Returns the rows of trace `positions`: one at time 0 for each node with a position, then one per `step` for each
/// moving node.
pub(crate) fn trace(scenario: &Scenario, seed: u64, step: Duration) -> Vec<metrics::radio::Position> {
    let mut rows = Vec::new();
    let row = |time_s, node, Position { x, y, z }| metrics::radio::Position {
        time_s,
        node,
        x_m: x,
        y_m: y,
        z_m: z,
    };
    let end = Instant::ZERO + scenario.duration;
    let sites = sites(scenario, seed);
    let placed = (0u32..).zip(&sites).zip(&scenario.places).filter(|(_, place)| place.is_some());
    let mut moving: Vec<(NodeId, Mobility)> = Vec::new();
    for ((node, site), _) in placed {
        let node = NodeId(node);
        let mut mobility = Mobility::new(&site.mobility, site.position, seed, "");
        rows.push(row(Instant::ZERO, node, mobility.position(Instant::ZERO)));
        if site.mobility != Config::Constant {
            moving.push((node, mobility));
        }
    }
    let mut now = Instant::ZERO.saturating_add(step);
    while now <= end && !moving.is_empty() {
        for (node, mobility) in &mut moving {
            rows.push(row(now, *node, mobility.position(now)));
        }
        now = now.saturating_add(step);
    }
    rows
}
