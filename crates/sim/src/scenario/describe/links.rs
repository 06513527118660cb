//! Conversion of losses and impairments of links to the form of a scenario file.

use crate::model;
use crate::scenario::files::gaps;
use crate::scenario::wire::losses::{Loss, Site};
use crate::scenario::wire::paths::{Duplicate, Jitter, JitterSite, LinkRate, Reorder, TraceRate};
use crate::scenario::wire::{Link, Reverse};
use net::impairment;
use settings::OneOrMore;

pub(super) fn link(link: &model::Link, nodes: &[String]) -> Link {
    let [there, back] = &link.directions;
    let ends = link.ends.map(|end| nodes[end].clone());
    let toward = |losses: &[net::loss::Loss], end: &String| {
        losses.iter().map(|l| loss(l, Some(end.clone()))).collect::<Vec<_>>()
    };
    let each = [toward(&there.losses, &ends[1]), toward(&back.losses, &ends[0])].concat();
    let wires = [(&there.impairments, &ends[1]), (&back.impairments, &ends[0])];
    Link {
        name: link.name.clone(),
        rate: rate(&there.rate),
        count: None,
        step: None,
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

pub(super) fn loss(loss: &net::loss::Loss, toward: Option<String>) -> Loss {
    Loss { kind: loss.config().clone(), shared: Site { toward, at: loss.at() } }
}

/// Returns an impairment of both directions in the form of a file: a table for each direction that has it.
fn listed<T>(
    wires: &[(&impairment::Config, &String); 2],
    of: impl Fn(&impairment::Config, Option<String>) -> Option<T>,
) -> OneOrMore<T> {
    wires.iter().filter_map(|(config, end)| of(config, Some((*end).clone()))).collect::<Vec<_>>().into()
}

fn jitter(config: &impairment::Config, toward: Option<String>) -> Option<Jitter> {
    let impairment::Jitter { spread, order } = config.jitter?;
    Some(Jitter { kind: spread, shared: JitterSite { order, toward } })
}

fn reorder(config: &impairment::Config, toward: Option<String>) -> Option<Reorder> {
    config.reorder.map(|config| Reorder { config, toward })
}

fn duplicate(config: &impairment::Config, toward: Option<String>) -> Option<Duplicate> {
    config.duplicate.map(|config| Duplicate { config, toward })
}
