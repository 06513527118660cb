"""The study's runs: a scenario for each point of each figure, and the tables of results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any, Final

import polars as pl

import ackclock.study as st
from ackclock import Network, Run, Scenario
from ackclock.studies.abadin import settings as k

EXPERIMENTS: Final = k.TEXT.each("experiment", st.Experiment)
"""The sweeps, in the order of the paper's figures."""

BY_KEY: Final = {e.key: e for e in EXPERIMENTS}

_WINDOWS: Final = "windows"
_NEAR: Final = "near"
"""Name of the batch of the sensitivity runs (other windows and neighbouring settings); other runs have no batch."""

WINDOWED: Final = ("bandwidth", "delay")
"""The sweeps whose results depend on the maximum window; the sensitivity runs repeat them with other windows."""

FIGURES: Final = ("table1", "fig2", "fig3", "fig4", "fig6", "fig7", "fig8", "sensitivity")
"""Names that ``--only`` accepts."""


@dataclass(frozen=True)
class Neighbour:
    """One combination of values for the settings that the paper leaves open and that were fitted to Table 1.

    Attributes:
        first_s: Start of the first flow, s.
        spacing_s: Time between the starts of two flows, s.
        access_ms: Delay of the access links, ms.
        access_mbps: Rate of the access links, Mb/s.
        min_rto_s: Minimum RTO, s.
    """

    first_s: float
    spacing_s: float
    access_ms: int
    access_mbps: int
    min_rto_s: float


NEIGHBOURS: Final = tuple(
    Neighbour(*starts, ms, mbps, rto)
    for starts, ms, mbps, rto in product(
        k.NEAR_STARTS_S, k.NEAR_ACCESS_MS, k.NEAR_ACCESS_MBPS, k.NEAR_MIN_RTO_S
    )
)
"""The combinations of the sensitivity runs; the first is the study's own combination."""


@dataclass(frozen=True)
class Sweeps(st.Plan):
    """The runs of one call of the study.

    Attributes:
        experiments: The sweeps, with the chosen points.
        same_starts: Number of seeds with identical starts at points without random loss.
        same_starts_loss: Number of seeds with identical starts in the sweep of error rates.
        jittered: Number of replications with jittered starts at points without random loss.
        jittered_loss: Number of replications with jittered starts in the sweep of error rates.
        near: Number of replications of Table 1 in each neighbouring setting.
        windowed: The sweeps that are run with each of `WINDOWS`, with the chosen points.
    """

    experiments: tuple[st.Experiment, ...]
    same_starts: int = k.SAME_STARTS_SEEDS
    same_starts_loss: int = k.SAME_STARTS_SEEDS_LOSS
    jittered: int = k.JITTERED_REPLICATIONS
    jittered_loss: int = k.JITTERED_REPLICATIONS_LOSS
    near: int = 0
    windowed: tuple[st.Experiment, ...] = ()


def plan(quick: bool = False, only: str | None = None) -> Sweeps:
    """Return the plan of the full form, or of the quick form with fewer points and replications."""
    figures = FIGURES if only is None else (only,)
    near = "sensitivity" in figures
    every = [e.fewer() if quick else e for e in EXPERIMENTS]
    chosen = tuple(e for e in every if set(e.figures) & set(figures))
    windowed = tuple(e for e in every if near and e.key in WINDOWED)
    if not quick:
        return Sweeps(quick, figures, chosen, near=k.NEAR_SEEDS if near else 0, windowed=windowed)
    return Sweeps(quick, figures, chosen, 1, 10, 4, 4, 1 if near else 0, windowed)


