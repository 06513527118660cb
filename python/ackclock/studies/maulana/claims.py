"""The paper's claims, each with its tests on our runs.

Each claim is judged in each case of `cases.COLUMNS`. If the text leaves open what a word means ("about", "similar",
"falls"), the interpretation is fixed here, before the runs, and printed beside the verdict. Tests use the runs with
jittered starts; the one run without jitter follows the paper's own procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias, TypeVar

import ackclock.study as st
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import CHOSEN_BY_DELAY, LONGER
from ackclock.studies.maulana.results import Results

SIMILAR_WITHIN: Final = 15.0
"""Throughputs are "similar" if they differ by less than this percentage; the published ones differ by 13 %."""

ABOUT_WITHIN: Final = 50.0
"""A count is "about 100" or "about 0" if it differs from 100 or 0 by at most this many packets."""

UNBIASED_WITHIN: Final = 10.0
"""A flow with a longer round trip has no disadvantage if it gets at most this percentage less than the other flow."""

BETTER: Final = ("a shorter delay", "a similar throughput")
FALLS: Final = ("NewReno's falls", "Vegas's falls less")
"""The two statements of the claims on falling throughput."""

MaulanaClaim: TypeAlias = st.Claim[Results, str]
Tests: TypeAlias = "Callable[[Results, str], list[st.Test]]"
Numbers: TypeAlias = "Callable[[Results, str], list[st.Number]]"

T = TypeVar("T", st.Test, st.Number)
"""Type of a claim's tests: `st.Test` tests a range, `st.Number` a published number."""


def _gap(what: str, name: str, winner: str, rival: str, make: Callable[..., st.Test] = st.positive) -> Tests:
    """Return a function that tests the difference winner - rival, percent, at each length; `make` makes each test."""

    def test(s: Results, case: str, length: int) -> st.Test:
        values = (s.values(what, case, length, variant) for variant in (winner, rival))
        ours, theirs = (s.once(what, case, length, variant) for variant in (winner, rival))
        return make(f"{length} s", name, st.percent_above(*values), once=100 * (ours / theirs - 1))

    return lambda s, case: [test(s, case, length) for length in s.lengths(case)]


def _more(what: str, name: str, winner: str = "newreno", rival: str = "vegas") -> Tests:
    """Return a function that tests, at each length, that the winner is above the rival."""
    return _gap(what, f"{name}: {k.SHORT[winner]} - {k.SHORT[rival]}", winner, rival)


def _near(
    what: str, levels: Mapping[str, float], name: str, unit: str, within: float | None = None
) -> Numbers:
    """Return a function that tests for each variant the mean over the longest runs against the published number."""
    length = k.LENGTHS_S[-1]
    return lambda s, case: [
        st.Number(
            f"{length} s",
            f"{name} of {k.SHORT[variant]}",
            tuple(s.as_published(what, case, length, variant)),
            published=level,
            alternatives=tuple(levels.values()),
            tolerance=within,
            unit=unit,
            once=s.as_published(what, case, length, variant, jittered=False)[0],
        )
        for variant, level in levels.items()
    ]


def _tolerance(levels: Mapping[str, float], unit: str) -> str:
    """Return the text that interprets the published numbers `levels`, with the tolerance that tells them apart."""
    reach = {st.tolerance(level, tuple(levels.values())) for level in levels.values()}
    far = f"{st.number(min(reach), 0)}{unit}"
    return f"over 60 s, each within {far}: half of their distance, so that it tells them apart"


_similar: Final = _gap(
    "throughput_kbps",
    "throughput: NewReno over Vegas",
    "newreno",
    "vegas",
    partial(st.within, SIMILAR_WITHIN),
)

_slower: Final = _more("delay_ms", "delay")


def _performs_better(s: Results, case: str) -> list[st.Test]:
    """Return the tests of both parts of the paper's argument: a shorter delay, and a similar throughput."""
    slower, similar = (
        st.statement(*of) for of in zip(BETTER, (_slower(s, case), _similar(s, case)), strict=True)
    )
    return [*slower, *similar]


def _not_of_delay(test: Callable[[Results, str], list[T]]) -> Callable[[Results, str], list[T]]:
    """Return a function with the same tests, except that there are none in the case `CHOSEN_BY_DELAY`."""
    return lambda s, case: [] if case == CHOSEN_BY_DELAY else test(s, case)


def _unbiased(s: Results, case: str) -> list[st.Test]:
    if case not in LONGER:
        return []
    bias, once = (s.bias(LONGER[case], "vegas", jittered=jittered) for jittered in (True, False))
    what, where = f"Vegas, {k.LONGER_MS} ms over {k.DELAY_MS} ms", f"{k.LENGTHS_S[-1]} s"
    return [st.Test(where, what, bias, above=-UNBIASED_WITHIN, once=once.mean)]


