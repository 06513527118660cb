"""The study as the registry finds it: what `studies.carry_out` has to know of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ackclock.studies.carry_out import Analysis, CarriedOut

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.studies.huang.data import Data
    from ackclock.studies.huang.experiments import Plan


class Huang(CarriedOut["Plan", "Data"]):
    """The study "huang"."""

    name = "huang"
    summary = "Westwood, TCPW-I and an intelligent gateway on lossy paths (Huang and Li; ns-2 TCP-Linux)"
    figures = ("fig4", "fig5", "fig6", "fig7", "fig10", "fig11")

    def plan(self, *, quick: bool, only: str | None) -> Plan:
        """What one call runs; see `experiments.plan`."""
        from ackclock.studies.huang.experiments import plan

        return plan(quick=quick, only=only)

    def simulate(self, chosen: Plan, jobs: int, progress: Callable[[int, int], None] | None) -> Data:
        """Run all of it; see `data.simulate`."""
        from ackclock.studies.huang import data

        return data.simulate(chosen, jobs, progress)

    def load(self, folder: Path) -> Data:
        """Read stored data."""
        from ackclock.studies.huang.data import Data

        return Data.load(folder)

    def scenarios(self, chosen: Plan) -> list[dict[str, Any]]:
        """Each scenario that was run."""
        from ackclock.studies.huang.data import scenarios

        return scenarios(chosen)

    def analyse(self, data: Data) -> Analysis:
        """Draw every conclusion; see `analysis.analyse`."""
        from ackclock.studies.huang.analysis import analyse

        return analyse(data)

    def manifest(self, data: Data, chosen: Plan) -> dict[str, Any]:
        """Seeds, settings, points and scenarios."""
        from ackclock.studies.huang import settings as k

        return {
            "runs": data.runs,
            "seeds": {
                "random_loss": [k.BASE_SEED + r for r in range(chosen.seeds)],
                "starts_together": [k.BASE_SEED + r for r in range(chosen.together)],
                "starts_jittered": [k.BASE_SEED + r for r in range(1, chosen.jittered + 1)],
            },
            "jitter_s": k.JITTER_S,
            "settings": [asdict(setting) for setting in k.SETTINGS],
            "tcp": {key: {**k.TCP, **curve.tcp} for key, curve in k.CURVES.items()},
            "points": {e.key: list(e.xs) for e in chosen.experiments},
            "scenario_hashes": {
                f"{row.experiment} x={row.x:g} {row.curve}": row.scenario_hash
                for row in data.flows
                if row.flow == 0 and row.timestamps
            },
            "rerun_one": (
                "data/scenarios.parquet holds every scenario as JSON; a row of data/flows.parquet with x > 0 "
                "or together = true is `ackclock run SCENARIO.json --seed SEED`"
            ),
        }
