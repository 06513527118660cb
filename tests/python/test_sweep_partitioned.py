"""Sweeps that replicate until their intervals are narrow enough, and sweeps whose results exceed memory."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ackclock.cli.main import main
from ackclock.scenario import load
from ackclock.sweeps import Axis, Sweep

SWEEP = Sweep(
    load("dumbbell", ["duration=4s"]),
    (Axis("link.bottleneck.queue.packets", ("5", "50")), Axis("flow.*.tcp.variant", ("reno", "vegas"))),
    reps=3,
)
PRECISE = Sweep(SWEEP.scenario, SWEEP.axes, reps=3, until=0.01)


def test_replications_go_where_intervals_are_wide(tmp_path: Path) -> None:
    found = PRECISE.run(tmp_path / "one", threads=1)
    counts = [len(values) for _, values in found.values("goodput_bps")]
    assert min(counts) < max(counts)
    for (_, interval), count in zip(found.intervals("goodput_bps"), counts, strict=True):
        assert count == 200 or interval.zero_variance or interval.relative <= 0.01, (interval, count)
    assert f"{min(counts)} to {max(counts)}" in dict(found.facts())["replications"]
    again = PRECISE.run(tmp_path / "two", executor="processes", threads=2)
    assert again.run_rows() == found.run_rows()
    for name in ("results.csv", "points.csv", "manifest.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert Sweep.of_manifest(manifest).manifest() == manifest


def test_a_sweep_by_points_has_the_rows_of_the_whole(tmp_path: Path) -> None:
    whole = SWEEP.run(tmp_path / "whole")
    parts = SWEEP.run(tmp_path / "parts", by_point=True)
    assert not (tmp_path / "parts" / "results.csv").exists()
    for table, name in (("flows", "results"), ("runs", "runs")):
        files = sorted((tmp_path / "parts" / table).glob("*.parquet"))
        assert [path.name for path in files] == [f"point-{i:06}.parquet" for i in range(4)]
        assert len({str(pl.read_parquet_schema(path)) for path in files}) == 1
        lazy = pl.scan_parquet(tmp_path / "parts" / table / "*.parquet").collect()
        assert_frame_equal(lazy, pl.read_parquet(tmp_path / "whole" / f"{name}.parquet"))
    assert (tmp_path / "parts" / "points.csv").read_bytes() == (
        tmp_path / "whole" / "points.csv"
    ).read_bytes()
    assert not isinstance(parts.summaries, list)
    assert parts.summaries[1] == whole.summaries[1]
    assert list(parts.summaries) == list(whole.summaries)


def test_columns_that_a_point_lacks_are_there_without_values(tmp_path: Path) -> None:
    mixed = Sweep(
        load("dumbbell", ["duration=4s"]),
        (Axis("flow.*.traffic", ('{ kind = "ftp" }', '{ kind = "ftp", size = "20kB" }')),),
        reps=2,
    )
    mixed.run(tmp_path, by_point=True)
    table = pl.scan_parquet(tmp_path / "flows" / "*.parquet").select("fct_s").collect()
    assert 0 < table["fct_s"].null_count() < len(table)
    assert table["fct_s"].dtype == pl.Float64


def test_by_point_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "sweep",
        "dumbbell",
        "--set",
        "duration=2s",
        "--vary",
        "link.bottleneck.rate=1Mbps,2Mbps",
        "--reps",
        "3",
    ]
    assert main([*words, "--out", str(tmp_path / "out"), "--by-point", "--until", "20"]) == 0
    assert "runs/*.parquet" in capsys.readouterr().out
    assert "--until 20" in (tmp_path / "out" / "report.html").read_text()
