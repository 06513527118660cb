"""The study's results by point, and ns-3's results from the folder `reference/`."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import ackclock.study as st
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import NETWORKS, READ, SCENARIOS

FLOWS: Final = ("TCP", "UDP")
"""Names of a run's flows, by number; the second flow exists in scenario 2 only."""


class Measure(NamedTuple):
    """A measure: its column in the data, the printed unit, and the number of decimals printed."""

    column: str
    unit: str
    digits: int


MEASURES: Final = {
    "throughput": Measure("throughput_mbps", "Mb/s", 3),
    "loss": Measure("loss_percent", "%", 4),
    "delay": Measure("delay_ms", "ms", 1),
    "jitter": Measure("jitter_ms", "ms", 3),
}


PAYLOAD: Final = "payload"
"""Key of the throughput that is the acknowledged payload divided by the whole run, including the time before the start.

The digits of the published throughput show that it was computed in this way."""

_COLUMNS: Final = {**MEASURES, PAYLOAD: Measure("payload_mbps", "Mb/s", 4)}


class Results(st.Results):
    """Measures by experiment, number of nodes, variant and flow; and throughput against time with the most nodes."""

    def __init__(self, data: st.StudyData) -> None:
        super().__init__(data, k.VARIANTS)
        self.runs = data.values("flows", "experiment", "nodes", "variant", "flow")
        self.bins = data.values("samples", "experiment", "variant", "flow")
        self.places = data.values("places", "experiment", "nodes")

    def sizes(self, experiment: str) -> list[int]:
        """Return the numbers of nodes that were run, ascending."""
        return sorted(self.runs.labels(1, experiment))

    def best_size(self, experiment: str) -> int:
        """Return the number of nodes that the published numbers have if it was run, otherwise the largest one."""
        sizes = self.sizes(experiment)
        return k.BEST_NODES if k.BEST_NODES in sizes else sizes[-1]

    def connected(self, experiment: str, nodes: int, flow: int) -> list[int]:
        """Return the indices of the replications whose client of the flow was in range with all variants."""
        every = [self.runs.of("throughput_mbps", experiment, nodes, v, flow) for v in self.variants]
        return [i for i, rates in enumerate(zip(*every, strict=True)) if min(rates) > k.CONNECTED_MBPS]

    def values(self, measure: str, experiment: str, nodes: int, variant: str, flow: int = 0) -> list[float]:
        """Return a measure for each replication whose client was in range, by ascending seed."""
        every = self.runs.of(_COLUMNS[measure].column, experiment, nodes, variant, flow)
        return [float(every[i]) for i in self.connected(experiment, nodes, flow)]

    def interval(
        self, measure: str, experiment: str, nodes: int, variant: str, flow: int = 0
    ) -> st.Interval | None:
        """Return the mean and interval of a measure over runs with the client in range; None if there are none."""
        values = self.values(measure, experiment, nodes, variant, flow)
        return st.interval(values) if values else None

    def cell(self, measure: str, experiment: str, nodes: int, variant: str, flow: int = 0) -> str:
        """Return the mean of a measure with its interval as text."""
        return st.cell(self.interval(measure, experiment, nodes, variant, flow), _COLUMNS[measure].digits)

    def mean(self, measure: str, experiment: str, nodes: int, variant: str) -> float:
        """Return the mean of a measure of the TCP flow over the runs with its client in range."""
        return st.mean(self.values(measure, experiment, nodes, variant))

    def at_the_end(self, column: str, experiment: str, variant: str) -> list[tuple[float, float]]:
        """Return, per run with the client in range, the mean of a column of TCP's bins at the end and in all bins."""
        runs = self.bins.runs(column, experiment, variant, 0)
        in_range = self.connected(experiment, self.sizes(experiment)[-1], 0)
        last = round(k.LAST_S / k.SAMPLE_S)
        return [(st.mean(runs[i][-last:]), st.mean(runs[i])) for i in in_range]

    def ns3(self, experiment: str, nodes: int, variant: str, flow: int, measure: str) -> st.Interval | None:
        """Return ns-3's result; None if ns-3 has no such run or a user changed the scenario."""
        run = (experiment, nodes) if nodes in self.sizes(experiment) else (experiment,)
        return None if self.runs.altered(*run) else ns3().get((experiment, nodes, variant, flow, measure))

    def comparisons(self) -> list[st.Comparison]:
        """Return the comparisons of all points that ns-3 ran as well."""
        out = []
        for (key, nodes, variant, flow, measure), theirs in ns3().items():
            asked = nodes in self.sizes(key) and measure in self.figures
            if asked and (ours := self.interval(measure, key, nodes, variant, flow)):
                at, altered = (
                    (sweep(key, flow, measure), float(nodes), variant),
                    self.runs.altered(key, nodes, variant),
                )
                # ns-3's results are stored rounded to six decimals.
                out.append(st.compare(at, ours, theirs, k.AGREE_WITHIN, 1e-6, altered=bool(altered)))
        return out


def sweep(experiment: str, flow: int, measure: str) -> str:
    """Return the key under which a measure of a flow in an experiment is compared with ns-3."""
    return f"{experiment} {FLOWS[flow]} {measure}"


@cache
def ns3() -> dict[tuple[str, int, str, int, str], st.Interval]:
    """Return ns-3's results by experiment, number of nodes, variant, flow and measure."""
    return st.reference.means(
        __file__,
        lambda row: (row["experiment"], int(row["nodes"]), row["variant"], int(row["flow"]), row["measure"]),
    )


@cache
def ns3_connected() -> dict[tuple[str, int], tuple[int, int]]:
    """Return ns-3's numbers of uniform placements by scenario and flow: those with the client in range, and all."""
    return {
        (row["scenario"], int(row["flow"])): (int(row["connected"]), int(row["runs"]))
        for row in st.reference.rows(__file__, "connected.csv")
    }


NS3: Final = st.Peer(
    name="ns-3",
    sweeps={
        **{
            sweep(f"{scenario}-near", flow, measure): f"scenario {scenario[1]}, {name}: {measure}"
            for scenario in SCENARIOS
            for flow, name in enumerate(FLOWS)
            for measure in MEASURES
        },
        **{sweep(READ, 0, measure): f"{NETWORKS['read']}: {measure}" for measure in MEASURES},
    },
    place=lambda c: f"{c.x:g} nodes",
    variants=k.LABELS,
    causes=k.TEXT.causes(
        tcp_loss=lambda c: c.experiment == sweep("s2-near", 0, "loss"),
        udp_loss=lambda c: c.experiment == sweep("s2-near", 1, "loss"),
        delay=lambda c: c.experiment == sweep(READ, 0, "delay"),
    ),
    digits=3,
)
