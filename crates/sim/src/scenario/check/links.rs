//! Checks of `[[link]]`: ends, directions, rates, delays.

use super::losses::{impairments, losses};
use super::nodes::{self, Nodes};
use crate::model::{self, Direction};
use crate::scenario::ScenarioError;
use crate::scenario::files;
use crate::scenario::wire::Reverse;
use crate::scenario::wire::paths::LinkRate;
use crate::scenario::wire::{File, Link};
use base::DataRate;
use net::rate_trace::RateTrace;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Checks all links of the file, and returns them.
pub(super) fn links(file: &File, nodes: &Nodes) -> Result<Vec<model::Link>, ScenarioError> {
    let mut seen = BTreeMap::new();
    let mut named = BTreeMap::new();
    let mut links: Vec<model::Link> = Vec::with_capacity(file.link.len());
    let called = |i: usize| file.link[i].name.clone().unwrap_or_else(|| i.to_string());
    for (i, link) in file.link.iter().enumerate() {
        let path = format!("link.{i}");
        let checked = one(link, &path, nodes, file.flow.len(), links.last())?;
        let [a, b] = checked.ends;
        if let Some(first) = seen.insert((a.min(b), a.max(b)), i) {
            let [a, b] = [a, b].map(|end| nodes.name(end));
            let message = format!("link {} joins \"{a}\" and \"{b}\" already", called(first));
            let two = "one link between two nodes: put a node of its own on a second path";
            return Err(ScenarioError::new(format!("{path}.between"), message).allowed(two));
        }
        if let Some(name) = &link.name {
            let path = format!("{path}.name");
            addressable(name).map_err(|e| e.under(&path))?;
            if let Some(first) = named.insert(name, i) {
                let message = format!("link {first} is called \"{name}\" already");
                return Err(ScenarioError::new(path, message).allowed("a name of its own"));
            }
        }
        links.push(checked);
    }
    Ok(links)
}

/// Checks that `name` can be part of a path of a setting, such as `link.NAME.rate`.
pub(in crate::scenario) fn addressable(name: &str) -> Result<(), ScenarioError> {
    nodes::name(name)?;
    if name.contains(['.', '=', '*']) || name.bytes().all(|b| b.is_ascii_digit()) {
        let allowed = "a name that can be part of a path: no `.`, `=` or `*`, and not a number alone";
        return Err(ScenarioError::new("", "not a link's name").allowed(allowed));
    }
    Ok(())
}

/// Checks a link; `last` is the one before, with which it shares equal directions.
fn one(
    link: &Link,
    path: &str,
    nodes: &Nodes,
    flows: usize,
    last: Option<&model::Link>,
) -> Result<model::Link, ScenarioError> {
    let [a, b] = &link.between;
    if a == b {
        let message = format!("a link from \"{a}\" to itself");
        return Err(ScenarioError::new(format!("{path}.between"), message).allowed("two different nodes"));
    }
    let ends = [nodes.find(a, &format!("{path}.between.0"))?, nodes.find(b, &format!("{path}.between.1"))?];
    let [there, back] = losses(&link.loss, &format!("{path}.loss"), ends, nodes, flows)?;
    let [impaired_there, impaired_back] = impairments(link, path, ends, nodes)?;
    let forward = Direction {
        rate: link_rate(&link.rate, &format!("{path}.rate"))?,
        delay: link.delay,
        framing: link.framing.unwrap_or(0),
        queue: link.queue.clone(),
        losses: there,
        impairments: impaired_there,
    };
    let Reverse { rate, delay, queue } = &link.reverse;
    let rate = rate.as_ref().map(|rate| link_rate(rate, &format!("{path}.reverse.rate"))).transpose()?;
    let backward = Direction {
        rate: rate.unwrap_or_else(|| forward.rate.clone()),
        delay: delay.unwrap_or(forward.delay),
        framing: link.framing.unwrap_or(0),
        queue: queue.as_ref().unwrap_or(&forward.queue).clone(),
        losses: back,
        impairments: impaired_back,
    };
    let forward = shared(forward, last.map(|last| &last.directions[0]));
    let known = last.map(|last| &last.directions[1]).filter(|last| ***last == backward);
    let backward = shared(backward, Some(known.unwrap_or(&forward)));
    Ok(model::Link { name: link.name.clone(), ends, directions: [forward, backward] })
}

/// Returns a direction; `known` itself if it is equal.
fn shared(direction: Direction, known: Option<&Arc<Direction>>) -> Arc<Direction> {
    known.filter(|known| ***known == direction).cloned().unwrap_or_else(|| Arc::new(direction))
}

/// Returns a rate, either constant and within its bounds, or from a trace.
pub(super) fn link_rate(given: &LinkRate, path: &str) -> Result<model::Rate, ScenarioError> {
    let given = match given {
        LinkRate::Constant(constant) => return Ok(model::Rate::Constant(*constant)),
        LinkRate::Trace(given) => given,
    };
    let Some(gaps) = &given.gaps else {
        let message = match given.trace {
            Some(_) => "the file has not been read",
            None => "`trace` is missing",
        };
        return Err(ScenarioError::new(format!("{path}.trace"), message)
            .allowed("a file of times in milliseconds: trace = \"FILE\""));
    };
    let trace = files::times(gaps).and_then(RateTrace::new).ok_or_else(|| {
        ScenarioError::new(format!("{path}.gaps"), "these are no gaps of a rate trace")
            .allowed("milliseconds between opportunities, not all 0, at most 100 days in all: \"1x500 0 2\"")
    })?;
    if !DataRate::RANGE.contains(&trace.mean_rate()) {
        return Err(ScenarioError::new(path, "out of range")
            .allowed("a trace whose mean is a rate from 100bps to 10Tbps"));
    }
    Ok(model::Rate::Trace(trace))
}
