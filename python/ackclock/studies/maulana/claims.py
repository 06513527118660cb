"""The paper's claims, each turned into tests on our runs.

Each claim is judged in each reading of the set-up that `cases.COLUMNS` lists. Where the text leaves open what a word
means ("about", "similar", "falls"), the reading is fixed here, before the runs, and printed beside the verdict. Tests
use the runs with jittered starts; the paper's procedure is the one run whose starts are not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, TypeVar

import ackclock.study as st
from ackclock.studies.maulana import published
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import CHOSEN_BY_DELAY, LONGER
from ackclock.studies.maulana.results import Results

SIMILAR_WITHIN: Final = 15.0
"""Throughputs are "similar" within this percentage: the published ones are 13 % apart."""

ABOUT_WITHIN: Final = 50.0
"""A count is "about 100", or "about 0", within this many packets of it: it rounds to that on this scale."""

UNBIASED_WITHIN: Final = 10.0
"""A flow is not at a disadvantage from its longer round trip if it gets at most this percentage less than the other."""

SHORTER_DELAY, SIMILAR_THROUGHPUT = "a shorter delay", "a similar throughput"
NEWRENO_FALLS, VEGAS_FALLS_LESS = "NewReno's falls", "Vegas's falls less"

MaulanaClaim: TypeAlias = st.Claim[Results, str]
Tests: TypeAlias = "Callable[[Results, str], list[st.Test]]"
Numbers: TypeAlias = "Callable[[Results, str], list[st.Number]]"

T = TypeVar("T", st.Test, st.Number)
"""The kind of a claim's tests."""


def _more(what: str, winner: str, rival: str, name: str) -> Tests:
    """Return the test of one variant above the other, at each length."""

    def test(s: Results, case: str, length: int) -> st.Test:
        values = [s.values(what, case, length, variant) for variant in (winner, rival)]
        once = [s.once(what, case, length, variant) for variant in (winner, rival)]
        return st.positive(
            f"{length} s",
            f"{name}: {k.SHORT[winner]} - {k.SHORT[rival]}",
            st.percent_above(*values),
            once=100 * (once[0] / once[1] - 1),
        )

    return lambda s, case: [test(s, case, length) for length in s.lengths(case)]


def _near(
    what: str, levels: Mapping[str, float], name: str, unit: str, within: float | None = None
) -> Numbers:
    """Return the tests of each variant's published number, in the long run; it is to be told from the other's."""
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
    """Return the reading of a number of `levels`: with the tolerance that tells it from the other."""
    reach = {st.tolerance(level, tuple(levels.values())) for level in levels.values()}
    far = f"{st.number(min(reach), 0)}{unit}"
    return f"over 60 s, each within {far}: half of their distance, so that it tells them apart"


def _similar(s: Results, case: str) -> list[st.Test]:
    def test(length: int) -> st.Test:
        values = [s.values("throughput_kbps", case, length, v) for v in ("newreno", "vegas")]
        once = [s.once("throughput_kbps", case, length, v) for v in ("newreno", "vegas")]
        return st.within(
            SIMILAR_WITHIN,
            f"{length} s",
            "throughput: NewReno over Vegas",
            st.percent_above(*values),
            once=100 * (once[0] / once[1] - 1),
        )

    return [test(length) for length in s.lengths(case)]


def _performs_better(s: Results, case: str) -> list[st.Test]:
    """Test the paper's argument: a shorter delay at a similar throughput."""
    shorter = _more("delay_ms", "newreno", "vegas", "delay")(s, case)
    return [*st.statement(SHORTER_DELAY, shorter), *st.statement(SIMILAR_THROUGHPUT, _similar(s, case))]


def _not_of_delay(test: Callable[[Results, str], list[T]]) -> Callable[[Results, str], list[T]]:
    """Return the same test, but none in the case that was chosen for its delays: it must not be judged by them."""
    return lambda s, case: [] if case == CHOSEN_BY_DELAY else test(s, case)


