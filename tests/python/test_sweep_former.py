"""Folders and names of the previous version still work, with a warning that gives the new name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import ackclock as ac
from ackclock import _core
from ackclock.sweeps import Sweep, SweepResult
from ackclock.sweeps.shards import FILE, Shard, merge, run_shard
from ackclock.sweeps.store import Store

NEW = (
    *("jitter_mean_s", "fct_p50_s", "fct_p95_s", "fct_p99_s"),
    *("slowdown_mean", "slowdown_p50", "slowdown_p95", "slowdown_p99"),
)
ADDED = {"runs.csv": set(NEW), "points.csv": {f"{name}{end}" for name in NEW for end in ("", "_ci", "_n")}}
"""Columns that this version has in addition."""

FORMER = Path(__file__).parents[1] / "data" / "former"
"""Folders written by the previous version: a sweep of two points and three replications, and its two shards."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the folders.

    The version is patched to that of the folders, so that their finished runs are not repeated.
    """
    shutil.copytree(FORMER, tmp_path / "former")
    made_by = json.loads((FORMER / "sweep" / "manifest.json").read_text())["version"]
    monkeypatch.setattr(_core, "__version__", made_by)
    return tmp_path / "former"


def the_sweep(folder: Path) -> Sweep:
    return Sweep.of_manifest(json.loads((folder / "manifest.json").read_text()))


def test_a_folder_of_the_version_before_goes_on_where_it_was(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    found = the_sweep(folder / "sweep").run(folder / "sweep", progress=lambda *both: told.append(both))
    assert told == [(6, 6)], "finished runs were run again"
    assert len(found.jobs) == 6
    for name in ("manifest.json", "results.csv", "scenario.toml"):
        assert (folder / "sweep" / name).read_bytes() == (FORMER / "sweep" / name).read_bytes(), name
    for name in ("runs.csv", "points.csv"):
        now, former = (pl.read_csv(at / "sweep" / name) for at in (folder, FORMER))
        assert now.select(former.columns).equals(former), name
        assert set(now.columns) - set(former.columns) == ADDED[name]
    assert (folder / "sweep" / Store.FORMER).exists()
    assert not (folder / "sweep" / Store.FILE).exists()


def test_a_new_folder_has_the_new_name(folder: Path) -> None:
    the_sweep(folder / "sweep").run(folder / "new")
    assert (folder / "new" / Store.FILE).exists()
    assert not (folder / "new" / Store.FORMER).exists()
    found, former = (pl.read_csv(at / "points.csv") for at in (folder / "new", FORMER / "sweep"))
    # Only NewReno's row is compared, since CUBIC's numbers have changed.
    shared = [name for name in former.columns if name in found.columns]
    assert found.select(shared).row(0) == former.select(shared).row(0)
    assert (len(shared), found.height) == (former.width, former.height)


def test_shards_of_the_version_before_are_merged_and_go_on(folder: Path) -> None:
    state = json.loads((folder / "shards" / "shard-1-of-2" / FILE).read_text())
    assert "campaign" in state
    found, told = merge([folder / "shards"])
    assert [len(values) for _, values in found.values("goodput_bps")] == [2, 2]
    assert told["command"].startswith("ackclock sweep small.toml")
    again: list[tuple[int, int]] = []
    run_shard(found.sweep, Shard(1, 2), folder / "shards", progress=lambda *both: again.append(both))
    assert again == [(2, 2)], "finished runs were run again"


def test_former_names_answer_with_a_warning(folder: Path) -> None:
    with pytest.warns(DeprecationWarning, match=r"ackclock\.Sweep is now ackclock\.sweeps\.SweepResult"):
        assert ac.Sweep is SweepResult
    with pytest.warns(DeprecationWarning, match=r"ackclock\.Campaign is now ackclock\.sweeps\.Sweep"):
        assert ac.Campaign is Sweep
    found, _ = merge([folder / "shards"])
    with pytest.warns(DeprecationWarning, match=r"\.campaign is now \.sweep"):
        assert found.campaign is found.sweep
