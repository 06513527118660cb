//! Shortest paths: the fewest links, then the least delay, then the lowest link numbers.
//!
//! The fewest links is the rule of ns-2's static routing with its default link cost of 1. The further rules
//! make the path unique. A node that only one link enters needs no search of its own: its paths are those to
//! the node before it. A network of many hosts around few routers therefore takes one search per router, not
//! one per host.

use std::fmt;

/// A link in one direction; its number is its index in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Node at which the link begins.
    pub from: u32,
    /// Node at which the link ends.
    pub to: u32,
    /// Propagation delay, picoseconds.
    pub delay_ps: u64,
}

/// Paths, stored one after the other in one list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Routes {
    /// Link numbers; each path ends with [`END`].
    pub hops: Vec<u32>,
    /// Index in `hops` at which each pair's path begins.
    pub starts: Vec<u32>,
}

/// Marks the end of a path in [`Routes::hops`].
pub const END: u32 = u32::MAX;

/// Error: no path joins the nodes of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreachable {
    /// Index of the pair in the list given to [`shortest`].
    pub pair: usize,
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no path joins pair {}", self.pair)
    }
}

impl std::error::Error for Unreachable {}

/// Links of each node in ascending order: those of node n are `links[first[n]..first[n + 1]]`.
struct Adjacency {
    first: Vec<u32>,
    links: Vec<u32>,
}

impl Adjacency {
    fn new(nodes: usize, edges: &[Edge], node: impl Fn(&Edge) -> u32) -> Self {
        let mut first = vec![0u32; nodes + 1];
        for edge in edges {
            first[node(edge) as usize + 1] += 1;
        }
        for i in 0..nodes {
            first[i + 1] += first[i];
        }
        let mut fill = first.clone();
        let mut links = vec![0; edges.len()];
        for (i, edge) in (0u32..).zip(edges) {
            let slot = &mut fill[node(edge) as usize];
            links[*slot as usize] = i;
            *slot += 1;
        }
        Self { first, links }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.links[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }
}

/// Shortest paths from every node to one destination.
struct Tree {
    /// Number of links on the path to the destination; `END` if there is no path.
    distance: Vec<u32>,
    delay: Vec<u64>,
    /// First link of the path from each node to the destination.
    next: Vec<u32>,
    level: Vec<u32>,
    upper: Vec<u32>,
}

impl Tree {
    fn new(nodes: usize) -> Self {
        Self {
            distance: vec![END; nodes],
            delay: vec![0; nodes],
            next: vec![END; nodes],
            level: Vec::new(),
            upper: Vec::new(),
        }
    }

