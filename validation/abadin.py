"""Study abadin against the reference's setting K: Table 1 and the sweeps.

The recorded sweep of error rates has ten seeds a point. Its means lie up to 7 % from those of 100 to 1000 seeds, which
the study keeps (`python/ackclock/studies/abadin/reference/README.md`). The error sweep is compared with the latter.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from importlib.resources import files
from typing import Any

from validation import ours, reference, scenarios
from validation.check import Check
from validation.ns2 import Dumbbell
from validation.stats import mean_sd, t_half_width

GROUP = "Study abadin"
NAMES = ("tahoe", "reno", "newreno", "sack", "vegas")
SWEEPS = ("error", "bandwidth_Mbps", "sources_q20", "sources_q50", "delay_ms", "buffer_pkts")
EQUAL_SIZE = "vegas1040"
"""Vegas with the 40-byte header that ns-2's Vegas lacks, so that its packets are as large as the other variants'."""
ERROR_SEEDS = 400
"""Number of replications of each point with random loss; ackclock's own sampling error is then negligible."""


def throughput(case: Dumbbell, run: ours.Run) -> float:
    """Return the study's metric over the whole run: payload sent minus payload retransmitted of all flows, bytes/s."""
    return float(sum(f["sent_bytes"] - f["retransmitted_bytes"] for f in run.flows)) / case.stop_s


def _document(case: Dumbbell, name: str) -> scenarios.Document:
    return scenarios.dumbbell(case, **({"header": "40B"} if name == EQUAL_SIZE else {}))


def _kind(name: str) -> str:
    return "vegas" if name == EQUAL_SIZE else name


def table1() -> list[Check]:
    """Check each entry of Table 1, and the order of the variants."""
    records = {
        reference.variant(r["variant"]): r
        for r in reference.read_json("abadin/table1.json")
        if r["setting"] == "K" and r["seed"] == 0
    }
    measured: dict[str, float] = {}
    checks = []
    for name in (*NAMES, EQUAL_SIZE):
        case = scenarios.table1(_kind(name))
        run = ours.run(_document(case, name))
        measured[name] = throughput(case, run)
        expected = records[name]["throughput_Bps"]
        deviation = measured[name] / expected - 1
        counts = [(f.sent, f.retransmitted, f.acked, f.timeouts) for f in run.flow_counts()]
        theirs = [tuple(f.values()) for f in records[name]["flows"]]
        checks.append(
            Check(
                GROUP,
                f"Table 1, {name}: throughput, B/s",
                f"{expected:.2f} within 0.3 %",
                f"{measured[name]:.2f} ({deviation:+.3%})",
                abs(deviation) <= 0.003,
                f"sent, retransmitted, acked, timeouts per flow: ours {counts}, ns-2 {theirs}",
            )
        )
    order = (
        measured["tahoe"] < measured["reno"] < min(measured["newreno"], measured["sack"])
        and max(measured["newreno"], measured["sack"]) < measured["vegas"]
    )
    ranking = " < ".join(sorted(NAMES, key=lambda n: measured[n]))
    checks.append(Check(GROUP, "Table 1: order", "tahoe < reno < {newreno, sack} < vegas", ranking, order))
    return checks


def _point(record: dict[str, Any], mean: float) -> bool:
    """Return true if our mean lies in ns-2's 95 % interval, or within 3 % of ns-2's mean."""
    theirs = record["throughput_Bps"]
    margin = max(t_half_width(theirs["sd"], theirs["n"]), 0.03 * theirs["mean"])
    return bool(abs(mean - theirs["mean"]) <= margin)


def _more_seeds(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the recorded sweeps, with points of the error sweep replaced by the study's ns-2 runs with more seeds."""
    text = files("ackclock.studies.abadin").joinpath("reference", "points.csv").read_text(encoding="utf-8")
    kept = {
        (float(row["x"]), {"vegas40": EQUAL_SIZE}.get(row["variant"], row["variant"])): {
            "n": int(row["n"]), "mean": float(row["mean_Bps"]), "sd": float(row["sd_Bps"])
        }
        for row in csv.DictReader(text.splitlines())
        if row["experiment"] == "error"
    }  # fmt: skip
    return [
        record | {"throughput_Bps": kept[float(record["x"]), reference.variant(record["variant"])]}
        if record["sweep"] == "error"
        else record
        for record in records
    ]


def sweeps() -> list[Check]:
    """Check the number of points of each sweep that agree; in the error sweep also by variant."""
    records = _more_seeds(reference.read_json("abadin/sweeps.json"))
    jobs = []
    index = []
    for r, record in enumerate(records):
        name = reference.variant(record["variant"])
        case = scenarios.sweep(record["sweep"], record["x"], _kind(name))
        document = _document(case, name)
        for s in range(ERROR_SEEDS if record["sweep"] == "error" else record["throughput_Bps"]["n"]):
            jobs.append((document, 1 + s, 0.0))
            index.append((r, case))
    samples: dict[int, list[float]] = defaultdict(list)
    for (r, case), run in zip(index, ours.run_many(jobs), strict=True):
        samples[r].append(throughput(case, run))
    agree: dict[tuple[str, str], list[bool]] = defaultdict(list)
    lines: dict[str, list[str]] = defaultdict(list)
    for r, record in enumerate(records):
        name, sweep = reference.variant(record["variant"]), record["sweep"]
        mean, sd = mean_sd(samples[r])
        good = _point(record, mean)
        agree[sweep, name].append(good)
        if not good:
            theirs = record["throughput_Bps"]
            lines[sweep].append(
                f"{sweep} = {record['x']}, {name}: {mean:.0f} (sd {sd:.0f}), "
                f"ns-2 {theirs['mean']:.0f} (sd {theirs['sd']:.0f})"
            )
    checks = []
    for sweep in SWEEPS:
        points = [good for (s, name), all_ in agree.items() if s == sweep and name in NAMES for good in all_]
        checks.append(
            Check(
                GROUP,
                f"sweep {sweep}: points inside ns-2's 95 % interval or within 3 %",
                "90 %",
                f"{sum(points)} of {len(points)}",
                sum(points) >= 0.9 * len(points),
                "\n".join(lines[sweep]),
            )
        )
    for name in (*NAMES, EQUAL_SIZE):
        points = agree["error", name]
        checks.append(
            Check(
                GROUP, f"sweep error, {name}", "8 of 10", f"{sum(points)} of {len(points)}", sum(points) >= 8
            )
        )
    return checks


def checks() -> list[Check]:
    """Return the checks of Table 1 and of the sweeps."""
    return table1() + sweeps()
