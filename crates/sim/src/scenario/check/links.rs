//! Links: ends, directions, queues, losses.

use super::nodes::Nodes;
use crate::model::{self, Direction, LossKind, QueueLimit};
use crate::scenario::error::ScenarioError;
use crate::scenario::wire::parts::{DropTail, Loss, Losses, Queue};
use crate::scenario::wire::{File, Link};
use base::{DataRate, Duration};
use std::collections::BTreeMap;

/// Room of a queue where none is given, packets.
const DEFAULT_ROOM: u32 = 1000;
/// Rates of links and traffic, bit/s: below and above, times of packets no longer fit the clock.
const RATES: std::ops::RangeInclusive<u64> = 100..=10_000_000_000_000;
/// The longest propagation delay.
const LONGEST_DELAY: Duration = Duration::from_secs(3600);

/// Every link of the file.
pub fn links(file: &File, nodes: &Nodes) -> Result<Vec<model::Link>, ScenarioError> {
    let mut seen = BTreeMap::new();
    let mut links = Vec::with_capacity(file.link.len());
    for (i, link) in file.link.iter().enumerate() {
        let path = format!("link.{i}");
        let checked = one(link, &path, nodes, file.flow.len())?;
        let [a, b] = checked.ends;
        if let Some(first) = seen.insert((a.min(b), a.max(b)), i) {
            let message =
                format!("link {first} joins \"{}\" and \"{}\" already", nodes.name(a), nodes.name(b));
            let two = "one link between two nodes: put a node of its own on a second path";
            return Err(ScenarioError::new(format!("{path}.between"), message).allowed(two));
        }
        links.push(checked);
    }
    Ok(links)
}

fn one(link: &Link, path: &str, nodes: &Nodes, flows: usize) -> Result<model::Link, ScenarioError> {
    let [a, b] = link.between.as_slice() else {
        let message = format!("a link joins two nodes, not {}", link.between.len());
        return Err(
            ScenarioError::new(format!("{path}.between"), message).allowed("between = [\"a\", \"b\"]")
        );
    };
    if a == b {
        let message = format!("a link from \"{a}\" to itself");
        return Err(ScenarioError::new(format!("{path}.between"), message).allowed("two different nodes"));
    }
    let ends = [nodes.find(a, &format!("{path}.between.0"))?, nodes.find(b, &format!("{path}.between.1"))?];
    let [there, back] = losses(&link.loss, &format!("{path}.loss"), ends, nodes, flows)?;
    let forward = Direction {
        rate: rate(link.rate.0, &format!("{path}.rate"))?,
        delay: delay(link.delay.0, &format!("{path}.delay"))?,
        queue: link.queue.as_ref().map_or(Ok(DEFAULT_QUEUE), |q| queue(q, &format!("{path}.queue")))?,
        losses: there,
    };
    let mut backward = Direction { losses: back, ..forward.clone() };
    if let Some(reverse) = &link.reverse {
        if let Some(r) = reverse.rate {
            backward.rate = rate(r.0, &format!("{path}.reverse.rate"))?;
        }
        if let Some(d) = reverse.delay {
            backward.delay = delay(d.0, &format!("{path}.reverse.delay"))?;
        }
        if let Some(q) = &reverse.queue {
            backward.queue = queue(q, &format!("{path}.reverse.queue"))?;
        }
    }
    Ok(model::Link { ends, directions: [forward, backward] })
}

/// A rate within bounds.
pub fn rate(rate: DataRate, path: &str) -> Result<DataRate, ScenarioError> {
    if RATES.contains(&rate.bps()) {
        return Ok(rate);
    }
    Err(ScenarioError::new(path, "out of range").allowed("a rate from 100bps to 10Tbps"))
}

/// A propagation delay within bounds.
pub fn delay(delay: Duration, path: &str) -> Result<Duration, ScenarioError> {
    if delay <= LONGEST_DELAY {
        return Ok(delay);
    }
    Err(ScenarioError::new(path, "out of range").allowed("a delay of at most one hour"))
}

const DEFAULT_QUEUE: model::Queue = model::Queue::DropTail { limit: QueueLimit::Packets(DEFAULT_ROOM) };

/// A queue.
pub fn queue(queue: &Queue, path: &str) -> Result<model::Queue, ScenarioError> {
    let Queue::DropTail(DropTail { packets, bytes, unlimited }) = queue;
    let limit = match (packets, bytes, unlimited.unwrap_or(false)) {
        (None, None, false) => QueueLimit::Packets(DEFAULT_ROOM),
        (Some(packets), None, false) => QueueLimit::Packets(*packets),
        (None, Some(bytes), false) => QueueLimit::Bytes(bytes.0),
        (None, None, true) => QueueLimit::Unlimited,
        _ => {
            let message = "a queue has one limit, and this gives several";
            return Err(ScenarioError::new(path, message)
                .allowed("packets = 50, bytes = \"64KiB\", or unlimited = true"));
        }
    };
    let (key, least) = match limit {
        QueueLimit::Packets(n) => ("packets", u64::from(n)),
        QueueLimit::Bytes(n) => ("bytes", n.0),
        QueueLimit::Unlimited => ("unlimited", 1),
    };
    if least == 0 {
        let message = "a queue without room passes nothing: the packet in transmission takes a place too";
        return Err(ScenarioError::new(format!("{path}.{key}"), message).allowed("at least 1"));
    }
    Ok(model::Queue::DropTail { limit })
}

/// The losses of both directions, in order.
pub fn losses(
    given: &Losses,
    path: &str,
    ends: [usize; 2],
    nodes: &Nodes,
    flows: usize,
) -> Result<[Vec<model::Loss>; 2], ScenarioError> {
    let mut both = [Vec::new(), Vec::new()];
    for (i, loss) in given.each.iter().enumerate() {
        let path = if given.listed { format!("{path}.{i}") } else { path.to_owned() };
        let (kind, toward, at) = match loss {
            Loss::Random(l) => {
                let data_only = l.spare_acks.unwrap_or(false);
                (LossKind::Random { rate: l.rate.0, data_only }, &l.toward, l.at)
            }
            Loss::BitError(l) => (LossKind::BitError { rate: l.rate.0 }, &l.toward, l.at),
            Loss::List(l) => {
                let flow = l.flow.map(|f| flow(f, &format!("{path}.flow"), flows)).transpose()?;
                let mut packets = l.packets.clone();
                packets.sort_unstable();
                packets.dedup();
                (LossKind::List { flow, packets }, &l.toward, l.at)
            }
        };
        let loss = model::Loss { kind, at: at.map_or(model::LossPlace::Wire, |at| at.0) };
        match toward {
            None => both.iter_mut().for_each(|losses| losses.push(loss.clone())),
            Some(name) => {
                let names = ends.map(|end| nodes.name(end));
                let Some(end) = names.iter().position(|n| *n == name.as_str()) else {
                    let error = ScenarioError::new(
                        format!("{path}.toward"),
                        format!("\"{name}\" is no end of this link"),
                    );
                    return Err(error.names(name, names));
                };
                both[1 - end].push(loss);
            }
        }
    }
    Ok(both)
}

fn flow(flow: u64, path: &str, flows: usize) -> Result<usize, ScenarioError> {
    let index = usize::try_from(flow).ok().filter(|i| *i < flows);
    index.ok_or_else(|| {
        let there = format!("0 to {} ({flows} in all)", flows.saturating_sub(1));
        ScenarioError::new(path, format!("there is no flow {flow}")).allowed(there)
    })
}
