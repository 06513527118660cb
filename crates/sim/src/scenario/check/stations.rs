//! Stations of radio networks: nodes that must have a position.

use super::nodes::Nodes;
use crate::model::Place;
use crate::scenario::ScenarioError;
use std::collections::BTreeMap;

/// Returns the nodes that a network names as stations; each must be named once and have a position.
pub(super) fn stations(
    names: &[String],
    path: &str,
    nodes: &Nodes,
    places: &[Option<Box<Place>>],
) -> Result<Vec<usize>, ScenarioError> {
    let mut seen = BTreeMap::new();
    let mut stations = Vec::with_capacity(names.len());
    for (k, name) in names.iter().enumerate() {
        let path = format!("{path}.{k}");
        let node = nodes.find(name, &path)?;
        if let Some(first) = seen.insert(node, k) {
            let message = format!("\"{name}\" is station {first} already");
            return Err(ScenarioError::new(path, message).allowed("each node once"));
        }
        if places[node].is_none() {
            let message = format!("station \"{name}\" has no position");
            let allowed = format!("a node with a place: [[node]] name = \"{name}\", position = [10, 0]");
            return Err(ScenarioError::new(path, message).allowed(allowed));
        }
        stations.push(node);
    }
    Ok(stations)
}
