"""A study from one call: plan, run, store, analyse, report, all or nothing. What every study does alike."""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ackclock.studies.study import StudyResult, claims_json, figure_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ackclock.report.model import Claims, Report, Table
    from ackclock.studies.storage import StudyData


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


@dataclass(frozen=True)
class CarriedOut:
    """A study as the registry finds it. What is its own stands in three modules of its folder.

        experiments   FIGURES, what `only` takes; plan(quick=, only=), what one call runs
        data          Data, a `storage.StudyData`; simulate(plan, threads, progress) -> Data;
                      leave(plan, folder, threads), where the study has it: writes what runs leave beside the data;
                      scenarios(plan), each scenario that was run, as a row with its document;
                      manifest(data, plan), what it takes to run this again beside the study, version, command
                      and hash; `runs` is in it
        analysis      analyse(data) -> Analysis, which draws every conclusion and simulates nothing

    They are imported when they are needed: `ackclock list studies` makes an object of each study.

    Attributes:
        name: Its name on the command line, and of its folder.
        summary: What it is, in a line.
    """

    name: str
    summary: str

    @property
    def figures(self) -> Sequence[str]:
        """What `only` takes."""
        figures: Sequence[str] = self._module("experiments").FIGURES
        return figures

    def _module(self, name: str) -> Any:
        return importlib.import_module(f"ackclock.studies.{self.name}.{name}")

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
        module = self._module("data")
        chosen = self._module("experiments").plan(quick=quick, only=only)
        with atomic_folder(out) as folder:
            begun = time.perf_counter()
            data: StudyData = module.simulate(chosen, jobs, progress)
            ran = time.perf_counter() - begun
            store = folder / "data"
            store.mkdir()
            data.store(store)
            pl.DataFrame(module.scenarios(chosen)).write_parquet(store / "scenarios.parquet")
            if hasattr(module, "leave"):
                module.leave(chosen, folder, jobs)
            manifest = {
                "study": self.name,
                "version": _core.__version__,
                "command": command(self.name, quick=quick, only=only),
                "data_sha256": data.digest(),
                **module.manifest(data, chosen),
            }
            _write_json(folder / "manifest.json", manifest)
            result = self._report(data, folder)
            timing = {"simulation_s": round(ran, 3), "all_s": round(time.perf_counter() - begun, 3)}
            _write_json(folder / "timing.json", {**timing, "runs": manifest["runs"]})
        return _moved(result, folder, out)

    def report(self, folder: Path) -> StudyResult:
        """Write the report again from stored data; see `study.Study.report`."""
        return self._report(self._module("data").Data.load(folder / "data"), folder)

    def _report(self, data: StudyData, folder: Path) -> StudyResult:
        import polars as pl

        from ackclock.report.writer import write

        found: Analysis = self._module("analysis").analyse(data)
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
