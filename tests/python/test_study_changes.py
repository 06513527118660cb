"""A study that is changed on the command line: settings, added variants, reproduction, resumption."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from ackclock import _core
from ackclock.cli.app import app
from ackclock.cli.main import main
from ackclock.errors import ScenarioError, UserError
from ackclock.report.model import Figure, Text
from ackclock.studies.abadin.experiments import plan
from ackclock.study import judge, paths, registry
from ackclock.study.changes import Changes
from ackclock.study.claims import Claim, judged
from ackclock.study.data import StudyData
from ackclock.study.layout import Reported
from ackclock.study.names import written
from ackclock.study.runs import simulate
from ackclock.sweeps.store import Store

ABADIN = registry.get("abadin")


def planned(changes: Changes) -> list[str]:
    chosen = replace(plan(quick=True, only="fig7"), changes=changes)
    return [job.document for job in ABADIN.changed(chosen)]


def test_a_setting_reaches_every_scenario():
    documents = [json.loads(text) for text in planned(Changes(("link.0.rate=2Mbps",)))]
    assert {one["link"][0]["rate"] for one in documents} == {"2Mbps"}


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("link.0.rat=2Mbps", r"did you mean link\.\w+\.rate\?"),
        ("link.bottlenek.rate=2Mbps", r"did you mean link\.bottleneck\.rate\?\n.*study abadin --paths"),
        ("flow.*.tcp.init_window=4", r"did you mean flow\.\*\.tcp\.initial_window\?"),
        ("link.bottleneck.rate=2Mps", "unknown unit `Mps`"),
    ],
)
def test_a_setting_that_fits_no_scenario_is_the_users_error(setting: str, told: str):
    with pytest.raises((ScenarioError, UserError), match=told):
        planned(Changes((setting,)))


def test_links_go_by_their_names():
    by_name, by_number = (planned(Changes((f"link.{one}.rate=2Mbps",))) for one in ("bottleneck", "0"))
    assert by_name == by_number
    several = [json.loads(text)["link"] for text in planned(Changes(("link.access.rate=8Mbps",)))]
    assert all([one["rate"] for one in links[1:]] == ["8Mbps"] * 4 for links in several)


def test_an_added_variant_runs_wherever_the_studys_own_do():
    own, more = planned(Changes()), planned(Changes(added=("bbr",)))
    assert len(more) == len(own) * 7 // 6
    assert any('"bbr"' in text for text in more)


def test_what_the_study_has_cannot_be_added():
    with pytest.raises(UserError, match="has it already"):
        ABADIN.run(changes=Changes(added=("vegas",)), out=Path("never"))


@pytest.mark.parametrize("name", registry.names())
def test_every_study_takes_a_variant(name: str):
    study = registry.get(name)
    figure = {"suherman": "rate11", "heriyanto": "throughput"}.get(name, study.figures[-1])
    chosen = study.plan(True, figure)
    added = replace(chosen, changes=Changes(added=("illinois",)))
    assert sum('"illinois"' in job.document for job in study.jobs(added)) > 0
    assert not any('"illinois"' in job.document for job in study.jobs(chosen))


def test_every_variant_has_a_written_name():
    for kind in ("variants", "controls", "recoveries"):
        for entry in json.loads(_core.catalogue(kind)):
            assert written(entry["name"]) != entry["name"]
    assert written("sack+vegas") == "Vegas (recovery SACK)"
    assert written("tcp-linux-htcp") == "H-TCP of TCP-Linux"
    assert written("./mine.py:Mine") == "Mine"


def test_an_added_variant_has_rows_in_tables_under_its_name(tmp_path: Path):
    found = study("abadin", "--only", "fig8", "--add", "cubic", out=tmp_path)
    page = (tmp_path / "out" / "report.md").read_text()
    points = len(ABADIN.plan(True, "fig8").experiments[0].xs)
    assert page.count("| CUBIC |") == points
    assert "| cubic |" not in page
    svg = (tmp_path / "out" / "plots" / "fig8.svg").read_text()
    assert ">CUBIC<" in svg
    # The study's own variants are unchanged.
    assert "left_out_as_changed" not in found["agreement_with_ns2"]
    assert "hollow: ns-2" in svg


def altered(setting: str, figure: str = "fig7") -> set[bool]:
    chosen = replace(plan(quick=True, only=figure), changes=Changes((setting,)))
    return {bool(job.altered) for job in ABADIN.changed(chosen)}


def test_a_run_is_altered_if_its_resolved_scenario_is_another():
    assert altered("link.bottleneck.delay=40ms") == {True}
    assert altered("link.bottleneck.delay=100ms") == {True, False}
    assert altered("link.access.delay=10ms") == {False}
    assert altered("flow.*.tcp.max_burst=0") == {False}
    assert altered("seed=9") == {False}


def study(*arguments: str, out: Path) -> dict[str, Any]:
    """Run a study on the command line and return its JSON."""
    found = out / "found.json"
    typed = ["study", *arguments, "--quick", "-q", "--out", str(out / "out"), "--json", str(found)]
    made = CliRunner().invoke(app, typed, catch_exceptions=False)
    assert made.exit_code == 0, made.output
    result: dict[str, Any] = json.loads(found.read_text())
    return result


def drawn(folder: Path, figure: str) -> int:
    """Return the number of hollow points in a figure, which are another simulator's values."""
    study = ABADIN.analyse(StudyData.load(folder / "data"))
    figures = [one for section in study.report.sections for one in section.blocks if isinstance(one, Figure)]
    panels = next(one.panels for one in figures if one.key == figure)
    return sum(len(series.x) for panel in panels for series in panel.series if series.kind == "peer")


