"""The paper's claims, each turned into tests on our runs.

Each claim is judged at each rate that was run. Which way k points is ambiguous: a loss makes the window k W, or shrinks
it by k W, so that it becomes (1 - k) W. The two are the same runs with k relabelled, and claims on k are judged under
both. Where the text leaves open what a word means ("little", "linearly", "zero"), the reading is fixed here, before the
runs, and printed beside the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from ackclock.report.model import Claim
from ackclock.studies.judge import Test, judge, percent_above, ratio_of_means
from ackclock.studies.suherman import published
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.samples import delay_ms, jitter_ms, loss_percent
from ackclock.studies.suherman.setups import RATES
from ackclock.sweep.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.studies.suherman.data import RunRow
    from ackclock.studies.suherman.samples import Samples

    Metric: TypeAlias = Callable[[RunRow], float | None]


FACTOR: Final = 2.0
"""A reduction is the published one within this factor: half to twice of it."""

LITTLE: Final = 5.0
"""Delays differ "little" within so many percent, and by more where they "vary"."""

LINEAR_WITHIN: Final = 5.0
"""Points lie on a line within so many percent of their mean."""

ZERO_BELOW: Final = 0.5
"""A loss is "zero" below so many percent: it rounds to 0."""


@dataclass(frozen=True)
class Label:
    """One reading of what k is.

    Attributes:
        key: Suffix of the claims' keys.
        words: What it says, for the claims' texts.
        swapped: Whether the paper's k is the run of 1 - k.
    """

    key: str
    words: str
    swapped: bool

    def run(self, factor: float) -> float:
        """The run that the paper's k is."""
        return round(1 - factor, 10) if self.swapped else factor


LABELS: Final = (
    Label("to", "the window becomes k W", swapped=False),
    Label("by", "the window shrinks by k W", swapped=True),
)
"""Both readings. "Small k causes significant window reduction" favours the first."""


def rates(s: Samples) -> tuple[str, ...]:
    """Keys of the rates that were run: the columns of the verdicts."""
    run = s.setups()
    return tuple(setup.key for setup in RATES if setup.key in run)


def claims(s: Samples) -> tuple[Claim, ...]:
    """Judge every claim, at each rate that was run."""
    if not rates(s):
        return ()
    out = []
    for label in LABELS:
        out += _reductions(s, label)
        out += [_linear(s, label), _formula(s, label)]
    return (*out, *_nodes(s), _loss(s))


def _claim(
    s: Samples, key: str, figure: str, text: str, reading: str, tests: Callable[[str], list[Test]]
) -> Claim:
    """Judge a claim at each rate."""
    return Claim(key, figure, text, reading, tuple(judge(tests(rate), k.LEVEL) for rate in rates(s)))


def fall(
    s: Samples, what: Metric, setup: str, label: Label, nodes: Sequence[int] | None = None
) -> tuple[float, ...]:
    """How far the paper's k = 0.1 lies below its k = 0.9, percent of the latter, averaged over numbers of nodes."""
    low = s.averaged(what, setup, label.run(0.1), nodes)
    high = s.averaged(what, setup, label.run(0.9), nodes)
    return tuple(-x for x in percent_above(low, high))


def _reductions(s: Samples, label: Label) -> list[Claim]:
    out = []
    for name, what, figure, value in (
        ("delay", delay_ms, "Figure 3", published.DELAY_REDUCTION),
        ("jitter", jitter_ms, "Figure 7", published.JITTER_REDUCTION),
    ):

        def falls(rate: str, what: Metric = what, name: str = name) -> list[Test]:
            return [
                Test(
                    where="",
                    what=f"fall of the {name} from k = 0.9 to 0.1",
                    values=fall(s, what, rate, label),
                    above=0.0,
                )
            ]

        def about(rate: str, what: Metric = what, name: str = name, value: float = value) -> list[Test]:
            return [
                Test(
                    where="",
                    what=f"fall of the {name} from k = 0.9 to 0.1",
                    values=fall(s, what, rate, label),
                    above=value / FACTOR,
                    below=value * FACTOR,
                )
            ]

        reading = f"{label.words}; averaged over the numbers of nodes"
        out += [
            _claim(
                s,
                f"{name}-falls-{label.key}",
                figure,
                f"The average {name} falls as k falls from 0.9 to 0.1 ({label.words}).",
                reading,
                falls,
            ),
            _claim(
                s,
                f"{name}-by-{label.key}",
                figure,
                f"It falls by {value:g} % ({label.words}).",
                f"{reading}; by {value / FACTOR:.3g} to {value * FACTOR:.3g} %",
                about,
            ),
        ]
    return out


