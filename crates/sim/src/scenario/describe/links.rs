//! Links written back: queues, losses, impairments.

use crate::model::{self, LossKind};
use crate::scenario::files::gaps;
use crate::scenario::wire::declared::Declared;
use crate::scenario::wire::losses::{
    BitErrorLoss, GilbertElliottLoss, ListLoss, Loss, LossPlace, Losses, PeriodicLoss, RandomLoss, TraceLoss,
};
use crate::scenario::wire::paths::{
    Duplicate, ExponentialJitter, Jitter, LinkRate, NormalJitter, OneOrMore, Reorder, TraceRate,
    UniformJitter,
};
use crate::scenario::wire::scalar::{Probability, Rate, Time};
use crate::scenario::wire::{Link, Reverse};
use net::impairment::{self, Spread};

pub(super) fn link(link: &model::Link, nodes: &[String]) -> Link {
    let [there, back] = &link.directions;
    let ends = link.ends.map(|end| nodes[end].clone());
    let toward = |losses: &[model::Loss], end: &String| {
        losses.iter().map(|l| loss(l, Some(end.clone()))).collect::<Vec<_>>()
    };
    let each = [toward(&there.losses, &ends[1]), toward(&back.losses, &ends[0])].concat();
    let wires = [(&there.impairments, &ends[1]), (&back.impairments, &ends[0])];
    Link {
        between: ends.to_vec(),
        rate: rate(&there.rate),
        delay: Time(there.delay),
        queue: Some(Declared(there.queue.clone())),
        loss: Losses { each, listed: true },
        jitter: listed(&wires, jitter),
        reorder: listed(&wires, reorder),
        duplicate: listed(&wires, duplicate),
        reverse: Some(Reverse {
            rate: Some(rate(&back.rate)),
            delay: Some(Time(back.delay)),
            queue: Some(Declared(back.queue.clone())),
        }),
    }
}

pub(super) fn rate(rate: &model::Rate) -> LinkRate {
    match rate {
        model::Rate::Constant(rate) => LinkRate::Constant(Rate(*rate)),
        model::Rate::Trace(trace) => {
            LinkRate::Trace(TraceRate { trace: None, gaps: Some(gaps(trace.times())) })
        }
    }
}

pub(super) fn loss(loss: &model::Loss, toward: Option<String>) -> Loss {
    let at = Some(LossPlace(loss.at));
    let number = |flow: &Option<usize>| flow.map(|f| f as u64);
    match &loss.kind {
        LossKind::Random { rate, data_only } => {
            Loss::Random(RandomLoss { rate: Probability(*rate), spare_acks: Some(*data_only), toward, at })
        }
        LossKind::BitError { rate } => Loss::BitError(BitErrorLoss { rate: Probability(*rate), toward, at }),
        LossKind::GilbertElliott(model) => Loss::GilbertElliott(GilbertElliottLoss {
            p: Probability(model.p),
            r: Probability(model.r),
            loss_good: Some(Probability(model.loss_good)),
            loss_bad: Some(Probability(model.loss_bad)),
            toward,
            at,
        }),
        LossKind::List { flow, packets } => {
            Loss::List(ListLoss { flow: number(flow), packets: packets.clone(), toward, at })
        }
        LossKind::Periodic { flow, period } => Loss::Periodic(PeriodicLoss {
            every: period.every,
            offset: Some(period.offset),
            flow: number(flow),
            toward,
            at,
        }),
        LossKind::Trace { flow, trace } => Loss::Trace(TraceLoss {
            trace: None,
            lost: Some(trace.lost.to_vec()),
            length: Some(trace.length),
            flow: number(flow),
            toward,
            at,
        }),
    }
}

/// An impairment of both directions, a table for each that has it.
fn listed<T>(
    wires: &[(&impairment::Config, &String); 2],
    of: impl Fn(&impairment::Config, Option<String>) -> Option<T>,
) -> OneOrMore<T> {
    let each = wires.iter().filter_map(|(config, end)| of(config, Some((*end).clone()))).collect();
    OneOrMore { each, listed: true }
}

fn jitter(config: &impairment::Config, toward: Option<String>) -> Option<Jitter> {
    let impairment::Jitter { spread, keep_order } = config.jitter?;
    let keep_order = Some(keep_order);
    Some(match spread {
        Spread::Uniform { max } => Jitter::Uniform(UniformJitter { max: Time(max), keep_order, toward }),
        Spread::Exponential { mean } => {
            Jitter::Exponential(ExponentialJitter { mean: Time(mean), keep_order, toward })
        }
        Spread::Normal { mean, deviation } => {
            let (mean, deviation) = (Time(mean), Time(deviation));
            Jitter::Normal(NormalJitter { mean, deviation, keep_order, toward })
        }
    })
}

fn reorder(config: &impairment::Config, toward: Option<String>) -> Option<Reorder> {
    let impairment::Reorder { rate, delay } = config.reorder?;
    Some(Reorder { rate: Probability(rate), delay: Time(delay), toward })
}

fn duplicate(config: &impairment::Config, toward: Option<String>) -> Option<Duplicate> {
    (config.duplicate > 0.0).then_some(Duplicate { rate: Probability(config.duplicate), toward })
}
