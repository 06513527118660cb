"""The paper's claims, each with its tests on our runs.

If the text leaves open what a word means ("about twice", "steeper"), the interpretation is fixed here, before the runs,
and printed beside the verdict. Each claim is judged for each interpretation of TCPW-I (`settings.READINGS`). Tests use
the runs with errors on either link, since the paper names both links for the same experiment.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, Final, TypeAlias

import ackclock.study as st
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.results import NARROW, OPEN, Results, after_2s, place
from ackclock.studies.huang.settings import Reading

TWICE_WITHIN: Final = 0.5
"""A ratio is "about twice" if it is within this distance of 2, so that it rounds to 2."""

FAIR_ABOVE: Final = 0.95
"""Flows are "fair among themselves" if Jain's index is above this value. Ten flows have this index if five of them get
0.63 times the rate of the other five."""

ADAPTS: Final = 1.2
"""A flow "adapts" if its rate grows at least by this factor when 3 Mb/s are free instead of 2; the full gain would be
1.5."""

FILLS: Final = 95.0
"""A flow "takes the rate that UDP leaves" if its throughput is at least this percentage of that rate."""

ALIKE_WITHIN: Final = 5.0
"""An estimate "has not essentially changed" if it is within this percentage of the estimate that it is compared with.
"""

QUEUE_MARGIN: Final = 0.1
"""Margin of differences in packets lost to the full queue, per 1000 packets."""

LEAD_MARGIN: Final = 0.01
"""Margin of changes in the ratio of two throughputs."""

SLOPE_MARGIN: Final = 1.0
"""Margin of changes in a slope, percent of the slope."""

JAIN_MARGIN: Final = 100 * min(abs(a - b) for a, b in combinations(k.JAIN.values(), 2)) / 2
"""Margin of differences in Jain's index, hundredths: half the smallest difference of the published indices."""

BOTH: Final = ("TCPW", "TCPW-I")
"""Names of the two statements of claims about both variants."""

HuangClaim: TypeAlias = st.Claim[Results, Reading]
Tests: TypeAlias = "Callable[[Results, Reading], list[st.Test]]"


def above(s: Results, experiment: str, x: float, winner: str, rival: str) -> st.Test:
    """Return the test that one curve's throughput is above another's at a point, paired by seed."""
    what = f"{k.SHORT[winner]} - {k.SHORT[rival]}"
    return st.positive(place(experiment, x), what, s.above(experiment, x, winner, rival))


def _of_both(tests: Callable[[Results, str], list[st.Test]]) -> Tests:
    """Return a function that applies the tests of one curve to TCPW and to TCPW-I, each as a separate statement."""

    def of_both(s: Results, reading: Reading) -> list[st.Test]:
        curves = zip(BOTH, (reading.tcpw, reading.tcpwi), strict=True)
        return [test for name, curve in curves for test in st.statement(name, tests(s, curve))]

    return of_both


def _steps(s: Results, experiments: Sequence[str]) -> list[tuple[str, float, float]]:
    return [(experiment, a, b) for experiment in experiments for a, b in pairwise(s.xs(experiment))]


def twice(key: str, figure: str, text: str, experiments: Sequence[str]) -> HuangClaim:
    """Return the claim that TCPW-I has about twice the throughput of TCPW at 10 % error."""

    def test(s: Results, reading: Reading, e: str) -> st.Number:
        x, pair = k.FIGURE_ERROR, (reading.tcpwi, reading.tcpw)
        what = " / ".join(k.SHORT[curve] for curve in pair)
        about: dict[str, Any] = {
            "published": 2.0,
            "alternatives": (1.0, 3.0),
            "tolerance": TWICE_WITHIN,
            "nothing": 1.0,
        }
        return st.Number(place(e, x), what, s.ratio(e, x, *pair), **about, unit="")

    return st.Claim(
        key,
        figure,
        text,
        f"the ratio of the means rounds to 2: within {TWICE_WITHIN:g} of it; no effect is 1",
        lambda s, reading: [test(s, reading, e) for e in reading.runs(experiments)],
    )


