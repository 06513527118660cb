"""What is run: the points of each figure as scenarios, and the tables and recordings that runs leave."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ackclock.run import Run
from ackclock.scenario import Scenario
from ackclock.studies.data import StudyData, divided
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.runs import RunTable, StudyJob
from ackclock.studies.study import Plan
from ackclock.sweep.jobs import Traced, watch_jobs

if TYPE_CHECKING:
    import polars as pl

NETWORKS: Final[dict[str, str]] = {
    "near": "access point, clients near",
    "uniform": "access point, clients uniform",
    "mesh-near": "mesh, clients near",
    "mesh-uniform": "mesh, clients uniform",
}
"""How clients are placed, on a grid beside the access point or uniformly, and whether all stations make a mesh whose
gate stands in the access point's place; each with its name in tables and figures."""

SCENARIOS: Final = ("s1", "s2")
"""One client by TCP; the same and another by UDP."""

FIGURES: Final = ("throughput", "loss", "delay", "jitter", "time")
"""What `--only` takes: each measure against the number of nodes, in both scenarios, and throughput against time."""

ANIMATED: Final = ("s2-near", "s2-mesh-uniform")
"""Sweeps whose first run with most nodes, of the first variant, is played by a page."""


@dataclass(frozen=True)
class Sweeps(Plan):
    """What one call of the study runs, of each scenario in each network.

    Attributes:
        nodes: Numbers of nodes.
        replications: Seeds of each point.
    """

    nodes: tuple[int, ...]
    replications: int


def plan(quick: bool = False, only: str | None = None) -> Sweeps:
    """The full form, or the quick form: fewer points and replications. Figures against time need 50 nodes alone."""
    nodes: tuple[int, ...] = k.QUICK_NODES if quick else k.NODES
    return Sweeps(
        quick,
        FIGURES if only is None else (only,),
        nodes[-1:] if only == "time" else nodes,
        k.QUICK_REPLICATIONS if quick else k.REPLICATIONS,
    )


def first_seed(nodes: int) -> int:
    """Seed of the first replication at a size: each size has placements and walks of its own."""
    return 1000 * nodes + k.BASE_SEED


def jobs(chosen: Sweeps) -> Iterator[StudyJob]:
    """Every run: by scenario, network, number of nodes, then variant, then seed, which is the same for both."""
    for experiment in [f"{s}-{network}" for s in SCENARIOS for network in NETWORKS]:
        for nodes in chosen.nodes:
            traces = ("throughput",) if nodes == chosen.nodes[-1] else ()
            for variant in (*k.VARIANTS, *chosen.changes.added):
                labels = {"experiment": experiment, "nodes": nodes, "variant": variant}
                own = scenario(experiment, nodes, variant)
                for r in range(chosen.replications):
                    seed, jitter_s = first_seed(nodes) + r, k.JITTER_S if r else 0.0
                    yield StudyJob(own, seed, jitter_s, labels, r, traces, k.SAMPLE_S, experiment)


def later_s(experiment: str) -> int:
    """How much later than with an access point all begins and ends, s: stations of a mesh find each other first."""
    return k.PEERING_S if "mesh" in experiment else 0


