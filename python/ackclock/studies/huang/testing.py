"""The tests of the claims: numbers of our runs, and the ranges that the paper states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Final, TypeAlias

import ackclock.study as st
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.results import NARROW, OPEN, Results, place
from ackclock.studies.huang.settings import Reading

TWICE_WITHIN: Final = 0.5
"""A ratio is "about twice" within this distance of 2: it rounds to 2."""

FAIR_ABOVE: Final = 0.95
"""Flows are "fair among themselves" if Jain's index is above this, that of ten flows of which half get 0.63 times the
rate of the others."""

ADAPTS: Final = 1.2
"""A flow has adapted if its rate grows by this factor when 3 Mb/s are free instead of 2; 1.5 would be all of it."""

FILLS: Final = 95.0
"""A flow takes the rate that a stream leaves if it has at least this percentage of it."""

ALIKE_WITHIN: Final = 5.0
"""An estimate within this percentage of another "has not essentially changed"."""

QUEUE_MARGIN: Final = 0.1
"""Margin of packets lost to the queue, per 1000."""

LEAD_MARGIN: Final = 0.01
"""Margin of a change of the ratio of two throughputs."""

SLOPE_MARGIN: Final = 1.0
"""Margin of a change of a slope, percent of it."""

JAIN_MARGIN: Final = 100 * min(abs(a - b) for a, b in combinations(k.JAIN.values(), 2)) / 2
"""Margin between two of Jain's indices, hundredths: half of the least distance of the published ones."""

BOTH: Final = ("TCPW", "TCPW-I")
"""Variants of which a claim says the same; each must fulfil it."""

HuangClaim: TypeAlias = st.Claim[Results, Reading]
Tests: TypeAlias = "Callable[[Results, Reading], list[st.Test]]"


def above(s: Results, experiment: str, x: float, winner: str, rival: str) -> st.Test:
    """Test one curve's throughput above another's, paired, at a point."""
    what = f"{k.SHORT[winner]} - {k.SHORT[rival]}"
    return st.positive(place(experiment, x), what, s.above(experiment, x, winner, rival))


def _of_both(reading: Reading, tests: Callable[[str], list[st.Test]]) -> list[st.Test]:
    """Return the tests of TCPW and of TCPW-I, each a statement of its own."""
    curves = zip(BOTH, (reading.tcpw, reading.tcpwi), strict=True)
    return [test for name, curve in curves for test in st.statement(name, tests(curve))]


def _points(s: Results, experiments: Sequence[str]) -> list[tuple[str, float]]:
    return [(experiment, x) for experiment in experiments for x in s.xs(experiment)]


def _steps(s: Results, experiments: Sequence[str]) -> list[tuple[str, float, float]]:
    return [(experiment, a, b) for experiment in experiments for a, b in pairwise(s.xs(experiment))]


def twice(key: str, figure: str, text: str, experiments: Sequence[str]) -> HuangClaim:
    """Declare that TCPW-I has about twice the throughput of TCPW at 10 % error."""
    return st.Claim(
        key,
        figure,
        text,
        f"the ratio of the means rounds to 2: within {TWICE_WITHIN:g} of it; no effect is 1",
        lambda s, reading: [
            st.Number(
                place(experiment, k.FIGURE_ERROR),
                f"{k.SHORT[reading.tcpwi]} / {k.SHORT[reading.tcpw]}",
                s.ratio(experiment, k.FIGURE_ERROR, reading.tcpwi, reading.tcpw),
                published=2.0,
                alternatives=(1.0, 3.0),
                tolerance=TWICE_WITHIN,
                nothing=1.0,
                unit="",
            )
            for experiment in reading.runs(experiments)
        ],
    )


def ahead(key: str, figure: str, experiments: Sequence[str]) -> HuangClaim:
    """Declare that TCPW-I is ahead of TCPW at each error rate."""
    return st.Claim(
        key,
        figure,
        "TCPW-I is ahead of TCPW at every error rate.",
        "at each error rate run, with errors on either link",
        lambda s, r: [above(s, *at, r.tcpwi, r.tcpw) for at in _points(s, experiments)],
    )


