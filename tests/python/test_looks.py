"""Every figure of a run shows all of its data: no value lies beyond an axis."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from functools import cache

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from tests.python.looks import alike, outside

import ackclock as ac
from ackclock.plot.queues import TRACES
from ackclock.report import plots
from ackclock.report.model import Figure as ReportFigure
from ackclock.report.model import Panel, Series
from ackclock.runs.run import FIGURES, Run
from ackclock.scenario import examples
from ackclock.study import curves

EXAMPLES = examples.names()


@cache
def run(name: str) -> Run:
    traces = ["cwnd", "state", "throughput", "segments", "delay", "hops", *TRACES]
    return ac.load(name).run(traces=traces, confirm=True)


def drawn(one: Run, name: str) -> Iterator[Figure]:
    """Yield a figure in all its forms; yield nothing if the figure cannot be drawn for the run."""
    forms = {
        "throughput": [{"panels": panels, "goodput": panels} for panels in (False, True)],
        **{kind: [{"panels": panels} for panels in (False, True)] for kind in ("cwnd", "rtt")},
        "sequence": [{"flows": i} for i in range(min(4, len(one.flows)))],
        "queue": [{}, {"queues": [link["name"] for link in one.summary["links"][:6]]}],
    }
    for form in forms.get(name, [{}]):
        with contextlib.suppress(ac.UserError):
            yield one.plot.named(name) if "-" in name else getattr(one.plot, name)(**form)


@pytest.mark.parametrize("name", EXAMPLES)
def test_data_of_every_example_lie_within_the_axes(name: str) -> None:
    made = {kind: list(drawn(run(name), kind)) for kind in FIGURES}
    # The other figures need a TCP flow, or a model that predicts a rate.
    assert all(made[kind] for kind in ("throughput", "queue", "sequence", "delay-ccdf", "delay-violin"))
    for kind, figures in made.items():
        for figure in figures:
            assert not outside(figure), (kind, outside(figure))
            assert not alike(figure), (kind, alike(figure))


def test_a_curve_beyond_the_axis_is_seen() -> None:
    figure, axes = plt.subplots()
    axes.plot([0, 1], [0, 5])
    axes.set_ylim(0, None)
    assert not outside(figure)
    axes.plot([0, 1], [0, 50])
    assert "y from 0 to 50, the axis from 0 to 5.25" in outside(figure)[0]
    axes.set_ylim(0, 60)
    axes.axvspan(0.2, 0.8)
    axes.axhline(20)
    assert not outside(figure)
    axes.set_xlim(0, 1)
    axes.vlines([2], 0, 1)
    assert "x from 2 to 2" in outside(figure)[0]
    plt.close(figure)


def test_a_value_that_a_logarithmic_axis_cannot_show_is_seen() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 2, 3], [0.1, 5, float("nan")])
    axes.set_yscale("log")
    assert not outside(figure)
    axes.scatter([1.5], [0.0])
    assert "logarithmic" in outside(figure)[0]
    plt.close(figure)


def test_two_curves_that_look_the_same_are_seen() -> None:
    figure, axes = plt.subplots()
    axes.plot([0, 1], [0, 5], "D", color="purple", label="a")
    axes.plot([0, 1], [5, 0], "D", color="purple", label="b")
    assert alike(figure) == ["a = b"]
    plt.close(figure)


@pytest.mark.parametrize("kind", ["curve", "line", "step", "centre", "estimate"])
def test_curves_differ_though_hues_repeat(kind: str) -> None:
    some = tuple(Series(f"v{i}", i, (1.0, 2.0), (1.0 + i, 2.0), kind=kind) for i in range(16))
    plots.on_canvas(
        ReportFigure("a", "a", "x", (Panel("y", some),))
    )  # conftest.py asserts that the curves differ


def test_an_added_variant_looks_like_none_of_the_studys() -> None:
    own = {"newreno": 3, "vegas": 0, "vegas40": 0, "cubic": 7}
    added = [f"own{i}" for i in range(6)]
    assert [curves.hue(own, added, variant) for variant in added] == [1, 2, 4, 5, 6, 8]
    assert curves.hue(own, added, "cubic") == 7


def test_an_interval_that_reaches_zero_ends_at_a_logarithmic_axis() -> None:
    wide = Series("a", 0, (1.0, 2.0), (10.0, 20.0), low=(-5.0, 15.0), high=(25.0, 25.0))
    canvas = plots.on_canvas(ReportFigure("a", "a", "x", (Panel("y", (wide,), log_y=True),)))
    assert canvas.axes[0].get_ylim()[0] == 5.0
    canvas = plots.on_canvas(ReportFigure("a", "a", "x", (Panel("y", (wide,)),)))
    assert canvas.axes[0].get_ylim()[0] < -5.0


def test_papers_get_truetype_fonts_alone() -> None:
    page = io.BytesIO()
    run("dumbbell").plot.cwnd().savefig(page, format="pdf")
    some = ReportFigure("a", "a", "x", (Panel("y", (Series("a", 0, (1.0, 2.0), (1.0, 2.0)),)),))
    for pdf in (page.getvalue(), plots.draw(some).pdf, plots.draw(some, "paper").pdf):
        assert b"/CIDFontType2" in pdf
        assert b"/Type3" not in pdf


def test_the_style_of_papers_holds_for_the_figures_of_runs() -> None:
    wide = run("dumbbell").plot.throughput()
    with plt.rc_context():
        plt.style.use([ac.plot.STYLE, ac.plot.PAPER])
        narrow = run("dumbbell").plot.throughput()
        panels = run("dumbbell").plot.throughput(panels=True)
    assert wide.get_figwidth() == 8.0
    assert wide.axes[0].get_title("left") == "Throughput"
    for figure in (narrow, panels):
        assert figure.get_figwidth() == ac.plot.PAPER["figure.figsize"][0]
    assert narrow.axes[0].get_title("left") == ""
    assert narrow.axes[0].xaxis.label.get_size() == 8
    assert not (panels._suptitle and panels._suptitle.get_text())
    assert panels.axes[0].get_title("left") == "newreno: newreno"  # kept, since it distinguishes the panels
    assert run("dumbbell").plot.throughput().get_figwidth() == 8.0
