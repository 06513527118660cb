"""The study's runs: a scenario for each point of each figure, the tables of results, and recordings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import polars as pl

import ackclock.study as st
from ackclock import Run, Scenario
from ackclock.studies.heriyanto import settings as k

NETWORKS: Final[dict[str, str]] = {
    "near": "access point, clients near",
    "uniform": "access point, clients uniform",
    "mesh-near": "mesh, clients near",
    "mesh-uniform": "mesh, clients uniform",
    "read": f"{k.READ_MBPS} Mb/s, found afterwards",
}
"""The networks, with their names in tables and figures.

Clients are placed on a grid beside the access point, or uniformly. In a mesh all stations are mesh points, and the gate
replaces the access point. The last network has the grid and an interpretation of the wired link that was found after
the results were known. It is run in scenario 1 only, since it explains that scenario's numbers."""

READ: Final = "s1-read"
"""Key of the experiment with the interpretation that was found after the results were known."""

SCENARIOS: Final = ("s1", "s2")
"""The paper's scenarios: one client with TCP, and that client beside another client with UDP."""

FIGURES: Final = ("throughput", "loss", "delay", "jitter", "time")
"""Names that ``--only`` accepts: the measures against the number of nodes, and throughput against time."""

TRIED: Final[dict[str, tuple[float, int]]] = {
    **{f"near-udp-{rate:g}": (rate, k.QUEUE) for rate in k.UDP_TRIED_MBPS},
    **{f"near-queue-{packets}": (k.UDP_MBPS, packets) for packets in k.QUEUES_TRIED},
}
"""Rate of the UDP stream (Mb/s) and queue (packets) of the experiments that change one of them, by key."""

PLACED: Final = ("near", "uniform")
"""Networks whose placements are drawn as figures; every other network has one of these placements."""

RECORDED: Final = ("near", "mesh-uniform")
"""Networks whose first runs with the fewest and the most nodes are recorded; the quick form records only the first."""


@dataclass(frozen=True)
class Sweeps(st.Plan):
    """The runs of one call of the study, made for each scenario in each network.

    Attributes:
        nodes: Numbers of nodes.
        replications: Number of seeds per point.
    """

    nodes: tuple[int, ...]
    replications: int

    @property
    def ends(self) -> tuple[int, ...]:
        """The smallest and the greatest number of nodes."""
        return tuple(dict.fromkeys((self.nodes[0], self.nodes[-1])))


def plan(quick: bool = False, only: str | None = None) -> Sweeps:
    """Return the plan of the full form, or of the quick form with fewer points and replications.

    Figures against time need only the points with 50 nodes.
    """
    nodes: tuple[int, ...] = k.QUICK_NODES if quick else k.NODES
    return Sweeps(
        quick,
        FIGURES if only is None else (only,),
        nodes[-1:] if only == "time" else nodes,
        k.QUICK_REPLICATIONS if quick else k.REPLICATIONS,
    )


def first_seed(nodes: int) -> int:
    """Return the seed of the first replication with `nodes` nodes; each number of nodes has its own placements."""
    return 1000 * nodes + st.BASE_SEED


def jobs(chosen: Sweeps) -> Iterator[st.StudyJob]:
    """Yield all runs by scenario, network, number of nodes, variant and seed; both variants use the same seeds."""
    first, ends = next(iter(k.VARIANTS)), chosen.ends
    for experiment, sizes in _points(chosen):
        drawn = experiment in {f"{SCENARIOS[0]}-{network}" for network in PLACED}
        for nodes, variant in product(sizes, (*k.VARIANTS, *chosen.changes.added)):
            labels = {"experiment": experiment, "nodes": nodes, "variant": variant}
            own = scenario(experiment, nodes, variant)
            for r in range(chosen.replications):
                placed = drawn and r == 0 and variant == first and nodes in ends
                traces = ("throughput",) * (nodes == chosen.nodes[-1]) + ("positions",) * placed
                how: dict[str, Any] = {"traces": traces, "bin_s": k.SAMPLE_S, "batch": experiment}
                yield st.StudyJob(own, first_seed(nodes) + r, k.JITTER_S if r else 0.0, labels, **how)