def falls(key: str, figure: str, experiments: Sequence[str]) -> HuangClaim:
    """Declare that the throughput of both falls from each error rate to the next."""
    return st.Claim(
        key,
        figure,
        "The throughput of both falls as the error rate grows.",
        "from each error rate run to the next, of both",
        lambda s, reading: _of_both(
            reading,
            lambda curve: [
                st.positive(
                    f"{place(e, a)} to {100 * b:g} %",
                    f"fall of {k.SHORT[curve]}",
                    st.percent_above(s.kbps(e, a, curve), s.kbps(e, b, curve)),
                )
                for e, a, b in _steps(s, experiments)
            ],
        ),
        statements=BOTH,
    )


def steeper(key: str, per: str, width: Callable[[float, float], float]) -> HuangClaim:
    """Declare that the curves become steeper; `width` is the distance of two error rates."""

    def growth(s: Results, curve: str, e: str, xs: tuple[float, float, float]) -> st.Test:
        a, b, c = xs
        at = [s.kbps(e, x, curve) for x in xs]
        before, after = (
            [(x - y) / wide for x, y in zip(*pair, strict=True)]
            for pair, wide in ((at[:2], width(a, b)), (at[1:], width(b, c)))
        )
        return st.positive(
            f"{place(e, a)} to {100 * b:g} % to {100 * c:g} %",
            f"growth of the slope of {k.SHORT[curve]}",
            tuple(y - x for x, y in zip(before, after, strict=True)),
            unit="kb/s",
            margin=SLOPE_MARGIN / 100 * abs(st.mean(before)),
        )

    return st.Claim(
        key,
        "Figure 5",
        f"The curves become steeper as the error rate grows, {per}.",
        "the text does not say on which axis: the fall from each error rate run to the next, " + per,
        lambda s, reading: _of_both(
            reading,
            lambda curve: [
                growth(s, curve, e, xs)
                for e in OPEN
                for xs in zip(s.xs(e), s.xs(e)[1:], s.xs(e)[2:], strict=False)
            ],
        ),
        statements=BOTH,
    )


def lead_grows(s: Results, reading: Reading) -> list[st.Test]:
    """Test the growth of TCPW-I's throughput over TCPW's, from each error rate to the next."""
    tests = []
    for e, a, b in _steps(s, OPEN):
        before, after = (s.ratio(e, x, reading.tcpwi, reading.tcpw).linearised() for x in (a, b))
        tests.append(
            st.positive(
                f"{place(e, a)} to {100 * b:g} %",
                f"growth of {k.SHORT[reading.tcpwi]} / {k.SHORT[reading.tcpw]}",
                tuple(y - x for x, y in zip(before, after, strict=True)),
                unit="",
                margin=LEAD_MARGIN,
            )
        )
    return tests


def levels(s: Results, reading: Reading) -> list[st.Number]:
    """Hold the throughput at 10 % error with a bottleneck against the published levels."""
    levels = k.LEVEL_KBPS
    return [
        st.Number(
            place(experiment, k.FIGURE_ERROR),
            f"throughput of {k.SHORT[curve]}",
            tuple(s.kbps(experiment, k.FIGURE_ERROR, curve)),
            published=level,
            alternatives=tuple(levels.values()),
            unit="kb/s",
        )
        for experiment in reading.runs(NARROW)
        for curve, level in ((reading.tcpw, levels["westwood"]), (reading.tcpwi, levels["tcpw-i"]))
    ]


