"""Bit-identity: every example gives the same bytes on every machine. CI runs this on each platform."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import ackclock as ac

SCENARIOS = Path(ac.__file__).parent / "scenarios"
GOLDEN = Path(__file__).parent / "golden" / "examples.json"
"""SHA-256 of the summary of each example, and of its trace of windows.

Any change of what a scenario yields changes them. After one that is meant: UPDATE_GOLDEN=1 pytest.
"""


def digests(example: Path) -> dict[str, str]:
    run = ac.load(example).run(traces=["cwnd"])
    rows = run.trace("cwnd").to_polars().write_csv()
    return {
        "summary": hashlib.sha256(run.summary_json.encode()).hexdigest(),
        "cwnd": hashlib.sha256(rows.encode()).hexdigest(),
    }


def test_every_example_gives_the_golden_bytes():
    found = {example.stem: digests(example) for example in sorted(SCENARIOS.glob("*.toml"))}
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))
