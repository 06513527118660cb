"""The Rust crates that others may use can be packaged together with the crates that they depend on."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs Rust")
def test_front_doors_are_packaged_with_their_rooms(tmp_path: Path) -> None:
    command = [sys.executable, str(PROJECT / "packaging" / "crates.py"), str(tmp_path / "copy")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = {path.stem.rsplit("-", 1)[0]: path for path in (tmp_path / "copy/target/package").glob("*.crate")}
    assert {"ackclock", "ackclock-tcp", "ackclock-quinn"} <= made.keys()
    for name, path in made.items():
        with tarfile.open(path) as archive:
            file = archive.extractfile(f"{path.stem}/Cargo.toml")
            assert file is not None
            manifest = tomllib.loads(file.read().decode())
        # A registry requires that dependencies have a version; dependencies on our crates must be among the packages.
        needed = manifest.get("dependencies", {})
        ours = {one.get("package", key) for key, one in needed.items() if key != "version"}
        assert {one for one in ours if one.startswith("ackclock")} <= made.keys(), name
        assert all("path" not in one and "version" in one for one in needed.values()), name
