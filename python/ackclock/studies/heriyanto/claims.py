"""The paper's claims, each with its tests on our runs, judged in each network.

Tests compare the two variants run by run, with the same placement and movement of nodes. A run counts only if its
client is in range with both variants. If the text leaves open what a word means, the interpretation is fixed here and
printed beside the verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import ackclock.study as st
from ackclock.studies.heriyanto import published
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.results import MEASURES, PAYLOAD, Results

LOSS_MARGIN: Final = 0.05
"""Margin of differences in loss, percentage points; the whole published loss is about as large."""

CONSTANT_WITHIN: Final = 5.0
"""Throughput is "constant to the end" if its mean in the last seconds is within this percentage of the run's mean."""

LOSES: Final = 0.5
"""Packets are "lost at the end" if more than this number are lost per run on average: one packet in every second run.

The limit was set after the first runs, in which no packet was lost at the end. With the limit "more than 0" the claim
could not have been decided."""

LOSES_THEM, LOSES_MORE = LOSES_AGAIN = ("it loses packets", "it loses more than Westwood+")
"""The two statements of the claim on the end of the run."""

WITHIN: Final = {"throughput": 0.03, "loss": 0.1, "delay": 0.03, "jitter": 0.03}
"""Tolerance of a published number as a fraction of it, by measure. Loss allows one packet in ten; the others are the
tolerances of the comparison with ns-3."""

NOT_RUN: Final = "not run"
"""Text for claims on scenario 2 in the column of the interpretation found afterwards, which is run in scenario 1 only.
"""

HeriyantoClaim: TypeAlias = st.Claim[Results, str]


def _ahead(
    scenario: str,
    measure: str,
    winner: str,
    *,
    less: bool = False,
    flow: int = 0,
    least: int = 0,
    most: int = 1000,
) -> Callable[[Results, str], list[st.Test]]:
    """Return a function that returns tests that the winner is ahead at each number of nodes.

    Differences are in percent of the rival's mean, those of loss in percentage points.
    """
    rival = next(variant for variant in k.VARIANTS if variant != winner)
    high, low = (rival, winner) if less else (winner, rival)

    def tests(s: Results, network: str) -> list[st.Test]:
        experiment = f"{scenario}-{network}"
        out = []
        for nodes in s.sizes(experiment):
            more, fewer = (s.values(measure, experiment, nodes, v, flow) for v in (high, low))
            if not least <= nodes <= most or len(more) < 2:
                continue
            where, what = f"{nodes} nodes", f"{k.LABELS[high]} - {k.LABELS[low]}"
            if measure == "loss":
                points = tuple(a - b for a, b in zip(more, fewer, strict=True))
                out.append(st.positive(where, what, points, "percentage points", margin=LOSS_MARGIN))
            else:
                out.append(st.positive(where, what, st.percent_above(more, fewer)))
        return out

    return tests


def _less(measure: str, figures: tuple[str, str], winner: str) -> tuple[HeriyantoClaim, ...]:
    """Return the claims that a variant has less of a measure: `winner` in scenario 1, NewReno in scenario 2."""
    return (
        st.Claim(
            f"s1-{measure}",
            figures[0],
            f"{k.LABELS[winner]} has less {measure} at every size.",
            "",
            _ahead("s1", measure, winner, less=True),
            (measure,),
        ),
        st.Claim(
            f"s2-{measure}",
            figures[1],
            f"Beside a UDP flow NewReno has less {measure} at every size.",
            "of the TCP flow",
            _ahead("s2", measure, "newreno", less=True),
            (measure,),
            NOT_RUN,
        ),
    )


def _udp(measure: str, figure: str) -> HeriyantoClaim:
    return st.Claim(
        f"s2-udp-{measure}",
        figure,
        f"The UDP flow has less {measure} beside Westwood+.",
        "at every size",
        _ahead("s2", measure, "westwood+", less=True, flow=1),
        (measure,),
        NOT_RUN,
    )


