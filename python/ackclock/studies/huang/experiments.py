"""The study's runs: a scenario for each point of each figure, and the tables of results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import polars as pl

import ackclock.study as st
from ackclock import Network, Run, Scenario
from ackclock.studies.huang import peer
from ackclock.studies.huang import settings as k


@dataclass(frozen=True)
class Experiment:
    """A sweep over error rates, or a single point.

    Attributes:
        key: Name in the data.
        figures: The figures that show the experiment.
        place: Description of the varied or fixed quantity.
        middle: Rate and delay of the link R0-R1.
        curves: The curves, keys of `settings.CURVES`.
        errors_to: The node at the far end of the link with errors; empty without errors.
        xs: Error rates from 0 to 1; only 0 for an experiment without errors.
        edge_ms: Delay of the links at the edges, ms.
        length_s: Length of the time in which flows send, s.
        at: Place of losses: before the queue ("entry") or on the link behind it ("wire").
        crash: True if the gateway crashes in the middle of the run.
        udp: UDP streams beside the flow; with any, the flow runs over 802.11. Each stream has a start and a stop, s,
            and the length of its alternating on and off times, s, or None if it is always on.
        sample_s: Width of the bins of throughput against time, s.
    """

    key: str
    figures: tuple[str, ...]
    place: str
    middle: tuple[str, str]
    curves: tuple[str, ...]
    errors_to: str = ""
    xs: tuple[float, ...] = (0.0,)
    edge_ms: int = k.LINK_MS
    length_s: int = k.LENGTH_S
    at: str = "entry"
    crash: bool = False
    udp: tuple[tuple[float, float, float | None], ...] = ()
    sample_s: float = k.SAMPLE_S

    @property
    def several(self) -> bool:
        """True if the experiment has several flows, so that start times matter."""
        return not self.errors_to

    def sampled(self, x: float) -> bool:
        """Return true if throughput against time is drawn for the point `x`."""
        drawn = x == k.FIGURE_ERROR and self.at == "entry" and not self.crash
        return drawn or "fig10" in self.figures or bool(self.udp)


OPEN: Final = (f"{k.LINK_MBPS}Mbps", f"{k.LINK_MS}ms")
"""Rate and delay of the link R0-R1 without a bottleneck (Section 4.1)."""

NARROW: Final = (f"{k.BOTTLENECK_MBPS}Mbps", f"{k.BOTTLENECK_MS}ms")
"""Rate and delay of the link R0-R1 as the bottleneck (Sections 4.2 and 5)."""

MIDDLE: Final = (f"{k.MIDDLE_MBPS}Mbps", f"{k.MIDDLE_MS}ms")
"""Rate and delay of the link R0-AP in front of the 802.11 network (Section 4.3)."""

_SINGLE: Final = tuple(k.CURVES)
_PLACED: Final = (
    "tcp-linux-westwood",
    "tcp-linux-tcpw-i",
    "tcp-linux-gateway",
    "westwood",
    "tcpw-i",
    "gateway",
)
"""Curves that are also run with losses on the wire."""

_PAIRS: Final = tuple(key for key, curve in k.CURVES.items() if not curve.gateway)


def _sweep(key: str, figures: tuple[str, ...], place: str, middle: tuple[str, str], to: str) -> Experiment:
    return Experiment(key, figures, place, middle, _SINGLE, errors_to=to, xs=k.ERRORS)


_SWEEPS: Final = (
    _sweep("open_d1", ("fig4", "fig5"), "errors on R1-D1", OPEN, "d1"),
    _sweep("open_r1", ("fig4", "fig5"), "errors on R0-R1", OPEN, "r1"),
    _sweep("narrow_d1", ("fig6", "fig7"), "errors on R1-D1", NARROW, "d1"),
    _sweep("narrow_r1", ("fig6", "fig7"), "errors on R0-R1", NARROW, "r1"),
)

EXPERIMENTS: Final = (
    *_SWEEPS,
    Experiment(
        "friendliness",
        ("fig10",),
        "beside Reno",
        NARROW,
        _PAIRS,
        length_s=k.FRIENDLINESS_S,
        sample_s=k.FRIENDLINESS_SAMPLE_S,
    ),
    Experiment(
        "crash",
        ("fig7",),
        "errors on R0-R1, gateway crashes",
        NARROW,
        tuple(key for key, curve in k.CURVES.items() if curve.gateway),
        errors_to="r1",
        xs=(k.CRASH_ERROR,),
        crash=True,
    ),
    Experiment(
        "hybrid",
        ("fig9",),
        "over 802.11, UDP until 10 s and from 20 s on",
        MIDDLE,
        _PAIRS,
        length_s=k.HYBRID_S,
        sample_s=k.HYBRID_SAMPLE_S,
        udp=tuple((start, stop, None) for start, stop in k.HYBRID_UDP_S),
    ),
    Experiment(
        "pulse",
        ("response",),
        "over 802.11, UDP on and off",
        MIDDLE,
        _PAIRS,
        length_s=k.RESPONSE_S,
        sample_s=k.HYBRID_SAMPLE_S,
        udp=((0, k.RESPONSE_S, k.UDP_HALF_S),),
    ),
    *(
        replace(
            e,
            key=k.on_wire(e.key),
            place=f"{e.place}, on the wire",
            curves=_PLACED,
            xs=(k.FIGURE_ERROR,),
            at="wire",
        )
        for e in _SWEEPS
    ),
    Experiment("fairness", ("fig11",), "ten alike", OPEN, _PAIRS, edge_ms=k.FAIRNESS_EDGE_MS),
)

BY_KEY: Final = {e.key: e for e in EXPERIMENTS}

FIGURES: Final = ("fig4", "fig5", "fig6", "fig7", "fig9", "response", "fig10", "fig11")
"""Names that ``--only`` accepts."""

_QUICK_ERRORS: Final = (0.001, 0.01, 0.1)
"""Error rates of the quick form."""

_QUICK_FEWER: Final = {"open_r1": (0.01, 0.1)}
"""Error rates of the quick form for an experiment without the lowest rate. Runs at this rate take longest, and ns-2's
results lack it."""


@dataclass(frozen=True)
class Sweeps(st.Plan):
    """The runs of one call of the study.

    Attributes:
        experiments: The sweeps, with the chosen points.
        seeds: Number of replications at points with random loss.
        jittered: Number of replications with jittered starts.
        together: Number of runs in which all flows start together.
    """

    experiments: tuple[Experiment, ...]
    seeds: int = k.SEEDS
    jittered: int = k.JITTERED
    together: int = k.TOGETHER


def plan(quick: bool = False, only: str | None = None) -> Sweeps:
    """Return the plan of the full form, or of the quick form with fewer points and replications.

    Figures 4 and 6 need only the points at 10 % error.
    """
    figures = FIGURES if only is None else (only,)
    chosen = [e for e in EXPERIMENTS if set(e.figures) & set(figures)]
    if only in ("fig4", "fig6"):
        chosen = [replace(e, xs=(k.FIGURE_ERROR,)) for e in chosen]
    if not quick:
        return Sweeps(quick, figures, tuple(chosen))
    rates = {e.key: _QUICK_FEWER.get(e.key, _QUICK_ERRORS) for e in chosen}
    fewer = tuple(replace(e, xs=tuple(x for x in e.xs if x in rates[e.key] or not x)) for e in chosen)
    return Sweeps(quick, figures, fewer, 4, 4, 1)


def jobs(chosen: Sweeps) -> Iterator[st.StudyJob]:
    """Yield all runs by sweep, x and curve; all curves have the same seeds.

    If ns-2 ran a curve without timestamps, the curve is also run without them, for the comparison.
    """
    for e in chosen.experiments:
        # Runs of a single flow differ by random loss. Several flows are run with a common start, as in the paper, and
        # with jittered starts. Replication 0 has no jitter, so the jittered runs' intervals leave it out.
        if e.several:
            jitter_s = k.HYBRID_JITTER_S if e.udp else k.JITTER_S
            runs = [(True, 0.0, r) for r in range(chosen.together)]
            runs += [(False, jitter_s, r) for r in range(1, chosen.jittered + 1)]
        else:
            runs = [(False, 0.0, r) for r in range(chosen.seeds)]
        added = () if e.crash or e.at == "wire" else chosen.changes.added
        for x, curve, stamps in product(e.xs, (*e.curves, *added), (True, False)):
            if not stamps and peer.timestamps(e.key, curve):
                continue
            network = scenario(e, x, curve, timestamps=stamps)
            labels = {"experiment": e.key, "x": x, "curve": curve, "timestamps": stamps}
            drawn = ("throughput", "control") if e.udp else ("throughput",)
            traces = drawn if e.sampled(x) and stamps else ()
            how: dict[str, Any] = {"traces": traces, "bin_s": e.sample_s, "batch": e.key}
            for together, jitter_s, r in runs:
                yield st.StudyJob(
                    network, st.BASE_SEED + r, jitter_s, {**labels, "together": together}, **how
                )


def scenario(e: Experiment, x: float, curve: str, *, timestamps: bool = True) -> Scenario:
    """Return the scenario of a point for a curve, with the first seed."""
    build = _hybrid if e.udp else _wired
    return build(e, x, curve, timestamps)


def _tcp(curve: str, timestamps: bool) -> dict[str, object]:
    return {**k.TCP, "timestamps": timestamps, **k.CURVES[curve].tcp}


def _wired(e: Experiment, x: float, curve: str, timestamps: bool) -> Scenario:
    curves = flows(e.key, curve)
    count, stop = len(curves), f"{k.START_S + e.length_s}s"
    senders = [f"s{i}" for i in range(count)]
    receivers = ["d1"] if count == 1 else [f"d{i}" for i in range(count)]
    net = Network()
    gateway = k.GATEWAYS.get(k.CURVES[curve].gateway)
    if gateway:
        name = "r1" if e.errors_to == "d1" else "r0"
        net.node(name, gateway=gateway)
        if e.crash:
            net.event(f"{k.CRASH_S}s", f"node.{name}.gateway.up", to=False)
    edge = (f"{k.LINK_MBPS}Mbps", f"{e.edge_ms}ms")
    for a, b, (rate, delay) in [
        *((sender, "r0", edge) for sender in senders),
        ("r0", "r1", e.middle),
        *(("r1", receiver, edge) for receiver in receivers),
    ]:
        errors = {"kind": "random", "rate": x, "toward": b, "at": e.at}
        net.link(a, b, rate=rate, delay=delay, queue=k.QUEUE, loss=errors if b == e.errors_to else None)
    for sender, receiver, one in zip(senders, receivers, curves, strict=True):
        tcp = _tcp(one, timestamps)
        net.flow(sender, receiver, start=f"{k.START_S}s", stop=stop, traffic="ftp", tcp=tcp)
    return net.scenario(stop, seed=st.BASE_SEED)


def _hybrid(e: Experiment, _: float, curve: str, timestamps: bool) -> Scenario:
    """Return the scenario of Figure 8; S0 and S1 are wired senders, D0 is behind 802.11b, and D1 is behind a wire."""
    net = Network().node("ap", position=[0, 0, 0]).node("d0", position=[k.AP_M, 0, 0])
    edge = (f"{k.EDGE_MBPS}Mbps", f"{k.EDGE_MS}ms")
    ends = (("s0", "r0", edge), ("s1", "r0", edge), ("r0", "ap", e.middle), ("ap", "d1", edge))
    for a, b, (rate, delay) in ends:
        net.link(a, b, rate=rate, delay=delay, queue=k.QUEUE)
    net.flow("s0", "d0", start="0s", traffic="ftp", tcp=_tcp(curve, timestamps))
    udp = {"kind": "cbr", "rate": f"{k.UDP_MBPS}Mbps", "packet": f"{k.UDP_B}B", "header": "0B"}
    for start, stop, half in e.udp:
        pulse = {} if half is None else {"kind": "on-off", "on": f"{half:g}s", "off": f"{half:g}s"}
        net.flow("s1", "d1", start=f"{start:g}s", stop=f"{stop:g}s", traffic={**udp, **pulse})
    wifi = {
        "standard": "b",
        "profile": "ns2",
        "stations": ["ap", "d0"],
        "access_point": "ap",
        "rate": f"{k.WIFI_MBPS}Mbps",
        "rts_threshold": "3000B",
    }
    wired = net.document()
    sent = wired.pop("flow")
    return Scenario(
        {"duration": f"{e.length_s}s", "seed": st.BASE_SEED, **wired, "wifi": [wifi], "flow": sent}
    )


def flows(experiment: str, curve: str) -> tuple[str, ...]:
    """Return the key of the curve of each TCP flow of a run, in the order of flows; UDP streams follow these flows."""
    if experiment == "friendliness":
        return (curve, k.competitor(curve))
    return (curve,) * (k.SENDERS if experiment == "fairness" else 1)


_TRUTHS: Final = {"congestion": "congestion", "random": "random", "nothing": "not-lost"}
"""Actual causes of a loss, by the name used in column names."""

_GUESSES: Final = {"cut": "congestion", "kept": "random"}
"""Causes that senders infer for losses shown by acknowledgments, by the name used in column names."""


def _by_flow(job: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return one row per TCP flow, with its curve and its reactions to losses; byte counts are payload.

    Figures and claims use `delivered_bps`, the rate of data delivered in order. ns-2's results have `goodput_bps`, the
    rate of data acknowledged to the sender. `pre_acked_bytes` counts bytes that a gateway has acknowledged but that are
    not delivered at the end, `crash_bytes` those not known to be delivered when it crashes.
    """
    curves = flows(job.labels["experiment"], job.labels["curve"])
    gateways = run.gateways.to_polars()
    counts, reactions = _reactions(run)
    return (
        run.flows.to_polars()
        .head(len(curves))
        .join(reactions, on="flow", how="left", maintain_order="left")
        .select(
            "flow",
            pl.Series("runs", curves),
            (8 * pl.col("delivered_bytes") / pl.col("interval_s")).alias("delivered_bps"),
            "goodput_bps",
            "sent_packets",
            "retransmitted_packets",
            "timeouts",
            "fast_retransmits",
            "lost_queue_packets",
            "lost_random_packets",
            *(pl.col(name).fill_null(0) for name in counts),
            pl.lit(gateways["acknowledged_undelivered_bytes"].sum()).alias("pre_acked_bytes"),
            pl.lit(gateways["crash_unconfirmed_bytes"].sum()).alias("crash_bytes"),
            pl.col("sampled_rtt_mean_s").alias("rtt_mean_s"),
        )
    )