def ahead(key: str, figure: str, experiments: Sequence[str]) -> HuangClaim:
    """Return the claim that TCPW-I is ahead of TCPW at each error rate."""
    return st.Claim(
        key,
        figure,
        "TCPW-I is ahead of TCPW at every error rate.",
        "at each error rate run, with errors on either link",
        lambda s, r: [above(s, *at, r.tcpwi, r.tcpw) for at in s.points(experiments)],
    )


def falls(key: str, figure: str, experiments: Sequence[str]) -> HuangClaim:
    """Return the claim that the throughput of both variants falls from each error rate to the next."""

    def test(s: Results, curve: str, e: str, a: float, b: float) -> st.Test:
        fall = st.percent_above(s.kbps(e, a, curve), s.kbps(e, b, curve))
        return st.positive(f"{place(e, a)} to {100 * b:g} %", f"fall of {k.SHORT[curve]}", fall)

    return st.Claim(
        key,
        figure,
        "The throughput of both falls as the error rate grows.",
        "from each error rate run to the next, of both",
        _of_both(lambda s, curve: [test(s, curve, *step) for step in _steps(s, experiments)]),
        statements=BOTH,
    )


def steeper(key: str, per: str, width: Callable[[float, float], float]) -> HuangClaim:
    """Return the claim that the curves become steeper; `width` gives the distance between two error rates."""

    def growth(s: Results, curve: str, e: str, *xs: float) -> st.Test:
        before, after = (
            [(x - y) / width(a, b) for x, y in zip(s.kbps(e, a, curve), s.kbps(e, b, curve), strict=True)]
            for a, b in pairwise(xs)
        )
        return st.positive(
            f"{place(e, xs[0])} to {' % to '.join(f'{100 * x:g}' for x in xs[1:])} %",
            f"growth of the slope of {k.SHORT[curve]}",
            tuple(y - x for x, y in zip(before, after, strict=True)),
            unit="kb/s",
            margin=SLOPE_MARGIN / 100 * abs(st.mean(before)),
        )

    def tests(s: Results, curve: str) -> list[st.Test]:
        triples = ((e, *xs) for e in OPEN for xs in zip(s.xs(e), s.xs(e)[1:], s.xs(e)[2:], strict=False))
        return [growth(s, curve, *triple) for triple in triples]

    return st.Claim(
        key,
        "Figure 5",
        f"The curves become steeper as the error rate grows, {per}.",
        "the text does not say on which axis: the fall from each error rate run to the next, " + per,
        _of_both(tests),
        statements=BOTH,
    )


def lead_grows(s: Results, reading: Reading) -> list[st.Test]:
    """Return the tests that the ratio of TCPW-I's throughput to TCPW's grows from each error rate to the next."""

    def test(e: str, a: float, b: float) -> st.Test:
        before, after = (s.ratio(e, x, reading.tcpwi, reading.tcpw).linearised() for x in (a, b))
        where, what = f"{place(e, a)} to {100 * b:g} %", f"{k.SHORT[reading.tcpwi]} / {k.SHORT[reading.tcpw]}"
        grown = tuple(y - x for x, y in zip(before, after, strict=True))
        return st.positive(where, f"growth of {what}", grown, unit="", margin=LEAD_MARGIN)

    return [test(*step) for step in _steps(s, OPEN)]


def levels(s: Results, reading: Reading) -> list[st.Number]:
    """Return the tests of the published throughputs at 10 % error with a bottleneck."""
    levels, x = k.LEVEL_KBPS, k.FIGURE_ERROR
    return [
        st.Number(
            place(e, x),
            f"throughput of {k.SHORT[curve]}",
            tuple(s.kbps(e, x, curve)),
            published=level,
            alternatives=tuple(levels.values()),
            unit="kb/s",
        )
        for e in reading.runs(NARROW)
        for curve, level in ((reading.tcpw, levels["westwood"]), (reading.tcpwi, levels["tcpw-i"]))
    ]


