"""The paper's claims, each with its tests on our runs.

Each claim is judged at each rate that was run. The paper's k is ambiguous: a loss may reduce the window to k W, or by k
W, that is to (1 - k) W. The same runs serve for both interpretations: under the second, a run with factor k stands for
1 - k. Claims on k are judged under both. If the text leaves open what a word means ("little", "linearly", "zero"), the
interpretation is fixed here, before the runs, and printed beside the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import ackclock.study as st
from ackclock.studies.suherman import published
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.results import Results
from ackclock.studies.suherman.setups import WINDOW

FACTOR: Final = 2.0
"""A reduction of the window is "significant" if it divides the window by at least this factor."""

LITTLE: Final = 5.0
"""Delays differ "little" if they differ by less than this percentage, and they "vary" if they differ by more."""

LINEAR_WITHIN: Final = 5.0
"""Points "lie on a line" if their distance from the line is at most this percentage of the points' mean."""

ZERO_BELOW: Final = 0.5
"""A loss is "zero" if it is below this percentage, so that it rounds to 0."""


@dataclass(frozen=True)
class Label:
    """An interpretation of the paper's k.

    Attributes:
        key: Suffix of the claims' keys.
        words: Text in the claims.
        swapped: True if the paper's k stands for our runs with 1 - k.
    """

    key: str
    words: str
    swapped: bool

    def run(self, factor: float) -> float:
        """Return the factor that our runs use for the paper's k under this interpretation."""
        return round(1 - factor, 10) if self.swapped else factor


LABELS: Final = (
    Label("to", "the window becomes k W", swapped=False),
    Label("by", "the window shrinks by k W", swapped=True),
)
"""Both interpretations of k. The paper's "small k causes significant window reduction" favours the first."""

RISES, ON_LINE = LINEAR = ("it rises", "it lies on a line")
"""The two statements of the claim "rises linearly"."""

SuhermanClaim: TypeAlias = st.Claim[Results, str]
Tests: TypeAlias = "Callable[[Results, str], list[st.Test]]"
Numbers: TypeAlias = "Callable[[Results, str], list[st.Number]]"


def fall(s: Results, what: str, setup: str, label: Label) -> st.Ratio:
    """Return by how many percent `what` is lower at the paper's k = 0.1 than at k = 0.9.

    `what` is averaged over the numbers of nodes.
    """
    low, high = (s.averaged(what, setup, label.run(factor)) for factor in (0.1, 0.9))
    return -st.percent_above(low, high)


def _reductions(
    label: Label, name: str, figure: str, value: float, column: str = "", measured: str = ""
) -> tuple[SuhermanClaim, ...]:
    """Return the claims that a quantity falls, and by how much.

    `column` and `measured` name and describe our measure if it is not ns-2's.
    """
    key = name.replace(" ", "-")

    what, measure = f"fall of the {name} from k = 0.9 to 0.1", column or f"{name}_ms"

    def falls(s: Results, rate: str) -> list[st.Test]:
        return [st.positive("", what, fall(s, measure, rate, label))]

    def by_so_much(s: Results, rate: str) -> list[st.Number]:
        return [st.Number("", what, fall(s, measure, rate, label), published=value, difference=True)]

    reading = "; ".join(filter(None, (label.words, measured, "averaged over the numbers of nodes")))
    return (
        st.Claim(
            f"{key}-falls-{label.key}",
            figure,
            f"The average {name} falls as k falls from 0.9 to 0.1 ({label.words}).",
            reading,
            falls,
        ),
        st.Claim(
            f"{key}-by-{label.key}",
            figure,
            f"The average {name} falls by {value:g} % ({label.words}).",
            f"{reading}; within {st.tolerance(value):.2g} percentage points of that",
            by_so_much,
        ),
    )


def _linear(label: Label) -> Tests:
    def tests(s: Results, rate: str) -> list[st.Test]:
        ks = s.ks(rate)
        by_k = {x: s.averaged("delay_ms", rate, label.run(x)) for x in ks}
        lines = [_line(ks, values) for values in zip(*by_k.values(), strict=True)]

        def off_line(x: float) -> st.Values:
            """Return how far each seed's delay at x is from the line through its delays, in percent of their mean.

            Each seed has its own line, since seeds differ in positions.
            """
            on_line = [middle + slope * (x - st.mean(ks)) for middle, slope in lines]
            rest = [value - on for value, on in zip(by_k[x], on_line, strict=True)]
            return st.scaled(st.ratio_of_means(rest, [middle for middle, _ in lines]), 100)

        on_line = [st.within(LINEAR_WITHIN, f"k = {x:g}", "delay off the line", off_line(x)) for x in ks]
        rises = [
            st.positive(f"k = {a:g} to {b:g}", "rise of the delay", st.percent_above(by_k[b], by_k[a]))
            for a, b in pairwise(ks)
        ]
        return [*st.statement(RISES, rises), *st.statement(ON_LINE, on_line)]

    return tests


