"""Fall and Floyd's tests, packet by packet, with traces from `tests/data`; for Vegas also other drop lists."""

import csv
import gzip
from collections import defaultdict
from pathlib import Path

import pytest

from validation import ns2, ours, scenarios, traces

DATA = Path(__file__).parents[1] / "data"
KINDS = {"send": "s1", "ack": "s1", "drop": "r1>k1"}


def read_extract() -> dict[str, tuple[ns2.FallFloyd, list[ns2.Event]]]:
    cases: dict[str, ns2.FallFloyd] = {}
    events: dict[str, list[ns2.Event]] = defaultdict(list)
    with gzip.open(DATA / "fallfloyd.csv.gz", "rt", encoding="ascii") as file:
        for row in csv.DictReader(file):
            name, kind = row["test"], row["event"]
            drops = tuple(int(x) for x in row["drops"].split())
            cases[name] = ns2.FallFloyd(row["variant"], drops, "_SA_" in name)
            event = ns2.Event(float(row["time_s"]), kind, int(row["seq"]), int(row["bytes"]), 0, KINDS[kind])
            events[name].append(event)
    return {name: (case, events[name]) for name, case in cases.items()}


def read_vegas() -> dict[str, tuple[ns2.FallFloyd, list[ns2.Event]]]:
    events: dict[str, list[ns2.Event]] = defaultdict(list)
    with gzip.open(DATA / "vegas.csv.gz", "rt", encoding="ascii") as file:
        for row in csv.DictReader(file):
            kind = row["event"]
            event = ns2.Event(float(row["time_s"]), kind, int(row["seq"]), int(row["bytes"]), 0, KINDS[kind])
            events[row["drops"]].append(event)
    case = {name: tuple(int(x) for x in name.split()) for name in events}
    return {
        f"vegas {name}": (ns2.FallFloyd("vegas", case[name], binary=True, stop_s=25.0), events[name])
        for name in events
    }


CASES = read_extract() | read_vegas()


@pytest.mark.parametrize("name", CASES)
def test_same_segments_sent_lost_and_acknowledged_at_the_same_times(name: str) -> None:
    case, expected = CASES[name]
    run = ours.run(scenarios.fallfloyd(case), traces=["segments"])
    kinds = {e.kind for e in expected}
    got = [e for e in run.events() if e.kind in kinds and KINDS[e.kind] == e.place]
    difference = traces.first_difference(expected, got, end_s=case.stop_s)
    assert difference is None, difference.report() if difference else ""
