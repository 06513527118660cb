"""The study's runs: all k and all numbers of nodes at each rate, and some points of other networks and of videos."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import polars as pl

import ackclock.study as st
from ackclock import Network, Run, Scenario
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman import setups
from ackclock.studies.suherman.results import CUTS, ns2_points

FIGURES: Final = ("rate54", "rate11", "rate2", "rate1", "beside", "video", *(f"fig{n}" for n in range(2, 8)))
"""Names that ``--only`` accepts: a rate, the other networks, the videos, or a figure at all rates (Figure 4 is a
formula)."""

DRAWN: Final = ("fig2", "fig3", "fig6", "fig7")
"""The figures that are drawn from runs."""

_QUICK_KS: Final = (0.1, 0.5, 0.9)
_QUICK_NODES: Final = (2, 10, 20)
_QUICK_RUNS: Final = 3
_QUICK_FEW_RUNS: Final = 2
_QUICK_RATE: Final = "11Mbps"
"""The rate at which the quick form runs videos and the networks that ns-2 ran."""


@dataclass(frozen=True)
class Sweep:
    """The points that are run in one network.

    Attributes:
        setup: The network.
        ks: Values of k, the factors of the window at a loss.
        nodes: Numbers of nodes.
        runs: Number of runs per point.
    """

    setup: setups.Setup
    ks: tuple[float, ...]
    nodes: tuple[int, ...]
    runs: int

    @property
    def replications(self) -> range:
        """Numbers of the runs at a point, from which the seeds are computed."""
        first = 1 + (k.FOUND_FIRST if self.setup.found else 0)
        return range(first, first + self.runs)

    @property
    def seeds(self) -> list[int]:
        """Seeds of the runs at a point."""
        return [st.BASE_SEED + r for r in self.replications]


@dataclass(frozen=True)
class Sweeps(st.Plan):
    """The runs of one call of the study.

    Attributes:
        sweeps: The networks with their points.
        windows: The points at which windows are traced.
    """

    sweeps: tuple[Sweep, ...]
    windows: tuple[Sweep, ...] = ()


def plan(quick: bool = False, only: str | None = None) -> Sweeps:
    """Return the plan of the full form, or of the quick form with fewer points and runs."""
    ks, nodes, runs = (_QUICK_KS, _QUICK_NODES, _QUICK_RUNS) if quick else (k.KS, k.NODES, k.RUNS)
    fewer = (ks, nodes, _QUICK_FEW_RUNS) if quick else (k.BESIDE_KS, k.NODES, k.BESIDE_RUNS)
    rates = [
        *(Sweep(setup, ks, nodes, runs) for setup in setups.RATES),
        *(Sweep(each, *fewer) for each in setups.EVERY_CUT),
        *(Sweep(each, *fewer[:2], runs) for each in setups.FOUND),
    ]
    few = ((0.1, 0.9), (20,), _QUICK_FEW_RUNS) if quick else (k.BESIDE_KS, k.BESIDE_NODES, k.BESIDE_RUNS)
    beside = [Sweep(setup, *few) for setup in setups.BESIDE]
    video, ns2 = (
        [Sweep(setup, *few) for setup in setups if setup.rate == _QUICK_RATE]
        if quick
        else [
            Sweep(setup, *(ns2_points(setup) if setup.peer else few[:2]), k.BESIDE_RUNS) for setup in setups
        ]
        for setups in (setups.VIDEO, setups.NS2)
    )
    windows = (Sweep(setups.WINDOW, ks, (k.WINDOW_NODES,), 1 if quick else k.WINDOW_RUNS),)
    if only is None:
        named = (*DRAWN, "fig4", "fig5", "beside", "video")
        return Sweeps(quick, named, (*rates, *ns2, *video, *beside), windows)
    of_rate = [sweep for sweep in (*rates, *ns2, *video) if sweep.setup.key.split("-")[0] == only]
    sweeps = {
        "beside": [*ns2, *beside],
        "video": video,
        "fig4": [],
        "fig5": [],
        **dict.fromkeys(DRAWN, rates),
    }
    return Sweeps(quick, (only,), tuple(sweeps.get(only, of_rate)), windows if only == "fig5" else ())


def jobs(chosen: Sweeps) -> Iterator[st.StudyJob]:
    """Yield all runs by network, number of nodes, k and seed.

    A seed determines positions, paths, start times and the channel, which are the same for all k.
    """
    for sweep in chosen.sweeps:
        yield from _jobs(sweep, chosen.changes.added, ())
    for sweep in chosen.windows:
        yield from _jobs(sweep, (), ("cwnd",))


def _jobs(sweep: Sweep, added: Sequence[str], traces: tuple[str, ...]) -> Iterator[st.StudyJob]:
    how: dict[str, Any] = {"traces": traces, "batch": sweep.setup.key, "alike": sweep.setup.uncut}
    compared: list[tuple[float | str, dict[str, Any]]] = [
        *((factor, {"k": factor, "variant": k.TCP["variant"]}) for factor in sweep.ks),
        *((variant, {"k": math.nan, "variant": variant}) for variant in added),
    ]
    for nodes, (which, own) in product(sweep.nodes, compared):
        network = scenario(sweep.setup, nodes, which)
        labels = {"setup": sweep.setup.key, "nodes": nodes, **own}
        family = "" if traces or isinstance(which, str) else f"{sweep.setup.uncut} {nodes}"
        for r in sweep.replications:
            yield st.StudyJob(network, st.BASE_SEED + r, k.JITTER_S, labels, family=family, **how)


def unscaled(job: st.StudyJob, left: st.Rows) -> bool:
    """Return true if the job would give the rows `left` of a run with another k, as that run had no reduction by k.

    If k scales early reductions, any fast retransmit or timeout may have used k; otherwise only a fast retransmit.
    """
    rows, _ = left["runs"]
    scaled = CUTS if _scales_early(setups.BY_KEY[job.labels["setup"]], job.labels["k"]) else CUTS[:1]
    return not rows.select(scaled).sum().sum_horizontal().item()


def scenario(setup: setups.Setup, nodes: int, which: float | str) -> Scenario:
    """Return the scenario of a network with `nodes` nodes; `which` is a value of k, or the name of a user's variant."""
    own: dict[str, object] = (
        {"variant": which} if isinstance(which, str) else {"control": {"decrease": which}}
    )
    early = {"early_halving": False} if _scales_early(setup, which) else {}
    payload = f"{setup.segment_b}B"
    tcp = {**k.TCP, "segment": payload, "max_window": setup.window, **early, **own}
    traffic = {**(k.VIDEO if setup.video else k.TRAFFIC), "packet": payload}
    flows = Network()
    for source, destination in setup.ends(nodes):
        flows.flow(f"n{source}", f"n{destination}", start=f"{k.START_S}s", traffic=traffic, tcp=tcp)
    head = {"duration": f"{k.LENGTH_S}s", "seed": st.BASE_SEED}
    return Scenario({**head, **setup.network(nodes), **flows.document()})


