//! Checks of `[[event]]`: changes of links and gateways during the run.

use super::nodes::Nodes;
use super::times::before_end;
use super::{links, losses};
use crate::model::{self, Change, ChangeKind};
use crate::scenario::ScenarioError;
use crate::scenario::wire::losses::Losses;
use crate::scenario::wire::{DELAY, DELAYS, Event, File};
use base::Duration;
use settings::table::within;
use settings::{Node, Own, Setting, nearest};

/// Properties of a link that an event can change.
const PROPERTIES: [&str; 5] = ["rate", "delay", "queue", "loss", "up"];
/// Paths of the settings that an event can change, for messages.
const PATHS: &str = "link.N.rate, .delay, .queue, .loss, .up, or of one direction: link.N.forward.rate, link.N.reverse.rate, ...; node.NAME.gateway.up";

/// Returns all changes, in order of time.
pub(super) fn changes(
    file: &File,
    nodes: &Nodes,
    links: &[model::Link],
    gateways: &[model::Gateway],
) -> Result<Vec<Change>, ScenarioError> {
    let mut changes = Vec::new();
    for (i, event) in file.event.iter().enumerate() {
        if event.set.starts_with("node.") {
            changes.push(of_gateway(event, &format!("event.{i}"), file, nodes, gateways)?);
            continue;
        }
        one(event, &format!("event.{i}"), file, nodes, links, &mut changes)?;
    }
    // The sort is stable: simultaneous changes keep the order of the file.
    changes.sort_by_key(|change| change.at);
    Ok(changes)
}

fn one(
    event: &Event,
    path: &str,
    file: &File,
    nodes: &Nodes,
    links: &[model::Link],
    changes: &mut Vec<Change>,
) -> Result<(), ScenarioError> {
    let at = before_end(format!("{path}.at"), event.at, file.duration)?;
    let (link, directions, property) =
        target(&event.set, links).map_err(|e| e.under(&format!("{path}.set")))?;
    let to = format!("{path}.to");
    let what = match property {
        "rate" => ChangeKind::Rate(links::link_rate(&given(&event.to, &to)?, &to)?),
        "delay" => {
            let delay = given(&event.to, &to)?;
            let within = within::<Duration, Own>(delay, DELAYS, DELAY);
            ChangeKind::Delay(within.map_err(|e| e.under(&to))?)
        }
        "queue" => ChangeKind::Queue(given(&event.to, &to)?),
        "up" => ChangeKind::Up(given(&event.to, &to)?),
        _ => {
            let given: Losses = given(&event.to, &to)?;
            let both = losses::losses(&given, &to, links[link].ends, nodes, file.flow.len())?;
            // With `toward`, the two directions have different losses: one change for each.
            for &direction in &directions {
                let what = ChangeKind::Losses(both[direction].clone());
                changes.push(Change { at, directions: vec![(link, direction)], what });
            }
            return Ok(());
        }
    };
    changes.push(Change { at, directions: directions.into_iter().map(|d| (link, d)).collect(), what });
    Ok(())
}

/// Reads the new value of type `T` from an event's `to`.
fn given<T: Setting>(to: &Node, path: &str) -> Result<T, ScenarioError> {
    T::read(to).map_err(|e| e.under(path))
}

/// Returns the change of an event that makes a gateway crash or work again.
fn of_gateway(
    event: &Event,
    path: &str,
    file: &File,
    nodes: &Nodes,
    gateways: &[model::Gateway],
) -> Result<Change, ScenarioError> {
    let at = before_end(format!("{path}.at"), event.at, file.duration)?;
    let set = format!("{path}.set");
    let name = event.set.strip_prefix("node.").and_then(|rest| rest.strip_suffix(".gateway.up"));
    let name = name.ok_or_else(|| {
        let message = format!("`{}` cannot change while the scenario runs", event.set);
        ScenarioError::new(&set, message).allowed("node.NAME.gateway.up")
    })?;
    let node = nodes.find(name, &set)?;
    let gateway = gateways.iter().position(|g| g.node == node).ok_or_else(|| {
        ScenarioError::new(&set, format!("node \"{name}\" has no gateway"))
            .names(name, gateways.iter().map(|g| nodes.name(g.node)))
    })?;
    let up = given(&event.to, &format!("{path}.to"))?;
    Ok(Change { at, directions: Vec::new(), what: ChangeKind::Gateway { gateway, up } })
}

/// Returns the link, the directions and the property that a setting names.
fn target(set: &str, links: &[model::Link]) -> Result<(usize, Vec<usize>, &'static str), ScenarioError> {
    let parts: Vec<&str> = set.split('.').collect();
    let (number, direction, property) = match parts.as_slice() {
        ["link", number, property] => (number, None, property),
        ["link", number, direction, property] => (number, Some(*direction), property),
        _ => {
            let near =
                nearest(set, ["link.0.rate", "link.0.delay", "link.0.queue", "link.0.loss", "link.0.up"]);
            let error = ScenarioError::new("", format!("`{set}` cannot change while the scenario runs"))
                .allowed(PATHS);
            return Err(ScenarioError { nearest: near, ..error });
        }
    };
    let names = links.iter().filter_map(|link| link.name.as_deref());
    let by_name = || links.iter().position(|link| link.name.as_deref() == Some(number));
    let link = number.parse::<usize>().ok().filter(|n| *n < links.len()).or_else(by_name);
    let link = link.ok_or_else(|| {
        let count = links.len();
        let mut there = vec![format!("0 to {} ({count} in all)", count.saturating_sub(1))];
        there.extend(names.clone().map(str::to_owned));
        let error = ScenarioError::new("", format!("there is no link {number}"));
        error.allowed(there.join(", ")).near(nearest(number, names))
    })?;
    let directions = match direction {
        None => vec![0, 1],
        Some("forward") => vec![0],
        Some("reverse") => vec![1],
        Some(other) => {
            return Err(ScenarioError::new("", format!("a link has no direction `{other}`"))
                .names(other, ["forward", "reverse"]));
        }
    };
    let known = PROPERTIES.into_iter().find(|p| p == property).ok_or_else(|| {
        ScenarioError::new("", format!("`{property}` of a link cannot change while the scenario runs"))
            .names(property, PROPERTIES)
    })?;
    Ok((link, directions, known))
}
