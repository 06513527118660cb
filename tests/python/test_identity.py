"""Bit-identity: every example gives the same bytes on every machine. CI runs this on each platform."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.python.goldens import compact, differences, text_of, trace_differences, trace_rows

import ackclock as ac

SCENARIOS = Path(ac.__file__).parent / "scenarios"
EXAMPLES = sorted(path.stem for path in SCENARIOS.glob("*.toml"))
GOLDEN = Path(__file__).parents[1] / "data" / "examples"
"""Golden record of each example: the values of its summary, statistics of its windows, and the SHA-256 of both.

Any change in the results of a scenario changes these files. After an intended change: UPDATE_GOLDEN=1 pytest."""


def result(example: str) -> dict[str, Any]:
    """Run an example and return its golden record."""
    run = ac.load(SCENARIOS / f"{example}.toml").run(traces=["cwnd"])
    windows = run.trace("cwnd").to_polars()
    return {
        "sha256": {
            "summary": hashlib.sha256(run.summary_json.encode()).hexdigest(),
            "cwnd": hashlib.sha256(windows.write_csv().encode()).hexdigest(),
        },
        **compact(json.loads(run.summary_json)),
        "cwnd": trace_rows(windows.select("time_s", "flow", "variable", "value").rows()),
    }


def changes(golden: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Return a line for each field or series that changed."""
    own = ("sha256", "cwnd")
    tables = [{key: value for key, value in one.items() if key not in own} for one in (golden, found)]
    lines = [*differences(*tables), *trace_differences(golden["cwnd"], found["cwnd"])]
    if not lines and golden["sha256"] != found["sha256"]:
        both = [name for name in found["sha256"] if golden["sha256"].get(name) != found["sha256"][name]]
        lines = [f"{', '.join(both)}: the same values, written otherwise (order, names of empty fields)"]
    return lines


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_gives_the_golden_bytes(example: str) -> None:
    path = GOLDEN / f"{example}.json"
    found = json.loads(text_of(result(example)))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text_of(found), encoding="utf-8")
    golden = json.loads(path.read_text(encoding="utf-8"))
    said = changes(golden, found)
    assert not said, f"{example} gives other results:\n  " + "\n  ".join(said)


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_summary_is_what_its_text_says(example: str) -> None:
    """Values, their types and the order of keys are those of the JSON, from which the summary is not read."""
    run = ac.load(SCENARIOS / f"{example}.toml").run()
    assert json.dumps(run.summary) == json.dumps(json.loads(run.summary_json))


def test_goldens_are_those_of_the_examples() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.json")) == EXAMPLES


def test_a_change_is_told_field_by_field() -> None:
    golden = json.loads((GOLDEN / "dumbbell.json").read_text(encoding="utf-8"))
    found = json.loads(json.dumps(golden))
    assert changes(golden, found) == []
    found["flows"][1]["timeouts"] = 7
    del found["links"][0]["utilisation"]
    found["flows"][0]["lost_packets"]["aqm"] = 2
    found["cwnd"][0]["digests"] = " ".join(["0" * 8, *found["cwnd"][0]["digests"].split()[1:]])
    name, link = golden["flows"][1]["name"], golden["links"][0]
    said = changes(golden, found)
    assert f"flows[{name}].timeouts: {golden['flows'][1].get('timeouts', 'nothing')} -> 7" in said
    assert f"links[{link['name']}].utilisation: {link['utilisation']!r} -> nothing" in said
    assert f"flows[{golden['flows'][0]['name']}].lost_packets.aqm: nothing -> 2" in said
    assert (
        len([line for line in said if line.startswith("cwnd[flow 0 cwnd]: differs in its rows from 0 on")])
        == 1
    )
    assert len(said) == 4
    found = {**golden, "sha256": {**golden["sha256"], "summary": "0"}}
    assert changes(golden, found) == [
        "summary: the same values, written otherwise (order, names of empty fields)"
    ]