    /// Finds the paths to `to` by breadth-first search against the direction of links.
    fn grow(&mut self, to: u32, edges: &[Edge], into: &Adjacency) {
        self.distance.fill(END);
        self.distance[to as usize] = 0;
        self.delay[to as usize] = 0;
        self.level.clear();
        self.level.push(to);
        let mut distance = 0;
        while !self.level.is_empty() {
            distance += 1;
            self.upper.clear();
            for &node in &self.level {
                for &link in into.of(node) {
                    let edge = edges[link as usize];
                    let delay = edge.delay_ps + self.delay[node as usize];
                    let at = edge.from as usize;
                    let known = self.distance[at];
                    if known == END {
                        self.upper.push(edge.from);
                    } else if known < distance || (self.delay[at], self.next[at]) <= (delay, link) {
                        continue;
                    }
                    self.distance[at] = distance;
                    self.delay[at] = delay;
                    self.next[at] = link;
                }
            }
            std::mem::swap(&mut self.level, &mut self.upper);
        }
    }
}

/// Returns the shortest path for each pair `(from, to)` of nodes; nodes are numbered from 0 to `nodes - 1`.
///
/// # Errors
/// The first pair that no path joins.
pub fn shortest(nodes: usize, edges: &[Edge], pairs: &[(u32, u32)]) -> Result<Routes, Unreachable> {
    let into = Adjacency::new(nodes, edges, |e| e.to);
    // If only one link enters a node, the path to the node is that to the link's beginning, followed by the
    // link.
    let door = |node: u32| match into.of(node) {
        [link] => Some((*link, edges[*link as usize].from)),
        _ => None,
    };
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    let target = |pair: usize| door(pairs[pair].1).map_or(pairs[pair].1, |(_, before)| before);
    order.sort_by_key(|pair| (target(*pair), *pair));
    let mut paths: Vec<(u32, u32)> = vec![(0, 0); pairs.len()];
    let mut hops = Vec::new();
    let mut tree = Tree::new(nodes);
    let mut grown = None;
    let mut missing: Option<usize> = None;
    for pair in order {
        let (from, to) = pairs[pair];
        let last = door(to).filter(|_| from != to);
        let goal = last.map_or(to, |(_, before)| before);
        if grown != Some(goal) {
            tree.grow(goal, edges, &into);
            grown = Some(goal);
        }
        let begin = hops.len();
        let mut at = from;
        while at != goal && tree.distance[at as usize] != END {
            let link = tree.next[at as usize];
            hops.push(link);
            at = edges[link as usize].to;
        }
        if at != goal {
            missing = Some(missing.map_or(pair, |m| m.min(pair)));
            continue;
        }
        hops.extend(last.map(|(link, _)| link));
        hops.push(END);
        paths[pair] = (begin as u32, hops.len() as u32);
    }
    match missing {
        Some(pair) => Err(Unreachable { pair }),
        None => Ok(Routes { hops, starts: paths.into_iter().map(|(begin, _)| begin).collect() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(routes: &Routes, pair: usize) -> Vec<u32> {
        routes.hops[routes.starts[pair] as usize..].iter().copied().take_while(|hop| *hop != END).collect()
    }

    fn edge(from: u32, to: u32, delay_ps: u64) -> Edge {
        Edge { from, to, delay_ps }
    }

    #[test]
    fn fewest_links_then_least_delay_then_lowest_number() {
        // Node 0 reaches node 3 directly, over node 1, or over node 2.
        let direct = [edge(0, 1, 1), edge(1, 3, 1), edge(0, 3, 100)];
        assert_eq!(path(&shortest(4, &direct, &[(0, 3)]).unwrap(), 0), [2]);
        let two = [edge(0, 1, 5), edge(1, 3, 5), edge(0, 2, 1), edge(2, 3, 1)];
        assert_eq!(path(&shortest(4, &two, &[(0, 3)]).unwrap(), 0), [2, 3]);
        let same = [edge(0, 1, 1), edge(1, 3, 1), edge(0, 2, 1), edge(2, 3, 1)];
        assert_eq!(path(&shortest(4, &same, &[(0, 3)]).unwrap(), 0), [0, 1]);
    }

    #[test]
    fn names_the_pair_without_a_path() {
        let one_way = [edge(0, 1, 1)];
        assert_eq!(shortest(3, &one_way, &[(0, 1), (1, 0)]), Err(Unreachable { pair: 1 }));
    }

    #[test]
    fn ten_thousand_hosts_around_two_routers() {
        let hosts = 10_000u32;
        let mut edges = vec![edge(0, 1, 1), edge(1, 0, 1)];
        let mut pairs = Vec::new();
        for host in 2..hosts + 2 {
            let router = host % 2;
            edges.extend([edge(host, router, 1), edge(router, host, 1)]);
            if router == 0 {
                pairs.extend([(host, host + 1), (host + 1, host)]);
            }
        }
        let routes = shortest(hosts as usize + 2, &edges, &pairs).unwrap();
        assert!((0..pairs.len()).all(|pair| path(&routes, pair).len() == 3));
    }

    proptest! {
        #[test]
        fn no_shorter_path(
            links in prop::collection::vec((0u32..12, 0u32..12, 1u64..50), 1..60),
            from in 0u32..12,
            to in 0u32..12,
        ) {
            prop_assume!(from != to);
            let edges: Vec<Edge> = links.iter().map(|(a, b, d)| edge(*a, *b, *d)).collect();
            // The reference: Bellman-Ford on pairs (links, delay).
            let mut best = [None; 12];
            best[from as usize] = Some((0, 0));
            for _ in 0..12 {
                for e in &edges {
                    if let Some((n, delay)) = best[e.from as usize] {
                        let via = (n + 1, delay + e.delay_ps);
                        let known = &mut best[e.to as usize];
                        if known.is_none_or(|k| via < k) {
                            *known = Some(via);
                        }
                    }
                }
            }
            match (shortest(12, &edges, &[(from, to)]), best[to as usize]) {
                (Err(_), None) => {}
                (Ok(routes), Some((n, delay))) => {
                    let hops = path(&routes, 0);
                    let (mut at, mut sum) = (from, 0);
                    for hop in &hops {
                        let e = edges[*hop as usize];
                        prop_assert_eq!(e.from, at);
                        at = e.to;
                        sum += e.delay_ps;
                    }
                    prop_assert_eq!((at, hops.len(), sum), (to, n, delay));
                }
                (got, want) => prop_assert!(false, "{:?} but {:?}", got, want),
            }
        }
    }
}
