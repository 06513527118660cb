"""The paper's claims, each turned into tests on our runs.

Tests compare the two variants in the same placement and walk, run by run, among the runs whose client is in range with
both. Where the text leaves open what a word means, the reading is fixed here and printed beside the verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.report.model import Claim, Judgement
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import NETWORKS
from ackclock.studies.heriyanto.samples import TCP, UDP
from ackclock.studies.judge import Test, judge, percent_above

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.studies.heriyanto.samples import Samples

COLUMNS: Final = tuple(NETWORKS.values())
"""What the verdicts on a claim suppose."""

_LAST_S: Final = 10.0
"""Where "the end" of a run begins, s before it."""

_FALLS_BELOW: Final = -5.0
"""Throughput falls at the end where the last seconds lie this many percent below the run's mean."""


def claims(s: Samples) -> tuple[Claim, ...]:
    """Judge every claim whose runs are there."""
    wanted = set(s.data.figures)
    out: list[Claim] = []
    if "throughput" in wanted:
        out += _claim(
            s,
            "s1-throughput",
            "Figure 9",
            "From 10 nodes on Westwood+ has more throughput.",
            "",
            lambda p: _tests(s, f"s1-{p}", "throughput", "westwood+", least=10),
        )
        out += _claim(
            s,
            "s1-throughput-5",
            "Figure 9",
            "With 5 nodes NewReno has more throughput.",
            "",
            lambda p: _tests(s, f"s1-{p}", "throughput", "newreno", most=5),
        )
        out += _claim(
            s,
            "s2-throughput",
            "Figure 13",
            "Beside a UDP flow Westwood+ has more throughput at every size.",
            "of the TCP flow",
            lambda p: _tests(s, f"s2-{p}", "throughput", "westwood+"),
        )
    if "loss" in wanted:
        out += _less(s, "loss", "Figure 10", "Figure 14", "westwood+")
        out += _udp(s, "loss", "Figure 14")
    if "delay" in wanted:
        out += _less(s, "delay", "Figure 11", "Figure 15", "westwood+")
    if "jitter" in wanted:
        out += _less(s, "jitter", "Figure 12", "Figure 16", "newreno")
        out += _udp(s, "jitter", "Figure 16")
    if "time" in wanted:
        out += _end(s)
    return tuple(out)


def _claim(
    s: Samples, key: str, figure: str, text: str, reading: str, tests: Callable[[str], list[Test]]
) -> list[Claim]:
    judgements: list[Judgement | None] = []
    for network in NETWORKS:
        found = tests(network) if s.has(f"{key[:2]}-{network}") else []
        judgements.append(judge(found, k.LEVEL) if found else None)
    return [Claim(key, figure, text, reading, tuple(judgements))] if any(judgements) else []


def _less(s: Samples, measure: str, figure: str, with_udp: str, winner: str) -> list[Claim]:
    """Whose TCP flow has less of a measure: in scenario 1 `winner`, in scenario 2 NewReno."""
    return [
        *_claim(
            s,
            f"s1-{measure}",
            figure,
            f"{k.LABELS[winner]} has less {measure} at every size.",
            "",
            lambda p: _tests(s, f"s1-{p}", measure, winner, less=True),
        ),
        *_claim(
            s,
            f"s2-{measure}",
            with_udp,
            f"Beside a UDP flow NewReno has less {measure} at every size.",
            "of the TCP flow",
            lambda p: _tests(s, f"s2-{p}", measure, "newreno", less=True),
        ),
    ]


def _udp(s: Samples, measure: str, figure: str) -> list[Claim]:
    return _claim(
        s,
        f"s2-udp-{measure}",
        figure,
        f"The UDP flow has less {measure} beside Westwood+.",
        "at every size",
        lambda p: _tests(s, f"s2-{p}", measure, "westwood+", less=True, flow=UDP),
    )


def _tests(
    s: Samples,
    experiment: str,
    measure: str,
    winner: str,
    *,
    less: bool = False,
    flow: int = TCP,
    least: int = 0,
    most: int = 1000,
) -> list[Test]:
    """The winner ahead at each size, in percent of the rival; of loss, in percentage points."""
    rival = next(variant for variant in k.VARIANTS if variant != winner)
    tests = []
    for nodes in s.xs(experiment):
        if not least <= nodes <= most:
            continue
        ours, theirs = (s.values(measure, experiment, nodes, v, flow) for v in (winner, rival))
        if len(ours) < 2:
            continue
        better, worse = (theirs, ours) if less else (ours, theirs)
        if measure == "loss":
            values = tuple(b - w for b, w in zip(better, worse, strict=True))
        else:
            values = percent_above(better, worse)
        names = (k.LABELS[rival], k.LABELS[winner]) if less else (k.LABELS[winner], k.LABELS[rival])
        tests.append(
            Test(
                where=f"{nodes} nodes",
                what=f"{names[0]} - {names[1]}",
                values=values,
                above=0.0,
                unit="percentage points" if measure == "loss" else "%",
            )
        )
    return tests


def _end(s: Samples) -> list[Claim]:
    def falls(network: str) -> list[Test]:
        return [_at_the_end(s, f"s1-{network}", "newreno", below=_FALLS_BELOW)]

    def constant(network: str) -> list[Test]:
        return [_at_the_end(s, f"s1-{network}", "westwood+", above=_FALLS_BELOW)]

    reading = f"throughput of the last {_LAST_S:g} s against the run's mean, {-_FALLS_BELOW:g} %"
    return [
        *_claim(
            s,
            "s1-newreno-end",
            "Figure 8",
            "With 50 nodes NewReno loses packets again near the end.",
            f"it falls: {reading} or more below",
            falls,
        ),
        *_claim(
            s,
            "s1-westwood-end",
            "Figure 8",
            "With 50 nodes Westwood+ is constant to the end.",
            f"it does not fall: {reading} below at most",
            constant,
        ),
    ]


def _at_the_end(
    s: Samples, experiment: str, variant: str, *, above: float = float("-inf"), below: float = float("inf")
) -> Test:
    return Test(
        where="50 nodes",
        what=f"{k.LABELS[variant]}, last {_LAST_S:g} s over the mean",
        values=tuple(s.ends(experiment, variant, _LAST_S)),
        above=above,
        below=below,
    )
