"""A sweep's database keeps finished runs, and its tables are read back unchanged."""

from __future__ import annotations

import sqlite3
import warnings
from pathlib import Path

import polars
import pytest

from ackclock.errors import FileError
from ackclock.sweeps.shard_store import ShardStore
from ackclock.sweeps.store import Store
from ackclock.sweeps.tables import columns_of, csv_text, without_nan, write_rows


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
    assert csv_text(without_nan(columns_of(rows))) == "x,y,z\n1,0.5,\n2,,late\n"
    write_rows(tmp_path, "t", rows)
    assert polars.read_parquet(tmp_path / "t.parquet").rows() == [(1, 0.5, None), (2, None, "late")]


def test_a_damaged_row_is_set_aside_and_its_run_is_missing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.put([("a", '{"x": 1}'), ("b", '{"x": 2}')])
    with sqlite3.connect(tmp_path / Store.FILE) as base:
        base.execute("UPDATE runs SET summary = '{\"x\": 3}' WHERE key = 'a'")
    with Store(tmp_path) as store:
        with pytest.warns(RuntimeWarning, match="1 damaged row set aside"):
            assert store.missing(["a", "b"]) == {"a"}
        assert store.get(["a", "b"]) == {"b": '{"x": 2}'}
        store.put([("a", '{"x": 1}')])
        assert store.get(["a"]) == {"a": '{"x": 1}'}
    with sqlite3.connect(tmp_path / Store.FILE) as base:
        assert base.execute("SELECT key, summary FROM damaged").fetchall() == [("a", '{"x": 3}')]


def test_a_registry_of_a_version_before_digests_is_read_on(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / Store.FILE) as base:
        base.execute("CREATE TABLE runs (key TEXT PRIMARY KEY, summary TEXT NOT NULL) WITHOUT ROWID")
        base.execute("INSERT INTO runs VALUES ('a', '1')")
    with Store(tmp_path) as store:
        store.put([("b", "2")])
        assert store.get(["a", "b"]) == {"a": "1", "b": "2"}


def test_bytes_that_a_disk_changed_give_an_error_or_a_row_less(tmp_path: Path) -> None:
    """A changed byte at any place leads neither to a traceback from the database nor to a false result."""
    rows = {str(i): f'{{"x": {i}}}' for i in range(60)}
    with Store(tmp_path) as store:
        store.put(rows.items())
    path = tmp_path / Store.FILE
    whole = path.read_bytes()
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        try:
            with warnings.catch_warnings(), Store(tmp_path) as store:
                warnings.simplefilter("ignore")
                found = store.get(list(rows))
        except FileError:
            continue
        finally:
            for left in tmp_path.glob(f"{Store.FILE}-*"):
                left.unlink()
        assert found.items() <= rows.items()


def test_a_damaged_file_of_a_shard_is_set_aside(tmp_path: Path) -> None:
    ShardStore(tmp_path).put([("a", "1")])
    ShardStore(tmp_path).put([("b", "2")])
    first = sorted((tmp_path / ShardStore.FOLDER).iterdir())[0]
    data = bytearray(first.read_bytes())
    data[len(data) // 2] ^= 0xFF
    first.write_bytes(data)
    with pytest.warns(RuntimeWarning, match="set aside"):
        missing = ShardStore(tmp_path).missing(["a", "b"])
    assert len(missing) == 1
    assert first.with_suffix(".damaged").exists()


def test_no_rows_make_no_file(tmp_path: Path) -> None:
    assert write_rows(tmp_path, "rows", []) == []
    assert not list(tmp_path.iterdir())