def _loses_at_the_end(s: Results, network: str) -> list[st.Test]:
    """Return the tests that NewReno loses packets in the last seconds, and more packets than Westwood+."""
    if f"s1-{network}" not in s.bins.labels(0):
        return []

    def lost(variant: str) -> list[float]:
        ends = s.at_the_end("lost_packets", f"s1-{network}", variant)
        return [last * k.LAST_S / k.SAMPLE_S for last, _ in ends]

    newreno, westwood = lost("newreno"), lost("westwood+")
    where, what = "50 nodes", f"packets of NewReno lost in the last {k.LAST_S:g} s"
    gaps = tuple(a - b for a, b in zip(newreno, westwood, strict=True))
    loses = [st.level(where, what, tuple(newreno), above=LOSES, unit="")]
    more = [st.positive(where, f"{what} - of Westwood+", gaps, unit="packets", margin=LOSES)]
    return [*st.statement(LOSES_THEM, loses), *st.statement(LOSES_MORE, more)]


def _constant(s: Results, network: str) -> list[st.Test]:
    if f"s1-{network}" not in s.bins.labels(0):
        return []
    rates = s.at_the_end("received_mbps", f"s1-{network}", "westwood+")
    off = st.percent_above(*([one[i] for one in rates] for i in (0, 1)))
    return [st.within(CONSTANT_WITHIN, "50 nodes", f"Westwood+, last {k.LAST_S:g} s over the mean", off)]


def _number(scenario: str, measure: str) -> HeriyantoClaim:
    """Return the claim on the paper's best value of a measure.

    It is tested with the paper's number of nodes, or with the largest number that was run.
    """
    variant, where, value = published.BEST[scenario, measure]
    unit, whose = MEASURES[measure].unit, k.LABELS[variant]
    reach = WITHIN[measure] * value
    shown = PAYLOAD if measure == "throughput" else measure
    others = tuple(at[2] for (_, of), at in published.BEST.items() if of == measure)

    def tests(s: Results, network: str) -> list[st.Number]:
        experiment = f"{scenario}-{network}"
        if not s.sizes(experiment):
            return []
        nodes = s.best_size(experiment)
        values = tuple(s.values(shown, experiment, nodes, variant))
        if len(values) < 2:
            return []
        what = f"{shown} of {whose}"
        return [
            st.Number(f"{nodes} nodes", what, values, value, alternatives=others, tolerance=reach, unit=unit)
        ]

    told = ""
    if scenario == "s1" and measure == "throughput":
        told = f"; NewReno's {published.NEWRENO_AT_FIVE_MBPS:g} with 5 nodes is too near to be told from it"
    how = f"{shown}, acknowledged over the whole run, of the TCP flow; " if shown == PAYLOAD else ""
    return st.Claim(
        f"{scenario}-{measure}-number",
        published.FIGURES[scenario, measure],
        f"The best {measure} is {value:.7g} {unit}, with {whose}{f' and {where}' if where else ''}.",
        f"{how}at {k.BEST_NODES} nodes, within {100 * WITHIN[measure]:g} % of it{told}",
        tests,
        (measure,),
        NOT_RUN,
    )


CLAIMS: Final[tuple[HeriyantoClaim, ...]] = (
    k.TEXT.claim("s1-throughput", _ahead("s1", "throughput", "westwood+", least=10)),
    k.TEXT.claim("s1-throughput-5", _ahead("s1", "throughput", "newreno", most=5)),
    k.TEXT.claim("s2-throughput", _ahead("s2", "throughput", "westwood+")),
    *_less("loss", ("Figure 10", "Figure 14"), "westwood+"),
    _udp("loss", "Figure 14"),
    *_less("delay", ("Figure 11", "Figure 15"), "westwood+"),
    *_less("jitter", ("Figure 12", "Figure 16"), "newreno"),
    _udp("jitter", "Figure 16"),
    k.TEXT.claim("s1-newreno-end", _loses_at_the_end, LOSES_AGAIN, loses=LOSES),
    k.TEXT.claim("s1-westwood-end", _constant, constant_within=CONSTANT_WITHIN),
    *(_number(*at) for at in published.BEST),
)
