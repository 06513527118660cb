"""Metadata of a release: Cargo.toml, CITATION.cff and changelog state the same version, and no crate is published."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import ackclock

PROJECT = Path(__file__).resolve().parents[2]


def manifest(path: str) -> dict[str, object]:
    return tomllib.loads((PROJECT / path).read_text(encoding="utf-8"))


def test_the_version_is_the_same_everywhere() -> None:
    workspace = manifest("Cargo.toml")["workspace"]
    version = workspace["package"]["version"]
    stated = {
        one["version"]
        for one in workspace["dependencies"].values()
        if isinstance(one, dict) and "path" in one
    }
    citation = re.search(
        r"^version: (.+)$", (PROJECT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE
    )
    changelog = re.search(
        r"^## \[?(\d+\.\d+\.\d+)", (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert citation is not None
    assert changelog is not None, "the changelog names no version"
    assert {version} == stated | {citation[1], changelog[1], ackclock.__version__}


def test_no_package_of_rust_is_published_by_accident() -> None:
    for path in sorted((PROJECT / "crates").glob("*/Cargo.toml")):
        package = tomllib.loads(path.read_text(encoding="utf-8"))["package"]
        assert package["name"].startswith("ackclock"), path
        assert package["publish"] == {"workspace": True}, path
        assert package["description"], path
    assert manifest("Cargo.toml")["workspace"]["package"]["publish"] is False
