"""The paper's claims, each turned into tests on our runs.

Each claim is judged in each reading of the set-up that `cases.COLUMNS` lists. Where the text leaves open what a word
means ("about", "similar", "falls"), the reading is fixed here, before the runs, and printed beside the verdict. Tests
use the runs with jittered starts; the paper's procedure is the one run whose starts are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.report.model import Claim
from ackclock.report.text import number
from ackclock.studies.judge import Test, judge, percent_above, ratio_of_means
from ackclock.studies.maulana import published
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import COLUMNS
from ackclock.studies.maulana.samples import at_1s, delay_ms, received, throughput_kbps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.studies.maulana.data import FlowRow
    from ackclock.studies.maulana.samples import Samples

LEVEL_WITHIN: Final = 20.0
"""A number agrees with a published one within so many percent of it."""

SIMILAR_WITHIN: Final = 15.0
"""Throughputs are "similar" within so many percent: the published ones are 13 % apart."""

ABOUT_100: Final = (50.0, 150.0)
"""A count is "about 100" between these: it rounds to 100."""

ABOUT_0_BELOW: Final = 50.0
"""A count is "about 0" below this: it rounds to 0 on the same scale."""

_BOTH: Final = ("newreno", "vegas")


def claims(s: Samples) -> tuple[Claim, ...]:
    """Judge every claim whose runs are there."""
    figures = set(s.data.figures)
    out: list[Claim] = []
    if "averages" in figures:
        out += _averages(s)
    if "fig3" in figures:
        out += _ends(s)
    if "fig5" in figures:
        out += _rtts(s)
    if "fig7" in figures:
        out += _at_1s(s)
    return tuple(out)


def _claim(key: str, figure: str, text: str, reading: str, tests: Callable[[str], list[Test]]) -> Claim:
    """Judge a claim in each reading of the set-up."""
    judgements = tuple(judge(tests(column.case), k.LEVEL) for column in COLUMNS)
    return Claim(key, figure, text, reading, judgements)


def _more(
    s: Samples, what: Callable[[list[FlowRow]], float], winner: str, rival: str, name: str
) -> Callable[[str], list[Test]]:
    """One variant above the other, at each length."""

    def tests(case: str) -> list[Test]:
        return [
            Test(
                where=f"{length} s",
                what=f"{name}: {k.SHORT[winner]} - {k.SHORT[rival]}",
                values=percent_above(
                    s.values(what, case, length, winner), s.values(what, case, length, rival)
                ),
                above=0.0,
                once=100 * (s.once(what, case, length, winner) / s.once(what, case, length, rival) - 1),
            )
            for length in k.LENGTHS_S
        ]

    return tests


def _near(
    s: Samples, what: Callable[[list[FlowRow]], float], levels: dict[str, float], name: str, unit: str
) -> Callable[[str], list[Test]]:
    """Each variant near its published number, in the long run."""
    length = k.LENGTHS_S[-1]

    def tests(case: str) -> list[Test]:
        return [
            Test(
                where=f"{length} s",
                what=f"{name} of {k.SHORT[variant]} off {number(level, 0)}{unit}",
                values=_off(s.values(what, case, length, variant), level),
                above=-LEVEL_WITHIN,
                below=LEVEL_WITHIN,
                once=_off([s.once(what, case, length, variant)], level)[0],
            )
            for variant, level in levels.items()
        ]

    return tests


def _off(values: Sequence[float], level: float) -> tuple[float, ...]:
    return tuple(100 * (value / level - 1) for value in values)


def _averages(s: Samples) -> list[Claim]:
    near = f"within {LEVEL_WITHIN:g} % of each published number, over 60 s: 6 s cannot hold so many packets"
    return [
        _claim(
            "newreno-faster",
            "Abstract",
            "NewReno has the higher average throughput.",
            "at both lengths",
            _more(s, throughput_kbps, "newreno", "vegas", "throughput"),
        ),
        _claim(
            "newreno-more-packets",
            "Abstract",
            "More packets are received with NewReno.",
            "at both lengths",
            _more(s, received, "newreno", "vegas", "packets"),
        ),
        _claim(
            "levels",
            "Abstract",
            "The average throughput is 1033 kb/s with NewReno and 913 kb/s with Vegas.",
            near,
            _near(s, throughput_kbps, published.THROUGHPUT_KBPS, "throughput", " kb/s"),
        ),
        _claim(
            "packets",
            "Abstract",
            "4594 packets are received with NewReno and 4161 with Vegas.",
            near,
            _near(s, received, {v: float(n) for v, n in published.RECEIVED_PACKETS.items()}, "packets", ""),
        ),
        _claim(
            "vegas-shorter-delay",
            "Abstract",
            "Vegas has the shorter average delay.",
            "at both lengths",
            _more(s, delay_ms, "newreno", "vegas", "delay"),
        ),
        _claim(
            "delays",
            "Abstract",
            "The average delay is 4864 ms with NewReno and 4769 ms with Vegas.",
            f"within {LEVEL_WITHIN:g} % of each, over 60 s",
            _near(s, delay_ms, published.DELAY_MS, "delay", " ms"),
        ),
        _claim(
            "similar",
            "Conclusion",
            "Both have similar throughput.",
            f"within {SIMILAR_WITHIN:g} % of each other, since the published ones are 13 % apart",
            lambda case: [_similar(s, case, length) for length in k.LENGTHS_S],
        ),
        _claim(
            "vegas-best",
            "Conclusion",
            "Vegas performs better than NewReno.",
            "more throughput, at both lengths; the abstract says the opposite",
            _more(s, throughput_kbps, "vegas", "newreno", "throughput"),
        ),
    ]


def _similar(s: Samples, case: str, length: int) -> Test:
    newreno, vegas = (s.values(throughput_kbps, case, length, variant) for variant in _BOTH)
    once = s.once(throughput_kbps, case, length, "newreno") / s.once(throughput_kbps, case, length, "vegas")
    return Test(
        where=f"{length} s",
        what="throughput: NewReno over Vegas",
        values=tuple(100 * (ratio - 1) for ratio in ratio_of_means(newreno, vegas)),
        above=-SIMILAR_WITHIN,
        below=SIMILAR_WITHIN,
        once=100 * (once - 1),
    )


def _ends(s: Samples) -> list[Claim]:
    def tests(case: str) -> list[Test]:
        out = []
        for length in k.LENGTHS_S:
            newreno, vegas = (s.falls(case, length, variant) for variant in _BOTH)
            once = [s.falls(case, length, variant, jittered=False)[0] for variant in _BOTH]
            out += [
                Test(
                    where=f"{length} s",
                    what="fall of NewReno",
                    values=tuple(newreno),
                    above=0.0,
                    once=once[0],
                ),
                Test(
                    where=f"{length} s",
                    what="fall of NewReno - fall of Vegas",
                    values=tuple(a - b for a, b in zip(newreno, vegas, strict=True)),
                    above=0.0,
                    unit="points",
                    once=once[0] - once[1],
                ),
            ]
        return out

    return [
        _claim(
            "falls-at-the-end",
            "Figures 3 and 4",
            "Near the end the throughput of NewReno falls, and that of Vegas falls less.",
            "bits sent in the last tenth of the run, below those in the four tenths before",
            tests,
        )
    ]


def _rtts(s: Samples) -> list[Claim]:
    def below(case: str) -> list[Test]:
        return [
            Test(
                where=f"{size} B",
                what=f"RTT of {k.SHORT[variant]}",
                values=tuple(1e3 * value for value in s.rtts_s(case, size, variant)),
                below=1e3 * limit,
                unit="ms",
                difference=False,
                once=1e3 * s.rtts_s(case, size, variant, jittered=False)[0],
            )
            for variant, limit in published.RTT_BELOW_S.items()
            for size in s.sizes()
        ]

    def shorter(case: str) -> list[Test]:
        return [
            Test(
                where=f"{size} B",
                what="RTT: NewReno - Vegas",
                values=percent_above(s.rtts_s(case, size, "newreno"), s.rtts_s(case, size, "vegas")),
                above=0.0,
                once=percent_above(
                    s.rtts_s(case, size, "newreno", jittered=False),
                    s.rtts_s(case, size, "vegas", jittered=False),
                )[0],
            )
            for size in s.sizes()
        ]

    return [
        _claim(
            "rtt-limits",
            "Figures 5 and 6",
            "The round-trip time is below 0.6 s with NewReno and below 0.2 s with Vegas.",
            "mean of each run at each packet size",
            below,
        ),
        _claim(
            "rtt-shorter",
            "Figures 5 and 6",
            "The round-trip time is shorter with Vegas.",
            "at each packet size",
            shorter,
        ),
    ]


def _at_1s(s: Samples) -> list[Claim]:
    length = k.LENGTHS_S[-1]

    def tests(case: str) -> list[Test]:
        low, high = ABOUT_100
        return [
            Test(
                where=f"{length} s",
                what=f"packets of {k.SHORT[variant]} with a delay of 1 s",
                values=tuple(s.values(at_1s, case, length, variant)),
                above=above,
                below=below,
                unit="",
                difference=False,
                once=s.once(at_1s, case, length, variant),
            )
            for variant, above, below in (("newreno", low, high), ("vegas", float("-inf"), ABOUT_0_BELOW))
        ]

    low, high = k.AT_1S
    return [
        _claim(
            "at-1s",
            "Figures 7 and 8",
            "At a delay of 1 s the histogram counts about 100 with NewReno and about 0 with Vegas.",
            f"packets delayed by {low:g} to {high:g} s over 60 s: {ABOUT_100[0]:g} to {ABOUT_100[1]:g}, and below "
            f"{ABOUT_0_BELOW:g}; the text does not say how wide a class is",
            tests,
        )
    ]
