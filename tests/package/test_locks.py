"""The lock file of the fuzz targets, which `cargo test` does not read, lists the dependencies of our crates."""

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
    manifests = {f"ackclock-{path.parent.name}": path for path in (PROJECT / "crates").glob("*/Cargo.toml")}
    assert locked.keys() & manifests.keys() >= {"ackclock-sim", "ackclock-tcp", "ackclock-quic"}
    declared = tomllib.loads((PROJECT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"][
        "dependencies"
    ]
    packages = {name: one.get("package", name) for name, one in declared.items() if isinstance(one, dict)}
    for crate in locked.keys() & manifests.keys():
        needed = tomllib.loads(manifests[crate].read_text(encoding="utf-8")).get("dependencies", {})
        assert {packages.get(name, name) for name in needed} <= locked[crate], (
            f"{crate}: run `cargo metadata` in the folder fuzz"
        )
