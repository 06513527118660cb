"""The study's tables, from the data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.heriyanto import published
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.claims import CLAIMS
from ackclock.studies.heriyanto.experiments import NETWORKS, SCENARIOS, TRIED
from ackclock.studies.heriyanto.results import FLOWS, MEASURES, PAYLOAD, Results, sweep


def measures(s: Results, scenario: str, *, brief: bool = False) -> tuple[st.Table, ...]:
    """Return every measure of a scenario by network and size; `brief` for a terminal: the largest size alone."""

    def row(network: str, nodes: int, flow: int, variant: str) -> dict[str, str]:
        key = f"{scenario}-{network}"
        count = len(s.runs.of("seed", key, nodes, variant, flow))
        return {
            "flow, network, nodes": f"{FLOWS[flow]}, {NETWORKS[network]}, {nodes}",
            "variant": k.LABELS[variant],
            **{
                f"{name}, {measure.unit}": s.cell(name, key, nodes, variant, flow)
                for name, measure in MEASURES.items()
            },
            "in range": f"{len(s.connected(key, nodes, flow))} of {count}",
        }

    return st.table(
        f"{scenario}-measures",
        f"Scenario {scenario[1]}: FlowMonitor's measures",
        (
            row(network, nodes, flow, variant)
            for network in NETWORKS
            for nodes in s.sizes(f"{scenario}-{network}")[-1 if brief else 0 :]
            for flow in range(int(scenario[1]))
            for variant in s.variants
        ),
        notes=() if brief else ("Means with 95 % intervals over the runs whose client is in range.",),
        text_columns=2,
    )


def beside_published(s: Results) -> tuple[st.Table, ...]:
    """Return the published numbers beside ours at the same place."""

    def row(scenario: str, measure: str, shown: str, unit: str) -> dict[str, str]:
        variant, where, value = published.BEST[scenario, measure]
        nodes = s.best_size(f"{scenario}-near")
        keys = {f"{scenario}-{network}": called for network, called in NETWORKS.items()}
        return {
            "what": f"scenario {scenario[1]}: {shown}, {unit}",
            "variant": k.LABELS[variant],
            "published": f"{value:.7g}" + (f" ({where})" if where else ""),
            **{
                called: s.cell(shown, key, nodes, variant) if s.sizes(key) else "not run"
                for key, called in keys.items()
            },
            "nodes": str(nodes),
        }

    rows = []
    for scenario, measure in published.BEST:
        unit = MEASURES[measure].unit
        rows.append(row(scenario, measure, measure, unit))
        if measure == "throughput":
            rows.append(row(scenario, measure, PAYLOAD, unit))
    notes = (
        f"Throughput counts IP's bytes from the flow's start on, as FlowMonitor does; payload what was acknowledged, "
        f"over the whole {k.DURATION_S} s. The paper does not say which of them it has.",
    )
    return st.table("published", "The published numbers, and ours", rows, notes, text_columns=2)


_LOSSES: Final = {
    "queue": "lost_at_the_queue",
    "on the air": "lost_on_the_air",
    "sent again": "retransmitted_packets",
    "timeouts": "timeouts",
}


def losses(s: Results) -> tuple[st.Table, ...]:
    """Return the places at which packets were lost."""

    def row(scenario: str, network: str, variant: str) -> dict[str, str]:
        key = f"{scenario}-{network}"

        def lost(column: str) -> str:
            return st.number(
                st.mean([x for n in s.sizes(key) for x in s.runs.of(column, key, n, variant, 0)]), 1
            )

        return {
            "scenario, network": f"scenario {scenario[1]}, {NETWORKS[network]}",
            "variant": k.LABELS[variant],
            **{place: lost(column) for place, column in _LOSSES.items()},
        }

    return k.TEXT.table(
        "losses",
        (
            row(one, network, variant)
            for one, network, variant in product(SCENARIOS, NETWORKS, s.variants)
            if s.sizes(f"{one}-{network}")
        ),
    )


def sensitivity(s: Results) -> tuple[st.Table | st.Text, ...]:
    """Return the effect of another UDP rate and of another queue, near the access point with few nodes."""
    networks = {"near": (k.UDP_MBPS, k.QUEUE), **TRIED}
    there = {n: at for n, at in networks.items() if s.sizes(f"s2-{n}")}
    if len(there) < 2:
        return ()
    nodes = s.sizes("s2-near")[0]
    names = {n: f"UDP {rate:g} Mb/s, queue {packets}" for n, (rate, packets) in there.items()}
    rows = (
        {
            "setting": names[network],
            **{
                f"{measure}, {MEASURES[measure].unit}: {k.LABELS[v]}": s.cell(
                    measure, f"s2-{network}", nodes, v
                )
                for measure, v in product(("throughput", "delay", "loss"), k.VARIANTS)
            },
        }
        for network in there
    )
    claims = st.judged([c for c in CLAIMS if "time" not in c.needs], s, tuple(there), s.figures)
    published_mbps = published.BEST["s2", "throughput"][2]
    return (
        st.Text(
            (
                f"As long as the UDP stream leaves TCP some room, TCP gets about what is left of {k.WIRED_MBPS} Mb/s; "
                "above that FqCoDel shares the link. The paper does not state the stream's rate. The published "
                f"{published_mbps:g} Mb/s comes near what {k.UDP_MBPS:g} Mb/s leave, which is our choice: that our "
                "throughput is near the published one confirms nothing.",
            )
        ),
        *k.TEXT.table("tried", rows, nodes=nodes),
        *st.verdicts(
            "tried-verdicts",
            "Verdicts with other settings",
            tuple(names.values()),
            claims,
            notes=(f"The first column has every size, the others {nodes} nodes. “-”: not run.",),
        ),
    )


def connected(s: Results) -> tuple[st.Table, ...]:
    """Return the number of uniform placements whose client is in range, beside ns-3's."""

    def share(key: str, flow: int) -> str:
        there = sum(len(s.connected(key, n, flow)) for n in s.sizes(key))
        return f"{there} of {sum(len(s.runs.of('seed', key, n, 'newreno', flow)) for n in s.sizes(key))}"

    rows = (
        {
            "client": f"scenario {scenario[1]}, {FLOWS[flow]} client",
            "ours": share(f"{scenario}-uniform", flow),
            "ours, mesh": share(f"{scenario}-mesh-uniform", flow),
            "ns-3, access point": theirs,
        }
        for (scenario, flow), theirs in s.ns3_connected().items()
    )
    return k.TEXT.table("connected", rows)