def _scales_early(setup: setups.Setup, which: float | str) -> bool:
    """Return true if early window reductions have a factor other than one half.

    With k = 0.5 the factor is one half in both kinds of network.
    """
    return setup.every and which != k.HALF


def together(flows: pl.DataFrame) -> pl.DataFrame:
    """Return one row for all flows of a run; delays and jitter are means over segments, null if none arrived.

    A delay is the time from a segment's first transmission to the first arrival of a copy; `write_delay_s` is the time
    from the write to the delivery in order. `loss` and `under_way` are the shares of segments of which no copy arrived:
    `loss` counts segments sent long before the run's end, `under_way` those sent shortly before it.
    """
    fresh: list[int] = (flows["sent_packets"] - flows["retransmitted_packets"]).to_list()
    sent, overdue = max(sum(fresh), 1), int(flows["transit_overdue"].fill_null(0).sum())
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
        pl.lit(overdue / sent).alias("loss"),
        pl.lit((sum(fresh) - round(sum(arrived)) - overdue) / sent).alias("under_way"),
        *(pl.col(name).sum() for name in ("writes", "delivered_writes", "sent_packets")),
        *(pl.col(name).sum() for name in ("retransmitted_packets", "timeouts", "fast_retransmits")),
        pl.col("lost_packets_total").sum().alias("lost_packets"),
        pl.lit(sum(count == 0 for count in arrived)).alias("silent_flows"),
    )