def _line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Return the least-squares line through points: its value at the mean of x, and its slope."""
    centre = st.mean(x)
    products = sum((a - centre) * b for a, b in zip(x, y, strict=True))
    return st.mean(y), products / sum((a - centre) ** 2 for a in x)


_FORMULA: Final = published.response_time(0.9) / published.response_time(0.1)

_SIMULATED: Final = 1 / (1 - published.DELAY_REDUCTION / 100)
"""Ratio of the delay at k = 0.9 to that at k = 0.1 in the paper's own simulation."""


def _formula(label: Label) -> Numbers:
    return lambda s, rate: [
        st.Number(
            "",
            "delay at k = 0.9 over that at 0.1",
            st.ratio_of_means(*(s.averaged("delay_ms", rate, label.run(x)) for x in (0.9, 0.1))),
            published=_FORMULA,
            alternatives=(_SIMULATED,),
            nothing=1.0,
            unit="",
        )
    ]


def _of_k(label: Label) -> tuple[SuhermanClaim, ...]:
    """Return the claims on k under one interpretation of k."""
    return (
        *_reductions(label, "delay", "Figure 3", published.DELAY_REDUCTION),
        *_reductions(
            label,
            "delay from the write",
            "Figure 3",
            published.DELAY_REDUCTION,
            "write_delay_ms",
            "from the application's write to the delivery in order, which is what a viewer waits for",
        ),
        *_reductions(label, "jitter", "Figure 7", published.JITTER_REDUCTION),
        st.Claim(
            f"linear-{label.key}",
            "Figure 3",
            f"The average delay rises linearly with k ({label.words}).",
            f"it rises from each k run to the next, and lies within {LINEAR_WITHIN:g} % of the straight line through "
            "them",
            _linear(label),
            statements=LINEAR,
        ),
        st.Claim(
            f"formula-{label.key}",
            "Figure 4",
            f"The formula l rto 2^k confirms the simulation ({label.words}).",
            f"it has {_FORMULA:.3g} times the delay at k = 0.9 that it has at 0.1; within "
            f"{st.tolerance(_FORMULA, (_SIMULATED,), 1.0):.2g} of that (the paper's simulation has {_SIMULATED:.3g})",
            _formula(label),
        ),
        st.Claim(
            f"window-{label.key}",
            "Figure 5",
            f"A small k causes a significant window reduction ({label.words}).",
            f"simulated at {WINDOW.label} with {k.WINDOW_NODES} nodes: the window that the first loss leaves at k = "
            f"0.1 is at most 1/{FACTOR:g} of that at 0.9",
            _window(label),
            blank="not simulated here",
        ),
    )


def _window(label: Label) -> Tests:
    def tests(s: Results, rate: str) -> list[st.Test]:
        if rate != WINDOW.key or not list(s.windows):
            return []
        low, high = (s.windows.of("window", label.run(factor), 1) for factor in (0.1, 0.9))
        what = "window after the first loss, k = 0.1 over 0.9"
        return [st.level("", what, st.ratio_of_means(low, high), below=1 / FACTOR, unit="")]

    return tests


def _grows(s: Results, rate: str) -> list[st.Test]:
    return [_rise(s, rate, a, b, factor) for factor in s.ks(rate) for a, b in pairwise(s.nodes(rate))]


def _rise(s: Results, rate: str, a: int, b: int, factor: float) -> st.Test:
    """Return the test that the delay rises from a to b nodes, paired by seed; seeds without an arrival are left out."""
    fewer, more = (s.averaged("delay_ms", rate, factor, [n]) for n in (a, b))
    return st.positive(
        f"{a} to {b} nodes",
        f"rise of the delay, k = {factor:g}",
        tuple(y - x for x, y in zip(fewer, more, strict=False)),
        unit="ms",
        margin=st.MARGIN_PERCENT / 100 * st.mean(fewer),
    )


def _differ_little(s: Results, rate: str) -> list[st.Test]:
    what = "delay: k = 0.1 against 0.9"
    return [
        st.within(LITTLE, f"{n} nodes", what, s.effect("delay_ms", rate, n)) for n in s.nodes(rate) if n <= 10
    ]


def _differ_much(s: Results, rate: str) -> list[st.Test]:
    nodes = max(s.nodes(rate))
    effect = s.effect("delay_ms", rate, nodes)
    what = "delay: k = 0.1 against 0.9, either way"
    return [st.Test(f"{nodes} nodes", what, -effect if effect.mean < 0 else effect, above=LITTLE)]


def _no_loss(s: Results, rate: str) -> list[st.Test]:
    return [
        st.level(
            f"{nodes} nodes, k = {factor:g}",
            "loss",
            tuple(s.values("loss_percent", rate, nodes, factor)),
            below=ZERO_BELOW,
        )
        for nodes in s.nodes(rate)
        for factor in s.ks(rate)
    ]


CLAIMS: Final[tuple[SuhermanClaim, ...]] = (
    *(claim for label in LABELS for claim in _of_k(label)),
    k.TEXT.claim("grows-with-nodes", _grows, margin_percent=st.MARGIN_PERCENT),
    k.TEXT.claim("little-up-to-10", _differ_little, little=LITTLE),
    k.TEXT.claim("varies-at-20", _differ_much, little=LITTLE),
    k.TEXT.claim("no-loss", _no_loss, zero_below=ZERO_BELOW),
)
