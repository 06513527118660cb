//! Links written back: losses, impairments.

use crate::model::{self, LossKind};
use crate::scenario::files::gaps;
use crate::scenario::wire::losses::{
    BitErrorLoss, GilbertElliottLoss, ListLoss, Loss, PeriodicLoss, RandomLoss, Site, TraceLoss,
};
use crate::scenario::wire::paths::{
    Duplicate, ExponentialJitter, Jitter, JitterSite, LinkRate, NormalJitter, Reorder, TraceRate,
    UniformJitter,
};
use crate::scenario::wire::{Link, Reverse};
use net::impairment::{self, Spread};
use settings::OneOrMore;

pub(super) fn link(link: &model::Link, nodes: &[String]) -> Link {
    let [there, back] = &link.directions;
    let ends = link.ends.map(|end| nodes[end].clone());
    let toward = |losses: &[model::Loss], end: &String| {
        losses.iter().map(|l| loss(l, Some(end.clone()))).collect::<Vec<_>>()
    };
    let each = [toward(&there.losses, &ends[1]), toward(&back.losses, &ends[0])].concat();
    let wires = [(&there.impairments, &ends[1]), (&back.impairments, &ends[0])];
    Link {
        name: link.name.clone(),
        rate: rate(&there.rate),
        count: None,
        delay: there.delay,
        framing: (there.framing > 0).then_some(there.framing),
        queue: there.queue.clone(),
        loss: each.into(),
        jitter: listed(&wires, jitter),
        reorder: listed(&wires, reorder),
        duplicate: listed(&wires, duplicate),
        reverse: Reverse {
            rate: Some(rate(&back.rate)),
            delay: Some(back.delay),
            queue: Some(back.queue.clone()),
        },
        between: ends,
    }
}

pub(super) fn rate(rate: &model::Rate) -> LinkRate {
    match rate {
        model::Rate::Constant(rate) => LinkRate::Constant(*rate),
        model::Rate::Trace(trace) => {
            LinkRate::Trace(TraceRate { trace: None, gaps: Some(gaps(trace.times())) })
        }
    }
}

pub(super) fn loss(loss: &model::Loss, toward: Option<String>) -> Loss {
    let site = Site { toward, at: loss.at };
    match &loss.kind {
        LossKind::Random { rate, data_only } => {
            Loss::Random(RandomLoss { rate: *rate, spare_acks: *data_only, site })
        }
        LossKind::BitError { rate } => Loss::BitError(BitErrorLoss { rate: *rate, site }),
        LossKind::GilbertElliott(states) => {
            Loss::GilbertElliott(GilbertElliottLoss { states: *states, site })
        }
        LossKind::List { flow, packets, hold } => {
            Loss::List(ListLoss { flow: *flow, packets: packets.clone(), delay: *hold, site })
        }
        LossKind::Periodic { flow, period } => Loss::Periodic(PeriodicLoss {
            every: period.every,
            offset: Some(period.offset),
            flow: *flow,
            site,
        }),
        LossKind::Trace { flow, trace } => Loss::Trace(TraceLoss {
            trace: None,
            lost: Some(trace.lost.to_vec()),
            length: Some(trace.length),
            flow: *flow,
            site,
        }),
    }
}

/// Returns an impairment of both directions, a table for each that has it.
fn listed<T>(
    wires: &[(&impairment::Config, &String); 2],
    of: impl Fn(&impairment::Config, Option<String>) -> Option<T>,
) -> OneOrMore<T> {
    wires.iter().filter_map(|(config, end)| of(config, Some((*end).clone()))).collect::<Vec<_>>().into()
}

fn jitter(config: &impairment::Config, toward: Option<String>) -> Option<Jitter> {
    let impairment::Jitter { spread, keep_order } = config.jitter?;
    let site = JitterSite { keep_order, toward };
    Some(match spread {
        Spread::Uniform { max } => Jitter::Uniform(UniformJitter { max, site }),
        Spread::Exponential { mean } => Jitter::Exponential(ExponentialJitter { mean, site }),
        Spread::Normal { mean, deviation } => Jitter::Normal(NormalJitter { mean, deviation, site }),
    })
}

fn reorder(config: &impairment::Config, toward: Option<String>) -> Option<Reorder> {
    let impairment::Reorder { rate, delay } = config.reorder?;
    Some(Reorder { rate, delay, toward })
}

fn duplicate(config: &impairment::Config, toward: Option<String>) -> Option<Duplicate> {
    (config.duplicate > 0.0).then_some(Duplicate { rate: config.duplicate, toward })
}
