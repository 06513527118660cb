//! Construction of links from a scenario, at the beginning of the run and after changes.

use crate::model::{self, Queue, Rate, Scenario};
use crate::network::Hop;
use base::Instant;
use metrics::LinkStats;
use net::link::Link;
use net::loss::{LinkLosses, Loss};
use net::queue::Limit;
use net::wire::Wire;
use std::collections::BTreeSet;

/// Builds both directions of all links.
pub(crate) fn build(scenario: &Scenario, seed: u64) -> Vec<Hop> {
    let changing: BTreeSet<(usize, usize)> =
        scenario.changes.iter().flat_map(|change| change.directions.iter().copied()).collect();
    let mut hops = Vec::with_capacity(2 * scenario.links.len());
    for (i, link) in scenario.links.iter().enumerate() {
        let streams = link.streams(i);
        for (d, direction) in link.directions.iter().enumerate() {
            let name = format!("{streams}.{d}");
            let changes = changing.contains(&(i, d)) || scenario.adjustable.contains(&i);
            let room = ahead(direction).filter(|_| !changes);
            let mut built =
                Link::new(direction.rate.mean(), direction.delay, room.unwrap_or(Limit::Unlimited));
            built.frame(direction.framing);
            if room.is_none() {
                step(&mut built, direction, seed, &name);
            }
            if !direction.losses.is_empty() {
                losses(&mut built, &direction.losses, seed, &name);
            }
            hops.push(Hop { link: built, stats: LinkStats::default(), wire: Wire::EMPTY });
        }
    }
    hops
}

/// Returns the limit of a link's queue if the link can compute departures in advance; `None` if it must be served
/// step by step.
fn ahead(direction: &model::Direction) -> Option<Limit> {
    let plain = matches!(direction.rate, Rate::Constant(_))
        && direction.impairments.is_nothing()
        && !direction.losses.iter().any(Loss::holds);
    match &direction.queue {
        Queue::DropTail(queue) if plain => Some(queue.limit),
        _ => None,
    }
}

/// Makes `link` serve its queue step by step, with events for each transmission. Random streams are named
/// after `name`.
fn step(link: &mut Link, direction: &model::Direction, seed: u64, name: &str) {
    let queue =
        net::queue::Queue::new(&direction.queue, direction.rate.mean(), seed, &format!("{name}.queue"));
    link.step(queue, direction.rate.mean());
    set_rate(link, Instant::ZERO, &direction.rate);
    if let Some(stepped) = link.stepped_mut()
        && !direction.impairments.is_nothing()
    {
        stepped.impair(direction.impairments, seed, name);
    }
}

/// Sets the rate of `link` from `now` on.
pub(crate) fn set_rate(link: &mut Link, now: Instant, rate: &Rate) {
    let trace = match rate {
        Rate::Constant(_) => None,
        Rate::Trace(trace) => Some(trace.clone()),
    };
    link.set_rate(now, trace, rate.mean());
}

/// Sets the loss models of `link`. Random streams are named after `name`.
pub(crate) fn losses(link: &mut Link, losses: &[Loss], seed: u64, name: &str) {
    link.set_losses((!losses.is_empty()).then(|| LinkLosses::new(losses, seed, name)));
}
