"""Looking things up in the data: values by point, curves, paired differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.studies.replications import Replications
from ackclock.studies.settings import LEVEL
from ackclock.sweep.statistics import Interval, interval, mean

if TYPE_CHECKING:
    from ackclock.studies.abadin.data import Data, SampleRow


class Samples:
    """Values of the metric by experiment, x and variant; replications in order of seed, so that they pair."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._runs = Replications(data.runs, lambda row: (row.experiment, row.x, row.variant, row.jittered))
        self._samples = Replications(data.samples, lambda row: (row.variant, row.jittered))

    def experiments(self) -> list[str]:
        """Keys of the sweeps that were run, in their order."""
        return list(dict.fromkeys(row.experiment for row in self.data.runs))

    def has(self, experiment: str) -> bool:
        """Whether a sweep was run."""
        return any(row.experiment == experiment for row in self.data.runs)

    def xs(self, experiment: str) -> list[float]:
        """The x values run, rising."""
        return sorted({row.x for row in self.data.runs if row.experiment == experiment})

    def values(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> list[float]:
        """Throughput of each replication, bytes/s, by rising seed."""
        return [run[0].throughput_Bps for run in self._runs.runs((experiment, x, variant, jittered))]

    def mean(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> float:
        """Mean throughput, bytes/s."""
        return mean(self.values(experiment, x, variant, jittered=jittered))

    def interval(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> Interval:
        """Mean throughput with its interval, bytes/s."""
        return interval(self.values(experiment, x, variant, jittered=jittered), LEVEL)

    def seeds_of_samples(self, variant: str, *, jittered: bool) -> list[int]:
        """Seeds whose samples of Figure 2 are there, rising."""
        return self._samples.seeds((variant, jittered))

    def bins(self, variant: str, seed: int, *, jittered: bool) -> list[SampleRow]:
        """Samples of Figure 2 of one run, by rising time."""
        return self._samples.rows((variant, jittered), seed)
