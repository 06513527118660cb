"""Runs whose tables are in memory or in a folder: results of ``ackclock run --out``, measurements, runs side by side.

They have the tables, traces and figures of a run. They cannot be repeated, so traces that were not recorded are
missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from ackclock import _core
from ackclock._io.files import json_text, read_json, read_parquet
from ackclock.errors import FileError, UserError, choices
from ackclock.runs.columns import lost, upgraded
from ackclock.runs.run import FILE_TRACES, SUMMARY_TABLES, TRACES, Run

if TYPE_CHECKING:
    import polars

    from ackclock.scenario.scenario import Scenario

LARGEST_TABLE: Final = 2 << 30
"""Maximum size of a table's file that can be read, bytes."""

LISTS: Final = ("flows", "links", "gateways", "wifi", "stations", "lte", "ues", "cells")
"""Names of the lists in a summary."""


class StoredTable:
    """A table in memory with the interface of the core's tables."""

    def __init__(self, frame: polars.DataFrame) -> None:
        """Wrap a data frame."""
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the data to another library (Arrow PyCapsule interface)."""
        return self.frame.__arrow_c_stream__(requested_schema)

    def batches(self) -> list[StoredTable]:
        """Return a list of batches that contains the whole table as one batch."""
        return [self]


class StoredResult:
    """Summary and tables with the interface of the core's results."""

    wall_s = cpu_s = 0.0

    def __init__(self, summary: Mapping[str, Any], tables: Mapping[str, polars.DataFrame]) -> None:
        """Store a summary and its tables; a result table that is not given is empty."""
        self.summary = json_text({**dict.fromkeys(LISTS, ()), **summary}).encode()
        self.events = int(summary["manifest"].get("events") or 0)
        self._tables = {name: tables.get(name, empty(name)) for name in SUMMARY_TABLES} | dict(tables)

    def summary_dict(self) -> dict[str, Any]:
        """Return the summary as dictionaries and lists."""
        found: dict[str, Any] = json.loads(self.summary)
        return found

    @property
    def tables(self) -> list[str]:
        """Names of the tables."""
        return list(self._tables)

    def table(self, name: str) -> StoredTable:
        """Return a table by name."""
        return StoredTable(self._tables[name])

    def write_csv(self, name: str, path: str) -> None:
        """Write a table as CSV."""
        self._tables[name].write_csv(path)


@cache
def empty(name: str) -> polars.DataFrame:
    """Return a table of results or a trace without rows, but with its columns and their types."""
    import polars as pl

    return pl.DataFrame(_core.empty_table(name))


def shaped(name: str, columns: Mapping[str, Any]) -> polars.DataFrame:
    """Return a table of results or a trace from its columns; a column that is not given has only null values."""
    import polars as pl

    schema = empty(name).schema
    rows = len(next(iter(columns.values()), ()))
    return pl.DataFrame(
        {
            column: pl.Series(
                column, columns[column] if column in columns else [None] * rows, dtype, strict=False
            )
            for column, dtype in schema.items()
        }
    )


class StoredRun(Run):
    """A run that cannot be repeated: read from a folder, measured, or made of several runs.

    ``ac.runs.read_run("results/mine")`` reads the folder of ``ackclock run --out results/mine`` or ``ackclock import``.
    """

    def __init__(
        self, summary: Mapping[str, Any], tables: Mapping[str, polars.DataFrame], *, place: str = "this run"
    ) -> None:
        """Make a run from a summary and its tables; `place` is the run's name in error messages."""
        result = cast("_core.RunResult", StoredResult(summary, tables))
        traces = [name for name in tables if name not in SUMMARY_TABLES]
        super().__init__(
            cast("Scenario", None), result, seed=None, jitter_s=0.0, bin_s=1.0, traces=traces, confirm=True
        )
        self._place = place

    @property
    def measured(self) -> dict[str, Any] | None:
        """Origin of measured data: kind, file and its SHA-256; None if the run was simulated."""
        found: dict[str, Any] | None = self.manifest.get("measured")
        return found

    @property
    def scenario(self) -> Scenario:
        """The scenario; a stored run has none, so `UserError` is raised."""
        raise UserError(f"{self._place} has no scenario to run: it was measured or read from a folder")

    def _repeatable(self, traces: Sequence[str]) -> None:
        known = self.traces
        raise UserError(
            f"{self._place} has no trace {', '.join(traces)}\n  it has: {', '.join(known) or 'none'}\n  "
            + (
                "what was measured does not show it"
                if self.measured is not None
                else f"record it when you run: ackclock run FILE --trace {','.join([*known, *traces])} --out DIR"
            )
        )

    def _write_origin(self, draft: Path) -> None:
        """Write nothing, since a stored run has neither a scenario nor run times."""