def _reactions(run: Run) -> tuple[list[str], pl.DataFrame]:
    """Return the columns that count losses by actual and inferred cause, and a data frame of the counts by flow."""
    by_timer = pl.col("found_by") == "timeout"
    taken = {how: ~by_timer & (pl.col("inferred_cause") == guess) for how, guess in _GUESSES.items()}
    found = [(how, truth) for truth in _TRUTHS for how in taken] + [("timeout", truth) for truth in _TRUTHS]
    counts = {
        f"{how}_{truth}": pl.col("count")
        .filter(taken.get(how, by_timer) & (pl.col("actual_cause") == _TRUTHS[truth]))
        .sum()
        for how, truth in found
    }
    return list(counts), run.loss_reactions.to_polars().group_by("flow").agg(**counts)


def _samples(job: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the rate at which payload reached the receiver in each bin, duplicates included, bit/s, by the bin's end.

    The last bin is left out if the run's end makes it shorter, since one packet more or less would show as a jump.
    """
    end = pl.col("time_s") + job.bin_s
    bins = run.trace("throughput").to_polars().filter(end <= run.manifest["duration_s"])
    received = st.divided(8 * k.SEGMENT_B * pl.col("received_packets"), job.bin_s)
    return bins.select("flow", time_s=end, received_bps=received)


_ESTIMATES: Final = ("bandwidth", "backlog")
"""Variables of Westwood and TCPW-I that trace ``control`` records."""


def _estimates(job: st.StudyJob, run: Run) -> pl.DataFrame | None:
    """Return the sender's estimates at each bin's end: the bandwidth as payload rate, and TCPW-I's queued segments."""
    control = run.trace("control").to_polars().filter(flow=0)
    if "bandwidth" not in control["variable"]:
        return None
    bins = run.trace("throughput").to_polars().filter(flow=0).select(time_s=pl.col("time_s") + job.bin_s)
    bins = bins.filter(pl.col("time_s") <= run.manifest["duration_s"])
    for name in _ESTIMATES:
        values = control.filter(variable=name).select("time_s", pl.col("value").alias(name))
        bins = bins.join_asof(values, on="time_s")
    return bins.select(
        "time_s", bandwidth_bps=8.0 * k.SEGMENT_B * pl.col("bandwidth").fill_null(0), backlog="backlog"
    )


TABLES: Final = {
    "flows": st.RunTable(("experiment", "x", "curve", "timestamps", "together", "seed"), _by_flow),
    "samples": st.RunTable(
        ("experiment", "curve", "together", "seed"), _samples, st.traced("throughput"), hashed=False
    ),
    "estimates": st.RunTable(
        ("experiment", "curve", "together", "seed"), _estimates, st.traced("control"), hashed=False
    ),
}


def manifest(chosen: Sweeps, data: st.StudyData) -> dict[str, Any]:
    """Return the study's entries of the manifest: seeds, settings, points and scenarios."""
    stamped = data.filtered("flows", timestamps=True)
    return {
        "seeds": {
            "random_loss": [st.BASE_SEED + r for r in range(chosen.seeds)],
            "starts_together": [st.BASE_SEED + r for r in range(chosen.together)],
            "starts_jittered": [st.BASE_SEED + r for r in range(1, chosen.jittered + 1)],
        },
        "jitter_s": k.JITTER_S,
        "settings": k.SETTINGS.plain(),
        "tcp": {key: {**k.TCP, **curve.tcp} for key, curve in k.CURVES.items()},
        "points": {e.key: list(e.xs) for e in chosen.experiments},
        "scenario_hashes": stamped.scenario_hashes("flows", "{experiment} x={x:g} {curve}"),
        "rerun_one": k.TEXT("rerun_one"),
    }