def gains(experiment: str, alone: Callable[[float], bool], beside: Callable[[float], bool]) -> Tests:
    """Make the tests of the gain of TCPW and of TCPW-I while no UDP flows; the functions select the ends of bins, s."""

    def tests(s: Results, reading: Reading) -> list[st.Test]:
        def gain(curve: str) -> list[st.Test]:
            free, shared = (s.rates(experiment, curve, within) for within in (alone, beside))
            once = [st.mean(s.rates(experiment, curve, within, together=True)) for within in (alone, beside)]
            what = f"{k.SHORT[curve]} without UDP / with it"
            ratio = st.ratio_of_means(free, shared)
            return [st.level("", what, ratio, above=ADAPTS, unit="", once=once[0] / once[1])]

        return _of_both(reading, gain)

    return tests


def always(s: Results, reading: Reading) -> list[st.Test]:
    """Test TCPW-I above TCPW in each second of Figure 9 from 2 s on."""

    def second(end: int) -> st.Test:
        rates = (
            s.rates("hybrid", curve, lambda t: end - 1 < t <= end) for curve in (reading.tcpwi, reading.tcpw)
        )
        what = f"{k.SHORT[reading.tcpwi]} - {k.SHORT[reading.tcpw]}"
        return st.positive(f"second {end}", what, st.percent_above(*rates))

    return [second(end) for end in range(3, k.HYBRID_S + 1)]


def takes_what_is_left(s: Results, reading: Reading) -> list[st.Test]:
    """Test the share of TCPW and of TCPW-I in the rate that UDP, here without headers, leaves from 2 s on."""

    def share(curve: str) -> list[st.Test]:
        mine, theirs = (s.rates("pulse", curve, lambda t: t > 2, flow) for flow in (0, 1))
        left = [(1000 * k.MIDDLE_MBPS - udp) * k.PAYLOAD for udp in theirs]
        values = st.scaled(st.ratio_of_means(mine, left), 100)
        return [st.level("", f"{k.SHORT[curve]}: share of what is left", values, above=FILLS)]

    return _of_both(reading, share)


def judges_better(s: Results, reading: Reading) -> list[st.Test]:
    """Test that TCPW's estimate of the rate left by UDP has a larger error than TCPW-I's."""
    both = [s.misjudged("pulse", curve) for curve in (reading.tcpw, reading.tcpwi)]
    return [
        st.positive(
            "", f"error of BE, {k.SHORT[reading.tcpw]} - {k.SHORT[reading.tcpwi]}", st.percent_above(*both)
        )
    ]


def judges_alike(s: Results, reading: Reading) -> list[st.Test]:
    """Test the difference of TCPW-I's mean estimate from TCPW's, from 2 s on."""
    out = []
    for experiment, where in (("hybrid", "Figure 9"), ("pulse", "on-off test")):
        if not s.has(experiment):
            continue
        own, other = (s.estimate(experiment, curve) for curve in (reading.tcpwi, reading.tcpw))
        what = f"BE of {k.SHORT[reading.tcpwi]} off that of {k.SHORT[reading.tcpw]}"
        out.append(st.within(ALIKE_WITHIN, where, what, st.percent_above(own, other)))
    return out


def postpones(s: Results, reading: Reading) -> list[st.Test]:
    """Test that TCPW loses more packets in 1000 to the full queue of the bottleneck than TCPW-I."""

    def lost(experiment: str, x: float, curve: str) -> list[float]:
        columns = (s.of(name, experiment, x, curve) for name in ("lost_queue_packets", "sent_packets"))
        return [1000 * of / sent for of, sent in zip(*columns, strict=True)]

    points = _points(s, NARROW) + ([("friendliness", 0.0)] if s.has("friendliness") else [])
    out = []
    for experiment, x in points:
        both = [lost(experiment, x, curve) for curve in (reading.tcpw, reading.tcpwi)]
        # If errors keep the window small, neither fills the queue.
        if any(map(any, both)):
            what = f"lost to the queue, {k.SHORT[reading.tcpw]} - {k.SHORT[reading.tcpwi]}"
            where = place(experiment, x) or "beside Reno"
            less = tuple(a - b for a, b in zip(*both, strict=True))
            out.append(st.positive(where, what, less, unit="in 1000", margin=QUEUE_MARGIN))
    return out


