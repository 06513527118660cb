"""The example of a transport stack builds outside the repository, as a command and as a module; so does the starter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ackclock.scenario.starters import stack_files

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATE = PROJECT / "examples" / "own-stack"
TARGET = PROJECT / "target"
"""The workspace's target folder, reused so that shared crates are not compiled twice."""

pytestmark = pytest.mark.slow


def cargo(folder: Path, *words: str) -> None:
    """Run cargo in a copy of a project, with the sources of this checkout and the workspace's versions of crates."""
    if shutil.which("cargo") is None:
        pytest.skip("needs Rust")
    manifest = folder / "Cargo.toml"
    text = manifest.read_text(encoding="utf-8")
    for place in ("../../crates", "../ackclock/crates"):
        text = text.replace(place, str(PROJECT / "crates"))
    manifest.write_text(text, encoding="utf-8")
    shutil.copy(PROJECT / "Cargo.lock", folder)
    command = ["cargo", *words, "--quiet", "--target-dir", str(TARGET)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a copy of the example in another folder and return that folder."""
    copy = tmp_path_factory.mktemp("elsewhere") / "own-stack"
    shutil.copytree(TEMPLATE, copy, ignore=shutil.ignore_patterns("target", "Cargo.lock", "*.so"))
    cargo(copy, "build", "--workspace")
    debug = TARGET / "debug"
    shutil.copy(debug / f"own-stack{'.exe' if os.name == 'nt' else ''}", copy)
    names = ("lib_core.so", "lib_core.dylib", "_core.dll")
    library = next(path for path in map(debug.joinpath, names) if path.exists())
    shutil.copy(
        library, copy / "python" / "own_stack" / ("_core.pyd" if os.name == "nt" else "_core.abi3.so")
    )
    return copy


def rust(built: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the example's own command."""
    command = [str(built / f"own-stack{'.exe' if os.name == 'nt' else ''}"), *words]
    return subprocess.run(command, cwd=built, capture_output=True, text=True, check=False)


def python(built: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the example's package on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "ACKCLOCK_CORE"}
    environment["PYTHONPATH"] = f"{built / 'python'}{os.pathsep}{PROJECT / 'python'}"
    return subprocess.run(
        [sys.executable, *arguments], cwd=built, env=environment, capture_output=True, text=True, check=False
    )


def test_the_starter_has_the_files_of_the_example() -> None:
    starter = stack_files()
    for name in ("module/Cargo.toml", "module/src/lib.rs", "pyproject.toml", "src/main.rs"):
        assert starter[name] == (TEMPLATE / name).read_text(encoding="utf-8"), name
    for name in ("__init__.py", "__main__.py"):
        path = f"python/own_stack/{name}"
        assert starter[path] == (TEMPLATE / path).read_text(encoding="utf-8"), name
    profiles = [
        tomllib.loads(text)["profile"]["dev"]
        for text in (starter["Cargo.toml"], (PROJECT / "Cargo.toml").read_text(encoding="utf-8"))
    ]
    assert profiles[0] == profiles[1]


def test_the_starter_builds_and_keeps_the_contract(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ackclock", "init", "stack", "--out", "mine"], cwd=tmp_path, check=False
    )
    assert done.returncode == 0
    cargo(tmp_path / "mine", "test")


def test_the_command_has_the_stack(built: Path) -> None:
    done = rust(built, "beside.toml")
    assert done.returncode == 0, done.stderr
    flows = json.loads(done.stdout)["flows"]
    assert [flow["variant"] for flow in flows] == ["smoltcp-reno", "reno"]
    assert all(flow["goodput_bps"] > 1e5 for flow in flows), flows
    assert rust(built, "beside.toml").stdout == done.stdout
    refused = rust(built, "beside.toml", "flow.0.stack.variant=smoltcp-rino")
    assert refused.returncode == 2
    assert "did you mean `smoltcp-reno`?" in refused.stderr


def test_its_bytes_repeat(built: Path) -> None:
    done = rust(built, "check")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("two runs with one seed sent the same bytes at the same times") == 2
    checked = python(built, "-m", "own_stack", "check-stack", "smoltcp-cubic")
    assert checked.returncode == 0, checked.stderr
    assert "the same bytes" in checked.stdout


def test_python_runs_the_same_packets(built: Path) -> None:
    said = "import own_stack, ackclock as ac; print(ac.load('beside.toml').run().summary_json)"
    done = python(built, "-c", said)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["flows"] == json.loads(rust(built, "beside.toml").stdout)["flows"]


def test_every_verb_takes_it(built: Path, tmp_path: Path) -> None:
    listed = python(built, "-m", "own_stack", "list", "stacks")
    assert "smoltcp-reno" in listed.stdout, listed.stderr
    short = ["--reps", "2", "--duration", "3s"]
    verbs = {
        "compare": ["compare", "smoltcp-reno", "quinn-cubic", "reno", *short, "--executor", "processes"],
        "run": ["run", "beside.toml", "--set", "duration=3s"],
        "sweep": [
            "sweep",
            "beside.toml",
            "--vary",
            "flow.0.stack.variant=smoltcp-reno,smoltcp-cubic",
            "--reps",
            "2",
        ],
    }
    for verb, words in verbs.items():
        done = python(built, "-m", "own_stack", *words, "--out", str(tmp_path / verb))
        assert done.returncode == 0, (verb, done.stderr)
    manifest = json.loads((tmp_path / "compare" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["version"].endswith("+own-stack.0.1.0")
    judged = python(built, "-m", "own_stack", "conform", "smoltcp-reno", "--suite", "reno")
    assert judged.returncode in (0, 3), judged.stderr
    assert "not applicable" in judged.stdout


def test_a_result_is_not_made_again_without_the_stack(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["compare", "smoltcp-reno", "--reps", "2", "--duration", "2s", "--out", str(out)]
    done = python(built, "-m", "own_stack", *words)
    assert done.returncode == 0, done.stderr
    again = python(built, "-m", "ackclock", "compare", "--again", str(out))
    assert again.returncode != 0
    assert "own-stack" in again.stderr or "smoltcp" in again.stderr
