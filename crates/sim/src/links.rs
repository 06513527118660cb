//! Links as a scenario describes them, at the beginning and after changes.

use crate::model::{self, LossKind, LossPlace, Queue, Rate, Scenario};
use crate::network::Hop;
use base::{FlowId, Instant, Rng};
use metrics::LinkStats;
use net::link::{Link, LinkLosses};
use net::loss::LossModel;
use net::loss::counted::{Counter, Hold, List};
use net::loss::gilbert_elliott::GilbertElliott;
use net::queue::Limit;
use net::wire::Wire;
use std::collections::BTreeSet;

/// Builds both directions of every link.
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

/// Returns the limit of the queue of a link that computes departures ahead; `None` if the link serves step by step.
fn ahead(direction: &model::Direction) -> Option<Limit> {
    let holds = |loss: &model::Loss| matches!(loss.kind, LossKind::List { hold: Some(_), .. });
    let plain = matches!(direction.rate, Rate::Constant(_))
        && direction.impairments.is_nothing()
        && !direction.losses.iter().any(holds);
    match &direction.queue {
        Queue::DropTail(queue) if plain => Some(queue.limit),
        _ => None,
    }
}

/// Makes `link` serve step by step, with streams named after `name`.
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

/// Sets the loss models of `link`, with streams named after `name`.
pub(crate) fn losses(link: &mut Link, losses: &[model::Loss], seed: u64, name: &str) {
    let mut built = LinkLosses::default();
    let counter = |flow: &Option<usize>| Counter::of(flow.map(|f| FlowId(f as u32)));
    for (i, loss) in losses.iter().enumerate() {
        let rng = Rng::stream(seed, &format!("{name}.loss.{i}"));
        let model = match &loss.kind {
            LossKind::Random { rate, data_only } => {
                LossModel::Random { rate: *rate, data_only: *data_only, rng }
            }
            LossKind::BitError { rate } => LossModel::BitError { rate: *rate, rng },
            LossKind::GilbertElliott(config) => LossModel::GilbertElliott(GilbertElliott::new(*config, rng)),
            LossKind::List { flow, packets, hold } => {
                let list = List::new(packets.clone());
                if let Some(delay) = hold {
                    built.holds.push(Hold::new(counter(flow), list, *delay));
                    continue;
                }
                LossModel::List(counter(flow), list)
            }
            LossKind::Periodic { flow, period } => LossModel::Periodic(counter(flow), *period),
            LossKind::Trace { flow, trace } => LossModel::Trace(counter(flow), trace.clone()),
        };
        match loss.at {
            LossPlace::Entry => built.entry.0.push(model),
            LossPlace::Wire => built.wire.0.push(model),
        }
    }
    link.set_losses((!losses.is_empty()).then_some(built));
}
