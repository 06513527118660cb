"""A study's tables on disk: rows of frozen dataclasses, hashed, stored and read again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


def digest(rows: Iterable[Any]) -> str:
    """SHA-256 of rows of dataclasses in their order: the same on every machine."""
    sha = hashlib.sha256()
    for row in rows:
        sha.update(repr(tuple(getattr(row, f.name) for f in fields(row))).encode())
        sha.update(b"\n")
    return sha.hexdigest()


def store(folder: Path, tables: Mapping[str, Sequence[Any]], head: Mapping[str, Any]) -> None:
    """Write each table that has rows as Parquet and as CSV, and `data.json` with the head."""
    import polars as pl

    for name, rows in tables.items():
        if rows:
            frame = pl.DataFrame([asdict(row) for row in rows])
            frame.write_parquet(folder / f"{name}.parquet")
            frame.write_csv(folder / f"{name}.csv")
    (folder / "data.json").write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")


def head(folder: Path) -> dict[str, Any]:
    """Read the head that `store` wrote."""
    found: dict[str, Any] = json.loads((folder / "data.json").read_text(encoding="utf-8"))
    return found


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """Read the rows of a table that `store` wrote."""
    import polars as pl

    return pl.read_parquet(folder / f"{name}.parquet").to_dicts()
