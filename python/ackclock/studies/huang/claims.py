"""The paper's claims, each turned into tests on our runs.

Where the text leaves open what a word means ("about twice", "steeper"), the reading is fixed here, before the
runs, and printed beside the verdict. Each claim is judged for each reading of TCPW-I (`settings.FORMS`).
Errors on either link count: the paper names both for the same experiment, and a claim that held for one place
only would say so in its tests.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Claim
from ackclock.studies.huang import published
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import EXPERIMENTS
from ackclock.studies.huang.samples import competitor_kbps, fairness
from ackclock.studies.judge import Test, judge, percent_above, ratio_of_means
from ackclock.sweep.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.studies.huang.samples import Samples
    from ackclock.studies.huang.settings import Form

COLUMNS: Final = tuple(form.column for form in k.FORMS)
"""What the verdicts on a claim suppose."""

TWICE: Final = (1.5, 2.5)
"""A ratio is "about twice" between these: it rounds to 2."""

LEVEL_WITHIN: Final = 20.0
"""A level "fluctuates about" a published one within so many percent of it."""

FAIR_ABOVE: Final = 0.95
"""Flows are "fair among themselves" where Jain's index is above this: ten flows of which half get 0.63 times
what the others get have it."""

ADAPTS: Final = 1.2
"""A flow has adapted where it takes so many times more while 3 Mb/s are free rather than 2: 1.5 is all of it."""

OPEN: Final = ("open_d1", "open_r1")
NARROW: Final = ("narrow_d1", "narrow_r1")

_PLACE: Final = {e.key: e.place for e in EXPERIMENTS}


def place(experiment: str, x: float) -> str:
    """Name a point in words."""
    return f"{_PLACE[experiment]}, {100 * x:g} %" if x else ""


def claims(s: Samples) -> tuple[Claim, ...]:
    """Judge every claim whose runs are there."""
    figures = set(s.data.figures)
    makers: tuple[tuple[str, Callable[[Samples], list[Claim]]], ...] = (
        ("fig4", _figure4),
        ("fig5", _figure5),
        ("fig6", _figure6),
        ("fig7", _figure7),
        ("fig9", _figure9),
        ("response", _response),
        ("fig10", _figure10),
        ("fig11", _figure11),
    )
    out = [claim for figure, make in makers if figure in figures for claim in make(s)]
    if figures & {"fig6", "fig7"}:
        out += _tells(s)
    if figures & {"fig5", "fig7"}:
        out += _gateway(s)
    return tuple(out)


def _claim(
    key: str, figure: str, text: str, reading: str, tests: Callable[[Form], list[Test]]
) -> list[Claim]:
    """Judge a claim for each reading of TCPW-I; none where nothing of it was run."""
    found = [tests(form) for form in k.FORMS]
    if not all(found):
        return []
    return [Claim(key, figure, text, reading, tuple(judge(each, k.LEVEL) for each in found))]


def _above(s: Samples, experiment: str, x: float, winner: str, rival: str) -> Test:
    return Test(
        where=place(experiment, x),
        what=f"{k.SHORT[winner]} - {k.SHORT[rival]}",
        values=percent_above(s.kbps(experiment, x, winner), s.kbps(experiment, x, rival)),
        above=0.0,
    )


def _points(s: Samples, experiments: Sequence[str]) -> list[tuple[str, float]]:
    return [(experiment, x) for experiment in experiments for x in s.xs(experiment)]


def _steps(s: Samples, experiments: Sequence[str]) -> list[tuple[str, float, float]]:
    return [(experiment, a, b) for experiment in experiments for a, b in pairwise(s.xs(experiment))]


def _twice(s: Samples, key: str, figure: str, text: str, experiments: Sequence[str]) -> list[Claim]:
    def tests(form: Form) -> list[Test]:
        return [
            Test(
                where=place(experiment, k.FIGURE_ERROR),
                what=f"{k.SHORT[form.tcpwi]} / {k.SHORT[form.tcpw]}",
                values=ratio_of_means(
                    s.kbps(experiment, k.FIGURE_ERROR, form.tcpwi),
                    s.kbps(experiment, k.FIGURE_ERROR, form.tcpw),
                ),
                above=TWICE[0],
                below=TWICE[1],
                unit="",
                difference=False,
            )
            for experiment in experiments
        ]

    reading = f"the ratio of the means rounds to 2: between {TWICE[0]:g} and {TWICE[1]:g}"
    return _claim(key, figure, text, reading, tests)


def _figure4(s: Samples) -> list[Claim]:
    text = "At 10 % error TCPW-I has about twice the throughput of TCPW."
    return _twice(s, "twice", "Figure 4", text, OPEN)


def _ahead(s: Samples, key: str, figure: str, experiments: Sequence[str]) -> list[Claim]:
    return _claim(
        key,
        figure,
        "TCPW-I is ahead of TCPW at every error rate.",
        "at each error rate run, with errors on either link",
        lambda form: [_above(s, e, x, form.tcpwi, form.tcpw) for e, x in _points(s, experiments)],
    )


def _falls(s: Samples, key: str, figure: str, experiments: Sequence[str]) -> list[Claim]:
    def tests(form: Form) -> list[Test]:
        return [
            Test(
                where=f"{place(e, a)} to {100 * b:g} %",
                what=f"fall of {k.SHORT[curve]}",
                values=percent_above(s.kbps(e, a, curve), s.kbps(e, b, curve)),
                above=0.0,
            )
            for curve in (form.tcpw, form.tcpwi)
            for e, a, b in _steps(s, experiments)
        ]

    text = "The throughput of both falls as the error rate grows."
    return _claim(key, figure, text, "from each error rate run to the next, of both", tests)


def _figure5(s: Samples) -> list[Claim]:
    def grows(form: Form) -> list[Test]:
        tests = []
        for e, a, b in _steps(s, OPEN):
            before, after = (
                ratio_of_means(s.kbps(e, x, form.tcpwi), s.kbps(e, x, form.tcpw)) for x in (a, b)
            )
            tests.append(
                Test(
                    where=f"{place(e, a)} to {100 * b:g} %",
                    what=f"growth of {k.SHORT[form.tcpwi]} / {k.SHORT[form.tcpw]}",
                    values=tuple(y - x for x, y in zip(before, after, strict=True)),
                    above=0.0,
                    unit="",
                )
            )
        return tests

    return [
        *_falls(s, "falls", "Figure 5", OPEN),
        *_steeper(s, "steeper", "per percentage point of error", lambda a, b: 100 * (b - a)),
        *_steeper(s, "steeper-log", "per tenfold of the error rate", lambda a, b: math.log10(b / a)),
        *_ahead(s, "ahead", "Figure 5", OPEN),
        *_claim(
            "lead-grows",
            "Figure 5",
            "The lead of TCPW-I grows with the error rate.",
            "the ratio of the means grows from each error rate run to the next",
            grows,
        ),
    ]


def _steeper(s: Samples, key: str, per: str, width: Callable[[float, float], float]) -> list[Claim]:
    def tests(form: Form) -> list[Test]:
        found = []
        for curve in (form.tcpw, form.tcpwi):
            for experiment in OPEN:
                for a, b, c in zip(*(s.xs(experiment)[i:] for i in range(3)), strict=False):
                    at = [s.kbps(experiment, x, curve) for x in (a, b, c)]
                    values = tuple(
                        (y - z) / width(b, c) - (x - y) / width(a, b) for x, y, z in zip(*at, strict=True)
                    )
                    found.append(
                        Test(
                            where=f"{place(experiment, a)} to {100 * b:g} % to {100 * c:g} %",
                            what=f"growth of the slope of {k.SHORT[curve]}",
                            values=values,
                            above=0.0,
                            unit="kb/s",
                        )
                    )
        return found

    text = f"The curves become steeper as the error rate grows, {per}."
    reading = "the text does not say on which axis: the fall from each error rate run to the next, " + per
    return _claim(key, "Figure 5", text, reading, tests)


def _figure6(s: Samples) -> list[Claim]:
    def levels(form: Form) -> list[Test]:
        return [
            Test(
                where=place(experiment, k.FIGURE_ERROR),
                what=f"{k.SHORT[curve]} off {level:g} kb/s",
                values=tuple(
                    100 * (value / level - 1) for value in s.kbps(experiment, k.FIGURE_ERROR, curve)
                ),
                above=-LEVEL_WITHIN,
                below=LEVEL_WITHIN,
            )
            for experiment in NARROW
            for curve, level in (
                (form.tcpw, published.LEVEL_KBPS["westwood"]),
                (form.tcpwi, published.LEVEL_KBPS["tcpw-i"]),
            )
        ]

    return [
        *_claim(
            "bottleneck-ahead",
            "Figure 6",
            "At 10 % error TCPW-I is ahead of TCPW, with a bottleneck, too.",
            "with errors on either link",
            lambda form: [_above(s, e, k.FIGURE_ERROR, form.tcpwi, form.tcpw) for e in NARROW],
        ),
        *_twice(
            s,
            "bottleneck-twice",
            "Figure 6",
            "There it has about twice the throughput of TCPW (250 to 130 kb/s).",
            NARROW,
        ),
        *_claim(
            "levels",
            "Figure 6",
            "TCPW fluctuates about 130 kb/s and TCPW-I about 250 kb/s.",
            f"each mean within {LEVEL_WITHIN:g} % of the published level",
            levels,
        ),
    ]


def _figure7(s: Samples) -> list[Claim]:
    return [
        *_falls(s, "bottleneck-falls", "Figure 7", NARROW),
        *_ahead(s, "bottleneck-throughout", "Figure 7", NARROW),
    ]


def _figure9(s: Samples) -> list[Claim]:
    def alone(time: float) -> bool:
        return 11 < time <= 20

    def beside(time: float) -> bool:
        return 2 < time <= 10 or time > 21

    reading = (
        f"from 11 to 20 s at least {ADAPTS:g} times what it has beside the stream (2 to 10 and 21 to 30 s)"
    )
    text = "Both adapt when the UDP stream goes and comes."
    return [
        *_claim(
            "hybrid-adapts", "Figure 9", text, reading, lambda form: _gains(s, "hybrid", form, alone, beside)
        ),
        *_claim(
            "hybrid-ahead",
            "Figure 9",
            "Over 802.11 TCPW-I is ahead of TCPW.",
            "over the whole run",
            lambda form: [_above(s, "hybrid", 0.0, form.tcpwi, form.tcpw)],
        ),
    ]


def _response(s: Samples) -> list[Claim]:
    def alone(time: float) -> bool:
        return time > 2 and time % 1 == 0

    def beside(time: float) -> bool:
        return time > 2 and time % 1 != 0

    reading = (
        f"in the half seconds without UDP at least {ADAPTS:g} times what it has in those with, from 2 s on"
    )
    text = "Both react at once to a stream that is on and off for 0.5 s each."
    return [
        *_claim(
            "pulse-reacts", "Section 4.3", text, reading, lambda form: _gains(s, "pulse", form, alone, beside)
        ),
        *_claim(
            "pulse-better",
            "Section 4.3",
            "TCPW-I judges the bandwidth left over better than TCPW.",
            "it has more throughput over the whole test",
            lambda form: [_above(s, "pulse", 0.0, form.tcpwi, form.tcpw)],
        ),
    ]


def _gains(
    s: Samples, experiment: str, form: Form, alone: Callable[[float], bool], beside: Callable[[float], bool]
) -> list[Test]:
    """How much more TCPW and TCPW-I have while no UDP flows."""
    return [
        Test(
            where="",
            what=f"{k.SHORT[curve]} without UDP / with it",
            values=ratio_of_means(s.rates(experiment, curve, alone), s.rates(experiment, curve, beside)),
            above=ADAPTS,
            unit="",
            difference=False,
            once=mean(s.rates(experiment, curve, alone, together=True))
            / mean(s.rates(experiment, curve, beside, together=True)),
        )
        for curve in (form.tcpw, form.tcpwi)
    ]


def _figure10(s: Samples) -> list[Claim]:
    def tests(form: Form) -> list[Test]:
        def reno(curve: str, together: bool) -> list[float]:
            return s.values(competitor_kbps, "friendliness", 0.0, curve, together=together)

        once = percent_above(reno(form.tcpwi, True), reno(form.tcpw, True))
        return [
            Test(
                where="",
                what=f"Reno beside {k.SHORT[form.tcpwi]} - beside {k.SHORT[form.tcpw]}",
                values=percent_above(reno(form.tcpwi, False), reno(form.tcpw, False)),
                above=0.0,
                once=sum(once) / len(once),
            )
        ]

    text = "TCPW-I is friendlier to Reno than TCPW: it takes less from it."
    return _claim("friendlier", "Figure 10", text, "Reno gets more beside it than beside TCPW", tests)


def _figure11(s: Samples) -> list[Claim]:
    def index(curve: str, together: bool = False) -> list[float]:
        return s.values(fairness, "fairness", 0.0, curve, together=together)

    def order(form: Form) -> list[Test]:
        tests = []
        for fairer, rival in ((form.reno, form.tcpwi), (form.tcpwi, form.tcpw)):
            both = zip(index(fairer), index(rival), strict=True)
            once = [a - b for a, b in zip(index(fairer, True), index(rival, True), strict=True)]
            tests.append(
                Test(
                    where="",
                    what=f"{k.SHORT[fairer]} - {k.SHORT[rival]}",
                    values=tuple(100 * (a - b) for a, b in both),
                    above=0.0,
                    unit="hundredths",
                    once=100 * sum(once) / len(once),
                )
            )
        return tests

    def fair(form: Form) -> list[Test]:
        return [
            Test(
                where="",
                what=f"Jain's index of {k.SHORT[curve]}",
                values=tuple(index(curve)),
                above=FAIR_ABOVE,
                unit="",
                difference=False,
                once=sum(index(curve, True)) / len(index(curve, True)),
            )
            for curve in (form.reno, form.tcpwi, form.tcpw)
        ]

    return [
        *_claim(
            "jain-order",
            "Figure 11",
            "Jain's index: Reno above TCPW-I above TCPW.",
            "differences of the index over ten flows, in hundredths",
            order,
        ),
        *_claim(
            "fair",
            "Figure 11",
            "Ten flows of each are fair among themselves.",
            f"Jain's index above {FAIR_ABOVE:g}",
            fair,
        ),
    ]


def _gateway(s: Samples) -> list[Claim]:
    experiments = [e for e in (*OPEN, *NARROW) if s.has(e)]
    return _claim(
        "gateway",
        "Section 7",
        "The intelligent gateway with TCPW-I raises throughput.",
        "the paper does not simulate it: above TCPW-I and above TCPW end to end at each error rate run",
        lambda form: [
            _above(s, e, x, form.gateway, rival)
            for e, x in _points(s, experiments)
            for rival in (form.tcpwi, form.tcpw)
        ],
    )


def _tells(s: Samples) -> list[Claim]:
    def share(curve: str, points: Sequence[tuple[str, float]], right: str, wrong: str) -> tuple[float, ...]:
        """Share of right guesses in each replication, over these points together, in percent."""
        counts: dict[int, list[int]] = {}
        for experiment, x in points:
            for run in s.runs(experiment, x, curve):
                sums = counts.setdefault(run[0].seed, [0, 0])
                sums[0] += getattr(run[0], right)
                sums[1] += getattr(run[0], wrong)
        return tuple(100 * r / (r + w) for r, w in counts.values() if r + w)

    def tests(form: Form) -> list[Test]:
        points = _points(s, NARROW)
        random = [([point], place(*point), "random", "kept_random", "cut_random") for point in points]
        congestion = (points, "all error rates", "congestion", "cut_congestion", "kept_congestion")
        return [
            Test(
                where=where,
                what=f"{k.SHORT[form.tcpwi]}: share of {what} losses told right",
                values=values,
                above=50.0,
                difference=False,
            )
            for of, where, what, right, wrong in (*random, congestion)
            for values in [share(form.tcpwi, of, right, wrong)]
            if values
        ]

    return _claim(
        "tells-apart",
        "Section 3.1",
        "TCPW-I tells random losses from congestion.",
        "of the losses that acknowledgments show in the runs with a bottleneck, it tells right more than half of the "
        "random ones at each error rate, and of those that a full queue caused",
        tests,
    )
