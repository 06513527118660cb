"""The paper's claims, each turned into tests on our runs.

Where the text leaves open what a word means ("constant", "linearly", "not good"), the reading is fixed here,
before the runs, and printed beside the verdict. Tests use the runs with jittered starts: with identical
starts a loss-free point has one value and no spread, and an interval of it would mean nothing.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Claim, Judgement
from ackclock.studies.abadin import settings as k
from ackclock.studies.judge import Test, judge, percent_above
from ackclock.sweep.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ackclock.studies.abadin.data import SampleRow
    from ackclock.studies.abadin.samples import Samples

COLUMNS: Final = ("Vegas as in ns-2", "Vegas with equal wire size")
"""What the two verdicts on a claim suppose."""

CONSTANT_WITHIN: Final = 5.0
"""A curve is "constant" where it stays within so many percent of its own mean."""

LINEAR_WITHIN: Final = 5.0
"""A curve is "linear" where it stays within so many percent of the line through 0 and its first point."""

SETTLED_AFTER_S: Final = 30.0
"""Where "after some time" begins, s."""

NOT_GOOD_BELOW: Final = 90.0
"""Throughput is "not good" below so many percent of what the bottleneck can carry in payload."""

WINDOW_FREE_MBPS: Final = 3.0
"""Up to here two windows of 20 segments fill the bottleneck; from 4 Mb/s on they hold the flows back."""

_AXIS: Final[dict[str, str]] = {
    "error": "error {:g} %",
    "bandwidth": "{:g} Mb/s",
    "sources_q20": "{:g} sources, q 20",
    "sources_q50": "{:g} sources, q 50",
    "delay": "{:g} ms",
    "buffer": "{:g} packets",
}


def place(experiment: str, x: float) -> str:
    """Name a point in words."""
    return _AXIS.get(experiment, "").format(x * 100 if experiment == "error" else x)


def claims(s: Samples) -> tuple[Claim, ...]:
    """Judge every claim whose runs are there."""
    out: list[Claim] = []
    figures = set(s.data.figures)
    if "table1" in figures:
        out += _table1(s)
    if "fig2" in figures:
        out += _figure2(s)
    for figure, make in (
        ("fig3", _error),
        ("fig4", _bandwidth),
        ("fig6", _sources),
        ("fig7", _delay),
        ("fig8", _buffer),
    ):
        if figure in figures:
            out += make(s)
    return tuple(out)


def _both(
    key: str, figure: str, text: str, reading: str, tests: dict[str, list[Test]], *, vegas: bool = True
) -> list[Claim]:
    """Judge a claim with each form of Vegas, or once where Vegas takes no part; none if not run."""
    judgements: tuple[Judgement | None, ...]
    if not all(tests.values()):
        return []
    if vegas:
        judgements = tuple(judge(tests[form], k.LEVEL) for form in ("vegas", "vegas40"))
    else:
        judgements = (judge(tests["vegas"], k.LEVEL), None)
    return [Claim(key, figure, text, reading, judgements)]


def _beats(s: Samples, experiment: str, x: float, winner: str, rivals: Iterable[str]) -> list[Test]:
    tests = []
    for rival in rivals:
        once = percent_above(
            [s.mean(experiment, x, winner, jittered=False)], [s.mean(experiment, x, rival, jittered=False)]
        )[0]
        tests.append(
            Test(
                where=place(experiment, x),
                what=f"{k.SHORT[winner]} - {k.SHORT[rival]}",
                values=percent_above(s.values(experiment, x, winner), s.values(experiment, x, rival)),
                above=0.0,
                once=once,
            )
        )
    return tests


def _leads(
    s: Samples, experiments: Sequence[str], keep: Sequence[float] | None = None
) -> dict[str, list[Test]]:
    """Vegas, in each form, ahead of the four loss-based variants at every point."""
    return {
        form: [
            test
            for experiment in experiments
            for x in s.xs(experiment)
            if keep is None or x in keep
            for test in _beats(s, experiment, x, form, k.LOSS_BASED)
        ]
        for form in ("vegas", "vegas40")
    }


def _table1(s: Samples) -> list[Claim]:
    worst = {
        form: [t for v in ("reno", "newreno", "sack", form) for t in _beats(s, "table1", 0, v, ["tahoe"])]
        for form in ("vegas", "vegas40")
    }
    order = {
        form: [
            *_beats(s, "table1", 0, "reno", ["tahoe"]),
            *_beats(s, "table1", 0, "newreno", ["reno"]),
            *_beats(s, "table1", 0, "sack", ["reno"]),
            *_beats(s, "table1", 0, form, ["newreno", "sack"]),
        ]
        for form in ("vegas", "vegas40")
    }
    return [
        *_both(
            "tahoe-worst",
            "Table 1",
            "Tahoe has the lowest average throughput.",
            "each other above Tahoe",
            worst,
        ),
        *_both(
            "vegas-best",
            "Table 1",
            "Vegas has the highest average throughput.",
            "above each of the other four",
            _leads(s, ["table1"]),
        ),
        *_both(
            "order",
            "Table 1",
            "Tahoe < Reno < {NewReno, SACK} < Vegas.",
            "as printed; NewReno and SACK are one packet apart there, and not compared",
            order,
        ),
    ]


def _figure2(s: Samples) -> list[Claim]:
    tests: dict[str, list[Test]] = {}
    for form in ("vegas", "vegas40"):
        runs = [s.bins(form, seed, jittered=True) for seed in s.seeds_of_samples(form, jittered=True)]
        once = [s.bins(form, seed, jittered=False) for seed in s.seeds_of_samples(form, jittered=False)]
        tests[form] = [
            Test(
                where=f"10 s samples from {SETTLED_AFTER_S:g} s on",
                what=f"largest deviation of {k.SHORT[form]} from its mean",
                values=tuple(_largest_deviation(run) for run in runs),
                below=CONSTANT_WITHIN,
                difference=False,
                once=mean([_largest_deviation(run) for run in once]) if once else None,
            )
        ]
    reading = (
        f"every full 10 s sample after {SETTLED_AFTER_S:g} s within {CONSTANT_WITHIN:g} % of their mean; "
        "by the other reading, the average since the start, every variant comes to rest"
    )
    return _both("vegas-constant", "Figure 2", "Vegas is constant after some time.", reading, tests)


def _largest_deviation(bins: Sequence[SampleRow]) -> float:
    rates = [
        b.new_bytes / b.bin_s for b in bins if b.bin_s == k.SAMPLE_S and b.time_s - b.bin_s >= SETTLED_AFTER_S
    ]
    middle = mean(rates)
    return 100 * max(abs(rate / middle - 1) for rate in rates)


def _error(s: Samples) -> list[Claim]:
    low = [x for x in s.xs("error") if x < 0.04]
    high = [x for x in s.xs("error") if x > 0.04]
    above = {
        form: [
            test
            for x in high
            for winner in ("newreno", "sack")
            for test in _beats(s, "error", x, winner, ("tahoe", "reno", form))
        ]
        for form in ("vegas", "vegas40")
    }
    falls = {
        form: [
            test
            for variant in (*k.LOSS_BASED, form)
            for x, worse in pairwise(s.xs("error"))
            for test in [_falls(s, variant, x, worse)]
        ]
        for form in ("vegas", "vegas40")
    }
    return [
        *_both(
            "vegas-low-error",
            "Figure 3",
            "Below 4 % error Vegas performs best.",
            "above each of the other four at every error rate run below 4 %",
            _leads(s, ["error"], low),
        ),
        *_both(
            "sack-high-error",
            "Figure 3",
            "Above 4 % error NewReno and SACK perform best.",
            "both above Tahoe, Reno and Vegas at every error rate run above 4 %",
            above,
        ),
        *_both(
            "falls-with-error",
            "Figure 3",
            "Throughput falls as the error rate grows.",
            "from each error rate run to the next, for every variant",
            falls,
        ),
    ]


def _falls(s: Samples, variant: str, x: float, worse: float) -> Test:
    once = percent_above(
        [s.mean("error", x, variant, jittered=False)], [s.mean("error", worse, variant, jittered=False)]
    )[0]
    return Test(
        where=f"{place('error', x)} to {worse * 100:g} %",
        what=f"fall of {k.SHORT[variant]}",
        values=percent_above(s.values("error", x, variant), s.values("error", worse, variant)),
        above=0.0,
        once=once,
    )


def _bandwidth(s: Samples) -> list[Claim]:
    def tests(upto: float) -> dict[str, list[Test]]:
        return {
            form: [
                _on_line(s, variant, x)
                for variant in (*k.LOSS_BASED, form)
                for x in s.xs("bandwidth")[1:]
                if x <= upto
            ]
            for form in ("vegas", "vegas40")
        }

    reading = f"within {LINEAR_WITHIN:g} % of the line through 0 and the first point"
    return [
        *_both(
            "linear",
            "Figure 4",
            "Throughput rises linearly with the bottleneck's bandwidth.",
            f"{reading}, at every bandwidth run; the paper does not say how far it went",
            tests(float("inf")),
        ),
        *_both(
            "linear-window-free",
            "Figure 4",
            f"The same, up to {WINDOW_FREE_MBPS:g} Mb/s.",
            f"{reading}, where the windows of 20 segments do not hold the flows back",
            tests(WINDOW_FREE_MBPS),
        ),
    ]


def _on_line(s: Samples, variant: str, x: float) -> Test:
    first = s.xs("bandwidth")[0]

    def deviation(values: Sequence[float], slope: float) -> tuple[float, ...]:
        return tuple(100 * (value / (slope * x) - 1) for value in values)

    return Test(
        where=place("bandwidth", x),
        what=f"{k.SHORT[variant]} off the line",
        values=deviation(s.values("bandwidth", x, variant), s.mean("bandwidth", first, variant) / first),
        above=-LINEAR_WITHIN,
        below=LINEAR_WITHIN,
        once=deviation(
            [s.mean("bandwidth", x, variant, jittered=False)],
            s.mean("bandwidth", first, variant, jittered=False) / first,
        )[0],
    )


def _sources(s: Samples) -> list[Claim]:
    experiments = [e for e in ("sources_q20", "sources_q50") if s.has(e)]
    next_best = [
        test
        for experiment in experiments
        for x in s.xs(experiment)
        if x < 15
        for winner in ("sack", "newreno")
        for test in _beats(s, experiment, x, winner, ("tahoe", "reno"))
    ]
    constant = [
        _off_mean(s, experiment, variant, x)
        for experiment in experiments
        for variant in k.LOSS_BASED
        for x in s.xs(experiment)
    ]
    return [
        *_both(
            "vegas-sources",
            "Figure 6",
            "Vegas is best at any number of sources.",
            "above each of the other four at every number of sources, with a queue of 20 and of 50",
            _leads(s, experiments),
        ),
        *_both(
            "sack-next",
            "Figure 6",
            "Below 15 sources SACK and NewReno lead the rest.",
            "both above Tahoe and Reno",
            {"vegas": next_best},
            vegas=False,
        ),
        *_both(
            "constant",
            "Figure 6",
            "Tahoe, Reno, NewReno and SACK stay constant as sources grow.",
            f"each within {CONSTANT_WITHIN:g} % of its own mean over the numbers of sources",
            {"vegas": constant},
            vegas=False,
        ),
    ]


def _off_mean(s: Samples, experiment: str, variant: str, x: float) -> Test:
    xs = s.xs(experiment)

    def deviation(jittered: bool) -> tuple[float, ...]:
        middle = mean([s.mean(experiment, at, variant, jittered=jittered) for at in xs])
        return tuple(
            100 * (value / middle - 1) for value in s.values(experiment, x, variant, jittered=jittered)
        )

    return Test(
        where=place(experiment, x),
        what=f"{k.SHORT[variant]} off its mean",
        values=deviation(jittered=True),
        above=-CONSTANT_WITHIN,
        below=CONSTANT_WITHIN,
        once=mean(deviation(jittered=False)),
    )


def _delay(s: Samples) -> list[Claim]:
    capacity = 1e6 / 8 * k.SEGMENT_B / (k.SEGMENT_B + 40)
    long = {
        form: [
            Test(
                where=place("delay", x),
                what=f"{k.SHORT[variant]}, share of the bottleneck",
                values=tuple(100 * value / capacity for value in s.values("delay", x, variant)),
                below=NOT_GOOD_BELOW,
                difference=False,
                once=100 * s.mean("delay", x, variant, jittered=False) / capacity,
            )
            for x in s.xs("delay")
            if x > 100
            for variant in (*k.LOSS_BASED, form)
        ]
        for form in ("vegas", "vegas40")
    }
    return [
        *_both(
            "long-delay",
            "Figure 7",
            "Past 100 ms of delay no variant does well.",
            f"below {NOT_GOOD_BELOW:g} % of what the bottleneck can carry in payload; "
            "windows of 20 segments are the cause, in every variant alike",
            long,
        ),
        *_both(
            "vegas-short-delay",
            "Figure 7",
            "Below 100 ms of delay Vegas does well.",
            "above each of the other four at every delay run below 100 ms",
            _leads(s, ["delay"], [x for x in s.xs("delay") if x < 100]),
        ),
    ]


def _buffer(s: Samples) -> list[Claim]:
    return _both(
        "vegas-buffer",
        "Figure 8",
        "Vegas is best as the buffer grows.",
        "above each of the other four at every buffer size run",
        _leads(s, ["buffer"]),
    )
