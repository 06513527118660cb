"""The study as the registry finds it: what `studies.carry_out` has to know of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ackclock.studies.carry_out import Analysis, CarriedOut

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.studies.abadin.data import Data
    from ackclock.studies.abadin.experiments import Plan


class Abadin(CarriedOut["Plan", "Data"]):
    """The study "abadin"."""

    name = "abadin"
    summary = "Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell (Abadin and others; ns-2)"
    figures = ("table1", "fig2", "fig3", "fig4", "fig6", "fig7", "fig8")

    def plan(self, *, quick: bool, only: str | None) -> Plan:
        """What one call runs; see `experiments.plan`."""
        from ackclock.studies.abadin.experiments import plan

        return plan(quick=quick, only=only)

    def simulate(self, chosen: Plan, jobs: int, progress: Callable[[int, int], None] | None) -> Data:
        """Run all of it; see `data.simulate`."""
        from ackclock.studies.abadin import data

        return data.simulate(chosen, jobs, progress)

    def load(self, folder: Path) -> Data:
        """Read stored data."""
        from ackclock.studies.abadin.data import Data

        return Data.load(folder)

    def scenarios(self, chosen: Plan) -> list[dict[str, Any]]:
        """Each scenario that was run."""
        from ackclock.studies.abadin.data import scenarios

        return scenarios(chosen.experiments)

    def analyse(self, data: Data) -> Analysis:
        """Draw every conclusion; see `analysis.analyse`."""
        from ackclock.studies.abadin.analysis import analyse

        return analyse(data)

    def manifest(self, data: Data, chosen: Plan) -> dict[str, Any]:
        """Seeds, settings, points and scenarios."""
        from ackclock.studies.abadin import settings as k

        return {
            "runs": len(data.runs),
            "seeds": {
                "identical_starts": [k.BASE_SEED + r for r in range(chosen.same_starts)],
                "identical_starts_with_random_loss": [
                    k.BASE_SEED + r for r in range(chosen.same_starts_loss)
                ],
                "jittered_starts": [k.BASE_SEED + r for r in range(1, chosen.jittered + 1)],
                "jittered_starts_with_random_loss": [
                    k.BASE_SEED + r for r in range(1, chosen.jittered_loss + 1)
                ],
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