def test_only_points_whose_scenario_is_unchanged_are_held_against_the_peer(tmp_path: Path):
    # The quick form of Figure 7 has the points 20, 100 and 300 ms, and this setting leaves the point 100 ms unchanged.
    found = study("abadin", "--only", "fig7", "--set", "link.bottleneck.delay=100ms", out=tmp_path)
    beside = found["agreement_with_ns2"]
    assert (beside["points"], beside["left_out_as_changed"]) == (6, 12)
    assert any("12 of 18 values are not held against ns-2" in text for text in found["changed"])
    assert {one["verdict"] for one in found["claims"]} == {"does not apply"}
    page = (tmp_path / "out" / "report.md").read_text()
    assert "Changed: run with `--set link.bottleneck.delay=100ms`, which overrides" in page
    assert "No point of ns-2 is drawn for a changed scenario" in page
    assert "12 of 18 values are left out: ns-2 did not run" in page
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["changed"] == found["changed"]
    assert drawn(tmp_path / "out", "fig7") == 6
    points = pl.read_csv(tmp_path / "out" / "data" / "points.csv")
    assert points.filter(pl.col("ns2_Bps").is_not_null())["x"].unique().to_list() == [100.0]


def test_no_changed_point_is_compared_drawn_or_tabled(tmp_path: Path):
    found = study("abadin", "--only", "table1", "--set", "link.bottleneck.queue.packets=8", out=tmp_path)
    assert found["agreement_with_ns2"]["points"] == 0
    assert all(one["ns2"] is None for one in found["table1_Bps"].values())
    page = (tmp_path / "out" / "report.md").read_text()
    assert "ns-2.35 ran the same points" not in page
    assert "agree with ns-2" not in page
    assert "No value of ns-2 stands beside a changed scenario" in page


def test_a_setting_that_changes_nothing_leaves_the_study_as_it_is(tmp_path: Path):
    found = study("abadin", "--only", "table1", "--set", "link.bottleneck.rate=0.3Mbps", out=tmp_path)
    assert found["agreement_with_ns2"]["points"] == 6
    assert "left_out_as_changed" not in found["agreement_with_ns2"]
    assert found["changed"] == [
        "It was run with `--set link.bottleneck.rate=0.3Mbps`, which changes nothing: the study has these values."
    ]
    assert "does not apply" not in {one["verdict"] for one in found["claims"]}


def test_a_claim_does_not_apply_only_where_its_own_runs_changed():
    def read(setting: str) -> list[frozenset[str]]:
        rows = [(x, "" if x < 2 else setting) for x in (1.0, 2.0) for _ in range(3)]
        table = pl.DataFrame(
            {
                "x": [x for x, _ in rows],
                "seed": [1, 2, 3] * 2,
                "y": [1.0, 1.1, 1.2] * 2,
                "altered": [text for _, text in rows],
            }
        )
        values = StudyData({"runs": table}, quick=True, figures=(), version="").values("runs", "x")

        def test(_: object, x: float) -> list[judge.Test]:
            return [judge.Test("here", "y", tuple(values.of("y", x)), above=0.0)]

        claim = Claim("one", "Figure 1", "y is positive", "", test)
        (found,) = judged([claim], None, (1.0, 2.0))
        return [one.altered for one in found.judgements if one is not None]

    assert read("link.0.rate=5Mbps") == [frozenset(), frozenset({"link.0.rate=5Mbps"})]


@pytest.mark.parametrize("name", registry.names())
def test_every_study_lists_its_settings(name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["study", name, "--quick", "--paths", "--json", "-"]) == 0
    listed = {one["path"]: one for one in json.loads(capsys.readouterr().out)}
    assert listed["duration"]["values"]
    if name != "suherman":
        assert listed["link.bottleneck.rate"]["values"]


@pytest.mark.parametrize("name", registry.names())
def test_a_listed_setting_is_one_that_can_be_set(name: str):
    chosen = registry.get(name)
    scenario = next(iter(chosen.jobs(chosen.plan(True, None)))).scenario
    found = [one for one in paths.listed([scenario], chosen.links) if len(one.values) == 1]
    assert found
    for one in found:
        if not one.values[0].endswith("…"):
            same = scenario.apply(paths.numbered(f"{one.path}={one.values[0]}", scenario, chosen.links))
            assert same.describe() == scenario.describe(), one.path


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


def test_an_explanation_says_that_it_is_of_the_study_as_published() -> None:
    study = registry.get("abadin")
    only = replace(plan(quick=True, only="fig4"), changes=Changes(("link.bottleneck.delay=21ms",)))
    few = replace(only, jittered=2, same_starts=1)
    changed = study.analyse(study.simulate(few))
    own = study.analyse(study.simulate(replace(few, changes=Changes())))
    said = "The explanation is of the study as published; these runs were changed."

    def findings(found: Reported) -> str:
        (block,) = found.report.sections[0].blocks
        assert isinstance(block, Text)
        return " ".join(block.paragraphs)

    assert "hold every variant back" in findings(own)
    assert said not in findings(own)
    assert findings(changed).count(said) == 1
    assert f"where the link gains 67 %. ({said})" in findings(changed)
