"""The examples in the package are found by name, but a user's file takes precedence."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import ackclock as ac
from ackclock.cli.app import app
from ackclock.scenario import examples


def test_every_example_has_a_sentence_and_loads() -> None:
    assert {"dumbbell", "adhoc", "lte", "cellular"} <= set(examples.names())
    for name in examples.names():
        assert examples.summary(name).endswith((".", "?")), name
        assert ac.load(name).document()["flow"], name


def test_a_file_of_the_same_name_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = ac.load("dumbbell", ["duration=7s"])
    Path("dumbbell").write_text(own.to_toml(), encoding="utf-8")
    assert ac.load("dumbbell").document()["duration"] == "7s"
    # A name with a folder or a suffix is that of a file, never of an example.
    for name in ("mine/cellular", "cellular.toml"):
        with pytest.raises(ac.errors.FileError, match="No such file"):
            ac.load(name)


def test_a_typo_meets_the_nearest_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ac.errors.FileError, match="did you mean the example dumbbell"):
        ac.load("dumbell")


def test_the_command_line_lists_and_runs_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed = CliRunner().invoke(app, ["list", "scenarios", "--json"])
    assert listed.exit_code == 0
    assert '"name": "dumbbell"' in listed.output
    ran = CliRunner().invoke(app, ["run", "dumbbell", "--set", "duration=2s", "--json", "-"])
    assert ran.exit_code == 0, ran.output