def _falls(where: str, falls: Callable[[str, bool], list[float]]) -> list[st.Test]:
    """Return the tests that NewReno's throughput falls, and that it falls more than Vegas's.

    `falls` returns the falls in percent of a variant's jittered runs (True) or of its run without jitter (False).
    """
    newreno, vegas = (falls(variant, True) for variant in k.PUBLISHED)
    once = [falls(variant, False)[0] for variant in k.PUBLISHED]
    gaps = tuple(a - b for a, b in zip(newreno, vegas, strict=True))
    what = "fall of NewReno"
    own = st.positive(where, what, tuple(newreno), once=once[0])
    gap = st.positive(where, f"{what} - fall of Vegas", gaps, unit="points", once=once[0] - once[1])
    return [*st.statement(FALLS[0], [own]), *st.statement(FALLS[1], [gap])]


def _falls_with_files(s: Results, case: str) -> list[st.Test]:
    return _falls("", lambda variant, jittered: s.of_files("fall_percent", case, variant, jittered=jittered))


def _falls_at_the_end(s: Results, case: str) -> list[st.Test]:
    def of(length: int) -> list[st.Test]:
        return _falls(f"{length} s", lambda v, jittered: s.falls(case, length, v, jittered=jittered))

    return [test for length in s.lengths(case) for test in of(length)]


def _rtt_limits(s: Results, case: str) -> list[st.Test]:
    def test(size: int, variant: str, limit: float) -> st.Test:
        values, once = (tuple(s.rtts_ms(case, size, variant, jittered=moved)) for moved in (True, False))
        what = f"RTT of {k.SHORT[variant]}"
        return st.level(f"{size} B", what, values, below=1e3 * limit, unit="ms", once=once[0])

    return [test(size, *limit) for limit in k.RTT_BELOW_S.items() for size in s.sizes()]


def _rtt_shorter(s: Results, case: str) -> list[st.Test]:
    def gap(size: int, *, jittered: bool) -> st.Ratio:
        of = (s.rtts.of("rtt_mean_s", case, size, variant, jittered) for variant in k.PUBLISHED)
        return st.percent_above(*of)

    what = "RTT: NewReno - Vegas"
    return [
        st.positive(f"{size} B", what, gap(size, jittered=True), once=gap(size, jittered=False).mean)
        for size in s.sizes()
    ]


CLAIMS: Final[tuple[MaulanaClaim, ...]] = (
    k.TEXT.claim("newreno-faster", _more("throughput_kbps", "throughput")),
    k.TEXT.claim("newreno-more-packets", _more("received", "packets")),
    k.TEXT.claim(
        "levels",
        _near("throughput_kbps", k.THROUGHPUT_KBPS, "throughput", "kb/s"),
        kb=_tolerance(k.THROUGHPUT_KBPS, " kb/s"),
    ),
    k.TEXT.claim(
        "packets",
        _near("received", k.RECEIVED_PACKETS, "packets", ""),
        received_packets=_tolerance(k.RECEIVED_PACKETS, ""),
    ),
    k.TEXT.claim("vegas-shorter-delay", _not_of_delay(_slower)),
    k.TEXT.claim(
        "delays",
        _not_of_delay(_near("delay_ms", k.MEAN_DELAY_MS, "delay", "ms")),
        ms=_tolerance(k.MEAN_DELAY_MS, " ms"),
    ),
    k.TEXT.claim("similar", _similar, similar_within=SIMILAR_WITHIN),
    k.TEXT.claim("vegas-best", _not_of_delay(_performs_better), BETTER, similar_within=SIMILAR_WITHIN),
    k.TEXT.claim("vegas-unbiased", _unbiased, unbiased_within=UNBIASED_WITHIN),
    k.TEXT.claim("falls-with-files", _falls_with_files, FALLS, file_b=k.FILE_B / 1000000.0),
    k.TEXT.claim("falls-at-the-end", _falls_at_the_end, FALLS),
    k.TEXT.claim("rtt-limits", _not_of_delay(_rtt_limits)),
    k.TEXT.claim("rtt-shorter", _not_of_delay(_rtt_shorter)),
    k.TEXT.claim(
        "at-1s",
        _not_of_delay(_near("at_1s", k.PACKETS_AT_1S, "packets with a delay of 1 s", "", ABOUT_WITHIN)),
        at_1s=k.AT_1S[0],
        at_1s_=k.AT_1S[1],
        about_within=ABOUT_WITHIN,
    ),
)
