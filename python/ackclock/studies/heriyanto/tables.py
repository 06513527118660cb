"""The tables of the study's report."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.heriyanto import published
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.claims import CLAIMS
from ackclock.studies.heriyanto.experiments import NETWORKS, SCENARIOS, TRIED
from ackclock.studies.heriyanto.results import FLOWS, MEASURES, PAYLOAD, Results, ns3_connected, sweep


def measures(s: Results, scenario: str, *, brief: bool = False) -> tuple[st.Table, ...]:
    """Return all measures of a scenario by network and number of nodes; `brief` shows only the largest number."""

    def row(network: str, nodes: int, flow: int, variant: str) -> dict[str, str]:
        key = f"{scenario}-{network}"
        return {
            "flow, network, nodes": f"{FLOWS[flow]}, {NETWORKS[network]}, {nodes}",
            "variant": k.LABELS[variant],
            **{
                f"{name}, {of.unit}": s.cell(name, key, nodes, variant, flow) for name, of in MEASURES.items()
            },
            "in range": _in_range(s, key, [nodes], flow, variant),
        }

    rows = (
        row(network, nodes, flow, variant)
        for network in NETWORKS
        for nodes in s.sizes(f"{scenario}-{network}")[-1 if brief else 0 :]
        for flow in range(int(scenario[1]))
        for variant in s.variants
    )
    notes = () if brief else ("Means with 95 % intervals over the runs whose client is in range.",)
    title = f"Scenario {scenario[1]}: FlowMonitor's measures"
    return st.table(f"{scenario}-measures", title, rows, notes, text_columns=2)


def _in_range(s: Results, key: str, sizes: Sequence[int], flow: int, variant: str = "newreno") -> str:
    """Return, as text, the number of runs in which a flow's client is in range, out of all runs."""
    there = sum(len(s.connected(key, n, flow)) for n in sizes)
    return f"{there} of {sum(len(s.runs.of('seed', key, n, variant, flow)) for n in sizes)}"


def beside_published(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the published numbers with ours at the same points."""

    def row(scenario: str, measure: str, shown: str) -> dict[str, str]:
        variant, where, value = published.BEST[scenario, measure]
        nodes = s.best_size(f"{scenario}-near")
        keys = {called: f"{scenario}-{network}" for network, called in NETWORKS.items()}
        return {
            "what": f"scenario {scenario[1]}: {shown}, {MEASURES[measure].unit}",
            "variant": k.LABELS[variant],
            "published": f"{value:.7g}" + (f" ({where})" if where else ""),
            **{
                c: s.cell(shown, key, nodes, variant) if s.sizes(key) else "not run"
                for c, key in keys.items()
            },
            "nodes": str(nodes),
        }

    shown = {"throughput": ("throughput", PAYLOAD)}
    rows = (row(*at, name) for at in published.BEST for name in shown.get(at[1], at[1:]))
    return k.TEXT.table("published", rows)


_LOSSES: Final = {
    "queue": "lost_at_the_queue",
    "on the air": "lost_on_the_air",
    "sent again": "retransmitted_packets",
    "timeouts": "timeouts",
}


def losses(s: Results) -> tuple[st.Table, ...]:
    """Return the table of lost packets by place of the loss."""

    def row(scenario: str, network: str, variant: str) -> dict[str, st.Cell]:
        key = f"{scenario}-{network}"
        lost = {
            place: [x for n in s.sizes(key) for x in s.runs.of(column, key, n, variant, 0)]
            for place, column in _LOSSES.items()
        }
        return {
            "scenario, network": f"scenario {scenario[1]}, {NETWORKS[network]}",
            "variant": k.LABELS[variant],
            **{place: st.cell(st.mean(counts), 1) for place, counts in lost.items()},
        }

    points = (
        (*at, variant)
        for at in product(SCENARIOS, NETWORKS)
        if s.sizes("-".join(at))
        for variant in s.variants
    )
    return k.TEXT.table("losses", (row(*at) for at in points))


def sensitivity(s: Results) -> tuple[st.Table | st.Text, ...]:
    """Return text and tables on the effect of other UDP rates and queue limits.

    They are for the layout with clients near the access point, and its smallest number of nodes.
    """
    networks = {"near": (k.UDP_MBPS, k.QUEUE), **TRIED}
    there = {n: at for n, at in networks.items() if s.sizes(f"s2-{n}")}
    if len(there) < 2:
        return ()
    nodes = s.sizes("s2-near")[0]
    names = {n: f"UDP {rate:g} Mb/s, queue {packets}" for n, (rate, packets) in there.items()}

    def row(network: str) -> dict[str, str]:
        at = product(("throughput", "delay", "loss"), k.VARIANTS)
        cells = {
            f"{measure}, {MEASURES[measure].unit}: {k.LABELS[v]}": s.cell(measure, f"s2-{network}", nodes, v)
            for measure, v in at
        }
        return {"setting": names[network], **cells}

    claims = st.judged([c for c in CLAIMS if "time" not in c.needs], s, tuple(there), s.figures)
    return (
        st.Text((k.TEXT("tried", published_mbps=published.BEST["s2", "throughput"][2]),)),
        *k.TEXT.table("tried", map(row, there), nodes=nodes),
        *st.verdicts(
            "tried-verdicts",
            "Verdicts with other settings",
            tuple(names.values()),
            claims,
            notes=(f"The first column has every size, the others {nodes} nodes. “-”: not run.",),
        ),
    )


def connected(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the number of uniform placements with the client in range, ours and ns-3's."""

    def row(scenario: str, flow: int) -> dict[str, str]:
        ours, mesh = f"{scenario}-uniform", f"{scenario}-mesh-uniform"
        theirs = "{} of {}".format(*ns3_connected()[scenario, flow])
        return {
            "client": f"scenario {scenario[1]}, {FLOWS[flow]} client",
            "ours": _in_range(s, ours, s.sizes(ours), flow),
            "ours, mesh": _in_range(s, mesh, s.sizes(mesh), flow),
            "ns-3, access point": "-" if s.runs.altered(ours) else theirs,
        }

    return k.TEXT.table("connected", (row(*at) for at in ns3_connected()))


def points(s: Results, compared: Sequence[st.Comparison]) -> list[dict[str, Any]]:
    """Return one row per point, flow, variant and measure."""
    theirs = st.by_point(compared)

    def row(scenario: str, network: str, nodes: int, variant: str, flow: int, name: str) -> dict[str, Any]:
        key = f"{scenario}-{network}"
        ours = s.interval(name, key, nodes, variant, flow)
        near = theirs.get((sweep(key, flow, name), float(nodes), variant))
        return {
            "scenario": scenario,
            "network": network,
            "nodes": nodes,
            "flow": FLOWS[flow],
            "variant": variant,
            "measure": name,
            "unit": MEASURES[name].unit,
            "mean": st.curves.mean_of(ours),
            "half_width": None if ours is None else st.known(ours.half_width),
            "runs_in_range": len(s.connected(key, nodes, flow)),
            "ns3_mean": None if near is None else near.theirs.mean,
            "ns3_outcome": None if near is None else near.outcome,
        }

    return [
        row(*at, nodes, variant, flow, name)
        for at in product(SCENARIOS, NETWORKS)
        for nodes in s.sizes("-".join(at))
        for variant, flow, name in product(s.variants, range(int(at[0][1])), MEASURES)
    ]