def gains(experiment: str, alone: Callable[[float], bool], beside: Callable[[float], bool]) -> Tests:
    """Return a function that tests that TCPW and TCPW-I gain while UDP is off.

    `alone` and `beside` select bins by their end, s.
    """

    def gain(s: Results, curve: str) -> list[st.Test]:
        ratio, once = (
            st.ratio_of_means(
                *(s.rates(experiment, curve, span, together=at_once) for span in (alone, beside))
            )
            for at_once in (False, True)
        )
        what = f"{k.SHORT[curve]} without UDP / with it"
        return [st.level("", what, ratio, above=ADAPTS, unit="", once=once.mean)]

    return _of_both(gain)


def always(s: Results, reading: Reading) -> list[st.Test]:
    """Return the tests that TCPW-I is above TCPW in each second of Figure 9 from 2 s on."""

    def second(end: int) -> st.Test:
        pair = (reading.tcpwi, reading.tcpw)
        rates = (s.rates("hybrid", curve, lambda t: end - 1 < t <= end) for curve in pair)
        return st.positive(f"second {end}", " - ".join(k.SHORT[c] for c in pair), st.percent_above(*rates))

    return [second(end) for end in range(3, k.HYBRID_S + 1)]


def _share(s: Results, curve: str) -> list[st.Test]:
    """Return the test of a curve's share of the TCP payload rate that UDP leaves from 2 s on."""
    mine, theirs = (s.rates("pulse", curve, after_2s, flow) for flow in (0, 1))
    left = [(1000 * k.MIDDLE_MBPS - udp) * k.PAYLOAD for udp in theirs]
    values = st.scaled(st.ratio_of_means(mine, left), 100)
    return [st.level("", f"{k.SHORT[curve]}: share of what is left", values, above=FILLS)]


takes_what_is_left: Final = _of_both(_share)


def judges_better(s: Results, reading: Reading) -> list[st.Test]:
    """Return the tests that TCPW's estimate of the rate left by UDP has a larger error than TCPW-I's."""
    pair = (reading.tcpw, reading.tcpwi)
    what = f"error of BE, {' - '.join(k.SHORT[curve] for curve in pair)}"
    return [st.positive("", what, st.percent_above(*(s.misjudged("pulse", curve) for curve in pair)))]


def judges_alike(s: Results, reading: Reading) -> list[st.Test]:
    """Return the tests that TCPW-I's mean estimate from 2 s on is close to TCPW's."""
    pair = (reading.tcpwi, reading.tcpw)
    what = f"BE of {' off that of '.join(k.SHORT[curve] for curve in pair)}"
    return [
        st.within(ALIKE_WITHIN, where, what, st.percent_above(*(s.estimate(experiment, c) for c in pair)))
        for experiment, where in (("hybrid", "Figure 9"), ("pulse", "on-off test"))
        if s.has(experiment)
    ]


def postpones(s: Results, reading: Reading) -> list[st.Test]:
    """Return the tests that TCPW loses more packets per 1000 to the bottleneck's full queue than TCPW-I."""

    def lost(e: str, x: float, curve: str) -> list[float]:
        columns = (s.of(name, e, x, curve) for name in ("lost_queue_packets", "sent_packets"))
        return [1000 * of / sent for of, sent in zip(*columns, strict=True)]

    pair, out = (reading.tcpw, reading.tcpwi), []
    what = f"lost to the queue, {' - '.join(k.SHORT[curve] for curve in pair)}"
    for at in s.points((*NARROW, "friendliness")):
        both = [lost(*at, curve) for curve in pair]
        # A point has no test if neither variant fills the queue there, since errors keep the windows small.
        if any(map(any, both)):
            less = tuple(a - b for a, b in zip(*both, strict=True))
            where = place(*at) or "beside Reno"
            out.append(st.positive(where, what, less, unit="in 1000", margin=QUEUE_MARGIN))
    return out


