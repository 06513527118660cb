//! Queues in bandwidth-delay products: `queue = "2bdp"` as packets.
//!
//! A product is the link's rate times the round-trip time without load of the first TCP flow over it, in full packets
//! of that flow; a queue has room for four packets at least.

use super::ScenarioError;
use crate::model::{FlowKind, Scenario};
use crate::paths::Paths;
use base::Duration;
use net::queue::PRODUCTS;
use settings::Node;

/// Packets that a queue given in products has room for, at least.
const FEWEST: f64 = 4.0;

/// A queue whose room is given in products.
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

/// Returns true if a document has queues in products.
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
            // An invalid value stays: reading the table reports it.
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

/// Replaces products by packets, along the paths of the checked scenario.
///
/// # Errors
/// If no flow over TCP or QUIC crosses such a link on a path of links alone.
pub(super) fn put(root: &mut Node, products: &[Product], scenario: &Scenario) -> Result<(), ScenarioError> {
    let first = first_flows(scenario);
    for one in products {
        let flow = first[one.link].ok_or_else(|| {
            let message =
                "no flow over TCP or QUIC crosses this link on a path of links alone: it has no bandwidth-delay product";
            ScenarioError::new(one.path(), message).allowed("packets (50) or bytes (\"64KiB\")")
        })?;
        let rate = scenario.links[one.link].directions[usize::from(one.reverse)].rate.mean();
        // A little below a whole number is that number: products are computed in binary.
        let room = one.products * rate.bps() as f64 * flow.rtt.secs() / flow.packet_bits - 1e-9;
        let link = &mut root.entry("link").items_mut()[one.link];
        let table = if one.reverse { link.entry("reverse") } else { link };
        table.entry("queue").insert("packets", room.ceil().max(FEWEST) as u64);
    }
    Ok(())
}

/// Properties of a flow that enter a product.
#[derive(Clone, Copy)]
struct Crossing {
    /// Its round-trip time without load: the propagation delays there and back.
    rtt: Duration,
    /// A full packet's bits.
    packet_bits: f64,
}

/// Returns the first flow over TCP or QUIC over each link whose path has links alone.
fn first_flows(scenario: &Scenario) -> Vec<Option<Crossing>> {
    let Scenario { nodes, links, radios, flows, .. } = scenario;
    // It has been checked that flows' ends reach each other.
    let paths = Paths::new(nodes.len(), links, radios, flows).unwrap_or_default();
    let directions = 2 * links.len();
    let mut first = vec![None; links.len()];
    for (number, flow) in flows.iter().enumerate() {
        let packet = match &flow.kind {
            FlowKind::Tcp { tcp, .. } => tcp.sizes.segment + tcp.sizes.header,
            FlowKind::Quic(_) => crate::QUIC_PACKET_BYTES,
            FlowKind::Udp => continue,
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
