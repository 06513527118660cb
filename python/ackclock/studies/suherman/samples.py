"""Looking things up in the data: values by network, nodes and k, runs in order of seed so that they pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.studies.replications import Replications
from ackclock.studies.settings import LEVEL
from ackclock.sweep.statistics import Interval, interval, mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.studies.suherman.data import Data, RunRow


class Samples:
    """The data by network, number of nodes and k."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._runs = Replications(data.runs, lambda row: (row.setup, row.nodes, row.k))

    def setups(self) -> list[str]:
        """Keys of the networks that were run, in their order."""
        return list(dict.fromkeys(row.setup for row in self.data.runs))

    def nodes(self, setup: str) -> list[int]:
        """The numbers of nodes run, rising."""
        return sorted({row.nodes for row in self.data.runs if row.setup == setup})

    def ks(self, setup: str) -> list[float]:
        """The values of k run, rising."""
        return sorted({row.k for row in self.data.runs if row.setup == setup})

    def values(self, what: Callable[[RunRow], float | None], setup: str, nodes: int, k: float) -> list[float]:
        """One number of each run of a point, by rising seed.

        Where it is missing in a run for any k (no segment arrived) that seed is left out for all k, so that
        the rest still pair.
        """
        missing = self._missing(what, setup, nodes)
        found = [what(run[0]) for run in self._runs.runs((setup, nodes, k)) if run[0].seed not in missing]
        return [value for value in found if value is not None]

    def _missing(self, what: Callable[[RunRow], float | None], setup: str, nodes: int) -> set[int]:
        runs = [run[0] for k in self.ks(setup) for run in self._runs.runs((setup, nodes, k))]
        return {row.seed for row in runs if what(row) is None}

    def interval(self, what: Callable[[RunRow], float | None], setup: str, nodes: int, k: float) -> Interval:
        """Mean of one number with its interval."""
        return interval(self.values(what, setup, nodes, k), LEVEL)

    def averaged(
        self, what: Callable[[RunRow], float | None], setup: str, k: float, nodes: Sequence[int] | None = None
    ) -> list[float]:
        """One number averaged over the numbers of nodes (all where None), for each seed that has them all."""
        sizes = self.nodes(setup) if nodes is None else list(nodes)
        missing = {seed for n in sizes for seed in self._missing(what, setup, n)}
        by_seed: dict[int, list[float]] = {}
        for n in sizes:
            for run in self._runs.runs((setup, n, k)):
                value = what(run[0])
                if run[0].seed not in missing and value is not None:
                    by_seed.setdefault(run[0].seed, []).append(value)
        return [mean(by_seed[seed]) for seed in sorted(by_seed)]


def delay_ms(row: RunRow) -> float | None:
    """Mean delay of segments, ms."""
    return None if row.delay_s is None else 1e3 * row.delay_s


def jitter_ms(row: RunRow) -> float | None:
    """Mean jitter, ms."""
    return None if row.jitter_s is None else 1e3 * row.jitter_s


def write_delay_ms(row: RunRow) -> float | None:
    """Mean time from write to delivery, ms."""
    return None if row.write_delay_s is None else 1e3 * row.write_delay_s


def loss_percent(row: RunRow) -> float:
    """Segments that never arrived, percent."""
    return 100 * row.loss


def delivered_percent(row: RunRow) -> float:
    """What was delivered of what the applications wrote, percent."""
    return 100 * row.delivered_writes / row.writes if row.writes else 0.0


def cuts(row: RunRow) -> float:
    """Fast retransmits for each flow: the cuts that k scales."""
    return row.fast_retransmits / row.nodes


def timeouts(row: RunRow) -> float:
    """Timeouts for each flow."""
    return row.timeouts / row.nodes
