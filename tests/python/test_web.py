"""The core for browsers (`make web`) gives the command line's bytes, for every example and for random scenarios."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.python.random_scenarios import scenario

import ackclock as ac
from ackclock.report import laboratory

PROJECT = Path(__file__).resolve().parents[2]
CORE = PROJECT / "target" / "web" / "ackclock.wasm"
NODE = shutil.which("node")
SCENARIOS = Path(ac.__file__).parent / "scenarios"
EXAMPLES = sorted(path.stem for path in SCENARIOS.glob("*.toml"))
RANDOM = 200

pytestmark = pytest.mark.skipif(
    NODE is None or not CORE.exists(),
    reason="no core for browsers was built (`make web`), or there is no node",
)


def in_web(scenarios: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Run scenarios one after another in the core for browsers; return the hash or the problems of each."""
    lines = "".join(json.dumps(one) + "\n" for one in scenarios)
    script = PROJECT / "crates" / "web" / "js" / "summaries.mjs"
    done = subprocess.run(
        [str(NODE), str(script), str(CORE)], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def hash_here(text: str, folder: Path) -> str:
    """Return the hash of the summary in the package; `ackclock run --json -` prints the same bytes."""
    path = folder / "scenario.toml"
    path.write_text(text, encoding="utf-8")
    return hashlib.sha256(ac.load(path).run().summary_json.encode()).hexdigest()


@cache
def example(name: str) -> dict[str, Any]:
    """Return an example as input of the WebAssembly build, with all trace files if it names one."""
    files = {path.name: path.read_text(encoding="utf-8") for path in SCENARIOS.glob("*.trace")}
    text = (SCENARIOS / f"{name}.toml").read_text(encoding="utf-8")
    return {"scenario": text, "files": files if ".trace" in text else {}}


def test_every_example_gives_the_bytes_of_the_command_line() -> None:
    names = [name for name in EXAMPLES if name != "quic"]
    found = in_web([example(name) for name in names])
    here = [
        hashlib.sha256(ac.load(SCENARIOS / f"{name}.toml").run().summary_json.encode()).hexdigest()
        for name in names
    ]
    assert dict(zip(names, [one.get("sha256") for one in found], strict=True)) == dict(
        zip(names, here, strict=True)
    )


def test_random_scenarios_give_the_bytes_of_the_command_line(tmp_path: Path) -> None:
    texts = [scenario(seed) for seed in range(RANDOM)]
    found = in_web([{"scenario": text} for text in texts])
    different = []
    for seed, (text, one) in enumerate(zip(texts, found, strict=True)):
        assert "sha256" in one, f"scenario {seed}: {one}"
        if one["sha256"] != hash_here(text, tmp_path):
            different.append(seed)
    assert different == []
    assert sum(one["events"] for one in found) > 1_000_000


def test_the_command_line_prints_these_bytes() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ackclock", "run", "dumbbell", "--json", "-"],
        capture_output=True,
        check=True,
        text=True,
    )
    [found] = in_web([example("dumbbell")])
    assert hashlib.sha256(done.stdout.encode()).hexdigest() == found["sha256"]


def test_the_link_of_a_report_opens_the_very_same_run() -> None:
    found = ac.compare(["newreno", "cubic"], reps=2, duration="5s", seed=3)
    for variant in found.variants:
        first = found.jobs[variant][0]
        scenario = first.scenario
        [_, opened] = laboratory.runs([(variant, "a.toml", scenario.view, scenario.to_toml(), first.seed)])
        packed = opened.opened[0].fragment.removeprefix("#lab=")  # type: ignore[union-attr]
        given = json.loads(
            zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -zlib.MAX_WBITS)
        )
        [there] = in_web([{"scenario": given["text"], "seed": given["seed"]}])
        here = scenario.run(seed=first.seed).summary_json
        assert there["sha256"] == hashlib.sha256(here.encode()).hexdigest()


def test_quic_is_refused_in_a_clear_word() -> None:
    [found] = in_web([example("quic")])
    [problem] = found["problems"]
    assert problem["path"].endswith(".quic")
    assert "cryptography does not compile for browsers" in problem["text"]
    assert "`ackclock run` on the command line" in problem["text"]


def test_a_linux_kernel_is_refused_in_a_clear_word() -> None:
    text = example("dumbbell")["scenario"].replace(
        'tcp = { variant = "vegas" }', 'kernel = { control = "cubic" }'
    )
    [found] = in_web([{"scenario": text}])
    [problem] = found["problems"]
    assert problem["path"].endswith(".kernel")
    assert "the kernel runs on Linux (x86-64) alone" in problem["text"]


def test_memory_is_given_back_after_many_runs() -> None:
    one = {**example("dumbbell"), "set": [["duration", "5s"]]}
    found = in_web([one] * 100)
    assert len({run["sha256"] for run in found}) == 1
    assert found[-1]["memory_bytes"] == found[1]["memory_bytes"]


def test_hostile_scenarios_end_in_a_clear_word() -> None:
    text = example("dumbbell")["scenario"]
    long, many, odd = (
        text.replace('duration = "30s"', 'duration = "1000000000s"'),
        text.replace("[[flow]]", "[[flow]]\ncount = 1000000", 1).replace('name = "newreno"', 'name = "f{i}"'),
        text.replace('name = "newreno"', 'name = "<script>alert(1)</script>"'),
    )
    found = in_web([{"scenario": one} for one in (long, many, odd, "duration = ", text)])
    assert found[0]["problems"][0]["path"] == "duration"
    assert "problems" in found[1]
    assert "problems" in found[2] or "sha256" in found[2]
    assert found[3]["problems"][0]["line"] == 1
    assert "sha256" in found[4], "a refused scenario does no harm to the next"
