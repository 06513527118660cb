"""Looking things up in the data: values by point, curves, paired differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.studies.abadin import settings as k
from ackclock.sweep.statistics import Interval, interval, mean

if TYPE_CHECKING:
    from ackclock.studies.abadin.data import Data, SampleRow


class Samples:
    """Values of the metric by experiment, x and variant; replications in order of seed, so that they pair."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._values: dict[tuple[str, float, str, bool], list[tuple[int, float]]] = {}
        for row in data.runs:
            key = (row.experiment, row.x, row.variant, row.jittered)
            self._values.setdefault(key, []).append((row.seed, row.throughput_Bps))
        for values in self._values.values():
            values.sort()
        self._samples: dict[tuple[str, bool, int], list[SampleRow]] = {}
        for sample in data.samples:
            self._samples.setdefault((sample.variant, sample.jittered, sample.seed), []).append(sample)
        for rows in self._samples.values():
            rows.sort(key=lambda row: row.time_s)

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
        return [value for _, value in self._values[experiment, x, variant, jittered]]

    def mean(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> float:
        """Mean throughput, bytes/s."""
        return mean(self.values(experiment, x, variant, jittered=jittered))

    def interval(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> Interval:
        """Mean throughput with its interval, bytes/s."""
        return interval(self.values(experiment, x, variant, jittered=jittered), k.LEVEL)

    def seeds_of_samples(self, variant: str, *, jittered: bool) -> list[int]:
        """Seeds whose samples of Figure 2 are there, rising."""
        return sorted(seed for v, j, seed in self._samples if v == variant and j == jittered)

    def bins(self, variant: str, seed: int, *, jittered: bool) -> list[SampleRow]:
        """Samples of Figure 2 of one run, by rising time."""
        return self._samples[variant, jittered, seed]
