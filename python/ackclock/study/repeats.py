"""Detection of replications that repeat each other: runs of a scenario that drop the same packets in the same order."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

import polars as pl

from ackclock.scenario.scenario import Scenario
from ackclock.stats.independence import drop_sequence, has_random_times

if TYPE_CHECKING:
    from ackclock.runs.run import Run
    from ackclock.study.runs import StudyJob

DROPS: Final = "drop_sequence"
"""Name of the one-row table with a run's drop sequence; it is not stored in a study's data."""


def drops_of(job: StudyJob, run: Run) -> pl.DataFrame:
    """Return one row with a key of the packets that a run dropped, in order (`independence.drop_sequence`)."""
    timed = _has_random_times(job.document)
    return pl.DataFrame({DROPS: [drop_sequence(run.summary, timed=timed)]})


@cache
def _has_random_times(document: str) -> bool:
    return has_random_times(Scenario(json.loads(document)))


@dataclass(frozen=True)
class Repeats:
    """Counts of scenarios whose replications repeat each other.

    Attributes:
        scenarios: Number of scenarios with several replications.
        repeating: Number of scenarios in which some replications drop the same packets in the same order.
        fewest: Number of distinct drop sequences in the worst scenario, which has the fewest.
        of: Number of replications of the worst scenario.
    """

    scenarios: int = 0
    repeating: int = 0
    fewest: int = 0
    of: int = 0

    @property
    def text(self) -> str:
        """A sentence that warns of repeating replications; empty if there are none."""
        if not self.repeating:
            return ""
        return (
            f"In {self.repeating} of {self.scenarios} replicated scenarios some replications drop the same packets in "
            f"the same order; at worst, {self.of} replications have {self.fewest} distinct sequence"
            f"{'' if self.fewest == 1 else 's'} of drops. They repeat each other, since the paper's procedure leaves "
            "little to chance. The intervals there are narrower than those of independent runs."
        )

    def plain(self) -> dict[str, int]:
        """Return the counts as plain values, by name."""
        return asdict(self)


@dataclass
class Seen:
    """Collector of the drop sequences of a study's runs, by scenario."""

    keys: dict[str, dict[tuple[int, float], str]] = field(default_factory=dict)

    def add(self, job: StudyJob, scenario_hash: str, rows: pl.DataFrame) -> None:
        """Add the drop sequence of one run, which is the only row of `rows`."""
        self.keys.setdefault(scenario_hash, {})[job.seed, job.jitter_s] = str(rows[DROPS][0])

    def counted(self) -> Repeats:
        """Return the counts over all scenarios with several replications.

        If a scenario has jittered runs, its run without jitter is not counted, since that run is the paper's own
        procedure.
        """
        replicated = [
            [key for (_, jitter_s), key in some.items() if jitter_s > 0] or list(some.values())
            for some in self.keys.values()
        ]
        several = [some for some in replicated if len(some) > 1]
        few = [some for some in several if len(set(some)) < len(some)]
        if not few:
            return Repeats(len(several))
        worst = min(few, key=lambda some: (len(set(some)) / len(some), -len(some)))
        return Repeats(len(several), len(few), len(set(worst)), len(worst))