def _points(chosen: Sweeps) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each experiment with its numbers of nodes."""
    for scenario_of, network in product(SCENARIOS, NETWORKS):
        experiment = f"{scenario_of}-{network}"
        if network != "read" or experiment == READ:
            yield experiment, chosen.nodes
    if chosen.figures == FIGURES:
        for scenario_of, (network, (rate, _)) in product(SCENARIOS, TRIED.items()):
            if rate == k.UDP_MBPS or scenario_of != SCENARIOS[0]:
                yield f"{scenario_of}-{network}", chosen.nodes[:1]


def reading(experiment: str) -> k.Reading:
    """Return the settings of TCP and of the path between server and access point in an experiment."""
    return k.FOUND if experiment == READ else k.STATED


def later_s(experiment: str) -> int:
    """Return the shift of all start and end times, s; in a mesh the stations first need time to peer."""
    return k.PEERING_S if "mesh" in experiment else 0


def scenario(experiment: str, nodes: int, variant: str) -> Scenario:
    """Return the scenario of an experiment with `nodes` nodes for a variant."""
    late_s, mesh, read = later_s(experiment), "mesh" in experiment, reading(experiment)
    udp_mbps, queue = TRIED.get(experiment.partition("-")[2], (k.UDP_MBPS, k.QUEUE))
    clients = [f"sta{i}" for i in range(nodes - 2)]
    return Scenario(
        {
            "duration": f"{k.DURATION_S + late_s}s",
            "seed": st.BASE_SEED,
            "node": [
                {"name": "ap", "address": f"{k.SERVER_NET}.2", "position": [0, 0, 0]},
                {"name": "server", "address": f"{k.SERVER_NET}.1", "position": [0.2, 0, 0]},
                *_clients(clients, uniform=experiment.endswith("uniform")),
            ],
            "link": [
                {
                    "between": ["server", "ap"],
                    "rate": f"{read.wired_mbps}Mbps",
                    "delay": f"{read.wired_ms}ms",
                    "framing": f"{k.FRAMING_B}B",
                    # This is the ring buffer of the network card below FQ-CoDel; it also holds the packet in
                    # transmission.
                    "queue": {
                        "kind": "tx-ring",
                        "packets": queue + 1,
                        "queue": {"kind": "fq-codel", "newton": True},
                    },
                }
            ],
            "wifi": [
                {
                    "name": "wlan",
                    "standard": "n",
                    "profile": "ns3",
                    "stations": ["ap", *clients],
                    **({"routing": {"kind": "hwmp"}} if mesh else {"access_point": "ap"}),
                    "mcs": k.MCS,
                    "width": f"{k.WIDTH_MHZ}MHz",
                    "guard_interval": k.GUARD_INTERVAL,
                }
            ],
            "flow": _flows(experiment, variant, clients, f"{k.START_S + late_s}s", udp_mbps),
        }
    )


def _clients(names: list[str], *, uniform: bool) -> list[dict[str, object]]:
    half, step = k.HALF_WIDTH_M, k.GRID_SPACING_M
    bounds = [-half, half, -half, half]
    grid = {"kind": "grid", "columns": k.GRID_COLUMNS, "spacing": step, "origin": [step, step, 0]}
    placed = {"kind": "uniform", "bounds": bounds} if uniform else grid
    speed = [k.LEAST_SPEED, k.MOST_SPEED]
    walk = {"kind": "random-walk", "bounds": bounds, "time": f"{k.TURN_S}s", "speed": speed}
    at = f"{k.CLIENT_NET}.{{}}"
    return [
        {"name": name, "address": at.format(2 + i), "placement": placed, "mobility": walk}
        for i, name in enumerate(names)
    ]


def _flows(
    experiment: str, variant: str, clients: list[str], start: str, udp_mbps: float
) -> list[dict[str, object]]:
    endpoints = {**k.VARIANTS[variant].tcp, **reading(experiment).tcp}
    tcp: dict[str, object] = {"traffic": {"kind": "ftp"}, "tcp": endpoints}
    cbr = {"kind": "cbr", "rate": f"{udp_mbps:g}Mbps", "packet": f"{k.SEGMENT_B}B"}
    udp: dict[str, object] = {"traffic": cbr}
    flows = {"tcp": tcp, "udp": udp} if experiment.startswith("s2") else {"tcp": tcp}
    return [
        {"name": name, "from": "server", "to": client, "start": start, **own}
        for (name, own), client in zip(flows.items(), clients, strict=False)
    ]


def _by_flow(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return one row per flow with FlowMonitor's measures; delay and jitter are null if no packet arrived."""
    queued = pl.col("lost_queue_packets") + pl.col("lost_aqm_packets")
    return run.flows.to_polars().select(
        "flow",
        throughput_mbps=st.divided("throughput_bps", 1e6),
        payload_mbps=st.divided(8 * pl.col("acked_bytes"), 1e6 * k.DURATION_S),
        loss_percent=100 * pl.col("loss_ratio"),
        delay_ms=1e3 * pl.col("delay_mean_s"),
        jitter_ms=1e3 * pl.col("jitter_mean_s"),
        sent_packets="sent_packets",
        lost_packets="lost_packets_total",
        lost_at_the_queue=queued,
        lost_on_the_air=pl.col("lost_packets_total") - queued,
        retransmitted_packets="retransmitted_packets",
        timeouts="timeouts",
    )


