"""Compares counters, and cwnd at every change, with the reference's runs of single flows."""

from __future__ import annotations

import csv
from pathlib import Path

from validation import ours, reference, scenarios, traces
from validation.check import Check
from validation.ns2 import AGENTS, Change

GROUP = "Single flow"
PLOTS = reference.PROJECT / "results" / "validation"


def held(changes: list[Change], times: list[float], variable: str = "cwnd") -> list[float]:
    """Return the value of a variable at each of the ascending `times`, from a record of its changes."""
    steps = [c for c in changes if c.variable == variable]
    values = []
    k, value = 0, float("nan")
    for t in times:
        while k < len(steps) and steps[k].time_s <= t:
            value, k = steps[k].value, k + 1
        values.append(value)
    return values


def mean_windows(stem: str, changes: list[Change]) -> tuple[float, float]:
    """Return the reference's and our mean cwnd, segments, at the times from 20 s to 60 s that the reference sampled."""
    with reference.path(f"cwnd/{stem}.csv").open(encoding="ascii") as file:
        rows = [r for r in csv.DictReader(file) if 20 <= float(r["time_s"]) <= 60]
    theirs, ours_held = (
        [float(r["cwnd_pkts"]) for r in rows],
        held(changes, [float(r["time_s"]) for r in rows]),
    )
    return sum(theirs) / len(rows), sum(ours_held) / len(rows)


def plot(name: str, theirs: list[Change], mine: list[Change], path: Path) -> None:
    """Draw both congestion windows over time into a PNG file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots()
    for label, changes, style in (("ns-2", theirs, "-"), ("ackclock", mine, "--")):
        steps = [c for c in changes if c.variable == "cwnd"]
        axes.step([c.time_s for c in steps], [c.value for c in steps], style, where="post", label=label, lw=1)
    axes.set(xlabel="time (s)", ylabel="cwnd (segments)", title=name)
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)


def _variant(record: dict[str, object], name: str) -> list[Check]:
    run = ours.run(scenarios.dumbbell(scenarios.single(name)), traces=["cwnd"])
    count = run.flow_counts()[0]
    expected = (record["sent_pkts"], record["retx_pkts"], record["acked_pkts"])
    got = (count.sent, count.retransmitted, count.acked)
    stem = f"{name}_w1000"
    theirs, mine = reference.cwnd_changes(stem), run.changes()
    their_mean, our_mean = mean_windows(stem, mine)
    plot(name, theirs, mine, PLOTS / f"cwnd_{name}.png")
    difference = traces.change_difference(theirs, mine, start_s=0.0)
    return [
        Check(
            GROUP,
            f"{name}: packets sent, retransmitted, acked",
            f"{expected}, each within 1 % or 5",
            str(got),
            all(
                abs(a - b) <= max(5, 0.01 * b)
                for a, b in zip(got, expected, strict=True)
                if isinstance(b, int)
            ),
        ),
        Check(
            GROUP,
            f"{name}: mean cwnd, 20 s to 60 s",
            f"{their_mean:.2f} within 1 %",
            f"{our_mean:.2f}",
            abs(our_mean / their_mean - 1) <= 0.01,
        ),
        Check(
            GROUP,
            f"{name}: cwnd and ssthresh at every change",
            "equal to the trace's digits",
            difference or "equal",
            difference is None,
        ),
    ]


def checks() -> list[Check]:
    """Check every variant that ns-2 itself has."""
    result = []
    for record in reference.read_json("cwnd/results.json"):
        name = reference.variant(record["variant"])
        if name in AGENTS:
            result += _variant(record, name)
    return result
