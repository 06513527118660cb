"""Files are whole or absent; a campaign's registry keeps what is finished."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import polars
import pytest

from ackclock.errors import FileError
from ackclock.sweep.store import Store, atomic_folder, atomic_write, csv_text, json_text, write_rows


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "sub" / "a.txt"
    atomic_write(target, "one")
    atomic_write(target, b"two")
    assert target.read_text() == "two"
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(FileError, match="cannot write"):
        atomic_write(tmp_path / "taken", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_files_of_a_folder_appear_together(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old.txt").write_text("stays")
    with atomic_folder(out) as draft:
        (draft / "a.txt").write_text("a")
        (draft / "sub").mkdir()
        (draft / "sub" / "b.txt").write_text("b")
        assert not (out / "a.txt").exists()
    assert sorted(path.name for path in out.rglob("*.txt")) == ["a.txt", "b.txt", "old.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_folder_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    def interrupted() -> None:
        with atomic_folder(tmp_path / "out") as draft:
            (draft / "a.txt").write_text("a")
            raise error

    with pytest.raises(error):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_a_folders_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")

    def write() -> None:
        with atomic_folder(tmp_path / "out"):
            pass

    with pytest.raises(FileError, match="not a folder"):
        write()


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


def test_json_has_no_nan() -> None:
    text = json_text({"a": float("nan"), "b": [float("inf"), 1.5]})
    assert json.loads(text) == {"a": None, "b": [None, 1.5]}
    assert text.endswith("}\n")
