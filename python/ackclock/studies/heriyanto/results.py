"""The study's results by point, and ns-3's from the extracts in `reference/`."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ackclock.report.text import with_interval
from ackclock.studies import agreement, reference
from ackclock.studies.agreement import Comparison
from ackclock.studies.data import StudyData
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import SCENARIOS
from ackclock.studies.tables import Peer
from ackclock.sweep.statistics import Interval, interval, mean

FLOWS: Final = ("TCP", "UDP")
"""The flows of a run, by their number; the second one in scenario 2 alone."""


class Measure(NamedTuple):
    """A measure: its column in the data, its unit, and the digits that are printed."""

    column: str
    unit: str
    digits: int


MEASURES: Final = {
    "throughput": Measure("throughput_mbps", "Mb/s", 3),
    "loss": Measure("loss_percent", "%", 4),
    "delay": Measure("delay_ms", "ms", 1),
    "jitter": Measure("jitter_ms", "ms", 3),
}


class Results:
    """Measures by experiment, number of nodes, variant and flow; throughput against time with most nodes."""

    def __init__(self, data: StudyData) -> None:
        self.figures = set(data.figures)
        self.variants = (*k.VARIANTS, *data.changes.added)
        self.runs = data.values("flows", "experiment", "nodes", "variant", "flow")
        self.bins = data.values("samples", "experiment", "variant", "flow")
        self.places = data.values("places", "experiment", "nodes")

    def sizes(self, experiment: str) -> list[int]:
        """The numbers of nodes run, rising."""
        return sorted(self.runs.labels(1, experiment))

    def connected(self, experiment: str, nodes: int, flow: int) -> list[int]:
        """Which replications, counted from 0, had the flow's client in range with every variant."""
        every = [self.runs.of("throughput_mbps", experiment, nodes, v, flow) for v in self.variants]
        return [i for i, rates in enumerate(zip(*every, strict=True)) if min(rates) > k.CONNECTED_MBPS]

    def values(self, measure: str, experiment: str, nodes: int, variant: str, flow: int = 0) -> list[float]:
        """A measure in each replication whose client was in range, by rising seed."""
        every = self.runs.of(MEASURES[measure].column, experiment, nodes, variant, flow)
        return [float(every[i]) for i in self.connected(experiment, nodes, flow)]

    def interval(
        self, measure: str, experiment: str, nodes: int, variant: str, flow: int = 0
    ) -> Interval | None:
        """Mean of a measure with its interval, over the runs that connect; None where none does."""
        values = self.values(measure, experiment, nodes, variant, flow)
        return interval(values) if values else None

    def cell(self, measure: str, experiment: str, nodes: int, variant: str, flow: int = 0) -> str:
        """The same as text."""
        value = self.interval(measure, experiment, nodes, variant, flow)
        return "-" if value is None else with_interval(value, MEASURES[measure].digits)

    def at_the_end(self, column: str, experiment: str, variant: str) -> list[tuple[float, float]]:
        """A column of TCP's bins in each run whose client is in range: its mean in the last seconds, and in all."""
        runs = self.bins.runs(column, experiment, variant, 0)
        in_range = self.connected(experiment, self.sizes(experiment)[-1], 0)
        last = round(k.LAST_S / k.SAMPLE_S)
        return [(mean(runs[i][-last:]), mean(runs[i])) for i in in_range]

    def comparisons(self) -> list[Comparison]:
        """Every point with clients near the access point held against ns-3's."""
        out = []
        for (scenario, nodes, variant, flow, measure), theirs in ns3().items():
            key = f"{scenario}-near"
            if nodes in self.sizes(key) and measure in self.figures:
                ours = self.interval(measure, key, nodes, variant, flow)
                at = (f"{scenario} {FLOWS[flow]} {measure}", float(nodes), variant)
                if ours is not None:
                    # The extract is rounded to six digits.
                    out.append(agreement.compare(at, ours, theirs, k.AGREE_WITHIN, 1e-6))
        return out


@cache
def ns3() -> dict[tuple[str, int, str, int, str], Interval]:
    """What ns-3 measured with clients near the access point, by scenario, nodes, variant, flow and measure."""
    return reference.means(
        "heriyanto",
        lambda row: (row["scenario"], int(row["nodes"]), row["variant"], int(row["flow"]), row["measure"]),
    )


@cache
def ns3_connected() -> dict[tuple[str, int], tuple[int, int]]:
    """By scenario and flow: in how many of ns-3's uniform placements the client was in range, and of how many."""
    return {
        (row["scenario"], int(row["flow"])): (int(row["connected"]), int(row["runs"]))
        for row in reference.rows("heriyanto", "connected.csv")
    }


NS3: Final = Peer(
    name="ns-3",
    sweeps={
        f"{scenario} {flow} {measure}": f"scenario {scenario[1]}, {flow}: {measure}"
        for scenario in SCENARIOS
        for flow in FLOWS
        for measure in MEASURES
    },
    place=lambda c: f"{c.x:g} nodes",
    variants=k.LABELS,
    causes=(
        (
            lambda c: c.experiment == "s2 TCP loss",
            "Scenario 2, TCP's loss: a run loses about 15 packets with NewReno and 11 with Westwood+, so that one "
            "more or less is 7 to 9 %.",
        ),
        (
            lambda c: c.experiment == "s2 UDP loss",
            "Scenario 2, UDP's loss: we have not found the cause of what is left.",
        ),
    ),
    digits=3,
)
