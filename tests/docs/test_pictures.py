"""The pictures of the README show the output of its commands, and the figures of the gallery show all of their data."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from tests.python.looks import alike, outside

import ackclock as ac
from docs import pictures

PROJECT = Path(__file__).resolve().parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
GALLERY = sorted((PROJECT / "docs" / "gallery").glob("*.py"))


def test_the_pictures_follow_their_commands() -> None:
    found = re.findall(r"^    (ackclock .*)$|\(docs/_static/([\w-]+)\.svg\)", README, re.MULTILINE)
    commands: list[str] = []
    for command, picture in found:
        if command:
            commands.append(command)
        else:
            assert tuple(commands) == pictures.PICTURES[picture]
            commands = []
    assert [picture for _, picture in found if picture] == list(pictures.PICTURES)


def test_the_measured_transfer_and_its_model_are_alike() -> None:
    """The figure of the how-to has two curves, and the model's round trips are within 5 % of the measured ones."""
    labels = pictures.beside().axes[0].get_legend_handles_labels()[1]
    assert labels == ["measured: cubic", "simulated: rack+cubic"]
    measured = ac.measured.read("pcap", pictures.CAPTURE)
    model = ac.measured.fit("pcap", pictures.CAPTURE).scenario("cubic").run()
    pairs = [(run.flow(0)["packet_rtt_mean_s"], run.flow(0)["goodput_bps"]) for run in (measured, model)]
    assert pairs[0][0] == pytest.approx(pairs[1][0], rel=0.05)
    assert pairs[0][1] == pytest.approx(pairs[1][1], rel=0.05)


def test_bufferbloat_shows_bufferbloat() -> None:
    deep, fair = (pictures.shown(command) for command in pictures.PICTURES["first-run"])
    delays = [re.search(r"^ speech .* ([\d.]+)$", text, re.MULTILINE) for text in (deep, fair)]
    assert [found[1] for found in delays if found] == ["1622", "22.33"]
    assert "a delay of 1622 ms, and of 22.33 ms" in README
    assert "take 1.6 s (column `delay`). With FQ-CoDel instead they take 22 ms" in " ".join(README.split())


@pytest.mark.parametrize(
    "name",
    ["first-run", *(pytest.param(name, marks=pytest.mark.slow) for name in list(pictures.PICTURES)[1:])],
)
def test_the_picture_is_current(name: str) -> None:
    drawn = (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == pictures.picture(name), "make pages draws it anew"


@pytest.mark.parametrize("script", GALLERY, ids=[script.stem for script in GALLERY])
def test_the_figure_shows_all_of_its_data(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.close("all")
    with plt.rc_context():
        runpy.run_path(str(script))
        figures = [plt.figure(number) for number in plt.get_fignums()]
        assert figures
        for figure in figures:
            assert not outside(figure), outside(figure)
            assert not alike(figure), alike(figure)
    plt.close("all")
