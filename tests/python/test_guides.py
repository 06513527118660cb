"""The guided pages of the laboratory: the file is as its sources give it, and its figures are the studies' own runs."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "packaging"))

import guides  # noqa: E402 (the program that writes the file)

sys.path.insert(0, str(guides.LABS))

import checks  # noqa: E402 (a module of the course kit)

WRITTEN: list[dict[str, Any]] = json.loads(guides.OUT.read_text(encoding="utf-8"))
DRAWN = {one["id"]: one["figure"] for one in WRITTEN if "figure" in one}


def loaded(text: str, settings: list[list[str]], folder: Path) -> ac.Scenario:
    path = folder / "scenario.toml"
    path.write_text(text, encoding="utf-8")
    return ac.load(path, ["=".join(one) for one in settings])


def test_the_file_is_as_its_sources_give_it() -> None:
    assert guides.OUT.read_text(encoding="utf-8") == guides.rendered(), "`make pages` writes it anew"


def test_there_are_the_labs_the_course_experiments_and_a_figure_of_each_study() -> None:
    by_group = {group: [one["id"] for one in WRITTEN if one["group"] == group] for group in guides.GROUPS}
    assert by_group["labs"] == [path.stem for path in sorted(guides.LABS.glob("lab*.ipynb"))]
    assert by_group["course"] == ["cbr", "two-tcps", "red"]
    assert sorted(by_group["studies"]) == sorted(
        path.parent.name for path in (PROJECT / "python" / "ackclock" / "studies").glob("*/paper.toml")
    )
    exercises = [step["exercise"] for one in WRITTEN for step in one["steps"] if "exercise" in step]
    assert exercises == list(checks.ANSWERS)


@pytest.mark.parametrize("name", DRAWN)
def test_a_point_of_a_figure_is_the_run_of_its_study(name: str, tmp_path: Path) -> None:
    """The text with its settings gives the bytes of the scenario that the study itself makes."""
    figure, drawn = guides.FIGURES[name](), DRAWN[name]
    places = [(c, p) for c in range(len(figure.curves)) for p in range(len(figure.xs))]
    for curve, point in random.Random(36).sample(places, 3):
        text, settings = drawn["runs"][curve][point]
        here = loaded(drawn["texts"][text], settings, tmp_path)
        there = figure.scenario(curve, point)
        assert here.canonical() == there.canonical()


def test_every_guide_begins_with_a_scenario_that_is_accepted(tmp_path: Path) -> None:
    for one in WRITTEN:
        shown = one.get("figure")
        text = shown["texts"][0] if shown else one.get("text")
        for step in [{}, *one["steps"]]:
            settings = [*one.get("set", []), *step.get("set", []), *one.get("b", []), *step.get("b", [])]
            if text is None:
                ac.load(one["example"], ["=".join(setting) for setting in settings])
            else:
                loaded(text, settings, tmp_path)
