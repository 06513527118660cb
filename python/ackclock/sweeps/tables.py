"""Tables of results as columns, and their files: thousands of flows fill a few lists instead of a dictionary each."""

from __future__ import annotations

import csv
import io
import operator
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ackclock._io.files import write_parquet
from ackclock.runs.columns import FORMER_MAPS, lost

if TYPE_CHECKING:
    import polars

Columns: TypeAlias = dict[str, Sequence[Any]]
"""Values of each column in the order of the rows; None for rows without a value."""


def columns_of(rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Return rows as columns, in order of first appearance."""
    names: dict[str, None] = {}
    for row in rows:
        if not row.keys() <= names.keys():
            names |= dict.fromkeys(row)
    return {name: [row.get(name) for row in rows] for name in names}


def flow_columns(runs: Iterable[tuple[Mapping[str, Any], Sequence[dict[str, Any]]]]) -> Columns:
    """Return one row per flow and run: the values of its run, its number, and its record as `flatten` returns it.

    Args:
        runs: Values of each run, and the records of its flows.
    """
    some = [(head, flows) for head, flows in runs if flows]
    if not some:
        return {}
    counts = [len(flows) for _, flows in some]
    heads = {
        name: [value for value, count in zip(values, counts, strict=True) for _ in range(count)]
        for name, values in columns_of([head for head, _ in some]).items()
    }
    numbers = [number for count in counts for number in range(count)]
    return {**heads, "flow": numbers, **_flat([flow for _, flows in some for flow in flows])}


def flatten(record: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a record without nested records, with the glossary's names of columns.

    ``{"lost_packets": {"queue": 3}}`` becomes ``{"lost_queue_packets": 3}``, the column of `Run.flows`. Values of other
    nested records get dotted names. Lists are left out, since they become separate tables.
    """
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, dict) and key in FORMER_MAPS.values():
            flat |= {f"{prefix}{lost(cause)}": count for cause, count in value.items()}
        elif isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            flat[f"{prefix}{key}" if prefix else key] = value
    return flat


def _flat(records: Sequence[dict[str, Any]]) -> Columns:
    """Return the records that `flatten` returns as columns, which takes less time if all have the same keys."""
    names = tuple(records[0])
    if len(names) < 2 or any(tuple(record) != names for record in records):
        return columns_of([flatten(record) for record in records])
    found: Columns = {}
    for name, values in zip(names, zip(*map(operator.itemgetter(*names), records), strict=True), strict=True):
        kinds = set(map(type, values))
        if kinds.isdisjoint((dict, list)):
            found[name] = values
        elif kinds == {dict} and name in FORMER_MAPS.values():
            found |= {lost(cause): counts for cause, counts in _flat(values).items()}
        elif kinds != {list}:
            found |= columns_of([flatten({name: value}) for value in values])
    return found


def csv_text(table: Mapping[str, Sequence[Any]]) -> str:
    """Return a table without NaN as CSV text; None is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return text.getvalue()


def without_nan(table: Mapping[str, Sequence[Any]]) -> Columns:
    """Return a table with None in place of NaN."""
    return {
        name: [value if value == value else None for value in values]
        if any(map(operator.ne, values, values))
        else values
        for name, values in table.items()
    }


def frame_of(table: Mapping[str, Sequence[Any]]) -> polars.DataFrame:
    """Return a table as a data frame; the type of a column fits all its values, as if they were given in rows."""
    import polars as pl

    return pl.DataFrame(table, strict=False, infer_schema_length=None)


def write_table(folder: Path, stem: str, table: Mapping[str, Sequence[Any]]) -> list[Path]:
    """Write a table as ``stem.csv`` and ``stem.parquet`` into `folder`, a folder of `atomic_folder`; return both paths.

    The table has no NaN. Without rows no file is written.
    """
    if not any(map(len, table.values())):
        return []
    comma, parquet = folder / f"{stem}.csv", folder / f"{stem}.parquet"
    comma.write_text(csv_text(table), encoding="utf-8")
    write_parquet(frame_of(table), parquet)
    return [comma, parquet]


def write_rows(folder: Path, stem: str, rows: Sequence[Mapping[str, Any]]) -> list[Path]:
    """Write rows as `write_table` writes a table, NaN as a missing value."""
    return write_table(folder, stem, without_nan(columns_of(rows)))
