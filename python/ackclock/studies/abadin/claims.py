"""The paper's claims, each with its tests on our runs.

If the text leaves open what a word means ("constant", "linearly", "not good"), the interpretation is fixed here, before
the runs, and printed beside the verdict. Tests use the runs with jittered starts, because with identical starts a
loss-free point has the same value in each run, so that no interval can be computed.

Each claim is judged with two forms of Vegas: ns-2's, and one whose packets have the size of the other variants'
packets.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final, TypeAlias

import ackclock.study as st
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.results import Results, place

COLUMNS: Final = {"vegas": "Vegas as in ns-2", "vegas40": "Vegas with equal wire size"}
"""Heading of each column of verdicts, by the key of the form of Vegas judged in the column."""

CONSTANT_WITHIN: Final = 5.0
"""A curve is "constant" if all its values are within this percentage of their mean."""

LINEAR_WITHIN: Final = 5.0
"""A curve is "linear" if all its values are within this percentage of the line through 0 and the first point."""

SETTLED_AFTER_S: Final = 30.0
"""Time from which a claim on "after some time" is tested, s."""

NOT_GOOD_BELOW: Final = 90.0
"""Throughput is "not good" below this percentage of the bottleneck's capacity in payload."""

EVERY_TIME: Final = 99.0
"""An event happens "every time" if it happens in more than this percentage of the cases."""

WINDOW_FREE_MBPS: Final = 3.0
"""Greatest bottleneck rate, Mb/s, that two windows of 20 segments fill; from 4 Mb/s on, the windows limit the flows."""

RISES, ON_LINE = LINEAR = ("it rises", "it lies on a line")
"""The two statements of the claim "rises linearly"."""

TAHOE_DOES, OTHERS_DO_NOT = SLOW_STARTS = ("Tahoe does", "the others do not")
"""The two statements of the claim on slow start: Tahoe enters it after losses, and the others do not."""

AbadinClaim: TypeAlias = st.Claim[Results, str]


def _percent(
    s: Results, where: str, what: str, a: tuple[str, float, str], b: tuple[str, float, str]
) -> st.Test:
    """Return the test that throughput at point `a` is above throughput at point `b`."""
    once = st.percent_above([s.mean(*a, jittered=False)], [s.mean(*b, jittered=False)]).mean
    return st.positive(where, what, st.percent_above(s.values(*a), s.values(*b)), once=once)


def _vegas_leads(
    *experiments: str, keep: Callable[[float], bool] = lambda _: True
) -> Callable[[Results, str], list[st.Test]]:
    """Return a function that tests that Vegas is ahead of each loss-based variant at points whose x `keep` accepts."""

    def tests(s: Results, vegas: str) -> list[st.Test]:
        points = [(e, x) for e in experiments for x in s.xs(e) if keep(x)]
        return [test for at in points for test in s.ahead(*at, vegas, *k.LOSS_BASED)]

    return tests


def _table1(s: Results, vegas: str) -> list[st.Number]:
    """Return the tests of all averages in Table 1; those of NewReno and SACK need not be distinguishable."""
    stated = k.TABLE1_BPS
    return [
        st.Number(
            "",
            f"throughput of {k.SHORT[curve]}",
            tuple(s.values("table1", 0, curve)),
            published=stated[variant],
            alternatives=_others(variant),
            unit="bytes/s",
            once=s.mean("table1", 0, curve, jittered=False),
        )
        for variant, curve in zip((*k.LOSS_BASED, "vegas"), (*k.LOSS_BASED, vegas), strict=True)
    ]


def _others(variant: str) -> tuple[float, ...]:
    """Return the averages in Table 1 from which the test has to distinguish the average of `variant`."""
    alike = {"newreno", "sack"}
    return tuple(value for other, value in k.TABLE1_BPS.items() if not {variant, other} <= alike)


def _order(s: Results, vegas: str) -> list[st.Test]:
    pairs = (("reno", "tahoe"), ("newreno", "reno"), ("sack", "reno"), (vegas, "newreno"), (vegas, "sack"))
    return [test for winner, rival in pairs for test in s.ahead("table1", 0, winner, rival)]


