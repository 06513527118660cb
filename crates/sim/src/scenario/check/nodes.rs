//! Nodes, which exist because tables, links or radio networks name them.

use crate::scenario::ScenarioError;
use crate::scenario::wire::File;
use base::NodeId;
use settings::{invisible, nearest};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

/// All nodes by name, numbered in order of first appearance: first those of tables, then of links, then of radio
/// networks.
pub(super) struct Nodes {
    names: Vec<String>,
    by_name: BTreeMap<String, usize>,
    /// Beginning of messages about a node that no link or radio network names.
    joins: &'static str,
}

/// Returns the stations of the file's radio networks, each with the path of its name.
fn stations(file: &File) -> impl Iterator<Item = (String, &str)> {
    let wifi = file.wifi.iter().enumerate().flat_map(|(i, network)| {
        let each = network.stations.iter().enumerate();
        each.map(move |(k, name)| (format!("wifi.{i}.stations.{k}"), name.as_str()))
    });
    let lte = file.lte.iter().enumerate().flat_map(|(i, network)| {
        let ues = network.ue.iter().enumerate();
        let ues = ues.map(move |(k, name)| (format!("lte.{i}.ue.{k}"), name.as_str()));
        std::iter::once((format!("lte.{i}.gateway"), network.gateway.as_str())).chain(ues)
    });
    wifi.chain(lte)
}

impl Nodes {
    /// Collects the nodes of a file.
    pub(super) fn of(file: &File) -> Result<Self, ScenarioError> {
        let joins =
            if stations(file).next().is_none() { "no link joins" } else { "no link or radio network has" };
        let mut nodes = Self { names: Vec::new(), by_name: BTreeMap::new(), joins };
        for (i, node) in file.node.iter().enumerate() {
            let path = format!("node.{i}.name");
            name(&node.name).map_err(|e| e.under(&path))?;
            if !nodes.add(&node.name) {
                return Err(ScenarioError::new(path, format!("node \"{}\" has a table already", node.name)));
            }
        }
        let mut linked = vec![false; nodes.names.len()];
        let ends = file.link.iter().enumerate().flat_map(|(i, link)| {
            let each = link.between.iter().enumerate();
            each.map(move |(end, node)| (format!("link.{i}.between.{end}"), node.as_str()))
        });
        for (path, node) in ends.chain(stations(file)) {
            name(node).map_err(|e| e.under(&path))?;
            nodes.add(node);
            linked.resize(nodes.names.len(), false);
            linked[nodes.by_name[node]] = true;
        }
        if let Some(alone) = linked.iter().position(|l| !l) {
            let name = nodes.names[alone].clone();
            let others =
                nodes.names.iter().zip(&linked).filter(|(_, linked)| **linked).map(|(n, _)| n.as_str());
            let error = ScenarioError::new(format!("node.{alone}.name"), format!("{joins} node \"{name}\""));
            return Err(nodes_named(error, &name, others));
        }
        Ok(nodes)
    }

    fn add(&mut self, name: &str) -> bool {
        if self.by_name.contains_key(name) {
            return false;
        }
        self.by_name.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        true
    }

    /// Returns the index of the node called `name`; `path` is where the name is given, for the error.
    pub(super) fn find(&self, name: &str, path: &str) -> Result<usize, ScenarioError> {
        self.by_name.get(name).copied().ok_or_else(|| {
            let error = ScenarioError::new(path, format!("{} a node \"{name}\"", self.joins));
            nodes_named(error, name, self.names.iter().map(String::as_str))
        })
    }

    /// Returns the name of the node with this index.
    pub(super) fn name(&self, node: usize) -> &str {
        &self.names[node]
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns the names of all nodes, in order.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}

/// Adds to an error the names of existing nodes (of many, the first few) and the one nearest to `given`.
fn nodes_named<'a>(
    error: ScenarioError,
    given: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> ScenarioError {
    const SHOWN: usize = 12;
    let near = nearest(given, names.clone());
    let count = names.clone().count();
    let mut list = names.take(SHOWN).collect::<Vec<_>>().join(", ");
    if count > SHOWN {
        list.push_str(&format!(", ... ({count} nodes)"));
    }
    ScenarioError { nearest: near, ..error.allowed(list) }
}

/// Returns the address that each node's table gives; no two nodes may have the same address.
pub(super) fn addresses(file: &File, nodes: usize) -> Result<Vec<Option<[u8; 4]>>, ScenarioError> {
    let mut given = vec![None; nodes];
    for (i, text) in file.node.iter().enumerate().filter_map(|(i, node)| Some((i, node.address.as_ref()?))) {
        let address: Ipv4Addr = text.parse().map_err(|_| {
            let message = format!("\"{text}\" is not an IPv4 address");
            ScenarioError::new(format!("node.{i}.address"), message).allowed("four numbers: \"192.168.0.1\"")
        })?;
        given[i] = Some(address.octets());
    }
    if given.iter().all(Option::is_none) {
        return Ok(given);
    }
    let mut taken = BTreeMap::new();
    // In reverse order, as nodes with tables come first: of two nodes with one address, the message names one that
    // has a table.
    for (node, address) in given.iter().enumerate().rev() {
        let address = address.unwrap_or_else(|| metrics::address(NodeId(node as u32)));
        if let Some(other) = taken.insert(address, node) {
            let [own, other] = if given[node].is_some() { [node, other] } else { [other, node] };
            let message = format!("nodes {own} and {other} have the address {}", Ipv4Addr::from(address));
            return Err(ScenarioError::new(format!("node.{own}.address"), message)
                .allowed("an address of its own; a node without one has 10.0.0.1 plus its number"));
        }
    }
    Ok(given)
}

/// Checks that `name` can name a node or a flow. Traces separate places by `>` and columns by `,`; spreadsheets
/// evaluate text that begins like a formula; and with invisible characters two names can look the same.
pub(super) fn name(name: &str) -> Result<(), ScenarioError> {
    let bad =
        |c: char| c.is_control() || c.is_whitespace() || invisible(c) || matches!(c, '>' | ',' | '"' | '\'');
    let formula = name.starts_with(['=', '+', '-', '@']);
    if name.is_empty() || name.chars().count() > 64 || name.contains(bad) || formula {
        let allowed = "1 to 64 characters, no spaces, quotes, `>` or `,`; not `=`, `+`, `-` or `@` first";
        let message = match name.chars().find(|c| invisible(*c)) {
            Some(c) => format!("not a name: U+{:04X} in it is invisible", u32::from(c)),
            None => "not a name".to_owned(),
        };
        return Err(ScenarioError::new("", message).allowed(allowed));
    }
    Ok(())
}