def _unbiased(s: Results, case: str) -> list[st.Test]:
    if case not in LONGER:
        return []
    bias, once = (s.bias(LONGER[case], "vegas", jittered=jittered) for jittered in (True, False))
    what = f"Vegas, {k.LONGER_MS} ms over {k.DELAY_MS} ms"
    where = f"{k.LENGTHS_S[-1]} s"
    return [st.Test(where, what, bias, above=-UNBIASED_WITHIN, once=once.mean)]


def _falls(where: str, falls: Callable[[str, bool], list[float]]) -> list[st.Test]:
    """Test that NewReno's throughput falls, and more than Vegas's: `falls` has both, with and without jitter."""
    newreno, vegas = (falls(variant, True) for variant in k.PUBLISHED)
    once = [falls(variant, False)[0] for variant in k.PUBLISHED]
    gaps = tuple(a - b for a, b in zip(newreno, vegas, strict=True))
    what = "fall of NewReno"
    own = st.positive(where, what, tuple(newreno), once=once[0])
    gap = st.positive(where, f"{what} - fall of Vegas", gaps, unit="points", once=once[0] - once[1])
    return [*st.statement(NEWRENO_FALLS, [own]), *st.statement(VEGAS_FALLS_LESS, [gap])]


def _falls_with_files(s: Results, case: str) -> list[st.Test]:
    return _falls("", lambda variant, jittered: s.of_files("fall_percent", case, variant, jittered=jittered))


def _falls_at_the_end(s: Results, case: str) -> list[st.Test]:
    def of(length: int) -> list[st.Test]:
        return _falls(
            f"{length} s", lambda variant, jittered: s.falls(case, length, variant, jittered=jittered)
        )

    return [test for length in s.lengths(case) for test in of(length)]


def _rtt_limits(s: Results, case: str) -> list[st.Test]:
    return [
        st.level(
            f"{size} B",
            f"RTT of {k.SHORT[variant]}",
            tuple(1e3 * value for value in s.rtts_s(case, size, variant)),
            below=1e3 * limit,
            unit="ms",
            once=1e3 * s.rtts_s(case, size, variant, jittered=False)[0],
        )
        for variant, limit in published.RTT_BELOW_S.items()
        for size in s.sizes()
    ]


def _rtt_shorter(s: Results, case: str) -> list[st.Test]:
    def gap(size: int, *, jittered: bool) -> st.Ratio:
        return st.percent_above(*(s.rtts_s(case, size, v, jittered=jittered) for v in ("newreno", "vegas")))

    return [
        st.positive(
            f"{size} B", "RTT: NewReno - Vegas", gap(size, jittered=True), once=gap(size, jittered=False).mean
        )
        for size in s.sizes()
    ]


_BLANK: Final = "not judged"

