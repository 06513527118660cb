"""A study from one call: plan, run, store, analyse, report, all or nothing. What every study does alike."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from ackclock.studies.study import StudyResult, claims_json, figure_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ackclock.report.model import Claims, Report, Table


class StudyData(Protocol):
    """What a study's runs leave to be analysed."""

    def digest(self) -> str:
        """SHA-256 of the data: the same on every machine, for any number of threads."""

    def store(self, folder: Path) -> None:
        """Write the data into the folder."""


@dataclass(frozen=True)
class Analysis:
    """What the data say.

    Attributes:
        report: The whole report.
        claims: The verdicts.
        summary: What the terminal shows first.
        points: One row per point and variant, for `data/points`.
        numbers: What machines may want beside the verdicts.
    """

    report: Report
    claims: Claims
    summary: tuple[Table, ...]
    points: list[dict[str, Any]]
    numbers: dict[str, Any]


P = TypeVar("P")
D = TypeVar("D", bound=StudyData)


class CarriedOut(ABC, Generic[P, D]):
    """A study as the registry finds it; a subclass says what it runs and what its data say.

    Heavy imports belong into the methods: `ackclock list studies` makes an object of each study.
    """

    name: str
    summary: str
    figures: Sequence[str]

    @abstractmethod
    def plan(self, *, quick: bool, only: str | None) -> P:
        """What one call runs."""

    @abstractmethod
    def simulate(self, chosen: P, jobs: int, progress: Callable[[int, int], None] | None) -> D:
        """Run all of it."""

    @abstractmethod
    def load(self, folder: Path) -> D:
        """Read what `StudyData.store` wrote."""

    @abstractmethod
    def scenarios(self, chosen: P) -> list[dict[str, Any]]:
        """Each scenario that was run, as a row with its document."""

    @abstractmethod
    def manifest(self, data: D, chosen: P) -> dict[str, Any]:
        """What it takes to run this again beside the study, version, command and hash; `runs` is in it."""

    @abstractmethod
    def analyse(self, data: D) -> Analysis:
        """Draw every conclusion from the data; nothing is simulated."""

    def run(
        self,
        *,
        quick: bool = False,
        only: str | None = None,
        out: Path,
        jobs: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> StudyResult:
        """Run the study and write its report; see `study.Study.run`."""
        import polars as pl

        from ackclock import _core
        from ackclock.files import atomic_folder

        only = figure_named(self, only)
        chosen = self.plan(quick=quick, only=only)
        with atomic_folder(out) as folder:
            begun = time.perf_counter()
            data = self.simulate(chosen, jobs, progress)
            ran = time.perf_counter() - begun
            store = folder / "data"
            store.mkdir()
            data.store(store)
            pl.DataFrame(self.scenarios(chosen)).write_parquet(store / "scenarios.parquet")
            manifest = {
                "study": self.name,
                "version": _core.__version__,
                "command": command(self.name, quick=quick, only=only),
                "data_sha256": data.digest(),
                **self.manifest(data, chosen),
            }
            _write_json(folder / "manifest.json", manifest)
            result = self._report(data, folder)
            timing = {"simulation_s": round(ran, 3), "all_s": round(time.perf_counter() - begun, 3)}
            _write_json(folder / "timing.json", {**timing, "runs": manifest["runs"]})
        return _moved(result, folder, out)

    def report(self, folder: Path) -> StudyResult:
        """Write the report again from stored data; see `study.Study.report`."""
        return self._report(self.load(folder / "data"), folder)

    def _report(self, data: D, folder: Path) -> StudyResult:
        import polars as pl

        from ackclock.report.writer import write

        found = self.analyse(data)
        written = write(found.report, folder)
        points = pl.DataFrame(found.points, infer_schema_length=None)
        points.write_parquet(folder / "data" / "points.parquet")
        points.write_csv(folder / "data" / "points.csv")
        _write_json(folder / "data" / "claims.json", claims_json(found.claims))
        return StudyResult(
            study=self.name,
            out=folder,
            report=written.page,
            plots=list(written.plots),
            summary_tables=found.summary,
            verdicts=found.claims,
            data_sha256=data.digest(),
            extra=found.numbers,
        )


def command(name: str, *, quick: bool, only: str | None) -> str:
    """The line that runs a study again."""
    return f"ackclock study {name}" + (" --quick" if quick else "") + (f" --only {only}" if only else "")


def _moved(result: StudyResult, folder: Path, out: Path) -> StudyResult:
    return replace(
        result,
        out=out,
        report=out / result.report.relative_to(folder),
        plots=[out / path.relative_to(folder) for path in result.plots],
    )


def _write_json(path: Path, value: object) -> None:
    from ackclock.files import json_text

    path.write_text(json_text(value), encoding="utf-8")
