"""Reads and writes the kernel's results, which are recorded by `python -m validation.linux.record`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from validation.linux.mine import Measures, Outcome
from validation.reference import PROJECT

FOLDER = PROJECT / "tests" / "data" / "linux"
FLOWS = FOLDER / "flows.csv"
TRANSFERS = FOLDER / "transfers.csv"
FLOW_COLUMNS = ("cell", "flow", "control", "seeds", "goodput_bps", "cwnd", "rtt_ms", "retransmissions")
TRANSFER_COLUMNS = ("cell", "cwnd", "done_ms", "retransmissions")


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table; empty if there is no such file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def flows() -> dict[str, list[Measures]]:
    """Return the measurements of each flow as means over the seeds, by name of the cell."""
    found: dict[str, list[Measures]] = {}
    for row in rows(FLOWS):
        values = (float(row[name]) for name in ("goodput_bps", "cwnd", "rtt_ms", "retransmissions"))
        found.setdefault(row["cell"], []).append(Measures(*values))
    return found


def transfers() -> dict[str, Outcome]:
    """Return the result of each cell with a short transfer, by name of the cell."""
    return {
        row["cell"]: Outcome(
            tuple(
                (float(at), int(segment))
                for at, segment in (each.split(":") for each in row["retransmissions"].split())
            ),
            int(row["cwnd"]),
            float(row["done_ms"]),
        )
        for row in rows(TRANSFERS)
    }


def write(path: Path, columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table, replacing the existing file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
