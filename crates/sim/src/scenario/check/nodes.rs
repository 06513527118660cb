//! Nodes: named by tables and links.

use crate::scenario::error::{ScenarioError, nearest};
use crate::scenario::wire::File;
use std::collections::BTreeMap;

/// Every node by name, numbered in order of first appearance: tables first, then links.
pub struct Nodes {
    names: Vec<String>,
    by_name: BTreeMap<String, usize>,
}

impl Nodes {
    /// The nodes of a file.
    pub fn of(file: &File) -> Result<Self, ScenarioError> {
        let mut nodes = Self { names: Vec::new(), by_name: BTreeMap::new() };
        for (i, node) in file.node.iter().enumerate() {
            let path = format!("node.{i}.name");
            name(&node.name).map_err(|e| e.under(&path))?;
            if !nodes.add(&node.name) {
                return Err(ScenarioError::new(path, format!("node \"{}\" has a table already", node.name)));
            }
        }
        let mut linked = vec![false; nodes.names.len()];
        for (i, link) in file.link.iter().enumerate() {
            for (end, node) in link.between.iter().enumerate() {
                name(node).map_err(|e| e.under(&format!("link.{i}.between.{end}")))?;
                nodes.add(node);
                linked.resize(nodes.names.len(), false);
                linked[nodes.by_name[node.as_str()]] = true;
            }
        }
        if let Some(alone) = linked.iter().position(|l| !l) {
            let name = nodes.names[alone].clone();
            let others =
                nodes.names.iter().zip(&linked).filter(|(_, linked)| **linked).map(|(n, _)| n.as_str());
            let error =
                ScenarioError::new(format!("node.{alone}.name"), format!("no link joins node \"{name}\""));
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

    /// The node called `name`; `path` is where the name is written.
    pub fn find(&self, name: &str, path: &str) -> Result<usize, ScenarioError> {
        self.by_name.get(name).copied().ok_or_else(|| {
            let error = ScenarioError::new(path, format!("no link joins a node \"{name}\""));
            nodes_named(error, name, self.names.iter().map(String::as_str))
        })
    }

    /// The name of a node.
    pub fn name(&self, node: usize) -> &str {
        &self.names[node]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// All names in order.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }
}

/// Lists the nodes there are, the first few of many, and suggests the nearest.
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

/// Whether `name` can name a node or a flow: traces separate places by `>` and columns by `,`.
pub fn name(name: &str) -> Result<(), ScenarioError> {
    let bad = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '>' | ',' | '"' | '\'');
    if name.is_empty() || name.chars().count() > 64 || name.contains(bad) {
        return Err(
            ScenarioError::new("", "not a name").allowed("1 to 64 characters, no spaces, quotes, `>` or `,`")
        );
    }
    Ok(())
}
