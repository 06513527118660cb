"""What is run: the points of each figure, as scenario documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ackclock.studies.documents import to_json
from ackclock.studies.heriyanto import settings as k

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


@dataclass(frozen=True)
class Experiment:
    """One sweep over the number of nodes.

    Attributes:
        scenario: One of `SCENARIOS`.
        network: One of `NETWORKS`.
        nodes: What is run.
    """

    scenario: str
    network: str
    nodes: tuple[int, ...]

    @property
    def key(self) -> str:
        """Its name in the data."""
        return f"{self.scenario}-{self.network}"


@dataclass(frozen=True)
class Plan:
    """What one call of the study runs.

    Attributes:
        experiments: The sweeps.
        replications: Seeds of each point.
        quick: Whether this is the quick form.
        figures: The figures asked for.
    """

    experiments: tuple[Experiment, ...]
    replications: int
    quick: bool
    figures: tuple[str, ...]


def plan(*, quick: bool = False, only: str | None = None) -> Plan:
    """The full form, or the quick form: fewer points, fewer replications.

    Args:
        quick: The quick form.
        only: One of `FIGURES`; all of them where None. Figures against time need 50 nodes alone.
    """
    nodes: tuple[int, ...] = k.QUICK_NODES if quick else k.NODES
    if only == "time":
        nodes = nodes[-1:]
    return Plan(
        experiments=tuple(Experiment(s, p, nodes) for s in SCENARIOS for p in NETWORKS),
        replications=k.QUICK_REPLICATIONS if quick else k.REPLICATIONS,
        quick=quick,
        figures=FIGURES if only is None else (only,),
    )


@dataclass(frozen=True)
class Job:
    """One run.

    Attributes:
        experiment: The sweep.
        nodes: Where on it.
        variant: Key of `settings.VARIANTS`.
        seed: Seed of the run: both variants meet the same placements and walks.
    """

    experiment: Experiment
    nodes: int
    variant: str
    seed: int

    @property
    def jitter_s(self) -> float:
        """Start jitter, s."""
        return 0.0 if self.seed == first_seed(self.nodes) else k.JITTER_S


def first_seed(nodes: int) -> int:
    """Seed of the first replication at a size: each size has placements and walks of its own."""
    return 1000 * nodes + k.BASE_SEED


def jobs(experiment: Experiment, chosen: Plan) -> list[Job]:
    """Every run of a sweep: by number of nodes, then variant, then seed."""
    return [
        Job(experiment, nodes, variant, first_seed(nodes) + r)
        for nodes in experiment.nodes
        for variant in k.VARIANTS
        for r in range(chosen.replications)
    ]


def later_s(network: str) -> int:
    """How much later than with an access point all begins and ends, s: stations of a mesh find each other first."""
    return k.PEERING_S if network.startswith("mesh") else 0


def document(scenario: str, network: str, nodes: int, variant: str) -> dict[str, object]:
    """The scenario of a point for a variant, as the document that `ackclock run` takes."""
    clients = [f"sta{i}" for i in range(nodes - 2)]
    half = k.HALF_WIDTH_M
    bounds = [-half, half, -half, half]
    placed: dict[str, object] = (
        {"kind": "uniform", "bounds": bounds}
        if network.endswith("uniform")
        else {
            "kind": "grid",
            "columns": k.GRID_COLUMNS,
            "spacing": k.GRID_SPACING_M,
            "origin": [k.GRID_SPACING_M, k.GRID_SPACING_M, 0],
        }
    )
    late_s = later_s(network)
    start = f"{k.START_S + late_s}s"
    mesh = network.startswith("mesh")
    walk = {"kind": "random-walk", "bounds": bounds, "time": "1s", "speed": [2, 4]}
    flows: list[dict[str, object]] = [
        {
            "name": "tcp",
            "from": "server",
            "to": clients[0],
            "start": start,
            "traffic": {"kind": "ftp"},
            "tcp": {**k.VARIANTS[variant], **k.TCP},
        }
    ]
    if scenario == "s2":
        flows.append(
            {
                "name": "udp",
                "from": "server",
                "to": clients[1],
                "start": start,
                "traffic": {"kind": "cbr", "rate": k.UDP_RATE, "packet": f"{k.SEGMENT_B}B"},
            }
        )
    return {
        "duration": f"{k.DURATION_S + late_s}s",
        "seed": k.BASE_SEED,
        "node": [
            {"name": "ap", "position": [0, 0, 0]},
            {"name": "server", "position": [0.2, 0, 0]},
            *({"name": name, "placement": placed, "mobility": walk} for name in clients),
        ],
        "link": [
            {"between": ["server", "ap"], "rate": "5Mbps", "delay": "1ms", "queue": k.QUEUE},
        ],
        "wifi": [
            {
                "name": "wlan",
                "standard": "n",
                "profile": "ns3",
                "stations": ["ap", *clients],
                **({"routing": {"kind": "hwmp"}} if mesh else {"access_point": "ap"}),
                "mcs": 1,
                "width": "40MHz",
                "guard_interval": "short",
            }
        ],
        "flow": flows,
    }


def document_json(job: Job) -> str:
    """The same of a run, as one line of JSON."""
    e = job.experiment
    return to_json(document(e.scenario, e.network, job.nodes, job.variant))
