"""Compares the reference's generic dumbbells, if ackclock has all their variants, in profile `ns2`."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from ackclock.stats import jain
from validation import ns2, ours, reference, scenarios
from validation.check import Check
from validation.stats import mean_sd, relative, welch_p

GROUP = "Generic grid"
REPLICAS = 20
JITTER_S = 0.010
STEADY = 0.01
"""Flows with a smaller coefficient of variation (sd / mean over the reference's replicas) are compared run by run."""


def _goodputs(run: ours.Run) -> list[float]:
    return [flow["goodput_bps"] / 8 for flow in run.flows]


def their_goodputs(case: ns2.Dumbbell) -> list[list[float]]:
    """Return each flow's goodput, B/s, in each of `REPLICAS` jittered ns-2 runs; the reference has five or none."""
    draw = random.Random(1)
    jittered = [
        replace(case, starts_s=tuple(round(s + draw.uniform(0, JITTER_S), 9) for s in case.starts_s))
        for _ in range(REPLICAS)
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
    # The recorded total is an average from time 0 on, regardless of the flows' starts.
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
    again = float(sum(f["retransmitted_packets"] for f in plain.flows))
    expected = float(sum(f["retx_pkts"] for f in case["flows"]))
    if not all(steady):
        replicas = ours.run_many([(document, 1 + r, JITTER_S) for r in range(REPLICAS)])
        goodputs = [_goodputs(run) for run in replicas]
        for i, spread in enumerate(spreads):
            if not steady[i]:
                mine = (*mean_sd([g[i] for g in goodputs]), REPLICAS)
                p = welch_p(mine, spread)
                sides = " against ".join(f"{mean:.0f} (sd {sd:.0f})" for mean, sd, _ in (mine, spread))
                measured = f"{sides}: p = {p:.3f}"
                checks.append(
                    Check(
                        GROUP,
                        f"{label}, flow {i}: goodput, B/s, {REPLICAS} replicas",
                        "p > 0.01",
                        measured,
                        p > 0.01,
                    )
                )
        checks.append(_fairness(label, described, goodputs))
        again = mean_sd([float(sum(f["retransmitted_packets"] for f in run.flows)) for run in replicas])[0]
        expected = case["jitter_replicas"]["retx_pkts"]["mean"]
    checks.append(
        Check(
            GROUP,
            f"{label}: retransmissions",
            "within 10 % or 5 packets",
            f"{again:.1f} against {expected:.1f}",
            abs(again - expected) <= max(5, 0.1 * expected),
        )
    )
    return checks


def _fairness(label: str, described: ns2.Dumbbell, goodputs: list[list[float]]) -> Check:
    name = f"{label}: Jain's index, {REPLICAS} replicas each"
    if not ns2.available():
        return Check(GROUP, name, "p > 0.01", "skipped: ns-2 is not installed", None)
    mine = (*mean_sd([jain(g) for g in goodputs]), REPLICAS)
    theirs = (*mean_sd([jain(g) for g in their_goodputs(described)]), REPLICAS)
    p = welch_p(mine, theirs)
    return Check(GROUP, name, "p > 0.01", f"{mine[0]:.4f} against {theirs[0]:.4f}: p = {p:.3f}", p > 0.01)


def checks() -> list[Check]:
    """Check every case of the grid whose variants ns-2 has natively."""
    return [check for case in reference.grid_cases() for check in _case(case)]