def friendlier(s: Results, reading: Reading) -> list[st.Test]:
    """Test that Reno gets more beside TCPW-I than beside TCPW."""

    def reno_gains(*, together: bool) -> st.Ratio:
        own, other = (
            s.kbps("friendliness", 0.0, curve, 1, together=together)
            for curve in (reading.tcpwi, reading.tcpw)
        )
        return st.percent_above(own, other)

    what = f"Reno beside {k.SHORT[reading.tcpwi]} - beside {k.SHORT[reading.tcpw]}"
    return [st.positive("", what, reno_gains(together=False), once=reno_gains(together=True).mean)]


def jain_order(s: Results, reading: Reading) -> list[st.Test]:
    """Test the differences of Jain's index, Reno above TCPW-I above TCPW."""

    def gaps(fairer: str, rival: str, *, together: bool) -> list[float]:
        both = (s.jain("fairness", curve, together=together) for curve in (fairer, rival))
        return [a - b for a, b in zip(*both, strict=True)]

    tests = []
    for pair in ((reading.reno, reading.tcpwi), (reading.tcpwi, reading.tcpw)):
        once = gaps(*pair, together=True)
        tests.append(
            st.positive(
                "",
                f"{k.SHORT[pair[0]]} - {k.SHORT[pair[1]]}",
                tuple(100 * gap for gap in gaps(*pair, together=False)),
                unit="hundredths",
                once=100 * sum(once) / len(once),
                margin=JAIN_MARGIN,
            )
        )
    return tests


def jain_numbers(s: Results, reading: Reading) -> list[st.Number]:
    """Hold Jain's index of ten flows that start together, as in the text, against the published ones."""
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
    """Make the tests of each variant's Jain's index above `FAIR_ABOVE`."""

    def tests(s: Results, reading: Reading) -> list[st.Test]:
        return [
            st.level(
                "",
                f"Jain's index of {k.SHORT[curve]}",
                tuple(s.jain("fairness", curve, together=together)),
                above=FAIR_ABOVE,
                unit="",
            )
            for curve in (reading.reno, reading.tcpwi, reading.tcpw)
        ]

    return tests


def gateway(s: Results, r: Reading) -> list[st.Test]:
    """Test TCPW-I behind the gateway above TCPW-I and above TCPW end to end, at each point."""
    points = _points(s, r.runs((*OPEN, *NARROW)))
    return [above(s, *at, r.gateway, rival) for at in points for rival in (r.tcpwi, r.tcpw)]


def tells_apart(s: Results, reading: Reading) -> list[st.Test]:
    """Test the share of losses of each kind that TCPW-I classifies correctly."""

    def share(points: Sequence[tuple[str, float]], right: str, wrong: str) -> tuple[float, ...]:
        """Return the share of correct guesses in each replication, over these points together, percent."""
        counts = [
            [sum(of) for of in zip(*(s.of(what, *at, reading.tcpwi) for at in points), strict=True)]
            for what in (right, wrong)
        ]
        return tuple(100 * r / (r + w) for r, w in zip(*counts, strict=True) if r + w)

    points = _points(s, NARROW)
    shares = [(place(*at), "random", share([at], "kept_random", "cut_random")) for at in points]
    everywhere = share(points, "cut_congestion", "kept_congestion")
    what = f"{k.SHORT[reading.tcpwi]}: share of {{}} losses told right"
    return [
        st.level(where, what.format(kind), values, above=50.0)
        for where, kind, values in (*shares, ("all error rates", "congestion", everywhere))
        if values
    ]


def wins(experiment: str, x: float) -> Tests:
    """Make the test of TCPW-I's throughput above TCPW's at a point."""
    return lambda s, r: [above(s, experiment, x, r.tcpwi, r.tcpw)]
