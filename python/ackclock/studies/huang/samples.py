"""Looking things up in the data: values by point and curve, replications in order of seed so that they pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.studies.replications import Replications
from ackclock.studies.settings import LEVEL
from ackclock.sweep.statistics import Interval, interval, jain, mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.studies.huang.data import Data, FlowRow


class Samples:
    """The data by experiment, error rate and curve."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._runs = Replications(
            data.flows, lambda row: (row.experiment, row.x, row.curve, row.timestamps, row.together)
        )
        self._bins = Replications(
            data.samples, lambda row: (row.experiment, row.curve, row.together, row.flow)
        )

    def has(self, experiment: str, x: float | None = None) -> bool:
        """Whether an experiment was run, at an error rate where one is given."""
        return any(key[0] == experiment and x in (None, key[1]) for key in self._runs.kinds)

    def xs(self, experiment: str) -> list[float]:
        """The error rates run, rising."""
        return sorted({key[1] for key in self._runs.kinds if key[0] == experiment})

    def curves(self, experiment: str) -> set[str]:
        """Keys of the curves that were run in an experiment."""
        return {key[2] for key in self._runs.kinds if key[0] == experiment}

    def runs(
        self, experiment: str, x: float, curve: str, *, timestamps: bool = True, together: bool = False
    ) -> list[list[FlowRow]]:
        """The flows of each run, by rising seed."""
        return self._runs.runs((experiment, x, curve, timestamps, together))

    def values(
        self,
        what: Callable[[list[FlowRow]], float],
        experiment: str,
        x: float,
        curve: str,
        *,
        timestamps: bool = True,
        together: bool = False,
    ) -> list[float]:
        """One number of each run, by rising seed."""
        found = self.runs(experiment, x, curve, timestamps=timestamps, together=together)
        return [what(run) for run in found]

    def kbps(self, experiment: str, x: float, curve: str) -> list[float]:
        """Throughput of the first flow in each run, kb/s."""
        return self.values(kbps, experiment, x, curve)

    def interval(self, experiment: str, x: float, curve: str) -> Interval:
        """Mean throughput of the first flow with its interval, kb/s."""
        return interval(self.kbps(experiment, x, curve), LEVEL)

    def mean(self, experiment: str, x: float, curve: str) -> float:
        """Mean throughput of the first flow, kb/s."""
        return mean(self.kbps(experiment, x, curve))

    def times(
        self, experiment: str, curve: str, flow: int = 0, *, together: bool = False
    ) -> tuple[tuple[float, ...], list[Interval]]:
        """Throughput against time: ends of the bins, and in each the mean over the runs, kb/s."""
        runs = self._bins.runs((experiment, curve, together, flow))
        times = tuple(row.time_s for row in runs[0])
        values = zip(*([row.received_bps / 1e3 for row in run] for run in runs), strict=True)
        return times, [interval(at, LEVEL) for at in values]

    def rates(
        self, experiment: str, curve: str, within: Callable[[float], bool], *, together: bool = False
    ) -> list[float]:
        """Throughput of the first flow in some bins, by their end in s: the mean in each run, by rising seed, kb/s."""
        return [
            mean([row.received_bps / 1e3 for row in run if within(row.time_s)])
            for run in self._bins.runs((experiment, curve, together, 0))
        ]


def kbps(run: list[FlowRow]) -> float:
    """Throughput of the first flow, kb/s."""
    return run[0].delivered_bps / 1e3


def competitor_kbps(run: list[FlowRow]) -> float:
    """Throughput of the second flow, kb/s."""
    return run[1].delivered_bps / 1e3


def fairness(run: list[FlowRow]) -> float:
    """Jain's index of the flows' throughput."""
    return jain([row.delivered_bps for row in run])


def goodput_kbps(run: list[FlowRow]) -> float:
    """Payload acknowledged to the first flow's sender, kb/s: what ns-2 has."""
    return run[0].goodput_bps / 1e3
