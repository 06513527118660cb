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
    st.Claim(
        "lead-grows",
        "Figure 5",
        "The lead of TCPW-I grows with the error rate.",
        f"the ratio of the means grows from each error rate run to the next; {LEAD_MARGIN:g} do not matter",
        lead_grows,
    ),
    st.Claim(
        "bottleneck-ahead",
        "Figure 6",
        "At 10 % error TCPW-I is ahead of TCPW, with a bottleneck, too.",
        "with errors on either link",
        lambda s, r: [above(s, e, k.FIGURE_ERROR, r.tcpwi, r.tcpw) for e in r.runs(NARROW)],
    ),
    twice(
        "bottleneck-twice",
        "Figure 6",
        "There it has about twice the throughput of TCPW (250 to 130 kb/s).",
        NARROW,
    ),
    st.Claim(
        "levels",
        "Figure 6",
        "TCPW fluctuates about 130 kb/s and TCPW-I about 250 kb/s.",
        f"each mean within {st.TOLERANCE_PERCENT:g} % of the published level",
        levels,
    ),
    falls("bottleneck-falls", "Figure 7", NARROW),
    ahead("bottleneck-throughout", "Figure 7", NARROW),
    st.Claim(
        "hybrid-adapts",
        "Figure 9",
        "Both adapt when the UDP stream goes and comes.",
        f"from 11 to 20 s at least {ADAPTS:g} times what it has beside the stream (2 to 10 and 21 to 30 s)",
        gains("hybrid", lambda t: 11 < t <= 20, lambda t: 2 < t <= 10 or t > 21),
        statements=BOTH,
    ),
    st.Claim(
        "hybrid-ahead",
        "Figure 9",
        "Over 802.11 TCPW-I is ahead of TCPW.",
        "over the whole run",
        wins("hybrid", 0.0),
    ),
    st.Claim(
        "hybrid-always",
        "Figure 9",
        "Over 802.11 TCPW-I is always superior to TCPW.",
        "in each second from 2 s on",
        always,
    ),
    st.Claim(
        "pulse-fills",
        "Section 4.3",
        "Both take at once what a stream leaves that is on and off for 0.5 s each.",
        f"from 2 s on at least {FILLS:g} % of what it leaves of the link: the queue in front of the link delays what "
        "is seen in a half second",
        takes_what_is_left,
        ("response",),
        statements=BOTH,
    ),
    st.Claim(
        "pulse-reacts",
        "Section 4.3",
        "Both react at once to it, as seen behind the queue.",
        f"in the half seconds without UDP at least {ADAPTS:g} times what it has in those with, from 2 s on",
        gains("pulse", lambda t: t > 2 and t % 1 == 0, lambda t: t > 2 and t % 1 != 0),
        ("response",),
        statements=BOTH,
    ),
    st.Claim(
        "pulse-better",
        "Section 4.3",
        "TCPW-I judges the bandwidth left over better than TCPW.",
        "it has more throughput over the whole test",
        wins("pulse", 0.0),
        ("response",),
    ),
    st.Claim(
        "estimate-better",
        "Section 4.3",
        "TCPW-I's estimate of the bandwidth left over is more accurate than TCPW's.",
        "its estimate BE is nearer to what the stream leaves: mean distance in each half second from 2 s on",
        judges_better,
        ("response",),
    ),
    st.Claim(
        "estimate-alike",
        "Section 7",
        "The estimate of bandwidth is not essentially another than TCPW's.",
        f"mean of BE from 2 s on within {ALIKE_WITHIN:g} % of TCPW's",
        judges_alike,
        ("fig9", "response"),
    ),
    st.Claim(
        "postpones",
        "Section 3.2.2",
        "TCPW-I postpones congestion.",
        "it loses fewer packets in 1000 to the full queue than TCPW, beside Reno and at each error rate with a "
        f"bottleneck at which one of them loses any; {QUEUE_MARGIN:g} in 1000 do not matter",
        postpones,
        ("fig6", "fig7", "fig10"),
    ),
    st.Claim(
        "friendlier",
        "Figure 10",
        "TCPW-I is friendlier to Reno than TCPW: it takes less from it.",
        "Reno gets more beside it than beside TCPW",
        friendlier,
    ),
    st.Claim(
        "jain-order",
        "Figure 11",
        "Jain's index: Reno above TCPW-I above TCPW.",
        f"differences of the index over ten flows, in hundredths; {JAIN_MARGIN:.2g} do not matter, half of the least "
        "distance of the published ones",
        jain_order,
    ),
    st.Claim(
        "jain",
        "Figure 11",
        "Jain's index is 0.972 with TCPW, 0.989 with TCPW-I and 0.994 with Reno.",
        f"all started together as in the text; each within {JAIN_MARGIN / 100:g}, half of the least distance of the "
        "three; no effect is 1, which is perfectly fair",
        jain_numbers,
    ),
    st.Claim(
        "fair",
        "Figure 11",
        "Ten flows of each are fair among themselves.",
        f"Jain's index above {FAIR_ABOVE:g}, all started together as in the text",
        fair(together=True),
    ),
    st.Claim(
        "fair-anyhow",
        "Figure 11",
        "Ten flows of each are fair among themselves, however they start.",
        f"Jain's index above {FAIR_ABOVE:g}, each started up to {k.JITTER_S:g} s later",
        fair(together=False),
    ),
    st.Claim(
        "tells-apart",
        "Section 3.1",
        "TCPW-I tells random losses from congestion.",
        "of the losses that acknowledgments show in the runs with a bottleneck, it tells right more than half of the "
        "random ones at each error rate, and of those that a full queue caused",
        tells_apart,
        ("fig6", "fig7"),
    ),
    st.Claim(
        "gateway",
        "Section 7",
        "The intelligent gateway with TCPW-I raises throughput.",
        "the paper does not simulate it: above TCPW-I and above TCPW end to end at each error rate run",
        gateway,
        ("fig5", "fig7"),
    ),
)

_AT_TEN_PERCENT: Final = frozenset({"twice", "bottleneck-ahead", "bottleneck-twice", "levels", "gateway"})
"""The claims that are also judged with losses on the wire, which are run at 10 % error alone."""


def _where_run(claim: HuangClaim) -> HuangClaim:
    """Return the claim without tests for the readings in which it has no runs."""
    if claim.key in _AT_TEN_PERCENT:
        return replace(claim, blank="not run")
    return replace(claim, blank="not run", test=lambda s, r: [] if r.on_wire else claim.test(s, r))


CLAIMS: Final[tuple[HuangClaim, ...]] = tuple(map(_where_run, _DECLARED))
