"""Data of a study's runs: tables and their hash, storing and loading them, and access to values by point."""

from __future__ import annotations

import contextlib
import hashlib
import json
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import polars as pl

from ackclock._io.files import read_json, read_parquet
from ackclock.errors import FileError
from ackclock.stats.statistics import Interval, interval, mean
from ackclock.study.changes import UNCHANGED, Changes
from ackclock.study.repeats import Repeats
from ackclock.study.runs import ALTERED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

V = TypeVar("V")


@dataclass(frozen=True, eq=False)
class StudyData:
    """The data of a study's runs.

    Attributes:
        tables: The non-empty tables, by name.
        quick: True if the runs are those of the quick form, which has fewer points and replications.
        figures: The figures whose runs were requested.
        version: Version of ackclock that made the runs.
        changes: The user's changes to the study.
        repeats: Counts of scenarios in which several replications drop the same packets in the same order.
    """

    tables: Mapping[str, pl.DataFrame]
    quick: bool
    figures: tuple[str, ...]
    version: str
    changes: Changes = UNCHANGED
    repeats: Repeats = field(default_factory=Repeats)

    @property
    def run_count(self) -> int:
        """Number of runs, counted in the tables that have a scenario hash."""
        return sum(table.height for table in self._runs())

    def _runs(self) -> list[pl.DataFrame]:
        """Return the tables that have a scenario hash, each reduced to one row per run."""
        named = [table for table in self.tables.values() if "scenario_hash" in table.columns]
        return [table.filter(flow=0) if "flow" in table.columns else table for table in named]

    @property
    def altered_runs(self) -> tuple[int, int]:
        """Number of runs whose scenarios a user's settings changed, and number of all runs."""
        changed = sum(int((table[ALTERED] != "").sum()) for table in self._runs() if ALTERED in table.columns)
        return changed, self.run_count

    def digest(self) -> str:
        """Return the SHA-256 of all rows; it is the same on every machine and with any number of threads."""
        sha = hashlib.sha256()
        for table in self.tables.values():
            for row in table.iter_rows():
                sha.update(repr(row).encode())
                sha.update(b"\n")
        return sha.hexdigest()

    def store(self, folder: Path) -> None:
        """Write each table into the folder, as Parquet and as CSV, and `data.json`."""
        for name, table in self.tables.items():
            table.write_parquet(folder / f"{name}.parquet")
            table.write_csv(folder / f"{name}.csv")
        head = {
            "quick": self.quick,
            "figures": list(self.figures),
            # The tables are listed, since the folder may still contain another table from an earlier call with more
            # figures.
            "tables": list(self.tables),
            "version": self.version,
            "sha256": self.digest(),
            "repeats": self.repeats.plain(),
            **self.changes.plain(),
        }
        (folder / "data.json").write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the data that `store` wrote to the folder.

        Raises:
            FileError: If a file is missing or damaged.
        """
        path = folder / "data.json"
        head = read_json(path)
        try:
            tables = {name: read_parquet(folder / f"{name}.parquet") for name in head["tables"]}
            changes, repeats = Changes.from_plain(head), Repeats(**head.get("repeats", {}))
            return cls(
                tables, head["quick"], tuple(head["figures"]), head["version"], changes, repeats=repeats
            )
        except (KeyError, TypeError, ValueError, AttributeError) as why:
            raise FileError(f"{path}: damaged, not as a study writes it ({why!r})") from why

    def scenario_hashes(self, name: str, key: str) -> dict[str, str]:
        """Return the scenario hashes of table `name`; the format string `key` makes a dictionary key from a row."""
        table = self.tables.get(name)
        if table is None:
            return {}
        return {key.format(**row): row["scenario_hash"] for row in table.iter_rows(named=True)}

    def filtered(self, name: str, **labels: object) -> Self:
        """Return the data with table `name` reduced to the rows whose columns have the given values."""
        if name not in self.tables:
            return self
        return replace(self, tables={**self.tables, name: self.tables[name].filter(**labels)})

    def values(self, name: str, *labels: str, **columns: pl.Expr) -> Points:
        """Return the columns of a table, grouped by point.

        Args:
            name: The table.
            labels: The columns that identify a point.
            columns: Further columns as expressions over the table's columns.
        """
        table = self.tables.get(name)
        return Points({} if table is None else _points(table.with_columns(**columns), labels), labels)

    def per_run(self, name: str, *labels: str, **columns: pl.Expr) -> Points:
        """Return aggregated columns by point, one row per run, from a table with several rows per run."""
        table = self.tables.get(name)
        if table is None:
            return Points({}, labels)
        if ALTERED in table.columns:
            columns = {**columns, ALTERED: pl.col(ALTERED).first()}
        rows = table.group_by(*labels, "seed", maintain_order=True).agg(**columns)
        return Points(_points(rows, labels), labels)


class Points:
    """The columns of a table, grouped by point; runs are sorted by seed, so that runs of two points can be paired."""

    def __init__(self, points: Mapping[tuple[Any, ...], pl.DataFrame], names: Sequence[str] = ()) -> None:
        self._points, self._names = points, tuple(names)
        self._read: dict[tuple[object, ...], list[Any]] = {}
        self._altered: dict[tuple[object, ...], frozenset[str]] = {}

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the points in the table's order; each point is a tuple of labels."""
        return iter(self._points)

    def only(self, **labels: object) -> Points:
        """Return the points whose labels have the given values; these labels are dropped from the points."""
        at = {self._names.index(name): value for name, value in labels.items()}
        left = [i for i in range(len(self._names)) if i not in at]
        parts = {
            tuple(point[i] for i in left): part
            for point, part in self._points.items()
            if all(point[i] == value for i, value in at.items())
        }
        return Points(parts, [self._names[i] for i in left])

    def labels(self, which: int, *first: object) -> list[Any]:
        """Return the distinct values of label number `which`, in table order, for points that begin with `first`."""
        found = (point[which] for point in self._points if point[: len(first)] == first)
        return list(dict.fromkeys(found))

    def altered(self, *point: object) -> frozenset[str]:
        """Return the user's settings that changed the scenarios of all points that begin with the labels `point`.

        The set is empty if the scenarios are unchanged, or if no point begins with these labels.
        """
        if point not in self._altered:
            parts = [part for at, part in self._points.items() if at[: len(point)] == point]
            texts = {text for part in parts if ALTERED in part.columns for text in part[ALTERED].unique()}
            self._altered[point] = frozenset(one for text in texts if text for one in text.split("; "))
        return self._altered[point]

    def of(self, column: str, *point: object) -> list[Any]:
        """Return the values of a column at a point, one per row.

        Raises:
            KeyError: There are no runs at the point.
        """
        _note(self.altered(*point))
        key = (column, *point)
        if key not in self._read:
            self._read[key] = self._points[point][column].to_list()
        return self._read[key]

    def runs(self, column: str, *point: object) -> list[list[Any]]:
        """Return the values of a column at a point: a list for each run, in order of seeds."""
        by_seed: dict[int, list[Any]] = {}
        for seed, value in zip(self.of("seed", *point), self.of(column, *point), strict=True):
            by_seed.setdefault(seed, []).append(value)
        return list(by_seed.values())

    def mean(self, column: str, *point: object) -> float:
        """Return the mean of a column at a point."""
        return mean(self.of(column, *point))

    def interval(self, column: str, *point: object) -> Interval:
        """Return the mean of a column at a point with its confidence interval."""
        return interval(self.of(column, *point))

    def intervals(self, column: str, *point: object) -> list[Interval]:
        """Return, for each row of a run in turn, the mean of a column over all runs at a point, with its interval."""
        return [interval(at) for at in zip(*self.runs(column, *point), strict=True)]

    def over_time(self, column: str, *point: object) -> tuple[list[float], list[Interval]]:
        """Return the times (`time_s`) of a run's rows, and the mean over all runs at the point for each time."""
        return self.runs("time_s", *point)[0], self.intervals(column, *point)

    def theirs(self, found: Mapping[Any, V], at: tuple[object, ...], *more: object) -> V | None:
        """Return another simulator's value `found[*at, *more]`.

        None if it has no such value, or if a user changed our scenario at `at`.
        """
        return None if self.altered(*at) else found.get((*at, *more))


_NOTED: Final[ContextVar[set[str] | None]] = ContextVar("noted", default=None)


def _note(settings: frozenset[str]) -> None:
    noted = _NOTED.get()
    if noted is not None:
        noted |= settings


@contextlib.contextmanager
def noting_altered() -> Iterator[set[str]]:
    """Collect the user's settings that changed the runs whose values are read inside the context."""
    noted: set[str] = set()
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def _points(table: pl.DataFrame, labels: tuple[str, ...]) -> dict[tuple[Any, ...], pl.DataFrame]:
    parts = table.partition_by(labels, as_dict=True, maintain_order=True)
    if "seed" not in table.columns:
        return parts
    return {point: part.sort("seed", maintain_order=True) for point, part in parts.items()}


def divided(column: str | pl.Expr, by: float) -> pl.Expr:
    """Return a column divided by a number, rounded once; polars itself multiplies by the rounded reciprocal."""
    whole = pl.col(column) if isinstance(column, str) else column
    return whole / (0 * whole + by)
