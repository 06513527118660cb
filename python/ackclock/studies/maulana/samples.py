"""Looking things up in the data: values by case, length and variant, replications by seed so that they pair."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ackclock.studies.maulana import settings as k
from ackclock.studies.replications import Replications
from ackclock.sweep.statistics import Interval, interval, mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.studies.maulana.data import Data, FlowRow


class Samples:
    """The data by case, length and variant."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._flows = Replications(
            data.flows, lambda row: (row.case, row.length_s, row.variant, row.jittered)
        )
        self._sizes = Replications(data.sizes, lambda row: (row.case, row.size_b, row.variant, row.jittered))
        self._samples = Replications(
            data.samples, lambda row: (row.case, row.length_s, row.variant, row.jittered)
        )
        self._delays: dict[tuple[str, int, str], Counter[int]] = {}
        for row in data.delays:
            self._delays.setdefault((row.case, row.length_s, row.variant), Counter())[row.from_ms] += (
                row.packets
            )

    def cases(self) -> list[str]:
        """Keys of the cases that were run at both lengths, in their order."""
        return list(dict.fromkeys(row.case for row in self.data.flows))

    def has(self, case: str) -> bool:
        """Whether a case was run at both lengths."""
        return bool(self._flows.seeds((case, k.LENGTHS_S[0], "newreno", False)))

    def has_sizes(self, case: str) -> bool:
        """Whether a case was run with other packet sizes."""
        return any(row.case == case for row in self.data.sizes)

    def sizes(self) -> list[int]:
        """The packet sizes run, rising, bytes."""
        return sorted({row.size_b for row in self.data.sizes})

    def values(
        self,
        what: Callable[[list[FlowRow]], float],
        case: str,
        length_s: int,
        variant: str,
        *,
        jittered: bool = True,
    ) -> list[float]:
        """One number of each run, by rising seed."""
        return [what(run) for run in self._flows.runs((case, length_s, variant, jittered))]

    def once(self, what: Callable[[list[FlowRow]], float], case: str, length_s: int, variant: str) -> float:
        """One number of the run with the paper's starts."""
        return self.values(what, case, length_s, variant, jittered=False)[0]

    def interval(
        self, what: Callable[[list[FlowRow]], float], case: str, length_s: int, variant: str
    ) -> Interval:
        """Mean of one number with its interval, jittered starts."""
        return interval(self.values(what, case, length_s, variant), k.LEVEL)

    def rtts_s(self, case: str, size_b: int, variant: str, *, jittered: bool = True) -> list[float]:
        """Mean round-trip time of each run with a packet size, by rising seed, s."""
        return [run[0].rtt_mean_s for run in self._sizes.runs((case, size_b, variant, jittered))]

    def sent_kbps(self, case: str, length_s: int, variant: str) -> tuple[tuple[float, ...], list[Interval]]:
        """What was sent against time: ends of the bins, and in each the mean over the runs, kb/s."""
        runs = self._samples.runs((case, length_s, variant, True))
        times = tuple(row.time_s for row in runs[0])
        rates = zip(*([row.sent_bps / 1e3 for row in run] for run in runs), strict=True)
        return times, [interval(at, k.LEVEL) for at in rates]

    def falls(self, case: str, length_s: int, variant: str, *, jittered: bool = True) -> list[float]:
        """How far the rate in the last tenth of each run lies below that in the four tenths before, percent."""
        out = []
        for run in self._samples.runs((case, length_s, variant, jittered)):
            rates = [row.sent_bps for row in run]
            tenth = len(rates) // 10
            before = mean(rates[-5 * tenth : -tenth])
            out.append(100 * (1 - mean(rates[-tenth:]) / before))
        return out

    def histogram(self, case: str, length_s: int, variant: str) -> dict[int, int]:
        """Packets by delay in the run with the paper's starts: beginning of the bin in ms, packets."""
        return dict(sorted(self._delays[case, length_s, variant].items()))


def throughput_kbps(run: list[FlowRow]) -> float:
    """Payload acknowledged of both flows by the time since the first start, kb/s."""
    return 8e-3 * sum(row.acked_bytes for row in run) / (run[0].length_s - k.STARTS_S[0])


def received(run: list[FlowRow]) -> float:
    """Packets received of both flows."""
    return float(sum(row.received_packets for row in run))


def delay_ms(run: list[FlowRow]) -> float:
    """Mean one-way delay, over the flows that received a packet, ms."""
    return 1e3 * mean([row.delay_mean_s for row in run if row.received_packets])


def loss_percent(run: list[FlowRow]) -> float:
    """Packets lost, percent of those lost or received."""
    lost = sum(row.lost_packets for row in run)
    return 100 * lost / (lost + received(run))


def at_1s(run: list[FlowRow]) -> float:
    """Packets of both flows whose delay was 1 s.

    Raises:
        ValueError: Delays were not traced in this run.
    """
    counts = [row.at_1s_packets for row in run if row.at_1s_packets is not None]
    if len(counts) < len(run):
        raise ValueError("delays were not traced in this run")
    return float(sum(counts))
