"""The pictures of the README show the output of its commands, and the figures of the gallery show all of their data."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
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


def curve(figure: Figure, name: str) -> dict[float, float]:
    """Return the values of the line called `name`, by their x."""
    lines = [line for axis in figure.axes for line in axis.lines]
    named = {
        text: one[0] if isinstance(one, tuple) else one
        for axis in figure.axes
        for one, text in zip(*axis.get_legend_handles_labels(), strict=True)
    } | {str(line.get_label()): line for line in lines}
    x, y = named[name].get_data()
    return dict(zip((float(one) for one in x), (float(one) for one in y), strict=True))


def bars(figure: Figure) -> list[float]:
    return [patch.get_height() for patch in figure.axes[0].patches]


def share_up_to(figure: Figure, name: str, most: float) -> float:
    return max(share for delay, share in curve(figure, name).items() if delay <= most)


SEEN: dict[str, Callable[[Figure], list[bool]]] = {
    "adhoc_chain": lambda f: [
        0.45 < curve(f, name)[2] / curve(f, name)[1] < 0.55 and curve(f, name)[4] / curve(f, name)[1] < 0.25
        for name in ("newreno", "vegas")
    ],
    "bbr_cubic_buffers": lambda f: [
        all(0.85 < curve(f, name)[0.5] < 0.95 and curve(f, name)[at] < 0.48 for at in (8, 16))
        and 0.45 < curve(f, name)[4] < 0.55
        and all(curve(f, "Ware et al. 2019")[at] > curve(f, name)[at] for at in (2, 4, 8, 16))
        for name in ("form of Linux 6.12", "form of the draft")
    ],
    "buffer_sizing": lambda f: [
        round(curve(f, "16 flows")[0.2]) == 93 and round(curve(f, "1 flow")[1.6]) == 94
    ],
    "bufferbloat": lambda f: [
        share_up_to(f, "drop-tail, 1000 packets", 1000) < 0.5,
        share_up_to(f, "CoDel", 40) > 0.95,
        share_up_to(f, "FQ-CoDel", 25) == 1.0,
    ],
    "dossiers": lambda f: [
        all(harm < 0.2 for harm in curve(f, "vegas").values()),
        min(curve(f, "bbr3")[at] for at in (0.5, 1)) > 0.7 and curve(f, "bbr3")[4] < 0.5,
        all(harm > 0.95 for harm in curve(f, "no backoff").values()),
    ],
    "gateway": lambda f: [
        0.18 < curve(f, "no gateway")[0.01] / curve(f, "pre-ack")[0.01] < 0.22,
        curve(f, "snoop")[0.01] > 0.95 * curve(f, "snoop")[0.001],
        all(abs(rate - curve(f, "split")[loss]) < 0.05 for loss, rate in curve(f, "intelligent").items()),
    ],
    "ground_truth": lambda f: [min(bars(f)[:2]) > 99, 30 < bars(f)[2] < 50, bars(f)[3] < 6],
    "hidden_terminals": lambda f: [
        0.2 < curve(f, "no RTS/CTS")[260] / curve(f, "no RTS/CTS")[240] < 0.3,
        0.88 < curve(f, "RTS/CTS")[240] / curve(f, "no RTS/CTS")[240] < 0.92,
        curve(f, "RTS/CTS")[260] > 0.8 * curve(f, "no RTS/CTS")[240],
    ],
    "parking_lot": lambda f: [
        abs(curve(f, name)[5] - share) < 1 for name, share in (("reno", 10), ("cubic", 10), ("vegas", 19))
    ],
    "phase_effects": lambda f: [
        max(curve(f, "drop-tail").values()) > 80 and min(curve(f, "drop-tail").values()) < 20,
        min(curve(f, "RED").values()) > 40 and max(curve(f, "RED").values()) < 55,
    ],
    "rate_anomaly": lambda f: [0.5 < bars(f)[1] / bars(f)[0] < 0.56, 0.11 < bars(f)[4] / bars(f)[0] < 0.14],
    "rtt_unfairness": lambda f: [
        13 < curve(f, "reno")[6] < 20 and 13 < curve(f, "cubic")[6] < 20,
        all(40 < share < 62 for share in curve(f, "bbr").values()),
    ],
}
"""Numbers in captions of the gallery, held against the figures."""


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
        seen = SEEN.get(script.stem, lambda _: [])(figures[0])
        assert all(seen), f"{script.stem}: the caption says other than the figure: {seen}"
    plt.close("all")