def _mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """Return the weighted mean of the values that are not None; None if there is no such value with a weight."""
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None and w > 0]
    total = sum(w for _, w in pairs)
    return sum(v * w for v, w in pairs) / total if total else None


def _together(_: st.StudyJob, run: Run) -> pl.DataFrame:
    return together(run.flows.to_polars())


def _own(job: st.StudyJob) -> bool:
    """Return true for a run with the study's own variant."""
    return bool(job.labels["variant"] == k.TCP["variant"])


def _quality(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return one row with EvalVid's results as means over the videos of a run."""
    whole = run.video.to_polars().filter(frames_of="all")
    frames = whole.select(pl.col("frames", "complete_frames", "decodable_frames").sum())
    return frames.with_columns(whole.select(pl.col("psnr_mean_db", "mos_mean").mean()))


def _after_losses(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the window before the first loss, and after each of the first losses, segments."""
    return windows(run.trace("cwnd").to_polars())


def windows(trace: pl.DataFrame) -> pl.DataFrame:
    """Return, from a window trace, the mean over flows of the slow-start threshold after each number of losses.

    A fall of the window counts as a loss; a window of one segment cannot fall further. The window can grow beyond its
    maximum, as in ns-2; such values are replaced by the maximum.
    """
    value, variable = pl.col("value"), pl.col("variable")
    cuts = (
        trace.with_columns(
            window=pl.when(variable == "cwnd").then(value).forward_fill().over("flow"),
            threshold=pl.when(variable == "ssthresh").then(value).forward_fill().over("flow"),
        )
        .group_by("flow", "time_s", maintain_order=True)
        .agg(pl.col("window", "threshold").last())
        .with_columns(before=pl.col("window").shift().over("flow"))
        .filter(pl.col("window") < pl.col("before"))
        .with_columns(losses=pl.int_range(1, pl.len() + 1).over("flow"))
    )
    first = cuts.filter(losses=1).select(
        "flow", pl.lit(0, pl.Int64).alias("losses"), window=pl.col("before").clip(upper_bound=k.WINDOW)
    )
    after = cuts.filter(pl.col("losses") <= k.LOSSES).select("flow", "losses", window="threshold")
    joined = pl.concat([first, after.with_columns(pl.col("losses").cast(pl.Int64))])
    return joined.group_by("losses").agg(pl.col("window").mean(), flows=pl.len()).sort("losses")


_RUN: Final = ("setup", "nodes", "k", "seed")

TABLES: Final = {
    "runs": st.RunTable(_RUN, _together, of=lambda job: _own(job) and not job.traces),
    "added": st.RunTable(("setup", "nodes", "variant", "seed"), _together, of=lambda job: not _own(job)),
    "video": st.RunTable(_RUN, _quality, of=lambda job: _own(job) and job.labels["setup"].endswith("-video")),
    "windows": st.RunTable(_RUN, _after_losses, st.traced("cwnd")),
}


def manifest(chosen: Sweeps, data: st.StudyData) -> dict[str, Any]:
    """Return the study's entries of the manifest: seeds, settings, points and scenarios."""
    return {
        "seeds": {s.setup.key: s.seeds for s in chosen.sweeps},
        "seeds_of_windows": [seed for s in chosen.windows for seed in s.seeds],
        "jitter_s": k.JITTER_S,
        "settings": k.SETTINGS.plain(),
        "tcp": k.TCP,
        "points": {s.setup.key: {"k": list(s.ks), "nodes": list(s.nodes)} for s in chosen.sweeps},
        "scenario_hashes": data.scenario_hashes("runs", "{setup} nodes={nodes} k={k:g}"),
        "rerun_one": k.TEXT("rerun_one"),
    }
