"""THIRD-PARTY.txt lists the packages in Cargo.lock, with a licence text for each."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed")


@pytest.fixture(scope="module")
def notices() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notices", PROJECT / "packaging" / "notices.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_what_cargo_says(notices: ModuleType) -> None:
    assert notices.FILE.read_text(encoding="utf-8") == notices.written(), "make pages renews it"


def test_every_package_is_named_with_a_text(notices: ModuleType) -> None:
    written = notices.FILE.read_text(encoding="utf-8")
    packages = notices.crates()
    assert {"pyo3", "arrow-array", "libm"} <= {one["name"] for one in packages}
    for one in packages:
        assert f"{one['name']} {one['version']} ({one['license']})" in written
        assert all(text in written for text in notices.texts(one))


def test_what_only_compiles_or_tests_is_left_out(notices: ModuleType) -> None:
    names = {one["name"] for one in notices.crates()}
    assert not names & {"syn", "proc-macro2", "proptest", "criterion"}