def scenario(experiment: str, nodes: int, variant: str) -> Scenario:
    """The scenario of a point for a variant."""
    late_s, mesh = later_s(experiment), "mesh" in experiment
    clients = [f"sta{i}" for i in range(nodes - 2)]
    return Scenario(
        {
            "duration": f"{k.DURATION_S + late_s}s",
            "seed": k.BASE_SEED,
            "node": [
                {"name": "ap", "position": [0, 0, 0]},
                {"name": "server", "position": [0.2, 0, 0]},
                *_clients(clients, uniform=experiment.endswith("uniform")),
            ],
            "link": [
                {
                    "between": ["server", "ap"],
                    "rate": f"{k.WIRED_MBPS}Mbps",
                    "delay": f"{k.WIRED_MS}ms",
                    # A device's ring (and the packet in transmission) below FqCoDel.
                    "queue": {
                        "kind": "tx-ring",
                        "packets": k.QUEUE + 1,
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
            "flow": _flows(experiment, variant, clients, f"{k.START_S + late_s}s"),
        }
    )


def _clients(names: list[str], *, uniform: bool) -> list[dict[str, object]]:
    half, step = k.HALF_WIDTH_M, k.GRID_SPACING_M
    bounds = [-half, half, -half, half]
    grid = {"kind": "grid", "columns": k.GRID_COLUMNS, "spacing": step, "origin": [step, step, 0]}
    placed = {"kind": "uniform", "bounds": bounds} if uniform else grid
    speed = [k.LEAST_SPEED, k.MOST_SPEED]
    walk = {"kind": "random-walk", "bounds": bounds, "time": f"{k.TURN_S}s", "speed": speed}
    return [{"name": name, "placement": placed, "mobility": walk} for name in names]


def _flows(experiment: str, variant: str, clients: list[str], start: str) -> list[dict[str, object]]:
    own = k.VARIANTS.get(variant, {"variant": variant})
    tcp: dict[str, object] = {"traffic": {"kind": "ftp"}, "tcp": {**own, **k.TCP}}
    cbr = {"kind": "cbr", "rate": f"{k.UDP_MBPS}Mbps", "packet": f"{k.SEGMENT_B}B"}
    udp: dict[str, object] = {"traffic": cbr}
    flows = {"tcp": tcp, "udp": udp} if experiment.startswith("s2") else {"tcp": tcp}
    return [
        {"name": name, "from": "server", "to": client, "start": start, **own}
        for (name, own), client in zip(flows.items(), clients, strict=False)
    ]


def _by_flow(_: StudyJob, run: Run) -> pl.DataFrame:
    """FlowMonitor's measures of each flow; delay and jitter are missing where no packet arrived."""
    import polars as pl

    queued = pl.col("lost_queue_packets") + pl.col("lost_aqm_packets")
    return run.flows.to_polars().select(
        "flow",
        throughput_mbps=divided("throughput_bps", 1e6),
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


def _samples(job: StudyJob, run: Run) -> pl.DataFrame | None:
    """Payload received in each bin by its end; in a mesh, which begins later, as if it did not."""
    import polars as pl

    if not job.traces:
        return None
    late_s, start = later_s(job.labels["experiment"]), pl.col("time_s")
    return (
        run.trace("throughput")
        .to_polars()
        .filter(start - late_s >= k.START_S)
        .select(
            "flow",
            time_s=start + k.SAMPLE_S - late_s,
            received_mbps=8e-6 * k.SEGMENT_B * pl.col("received_packets") / k.SAMPLE_S,
        )
    )


TABLES: Final = {
    "flows": RunTable(("experiment", "nodes", "variant", "seed"), _by_flow),
    "samples": RunTable(("experiment", "variant", "seed"), _samples, hashed=False),
}


def leave(chosen: Sweeps, folder: Path, threads: int = 0) -> None:
    """Write `recordings` into the study's folder, where all figures were asked for.

    They are FlowMonitor's XML of each sweep's first runs with most nodes, and pages that play two of them.

    Args:
        chosen: What the study ran.
        folder: Its folder.
        threads: How many runs at a time; all cores where 0.
    """
    from ackclock.animation import RADIO_TRACES, TRACES

    if chosen.figures != FIGURES:
        return
    recordings = folder / "recordings"
    recordings.mkdir()
    most = chosen.nodes[-1]

    def keep(job: StudyJob, run: Run) -> None:
        name, variant = f"{job.labels['experiment']}-{most}", job.labels["variant"]
        with tempfile.TemporaryDirectory() as aside:
            run.save(aside, traces=("flowmonitor",))
            shutil.move(Path(aside) / "flowmonitor.xml", recordings / f"{name}-{variant}.xml")

    first = [job for job in jobs(chosen) if job.labels["nodes"] == most and job.replication == 0]
    watch_jobs(first, Traced(("flowmonitor",)), keep, threads=threads)
    variant, label = next(iter(k.LABELS.items()))
    for experiment in ANIMATED:
        name = f"{experiment}-{most}"
        run = scenario(experiment, most, variant).run(seed=first_seed(most), traces=(*TRACES, *RADIO_TRACES))
        run.animate(recordings / f"{name}.html", title=f"heriyanto: {name}, {label}")


def manifest(chosen: Sweeps, data: StudyData) -> dict[str, Any]:
    """Seeds, settings, points and scenarios."""
    return {
        "first_seeds": {str(n): first_seed(n) for n in chosen.nodes},
        "replications": chosen.replications,
        "jitter_s": k.JITTER_S,
        "settings": k.SETTINGS.plain(),
        "tcp": {key: {**k.TCP, **own} for key, own in k.VARIANTS.items()},
        "points": {f"{s}-{network}": list(chosen.nodes) for s in SCENARIOS for network in NETWORKS},
        "scenario_hashes": data.scenario_hashes("flows", "{experiment} nodes={nodes} {variant}"),
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON; the rows of data/flows.parquet with the first "
            "seed are `ackclock run SCENARIO.json --seed SEED`, without jitter"
        ),
    }
