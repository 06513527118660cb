"""A change in a study's golden data is reported by table, point and column."""

from __future__ import annotations

import polars as pl
import pytest
from tests.python import study_goldens

from ackclock.study import StudyData
from ackclock.study.registry import get


def data(table: pl.DataFrame) -> StudyData:
    return StudyData({"windows": table}, quick=True, figures=("fig4",), version="0")


def test_each_changed_column_has_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(study_goldens, "GOLDEN", tmp_path)
    study = get("abadin")
    rows = [
        {"window": 20, "experiment": "delay", "x": x, "variant": "reno", "jittered": True, "seed": seed}
        for x in (10.0, 20.0)
        for seed in (1, 2)
    ]
    table = pl.DataFrame(rows).with_columns(throughput_Bps=100 * pl.col("x"), scenario_hash=pl.lit("a"))
    monkeypatch.setenv("UPDATE_GOLDEN", "1")
    study_goldens.check(study, {"fig4": data(table)})
    monkeypatch.delenv("UPDATE_GOLDEN")
    study_goldens.check(study, {"fig4": data(table)})
    faster = pl.when(pl.col("x") == 20, pl.col("seed") == 2).then(2200.0).otherwise("throughput_Bps")
    with pytest.raises(AssertionError) as why:
        study_goldens.check(study, {"fig4": data(table.with_columns(throughput_Bps=faster))})
    said = str(why.value).splitlines()
    assert len([line for line in said if " -> " in line]) == 1
    assert "fig4 windows[20 delay 20.0 reno True].throughput_Bps: '2000 " in str(why.value)
    assert "-> '2100 " in str(why.value)
    with pytest.raises(AssertionError, match="in another order"):
        study_goldens.check(study, {"fig4": data(table.reverse().sort("seed", maintain_order=True))})
