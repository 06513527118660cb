//! Conversion of a scenario with many flows to a description that states equal tables once.

use super::{file, flow, link, tcp};
use crate::model::{self, FlowKind, Scenario};
use settings::node::Data;
use settings::{Node, Setting};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Keys of a link whose tables are parts.
const OF_LINKS: [&str; 2] = ["queue", "reverse"];

/// Returns the description of a scenario as [`describe`](super::describe) does, with equal tables stated once.
///
/// The JSON is `{"parts": [...], "scenario": {...}}`. In flows, `tcp` and `traffic` are numbers of parts, and so are
/// `queue` and `reverse` in links.
pub fn describe_shared(scenario: &Scenario) -> String {
    let mut parts = Parts::default();
    let links: Vec<Node> = scenario.links.iter().map(|one| parts.link(one, &scenario.nodes)).collect();
    let flows: Vec<Node> = scenario.flows.iter().map(|one| parts.flow(one, &scenario.nodes)).collect();
    // The first of each gives the list its place among the keys.
    let first_link = scenario.links.iter().take(1).map(|one| link(one, &scenario.nodes)).collect();
    let first_flow = scenario.flows.iter().take(1).map(|one| flow(one, &scenario.nodes)).collect();
    let mut root = file(scenario, first_link, first_flow).write();
    for (key, items) in [("link", links), ("flow", flows)] {
        if let Some(list) = root.get_mut(key) {
            *list = Data::List(items).into();
        }
    }
    format!("{{\"parts\":[{}],\"scenario\":{}}}", parts.texts.join(","), root.to_json())
}

/// Tables that links and flows share.
#[derive(Default)]
struct Parts<'a> {
    /// Each table as JSON, in order of first use.
    texts: Vec<String>,
    /// Number of each table, by its JSON.
    known: BTreeMap<String, usize>,
    /// Number of the table `tcp`, by parameters and variant. Flows with equal parameters share them in memory.
    connections: BTreeMap<(*const ::tcp::Config, &'a str), usize>,
}

impl<'a> Parts<'a> {
    /// Returns the number of a table; adds the table if it is new.
    fn number(&mut self, table: &Node) -> usize {
        let text = table.to_json();
        let next = self.texts.len();
        *self.known.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            next
        })
    }

    /// Puts a table's number in place of the table.
    fn replace(&mut self, root: &mut Node, key: &str) {
        if let Some(table) = root.get_mut(key) {
            *table = (self.number(table) as u64).into();
        }
    }

    fn link(&mut self, one: &model::Link, nodes: &[String]) -> Node {
        let mut root = link(one, nodes).write();
        OF_LINKS.iter().for_each(|key| self.replace(&mut root, key));
        root
    }

    fn flow(&mut self, one: &'a model::Flow, nodes: &[String]) -> Node {
        let mut root = flow(one, nodes).write();
        self.replace(&mut root, "traffic");
        if let FlowKind::Tcp { variant, tcp: config, .. } = &one.kind {
            let key = (Arc::as_ptr(config), variant.as_str());
            let number = self.connections.get(&key).copied().unwrap_or_else(|| {
                let number = tcp(one).map_or(0, |table| self.number(&table.write()));
                self.connections.insert(key, number);
                number
            });
            root.insert("tcp", number as u64);
        }
        root
    }
}