def _constant_in_time(s: Results, vegas: str) -> list[st.Test]:
    def largest_deviations(jittered: bool) -> list[float]:
        columns = (s.bins.runs(column, vegas, jittered) for column in ("time_s", "bin_s", "new_bytes"))
        out = []
        for times, lengths, sent in zip(*columns, strict=True):
            bins = zip(times, lengths, sent, strict=True)
            rates = [
                b / bin_s for t, bin_s, b in bins if bin_s == k.SAMPLE_S and t - bin_s >= SETTLED_AFTER_S
            ]
            middle = st.mean(rates)
            out.append(100 * max(abs(rate / middle - 1) for rate in rates))
        return out

    where = f"10 s samples from {SETTLED_AFTER_S:g} s on"
    what = f"largest deviation of {k.SHORT[vegas]} from its mean"
    values, once = tuple(largest_deviations(True)), st.mean(largest_deviations(False))
    return [st.level(where, what, values, below=CONSTANT_WITHIN, once=once)]


def _to_slow_start(s: Results, vegas: str) -> list[st.Test]:
    if vegas != "vegas":
        return []

    def share(variant: str, *, jittered: bool = True) -> tuple[float, ...]:
        return tuple(s.cuts.of("to_one_percent", variant, jittered))

    what = "falls of the window that end at one segment"
    same = {variant: st.mean(share(variant, jittered=False)) for variant in k.LOSS_BASED}
    others = [variant for variant in k.LOSS_BASED if variant != "tahoe"]
    every = [st.level("", f"Tahoe: {what}", share("tahoe"), above=EVERY_TIME, once=same["tahoe"])]
    seldom = [st.level("", f"{k.SHORT[v]}: {what}", share(v), below=50.0, once=same[v]) for v in others]
    return [*st.statement(TAHOE_DOES, every), *st.statement(OTHERS_DO_NOT, seldom)]


def _best_with_errors(s: Results, vegas: str) -> list[st.Test]:
    high = [x for x in s.xs("error") if x > 0.04]
    rivals = ("tahoe", "reno", vegas)
    return [
        test for x in high for winner in ("newreno", "sack") for test in s.ahead("error", x, winner, *rivals)
    ]


def _falls(s: Results, vegas: str) -> list[st.Test]:
    return [
        _percent(
            s,
            f"{place('error', x)} to {worse * 100:g} %",
            f"fall of {k.SHORT[variant]}",
            ("error", x, variant),
            ("error", worse, variant),
        )
        for variant in (*k.LOSS_BASED, vegas)
        for x, worse in pairwise(s.xs("error"))
    ]


def _linear(upto: float) -> Callable[[Results, str], list[st.Test]]:
    def tests(s: Results, vegas: str) -> list[st.Test]:
        xs = [x for x in s.xs("bandwidth") if x <= upto]
        first, *others = xs
        variants = (*k.LOSS_BASED, vegas)

        def off_line(variant: str, x: float) -> st.Test:
            line = [value * x / first for value in s.values("bandwidth", first, variant)]
            same = s.mean("bandwidth", first, variant, jittered=False) * x / first
            return st.within(
                LINEAR_WITHIN,
                place("bandwidth", x),
                f"{k.SHORT[variant]} off the line",
                st.percent_above(s.values("bandwidth", x, variant), line),
                once=st.percent_above([s.mean("bandwidth", x, variant, jittered=False)], [same]).mean,
            )

        rises = [
            _percent(
                s,
                f"{place('bandwidth', a)} to {b:g} Mb/s",
                f"rise of {k.SHORT[variant]}",
                ("bandwidth", b, variant),
                ("bandwidth", a, variant),
            )
            for variant in variants
            for a, b in pairwise(xs)
        ]
        on_line = [off_line(variant, x) for variant in variants for x in others]
        return [*st.statement(RISES, rises), *st.statement(ON_LINE, on_line)]

    return tests


_SOURCES: Final = ("sources_q20", "sources_q50")


def _next_best(s: Results, vegas: str) -> list[st.Test]:
    if vegas != "vegas":
        return []
    few = [(e, x) for e in _SOURCES for x in s.xs(e) if x < 15]
    return [
        test for at in few for winner in ("sack", "newreno") for test in s.ahead(*at, winner, "tahoe", "reno")
    ]


