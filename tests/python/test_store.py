"""A campaign's registry keeps what is finished; tables read back."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import polars
import pytest

from ackclock.errors import FileError
from ackclock.sweep.store import Store, csv_text, write_rows


def test_the_registry_keeps_finished_runs(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put([("a", "1"), ("b", "2")])
        assert store.get(["a", "c"]) == {"a": "1"}
    with Store(tmp_path) as again:
        again.put([("b", "3")])
        assert len(again) == 2
        assert again.get(["b"]) == {"b": "3"}


def test_a_batch_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        with pytest.raises(sqlite3.Error):
            store.put([("a", "1"), ("b", None)])  # type: ignore[list-item]
        assert len(store) == 0


def test_many_keys_are_found(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put((str(i), str(i)) for i in range(1234))
        assert len(store.get([str(i) for i in range(2000)])) == 1234


def test_a_registry_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / Store.FILE).write_text("this is no database, whatever its name says" * 50)
    with pytest.raises(FileError, match="cannot use"):
        Store(tmp_path)


def test_rows_read_back_and_nothing_is_nothing(tmp_path: Path) -> None:
    rows = [{"x": 1, "y": 0.5}, {"x": 2, "y": float("nan"), "z": "late"}]
    assert csv_text(rows) == "x,y,z\n1,0.5,\n2,,late\n"
    write_rows(tmp_path, "t", rows)
    assert polars.read_parquet(tmp_path / "t.parquet").rows() == [(1, 0.5, None), (2, None, "late")]
