"""Golden data of studies: the value of each column at each point, so that a failure names table, row and column."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from tests.python.goldens import differences, text_of

from ackclock.study import Study, StudyData

GOLDEN = Path(__file__).parents[1] / "data" / "studies"


def check(study: Study[Any], found: Mapping[str, StudyData]) -> None:
    """Compare named data sets of a study with their golden values.

    Raises:
        AssertionError: If they differ; the message has a line for each column that differs, with old and new mean.
    """
    path = GOLDEN / f"{study.name}.json"
    made = {name: digested(study, data) for name, data in found.items()}
    if os.environ.get("UPDATE_GOLDEN"):
        kept: dict[str, Any] = {}
        for name, (digest, tables) in made.items():
            kept |= {f"{name} sha256": digest, **{f"{name} {table}": rows for table, rows in tables.items()}}
        path.write_text(text_of(kept), encoding="utf-8")
    golden = json.loads(path.read_text(encoding="utf-8"))
    for name, (digest, tables) in made.items():
        before = {key: value for key, value in golden.items() if key.startswith(f"{name} ")}
        recorded = before.pop(f"{name} sha256", None)
        after = {f"{name} {table}": rows for table, rows in tables.items()}
        said = differences(before, json.loads(json.dumps(after)))
        if not said and digest != recorded:
            said = [f"{name}: the same columns at every point, in another order"]
        assert not said, f"{study.name} gives other data:\n  " + "\n  ".join(said)


def digested(study: Study[Any], data: StudyData) -> tuple[str, dict[str, list[dict[str, Any]]]]:
    """Return the digest of the data, and for each table a row per point with each column's mean and digest."""
    tables = {}
    for name, table in data.tables.items():
        labels = [label for label in study.tables[name].labels if label != "seed"]
        tables[name] = [
            {"name": " ".join(map(str, point)), "rows": part.height, **_columns(part, labels)}
            for point, part in table.partition_by(labels, as_dict=True, maintain_order=True).items()
        ]
    return data.digest(), tables


def _columns(part: pl.DataFrame, labels: list[str]) -> dict[str, str]:
    """Return mean (of numbers) and digest of each column that is not all zero."""
    columns = {}
    for column in part.get_columns():
        values = column.to_list()
        if column.name in labels or not any(values):
            continue
        digest = hashlib.blake2b("\n".join(map(repr, values)).encode(), digest_size=4).hexdigest()
        mean = f"{column.mean():.7g} " if column.dtype.is_numeric() else ""
        columns[column.name] = f"{mean}{digest}"
    return columns
