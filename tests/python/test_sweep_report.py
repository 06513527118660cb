"""A sweep's figures, report and terminal output, from real runs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import polars as pl
import pytest

from ackclock.cli.fit import Table, wrapped
from ackclock.cli.main import main
from ackclock.errors import UserError
from ackclock.report.plots import draw
from ackclock.report.sweep import report
from ackclock.report.sweep_figures import figures
from ackclock.scenario import dumbbell
from ackclock.sweeps import Axis
from ackclock.sweeps.sweep import Sweep, SweepResult
from ackclock.sweeps.view import View, scale_of

QUEUE, RATE, VARIANT = "link.bottleneck.queue.packets", "link.bottleneck.rate", "flow.*.tcp.variant"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> SweepResult:
    axes = (Axis(QUEUE, ("5", "20")), Axis(VARIANT, ("reno", "vegas")), Axis(RATE, ("500kbps", "1Mbps")))
    scenario = dumbbell(["reno", "reno"], duration="3s")
    return Sweep(scenario, axes, reps=3).run(tmp_path_factory.mktemp("sweep"))


def test_values_stand_where_they_belong() -> None:
    assert scale_of(["5", "20"]).places == (5.0, 20.0)
    rates = scale_of(["500kbps", "2Mbps"])
    assert (rates.places, rates.unit) == ((0.5, 2.0), "Mb/s")
    assert scale_of(["5ms", "100ms"]).unit == "ms"
    assert not scale_of(["reno", "vegas"]).numeric
    assert scale_of(["1", "20"]).log
    assert not scale_of(["0", "20"]).log


def test_the_usual_view(found: SweepResult) -> None:
    axes = found.sweep.axes
    view = View.of(axes)
    assert view is not None
    assert (view.x.path, view.by and view.by.path) == (QUEUE, VARIANT)
    assert [axis.path for axis in view.facets] == [RATE]
    assert not view.heat
    numeric = View.of([axes[0], axes[2]])
    assert numeric is not None
    assert numeric.heat
    told = View.of([axes[0], axes[2]], x="rate", by="queue.packets")
    assert told is not None
    assert not told.heat
    assert told.x.path == RATE
    assert View.of([]) is None
    with pytest.raises(UserError, match="not varied"):
        View.of(axes, by="flow.0.start")


def test_curves_are_the_means_with_their_intervals(found: SweepResult) -> None:
    view = View.of(found.sweep.axes, "goodput_bps")
    assert view is not None
    (figure,) = figures(found, view)
    assert len(figure.panels) == 2, "a panel for each rate"
    assert [one.label for one in figure.panels[0].series] == ["reno", "vegas"]
    known = {tuple(point.values()): one for point, one in found.intervals("goodput_bps")}
    for panel, rate in zip(figure.panels, ("500kbps", "1Mbps"), strict=True):
        for series in panel.series:
            for x, y, low in zip(series.x, series.y, series.low, strict=True):
                one = known[f"{x:g}", series.label, rate]
                assert y == pytest.approx(one.mean * 1e-6)
                assert y - low == pytest.approx(one.half_width * 1e-6)


def test_a_map_has_a_field_for_each_pair(found: SweepResult) -> None:
    sweep = Sweep(
        dumbbell(["reno"], duration="2s"), (Axis(QUEUE, ("5", "9")), Axis(RATE, ("1Mbps", "2Mbps"))), reps=2
    )
    both = SweepResult(sweep, *_run(sweep))
    view = View.of(sweep.axes, "utilisation")
    assert view is not None
    (figure,) = figures(both, view)
    heat = figure.panels[0].heat
    assert heat is not None
    assert (heat.x, heat.y) == (("5", "9"), ("1Mbps", "2Mbps"))
    assert all(0 < value <= 100 for row in heat.values for value in row)
    assert "<svg" in draw(figure).svg


def _run(sweep: Sweep) -> tuple[list, list]:  # type: ignore[type-arg]
    made = sweep.run_here()
    return made.jobs, made.summaries


def test_figures_have_three_forms_and_two_styles(found: SweepResult) -> None:
    view = View.of(found.sweep.axes, "jain")
    assert view is not None
    (figure,) = figures(found, view)
    page, paper = draw(figure), draw(figure, "paper")
    assert page.pdf.startswith(b"%PDF")
    assert page.png.startswith(b"\x89PNG")
    assert draw(figure) == page, "the same bytes each time"
    assert 'width="252pt"' in paper.svg, "3.5 inches: a column"
    assert "8px" in paper.svg


def test_names_stand_at_places_of_their_own(found: SweepResult) -> None:
    view = View.of(found.sweep.axes, "goodput_bps", x=VARIANT, by=QUEUE)
    assert view is not None
    (figure,) = figures(found, view)
    assert figure.x_names == ("reno", "vegas")
    assert {series.kind for series in figure.panels[0].series} == {"estimate"}


def test_one_bottleneck_at_each_point_and_its_name(found: SweepResult) -> None:
    rows = found.run_rows()
    assert {row["bottleneck"] for row in rows} == {"r0>r1 (bottleneck)"}
    assert max(row["utilisation"] for row in rows) > 0.8
    other = Sweep(found.sweep.scenario, (), reps=2, bottleneck="s0>r0").run_here()
    assert {row["bottleneck"] for row in other.run_rows()} == {"s0>r0"}
    assert max(row["utilisation"] for row in other.run_rows()) < 0.3


def test_packets_take_longer_there_and_back_than_one_way(found: SweepResult) -> None:
    for row in found.run_rows():
        assert row["packet_rtt_mean_s"] > row["delay_mean_s"]
        assert row["packet_rtt_p50_s"] <= row["packet_rtt_p95_s"] <= row["packet_rtt_p99_s"]
        assert not math.isnan(row["sampled_rtt_mean_s"])


def test_the_report_holds_figures_table_and_setup(found: SweepResult) -> None:
    view = View.of(found.sweep.axes, "goodput_bps,jain")
    made = report(found, view, "ackclock sweep x")
    assert [figure.key for figure in made.figures()] == ["goodput_bps", "jain"]
    assert [section.title for section in made.sections][:2] == ["Figures", "Every point"]
    assert len(made.lead) == 2


def test_the_command_line_writes_it_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(dumbbell(["reno"], duration="2s").to_toml())
    typed = [
        "sweep",
        "s.toml",
        "--reps",
        "2",
        "--vary",
        f"{QUEUE}=5,20",
        "--plot",
        "goodput_bps",
        "--style",
        "paper",
    ]
    assert main(typed) == 0
    folder = Path("results/s-sweep")
    assert {path.name for path in (folder / "plots").iterdir()} == {
        f"goodput_bps.{form}" for form in ("svg", "png", "pdf")
    }
    assert "<svg" in (folder / "report.html").read_text()
    assert pl.read_csv(folder / "points.csv")["bottleneck"].to_list() == ["r0>r1 (bottleneck)"] * 2
    assert json.loads((folder / "manifest.json").read_text())["bottleneck"] is None


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("verb", ["run", "sweep", "compare", "list"])
def test_no_line_is_wider_than_the_terminal(
    verb: str, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """COLUMNS sets the width in a pipe as well; whole columns are left out, and no word is split."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(width))
    Path("s.toml").write_text(dumbbell(["newreno", "vegas"], rate="1Mbps", duration="2s").to_toml())
    typed = {
        "run": ["run", "s.toml"],
        "sweep": [
            "sweep",
            "s.toml",
            "--reps",
            "2",
            "--vary",
            f"{QUEUE}=5,20",
            "--vary",
            f"{VARIANT}=tcp-linux-cubic,vegas",
        ],
        "compare": ["compare", "newreno", "tcp-linux-cubic", "vegas", "--reps", "3", "--duration", "3s"],
        "list": ["list", "variants"],
    }[verb]
    assert main(typed) == 0
    narrow = capsys.readouterr().out
    assert max(map(len, narrow.splitlines())) <= width
    assert "tcp-linux-cubic" in narrow or verb == "run"
    if verb == "run":
        assert main([*typed, "--wide"]) == 0
        wide = capsys.readouterr().out
        assert "sampled" in wide
        assert "not shown" not in wide
        assert ("not shown" in narrow) == (width < 200)


def test_columns_go_in_the_order_of_least_need() -> None:
    table = Table("t", ("name", "a", "b", "c"), (("one two", "1", "22", "333"),), least=("b",))
    fitted, gone = table.fitted(16)
    assert gone == ["b"]
    assert fitted.columns == ("name", "a", "c")
    assert table.fitted(None)[1] == []
    assert wrapped("error: a long line of words", 20) == "error: a long line\n    of words"
