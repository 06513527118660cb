"""Remarks that warn of comparisons whose results are unreliable or have an obvious other cause."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ackclock.lint import check_all
from ackclock.runs.bottleneck import Bottleneck, share_of
from ackclock.stats.independence import has_ties, repeats, tied_remark

if TYPE_CHECKING:
    from ackclock.comparisons.comparison import Comparison
    from ackclock.comparisons.trace_stats import Timeline
    from ackclock.scenario.scenario import Scenario

IDLE = 0.5
"""Utilisation of the bottleneck below which the flows are limited by something other than the network."""

FEW_LOSSES = 5
"""Number of loss events of a flow below which its average depends much on the time at which the run ends."""

UNSETTLED = 0.1
"""Relative difference in goodput between the first quarter of a run and the rest, above which a remark is made."""

TURNED = {
    "ties": "a change of rates and delays by up to 1e-6 turns it round",
    "phase": "a change of rates and delays by up to 1e-3 turns it round",
}
"""Text about an order of variants that depends on ties or on phases."""


def remarks(
    scenarios: Mapping[str, Scenario],
    own: Sequence[int],
    summaries: Mapping[str, list[dict[str, Any]]],
    timelines: Mapping[str, Timeline],
    bottleneck: Bottleneck | None,
    *,
    reps: int,
    jitter_s: float,
) -> list[str]:
    """Return the remarks on a comparison, beginning with the findings of ``ackclock check``.

    Args:
        scenarios: Scenario of each variant.
        own: Numbers of the flows under test.
        summaries: Summaries of each variant's replications.
        timelines: Timelines of the first replications, if they were traced.
        bottleneck: The bottleneck.
        reps: Number of replications made.
        jitter_s: Upper bound of their start jitter, seconds.
    """
    rules = [one.short for one in check_all(scenarios, reps=reps, jitter_s=jitter_s)]
    lengths = {label: _length(some[0], own, timelines.get(label)) for label, some in summaries.items()}
    return [*rules, *_load(summaries, bottleneck), *_grouped(lengths)]


def spread_remarks(
    measure: str, values: Mapping[str, list[float]], sequences: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return the remarks on replications that do not vary in a measure or repeat a few drop sequences.

    Args:
        measure: Name of the measure in words.
        values: Values of each label, one per replication.
        sequences: Drop sequences of each label's replications (`drop_sequences`).
    """
    reps = max(len(some) for some in values.values())
    found: list[str] = []
    same = [label for label, some in values.items() if len(some) > 1 and min(some) == max(some)]
    if same:
        found.append(
            f"{', '.join(same)}: all {reps} replications gave the same {measure}: nothing random reaches it, and an "
            "interval would mean nothing; add start jitter, random loss or on-off traffic"
        )
    text = repeats({label: keys for label, keys in sequences.items() if label not in same})
    return found if text is None else [*found, text]


def tie_remarks(found: Comparison) -> list[str]:
    """Return the remarks on ties.

    Without perturbed links, they name the runs in which ties decided drops; with perturbed links, the pairs of
    variants whose order depends on ties or on phase effects.
    """
    if found.drawn is None:
        return tied_remark([has_ties(summary) for some in found.summaries.values() for summary in some])
    pairs = itertools.combinations(found.ordered(), 2)
    texts = []
    for one, other in pairs:
        size = found.hangs_on(one, other)
        if size is not None and (found.reps < 2 or found.contrasts()[one, other].known):
            texts.append(f"the order of {one} and {other} hangs on {size}: {TURNED[size]}")
    return texts


def _grouped(texts: Mapping[str, str | None]) -> list[str]:
    """Return each different remark once; if it does not hold for all variants, their labels precede it."""
    by_text: dict[str, list[str]] = {}
    for label, text in texts.items():
        if text is not None:
            by_text.setdefault(text, []).append(label)
    return [
        text if len(labels) == len(texts) else f"{', '.join(labels)}: {text}"
        for text, labels in by_text.items()
    ]


def _load(summaries: Mapping[str, list[dict[str, Any]]], bottleneck: Bottleneck | None) -> list[str]:
    """Return the remarks on an idle bottleneck, and on runs without losses and ECN marks."""
    every = [summary for some in summaries.values() for summary in some]
    name = None if bottleneck is None else bottleneck.name
    busy = [share for summary in every for share in (share_of(summary, name) if name is not None else ())]
    found: list[str] = []
    if busy and bottleneck is not None and max(busy) < IDLE:
        found.append(
            f"the bottleneck, {bottleneck.label}, is busy for at most {max(busy):.0%} of a run: something "
            "else than the network limits the flows"
        )
    flows = [flow for summary in every for flow in summary["flows"]]
    if not any(flow["lost_packets_total"] or flow.get("marked_packets") for flow in flows):
        found.append(
            "no packet was lost or marked in any run: variants that differ in how they meet congestion cannot "
            "differ here"
        )
    return found


def _length(summary: Mapping[str, Any], own: Sequence[int], timeline: Timeline | None) -> str | None:
    """Return a remark if a run is too short; None if it is long enough.

    A run is too short if flows have few loss events, or if its first quarter differs from the rest.
    """
    flows = [summary["flows"][i] for i in own]
    events = [flow["fast_retransmits"] + flow["timeouts"] for flow in flows]
    if 0 < max(events) < FEW_LOSSES:
        return (
            f"fewer than {FEW_LOSSES} loss events per flow in a run: its average depends on where the run ends; try a "
            "longer --duration"
        )
    if timeline is not None and abs(timeline.ramp_up) > UNSETTLED:
        compared = f"{abs(timeline.ramp_up):.0%} {'less' if timeline.ramp_up > 0 else 'more'}"
        return (
            f"the first quarter of a run carries {compared} than the rest: it is short beside the time to converge; "
            "try a longer --duration"
        )
    return None
