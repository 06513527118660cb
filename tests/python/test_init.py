"""Starter files of ``ackclock init``: each has comments and runs; links and flows in scenarios have names."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli.main import main
from ackclock.scenario.starters import SCENARIOS, starter


@pytest.mark.parametrize("kind", SCENARIOS)
def test_each_kind_is_checked_and_runs(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    assert main(["init", kind, "--out", str(file)]) == 0
    assert main(["check", str(file)]) == 0
    capsys.readouterr()
    run = ac.load(file).run("5s")
    for flow in run.summary["flows"]:
        assert flow["acked_packets"] > 100, flow["name"]


@pytest.mark.parametrize("kind", SCENARIOS)
def test_links_and_flows_have_names_that_paths_use(kind: str) -> None:
    text = starter(kind)
    document = tomllib.loads(text)
    assert all("name" in one for one in [*document["link"], *document["flow"]])
    assert text.startswith("# ")
    assert max(len(line) for line in text.splitlines()) <= 80
    scenario = ac.Scenario(document)
    link, flow = document["link"][0]["name"], document["flow"][0]["name"]
    changed = scenario.with_({f"link.{link}.delay": "7ms", f"flow.{flow}.tcp.variant": "vegas"})
    assert changed.document()["link"][0]["delay"] == "7ms"
    assert changed.document()["flow"][0]["tcp"]["variant"] == "vegas"


def test_a_control_is_sound_and_its_commands_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "control", "--out", "mine.py"]) == 0
    text = (tmp_path / "mine.py").read_text(encoding="utf-8")
    assert max(len(line) for line in text.splitlines()) <= 80
    commands = [line.removeprefix("#   ackclock ").split() for line in text.splitlines() if "#   ack" in line]
    assert [words[0] for words in commands] == ["check-cc", "compare", "compare", "run"]
    few = {"check-cc": ["--paths", "5"], "compare": ["--reps", "2", "--duration", "5s"], "run": []}
    for number, words in enumerate(commands):
        own = [] if words[0] == "check-cc" else ["--out", f"results/{number}"]
        assert main([*words, *few[words[0]], *own]) == 0, capsys.readouterr().err


def test_it_goes_to_standard_output_and_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "parking_lot"]) == 0
    text = capsys.readouterr().out
    assert tomllib.loads(text)["flow"]
    assert "ackclock run FILE" in text


def test_a_file_that_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine")
    assert main(["init", "dumbbell", "--out", str(file)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert file.read_text() == "mine"


def test_an_unknown_kind_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "dumbel"]) == 2
    said = capsys.readouterr().err
    assert "did you mean dumbbell?" in said
    assert "parking-lot" in said


def test_no_folder_is_made_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "dumbbell", "--out", "none/mine.toml"]) == 2
    assert "there is no folder none" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
