"""Compares the reference's generic dumbbells in profile `ns2`, as far as ackclock has all of their variants."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from ackclock.stats import jain
from validation import ns2, ours, reference, scenarios
from validation.check import Check
from validation.stats import compared, mean_sd, relative

GROUP = "Generic grid"
REPLICAS = 60
JITTER_S = 0.010
SHARE = 0.10
"""Greatest difference of a flow's goodput from ns-2's that counts as agreement, as a fraction of ns-2's."""
JAIN = 0.05
"""Greatest difference of Jain's index from ns-2's that counts as agreement."""
STEADY = 0.01
"""Coefficient of variation (sd / mean over replicas) below which a flow of the reference is compared run by run."""


def _goodputs(run: ours.Run) -> list[float]:
    return [flow["goodput_bps"] / 8 for flow in run.flows]


def their_goodputs(case: ns2.Dumbbell, replicas: int = REPLICAS) -> list[list[float]]:
    """Return each flow's goodput, B/s, in each of `replicas` jittered runs of ns-2.

    The reference has five such runs or none.
    """
    draw = random.Random(1)
    jittered = [
        replace(case, starts_s=tuple(round(s + draw.uniform(0, JITTER_S), 9) for s in case.starts_s))
        for _ in range(replicas)
    ]

    def goodputs(one: ns2.Dumbbell) -> list[float]:
        counts = ns2.run_dumbbell(one).flows
        return [c.acked * case.packet / (one.stop_s - s) for c, s in zip(counts, case.starts_s, strict=True)]

    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(goodputs, jittered))


def _steady_flow(label: str, i: int, theirs: dict[str, Any], mine: dict[str, Any]) -> Check:
    goodput = relative(mine["goodput_bps"] / 8, theirs["goodput_Bps"])
    sent = relative(mine["sent_packets"], theirs["sent_pkts"])
    return Check(
        GROUP,
        f"{label}, flow {i} (steady): goodput, packets sent",
        "within 1 % of the run without jitter",
        f"{goodput:+.2%}, {sent:+.2%}",
        abs(goodput) <= 0.01 and abs(sent) <= 0.01,
    )


def _case(case: dict[str, Any]) -> list[Check]:
    described = scenarios.grid(case)
    document = scenarios.dumbbell(described)
    label = f"case {case['case']} ({len(described.variants)} x {described.variants[0]})"
    plain = ours.run(document)
    # The recorded total is an average from time 0 on, also for flows that start later.
    total = sum(flow["acked_bytes"] for flow in plain.flows) / described.stop_s
    deviation = relative(total, case["total_goodput_Bps"])
    checks = [
        Check(GROUP, f"{label}: total goodput", "within 1 %", f"{deviation:+.3%}", abs(deviation) <= 0.01)
    ]
    spreads = [(f["mean"], f["sd"], f["n"]) for f in case["jitter_replicas"]["per_flow_goodput_Bps"]]
    steady = [sd / mean < STEADY for mean, sd, _ in spreads]
    for i, theirs in enumerate(case["flows"]):
        if steady[i]:
            checks.append(_steady_flow(label, i, theirs, plain.flows[i]))
    again = (float(sum(f["retransmitted_packets"] for f in plain.flows)), 0.0, 1)
    expected = (float(sum(f["retx_pkts"] for f in case["flows"])), 0.0, 1)
    if not all(steady):
        replicas = ours.run_many([(document, 1 + r, JITTER_S) for r in range(REPLICAS)])
        goodputs = [_goodputs(run) for run in replicas]
        # The reference has five replicas; if ns-2 is installed, it is run as often as ackclock.
        here = their_goodputs(described) if ns2.available() else None
        if here is not None:
            spreads = [(*mean_sd([g[i] for g in here]), REPLICAS) for i in range(len(spreads))]
        for i, spread in enumerate(spreads):
            if not steady[i]:
                mine = (*mean_sd([g[i] for g in goodputs]), REPLICAS)
                name = f"{label}, flow {i}: goodput, B/s"
                checks.append(Check.of(GROUP, name, compared(mine, spread, SHARE)))
        checks.append(_fairness(label, goodputs, here))
        counts = [float(sum(f["retransmitted_packets"] for f in run.flows)) for run in replicas]
        again = (*mean_sd(counts), REPLICAS)
        recorded = case["jitter_replicas"]["retx_pkts"]
        expected = (recorded["mean"], recorded["sd"], recorded["n"])
    margin = max(5.0, SHARE * expected[0])
    found = compared(again, expected, margin, absolute=True, form=".1f")
    checks.append(Check.of(GROUP, f"{label}: retransmissions", found))
    return checks


def _fairness(label: str, goodputs: list[list[float]], theirs: list[list[float]] | None) -> Check:
    name = f"{label}: Jain's index"
    if theirs is None:
        return Check(GROUP, name, f"within {JAIN}", "skipped: ns-2 is not installed", None)
    sides = [(*mean_sd([jain(g) for g in each]), REPLICAS) for each in (goodputs, theirs)]
    return Check.of(GROUP, name, compared(sides[0], sides[1], JAIN, absolute=True, form=".4f"))


def checks() -> list[Check]:
    """Check every case of the grid whose variants ns-2 has natively."""
    return [check for case in reference.grid_cases() for check in _case(case)]
