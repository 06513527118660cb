"""A study changed from the command line: settings, variants beside its own, made again, resumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ackclock.cli.app import app
from ackclock.errors import ScenarioError, UserError
from ackclock.studies import registry
from ackclock.studies.abadin.experiments import plan
from ackclock.studies.changes import Changes
from ackclock.studies.runs import simulate
from ackclock.sweep.store import Store

ABADIN = registry.get("abadin")


def planned(changes: Changes) -> list[str]:
    from dataclasses import replace

    chosen = replace(plan(quick=True, only="fig7"), changes=changes)
    return [job.document for job in ABADIN.changed(chosen)]


def test_a_setting_reaches_every_scenario():
    documents = [json.loads(text) for text in planned(Changes(("link.0.rate=2Mbps",)))]
    assert {one["link"][0]["rate"] for one in documents} == {"2Mbps"}


def test_a_setting_that_fits_no_scenario_is_the_users_error():
    with pytest.raises(ScenarioError, match="did you mean"):
        planned(Changes(("link.0.rat=2Mbps",)))


def test_an_added_variant_runs_wherever_the_studys_own_do():
    own, more = planned(Changes()), planned(Changes(added=("bbr",)))
    assert len(more) == len(own) * 7 // 6
    assert any('"bbr"' in text for text in more)


def test_what_the_study_has_cannot_be_added():
    with pytest.raises(UserError, match="has it already"):
        ABADIN.run(changes=Changes(added=("vegas",)), out=Path("never"))


@pytest.mark.parametrize("name", registry.names())
def test_every_study_takes_a_variant(name: str):
    from dataclasses import replace

    study = registry.get(name)
    figure = {"suherman": "rate11", "heriyanto": "throughput"}.get(name, study.figures[-1])
    chosen = study.plan(True, figure)
    added = replace(chosen, changes=Changes(added=("illinois",)))
    assert sum('"illinois"' in job.document for job in study.jobs(added)) > 0
    assert not any('"illinois"' in job.document for job in study.jobs(chosen))


def test_finished_runs_are_not_run_again(tmp_path: Path):
    jobs = list(ABADIN.jobs(plan(quick=True, only="table1")))[:6]
    with Store(tmp_path) as store:
        first = simulate(jobs, ABADIN.tables, store=store)
        told: list[tuple[int, int]] = []
        again = simulate(
            jobs, ABADIN.tables, progress=lambda done, total: told.append((done, total)), store=store
        )
    assert set(told) == {(6, 6)}
    assert all(first[name].equals(again[name]) for name in first)


def test_a_changed_study_is_made_again_from_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    typed = [
        "study",
        "abadin",
        "--quick",
        "--only",
        "table1",
        "--add",
        "illinois",
        "--set",
        "link.0.queue.packets=8",
        "-q",
    ]
    made = CliRunner().invoke(app, typed, catch_exceptions=False)
    assert made.exit_code == 0, made.output
    folder = tmp_path / "results" / "abadin"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["plan"] == {
        "quick": True,
        "only": "table1",
        "set": ["link.0.queue.packets=8"],
        "add": ["illinois"],
    }
    assert [path.name for path in folder.parent.iterdir()] == ["abadin"]
    again = CliRunner().invoke(app, ["study", "--again", str(folder)], catch_exceptions=False)
    assert "the same bytes" in again.output
