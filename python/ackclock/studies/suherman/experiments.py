"""What is run: every k with every number of nodes, at each rate; and few points of other networks beside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ackclock.studies.documents import to_json
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.setups import BESIDE, RATES, Setup

FIGURES: Final = ("rate54", "rate11", "rate2", "beside", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7")
"""What `--only` takes: one rate, the networks beside, or a figure at every rate. Figures 4 and 5 are formulas."""

DRAWN: Final = ("fig2", "fig3", "fig6", "fig7")
"""The figures that runs are drawn in."""

FORMULAS: Final = ("fig4", "fig5")

_QUICK_KS: Final = (0.1, 0.5, 0.9)
_QUICK_NODES: Final = (2, 10, 20)
_QUICK_RUNS: Final = 3


@dataclass(frozen=True)
class Sweep:
    """One network with its points.

    Attributes:
        setup: The network.
        ks: What a loss multiplies the window with.
        nodes: Numbers of nodes.
        runs: Runs of each point.
    """

    setup: Setup
    ks: tuple[float, ...]
    nodes: tuple[int, ...]
    runs: int


@dataclass(frozen=True)
class Plan:
    """What one call of the study runs.

    Attributes:
        sweeps: The networks, with their points.
        quick: Whether this is the quick form.
        figures: The figures asked for.
    """

    sweeps: tuple[Sweep, ...]
    quick: bool
    figures: tuple[str, ...]


def plan(*, quick: bool = False, only: str | None = None) -> Plan:
    """The full form, or the quick form: fewer points and runs, without the networks beside.

    Args:
        quick: The quick form.
        only: One of `FIGURES`; all of them where None.
    """
    ks, nodes, runs = (_QUICK_KS, _QUICK_NODES, _QUICK_RUNS) if quick else (k.KS, k.NODES, k.RUNS)
    rates = [Sweep(setup, ks, nodes, runs) for setup in RATES]
    few = [Sweep(setup, k.BESIDE_KS, k.BESIDE_NODES, k.BESIDE_RUNS) for setup in BESIDE]
    if quick:
        few = [Sweep(setup, (0.1, 0.9), (20,), _QUICK_RUNS) for setup in BESIDE]
    if only is None:
        return Plan((*rates, *(() if quick else few)), quick, (*DRAWN, *FORMULAS, "beside"))
    if only == "beside":
        return Plan(tuple(few), quick, ("beside",))
    if only in FORMULAS:
        return Plan((), quick, (only,))
    if only in DRAWN:
        return Plan(tuple(rates), quick, (only,))
    return Plan(tuple(sweep for sweep in rates if sweep.setup.key == only), quick, (only,))


@dataclass(frozen=True)
class Job:
    """One run.

    Attributes:
        setup: The network.
        nodes: How many nodes it has.
        k: What a loss multiplies the window with.
        seed: Seed of the run: places, paths, starts and the channel are the same for every k.
    """

    setup: Setup
    nodes: int
    k: float
    seed: int


def jobs(sweep: Sweep) -> list[Job]:
    """Every run of a network, by number of nodes, k and seed."""
    return [
        Job(sweep.setup, nodes, factor, k.BASE_SEED + r)
        for nodes in sweep.nodes
        for factor in sweep.ks
        for r in range(1, sweep.runs + 1)
    ]


def document(job: Job) -> dict[str, object]:
    """The scenario of a run, as the document that `ackclock run` takes."""
    tcp = {**k.TCP, "max_window": job.setup.window, "control": {"decrease": job.k}}
    return {
        "duration": f"{k.LENGTH_S}s",
        "seed": k.BASE_SEED,
        **job.setup.network(job.nodes),
        "flow": [
            {
                "from": f"n{i}",
                "to": f"n{(i + 1) % job.nodes}",
                "start": f"{k.START_S}s",
                "traffic": k.TRAFFIC,
                "tcp": tcp,
            }
            for i in range(job.nodes)
        ],
    }


def document_json(job: Job) -> str:
    """The same as one line of JSON."""
    return to_json(document(job))
