//! Losses and impairments of a wire.

use super::nodes::Nodes;
use crate::model::{self, LossKind, LossPlace};
use crate::scenario::ScenarioError;
use crate::scenario::wire::Link;
use crate::scenario::wire::losses::{Loss, Losses, TraceLoss};
use crate::scenario::wire::paths::{Jitter, JitterSite};
use net::impairment::{self, Spread};
use net::loss::counted;

/// Checks and returns the losses of both directions, in order.
pub(super) fn losses(
    given: &Losses,
    path: &str,
    ends: [usize; 2],
    nodes: &Nodes,
    flows: usize,
) -> Result<[Vec<model::Loss>; 2], ScenarioError> {
    let mut both = [Vec::new(), Vec::new()];
    for (path, loss) in given.at(path) {
        let of_flow =
            |given: Option<usize>| given.map(|f| flow(f, &format!("{path}.flow"), flows)).transpose();
        let (kind, site) = match loss {
            Loss::Random(l) => (LossKind::Random { rate: l.rate, data_only: l.spare_acks }, &l.site),
            Loss::BitError(l) => (LossKind::BitError { rate: l.rate }, &l.site),
            Loss::GilbertElliott(l) => (LossKind::GilbertElliott(l.states), &l.site),
            Loss::List(l) => {
                let mut packets = l.packets.clone();
                packets.sort_unstable();
                packets.dedup();
                if l.delay.is_some() && l.site.at != LossPlace::Entry {
                    let message = "packets are held up before the queue";
                    return Err(ScenarioError::new(format!("{path}.at"), message)
                        .allowed("at = \"entry\" with `delay`"));
                }
                (LossKind::List { flow: of_flow(l.flow)?, packets, hold: l.delay }, &l.site)
            }
            Loss::Periodic(l) => {
                if l.every == 0 {
                    let message = "one packet in none cannot be lost";
                    return Err(ScenarioError::new(format!("{path}.every"), message).allowed("at least 1"));
                }
                let period = counted::Periodic { every: l.every, offset: l.offset.unwrap_or(l.every - 1) };
                (LossKind::Periodic { flow: of_flow(l.flow)?, period }, &l.site)
            }
            Loss::Trace(l) => (LossKind::Trace { flow: of_flow(l.flow)?, trace: trace(l, &path)? }, &l.site),
        };
        let loss = model::Loss { kind, at: site.at };
        for direction in directions(site.toward.as_deref(), &path, ends, nodes)? {
            both[direction].push(loss.clone());
        }
    }
    Ok(both)
}

/// Returns the the content of a loss trace.
fn trace(l: &TraceLoss, path: &str) -> Result<counted::Trace, ScenarioError> {
    let (Some(lost), Some(length)) = (&l.lost, l.length) else {
        let (key, message) = match (&l.trace, &l.lost) {
            (Some(_), None) => ("trace", "the file has not been read"),
            (_, Some(_)) => ("length", "`length` is missing"),
            (None, None) => ("trace", "`trace` is missing"),
        };
        return Err(ScenarioError::new(format!("{path}.{key}"), message)
            .allowed("a file of 0 and 1: trace = \"FILE\"; or its content: lost = [3, 7], length = 100"));
    };
    let mut lost = lost.clone();
    lost.sort_unstable();
    lost.dedup();
    if lost.last().is_some_and(|last| *last >= length) || length == 0 {
        let message = "a trace is longer than the number of each packet that it loses";
        let allowed = format!("more than {}", lost.last().copied().unwrap_or_default());
        return Err(ScenarioError::new(format!("{path}.length"), message).allowed(allowed));
    }
    Ok(counted::Trace { lost: lost.into(), length })
}

/// Returns the directions that something applies to: the one to the node `toward`, or both.
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

fn flow(flow: usize, path: &str, flows: usize) -> Result<usize, ScenarioError> {
    if flow < flows {
        return Ok(flow);
    }
    let there = format!("0 to {} ({flows} in all)", flows.saturating_sub(1));
    Err(ScenarioError::new(path, format!("there is no flow {flow}")).allowed(there))
}

/// Checks and returns jitter, reordering and duplication of both directions.
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
        let (spread, JitterSite { keep_order, toward }) = match jitter {
            Jitter::Uniform(j) => (Spread::Uniform { max: j.max }, &j.site),
            Jitter::Exponential(j) => (Spread::Exponential { mean: j.mean }, &j.site),
            Jitter::Normal(j) => (Spread::Normal { mean: j.mean, deviation: j.deviation }, &j.site),
        };
        let jitter = impairment::Jitter { spread, keep_order: *keep_order };
        for direction in directions(toward.as_deref(), &path, ends, nodes)? {
            if both[direction].jitter.replace(jitter).is_some() {
                return Err(twice(&path, "jitter"));
            }
        }
    }
    for (path, reorder) in link.reorder.at(&format!("{path}.reorder")) {
        for direction in directions(reorder.toward.as_deref(), &path, ends, nodes)? {
            let reorder = impairment::Reorder { rate: reorder.rate, delay: reorder.delay };
            if both[direction].reorder.replace(reorder).is_some() {
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
            both[direction].duplicate = duplicate.rate;
        }
    }
    Ok(both)
}
