//! Queues whose size is given in bandwidth-delay products: conversion of `queue = "2bdp"` to packets.
//!
//! A product is the link's rate times the round-trip time without load of the first flow over TCP or a stack over the link,
//! in full packets of that flow. A queue gets at least four packets.

use super::ScenarioError;
use crate::model::{FlowKind, Scenario};
use crate::paths::Paths;
use base::Duration;
use net::queue::PRODUCTS;
use settings::Node;

/// Least size of a queue given in products, packets.
const FEWEST: f64 = 4.0;

/// Queue of a link, with its size in bandwidth-delay products.
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

/// Returns true if a document has queues whose size is given in products.
pub(super) fn any(root: &Node) -> bool {
    let said = |table: &Node| table.get("queue").is_some_and(|queue| queue.get(PRODUCTS).is_some());
    let links = root.get("link").and_then(Node::as_list).unwrap_or_default();
    links.iter().any(|link| said(link) || link.get("reverse").is_some_and(said))
}

/// Removes the sizes in products from a document, so that it can be checked without them; returns them.
pub(super) fn take(root: &mut Node) -> Vec<Product> {
    let mut found = Vec::new();
    for (at, link) in root.get_mut("link").map(Node::items_mut).unwrap_or_default().iter_mut().enumerate() {
        let mut from = |table: &mut Node, reverse| {
            let Some(queue) = table.get_mut("queue") else { return };
            // An invalid value stays in place, and is reported when the table is read.
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

/// Adds the sizes in packets that correspond to the given products, computed on the paths of the checked scenario.
///
/// # Errors
/// If no flow over TCP or a stack crosses such a link on a path that consists of links alone.
pub(super) fn put(root: &mut Node, products: &[Product], scenario: &Scenario) -> Result<(), ScenarioError> {
    let first = first_flows(scenario);
    for one in products {
        let flow = first[one.link].ok_or_else(|| {
            let message =
                "no flow over TCP or a stack crosses this link on a path of links alone: it has no bandwidth-delay product";
            ScenarioError::new(one.path(), message).allowed("packets (50) or bytes (\"64KiB\")")
        })?;
        let rate = scenario.links[one.link].directions[usize::from(one.reverse)].rate.mean();
        // Products are computed in binary floating point: a value that exceeds a whole number only by a rounding error
        // counts as that number.
        let room = one.products * rate.bps() as f64 * flow.rtt.secs() / flow.packet_bits - 1e-9;
        if room > f64::from(u32::MAX) {
            let products = settings::setting::shown(one.products);
            let message =
                format!("{products} bandwidth-delay products are more packets than a queue can have");
            return Err(ScenarioError::new(one.path(), message)
                .given(format!("{products} bdp"))
                .allowed(format!("up to {} packets, or \"unlimited\"", u32::MAX)));
        }
        let link = &mut root.entry("link").items_mut()[one.link];
        let table = if one.reverse { link.entry("reverse") } else { link };
        table.entry("queue").insert("packets", room.ceil().max(FEWEST) as u64);
    }
    Ok(())
}

/// Properties of a flow from which a bandwidth-delay product is computed.
#[derive(Clone, Copy)]
struct Crossing {
    /// Round-trip time without load: the sum of the propagation delays in both directions.
    rtt: Duration,
    /// Size of a full packet, bits.
    packet_bits: f64,
}

/// Returns for each link the first flow over TCP or a stack over it whose path consists of links alone.
fn first_flows(scenario: &Scenario) -> Vec<Option<Crossing>> {
    let Scenario { nodes, links, radios, flows, .. } = scenario;
    // Paths exist: the check of flows has found that their ends can reach each other.
    let paths = Paths::new(nodes.len(), links, radios, flows).unwrap_or_default();
    let directions = 2 * links.len();
    let mut first = vec![None; links.len()];
    for (number, flow) in flows.iter().enumerate() {
        let packet = match &flow.kind {
            FlowKind::Tcp { tcp, .. } => tcp.sizes.segment + tcp.sizes.header,
            FlowKind::Quic(table) => table.variant.about().packet(),
            FlowKind::Stack(custom) => custom.about().packet(),
            FlowKind::Kernel(_) => uml::SEGMENT + uml::HEADERS,
            FlowKind::Udp | FlowKind::Outside(_) => continue,
        };
        let hops = || paths.hops(number).map(|hop| hop as usize);
        if hops().any(|hop| hop >= directions) {
            continue;
        }
        let rtt = hops().fold(Duration::ZERO, |sum, hop| sum + links[hop / 2].directions[hop % 2].delay);
        let packet_bits = f64::from(packet) * 8.0;
        for hop in hops() {
            first[hop / 2].get_or_insert(Crossing { rtt, packet_bits });
        }
    }
    first
}