def friendlier(s: Results, reading: Reading) -> list[st.Test]:
    """Return the tests that Reno gets more throughput beside TCPW-I than beside TCPW."""
    pair = (reading.tcpwi, reading.tcpw)
    gain, once = (
        st.percent_above(*(s.kbps("friendliness", 0.0, curve, 1, together=at_once) for curve in pair))
        for at_once in (False, True)
    )
    what = f"Reno {' - '.join(f'beside {k.SHORT[curve]}' for curve in pair)}"
    return [st.positive("", what, gain, once=once.mean)]


def jain_order(s: Results, reading: Reading) -> list[st.Test]:
    """Return the tests of the order of Jain's index: Reno's is above TCPW-I's, and TCPW-I's is above TCPW's."""

    def test(*pair: str) -> st.Test:
        moved, once = (
            [a - b for a, b in zip(*(s.jain("fairness", c, together=at_once) for c in pair), strict=True)]
            for at_once in (False, True)
        )
        what, points = " - ".join(k.SHORT[curve] for curve in pair), tuple(100 * gap for gap in moved)
        return st.positive("", what, points, "hundredths", 100 * sum(once) / len(once), JAIN_MARGIN)

    return [test(*pair) for pair in pairwise((reading.reno, reading.tcpwi, reading.tcpw))]


def jain_numbers(s: Results, reading: Reading) -> list[st.Number]:
    """Return the tests of the published Jain's indices for ten flows that start together, as in the paper."""
    return [
        st.Number(
            "",
            f"Jain's index of {k.SHORT[curve]}",
            tuple(s.jain("fairness", curve, together=True)),
            published=index,
            alternatives=tuple(k.JAIN.values()),
            tolerance=JAIN_MARGIN / 100,
            nothing=1.0,
            unit="",
        )
        for curve, index in zip((reading.tcpw, reading.tcpwi, reading.reno), k.JAIN.values(), strict=True)
    ]


def fair(*, together: bool) -> Tests:
    """Return a function that tests that each variant's Jain's index is above `FAIR_ABOVE`."""

    def test(s: Results, curve: str) -> st.Test:
        index = tuple(s.jain("fairness", curve, together=together))
        return st.level("", f"Jain's index of {k.SHORT[curve]}", index, above=FAIR_ABOVE, unit="")

    return lambda s, r: [test(s, curve) for curve in (r.reno, r.tcpwi, r.tcpw)]


def gateway(s: Results, r: Reading) -> list[st.Test]:
    """Return the tests that TCPW-I with the gateway is above TCPW-I and TCPW end to end at each point."""
    points = s.points(r.runs((*OPEN, *NARROW)))
    return [above(s, *at, r.gateway, rival) for at in points for rival in (r.tcpwi, r.tcpw)]


def tells_apart(s: Results, reading: Reading) -> list[st.Test]:
    """Return tests of the share of losses that TCPW-I classifies correctly, for each kind of loss."""

    def test(
        where: str, kind: str, points: Sequence[tuple[str, float]], right: str, wrong: str
    ) -> list[st.Test]:
        """Return the test of the share, percent, over all these points per replication; empty without losses."""
        counts = [
            [sum(of) for of in zip(*(s.of(what, *at, reading.tcpwi) for at in points), strict=True)]
            for what in (right, wrong)
        ]
        shares = tuple(100 * r / (r + w) for r, w in zip(*counts, strict=True) if r + w)
        what = f"{k.SHORT[reading.tcpwi]}: share of {kind} losses told right"
        return [st.level(where, what, shares, above=50.0)] if shares else []

    points = s.points(NARROW)
    return [
        *(one for at in points for one in test(place(*at), "random", [at], "kept_random", "cut_random")),
        *test("all error rates", "congestion", points, "cut_congestion", "kept_congestion"),
    ]


