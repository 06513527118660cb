"""Links from the gallery into the laboratory: they hold the runs that an example made."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from pathlib import Path

from docs.laboratory import MOST, links

import ackclock as ac

PROJECT = Path(__file__).resolve().parents[2]

SCRIPT = """
import ackclock as ac
from docs import laboratory
laboratory.record()
net = ac.dumbbell(["newreno"], duration="1s")
net.run(seed=5)
ac.runs.run_many([(net.set("duration", "2s"), 7, 0.5)])
print(laboratory.links(laboratory._made, "../"))
"""


def states(rst: str) -> list[dict[str, object]]:
    """Return the states in the links of RST."""
    found = re.findall(r'href="\.\./lab\.html#lab=([\w-]+)"', rst)
    return [
        json.loads(zlib.decompress(base64.urlsafe_b64decode(one + "=" * (-len(one) % 4)), -zlib.MAX_WBITS))
        for one in found
    ]


def test_the_runs_of_an_example_are_linked() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    first, second = states(done.stdout)
    assert (first["seed"], first.get("jitter")) == (5, None)
    assert (second["seed"], second["jitter"]) == (7, 0.5)
    assert 'duration = "2s"' in str(second["text"])
    assert "run 1 (newreno)" in done.stdout


def test_few_runs_are_linked_and_only_those_that_a_browser_can_make() -> None:
    base = ac.dumbbell(["newreno"], duration="1s")
    many = [(base.set("duration", f"{i}s"), 1, 0.0) for i in range(1, MOST + 4)]
    rst = links(many, "../")
    assert len(states(rst)) == MOST
    assert f"the first {MOST} of {MOST + 3}" in rst
    assert links([(ac.load("quic"), 1, 0.0)], "../") == ""
