//! Paths of flows over links and through radio networks. Each crossing of a radio network counts as one link without
//! delay.

use crate::model::{Flow, Link, Radio};
use net::routes::{self, END, Edge, Routes, Unreachable};

/// Crossing of a radio network, from one station to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    /// Index of the network in the scenario.
    pub radio: usize,
    /// Indices of the stations at which the crossing begins and ends.
    pub ends: [usize; 2],
}

/// Paths of all flows, in both directions.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    pub routes: Routes,
    /// Edges that routes consist of: every direction of every link, then each radio crossing that some route uses.
    pub edges: Vec<Edge>,
    /// Radio crossings among the edges, in the same order.
    pub ways: Vec<Way>,
}

impl Paths {
    /// Finds the shortest paths.
    ///
    /// # Errors
    /// The first flow and direction for which there is no path.
    pub(crate) fn new(
        nodes: usize,
        links: &[Link],
        radios: &[Radio],
        flows: &[Flow],
    ) -> Result<Self, Unreachable> {
        let mut edges = directions(links);
        let all = ways(nodes, links, radios, flows, &mut edges);
        let ends = flows.iter().map(|flow| (flow.from as u32, flow.to as u32));
        let pairs: Vec<(u32, u32)> = ends.flat_map(|(from, to)| [(from, to), (to, from)]).collect();
        let mut routes = routes::shortest(nodes, &edges, &pairs)?;
        let first = 2 * links.len();
        let mut numbers = vec![END; all.len()];
        let mut used = Vec::new();
        for hop in routes.hops.iter_mut().filter(|hop| **hop != END && **hop as usize >= first) {
            let way = *hop as usize - first;
            if numbers[way] == END {
                numbers[way] = used.len() as u32;
                used.push(way);
            }
            *hop = first as u32 + numbers[way];
        }
        let taken: Vec<Edge> = used.iter().map(|way| edges[first + way]).collect();
        edges.truncate(first);
        edges.extend(taken);
        Ok(Self { routes, edges, ways: used.into_iter().map(|way| all[way]).collect() })
    }

    /// Returns the edges of a flow's paths: to its destination, then back.
    pub(crate) fn hops(&self, flow: usize) -> impl Iterator<Item = u32> {
        let ways = self.routes.starts[2 * flow..][..2].iter().map(|start| *start as usize);
        ways.flat_map(|start| self.routes.hops[start..].iter().copied().take_while(|hop| *hop != END))
    }

    /// Returns the node at which an edge ends.
    pub(crate) fn head(&self, hop: u32) -> usize {
        self.edges[hop as usize].to as usize
    }
}

fn directions(links: &[Link]) -> Vec<Edge> {
    let each = links.iter().flat_map(|link| {
        let [a, b] = link.ends.map(|end| end as u32);
        let [there, back] = [0, 1].map(|d| link.directions[d].delay.ps());
        [Edge { from: a, to: b, delay_ps: there }, Edge { from: b, to: a, delay_ps: back }]
    });
    each.collect()
}

/// Returns all radio crossings that a path could use; appends an edge for each to `edges`.
fn ways(nodes: usize, links: &[Link], radios: &[Radio], flows: &[Flow], edges: &mut Vec<Edge>) -> Vec<Way> {
    // Only these nodes can begin or end a crossing: ends of flows, and nodes in more than one network. The other
    // stations of a large network cost no time.
    let mut doors = vec![0u32; nodes];
    let members = radios.iter().flat_map(|radio| radio.stations.iter().copied());
    members.chain(links.iter().flat_map(|link| link.ends)).for_each(|node| doors[node] += 1);
    flows.iter().flat_map(|flow| [flow.from, flow.to]).for_each(|node| doors[node] += 2);
    let mut ways = Vec::new();
    for (number, radio) in radios.iter().enumerate() {
        let used: Vec<usize> = (0..radio.stations.len()).filter(|s| doors[radio.stations[*s]] > 1).collect();
        let pairs = used.iter().flat_map(|from| used.iter().map(|to| [*from, *to]));
        for ends in pairs.filter(|[from, to]| from != to && radio.joins(*from, *to)) {
            let [from, to] = ends.map(|station| radio.stations[station] as u32);
            edges.push(Edge { from, to, delay_ps: 0 });
            ways.push(Way { radio: number, ends });
        }
    }
    ways
}