def wins(experiment: str, x: float) -> Tests:
    """Return a function that tests that TCPW-I's throughput is above TCPW's at a point."""
    return lambda s, r: [above(s, experiment, x, r.tcpwi, r.tcpw)]


_DECLARED: Final[tuple[HuangClaim, ...]] = (
    twice("twice", "Figure 4", "At 10 % error TCPW-I has about twice the throughput of TCPW.", OPEN),
    falls("falls", "Figure 5", OPEN),
    steeper("steeper", "per percentage point of error", lambda a, b: 100 * (b - a)),
    steeper("steeper-log", "per tenfold of the error rate", lambda a, b: math.log10(b / a)),
    ahead("ahead", "Figure 5", OPEN),
    k.TEXT.claim("lead-grows", lead_grows, lead_margin=LEAD_MARGIN),
    k.TEXT.claim(
        "bottleneck-ahead",
        lambda s, r: [above(s, e, k.FIGURE_ERROR, r.tcpwi, r.tcpw) for e in r.runs(NARROW)],
    ),
    twice(
        "bottleneck-twice",
        "Figure 6",
        "There it has about twice the throughput of TCPW (250 to 130 kb/s).",
        NARROW,
    ),
    k.TEXT.claim("levels", levels, tolerance_percent=st.TOLERANCE_PERCENT),
    falls("bottleneck-falls", "Figure 7", NARROW),
    ahead("bottleneck-throughout", "Figure 7", NARROW),
    k.TEXT.claim(
        "hybrid-adapts",
        gains("hybrid", lambda t: 11 < t <= 20, lambda t: 2 < t <= 10 or t > 21),
        BOTH,
        adapts=ADAPTS,
    ),
    k.TEXT.claim("hybrid-ahead", wins("hybrid", 0.0)),
    k.TEXT.claim("hybrid-always", always),
    k.TEXT.claim("pulse-fills", takes_what_is_left, BOTH, fills=FILLS),
    k.TEXT.claim(
        "pulse-reacts",
        gains("pulse", lambda t: t > 2 and t % 1 == 0, lambda t: t > 2 and t % 1 != 0),
        BOTH,
        adapts=ADAPTS,
    ),
    k.TEXT.claim("pulse-better", wins("pulse", 0.0)),
    k.TEXT.claim("estimate-better", judges_better),
    k.TEXT.claim("estimate-alike", judges_alike, alike_within=ALIKE_WITHIN),
    k.TEXT.claim("postpones", postpones, queue_margin=QUEUE_MARGIN),
    k.TEXT.claim("friendlier", friendlier),
    k.TEXT.claim("jain-order", jain_order, jain_margin=JAIN_MARGIN),
    k.TEXT.claim("jain", jain_numbers, jain_margin=JAIN_MARGIN / 100),
    k.TEXT.claim("fair", fair(together=True), fair_above=FAIR_ABOVE),
    k.TEXT.claim("fair-anyhow", fair(together=False), fair_above=FAIR_ABOVE),
    k.TEXT.claim("tells-apart", tells_apart),
    k.TEXT.claim("gateway", gateway),
)

_AT_TEN_PERCENT: Final = frozenset({"twice", "bottleneck-ahead", "bottleneck-twice", "levels", "gateway"})
"""Keys of the claims that are also judged with losses on the wire; runs with these losses exist at 10 % error only."""


def _where_run(claim: HuangClaim) -> HuangClaim:
    """Return the claim without tests in those interpretations that have no runs for it."""
    if claim.key in _AT_TEN_PERCENT:
        return replace(claim, blank="not run")
    return replace(claim, blank="not run", test=lambda s, r: [] if r.on_wire else claim.test(s, r))


CLAIMS: Final[tuple[HuangClaim, ...]] = tuple(map(_where_run, _DECLARED))
