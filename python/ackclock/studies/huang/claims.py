"""The paper's claims, each turned into tests on our runs.

Where the text leaves open what a word means ("about twice", "steeper"), the reading is fixed here, before the
runs, and printed beside the verdict. Each claim is judged for each reading of TCPW-I (`settings.READINGS`).
Errors on either link count: the paper names both for the same experiment, and a claim that held for one place
only would say so in its tests.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import ackclock.study as st
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.results import NARROW, OPEN
from ackclock.studies.huang.testing import (
    ADAPTS,
    ALIKE_WITHIN,
    BOTH,
    FAIR_ABOVE,
    FILLS,
    JAIN_MARGIN,
    LEAD_MARGIN,
    QUEUE_MARGIN,
    HuangClaim,
    above,
    ahead,
    always,
    fair,
    falls,
    friendlier,
    gains,
    gateway,
    jain_numbers,
    jain_order,
    judges_alike,
    judges_better,
    lead_grows,
    levels,
    postpones,
    steeper,
    takes_what_is_left,
    tells_apart,
    twice,
    wins,
)

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
"""The claims that are also judged with losses on the wire, which are run at 10 % error alone."""


def _where_run(claim: HuangClaim) -> HuangClaim:
    """Return the claim without tests for the readings in which it has no runs."""
    if claim.key in _AT_TEN_PERCENT:
        return replace(claim, blank="not run")
    return replace(claim, blank="not run", test=lambda s, r: [] if r.on_wire else claim.test(s, r))


CLAIMS: Final[tuple[HuangClaim, ...]] = tuple(map(_where_run, _DECLARED))
