"""Output of a comparison: tables, figures, report, and a folder that ``compare --again`` reproduces."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ackclock import dumbbell
from ackclock._io.files import digest
from ackclock.comparisons import Comparison
from ackclock.comparisons.compare import compare
from ackclock.comparisons.provenance import provenance
from ackclock.report.comparison import differences, everything, friendliness, lead, report, summary
from ackclock.report.comparison_figures import throughput_delay, windows
from ackclock.report.folder import MANIFEST, save
from ackclock.report.model import Figure, Panel, Series
from ackclock.report.plots import draw

VARIANTS = ("reno", "sack", "vegas")


@pytest.fixture(scope="module")
def found() -> Comparison:
    """Return a small comparison in which Vegas differs from the others."""
    scenarios = {
        variant: dumbbell([variant], flows=2, rate="1Mbps", queue=8, duration="12s") for variant in VARIANTS
    }
    return compare(scenarios, reps=4, jitter_s=1.0, where="topology dumbbell")


@pytest.fixture(scope="module")
def mix() -> Comparison:
    """Return a mix of two flows: the first has Vegas or Reno, the second always Reno."""
    scenarios = {
        variant: dumbbell([variant, "reno"], rate="1Mbps", queue=8, duration="12s")
        for variant in ("vegas", "reno")
    }
    return compare(scenarios, own=[0], other=(1,), against="reno", reps=4, jitter_s=1.0)


def test_the_first_table_fits_a_screen_and_says_what_is_tied(found: Comparison) -> None:
    table = summary(found)
    assert table.columns[:2] == ("label", "rank")
    assert [row[0] for row in table.rows] == found.ordered()
    assert all("±" in row[2] or "same" in row[2] for row in table.rows)
    best = next(row for row in table.rows if row[0] == found.best())
    assert best[2].endswith("*")
    tied = any(rank.tied for rank in found.ranks().values())
    assert any(note.startswith("Not told apart") for note in table.notes) == tied


def test_differences_are_to_the_reference_or_of_all_pairs(found: Comparison) -> None:
    table = differences(found)
    assert [row[0] for row in table.rows] == [one for one in found.ordered() if one != found.best()]
    chosen = replace(found, plan=replace(found.plan, reference="vegas"))
    assert "from vegas" in differences(chosen).title
    assert {row[0] for row in differences(chosen).rows} == {"reno", "sack"}
    pairs = differences(found, [("reno", "vegas")])
    assert pairs.rows[0][:3] == ("reno", "vegas", found.contrasts()["reno", "vegas"].verdict)


def test_every_measure_is_in_the_report(found: Comparison) -> None:
    assert [row[0] for row in everything(found).rows] == [one.heading for one in found.measures]
    assert "delay, 95th percentile (ms)" in [row[0] for row in everything(found).rows]


def test_the_lead_names_who_leads_and_no_more(found: Comparison) -> None:
    said = lead(found)[0]
    front = [variant for variant, rank in found.ranks().items() if rank.best == 1]
    assert all(f"`{variant}`" in said for variant in front)
    one = compare({"reno": found.plan.scenarios["reno"]}, reps=2)
    assert lead(one)[0].startswith("`reno`: goodput")


def test_facts_name_path_queue_and_seeds(found: Comparison) -> None:
    known = dict(provenance(found))
    assert known["surroundings"] == "topology dumbbell"
    assert "slowest link r0>r1: 1 Mb/s; round trip without load 44 ms" in known["path of flow0"]
    assert known["its queue"].startswith("8 packets, 2.2 bandwidth-delay products")
    assert "seeds 1 to 4" in known["replications"]


def test_a_mix_shows_what_is_left_to_the_other(mix: Comparison) -> None:
    table = friendliness(mix)
    rows = {row[0]: row for row in table.rows}
    assert rows["reno"][3] == "base line"
    assert rows["vegas"][3] in ("more", "less", "cannot decide", "no difference that matters")
    assert "Beside reno" in [section.title for section in report(mix).sections]
    assert "others' goodput (Mb/s)" in summary(mix).columns
    assert "jain" not in summary(mix).columns


def test_ellipses_are_drawn_with_delay_falling_to_the_right(found: Comparison) -> None:
    figure = throughput_delay(found)
    kinds = [series.kind for series in figure.panels[0].series]
    assert figure.reverse_x
    assert kinds.count("dots") == kinds.count("centre") == 3
    assert 1 <= kinds.count("outline") <= 3
    centre = next(s for s in figure.panels[0].series if s.label == "sack")
    assert centre.y[0] == pytest.approx(found.interval("sack", "goodput_bps").mean / 1e6)


def test_windows_lie_over_each_other_and_alone_with_threshold_and_recovery(found: Comparison) -> None:
    figure = windows(found)
    assert [len(panel.series) for panel in figure.panels] == [3, 2, 2, 2, 3]
    assert [panel.y_label for panel in figure.panels[1:-1]] == list(VARIANTS)
    assert figure.panels[1].spans
    assert figure.x_range == (0.0, 12.0)


def test_every_kind_of_series_is_drawn_the_same_twice() -> None:
    x, y = (1.0, 2.0, 3.0), (3.0, 1.0, 2.0)
    kinds = ("line", "step", "limit", "dots", "centre", "outline", "curve")
    figure = Figure(
        key="kinds",
        title="Kinds",
        x_label="x",
        panels=(
            Panel(
                "y",
                tuple(
                    Series(kind, i, x, y, kind=kind, dashed=kind == "line") for i, kind in enumerate(kinds)
                ),
                spans=((1.2, 1.4), (2.0, 2.5)),
                spans_label="shaded",
                y_max=4.0,
            ),
        ),
        reverse_x=True,
        x_range=(0.0, 4.0),
    )
    drawn = draw(figure)
    assert drawn.svg == draw(figure).svg
    for label in (*kinds, "shaded"):
        assert f">{label}<" in drawn.svg
    assert "hollow: ns-2" not in drawn.svg
    assert "star: published" not in draw(replace(figure, panels=(Panel("y", (Series("a", 7, x, y),)),))).svg


def test_the_folder_holds_everything_and_its_hashes(found: Comparison, tmp_path: Path) -> None:
    saved = save(found, tmp_path / "one", "ackclock compare reno sack vegas")
    assert saved.page.is_file()
    assert {
        "comparison.json",
        "delays.csv",
        "manifest.json",
        "plots/flow-goodput.png",
        "plots/packet-delay.svg",
        "plots/throughput-delay.png",
        "plots/windows.svg",
        "report.html",
        "report.md",
        "results.parquet",
        "runs.csv",
        "scenarios/vegas.toml",
        "windows.csv",
    } <= set(saved.files)
    manifest = json.loads((saved.folder / MANIFEST).read_text())
    assert set(manifest["files"]) == set(saved.files) - {MANIFEST}
    assert all(digest(saved.folder / name) == known for name, known in manifest["files"].items())
    page = saved.page.read_text()
    assert "ackclock compare reno sack vegas" in page
    assert page.count("<svg") == 4
    save(found, tmp_path / "two", "ackclock compare reno sack vegas")
    for name in saved.files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


def test_unwatched_runs_leave_out_what_needs_watching(tmp_path: Path) -> None:
    scenarios = {"reno": dumbbell(["reno"], rate="1Mbps", queue=8, duration="3s")}
    saved = save(compare(scenarios, reps=2, watch=False), tmp_path / "bare")
    assert not [name for name in saved.files if "delays" in name or "packet" in name or "windows" in name]
    assert "Windows" not in saved.page.read_text()
