//! Queues in bandwidth-delay products: `queue = "2bdp"` as packets.
//!
//! A product is the link's rate times the round-trip time without load of the first TCP flow over it, in full packets of that
//! flow; a queue has room for four packets at least.

use super::ScenarioError;
use crate::model::{FlowKind, Link, Scenario};
use base::Duration;
use net::queue::PRODUCTS;
use settings::Node;
use std::collections::VecDeque;

/// Fewest packets that a queue given in products has room for.
const FEWEST: f64 = 4.0;

/// A queue whose room is so many products.
pub(super) struct Product {
    link: usize,
    reverse: bool,
    products: f64,
}

impl Product {
    fn path(&self) -> String {
        format!("link.{}.{}queue", self.link, if self.reverse { "reverse." } else { "" })
    }
}

/// Whether a document has queues in products.
pub(super) fn any(root: &Node) -> bool {
    let said = |table: &Node| table.get("queue").is_some_and(|queue| queue.get(PRODUCTS).is_some());
    let links = root.get("link").and_then(Node::as_list).unwrap_or_default();
    links.iter().any(|link| said(link) || link.get("reverse").is_some_and(said))
}

/// Takes the products out of a document, which can be checked without them.
pub(super) fn take(root: &mut Node) -> Vec<Product> {
    let mut found = Vec::new();
    for (at, link) in root.get_mut("link").map(Node::items_mut).unwrap_or_default().iter_mut().enumerate() {
        let mut from = |table: &mut Node, reverse| {
            let Some(queue) = table.get_mut("queue") else { return };
            // What cannot be understood stays: reading the table says what is wrong.
            let alone = ["packets", "bytes", "unlimited"].iter().all(|key| queue.get(key).is_none());
            let products = queue.get(PRODUCTS).and_then(Node::as_f64).filter(|number| alone && *number > 0.0);
            if let Some(products) = products {
                queue.remove(PRODUCTS);
                found.push(Product { link: at, reverse, products });
            }
        };
        from(link, false);
        if let Some(reverse) = link.get_mut("reverse") {
            from(reverse, true);
        }
    }
    found
}

/// Puts packets in their place, by the paths of the checked scenario.
///
/// # Errors
/// If no TCP flow crosses such a link on a path of links alone.
pub(super) fn put(root: &mut Node, products: &[Product], scenario: &Scenario) -> Result<(), ScenarioError> {
    for one in products {
        let packets = packets(one, scenario).ok_or_else(|| {
            let message =
                "no TCP flow crosses this link on a path of links alone: it has no bandwidth-delay product";
            ScenarioError::new(one.path(), message).allowed("packets (50) or bytes (\"64KiB\")")
        })?;
        let link = &mut root.entry("link").items_mut()[one.link];
        let table = if one.reverse { link.entry("reverse") } else { link };
        table.entry("queue").insert("packets", packets);
    }
    Ok(())
}

fn packets(one: &Product, scenario: &Scenario) -> Option<u64> {
    let link = &scenario.links[one.link];
    let rate = link.directions[usize::from(one.reverse)].rate.mean();
    scenario.flows.iter().find_map(|flow| {
        let FlowKind::Tcp { tcp, .. } = &flow.kind else { return None };
        let path = route(&scenario.links, flow.from, flow.to);
        path.contains(&one.link).then(|| {
            let delay = |link: &usize| {
                scenario.links[*link].directions.iter().fold(Duration::ZERO, |sum, way| sum + way.delay)
            };
            let rtt = path.iter().map(delay).fold(Duration::ZERO, |sum, each| sum + each);
            let packet = f64::from(tcp.sizes.segment + tcp.sizes.header) * 8.0;
            let room = one.products * rate.bps() as f64 * rtt.secs() / packet;
            // A little below a whole number is that number: products are worked out in binary.
            (room - 1e-9).ceil().max(FEWEST) as u64
        })
    })
}

/// The links of a path with the fewest of them; none if there is none.
fn route(links: &[Link], from: usize, to: usize) -> Vec<usize> {
    let nodes = links.iter().flat_map(|link| link.ends).max().map_or(0, |last| last + 1);
    let mut at_node = vec![Vec::new(); nodes];
    for (link, Link { ends: [a, b], .. }) in links.iter().enumerate() {
        at_node[*a].push((link, *b));
        at_node[*b].push((link, *a));
    }
    // Where each node was come from: over which link, from which node.
    let mut came: Vec<Option<(usize, usize)>> = vec![None; nodes.max(from + 1)];
    let mut waiting = VecDeque::from([from]);
    while let Some(here) = waiting.pop_front().filter(|here| *here < nodes) {
        if here == to {
            let back = std::iter::successors(came[to], |(_, node)| came[*node].filter(|_| *node != from));
            return back.map(|(link, _)| link).collect();
        }
        for (link, end) in at_node[here].iter().copied() {
            if end != from && came[end].is_none() {
                came[end] = Some((link, here));
                waiting.push_back(end);
            }
        }
    }
    Vec::new()
}