def _constant_in_sources(s: Results, vegas: str) -> list[st.Test]:
    def off_mean(experiment: str, variant: str, x: float) -> st.Test:
        def deviation(*, jittered: bool) -> st.Ratio:
            curve = [s.values(experiment, at, variant, jittered=jittered) for at in s.xs(experiment)]
            middle = [st.mean(values) for values in zip(*curve, strict=True)]
            return st.percent_above(s.values(experiment, x, variant, jittered=jittered), middle)

        return st.within(
            CONSTANT_WITHIN,
            place(experiment, x),
            f"{k.SHORT[variant]} off its mean",
            deviation(jittered=True),
            once=deviation(jittered=False).mean,
        )

    if vegas != "vegas":
        return []
    return [off_mean(e, variant, x) for e in _SOURCES for variant in k.LOSS_BASED for x in s.xs(e)]


def _long_delay(s: Results, vegas: str) -> list[st.Test]:
    capacity = 1e6 / 8 * k.SEGMENT_B / (k.SEGMENT_B + k.HEADER_B)
    return [
        st.level(
            place("delay", x),
            f"{k.SHORT[variant]}, share of the bottleneck",
            tuple(100 * value / capacity for value in s.values("delay", x, variant)),
            below=NOT_GOOD_BELOW,
            once=100 * s.mean("delay", x, variant, jittered=False) / capacity,
        )
        for x in s.xs("delay")
        if x > 100
        for variant in (*k.LOSS_BASED, vegas)
    ]


_REACHES: Final = [st.tolerance(value, _others(variant)) for variant, value in k.TABLE1_BPS.items()]

_LINE: Final = f"within {LINEAR_WITHIN:g} % of the line through 0 and the first point"

CLAIMS: Final[tuple[AbadinClaim, ...]] = (
    k.TEXT.claim(
        "tahoe-worst",
        lambda s, vegas: [
            test for v in ("reno", "newreno", "sack", vegas) for test in s.ahead("table1", 0, v, "tahoe")
        ],
    ),
    k.TEXT.claim("vegas-best", _vegas_leads("table1")),
    k.TEXT.claim("order", _order),
    st.Claim(
        "table1-numbers",
        "Table 1",
        "The averages are "
        + ", ".join(f"{value:,.0f} ({k.SHORT[variant]})" for variant, value in k.TABLE1_BPS.items())
        + " bytes/s.",
        f"each within half of the distance to the next, {min(_REACHES):.0f} to {max(_REACHES):.0f} bytes/s; the "
        "settings were chosen among those tried in ns-2 because they come nearest to these numbers with "
        "identical starts",
        _table1,
    ),
    k.TEXT.claim(
        "vegas-constant", _constant_in_time, settled_after_s=SETTLED_AFTER_S, constant_within=CONSTANT_WITHIN
    ),
    k.TEXT.claim("tahoe-slow-start", _to_slow_start, SLOW_STARTS, every_time=EVERY_TIME),
    k.TEXT.claim("vegas-low-error", _vegas_leads("error", keep=lambda x: 0 < x < 0.04)),
    k.TEXT.claim("vegas-no-error", _vegas_leads("error", keep=lambda x: x == 0)),
    k.TEXT.claim("sack-high-error", _best_with_errors),
    k.TEXT.claim("falls-with-error", _falls),
    k.TEXT.claim("linear", _linear(float("inf")), LINEAR, line=_LINE),
    k.TEXT.claim(
        "linear-window-free", _linear(WINDOW_FREE_MBPS), LINEAR, window_free_mbps=WINDOW_FREE_MBPS, line=_LINE
    ),
    k.TEXT.claim("vegas-sources", _vegas_leads(*_SOURCES)),
    k.TEXT.claim("sack-next", _next_best),
    k.TEXT.claim("constant", _constant_in_sources, constant_within=CONSTANT_WITHIN),
    k.TEXT.claim("long-delay", _long_delay, not_good_below=NOT_GOOD_BELOW),
    k.TEXT.claim("vegas-short-delay", _vegas_leads("delay", keep=lambda x: x < 100)),
    k.TEXT.claim("vegas-buffer", _vegas_leads("buffer")),
)
