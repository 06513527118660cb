"""The study's tables, from the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Table, Text
from ackclock.report.text import number, with_interval
from ackclock.studies import tables
from ackclock.studies.agreement import DIFFERS
from ackclock.studies.heriyanto import peer, published
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import NETWORKS, SCENARIOS
from ackclock.studies.heriyanto.samples import MEASURES, TCP, UDP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.agreement import Comparison
    from ackclock.studies.heriyanto.samples import Samples
    from ackclock.sweep.statistics import Interval

_DIGITS: Final = {"throughput": 3, "loss": 4, "delay": 1, "jitter": 3}

_SHORT: Final = dict(k.LABELS)


def measures(s: Samples, scenario: str, *, brief: bool = False) -> Table:
    """Every measure of a scenario by network and size; `brief` for a terminal: the largest size alone."""
    rows = []
    for network, called in NETWORKS.items():
        key = f"{scenario}-{network}"
        sizes = s.xs(key)[-1:] if brief else s.xs(key)
        for nodes in sizes:
            for flow, kind in ((TCP, "TCP"), (UDP, "UDP")) if scenario == "s2" else ((TCP, "TCP"),):
                for variant, label in k.LABELS.items():
                    cells = [_cell(s.interval(m, key, nodes, variant, flow), m) for m in MEASURES]
                    count = len(s.rows(key, nodes, variant, flow))
                    there = len(s.connected(key, nodes, flow))
                    rows.append((f"{kind}, {called}, {nodes}", label, *cells, f"{there} of {count}"))
    heads = [f"{m}, {unit}" for m, (_, unit) in MEASURES.items()]
    notes = () if brief else ("Means with 95 % intervals over the runs whose client is in range.",)
    return Table(
        key=f"{scenario}-measures",
        title=f"Scenario {scenario[1]}: FlowMonitor's measures",
        columns=("flow, network, nodes", "variant", *heads, "in range"),
        rows=tuple(rows),
        notes=notes,
        text_columns=2,
    )


def _cell(value: Interval | None, measure: str) -> str:
    return "-" if value is None else with_interval(value, _DIGITS[measure])


def beside_published(s: Samples) -> Table:
    """The published numbers beside ours at the same place."""
    rows = []
    for (scenario, measure), (variant, where, value) in published.BEST.items():
        key = f"{scenario}-near"
        if not s.has(key):
            continue
        sizes = s.xs(key)
        nodes = 40 if 40 in sizes else sizes[-1]
        ours = [s.interval(measure, f"{scenario}-{p}", nodes, variant) for p in NETWORKS]
        rows.append(
            (
                f"scenario {scenario[1]}: {measure}, {MEASURES[measure][1]}",
                k.LABELS[variant],
                f"{value:g}" + (f" ({where})" if where else ""),
                *(_cell(one, measure) for one in ours),
                str(nodes),
            )
        )
    return Table(
        key="published",
        title="The published numbers, and ours",
        columns=("what", "variant", "published", *NETWORKS.values(), "nodes"),
        rows=tuple(rows),
        text_columns=2,
    )


def losses(s: Samples) -> Table:
    """Where packets were lost."""
    rows = []
    for scenario in SCENARIOS:
        for network, called in NETWORKS.items():
            key = f"{scenario}-{network}"
            for variant, label in k.LABELS.items():
                every = [row for n in s.xs(key) for row in s.rows(key, n, variant, TCP)]
                count = len(every)
                rows.append(
                    (
                        f"scenario {scenario[1]}, {called}",
                        label,
                        number(sum(row.lost_at_the_queue for row in every) / count, 1),
                        number(sum(row.lost_on_the_air for row in every) / count, 1),
                        number(sum(row.retransmitted_packets for row in every) / count, 1),
                        number(sum(row.timeouts for row in every) / count, 1),
                    )
                )
    return Table(
        key="losses",
        title="Packets of the TCP flow lost in a run, by place",
        columns=("scenario, network", "variant", "queue", "on the air", "sent again", "timeouts"),
        rows=tuple(rows),
        text_columns=2,
    )


def comparisons(s: Samples) -> list[Comparison]:
    """Hold every point with clients near the access point against ns-3's."""
    out = []
    for point in peer.points():
        key = f"{point.scenario}-near"
        if s.has(key) and point.nodes in s.xs(key) and point.measure in s.data.figures:
            ours = s.interval(point.measure, key, point.nodes, point.variant, point.flow)
            if ours is not None:
                out.append(peer.compare(point, ours))
    return out


