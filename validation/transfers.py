"""Compares finite transfers with losses near their end, and Vegas under random drop lists, with ns-2 packet by packet.

Every drop list is drawn from a seed, and ns-2 is run with it, so no results need to be recorded.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from validation import fallfloyd_random, ns2, ours, scenarios, traces
from validation.check import Check

GROUP = "Transfers that end"
VARIANTS = ("tahoe", "reno", "newreno", "sack")
LINUX = tuple(
    f"tcp-linux-{kind}"
    for kind in ("reno", "cubic", "bic", "vegas", "veno", "yeah", "htcp", "compound", "lp")
)
COUNT = 40
TIES = 0.15
"""Largest permitted share of long drop lists for which rounding in ns-2 decides Vegas's next step."""


def endings(variant: str, count: int = COUNT, seed: int = 1) -> Iterator[ns2.FallFloyd]:
    """Yield transfers of 8 to 120 packets that lose 1 to 6 of their last 30 packets or of later retransmissions."""
    draw = random.Random(seed)
    for _ in range(count):
        packets, losses = draw.randint(8, 120), draw.randint(1, 6)
        last = range(max(1, packets - 30), packets + 1 + draw.randint(0, 8))
        drops = tuple(sorted(set(draw.sample(last, losses))))
        for limited_transmit in (False, True):
            yield ns2.FallFloyd(variant, drops, limited_transmit, 40.0, binary=True, packets=packets)


def linux_endings(variant: str, count: int = COUNT, seed: int = 1) -> list[ns2.Dumbbell]:
    """Return transfers like those of `endings`, but with 8 to 200 packets over a path of 10 Mb/s and 44 ms."""
    draw = random.Random(seed)
    cases = []
    for _ in range(count):
        packets, losses = draw.randint(8, 200), draw.randint(1, 6)
        last = range(max(1, packets - 30), packets + 1 + draw.randint(0, 8))
        cases.append(
            ns2.Dumbbell(
                (variant,),
                (0.0,),
                10.0,
                20.0,
                100,
                20.0,
                access_mbps=100.0,
                access_delay_ms=1.0,
                access_queue=1000,
                reverse_queue=1000,
                window=1000,
                drops=tuple(sorted(set(draw.sample(last, losses)))),
                packets=packets,
            )
        )
    return cases


def vegas_lists(count: int = COUNT, seed: int = 1) -> list[ns2.FallFloyd]:
    """Return endless and finite Vegas transfers with the other variants' random drop lists, which may lose SYNs."""
    endless = [
        ns2.FallFloyd("vegas", drops, False, stop_s, binary=True)
        for drops, stop_s in fallfloyd_random.patterns(count, seed)
    ]
    ending = [replace(case, packets=random.Random(i).randint(20, 120)) for i, case in enumerate(endless)]
    return endless + ending


def vegas_long(count: int = COUNT, seed: int = 7) -> list[ns2.FallFloyd]:
    """Return Vegas runs of one minute that lose 4 to 10 % of the first 500 packets."""
    draw = random.Random(seed)
    cases = []
    for _ in range(count):
        share = draw.choice((0.04, 0.06, 0.08, 0.1))
        drops = tuple(k for k in range(500) if draw.random() < share)
        cases.append(ns2.FallFloyd("vegas", drops, False, 60.0, binary=True))
    return cases


def _check_long() -> Check:
    """Check long Vegas runs, in which a share of up to `TIES` may differ.

    Vegas rounds its estimate of queued packets. If the estimate is halfway between two integers, the last bit of ns-2's
    clock decides.
    """
    cases = vegas_long()
    found = [
        (c, v.packets)
        for c, v in zip(cases, fallfloyd_random.compare_all(cases), strict=True)
        if v.packets is not None
    ]
    equal = len(cases) - len(found)
    return Check(
        GROUP,
        f"vegas: {len(cases)} lists of 4 to 10 % over a minute, ns-2 run here",
        f"packet traces equal, times to 10 us, in {1 - TIES:.0%} or more: ties of rounding part the others",
        f"{equal} of {len(cases)} equal",
        equal >= (1 - TIES) * len(cases),
        "\n\n".join(f"{c.name}: {d.report()}" for c, d in found),
    )


def _only_beyond_the_end(case: ns2.FallFloyd, difference: traces.Difference) -> bool:
    """Return true if the traces differ because ns-2's Vegas sends a packet beyond the transfer's end."""
    theirs = difference.theirs
    return bool(case.packets and theirs and theirs.kind == "send" and theirs.seq >= case.packets)


def _check(name: str, cases: Sequence[ns2.FallFloyd]) -> Check:
    verdicts = fallfloyd_random.compare_all(cases)
    found = [(c, v.packets) for c, v in zip(cases, verdicts, strict=True) if v.packets is not None]
    wrong = [(c, d) for c, d in found if not _only_beyond_the_end(c, d)]
    beyond = f", {len(found) - len(wrong)} up to a packet beyond the end" if len(found) > len(wrong) else ""
    return Check(
        GROUP,
        name,
        "packet traces equal, times to 10 us",
        f"{len(cases) - len(found)} of {len(cases)} equal{beyond}",
        not wrong,
        "\n\n".join(f"{c.name}: {d.report()}" for c, d in wrong),
    )


def _check_linux(variant: str) -> Check:
    cases = linux_endings(variant)
    with ThreadPoolExecutor(max_workers=2) as pool:
        theirs = list(pool.map(lambda case: ns2.run_dumbbell(case, packets=True), cases))
    found = []
    for case, outcome in zip(cases, theirs, strict=True):
        mine = ours.run(scenarios.dumbbell(case), traces=["segments"]).events()
        both = ([e for e in events if e.kind in ("send", "ack")] for events in (outcome.events, mine))
        difference = traces.first_difference(*both)
        found += [f"{case.packets} packets, drops {case.drops}: {difference.report()}"] if difference else []
    return Check(
        GROUP,
        f"{variant}: {len(cases)} transfers that lose some of their last 30 packets, ns-2 run here",
        "sendings and acknowledgments equal, times to 10 us",
        f"{len(cases) - len(found)} of {len(cases)} equal",
        not found,
        "\n\n".join(found),
    )


def checks() -> list[Check]:
    """Check the ends of transfers of every variant, and Vegas under random drop lists; skipped without ns-2."""
    if not ns2.available():
        return [Check(GROUP, "transfers", "equal to ns-2", "skipped: ns-2 is not installed", None)]
    result = []
    for variant in VARIANTS:
        cases = list(endings(variant))
        name = f"{variant}: {len(cases)} transfers that lose some of their last 30 packets, ns-2 run here"
        result.append(_check(name, cases))
    cases = vegas_lists()
    result.append(_check(f"vegas: {len(cases)} random lists of drops, ns-2 run here", cases))
    return [*result, _check_long(), *(_check_linux(variant) for variant in LINUX)]
