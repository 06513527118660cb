"""The study's runs, each case for each variant at two lengths and with other packet sizes; and the result tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import polars as pl

import ackclock.study as st
from ackclock import Network, Run, Scenario
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import (
    BY_KEY,
    CASES,
    COLUMNS,
    FOUND,
    HOPS,
    LARGE_B,
    LONGER,
    NS3_RUNS,
    UES,
    WIFI,
    Case,
    Ns3,
)

FIGURES: Final = ("averages", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8")
"""Names that ``--only`` accepts. The paper's figures come in pairs, NewReno's and Vegas's; a name selects both."""

_PAIRS: Final = {"fig4": "fig3", "fig6": "fig5", "fig8": "fig7"}

_QUICK_SIZES: Final = (64, 512, 1500)


@dataclass(frozen=True)
class Sweeps(st.Plan):
    """The runs of one call of the study; `figures` has the first figure of each pair.

    Attributes:
        cases: The cases run at both lengths.
        sized: The cases run with other packet sizes.
        filed: The cases in which each flow sends a file.
        longer: The cases run with a longer round trip for the second UE.
        ns3: The runs of ns-3 that are repeated here.
        sizes: The other packet sizes, bytes.
        replications: Number of replications with jittered starts.
        heavy_replications: Number of replications with jittered starts in cases that take long.
        sizes_replications: Number of replications with jittered starts with other packet sizes.
    """

    cases: tuple[Case, ...]
    sized: tuple[Case, ...]
    filed: tuple[Case, ...]
    longer: tuple[Case, ...]
    ns3: tuple[Ns3, ...]
    sizes: tuple[int, ...] = k.SIZES_B
    replications: int = k.REPLICATIONS
    heavy_replications: int = k.HEAVY_REPLICATIONS
    sizes_replications: int = k.SIZES_REPLICATIONS


def plan(quick: bool = False, only: str | None = None) -> Sweeps:
    """Return the plan of the full form, or of the quick form.

    The quick form has fewer replications, packet sizes and radio networks. Figures other than the averages need only
    the cases of `COLUMNS`.
    """
    figures = tuple(f for f in FIGURES if f not in _PAIRS) if only is None else (_PAIRS.get(only, only),)
    columns = tuple(BY_KEY[key] for key in COLUMNS)
    averages, drawn = "averages" in figures, bool({"fig3", "fig7"} & set(figures))
    sized, filed = (columns if figure in figures else () for figure in ("fig5", "fig3"))
    longer = tuple(BY_KEY[key] for key in LONGER.values()) if averages else ()
    if quick:
        few = tuple(case for case in CASES if not case.radio or case in columns)
        cases = few if averages else columns if drawn else ()
        return Sweeps(quick, figures, cases, sized, filed, longer, (), _QUICK_SIZES, 3, 2, 2)
    cases = CASES if averages else columns if drawn else ()
    return Sweeps(quick, figures, cases, sized, filed, longer, NS3_RUNS if averages else ())


def jobs(chosen: Sweeps) -> Iterator[st.StudyJob]:
    """Yield all runs: cases at both lengths, other packet sizes, files, longer round trips, then ns-3's runs."""
    for case in chosen.cases:
        replications = chosen.heavy_replications if case.heavy else chosen.replications
        traces: tuple[str, ...] = ("throughput", "delay") if case.key in COLUMNS else ()
        if case.key == FOUND:
            traces = (*traces, "segments")
        for length_s in case.lengths_s:
            yield from _replicated(chosen, "flows", case, length_s, replications, traces=traces)
    few = chosen.sizes_replications
    for case, size_b in product(chosen.sized, chosen.sizes):
        yield from _replicated(chosen, "sizes", case, case.sizes_length_s, few, size_b)
    for case in chosen.filed:
        length_s = k.FILE_LENGTHS_S[case.reading in (WIFI, HOPS)]
        yield from _replicated(chosen, "files", case, length_s, few, traces=("throughput",))
    for case in chosen.longer:
        yield from _replicated(chosen, "longer", case, k.LENGTHS_S[-1], chosen.replications)
    for run, variant, attempt in product(chosen.ns3, k.NS3_VARIANTS, k.NS3_TRIES):
        labels: dict[str, Any] = {"blocks": run.blocks, "buffer_b": run.buffer_b, "enbs": run.enbs}
        labels |= {"table": "ns3", "variant": variant, "attempt": attempt, "length_s": k.NS3_LENGTH_S}
        if attempt == 0:
            case_key = f"ns-3 {run.blocks} RB {run.buffer_b} B {run.enbs} eNB"
            labels |= {"case": case_key, "size_b": k.NS3_SEGMENT_B}
        seed, jitter_s = st.BASE_SEED + attempt - k.NS3_TRIES[0], k.JITTER_S if attempt else 0.0
        yield st.StudyJob(ns3_scenario(run, variant, attempt), seed, jitter_s, labels, batch="ns3")


