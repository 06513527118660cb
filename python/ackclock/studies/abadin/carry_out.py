"""The study from one call: run, store, analyse, report, all or nothing."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ackclock.studies.study import StudyResult, figure_named

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.studies.abadin.data import Data
    from ackclock.studies.abadin.experiments import Plan


class Abadin:
    """The study "abadin"."""

    name = "abadin"
    summary = "Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell (Abadin and others; ns-2)"
    figures = ("table1", "fig2", "fig3", "fig4", "fig6", "fig7", "fig8")

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
        only = figure_named(self, only)
        from ackclock.files import atomic_folder
        from ackclock.studies.abadin.data import simulate
        from ackclock.studies.abadin.experiments import plan

        chosen = plan(quick=quick, only=only)
        with atomic_folder(out) as folder:
            begun = time.perf_counter()
            data = simulate(chosen, jobs, progress)
            ran = time.perf_counter() - begun
            store = folder / "data"
            store.mkdir()
            data.store(store)
            _scenarios(chosen, store)
            _write_json(folder / "manifest.json", manifest(data, chosen, only))
            result = _report(data, folder)
            timing = {"simulation_s": round(ran, 3), "all_s": round(time.perf_counter() - begun, 3)}
            _write_json(folder / "timing.json", {**timing, "runs": len(data.runs)})
        return _moved(result, folder, out)

    def report(self, folder: Path) -> StudyResult:
        """Write the report again from stored data; see `study.Study.report`."""
        from ackclock.studies.abadin.data import Data

        return _report(Data.load(folder / "data"), folder)


def manifest(data: Data, chosen: Plan, only: str | None) -> dict[str, Any]:
    """What it takes to run this again, and the hash to compare."""
    from ackclock.studies.abadin import settings as k

    command = (
        "ackclock study abadin" + (" --quick" if data.quick else "") + (f" --only {only}" if only else "")
    )
    return {
        "study": "abadin",
        "version": data.version,
        "command": command,
        "data_sha256": data.digest(),
        "runs": len(data.runs),
        "seeds": {
            "identical_starts": [k.BASE_SEED + r for r in range(chosen.same_starts)],
            "identical_starts_with_random_loss": [k.BASE_SEED + r for r in range(chosen.same_starts_loss)],
            "jittered_starts": [k.BASE_SEED + r for r in range(1, chosen.jittered + 1)],
            "jittered_starts_with_random_loss": [k.BASE_SEED + r for r in range(1, chosen.jittered_loss + 1)],
        },
        "jitter_s": k.JITTER_S,
        "settings": [asdict(setting) for setting in k.SETTINGS],
        "tcp": {variant: {**own, **k.TCP} for variant, own in k.VARIANTS.items()},
        "points": {e.key: [p.x for p in e.points] for e in chosen.experiments},
        "scenario_hashes": {
            f"{row.experiment} x={row.x:g} {row.variant}": row.scenario_hash
            for row in data.runs
            if not row.jittered
        },
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON; a row of data/runs.parquet with "
            "jittered = false is `ackclock run SCENARIO.json --seed SEED`"
        ),
    }


def _report(data: Data, folder: Path) -> StudyResult:
    from ackclock.report.writer import write
    from ackclock.studies.abadin import analysis
    from ackclock.studies.study import claims_json

    found = analysis.analyse(data)
    written = write(found.report, folder)
    _points(found, folder / "data")
    _write_json(folder / "data" / "claims.json", claims_json(found.claims))
    return StudyResult(
        study="abadin",
        out=folder,
        report=written.page,
        plots=list(written.plots),
        summary_tables=found.summary,
        verdicts=found.claims,
        data_sha256=data.digest(),
        extra=found.numbers,
    )


def _moved(result: StudyResult, folder: Path, out: Path) -> StudyResult:
    return StudyResult(
        study=result.study,
        out=out,
        report=out / result.report.relative_to(folder),
        plots=[out / path.relative_to(folder) for path in result.plots],
        summary_tables=result.summary_tables,
        verdicts=result.verdicts,
        data_sha256=result.data_sha256,
        extra=result.extra,
    )


def _points(found: Any, folder: Path) -> None:
    import polars as pl

    frame = pl.DataFrame(found.points)
    frame.write_parquet(folder / "points.parquet")
    frame.write_csv(folder / "points.csv")


def _scenarios(chosen: Plan, folder: Path) -> None:
    import polars as pl

    from ackclock.studies.abadin.data import scenarios

    pl.DataFrame(scenarios(chosen.experiments)).write_parquet(folder / "scenarios.parquet")


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