def _samples(job: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return received payload and lost packets per bin, by the bin's end; a mesh's shift of times is subtracted."""
    late_s, start = later_s(job.labels["experiment"]), pl.col("time_s")
    return (
        run.trace("throughput")
        .to_polars()
        .filter(start - late_s >= k.START_S)
        .select(
            "flow",
            time_s=start + k.SAMPLE_S - late_s,
            received_mbps=8e-6
            * reading(job.labels["experiment"]).segment_b
            * pl.col("received_packets")
            / k.SAMPLE_S,
            lost_packets="lost_packets_total",
        )
    )


def _places(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the initial positions of the nodes, m."""
    return run.trace("positions").to_polars().filter(pl.col("time_s") == 0).select("node", "x_m", "y_m")


TABLES: Final = {
    "flows": st.RunTable(("experiment", "nodes", "variant", "seed"), _by_flow),
    "samples": st.RunTable(
        ("experiment", "variant", "seed"), _samples, st.traced("throughput"), hashed=False
    ),
    "places": st.RunTable(("experiment", "nodes"), _places, st.traced("positions"), hashed=False),
}


def recorded(chosen: Sweeps) -> list[tuple[str, str, int]]:
    """Return name, experiment and number of nodes of each run that is recorded; always the first run at a point."""
    if chosen.figures != FIGURES:
        return []
    networks = RECORDED[:1] if chosen.quick else RECORDED
    each = [f"{one}-{network}" for one, network in product(SCENARIOS, networks)]
    return [(f"{experiment}-{nodes}", experiment, nodes) for experiment, nodes in product(each, chosen.ends)]


def leave(chosen: Sweeps, folder: Path, threads: int = 0) -> None:
    """Write the folder `recordings` into the study's folder; nothing is written unless all figures are requested.

    The recordings are FlowMonitor's XML of the runs of `recorded` for both variants, and pages that animate the runs of
    the first variant.

    Args:
        chosen: The plan whose runs were made.
        folder: The study's folder.
        threads: Number of runs at a time; 0: one per core.
    """
    runs = recorded(chosen)
    if not runs:
        return
    recordings = folder / "recordings"
    recordings.mkdir()

    first = [
        st.StudyJob(scenario(experiment, nodes, v), first_seed(nodes), 0.0, {"variant": v}, batch=name)
        for (name, experiment, nodes), v in product(runs, k.VARIANTS)
    ]
    st.flowmonitor(first, lambda job: recordings / f"{job.batch}-{job.labels['variant']}.xml", threads)
    variant, label = next(iter(k.LABELS.items()))
    for name, experiment, nodes in runs:
        played = scenario(experiment, nodes, variant)
        if chosen.quick:
            played = played.apply([f"duration={k.QUICK_PLAYED_S}s"])
        st.animate(played, first_seed(nodes), recordings / f"{name}.html", f"heriyanto: {name}, {label}")


def manifest(chosen: Sweeps, data: st.StudyData) -> dict[str, Any]:
    """Return the study's entries of the manifest: seeds, settings, points and scenarios."""
    return {
        "first_seeds": {str(n): first_seed(n) for n in chosen.nodes},
        "replications": chosen.replications,
        "jitter_s": k.JITTER_S,
        "settings": k.SETTINGS.plain(),
        "tcp": {v.key: {**k.TCP, **v.tcp} for v in k.VARIANTS.values()},
        "tcp_found_afterwards": {v.key: {**k.FOUND.tcp, **v.tcp} for v in k.VARIANTS.values()},
        "points": {experiment: list(sizes) for experiment, sizes in _points(chosen)},
        "scenario_hashes": data.scenario_hashes("flows", "{experiment} nodes={nodes} {variant}"),
        "rerun_one": k.TEXT("rerun_one"),
    }
