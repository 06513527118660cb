"""Access to the reference data, which is not part of the project; without the data, checks are skipped."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

from validation.ns2 import AGENTS, LINUX, Change, Event

PROJECT = Path(__file__).resolve().parents[1]
REFERENCE = PROJECT.parent / "shared" / "reference"
WIRED = REFERENCE / "wired"


class MissingReference(Exception):  # noqa: N818 - not an error: a reason to skip
    """Raised if the reference data is missing, so that a group is skipped."""


def path(name: str, part: str = "wired") -> Path:
    """Return the path of a reference file, given as a path below `wired` or below another part."""
    found = REFERENCE / part / name
    if not found.exists():
        raise MissingReference(f"no reference data at ../shared/reference/{part}/{name}: not compared")
    return found


def read_json(name: str, part: str = "wired") -> Any:
    """Read a JSON file of the reference, given as a path below `wired` or below another part."""
    return json.loads(path(name, part).read_text(encoding="utf-8"))


def variant(name: str) -> str:
    """Return our name of a variant from the reference's spelling (`Sack1` becomes `sack`)."""
    if name.startswith("L:"):
        return LINUX + name.removeprefix("L:")
    return {"Sack1": "sack"}.get(name, name.lower())


def fallfloyd_tests() -> list[dict[str, Any]]:
    """Return the packet tests of ns-2's own variants that ackclock has (without the `_full` agents and `_sackRH`)."""
    return [t for t in read_json("fallfloyd/results.json") if variant(t["variant"]) in AGENTS]


def fallfloyd_events(test: str) -> list[Event]:
    """Return the packet trace of a Fall and Floyd test with ackclock's names of places."""
    places = {"send": "s1", "ack": "s1", "acksent": "k1"}
    with path(f"fallfloyd/{test}.csv").open(encoding="ascii") as file:
        return [
            Event(
                float(row["time_s"]), row["event"], int(row["seq"]), int(row["bytes"]),
                0, places.get(row["event"], "r1>k1"),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def fallfloyd_changes(test: str) -> list[Change]:
    """Return the changes of cwnd and ssthresh in a Fall and Floyd test."""
    with path(f"fallfloyd/{test}.cwnd.csv").open(encoding="ascii") as file:
        return [
            Change(float(r["time_s"]), r["var"].rstrip("_"), float(r["value"])) for r in csv.DictReader(file)
        ]


def cwnd_changes(name: str) -> list[Change]:
    """Return the changes of cwnd and ssthresh in a single-flow run, such as `sack_w1000`."""
    with gzip.open(path(f"cwnd/{name}.events.csv.gz"), "rt", encoding="ascii") as file:
        return [
            Change(float(r["time_s"]), r["var"].rstrip("_"), float(r["value"])) for r in csv.DictReader(file)
        ]


def grid_cases() -> list[dict[str, Any]]:
    """Return the generic dumbbells of which ackclock has all variants, without TCP-Linux."""
    return [c for c in read_json("grid.json") if all(variant(v) in AGENTS for v in c["variants"])]


def linux_grid_cases() -> list[dict[str, Any]]:
    """Return the generic dumbbells with a TCP-Linux flow."""
    return [c for c in read_json("grid.json") if any(v.startswith("L:") for v in c["variants"])]


def grid_case(number: int) -> dict[str, Any]:
    """Return the generic dumbbell number `number`; only those of `grid_cases` are allowed."""
    for case in grid_cases():
        if case["case"] == number:
            return case
    raise ValueError(f"the grid has no native case {number}: {[c['case'] for c in grid_cases()]}")