def read_run(folder: str | Path) -> StoredRun:
    """Return the run in a folder that ``ackclock run --out``, ``ackclock import`` or `Run.save` has written.

    Raises:
        FileError: If the folder cannot be read or has no results of a run.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileError(
            f"cannot read {folder}: {'it is not a folder' if folder.exists() else 'no such folder'}"
        )
    if not (folder / "summary.json").exists():
        raise FileError(f"{folder} has no results of a run: there is no summary.json in it")
    path = folder / "summary.json"
    summary = _checked(read_json(path), path)
    try:
        upgraded(summary)
    except (AttributeError, TypeError) as why:
        raise FileError(f"{path}: damaged ({why})") from why
    traces = [str(one["name"]) for one in TRACES if one["name"] not in FILE_TRACES]
    tables = {}
    for name in (*SUMMARY_TABLES, *traces):
        found = _table(folder, name)
        if found is not None:
            tables[name] = found
    return StoredRun(summary, tables, place=str(folder))


def _checked(summary: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return a summary with missing lists and columns filled in; raise `FileError` if values have wrong types."""
    for name in LISTS:
        rows = summary.setdefault(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise FileError(f"{path}: damaged ({name} is not a list of tables)")
    columns = [name for name in empty("flows").columns if name != "flow" and not name.startswith("lost_")]
    for row in summary["flows"]:
        if not all(isinstance(row.get(name), str) for name in ("name", "variant", "from", "to")):
            raise FileError(f"{path}: damaged (a flow has no name, variant, from or to)")
        for name in columns:
            value = row.setdefault(name, None)
            if not isinstance(value, str | int | float | None):
                raise FileError(f"{path}: damaged ({name} of flow {row['name']!r} is not a number)")
        for name in ("lost_packets_total", "lost_acks_total"):
            row.setdefault(name, None)
        row["lost_packets"] = row["lost_packets"] if isinstance(row.get("lost_packets"), dict) else {}
    manifest = summary.get("manifest")
    if not isinstance(manifest, dict) or not isinstance(manifest.get("duration_s"), int | float):
        raise FileError(f"{path}: damaged (the manifest has no duration_s)")
    if not isinstance(manifest.get("events"), int | None):
        raise FileError(f"{path}: damaged (events in the manifest is not a whole number)")
    if not isinstance(manifest.get("measured", {}), dict):
        raise FileError(f"{path}: damaged (measured in the manifest is not a table)")
    if not isinstance(summary.setdefault("fairness", {"jain": None}), dict):
        raise FileError(f"{path}: damaged (fairness is not a table)")
    return summary


def _table(folder: Path, name: str) -> polars.DataFrame | None:
    """Return a table of a folder, read from Parquet if that file exists, otherwise from CSV; None without either."""
    import polars as pl
    from polars.exceptions import PolarsError

    schema = empty(name).schema
    for form in ("parquet", "csv"):
        path = folder / f"{name}.{form}"
        if not path.exists():
            continue
        if not path.is_file():
            raise FileError(f"cannot read {path}: it is not a regular file")
        if path.stat().st_size > LARGEST_TABLE:
            raise FileError(f"cannot read {path}: it is too large\n  allowed: {LARGEST_TABLE >> 30} GiB")
        try:
            if form == "parquet":
                found = read_parquet(path)
            else:
                found = pl.read_csv(path, schema_overrides=schema, infer_schema=False)
            lacking = [column for column in schema if column not in found.columns]
            if lacking:
                raise FileError(f"{path}: damaged (there is no column {lacking[0]})")
            return found.select(list(schema)).cast(schema)
        except (PolarsError, OSError) as why:
            raise FileError(f"{path}: damaged ({str(why).splitlines()[0]})") from why
    return None


def beside(runs: Mapping[str, Run], traces: Sequence[str] = ()) -> StoredRun:
    """Return one run with the flows of several runs, for figures that show measured and simulated flows together.

    ``beside({"measured": run, "simulated": other}).plot.rtt()`` names the flows "measured cubic" and so on. If a run
    has one flow, the flow's name is the run's label. The result has the traces that all runs have, and `traces`; a
    simulated run that lacks one of `traces` is repeated to record it.

    Raises:
        UserError: If there is no run, or one of them has no such trace.
    """
    import polars as pl

    if not runs:
        raise UserError(f"name at least one run{choices('', ['read_run(folder)'])}")
    for run in runs.values():
        run.observe(*traces)
    names = [
        name for name in next(iter(runs.values())).traces if all(name in run.traces for run in runs.values())
    ]
    names = [name for name in dict.fromkeys([*names, *traces]) if name not in FILE_TRACES]
    frames: dict[str, list[polars.DataFrame]] = {name: [] for name in names}
    summary: dict[str, Any] = {name: [] for name in LISTS}
    for label, run in runs.items():
        first = len(summary["flows"])
        several = len(run.summary["flows"]) > 1
        summary["flows"] += [
            {
                **row,
                "name": f"{label} {row['name']}" if several else label,
                **{end: f"{label} {row[end]}" for end in ("from", "to")},
            }
            for row in run.summary["flows"]
        ]
        for name in LISTS[1:]:
            summary[name] += [
                {**row, **({"name": f"{label} {row['name']}"} if "name" in row else {})}
                for row in run.summary[name]
            ]
        for name in names:
            frame = run.trace(name).to_polars()
            frames[name].append(_moved(frame, first, label))
    summary["fairness"] = {"jain": None}
    measured = {
        label: run.manifest.get("measured") for label, run in runs.items() if run.manifest.get("measured")
    }
    summary["manifest"] = {
        "version": _core.__version__,
        "duration_s": max(float(run.manifest["duration_s"]) for run in runs.values()),
        **({"measured": measured} if measured else {}),
    }
    tables = {name: pl.concat(some, how="vertical_relaxed") for name, some in frames.items()}
    tables["flows"] = flow_table(summary["flows"])
    return StoredRun(summary, tables, place=" beside ".join(runs))


def flow_table(rows: Sequence[Mapping[str, Any]]) -> polars.DataFrame:
    """Return table ``flows`` for the flows of a summary."""
    flat = []
    for i, row in enumerate(rows):
        by_cause = row.get("lost_packets") or {}
        flat.append({**{lost(cause): count for cause, count in by_cause.items()}, **row, "flow": i})
    return shaped("flows", {column: [row.get(column) for row in flat] for column in empty("flows").columns})


def _moved(frame: polars.DataFrame, first: int, label: str) -> polars.DataFrame:
    """Return a trace with flow numbers that begin at `first`, and with places that carry the run's label."""
    import polars as pl

    changed = []
    if "flow" in frame.columns:
        changed.append((pl.col("flow") + first).cast(frame.schema["flow"]))
    changed += [
        (pl.lit(f"{label} ") + pl.col(name).cast(pl.String)).alias(name)
        for name in ("place", "link", "node")
        if name in frame.columns
    ]
    return frame.with_columns(changed)
