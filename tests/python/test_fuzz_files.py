"""Damaged manifests, shards, stores, results and data of studies: each is read, or refused in words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.python.fuzz_files import FOUND, TARGETS, attempt, changed, file_of, make

from ackclock.errors import FileError
from ackclock.runs.columns import parsed

CHANGED = 12
"""Number of changed files of each target in a test run; `make fuzz` reads more."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of all targets."""
    made = tmp_path_factory.mktemp("written")
    make(made)
    return made


@pytest.mark.parametrize("name", TARGETS)
def test_a_changed_file_is_read_or_refused(name: str, folder: Path) -> None:
    whole = file_of(folder, name).read_bytes()
    assert attempt(folder, name, whole), "the file as it was written"
    for number in range(CHANGED):
        attempt(folder, name, changed(whole, random.Random(f"1 {name} {number}")))
    for path in sorted((FOUND / name).glob("*")):
        attempt(folder, name, path.read_bytes())


def test_changes_reach_what_is_behind_a_digest(folder: Path) -> None:
    """Some changed stores are accepted, and some are refused for a summary: their digests do not hide everything."""
    whole = file_of(folder, "sweep_store").read_bytes()
    outcomes = set()
    for number in range(40):
        content = changed(whole, random.Random(f"2 {number}"))
        outcomes.add(attempt(folder, "sweep_store", content))
    assert outcomes == {True, False}


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '"x"', '{"flows": 1}', '{"flows": [1]}', "[" * 100_000])
def test_a_damaged_summary_names_its_run(text: str) -> None:
    with pytest.raises(FileError, match="run 3fa8 is damaged"):
        parsed("3fa8", text)
