"""Measures of groups of flows: the choice of groups, the computed values, and the tables and figures that have them."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ackclock as ac
import ackclock.study as st
from ackclock.cli.main import main
from ackclock.stats.groups import Group, described_flows
from ackclock.stats.measures import group_value, independent_values, measure_of, measures_of, parts
from ackclock.stats.statistics import Ratio
from ackclock.study.sweeps import measured

FLOWS: list[dict[str, Any]] = [
    {"name": "web0", "variant": "cubic", "size_bytes": 50_000, "goodput_bps": 1e6, "fct_s": 1.0},
    {"name": "web1", "variant": "cubic", "size_bytes": 100_000, "goodput_bps": 2e6, "fct_s": 2.0},
    {"name": "bulk", "variant": "bbr", "goodput_bps": 5e6, "fct_s": None},
    {"name": "bbr", "variant": "reno", "goodput_bps": 2e6, "fct_s": None},
]
SUMMARY = {"flows": FLOWS}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("*", [0, 1, 2, 3]),
        ("web*", [0, 1]),
        ("cubic", [0, 1]),
        ("bbr", [3]),  # a flow's name takes precedence over a variant
        ("variant=bbr", [2]),
        ("2", [2]),
        ("..100kB", [0]),
        ("100kB..", [1]),
        ("web*@..1MB", [0, 1]),
        ("bulk@..1MB", []),  # a flow without a size belongs to no size class
        ("vegas", []),
    ],
)
def test_a_group_is_chosen_by_name_variant_number_or_size(text: str, numbers: list[int]) -> None:
    assert Group.parse(text).members(FLOWS) == numbers


@pytest.mark.parametrize("text", ["", "web*@", "web*@small", "1MB..100kB"])
def test_a_group_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ac.UserError):
        Group.parse(text)


def test_values_of_groups() -> None:
    def of(name: str) -> float:
        return group_value(measure_of(name), SUMMARY)

    assert of("goodput_bps:cubic") == 3e6
    assert of("goodput_share:cubic") == pytest.approx(0.3)
    assert of("goodput_bps:cubic:bulk") == pytest.approx(1.5e6 / 5e6), "per flow"
    assert of("fct_mean_s:cubic") == 1.5
    assert of("fct_p50_s:..100kB") == 1.0
    assert of("jain:cubic") == pytest.approx(9 / 10)
    assert math.isnan(of("fct_mean_s:*")), "two flows have not completed"
    assert math.isnan(of("goodput_bps:vegas"))
    assert math.isnan(of("goodput_bps:vegas:cubic"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("goodput", "did you mean goodput_bps?"),
        ("goodputbps:cubic", "did you mean goodput_bps?"),
        ("utilisation:cubic", "no measure of a group"),
        ("goodput_bps:a:b:c", "NAME:GROUP:BASE"),
        ("goodput_share:a:b", "NAME:GROUP"),
    ],
)
def test_a_wrong_measure_names_what_is_allowed(name: str, said: str) -> None:
    with pytest.raises(ac.UserError, match=said) as raised:
        measure_of(name, "--measure")
    assert "--measure" in str(raised.value) or "group" in str(raised.value)


def test_lists_of_measures_have_each_once() -> None:
    assert [one.name for one in measures_of("jain, goodput_bps:a ,jain")] == ["jain", "goodput_bps:a"]
    assert measures_of(None) == ()


def test_a_ratio_of_groups_is_the_ratio_of_means() -> None:
    """The ratio's interval is Fieller's, and a run with a small base has no greater weight than others."""
    runs = [
        {"flows": [{**FLOWS[0], "goodput_bps": a}, {**FLOWS[2], "goodput_bps": b}]}
        for a, b in ((1, 1), (1, 3))
    ]
    measure = measure_of("goodput_bps:cubic:bulk")
    assert [parts(measure, run) for run in runs] == [(1, 1), (1, 3)]
    found = independent_values(measure, ["a", "b"], runs, [1.0, 1 / 3])
    assert found == Ratio((1, 1), (1, 3))
    assert isinstance(found, Ratio)
    assert found.mean == 0.5


def test_described_flows_have_what_groups_need() -> None:
    scenario = ac.dumbbell(["cubic", "bbr"]).set("flow.0.traffic", {"kind": "ftp", "size": "1MB"})
    first, second = described_flows(scenario.describe())
    assert (first["variant"], first["size_bytes"], second["size_bytes"]) == ("cubic", 1e6, None)


def mixed() -> ac.Scenario:
    return ac.dumbbell(
        ["cubic", "bbr"], rtt=["20ms", "40ms"], delay="5ms", rate="4Mbps", queue=20, duration="4s"
    )


def test_a_sweep_of_a_mix_shows_shares() -> None:
    found = ac.sweep(
        mixed(),
        {"link.bottleneck.queue.packets": [10, 40]},
        reps=3,
        measure=["goodput_bps:bbr", "goodput_bps:bbr:cubic"],
    )
    names = [one.name for one in found.grouped]
    assert names == ["goodput_bps:bbr", "goodput_bps:bbr:cubic", "goodput_share:cubic", "goodput_share:bbr"]
    for (_, cubic), (_, bbr) in zip(
        *(found.intervals(f"goodput_share:{one}") for one in ("cubic", "bbr")), strict=True
    ):
        assert cubic.mean + bbr.mean == pytest.approx(1.0)
        assert cubic.known
    (_, ratio), _ = found.intervals("goodput_bps:bbr:cubic")
    (_, above), _ = found.intervals("goodput_bps:bbr")
    (_, below), _ = found.intervals(
        "goodput_bps:flow0"
    )  # the sweep did not ask for it, so it is computed from the runs
    assert ratio.mean == pytest.approx(above.mean / below.mean)
    assert {"goodput_share:bbr", "goodput_share:bbr_ci", "goodput_bps:bbr:cubic_n"} <= set(
        found.points.columns
    )
    assert list(ac.figures(found))[:2] == ["goodput_bps", "goodput_share"]


def test_a_sweep_of_one_variant_shows_no_shares() -> None:
    found = ac.sweep(mixed().set("flow.*.tcp.variant", "cubic"), reps=2)
    assert found.grouped == ()


def test_a_comparison_ranks_and_tests_by_groups() -> None:
    found = ac.compare(
        "reno",
        "vegas",
        scenario=mixed(),
        flows_under_test="0",
        reps=3,
        by="goodput_bps:0",
        measure="goodput_share:bbr",
    )
    assert [one.name for one in found.asked] == ["goodput_share:bbr", "goodput_bps:0"]
    assert found.interval("reno", "goodput_share:bbr").known
    assert found.difference("reno", "vegas", "goodput_bps:0:1").interval.n == 3
    assert {"goodput_share:bbr"} <= set(found.runs.columns)
    with pytest.raises(ac.UserError, match="only a mix"):
        found.values("reno", "share")


def test_a_study_measures_groups_in_displayed_units() -> None:
    measures = [
        st.Measure("share", "share of BBR", "%", "goodput_share:bbr"),
        st.Measure("goodput", "goodput", "Mb/s", "goodput_bps"),
        st.Measure("lost", "lost", "packets", pl.col("lost_packets_total").sum()),
        st.Measure("none", "completion", "s", "fct_mean_s:bbr"),
    ]
    run = mixed().run(seed=1)
    (row,) = measured(run, measures).to_dicts()
    cubic, bbr = (flow["goodput_bps"] for flow in run.summary["flows"])
    assert row["share"] == pytest.approx(100 * bbr / (bbr + cubic))
    assert row["goodput"] == pytest.approx(1e-6 * (bbr + cubic))
    assert row["lost"] == sum(flow["lost_packets_total"] for flow in run.summary["flows"])
    assert row["none"] is None


def test_the_command_line_prints_groups_at_80_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "mix.toml"
    file.write_text(mixed().to_toml())
    out = str(tmp_path / "out")
    words = ["sweep", str(file), "--vary", "link.bottleneck.queue.packets=10,40", "--reps", "2", "--out", out]
    assert main([*words, "--measure", "goodput_bps:bbr:cubic"]) == 0
    text = capsys.readouterr().out
    assert "bbr to cubic" in text
    assert re.search(r"goodput .*\n.*bbr to", text)
    assert all(len(line) <= 80 for line in text.splitlines() if "/out/" not in line)
    assert (tmp_path / "out/plots/goodput_share.pdf").is_file()


def test_a_group_without_flows_is_refused_before_anything_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "dumbbell", "--reps", "2", "--measure", "goodput_bps:cubik"]) == 2
    said = capsys.readouterr().err
    assert "no flow is in 'cubik'" in said
    assert "newreno" in said
