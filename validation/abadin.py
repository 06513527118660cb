"""Study abadin against the reference's setting K: Table 1 and the sweeps.

A point of a sweep agrees if its mean is equivalent to ns-2's within `MARGIN`, by the tests of `validation.stats`; the
margin and the shares of points were set before the tests. Points for which the runs cannot decide count for neither
side.

The recorded sweep of error rates has ten seeds a point. Its means lie up to 7 % from those of 100 to 1000 seeds, which
the study keeps (`python/ackclock/studies/abadin/reference/README.md`). The error sweep is compared with the latter.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from validation import ours, reference, scenarios
from validation.check import Check
from validation.ns2 import Dumbbell
from validation.stats import Compared, compared, mean_sd

GROUP = "Study abadin"
NAMES = ("tahoe", "reno", "newreno", "sack", "vegas")
SWEEPS = ("error", "bandwidth_Mbps", "sources_q20", "sources_q50", "delay_ms", "buffer_pkts")
EQUAL_SIZE = "vegas1040"
"""Vegas with the 40-byte header that ns-2's Vegas lacks, so that its packets are as large as the other variants'."""
ERROR_SEEDS = 400
"""Number of replications of each point with random loss; ackclock's own sampling error is then negligible."""
MARGIN = 0.03
"""Greatest difference from ns-2's mean that counts as agreement, as a fraction of that mean."""
SWEEP_SHARE = 0.9
"""Share of a sweep's points that must agree."""
VARIANT_SHARE = 0.8
"""Share of the error sweep's points of one variant that must agree."""


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


def _point(record: dict[str, Any], samples: list[float]) -> Compared:
    """Compare the mean of a point with ns-2's."""
    theirs = record["throughput_Bps"]
    return compared(
        (*mean_sd(samples), len(samples)), (theirs["mean"], theirs["sd"], theirs["n"]), MARGIN, form=".0f"
    )


def judged(name: str, verdicts: Sequence[bool | None], share: float, detail: str = "") -> Check:
    """Return the check that a share of points agrees, given each point's verdict: `None` where the runs cannot decide.

    It passes once enough points agree, and fails once so many differ that the rest cannot make up for them.
    """
    agree, differ = verdicts.count(True), verdicts.count(False)
    enough = share * len(verdicts)
    passed = True if agree >= enough else False if len(verdicts) - differ < enough else None
    return Check(
        GROUP,
        name,
        f"at least {share:.0%}",
        f"{agree} of {len(verdicts)}; {differ} differ, {len(verdicts) - agree - differ} cannot be decided",
        passed,
        detail,
        undecided=passed is None,
    )


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
    verdicts: dict[tuple[str, str], list[bool | None]] = defaultdict(list)
    lines: dict[str, list[str]] = defaultdict(list)
    for r, record in enumerate(records):
        name, sweep = reference.variant(record["variant"]), record["sweep"]
        found = _point(record, samples[r])
        verdicts[sweep, name].append(found.passed)
        if not found.passed:
            lines[sweep].append(f"{sweep} = {record['x']}, {name}: {found.text}")
    checks = []
    for sweep in SWEEPS:
        points = [
            good for (s, name), all_ in verdicts.items() if s == sweep and name in NAMES for good in all_
        ]
        name = f"sweep {sweep}: points equivalent to ns-2's within {MARGIN:.0%}"
        checks.append(judged(name, points, SWEEP_SHARE, "\n".join(lines[sweep])))
    for name in (*NAMES, EQUAL_SIZE):
        text = f"sweep error, {name}: points equivalent to ns-2's within {MARGIN:.0%}"
        checks.append(judged(text, verdicts["error", name], VARIANT_SHARE))
    return checks


def checks() -> list[Check]:
    """Return the checks of Table 1 and of the sweeps."""
    return table1() + sweeps()