def jobs(chosen: Sweeps) -> Iterator[st.StudyJob]:
    """Yield all runs by sweep, point and variant; runs with identical starts come before jittered ones.

    Runs with identical starts have seeds from `BASE_SEED` on, like ns-2's runs. Jittered replications have seeds from
    `BASE_SEED` + 1 on. The run with `BASE_SEED` has identical starts and is not used in their intervals.
    """
    variants = (*k.VARIANTS, *chosen.changes.added)
    for experiment in chosen.experiments:
        same, jittered = chosen.same_starts, chosen.jittered
        if experiment.key == "error":
            same, jittered = chosen.same_starts_loss, chosen.jittered_loss
        traces = ("throughput", "cwnd") if "fig2" in experiment.figures else ()
        how: dict[str, Any] = {"once": same, "traces": traces, "bin_s": float(k.SAMPLE_S)}
        for x, variant in product(experiment.xs, variants):
            labels = {"experiment": experiment.key, "x": float(x), "variant": variant, "window": k.WINDOW}
            network = scenario(experiment, x, variant)
            yield from st.replicated(network, labels, jittered, k.JITTER_S, **how)
    for near, variant in product(NEIGHBOURS if chosen.near else (), variants):
        network = scenario(BY_KEY["table1"], 0, variant, near)
        own = {**asdict(near), "variant": variant}
        for r in range(1, chosen.near + 1):
            yield st.StudyJob(network, st.BASE_SEED + r, k.JITTER_S, own, batch=_NEAR)
    for window, experiment in product(k.WINDOWS, chosen.windowed):
        for x, variant in product(experiment.xs, variants):
            network = scenario(experiment, x, variant, window=window)
            labels = {"window": window, "experiment": experiment.key, "x": float(x), "variant": variant}
            yield from st.replicated(network, labels, max(chosen.near, 2), k.JITTER_S, batch=_WINDOWS)


def scenario(
    experiment: st.Experiment, x: float, variant: str, near: Neighbour | None = None, window: int = k.WINDOW
) -> Scenario:
    """Return the scenario of a point for a variant, by default with the study's own settings and window.

    With two flows the hosts are named as in the paper (N0, N1, N4, N5); with more, `s0...` and `d0...`.
    """
    near = near or NEIGHBOURS[0]
    at = experiment.at(x, rate=k.RATE_MBPS, delay=k.DELAY_MS, queue=k.QUEUE)
    count, loss = at.pop("flows", 2), at.pop("loss", 0)
    senders = ["n0", "n1"] if count == 2 else [f"s{i}" for i in range(count)]
    receivers = ["n4", "n5"] if count == 2 else [f"d{i}" for i in range(count)]
    net = Network()
    net.link("n2", "n3", **at, reverse={"queue": k.REVERSE_QUEUE})
    for a, b in [*((sender, "n2") for sender in senders), *(("n3", receiver) for receiver in receivers)]:
        net.link(a, b, rate=f"{near.access_mbps}Mbps", delay=f"{near.access_ms}ms", queue=k.ACCESS_QUEUE)
    for i, (sender, receiver) in enumerate(zip(senders, receivers, strict=True)):
        # Times are rounded to whole milliseconds, since the sum of floats would have spurious digits.
        start = f"{round((near.first_s + near.spacing_s * i) * 1000)}ms"
        tcp = {**k.VARIANTS[variant].tcp, **k.TCP, "max_window": window}
        if near.min_rto_s != k.MIN_RTO_S:
            tcp["min_rto"] = f"{near.min_rto_s}s"
        net.flow(sender, receiver, start=start, stop=f"{k.DURATION_S}s", traffic="ftp", tcp=tcp)
    document = {"duration": f"{k.DURATION_S}s", "seed": st.BASE_SEED, **net.document()}
    if loss > 0:
        document["link"][0]["loss"] = {"kind": "random", "rate": loss, "toward": "n3", "at": "entry"}
    return Scenario(document)