def _replicated(
    chosen: Sweeps,
    table: str,
    case: Case,
    length_s: int,
    replications: int,
    size_b: int = k.SEGMENT_B,
    traces: tuple[str, ...] = (),
) -> Iterator[st.StudyJob]:
    where = {
        "table": table,
        "case": f"{case.key}{APART.get(table, '')}",
        "length_s": length_s,
        "size_b": size_b,
    }
    how: dict[str, Any] = {"traces": traces, "bin_s": k.FILE_BIN_S if table == "files" else k.BIN_S}
    for variant in (*(k.PUBLISHED if table in APART else k.VARIANTS), *chosen.changes.added):
        network = scenario(case, length_s, size_b, variant, apart=table)
        labels = {**where, "variant": variant}
        yield from st.replicated(
            network, labels, replications, k.JITTER_S, batch=f"{table} {case.key}", **how
        )


APART: Final = {"files": ", files", "longer": ", longer"}
"""Tables of runs with only the paper's two variants, each with the suffix that it adds to the name of a case."""


def scenario(case: Case, length_s: int, size_b: int, variant: str, apart: str = "") -> Scenario:
    """Return the scenario of a case for a variant and a packet size; `apart` is a key of `APART` or empty."""
    tcp = {**k.TCP, "segment": f"{size_b}B", "max_window": case.window, **k.VARIANTS[variant].tcp}
    network = case.network()
    if apart == "longer":
        network["link"][-1]["delay"] = f"{k.LONGER_MS}ms"
    size = f"{k.FILE_B}B" if apart == "files" else None
    return _scenario(length_s, network, case.starts_s, tcp, stop=f"{length_s}s", size=size)


def ns3_scenario(run: Ns3, variant: str, attempt: int = 0) -> Scenario:
    """Return the scenario that repeats a run of ns-3.

    `attempt` packets are added to the buffer if it is larger than `LARGE_B`.
    """
    network = run.network()
    if run.buffer_b > LARGE_B:
        network["lte"][0]["rlc"]["buffer"] = f"{run.buffer_b + attempt * k.NS3_PACKET_B}B"
    return _scenario(k.NS3_LENGTH_S, network, k.NS3_STARTS_S, {**k.NS3_TCP, **k.NS3_VARIANTS[variant]})


def _scenario(
    length_s: int,
    network: dict[str, Any],
    starts_s: Sequence[float],
    tcp: Mapping[str, object],
    stop: str | None = None,
    size: str | None = None,
) -> Scenario:
    flows = Network()
    traffic: Any = "ftp" if size is None else {"kind": "ftp", "size": size}
    for ue, start in zip(UES, starts_s, strict=True):
        flows.flow("server", ue, start=f"{round(1000 * start)}ms", stop=stop, traffic=traffic, tcp=tcp)
    return Scenario({"duration": f"{length_s}s", "seed": st.BASE_SEED, **network, **flows.document()})


def _made_for(table: str, trace: str = "") -> Callable[[st.StudyJob], bool]:
    """Return a function that returns true for jobs made for `table` and, if `trace` is given, recording that trace."""
    return lambda job: job.labels["table"] == table and (not trace or trace in job.traces)


def _first(job: st.StudyJob) -> bool:
    """Return true for a run with the paper's start times that records delays."""
    return _made_for("flows", "delay")(job) and not job.labels["jittered"]


