"""Compares RED and ECN with ns-2, and PIE and OLSR with ns-3.

ns-2 is run here. The results of ns-3 are recorded (`recorded/ns3_aqm_olsr.json`, with paths and starts).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median

from validation import fresh_documents, ns2, ours, scenarios
from validation.check import Check
from validation.scenarios import Document
from validation.stats import mean_sd, relative

GROUP = "RED, PIE and OLSR, ns-2 and ns-3"
RECORDED = Path(__file__).parent / "recorded" / "ns3_aqm_olsr.json"
SEEDS = 6
SIDE_M = 45
"""Distance between neighbouring stations of the grid, m."""
WITHIN = {"acknowledged": 0.02, "retransmitted": 0.15}
"""Greatest relative difference from ns-2 that passes, for the mean packets of all flows."""
RED_CASES = {
    f"{count} {variant}": ns2.Dumbbell(
        variants=(variant,) * count,
        starts_s=tuple(round(0.1 + 0.07 * i, 3) for i in range(count)),
        rate_mbps=rate,
        delay_ms=25,
        queue=100,
        stop_s=60,
        access_mbps=100,
        access_delay_ms=5,
        access_queue=100_000,
        reverse_queue=10_000,
        window=1000,
        red=True,
        ecn=True,
    )
    for count, variant, rate in ((8, "reno", 4), (15, "sack", 6), (12, "tahoe", 5), (30, "newreno", 5))
}
"""Dumbbells with RED that marks below a drop probability of 0.1 and drops above it."""


def red_checks() -> Iterator[Check]:
    """Compare the numbers of packets of all flows under RED with ECN."""
    for name, case in RED_CASES.items():
        seeds = range(1, SEEDS + 1)
        theirs = [ns2.run_dumbbell(ns2.seeded(case, seed)).flows for seed in seeds]
        mine = [
            run.flow_counts() for run in ours.run_many([(scenarios.dumbbell(case), s, 0.0) for s in seeds])
        ]
        for what, within in WITHIN.items():
            key = {"acknowledged": "acked", "retransmitted": "retransmitted"}[what]
            here, there = (mean(sum(getattr(f, key) for f in run) for run in runs) for runs in (mine, theirs))
            off = relative(here, there)
            yield Check(
                GROUP,
                f"RED with ECN, {name}: packets {what}",
                f"within {within:.0%}",
                f"{here:.0f} against {there:.0f} ({SEEDS} runs each): {off:+.1%}",
                abs(off) <= within,
            )


def _pie(start: float, ecn: bool) -> Document:
    """Return the scenario of one NewReno flow through ns-3's PIE."""
    cell = {
        "flows": [["TcpNewReno", start, 1, 0, 1, 0]],
        "bw": "10Mbps",
        "delay": "20ms",
        "q": 1000,
        "qd": "pie",
        "ecn": ecn,
        "set": "ns3::PieQueueDisc::MeanPktSize=1500",
    }
    return {**fresh_documents.wired(cell, [start]), "duration": "40s"}


def pie_checks(recorded: Document) -> Iterator[Check]:
    """Compare payload, and retransmissions or marks, of one flow through PIE with ns-3's recorded runs."""
    for name in ("drop", "ecn"):
        jobs = [
            (_pie(start, name == "ecn"), seed, 0.0)
            for seed, start in enumerate(recorded["starts_s"], start=1)
        ]
        runs = ours.run_many(jobs)
        found = {
            "bytes": [float(run.flows[0]["delivered_bytes"]) for run in runs],
            "retransmitted": [float(run.flows[0]["retransmitted_packets"]) for run in runs],
            "marked": [float(run.links[0]["marked_packets"]) for run in runs],
        }
        # A single flow has few marks and drops, so their medians are compared, with a wide tolerance.
        for what in ("bytes", "marked") if name == "ecn" else ("bytes", "retransmitted"):
            here, there = median(found[what]), median(recorded[name][what])
            within = 0.05 if what == "bytes" else 0.5
            off = relative(here, there)
            yield Check(
                GROUP,
                f"PIE, {name}, one NewReno: {what}, median of {len(runs)} runs",
                f"within {within:.0%}",
                f"{here:.0f} against {there:.0f}: {off:+.1%}",
                abs(off) <= within,
            )


def _grid(stop_s: float) -> Document:
    """Return a grid of nine stations with OLSR, and a transfer from corner to corner."""
    names = [f"n{i}" for i in range(9)]
    nodes = [
        {"name": name, "position": [SIDE_M * (i % 3), SIDE_M * (i // 3)]} for i, name in enumerate(names)
    ]
    tcp = {"variant": "sack", "profile": "ns3", "segment": "1448B", "receive_window": "4194304B"}
    wifi = {
        "profile": "ns3",
        "stations": names,
        "standard": "a",
        "rate": "6Mbps",
        "routing": {"kind": "olsr"},
    }
    flow = {"from": "n0", "to": "n8", "start": "15s", "traffic": {"kind": "ftp"}, "tcp": tcp}
    return {"duration": f"{stop_s}s", "node": nodes, "wifi": [wifi], "flow": [flow]}


def olsr_checks(theirs: Sequence[float]) -> Iterator[Check]:
    """Compare the payload of a transfer over OLSR with ns-3's recorded runs."""
    seeds = range(1, len(theirs) + 1)
    early, late = (ours.run_many([(_grid(end), seed, 0.0) for seed in seeds]) for end in (20.0, 60.0))
    mine = [
        8e-6 * (b.flows[0]["delivered_bytes"] - a.flows[0]["delivered_bytes"]) / 40
        for a, b in zip(early, late, strict=True)
    ]
    here, there = (mean_sd(values) for values in (mine, theirs))
    off = relative(here[0], there[0])
    yield Check(
        GROUP,
        "OLSR, 3 x 3 stations: payload, Mb/s",
        "within 10%",
        f"{here[0]:.3f} (sd {here[1]:.3f}, {len(mine)} runs) against {there[0]:.3f} (sd {there[1]:.3f}, "
        f"{len(theirs)}): {off:+.1%}",
        abs(off) <= 0.1,
    )


def checks() -> list[Check]:
    """Check RED (if ns-2 is installed), PIE and OLSR."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    found = list(red_checks()) if ns2.available() else []
    return found + list(pie_checks(recorded["pie"])) + list(olsr_checks(recorded["olsr"]["mbps"]))
