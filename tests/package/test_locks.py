"""The lock file of the fuzz targets, which `cargo test` does not read, names what our crates need."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_fuzz_targets_are_locked_with_what_crates_need() -> None:
    lock = tomllib.loads((PROJECT / "fuzz" / "Cargo.lock").read_text(encoding="utf-8"))
    locked = {
        package["name"]: {word.split()[0] for word in package.get("dependencies", ())}
        for package in lock["package"]
        if "source" not in package
    }
    manifests = {path.parent.name: path for path in (PROJECT / "crates").glob("*/Cargo.toml")}
    assert locked.keys() & manifests.keys() >= {"sim", "tcp", "quic"}
    for crate in locked.keys() & manifests.keys():
        needed = tomllib.loads(manifests[crate].read_text(encoding="utf-8")).get("dependencies", {}).keys()
        assert needed <= locked[crate], f"{crate}: run `cargo metadata` in the folder fuzz"
