//! Losses, and what else happens on a wire.

use super::nodes::Nodes;
use crate::model::{self, LossKind};
use crate::scenario::ScenarioError;
use crate::scenario::wire::Link;
use crate::scenario::wire::losses::{GilbertElliottLoss, Loss, Losses, TraceLoss};
use crate::scenario::wire::paths::Jitter;
use base::Duration;
use net::impairment::{self, Spread};
use net::loss::{counted, gilbert_elliott};

/// The longest time by which a wire may hold a packet back.
const LONGEST: Duration = Duration::from_secs(3600);

/// The losses of both directions, in order.
pub fn losses(
    given: &Losses,
    path: &str,
    ends: [usize; 2],
    nodes: &Nodes,
    flows: usize,
) -> Result<[Vec<model::Loss>; 2], ScenarioError> {
    let mut both = [Vec::new(), Vec::new()];
    for (path, loss) in given.at(path) {
        let of_flow = |given: Option<u64>| given.map(|f| flow(f, &format!("{path}.flow"), flows)).transpose();
        let (kind, toward, at) = match loss {
            Loss::Random(l) => {
                let data_only = l.spare_acks.unwrap_or(false);
                (LossKind::Random { rate: l.rate.0, data_only }, &l.toward, l.at)
            }
            Loss::BitError(l) => (LossKind::BitError { rate: l.rate.0 }, &l.toward, l.at),
            Loss::GilbertElliott(l) => (gilbert_elliott(l), &l.toward, l.at),
            Loss::List(l) => {
                let mut packets = l.packets.clone();
                packets.sort_unstable();
                packets.dedup();
                (LossKind::List { flow: of_flow(l.flow)?, packets }, &l.toward, l.at)
            }
            Loss::Periodic(l) => {
                if l.every == 0 {
                    let message = "one packet in none cannot be lost";
                    return Err(ScenarioError::new(format!("{path}.every"), message).allowed("at least 1"));
                }
                let period = counted::Periodic { every: l.every, offset: l.offset.unwrap_or(l.every - 1) };
                (LossKind::Periodic { flow: of_flow(l.flow)?, period }, &l.toward, l.at)
            }
            Loss::Trace(l) => {
                (LossKind::Trace { flow: of_flow(l.flow)?, trace: trace(l, &path)? }, &l.toward, l.at)
            }
        };
        let loss = model::Loss { kind, at: at.map_or(model::LossPlace::Wire, |at| at.0) };
        for direction in directions(toward.as_deref(), &path, ends, nodes)? {
            both[direction].push(loss.clone());
        }
    }
    Ok(both)
}

fn gilbert_elliott(l: &GilbertElliottLoss) -> LossKind {
    let loss = |given: Option<_>, default| {
        given.map_or(default, |p: crate::scenario::wire::scalar::Probability| p.0)
    };
    LossKind::GilbertElliott(gilbert_elliott::Config {
        p: l.p.0,
        r: l.r.0,
        loss_good: loss(l.loss_good, 0.0),
        loss_bad: loss(l.loss_bad, 1.0),
    })
}

/// The content of a loss trace.
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

/// The directions that something applies to: the one to the node `toward`, or both.
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

fn flow(flow: u64, path: &str, flows: usize) -> Result<usize, ScenarioError> {
    let index = usize::try_from(flow).ok().filter(|i| *i < flows);
    index.ok_or_else(|| {
        let there = format!("0 to {} ({flows} in all)", flows.saturating_sub(1));
        ScenarioError::new(path, format!("there is no flow {flow}")).allowed(there)
    })
}

/// Jitter, reordering and duplication of both directions.
pub fn impairments(
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
        let (jitter, toward) = checked(jitter, &path)?;
        for direction in directions(toward, &path, ends, nodes)? {
            if both[direction].jitter.replace(jitter).is_some() {
                return Err(twice(&path, "jitter"));
            }
        }
    }
    for (path, reorder) in link.reorder.at(&format!("{path}.reorder")) {
        let delay = held_back(reorder.delay.0, &path, "delay")?;
        for direction in directions(reorder.toward.as_deref(), &path, ends, nodes)? {
            let reorder = impairment::Reorder { rate: reorder.rate.0, delay };
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
            both[direction].duplicate = duplicate.rate.0;
        }
    }
    Ok(both)
}

fn checked<'a>(
    jitter: &'a Jitter,
    path: &str,
) -> Result<(impairment::Jitter, Option<&'a str>), ScenarioError> {
    let (spread, keep_order, toward) = match jitter {
        Jitter::Uniform(j) => {
            (Spread::Uniform { max: held_back(j.max.0, path, "max")? }, j.keep_order, &j.toward)
        }
        Jitter::Exponential(j) => {
            (Spread::Exponential { mean: held_back(j.mean.0, path, "mean")? }, j.keep_order, &j.toward)
        }
        Jitter::Normal(j) => {
            let mean = held_back(j.mean.0, path, "mean")?;
            let deviation = held_back(j.deviation.0, path, "deviation")?;
            (Spread::Normal { mean, deviation }, j.keep_order, &j.toward)
        }
    };
    let keep_order = keep_order.unwrap_or(true);
    Ok((impairment::Jitter { spread, keep_order }, toward.as_deref()))
}

fn held_back(time: Duration, path: &str, key: &str) -> Result<Duration, ScenarioError> {
    if time <= LONGEST {
        return Ok(time);
    }
    Err(ScenarioError::new(format!("{path}.{key}"), "out of range").allowed("a time of at most one hour"))
}