def _sums(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return a row of sums over a run's flows; byte counts are payload."""
    sent, again = pl.col("sent_bytes").sum(), pl.col("retransmitted_bytes").sum()
    return run.flows.to_polars().select(
        flows=pl.len(),
        # The paper's metric: new data sent per second.
        throughput_Bps=(sent - again) / run.manifest["duration_s"],
        delivered_Bps=pl.col("acked_bytes").sum() / run.manifest["duration_s"],
        sent_bytes=sent,
        retransmitted_bytes=again,
        timeouts=pl.col("timeouts").sum(),
        lost_packets=pl.col("lost_packets_total").sum(),
        jain=run.summary["fairness"]["jain"],
    )


def _throughput(job: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return a row with the throughput, in bytes/s."""
    return _sums(job, run).select("throughput_Bps")


def _cuts(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return a row with the number of window reductions of both flows, and of those to one segment (slow start)."""
    return cuts(run.trace("cwnd").to_polars())


def cuts(trace: pl.DataFrame) -> pl.DataFrame:
    """Return the number of window reductions in a window trace, and of those to one segment."""
    value = pl.col("value")
    windows = trace.filter(variable="cwnd").group_by("flow", "time_s", maintain_order=True).agg(value.last())
    fell = windows.filter(value < value.shift().over("flow"))
    return fell.select(cuts=pl.len(), to_one=(value <= 1).sum())


def _window(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the first flow's window, in segments, after each change in the drawn part of the run."""
    trace = run.trace("cwnd").to_polars().filter(variable="cwnd", flow=0)
    return trace.filter(trace["time_s"] <= k.SHOWN_S).select("time_s", "value")


def _samples(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the bytes sent by both flows in each bin of Figure 2, with the bin's length; the last may be shorter."""
    start, both = pl.col("time_s"), pl.col("sent_bytes", "retransmitted_bytes").sum()
    bins = run.trace("throughput").to_polars().group_by("time_s").agg(both).sort("time_s")
    length = pl.min_horizontal(pl.lit(float(k.SAMPLE_S)), run.manifest["duration_s"] - start)
    return (
        bins.with_columns(bin_s=length)
        .filter(pl.col("bin_s") > 0)
        .select(start + pl.col("bin_s"), "bin_s", "sent_bytes", "retransmitted_bytes")
    )


def _first(job: st.StudyJob) -> bool:
    """Return true for the first run with identical starts if its windows are traced."""
    return "cwnd" in job.traces and not job.labels["jittered"] and job.seed == st.BASE_SEED


_POINT: Final = ("experiment", "x", "variant", "jittered", "seed")
_NEIGHBOUR: Final = (*(field.name for field in fields(Neighbour)), "variant", "seed")

TABLES: Final = {
    "runs": st.RunTable(_POINT, _sums, of=lambda job: not job.batch),
    "samples": st.RunTable(_POINT[2:], _samples, st.traced("throughput"), hashed=False),
    "cuts": st.RunTable(_POINT[2:], _cuts, st.traced("cwnd"), hashed=False),
    "window": st.RunTable(("variant",), _window, of=_first, hashed=False),
    "windows": st.RunTable(("window", *_POINT), _throughput, of=lambda job: job.batch == _WINDOWS),
    "near": st.RunTable(_NEIGHBOUR, _throughput, of=lambda job: job.batch == _NEAR, hashed=False),
}


def manifest(chosen: Sweeps, data: st.StudyData) -> dict[str, Any]:
    """Return the study's entries of the manifest: seeds, settings, points and scenarios."""

    def seeds(replications: Sequence[int]) -> list[int]:
        return [st.BASE_SEED + r for r in replications]

    return {
        "seeds": {
            "identical_starts": seeds(range(chosen.same_starts)),
            "identical_starts_with_random_loss": seeds(range(chosen.same_starts_loss)),
            "jittered_starts": seeds(range(1, chosen.jittered + 1)),
            "jittered_starts_with_random_loss": seeds(range(1, chosen.jittered_loss + 1)),
        },
        "jitter_s": k.JITTER_S,
        "settings": k.SETTINGS.plain(),
        "tcp": {v.key: {**v.tcp, **k.TCP} for v in k.VARIANTS.values()},
        "points": {e.key: list(e.xs) for e in chosen.experiments},
        "scenario_hashes": data.scenario_hashes("runs", "{experiment} x={x:g} {variant}"),
        "rerun_one": k.TEXT("rerun_one"),
    }
