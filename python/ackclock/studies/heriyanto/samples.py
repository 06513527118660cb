"""Looking things up in the data: values by point and variant, replications in order of seed so that they pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.studies.heriyanto import settings as k
from ackclock.studies.replications import Replications
from ackclock.sweep.statistics import Interval, interval

if TYPE_CHECKING:
    from ackclock.studies.heriyanto.data import Data, FlowRow

TCP: Final = 0
UDP: Final = 1

MEASURES: Final[dict[str, tuple[str, str]]] = {
    "throughput": ("throughput_mbps", "Mb/s"),
    "loss": ("loss_percent", "%"),
    "delay": ("delay_ms", "ms"),
    "jitter": ("jitter_ms", "ms"),
}
"""Field of each measure in the rows of the data, and its unit."""


class Samples:
    """The data by experiment, number of nodes, variant and flow."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._runs = Replications(data.flows, lambda row: (row.experiment, row.nodes, row.variant))
        self._bins = Replications(data.samples, lambda row: (row.experiment, row.variant, row.flow))

    def has(self, experiment: str) -> bool:
        """Whether a sweep was run."""
        return any(key[0] == experiment for key in self._runs.kinds)

    def xs(self, experiment: str) -> list[int]:
        """The numbers of nodes run, rising."""
        return sorted({key[1] for key in self._runs.kinds if key[0] == experiment})

    def rows(self, experiment: str, nodes: int, variant: str, flow: int) -> list[FlowRow]:
        """One flow of each run, by rising seed."""
        return [run[flow] for run in self._runs.runs((experiment, nodes, variant))]

    def connected(self, experiment: str, nodes: int, flow: int) -> list[int]:
        """Which replications, counted from 0, had the flow's client in range with every variant."""
        every = [self.rows(experiment, nodes, variant, flow) for variant in k.VARIANTS]
        return [
            i
            for i in range(len(every[0]))
            if all(rows[i].throughput_mbps > k.CONNECTED_MBPS for rows in every)
        ]

    def values(self, measure: str, experiment: str, nodes: int, variant: str, flow: int = TCP) -> list[float]:
        """A measure in each replication whose client was in range, by rising seed."""
        field, _ = MEASURES[measure]
        rows = self.rows(experiment, nodes, variant, flow)
        return [float(getattr(rows[i], field)) for i in self.connected(experiment, nodes, flow)]

    def interval(
        self, measure: str, experiment: str, nodes: int, variant: str, flow: int = TCP
    ) -> Interval | None:
        """Mean of a measure with its interval, over the runs that connect; None where none does."""
        values = self.values(measure, experiment, nodes, variant, flow)
        return interval(values, k.LEVEL) if values else None

    def times(self, experiment: str, variant: str, flow: int) -> tuple[tuple[float, ...], list[Interval]]:
        """Throughput against time: ends of the bins, and in each the mean over the runs, Mb/s."""
        runs = self._bins.runs((experiment, variant, flow))
        times = tuple(row.time_s for row in runs[0])
        values = zip(*([row.received_mbps for row in run] for run in runs), strict=True)
        return times, [interval(at, k.LEVEL) for at in values]

    def ends(self, experiment: str, variant: str, seconds: float) -> list[float]:
        """For each run: mean throughput of the last `seconds` over that of all, of the TCP flow, percent less."""
        out = []
        for run in self._bins.runs((experiment, variant, TCP)):
            last = [row.received_mbps for row in run if row.time_s > k.DURATION_S - seconds]
            every = sum(row.received_mbps for row in run) / len(run)
            out.append(100 * (sum(last) / len(last) / every - 1) if every > 0 else 0.0)
        return out
