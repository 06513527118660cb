//! Checks of losses and impairments of links.

use super::nodes::Nodes;
use crate::scenario::ScenarioError;
use crate::scenario::wire::Link;
use crate::scenario::wire::losses::{Losses, Site};
use crate::scenario::wire::paths::JitterSite;
use net::impairment;
use net::loss::Loss;

/// Checks the losses of both directions of a link, and returns them in order.
pub(super) fn losses(
    given: &Losses,
    path: &str,
    ends: [usize; 2],
    nodes: &Nodes,
    flows: usize,
) -> Result<[Vec<Loss>; 2], ScenarioError> {
    let mut both = [Vec::new(), Vec::new()];
    for (path, loss) in given.at(path) {
        let Site { toward, at } = &loss.shared;
        let loss = Loss::new(loss.kind.clone(), *at).map_err(|e| e.under(&path))?;
        if let Some(counted) = loss.config().flow() {
            flow(counted, &format!("{path}.flow"), flows)?;
        }
        for direction in directions(toward.as_deref(), &path, ends, nodes)? {
            both[direction].push(loss.clone());
        }
    }
    Ok(both)
}

/// Returns the directions to which a table applies: that to the node `toward`, or both.
fn directions(
    toward: Option<&str>,
    path: &str,
    ends: [usize; 2],
    nodes: &Nodes,
) -> Result<std::ops::Range<usize>, ScenarioError> {
    let Some(name) = toward else { return Ok(0..2) };
    let names = ends.map(|end| nodes.name(end));
    match names.iter().position(|n| *n == name) {
        Some(end) => Ok(1 - end..2 - end),
        None => {
            let message = format!("\"{name}\" is no end of this link");
            Err(ScenarioError::new(format!("{path}.toward"), message).names(name, names))
        }
    }
}

/// Checks that there is a flow with this number.
fn flow(flow: usize, path: &str, flows: usize) -> Result<(), ScenarioError> {
    if flow < flows {
        return Ok(());
    }
    let there = format!("0 to {} ({flows} in all)", flows.saturating_sub(1));
    Err(ScenarioError::new(path, format!("there is no flow {flow}")).allowed(there))
}

/// Checks jitter, reordering and duplication of both directions of a link, and returns them.
pub(super) fn impairments(
    link: &Link,
    path: &str,
    ends: [usize; 2],
    nodes: &Nodes,
) -> Result<[impairment::Config; 2], ScenarioError> {
    let mut both = [impairment::Config::default(); 2];
    let twice = |path: &str, what: &str| {
        let message = format!("this direction has its {what} already");
        ScenarioError::new(path, message).allowed(format!("one {what} for each direction, with `toward`"))
    };
    for (path, jitter) in link.jitter.at(&format!("{path}.jitter")) {
        let JitterSite { order, toward } = &jitter.shared;
        let jitter = impairment::Jitter { spread: jitter.kind, order: *order };
        for direction in directions(toward.as_deref(), &path, ends, nodes)? {
            if both[direction].jitter.replace(jitter).is_some() {
                return Err(twice(&path, "jitter"));
            }
        }
    }
    for (path, reorder) in link.reorder.at(&format!("{path}.reorder")) {
        for direction in directions(reorder.toward.as_deref(), &path, ends, nodes)? {
            if both[direction].reorder.replace(reorder.config).is_some() {
                return Err(twice(&path, "reorder"));
            }
        }
    }
    let mut given = [false; 2];
    for (path, duplicate) in link.duplicate.at(&format!("{path}.duplicate")) {
        for direction in directions(duplicate.toward.as_deref(), &path, ends, nodes)? {
            if std::mem::replace(&mut given[direction], true) {
                return Err(twice(&path, "duplicate"));
            }
            both[direction].duplicate = Some(duplicate.config).filter(|config| config.rate > 0.0);
        }
    }
    Ok(both)
}
