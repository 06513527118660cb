"""The study's figures, from the data: ours with intervals, ns-3's hollow, published numbers as stars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.report.model import Figure, Panel, Series
from ackclock.studies.curves import means
from ackclock.studies.heriyanto import peer, published
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import NETWORKS, SCENARIOS
from ackclock.studies.heriyanto.samples import MEASURES, TCP, UDP

if TYPE_CHECKING:
    from ackclock.studies.heriyanto.samples import Samples

_HUE: Final = {"newreno": 3, "westwood+": 0}

_TITLES: Final = {"s1": "one TCP client", "s2": "one TCP and one UDP client"}

_TOPOLOGIES: Final = {"": ("near", "uniform"), "-mesh": ("mesh-near", "mesh-uniform")}
"""Networks that a figure shows, by what is behind its name."""


def figures(s: Samples) -> tuple[Figure, ...]:
    """Draw every figure asked for."""
    out: list[Figure] = []
    for scenario in SCENARIOS:
        for topology in _TOPOLOGIES:
            out += [
                _sweep(s, scenario, measure, topology) for measure in MEASURES if measure in s.data.figures
            ]
            if "time" in s.data.figures:
                out.append(_time(s, scenario, topology))
    return tuple(out)


def _sweep(s: Samples, scenario: str, measure: str, topology: str) -> Figure:
    unit = MEASURES[measure][1]
    flows = [(TCP, "TCP")] + ([(UDP, "UDP")] if scenario == "s2" else [])
    panels = []
    for flow, kind in flows:
        for network in _TOPOLOGIES[topology]:
            key = f"{scenario}-{network}"
            series = []
            for variant, label in k.LABELS.items():
                at = [(n, s.interval(measure, key, n, variant, flow)) for n in s.xs(key)]
                there = [(n, value) for n, value in at if value is not None]
                if there:
                    xs, values = zip(*there, strict=True)
                    series.append(means(label, _HUE[variant], [float(x) for x in xs], values))
                if network == "near":
                    series += _others(scenario, measure, variant, flow)
            panels.append(Panel(f"{kind} {measure}, {unit}\n{NETWORKS[network]}", tuple(series)))
    return Figure(
        key=f"{scenario}-{measure}{topology}",
        title=f"Scenario {scenario[1]} ({_TITLES[scenario]}): {measure}",
        x_label="nodes in all",
        panels=tuple(panels),
        claim=published.CLAIMS[f"{measure}-{scenario}"],
        notes=(
            "Means over the runs whose client is in range, bars 95 % confidence intervals."
            + (
                ""
                if topology
                else " Hollow: ns-3, clients near the access point. Stars: what the text states."
            ),
        ),
        alt=f"Scenario {scenario[1]}: {measure} of both variants against the number of nodes.",
        peer="ns-3",
    )


def _others(scenario: str, measure: str, variant: str, flow: int) -> list[Series]:
    """What ns-3 has, and what the text states."""
    out = []
    theirs = [
        (float(p.nodes), p.value.mean)
        for p in peer.points()
        if (p.scenario, p.measure, p.variant, p.flow) == (scenario, measure, variant, flow)
    ]
    if theirs:
        xs, ys = zip(*theirs, strict=True)
        out.append(Series("", _HUE[variant], tuple(xs), tuple(ys), kind="peer"))
    best = published.BEST.get((scenario, measure))
    if flow == TCP and best is not None and best[0] == variant:
        out.append(Series("", _HUE[variant], (40.0,), (best[2],), kind="published"))
    return out


def _time(s: Samples, scenario: str, topology: str) -> Figure:
    panels = []
    for network in _TOPOLOGIES[topology]:
        key = f"{scenario}-{network}"
        series = []
        for variant, label in k.LABELS.items():
            times, values = s.times(key, variant, TCP)
            series.append(means(label, _HUE[variant], times, values, bars=False))
        panels.append(Panel(f"TCP, Mb/s\n{NETWORKS[network]}", tuple(series)))
    return Figure(
        key=f"{scenario}-time{topology}",
        title=f"Scenario {scenario[1]} ({_TITLES[scenario]}): throughput against time",
        x_label="time, s",
        panels=tuple(panels),
        claim=published.CLAIMS["time"] if scenario == "s1" else "",
        notes=(
            f"Payload received in each {k.SAMPLE_S:g} s with most nodes: mean over all runs, those whose client "
            "is out of range included. The paper draws one run.",
        ),
        alt=f"Scenario {scenario[1]}: throughput of both variants against time.",
    )