def _linear(s: Samples, label: Label) -> Claim:
    def tests(rate: str) -> list[Test]:
        ks = s.ks(rate)
        by_k = {x: s.averaged(delay_ms, rate, label.run(x)) for x in ks}
        means = [mean(by_k[x]) for x in ks]
        middle, centre = mean(means), mean(ks)
        slope = sum((x - centre) * y for x, y in zip(ks, means, strict=True)) / sum(
            (x - centre) ** 2 for x in ks
        )
        on_line = [
            Test(
                where=f"k = {x:g}",
                what="delay off the line",
                values=tuple(
                    100 * (value - (middle + slope * (x - centre))) / middle for value in _centred(by_k, x)
                ),
                above=-LINEAR_WITHIN,
                below=LINEAR_WITHIN,
            )
            for x in ks
        ]
        rises = [
            Test(
                where=f"k = {a:g} to {b:g}",
                what="rise of the delay",
                values=percent_above(by_k[b], by_k[a]),
                above=0.0,
            )
            for a, b in pairwise(ks)
        ]
        return [*on_line, *rises]

    return _claim(
        s,
        f"linear-{label.key}",
        "Figure 3",
        f"The average delay rises linearly with k ({label.words}).",
        f"it rises from each k run to the next, and lies within {LINEAR_WITHIN:g} % of the straight line through them",
        tests,
    )


def _centred(by_k: dict[float, list[float]], x: float) -> list[float]:
    """The values at one k, without what a seed adds to all of them: seeds differ in places and paths."""
    every = list(by_k.values())
    total = mean([mean(values) for values in every])
    return [value - mean([values[i] for values in every]) + total for i, value in enumerate(by_k[x])]


def _formula(s: Samples, label: Label) -> Claim:
    factor = published.response_time(0.9) / published.response_time(0.1)

    def tests(rate: str) -> list[Test]:
        high, low = (s.averaged(delay_ms, rate, label.run(x)) for x in (0.9, 0.1))
        return [
            Test(
                where="",
                what="delay at k = 0.9 over that at 0.1",
                values=ratio_of_means(high, low),
                above=1 + (factor - 1) / FACTOR,
                below=1 + (factor - 1) * FACTOR,
                unit="",
                difference=False,
            )
        ]

    return _claim(
        s,
        f"formula-{label.key}",
        "Figure 4",
        f"The formula l rto 2^k confirms the simulation ({label.words}).",
        f"it has {factor:.3g} times the delay at k = 0.9 that it has at 0.1; that rise within a factor of {FACTOR:g}",
        tests,
    )


def _nodes(s: Samples) -> list[Claim]:
    def differ(rate: str, nodes: int, *, much: bool) -> list[Test]:
        values = percent_above(s.values(delay_ms, rate, nodes, 0.1), s.values(delay_ms, rate, nodes, 0.9))
        limits = [(LITTLE, float("inf"))] if much else [(-LITTLE, LITTLE)]
        sign = -1.0 if much and mean(values) < 0 else 1.0
        return [
            Test(
                where=f"{nodes} nodes",
                what="delay: k = 0.1 against 0.9" + (", either way" if much else ""),
                values=tuple(sign * value for value in values),
                above=above,
                below=below,
            )
            for above, below in limits
        ]

    def few(rate: str) -> list[Test]:
        return [test for n in s.nodes(rate) if n <= 10 for test in differ(rate, n, much=False)]

    def many(rate: str) -> list[Test]:
        return differ(rate, max(s.nodes(rate)), much=True)

    def grows(rate: str) -> list[Test]:
        return [
            Test(
                where=f"{a} to {b} nodes",
                what=f"rise of the delay, k = {factor:g}",
                values=_rise(s, rate, a, b, factor),
                above=0.0,
                unit="ms",
            )
            for factor in s.ks(rate)
            for a, b in pairwise(s.nodes(rate))
        ]

    return [
        _claim(
            s,
            "grows-with-nodes",
            "Figure 2",
            "The delay grows with the number of nodes.",
            "from each number of nodes run to the next, for every k",
            grows,
        ),
        _claim(
            s,
            "little-up-to-10",
            "Figure 2",
            "Up to 10 nodes k makes little difference to the delay.",
            f"k = 0.1 and 0.9 within {LITTLE:g} % of each other at each number of nodes up to 10",
            few,
        ),
        _claim(
            s,
            "varies-at-20",
            "Figure 2",
            "At 20 nodes the delay varies with k.",
            f"k = 0.1 and 0.9 more than {LITTLE:g} % apart, whichever is longer",
            many,
        ),
    ]


def _rise(s: Samples, rate: str, a: int, b: int, factor: float) -> tuple[float, ...]:
    """Delay with b nodes less that with a, by seed; seeds without a segment in either are left out."""
    low = s.averaged(delay_ms, rate, factor, [a, b])
    both = [s.averaged(delay_ms, rate, factor, [n]) for n in (a, b)]
    if len(both[0]) == len(both[1]) == len(low):
        return tuple(y - x for x, y in zip(*both, strict=True))
    count = min(len(both[0]), len(both[1]))
    return tuple(y - x for x, y in zip(both[0][:count], both[1][:count], strict=True))


def _loss(s: Samples) -> Claim:
    def tests(rate: str) -> list[Test]:
        return [
            Test(
                where=f"{nodes} nodes, k = {factor:g}",
                what="loss",
                values=tuple(s.values(loss_percent, rate, nodes, factor)),
                below=ZERO_BELOW,
                difference=False,
            )
            for nodes in s.nodes(rate)
            for factor in s.ks(rate)
        ]

    return _claim(
        s,
        "no-loss",
        "Section 3.3",
        "The average loss is zero, whatever k.",
        f"segments that had not arrived by the end, below {ZERO_BELOW:g} % at every point: what is under way counts",
        tests,
    )