def _flows(job: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return one row per flow.

    A mean time is NaN if there is no sample. Packets with a delay of 1 s are counted only in runs that record traces.
    """
    table = run.flows.to_polars()
    if job.traces:
        low, high = k.AT_1S
        near = run.trace("delay").to_polars().filter(pl.col("delay_s") >= low, pl.col("delay_s") < high)
        counts = near.group_by("flow").agg(at_1s=pl.len().cast(pl.Int64))
        table = table.join(counts, on="flow", how="left", maintain_order="left")
        table = table.with_columns(pl.col("at_1s").fill_null(0))
    else:
        table = table.with_columns(at_1s=pl.lit(None, pl.Int64))
    return table.select(
        "flow",
        "acked_bytes",
        "received_packets",
        "sent_packets",
        "retransmitted_packets",
        pl.col("lost_packets_total").alias("lost_packets"),
        "timeouts",
        pl.col("delay_mean_s", "delay_max_s").fill_null(float("nan")),
        pl.col("at_1s").alias("at_1s_packets"),
        pl.col("sampled_rtt_mean_s").fill_null(float("nan")).alias("rtt_mean_s"),
    )


def _size(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the round-trip time, first averaged over each sender's samples, then over the senders that have any."""
    return pl.DataFrame(
        {"rtt_mean_s": [st.mean(run.flows.to_polars()["sampled_rtt_mean_s"].drop_nulls().to_list())]}
    )


def _numbered(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the mean delay by sequence number, over both flows together, and the number of packets forwarded by UEs.

    An evaluation script that identifies packets by sequence number alone mixes both flows. The delay of a sequence
    number is then the time from its first transmission in either flow to its last arrival at either UE. The mean is
    over all sequence numbers that arrived. It is no delay of packets, since it includes the lead of one flow over the
    other.
    """
    packets = run.trace("segments").to_polars().filter(pl.col("place").str.starts_with("server"))
    sent = packets.filter(event="send").group_by("seq").agg(sent_s=pl.col("time_s").min())
    received = packets.filter(event="recv").group_by("seq").agg(received_s=pl.col("time_s").max())
    both = received.join(sent, on="seq").sort("seq")
    passed_on = run.stations.to_polars().filter(pl.col("station").is_in(UES))["forwarded_packets"].sum()
    delay_s = (both["received_s"] - both["sent_s"]).mean()
    return pl.DataFrame({"number_delay_s": [delay_s], "passed_on_packets": [passed_on]})


def _samples(job: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the rate at which both flows sent in each bin, retransmissions included, bit/s, by the bin's end."""
    end = pl.col("time_s") + job.bin_s
    sums = run.trace("throughput").to_polars().group_by("time_s").agg(pl.col("sent_bytes").sum())
    whole = sums.sort("time_s").filter(end <= job.labels["length_s"])
    return whole.select(time_s=end, sent_bps=8 * pl.col("sent_bytes") / job.bin_s)


def _delays(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the histogram of the one-way delays of both flows' packets."""
    width = k.DELAY_BIN_MS
    bins = (pl.col("delay_s") * (1000 / width)).floor().cast(pl.Int64) * width
    return (
        run.trace("delay")
        .to_polars()
        .group_by(from_ms=bins)
        .agg(packets=pl.len().cast(pl.Int64))
        .sort("from_ms")
    )


def fall(rates: Sequence[float]) -> float:
    """Return by how many percent the mean rate of the last tenth is below that of the four tenths before it."""
    tenth = max(1, len(rates) // 10)
    return 100 * (1 - st.mean(rates[-tenth:]) / st.mean(rates[-5 * tenth : -tenth]))


def _files(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the fall of the sending rate before the files are sent (see `fall`), and the time of sending, s."""
    sums = (
        run.trace("throughput").to_polars().group_by("time_s").agg(pl.col("sent_bytes").sum()).sort("time_s")
    )
    times, sent = sums["time_s"].to_list(), sums["sent_bytes"].to_list()
    busy = [i for i, sent_bytes in enumerate(sent) if sent_bytes]
    return pl.DataFrame(
        {
            "fall_percent": [fall(sent[busy[0] : busy[-1] + 1])],
            "sent_s": [times[busy[-1]] + k.FILE_BIN_S],
            "complete": [run.flows.to_polars()["fct_s"].is_not_null().all()],
        }
    )


def _longer(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return the goodput of the flow with the shorter round trip, and that of the flow with the longer one, kb/s."""
    short, long = run.flows.to_polars()["goodput_bps"].to_list()
    return pl.DataFrame({"short_kbps": [short / 1e3], "long_kbps": [long / 1e3]})


def _like_ns3(_: st.StudyJob, run: Run) -> pl.DataFrame:
    """Return one row over both flows, for comparison with ns-3: total goodput, mean delay and loss, least RTT."""
    nan = float("nan")
    return run.flows.to_polars().select(
        goodput_bps=pl.col("goodput_bps").sum(),
        delay_s=pl.col("delay_mean_s").fill_null(nan).sum() / pl.len(),
        loss=pl.col("loss_ratio").sum() / pl.len(),
        rtt_min_s=pl.col("sampled_rtt_min_s").fill_null(nan).min(),
    )


_RUN: Final = ("case", "length_s", "variant", "jittered", "seed")

TABLES: Final = {
    "flows": st.RunTable(_RUN, _flows, _made_for("flows")),
    "sizes": st.RunTable(("case", "size_b", "variant", "jittered", "seed"), _size, _made_for("sizes")),
    "samples": st.RunTable(_RUN, _samples, _made_for("flows", "throughput"), hashed=False),
    "delays": st.RunTable(("case", "length_s", "variant", "seed"), _delays, _first, hashed=False),
    "files": st.RunTable(("case", "variant", "jittered", "seed"), _files, _made_for("files")),
    "longer": st.RunTable(("case", "variant", "jittered", "seed"), _longer, _made_for("longer")),
    "numbered": st.RunTable(_RUN, _numbered, _made_for("flows", "segments")),
    "ns3": st.RunTable(("blocks", "buffer_b", "enbs", "variant", "attempt"), _like_ns3, _made_for("ns3")),
}


def manifest(chosen: Sweeps, data: st.StudyData) -> dict[str, Any]:
    """Return the study's entries of the manifest: seeds, settings, cases and scenarios."""

    def jittered(replications: int) -> list[int]:
        return [st.BASE_SEED + r for r in range(1, replications + 1)]

    return {
        "seeds": {
            "paper_starts": [st.BASE_SEED],
            "jittered_starts": jittered(chosen.replications),
            "jittered_starts_lte": jittered(chosen.heavy_replications),
            "jittered_starts_packet_sizes": jittered(chosen.sizes_replications),
        },
        "jitter_s": k.JITTER_S,
        "settings": k.SETTINGS.plain(),
        "tcp": {v.key: {**k.TCP, **v.tcp} for v in k.VARIANTS.values()},
        "cases": {case.key: case.label for case in chosen.cases},
        "scenario_hashes": data.scenario_hashes("flows", "{case} {length_s} s {variant}"),
        "rerun_one": k.TEXT("rerun_one"),
    }
