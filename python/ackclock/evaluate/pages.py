"""Writes the reference page of the criteria: ``python -m ackclock.evaluate.pages docs/reference/evaluate.md``."""

from __future__ import annotations

import sys
from pathlib import Path

from ackclock._io.files import atomic_write
from ackclock.evaluate.criteria import CRITERIA
from ackclock.evaluate.declared import Case, Level, Metric
from ackclock.evaluate.plan import FULL, QUICK

INTRODUCTION = f"""\
# Criteria of `evaluate`

`ackclock evaluate NAME` compares a congestion control with baselines by these criteria. They follow RFC 9743,
*Specifying New Congestion Control Algorithms*; the numbers of its sections are those of its last draft. RFC 9743 sets
no thresholds, and the dossier compares only. A † marks numbers that were chosen here, among them all margins.

The full form has {FULL.reps} replications and {FULL.draws} draws of each size of change; the quick form has
{QUICK.reps} and {QUICK.draws}, and only the cases that are marked.

All flows have profile `linux` unless the control says otherwise, and a receive buffer that may grow to 256 MB.
[Evaluating a control](../howto/evaluate-a-control.md) says how to read the results.

This page is written from the declarations of the criteria.
"""


def page() -> str:
    """Return the page's text."""
    parts = [INTRODUCTION]
    for criterion in CRITERIA.values():
        level = "" if criterion.level is Level.NONE else f" ({criterion.level})"
        where = f"RFC 9743, section {criterion.section}{level}." if criterion.section else "Added here."
        parts.append(f"\n## {criterion.key}\n\n{criterion.title}. {where} {criterion.question}\n")
        parts += [f"\n{text}\n" for text in (criterion.note, criterion.unavailable) if text]
        cases = criterion.cases()
        if cases:
            parts.append(f"\nSet-up: {criterion.setting}.\n\n{_metrics(cases)}\n{_cases(cases)}")
    return "".join(parts)


def _metrics(cases: tuple[Case, ...]) -> str:
    """Return the table of the metrics of cases."""
    found: dict[str, Metric] = {one.name: one for case in cases for one in case.metrics}
    rows = "".join(
        f"| `{one.name}` | {one.heading} | {one.better} | {_margin(one)} |\n" for one in found.values()
    )
    return f"| metric | meaning | better | margin † |\n| --- | --- | --- | --- |\n{rows}"


def _margin(metric: Metric) -> str:
    parts = [f"{metric.margin:.0%} of the baseline's" if metric.margin else ""]
    unit = f" {metric.unit}" if metric.unit else ""
    parts.append(f"{metric.floor * metric.scale:g}{unit}" if metric.floor else "")
    return ", at least ".join(one for one in parts if one) or "none"


def _cases(cases: tuple[Case, ...]) -> str:
    """Return the table of cases."""
    rows = "".join(f"| `{case.key}` | {case.title} | {'yes' if case.quick else ''} |\n" for case in cases)
    return f"| case | conditions | quick |\n| --- | --- | --- |\n{rows}"


if __name__ == "__main__":
    atomic_write(Path(sys.argv[1]), page())