def connected(s: Samples) -> Table:
    """In how many of the uniform placements the client is in range, beside ns-3's."""
    rows = []
    for (scenario, flow), (there, runs) in peer.connected().items():
        key = f"{scenario}-uniform"
        if not s.has(key):
            continue
        name = f"scenario {scenario[1]}, {'UDP' if flow else 'TCP'} client"
        ours = (_share(s, one, flow) for one in (key, f"{scenario}-mesh-uniform"))
        rows.append((name, *ours, f"{there} of {runs}"))
    return Table(
        key="connected",
        title="Uniform placement: runs whose client is in range",
        columns=("client", "ours", "ours, mesh", "ns-3, access point"),
        rows=tuple(rows),
        notes=(f"In range: more than {k.CONNECTED_MBPS:g} Mb/s over the run.",),
    )


def _share(s: Samples, key: str, flow: int) -> str:
    there = sum(len(s.connected(key, n, flow)) for n in s.xs(key))
    return f"{there} of {sum(len(s.rows(key, n, 'newreno', flow)) for n in s.xs(key))}"


def _sweeps() -> dict[str, str]:
    return {
        f"{scenario} {kind} {measure}": f"scenario {scenario[1]}, {kind}: {measure}"
        for scenario in SCENARIOS
        for kind in ("TCP", "UDP")
        for measure in MEASURES
    }


def _place(_experiment: str, x: float) -> str:
    return f"{x:g} nodes"


def agreement(compared: Sequence[Comparison], *, brief: bool = False) -> Table:
    """How many points agree with ns-3."""
    return tables.agreement(compared, _sweeps(), _place, _SHORT, brief=brief, peer="ns-3")


def outside(compared: Sequence[Comparison]) -> tuple[Table | Text, ...]:
    """Each point that does not agree with ns-3, and the causes known."""
    away = {c.experiment for c in compared if c.outcome == DIFFERS}
    causes = [text for keys, text in peer.CAUSES if away & keys]
    return tables.outside(
        compared,
        lambda c: f"{_sweeps()[c.experiment]}, {_place('', c.x)}",
        _SHORT,
        causes,
        digits=3,
        peer="ns-3",
    )


def points(s: Samples, compared: Sequence[Comparison]) -> list[dict[str, Any]]:
    """One row per point, flow, variant and measure."""
    theirs = {(c.experiment, c.x, c.variant): c for c in compared}
    out: list[dict[str, Any]] = []
    for scenario in SCENARIOS:
        for network in NETWORKS:
            key = f"{scenario}-{network}"
            for nodes in s.xs(key):
                for variant in k.VARIANTS:
                    for flow, kind in ((TCP, "TCP"), (UDP, "UDP")) if scenario == "s2" else ((TCP, "TCP"),):
                        for measure, (_, unit) in MEASURES.items():
                            ours = s.interval(measure, key, nodes, variant, flow)
                            other = theirs.get((f"{scenario} {kind} {measure}", float(nodes), variant))
                            near = other if network == "near" else None
                            out.append(
                                {
                                    "scenario": scenario,
                                    "network": network,
                                    "nodes": nodes,
                                    "flow": kind,
                                    "variant": variant,
                                    "measure": measure,
                                    "unit": unit,
                                    "mean": None if ours is None else ours.mean,
                                    "half_width": None if ours is None else tables.known(ours.half_width),
                                    "runs_in_range": len(s.connected(key, nodes, flow)),
                                    "ns3_mean": None if near is None else near.theirs.mean,
                                    "ns3_outcome": None if near is None else near.outcome,
                                }
                            )
    return out
