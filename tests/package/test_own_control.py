"""The template of a congestion control in Rust builds outside the repository, as a command and as a Python module."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
TEMPLATE = PROJECT / "examples" / "own-control"
TARGET = PROJECT / "target"
"""The workspace's target folder, reused so that shared crates are not compiled twice."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a copy of the template in another folder and return that folder."""
    if shutil.which("cargo") is None:
        pytest.skip("needs Rust")
    copy = tmp_path_factory.mktemp("elsewhere") / "own-control"
    shutil.copytree(TEMPLATE, copy, ignore=shutil.ignore_patterns("target", "Cargo.lock", "*.so"))
    manifest = copy / "Cargo.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("../../crates", str(PROJECT / "crates")), encoding="utf-8")
    # Use the workspace's versions of third-party crates, so that compiled crates can be shared.
    shutil.copy(PROJECT / "Cargo.lock", copy)
    command = ["cargo", "build", "--quiet", "--workspace", "--target-dir", str(TARGET)]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    debug = TARGET / "debug"
    shutil.copy(debug / f"own-control{'.exe' if os.name == 'nt' else ''}", copy)
    names = ("lib_core.so", "lib_core.dylib", "_core.dll")
    library = next(path for path in map(debug.joinpath, names) if path.exists())
    shutil.copy(
        library, copy / "python" / "own_control" / ("_core.pyd" if os.name == "nt" else "_core.abi3.so")
    )
    return copy


def rust(built: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    """Run the template's own command."""
    command = [str(next(built.glob("own-control*"))), "gentle.toml", *settings]
    return subprocess.run(command, cwd=built, capture_output=True, text=True, check=False)


def python(built: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the template's package on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "ACKCLOCK_CORE"}
    environment["PYTHONPATH"] = f"{built / 'python'}{os.pathsep}{PROJECT / 'python'}"
    return subprocess.run(
        [sys.executable, *arguments], cwd=built, env=environment, capture_output=True, text=True, check=False
    )


def test_its_development_builds_are_those_of_ackclock():
    """Crates compiled for the workspace serve the template only if the profiles are equal."""
    profiles = [
        tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))["profile"]["dev"]
        for folder in (PROJECT, TEMPLATE)
    ]
    assert profiles[0] == profiles[1]


def test_the_command_has_the_control(built: Path) -> None:
    done = rust(built)
    assert done.returncode == 0, done.stderr
    flows = json.loads(done.stdout)["flows"]
    assert [flow["variant"] for flow in flows] == ["gentle", "sack"]
    assert flows[0]["goodput_bps"] > 1e6
    assert json.loads(rust(built, "flow.0.tcp.control.beta=0.3").stdout)["flows"][0] != flows[0]
    refused = rust(built, "flow.0.tcp.control.beta=3")
    assert refused.returncode == 2
    assert "0.1 to 0.99" in refused.stderr


def test_python_runs_the_same_packets(built: Path) -> None:
    said = "import own_control, ackclock as ac; print(ac.load('gentle.toml').run().summary_json)"
    done = python(built, "-c", said)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["flows"] == json.loads(rust(built).stdout)["flows"]


def test_it_can_be_stepped_and_traced(built: Path) -> None:
    said = (
        "import own_control, ackclock as ac\n"
        "run = ac.load('gentle.toml').start(seed=1)\n"
        "run.advance('2s'); fork = run.fork(); run.finish(); fork.finish()\n"
        "print(list(ac.load('gentle.toml').run(traces=['control']).trace('control').to_polars().to_dict(as_series=False).values()))\n"
    )
    done = python(built, "-c", said)
    assert done.returncode == 0, done.stderr
    assert "cuts" in done.stdout


def test_the_command_line_has_the_variant(built: Path, tmp_path: Path) -> None:
    listed = python(built, "-m", "own_control", "list", "variants")
    assert "gentle" in listed.stdout, listed.stderr
    out = tmp_path / "out"
    words = [
        "compare",
        "gentle",
        "cubic",
        "--reps",
        "2",
        "--duration",
        "2s",
        "--executor",
        "processes",
        "--out",
    ]
    done = python(built, "-m", "own_control", *words, str(out))
    assert done.returncode == 0, done.stderr
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["version"].endswith("+gentle.0.1.0")
    again = python(built, "-m", "own_control", "compare", "--again", str(out))
    assert again.returncode == 0, again.stderr
    slip = python(built, "-m", "own_control", "compare", "gentel", "cubic")
    assert slip.returncode == 2
    assert "did you mean `gentle`?" in slip.stderr


def test_a_result_is_not_made_again_without_the_control(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["compare", "gentle", "--reps", "2", "--duration", "2s", "--out", str(out)]
    assert python(built, "-m", "own_control", *words).returncode == 0
    again = python(built, "-m", "ackclock", "compare", "--again", str(out))
    assert again.returncode != 0
    assert "gentle" in again.stderr


def test_it_comes_before_anything_else_of_ours(built: Path) -> None:
    late = python(built, "-c", "import ackclock as ac; ac.dumbbell; import own_control")
    assert late.returncode != 0
    assert "before anything else" in late.stderr
    missing = python(built, "-c", "import ackclock as ac; ac.use_core('nowhere._core')")
    assert "No module named 'nowhere'" in missing.stderr