CLAIMS: Final[tuple[MaulanaClaim, ...]] = (
    st.Claim(
        "newreno-faster",
        "Abstract",
        "NewReno has the higher average throughput.",
        "at both lengths",
        _more("throughput_kbps", "newreno", "vegas", "throughput"),
        ("averages",),
    ),
    st.Claim(
        "newreno-more-packets",
        "Abstract",
        "More packets are received with NewReno.",
        "at both lengths",
        _more("received", "newreno", "vegas", "packets"),
        ("averages",),
    ),
    st.Claim(
        "levels",
        "Abstract",
        "The average throughput is 1033 kb/s with NewReno and 913 kb/s with Vegas.",
        f"{_tolerance(published.THROUGHPUT_KBPS, ' kb/s')}; 6 s cannot hold so many packets; in the last column "
        "as ns-2's trace counts bytes",
        _near("throughput_kbps", published.THROUGHPUT_KBPS, "throughput", "kb/s"),
        ("averages",),
    ),
    st.Claim(
        "packets",
        "Abstract",
        "4594 packets are received with NewReno and 4161 with Vegas.",
        f"{_tolerance(published.RECEIVED_PACKETS, '')}; 6 s cannot hold so many packets",
        _near("received", published.RECEIVED_PACKETS, "packets", ""),
        ("averages",),
    ),
    st.Claim(
        "vegas-shorter-delay",
        "Abstract",
        "Vegas has the shorter average delay.",
        "at both lengths",
        _not_of_delay(_more("delay_ms", "newreno", "vegas", "delay")),
        ("averages",),
        _BLANK,
    ),
    st.Claim(
        "delays",
        "Abstract",
        "The average delay is 4864 ms with NewReno and 4769 ms with Vegas.",
        f"{_tolerance(published.DELAY_MS, ' ms')}; in the last column keyed by sequence number alone",
        _not_of_delay(_near("delay_ms", published.DELAY_MS, "delay", "ms")),
        ("averages",),
        _BLANK,
    ),
    st.Claim(
        "similar",
        "Conclusion",
        "Both have similar throughput.",
        f"within {SIMILAR_WITHIN:g} % of each other, since the published ones are 13 % apart",
        _similar,
        ("averages",),
    ),
    st.Claim(
        "vegas-best",
        "Conclusion",
        "Vegas performs better than NewReno.",
        f"as the paper argues: a shorter average delay, at a throughput within {SIMILAR_WITHIN:g} % of NewReno's",
        _not_of_delay(_performs_better),
        ("averages",),
        _BLANK,
        (SHORTER_DELAY, SIMILAR_THROUGHPUT),
    ),
    st.Claim(
        "vegas-unbiased",
        "Conclusion",
        "Vegas is not biased against connections with longer RTTs.",
        f"two flows of Vegas share a link, the second over a last link of {k.LONGER_MS} ms: it gets "
        f"{UNBIASED_WITHIN:g} % less than the first at most",
        _unbiased,
        ("averages",),
        _BLANK,
    ),
    st.Claim(
        "falls-with-files",
        "Figures 3 and 4",
        "When sending is almost over the throughput of NewReno falls, and that of Vegas falls less.",
        f"each flow sends {k.FILE_B / 1e6:g} MB: bits sent in the last tenth of the time until all is sent, below "
        "those in the four tenths before",
        _falls_with_files,
        ("fig3",),
        statements=(NEWRENO_FALLS, VEGAS_FALLS_LESS),
    ),
    st.Claim(
        "falls-at-the-end",
        "Figures 3 and 4",
        "Near the end the throughput of NewReno falls, and that of Vegas falls less.",
        "flows without end: bits sent in the last tenth of the run, below those in the four tenths before",
        _falls_at_the_end,
        ("fig3",),
        statements=(NEWRENO_FALLS, VEGAS_FALLS_LESS),
    ),
    st.Claim(
        "rtt-limits",
        "Figures 5 and 6",
        "The round-trip time is below 0.6 s with NewReno and below 0.2 s with Vegas.",
        "mean of each run at each packet size",
        _not_of_delay(_rtt_limits),
        ("fig5",),
        _BLANK,
    ),
    st.Claim(
        "rtt-shorter",
        "Figures 5 and 6",
        "The round-trip time is shorter with Vegas.",
        "at each packet size",
        _not_of_delay(_rtt_shorter),
        ("fig5",),
        _BLANK,
    ),
    st.Claim(
        "at-1s",
        "Figures 7 and 8",
        "At a delay of 1 s the histogram counts about 100 with NewReno and about 0 with Vegas.",
        f"packets delayed by {k.AT_1S[0]:g} to {k.AT_1S[1]:g} s over 60 s, within {ABOUT_WITHIN:g} of each number; "
        "the text does not say how wide a class is",
        _not_of_delay(
            _near("at_1s", published.PACKETS_AT_1S, "packets with a delay of 1 s", "", ABOUT_WITHIN)
        ),
        ("fig7",),
        _BLANK,
    ),
)
