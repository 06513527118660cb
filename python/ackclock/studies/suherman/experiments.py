"""What is run: every k with every number of nodes, at each rate; and few points of other networks beside."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ackclock.network import Network
from ackclock.run import Run
from ackclock.scenario import Scenario
from ackclock.studies.data import StudyData
from ackclock.studies.runs import RunTable, StudyJob
from ackclock.studies.study import Plan
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.setups import BESIDE, EVERY_CUT, RATES, Setup

if TYPE_CHECKING:
    import polars as pl

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
class Sweeps(Plan):
    """What one call of the study runs.

    Attributes:
        sweeps: The networks, with their points.
    """

    sweeps: tuple[Sweep, ...]


def plan(quick: bool = False, only: str | None = None) -> Sweeps:
    """The full form, or the quick form: fewer points and runs, without the networks beside."""
    ks, nodes, runs = (_QUICK_KS, _QUICK_NODES, _QUICK_RUNS) if quick else (k.KS, k.NODES, k.RUNS)
    rates = [Sweep(setup, ks, nodes, runs) for setup in RATES]
    fewer = (ks, nodes, runs) if quick else (k.BESIDE_KS, k.NODES, k.BESIDE_RUNS)
    rates += [Sweep(setup, *fewer) for setup in EVERY_CUT]
    few = [Sweep(setup, k.BESIDE_KS, k.BESIDE_NODES, k.BESIDE_RUNS) for setup in BESIDE]
    if quick:
        few = [Sweep(setup, (0.1, 0.9), (20,), _QUICK_RUNS) for setup in BESIDE]
    if only is None:
        return Sweeps(quick, (*DRAWN, *FORMULAS, "beside"), (*rates, *(() if quick else few)))
    if only == "beside":
        return Sweeps(quick, (only,), tuple(few))
    if only in FORMULAS:
        return Sweeps(quick, (only,), ())
    if only in DRAWN:
        return Sweeps(quick, (only,), tuple(rates))
    return Sweeps(
        quick, (only,), tuple(sweep for sweep in rates if sweep.setup.key.removesuffix("-every") == only)
    )


def jobs(chosen: Sweeps) -> Iterator[StudyJob]:
    """Every run: by network, number of nodes, k and seed.

    A seed gives places, paths, starts and the channel, the same for every k.
    """
    for sweep in chosen.sweeps:
        for nodes in sweep.nodes:
            compared: tuple[float | str, ...] = (*sweep.ks, *chosen.changes.added)
            for which in compared:
                network = scenario(sweep.setup, nodes, which)
                labels: dict[str, Any] = {"setup": sweep.setup.key, "nodes": nodes, "k": which}
                labels["variant"] = k.TCP["variant"]
                if isinstance(which, str):
                    labels |= {"k": math.nan, "variant": which}
                for r in range(1, sweep.runs + 1):
                    yield StudyJob(network, k.BASE_SEED + r, k.JITTER_S, labels, r, batch=sweep.setup.key)


def scenario(setup: Setup, nodes: int, which: float | str) -> Scenario:
    """The scenario of a network with so many nodes and one k, or another variant, which reduces as it does."""
    own: dict[str, object] = (
        {"variant": which} if isinstance(which, str) else {"control": {"decrease": which}}
    )
    tcp = {**k.TCP, "max_window": setup.window, **({"early_halving": False} if setup.every else {}), **own}
    ring = Network()
    for i in range(nodes):
        ring.flow(f"n{i}", f"n{(i + 1) % nodes}", start=f"{k.START_S}s", traffic=k.TRAFFIC, tcp=tcp)
    head = {"duration": f"{k.LENGTH_S}s", "seed": k.BASE_SEED}
    return Scenario({**head, **setup.network(nodes), **ring.document()})


def together(flows: pl.DataFrame) -> pl.DataFrame:
    """All flows of a run together: delays and jitter are means over segments, missing where none arrived.

    A delay is from a segment's first transmission to the first arrival of a copy; `write_delay_s` from the write to
    the delivery in order. `loss` is the share of segments of which no copy had arrived at the end.
    """
    import polars as pl

    fresh: list[int] = (flows["sent_packets"] - flows["retransmitted_packets"]).to_list()
    lost = flows["transit_loss_ratio"].to_list()
    arrived = [0.0 if x is None else (1 - x) * count for x, count in zip(lost, fresh, strict=True)]
    delivered = flows["delivered_writes"].cast(pl.Float64).to_list()
    means = {
        name: _mean(flows[f"{column}_mean_s"].to_list(), weights)
        for name, column, weights in (
            ("delay_s", "transit_delay", arrived),
            ("jitter_s", "transit_jitter", arrived),
            ("write_delay_s", "write_delay", delivered),
        )
    }
    return flows.select(
        *(pl.lit(value, pl.Float64).alias(name) for name, value in means.items()),
        pl.lit(1 - sum(arrived) / sum(fresh) if sum(fresh) else 0.0).alias("loss"),
        *(pl.col(name).sum() for name in ("writes", "delivered_writes", "sent_packets")),
        *(pl.col(name).sum() for name in ("retransmitted_packets", "timeouts", "fast_retransmits")),
        pl.col("lost_packets_total").sum().alias("lost_packets"),
        pl.lit(sum(count == 0 for count in arrived)).alias("silent_flows"),
    )


def _mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """The weighted mean of what is there."""
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None and w > 0]
    total = sum(w for _, w in pairs)
    return sum(v * w for v, w in pairs) / total if total else None


def _run(*, own: bool) -> Callable[[StudyJob, Run], pl.DataFrame | None]:
    """Take the runs of the study's own variant, or of those beside it."""

    def rows(job: StudyJob, run: Run) -> pl.DataFrame | None:
        return together(run.flows.to_polars()) if (job.labels["variant"] == k.TCP["variant"]) is own else None

    return rows


TABLES: Final = {
    "runs": RunTable(("setup", "nodes", "k", "seed"), _run(own=True)),
    "added": RunTable(("setup", "nodes", "variant", "seed"), _run(own=False)),
}


def manifest(chosen: Sweeps, data: StudyData) -> dict[str, Any]:
    """Seeds, settings, points and scenarios."""
    return {
        "seeds": {s.setup.key: [k.BASE_SEED + r for r in range(1, s.runs + 1)] for s in chosen.sweeps},
        "jitter_s": k.JITTER_S,
        "settings": k.SETTINGS.plain(),
        "tcp": k.TCP,
        "points": {s.setup.key: {"k": list(s.ks), "nodes": list(s.nodes)} for s in chosen.sweeps},
        "scenario_hashes": data.scenario_hashes("runs", "{setup} nodes={nodes} k={k:g}"),
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON, with starts that are not jittered; "
            "`ackclock sweep` jitters them as this study does"
        ),
    }
