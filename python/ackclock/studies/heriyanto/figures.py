"""The study's figures; they show our means with intervals, ns-3's as hollow marks, published numbers as stars."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import ackclock.study as st
from ackclock.studies.heriyanto import published
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import NETWORKS, SCENARIOS
from ackclock.studies.heriyanto.results import FLOWS, MEASURES, Results, ns3

_PLACE: Final = ("node", "x_m", "y_m")

_NETWORK_HUE: Final = 1
"""Number of the first network's colour; no variant uses it. The second network has the next number."""

_TITLES: Final = {"s1": "one TCP client", "s2": "one TCP and one UDP client"}

_TOPOLOGIES: Final = {"": ("near", "uniform"), "-mesh": ("mesh-near", "mesh-uniform")}
"""The networks drawn in a figure, by the suffix of its name."""


def figures(s: Results, *, quick: bool = False) -> tuple[st.Figure, ...]:
    """Return the requested figures; `quick` leaves out those of the mesh."""
    out = [
        _placement(s, network, nodes)
        for nodes in s.places.labels(1, "s1-near")
        for network in _TOPOLOGIES[""]
    ]
    for scenario in SCENARIOS:
        for topology in list(_TOPOLOGIES)[: 1 if quick else None]:
            out += [_sweep(s, scenario, measure, topology) for measure in MEASURES if measure in s.figures]
            if "time" in s.figures:
                out.append(_time(s, scenario, topology))
    return tuple(out)


def _placement(s: Results, network: str, nodes: int) -> st.Figure:
    """Return the figure of the initial positions of the nodes in the first run, like the paper's Figures 6 and 7."""
    at = (f"s1-{network}", nodes)
    places = {name: (x, y) for name, x, y in zip(*(s.places.of(c, *at) for c in _PLACE), strict=True)}
    clients = [place for name, place in places.items() if name.startswith("sta")]
    groups = (
        ("access point and server", 3, "centre", [places["ap"]]),
        ("the client that downloads", 1, "centre", clients[:1]),
        ("other clients", 0, "open", clients[1:]),
    )
    series = (
        st.Series(name, hue, tuple(x for x, _ in found), tuple(y for _, y in found), kind=kind)
        for name, hue, kind, found in groups
        if found
    )
    uniform = network.endswith("uniform")
    side = 2.2 * k.HALF_WIDTH_M if uniform else (k.GRID_COLUMNS + 2) * k.GRID_SPACING_M
    return k.TEXT.figure(
        "placement",
        (st.Panel("y (m)", tuple(series), from_zero=False, height=1.8 if uniform else 1.0),),
        key=f"placement-{nodes}-{network}",
        drawn={
            "x_range": (-side / 2, side / 2) if uniform else (-k.GRID_SPACING_M, side - k.GRID_SPACING_M),
            "to_scale": True,
        },
        number=published.PLACEMENTS.get(nodes, ""),
        nodes=nodes,
        network=NETWORKS[network],
    )


def _title(scenario: str, measure: str, topology: str) -> str:
    """Return the title of a figure, with its number in the paper."""
    where = " over a mesh" if topology else ""
    return f"{published.FIGURES[scenario, measure]}{where}: {measure}, scenario {scenario[1]} ({_TITLES[scenario]})"


def _sweep(s: Results, scenario: str, measure: str, topology: str) -> st.Figure:
    def panel(flow: int, network: str) -> st.Panel:
        key, series = f"{scenario}-{network}", []
        for variant in s.variants:
            at = {float(n): s.interval(measure, key, n, variant, flow) for n in s.sizes(key)}
            if there := {n: value for n, value in at.items() if value is not None}:
                series.append(s.palette.curve(variant, list(there), list(there.values())))
            if network == "near":
                series += _others(s, scenario, measure, variant, flow)
        label = f"{FLOWS[flow]} {measure}, {MEASURES[measure].unit}\n{NETWORKS[network]}"
        return st.Panel(label, tuple(series))

    star = " Star: the text's number at its size; dashed: the text's number whose size it does not state."
    return k.TEXT.figure(
        "sweep",
        (
            *(panel(flow, network) for flow in range(int(scenario[1])) for network in _TOPOLOGIES[topology]),
            *_difference(s, scenario, measure, topology),
        ),
        key=f"{scenario}-{measure}{topology}",
        drawn={
            "title": _title(scenario, measure, topology),
            "hollow": "" if topology else "Hollow: ns-3, clients near the access point.",
        },
        published=f"{measure}-{scenario}",
        scenario=scenario[1],
        measure=measure,
        others="" if topology else star,
    )


def _difference(s: Results, scenario: str, measure: str, topology: str) -> tuple[st.Panel, ...]:
    """Return panels of the difference Westwood+ - NewReno by number of nodes, since the two curves coincide."""
    base, other = k.VARIANTS
    series = []
    for hue, network in enumerate(_TOPOLOGIES[topology]):
        key = f"{scenario}-{network}"
        at = {float(n): [s.values(measure, key, n, v) for v in (other, base)] for n in s.sizes(key)}
        there = {n: st.percent_above(a, b) for n, (a, b) in at.items() if len(a) > 1 and min(b) > 0}
        if there:
            values = [st.interval(value) for value in there.values()]
            series.append(st.curves.means(NETWORKS[network], _NETWORK_HUE + hue, list(there), values))
    label = f"{k.LABELS[other]} minus\n{k.LABELS[base]} (%)"
    return (st.Panel(label, tuple(series), zero=True, height=0.75),) if series else ()


def _others(s: Results, scenario: str, measure: str, variant: str, flow: int) -> list[st.Series]:
    """Return ns-3's points and the values that the paper states, as series."""
    key, ran = f"{scenario}-near", sorted({nodes for of, nodes, *_ in ns3() if of == f"{scenario}-near"})
    theirs = [(float(n), st.curves.mean_of(s.ns3(key, n, variant, flow, measure))) for n in ran]
    hollow = s.palette.points("peer", variant, theirs)
    out = [hollow] if hollow.x else []
    best, where, value = published.BEST.get((scenario, measure), ("", "", 0.0))
    if flow == 0 and best == variant and where:
        out.append(s.palette.points("published", variant, [(float(k.BEST_NODES), value)]))
    elif flow == 0 and best == variant:
        limit = s.palette.points("limit", variant, [(float(n), value) for n in (k.NODES[0], k.NODES[-1])])
        out.append(replace(limit, label="published, its size not stated"))
    return out


def _time(s: Results, scenario: str, topology: str) -> st.Figure:
    def panel(network: str) -> st.Panel:
        at = {v: (f"{scenario}-{network}", v, 0) for v in s.variants}
        series = (s.palette.curve(v, *s.bins.over_time("received_mbps", *at[v]), bars=False) for v in at)
        return st.Panel(f"TCP (Mb/s)\n{NETWORKS[network]}", tuple(series))

    return k.TEXT.figure(
        "time",
        tuple(map(panel, _TOPOLOGIES[topology])),
        key=f"{scenario}-time{topology}",
        drawn={"title": _title(scenario, "throughput against time", topology)},
        published="time" if scenario == "s1" else "",
        scenario=scenario[1],
    )
