"""``ackclock sweep`` as a process: without a grid, and with a second grid in the same folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ackclock.cli.main import main

SHORT = ("--set", "duration=1s", "--reps", "2", "-q")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def varied(folder: Path) -> list[str]:
    return list(json.loads((folder / "manifest.json").read_text())["vary"])


def test_a_sweep_without_a_grid_says_how_one_is_given(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "bufferbloat", "--set", "duration=1s"]) == 0
    said = capsys.readouterr().err
    assert "nothing varies, so the file alone is run 10 times" in said
    assert "--vary link." in said
    assert varied(here / "results" / "bufferbloat-sweep") == []


def test_replications_that_are_asked_for_need_no_grid(here: Path) -> None:
    assert main(["sweep", "dumbbell", *SHORT]) == 0
    assert varied(here / "results" / "dumbbell-sweep") == []


def test_a_second_grid_has_a_folder_of_its_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rate, queue = "link.bottleneck.rate", "link.bottleneck.queue.packets"
    first, second = (here / "results" / name for name in ("dumbbell-sweep", f"dumbbell-sweep-{queue}"))
    assert main(["sweep", "dumbbell", *SHORT, "--vary", f"{rate}=1Mbps,2Mbps"]) == 0
    kept = (first / "points.csv").read_bytes()
    capsys.readouterr()
    for values in ("5,20", "5,20,50"):  # a grid with more values goes into the same folder
        assert main(["sweep", "dumbbell", *SHORT, "--vary", f"{queue}={values}"]) == 0
        assert f"this one goes to results/dumbbell-sweep-{queue}" in capsys.readouterr().err
    assert (first / "points.csv").read_bytes() == kept
    assert (varied(first), varied(second)) == ([rate], [queue])
    assert main(["sweep", "dumbbell", *SHORT, "--set", "seed=4", "--vary", f"{queue}=5,20"]) == 0
    assert len(list((here / "results").iterdir())) == 3


def test_a_folder_that_is_named_is_refused_to_another_grid(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", "dumbbell", *SHORT, "--out", "own", "--vary", "link.bottleneck.delay=5ms,9ms"]) == 0
    capsys.readouterr()
    assert main(["sweep", "dumbbell", *SHORT, "--out", "own", "--vary", "duration=1s,2s"]) == 2
    assert "keep both: --out DIR" in capsys.readouterr().err