def points(s: Results, compared: Sequence[st.Comparison]) -> list[dict[str, Any]]:
    """Return one row per point, flow, variant and measure."""
    theirs = {(c.experiment, c.x, c.variant): c for c in st.unaltered(compared)}
    out: list[dict[str, Any]] = []
    at = [(scenario, network) for scenario in SCENARIOS for network in NETWORKS]
    for scenario, network, nodes in [(*a, n) for a in at for n in s.sizes("-".join(a))]:
        key = f"{scenario}-{network}"
        for variant in s.variants:
            for flow, kind in enumerate(FLOWS[: int(scenario[1])]):
                for name, measure in MEASURES.items():
                    ours = s.interval(name, key, nodes, variant, flow)
                    near = theirs.get((sweep(key, flow, name), float(nodes), variant))
                    out.append(
                        {
                            "scenario": scenario,
                            "network": network,
                            "nodes": nodes,
                            "flow": kind,
                            "variant": variant,
                            "measure": name,
                            "unit": measure.unit,
                            "mean": None if ours is None else ours.mean,
                            "half_width": None if ours is None else st.known(ours.half_width),
                            "runs_in_range": len(s.connected(key, nodes, flow)),
                            "ns3_mean": None if near is None else near.theirs.mean,
                            "ns3_outcome": None if near is None else near.outcome,
                        }
                    )
    return out
