"""The study's data: one row per flow and run, and what the figures draw. Run once, stored, read by all else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from ackclock.studies.documents import to_json
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import COLUMNS
from ackclock.studies.maulana.experiments import (
    Job,
    Ns3Job,
    Plan,
    averages,
    document_json,
    ns3_document,
    ns3_jobs,
    sizes,
)
from ackclock.studies.running import Batch, Done, carry_out
from ackclock.studies.storage import StudyData
from ackclock.sweep.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

AnyJob: TypeAlias = Job | Ns3Job
"""A run of either kind."""


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One flow of one run.

    Attributes:
        case: Key of the case.
        length_s: Length of the run, s.
        variant: Key of the variant.
        jittered: Whether starts were jittered.
        seed: Seed of the run.
        flow: Number of the flow in it.
        acked_bytes: Payload acknowledged.
        received_packets: Packets that reached the UE, copies included.
        sent_packets: Packets sent, retransmissions included.
        retransmitted_packets: Packets sent again.
        lost_packets: Packets lost on the way to the UE.
        timeouts: Retransmission timeouts.
        delay_mean_s: Mean one-way delay of the packets received, s; NaN where none was.
        delay_max_s: The longest of them, s.
        at_1s_packets: How many of them took 1 s (`settings.AT_1S`); None where delays are not traced.
        rtt_mean_s: Mean of the round-trip times that the sender measured, s.
        scenario_hash: Hash of the scenario, as in the manifest of `ackclock run`.
    """

    case: str
    length_s: int
    variant: str
    jittered: bool
    seed: int
    flow: int
    acked_bytes: int
    received_packets: int
    sent_packets: int
    retransmitted_packets: int
    lost_packets: int
    timeouts: int
    delay_mean_s: float
    delay_max_s: float
    at_1s_packets: int | None
    rtt_mean_s: float
    scenario_hash: str


@dataclass(frozen=True, slots=True)
class SizeRow:
    """One run with one packet size.

    Attributes:
        case: Key of the case.
        size_b: Payload of a segment, bytes.
        variant: Key of the variant.
        jittered: Whether starts were jittered.
        seed: Seed of the run.
        rtt_mean_s: Mean of the round-trip times that a sender measured, then over those that measured one, s.
        scenario_hash: Hash of the scenario.
    """

    case: str
    size_b: int
    variant: str
    jittered: bool
    seed: int
    rtt_mean_s: float
    scenario_hash: str


@dataclass(frozen=True, slots=True)
class SampleRow:
    """What both flows of a run sent in one bin of time.

    Attributes:
        case: Key of the case.
        length_s: Length of the run, s.
        variant: Key of the variant.
        jittered: Whether starts were jittered.
        seed: Seed of the run.
        time_s: End of the bin, s.
        sent_bps: Payload sent in it, retransmissions included, bit/s.
    """

    case: str
    length_s: int
    variant: str
    jittered: bool
    seed: int
    time_s: float
    sent_bps: float


@dataclass(frozen=True, slots=True)
class DelayRow:
    """How many packets of a run with the paper's starts had a one-way delay in one bin.

    Attributes:
        case: Key of the case.
        length_s: Length of the run, s.
        variant: Key of the variant.
        seed: Seed of the run.
        from_ms: Where the bin of `settings.DELAY_BIN_MS` begins, ms.
        packets: Packets of both flows in it.
    """

    case: str
    length_s: int
    variant: str
    seed: int
    from_ms: int
    packets: int


@dataclass(frozen=True, slots=True)
class Ns3Row:
    """A run that is held against one of ns-3's.

    Attributes:
        blocks: Resource blocks.
        buffer_b: Room of the RLC buffer, bytes.
        enbs: eNodeBs.
        variant: Key of the variant.
        attempt: One of `settings.NS3_TRIES`; 0: as ns-3 ran it.
        goodput_bps: Payload acknowledged to both senders by the time that they ran, bit/s.
        delay_s: Mean one-way delay of a flow's packets, then over the flows, s.
        loss: Packets lost of those lost or received, mean over the flows, as a share.
        rtt_min_s: The shortest round-trip time that a sender measured, s.
        scenario_hash: Hash of the scenario.
    """

    blocks: int
    buffer_b: int
    enbs: int
    variant: str
    attempt: int
    goodput_bps: float
    delay_s: float
    loss: float
    rtt_min_s: float
    scenario_hash: str


@dataclass(frozen=True)
class Data(StudyData):
    """Everything that a run of the study leaves to be analysed.

    Attributes:
        flows: One row per flow and run.
        sizes: One row per run with other packet sizes.
        samples: What was sent against time, in the cases drawn.
        delays: Histograms of the one-way delay, in the cases drawn.
        ns3: What is held against ns-3.
    """

    ROWS: ClassVar[Mapping[str, type[Any]]] = {
        "flows": FlowRow,
        "sizes": SizeRow,
        "samples": SampleRow,
        "delays": DelayRow,
        "ns3": Ns3Row,
    }

    flows: tuple[FlowRow, ...]
    sizes: tuple[SizeRow, ...]
    samples: tuple[SampleRow, ...]
    delays: tuple[DelayRow, ...]
    ns3: tuple[Ns3Row, ...]

    @property
    def run_count(self) -> int:
        """How many runs there are."""
        return sum(row.flow == 0 for row in self.flows) + len(self.sizes) + len(self.ns3)


def simulate(chosen: Plan, threads: int = 0, progress: Callable[[int, int], None] | None = None) -> Data:
    """Run everything planned, on all cores where `threads` is 0.

    Args:
        chosen: What to run.
        threads: How many runs at a time.
        progress: Told (done, total) in runs.
    """
    from ackclock import _core

    flows: list[FlowRow] = []
    sized: list[SizeRow] = []
    samples: list[SampleRow] = []
    delays: list[DelayRow] = []
    ns3: list[Ns3Row] = []
    for done in carry_out(_batches(chosen), _ask, threads, progress):
        job = done.job
        if isinstance(job, Ns3Job):
            ns3.append(ns3_row(job, done.summary))
        elif job.sized:
            sized.append(size_row(job, done.summary))
        elif not done.batch.traces:
            flows += flow_rows(job, done.summary, None)
        else:
            flows += flow_rows(job, done.summary, _at_1s(done))
            samples += _samples(job, done)
            if not job.jittered:
                delays += _histogram(job, done)
    return Data(
        tuple(flows),
        tuple(sized),
        tuple(samples),
        tuple(delays),
        tuple(ns3),
        quick=chosen.quick,
        figures=chosen.figures,
        version=_core.__version__,
    )


def flow_rows(job: Job, summary: dict[str, Any], at_1s: Mapping[int, int] | None) -> list[FlowRow]:
    """Condense the summary of a run; `at_1s` counts the packets of each flow whose delay was 1 s, if traced."""
    return [
        FlowRow(
            case=job.case.key,
            length_s=job.length_s,
            variant=job.variant,
            jittered=job.jittered,
            seed=job.seed,
            flow=i,
            acked_bytes=flow["acked_bytes"],
            received_packets=flow["received_packets"],
            sent_packets=flow["sent_packets"],
            retransmitted_packets=flow["retransmitted_packets"],
            lost_packets=flow["lost_packets_total"],
            timeouts=flow["timeouts"],
            delay_mean_s=_number(flow["delay_mean_s"]),
            delay_max_s=_number(flow["delay_max_s"]),
            at_1s_packets=None if at_1s is None else at_1s.get(i, 0),
            rtt_mean_s=_number(flow["rtt_mean_s"]),
            scenario_hash=summary["manifest"]["scenario_hash"],
        )
        for i, flow in enumerate(summary["flows"])
    ]


def size_row(job: Job, summary: dict[str, Any]) -> SizeRow:
    """Condense the summary of a run with another packet size."""
    # A flow that has no round trip has no mean.
    times = [flow["rtt_mean_s"] for flow in summary["flows"] if flow["rtt_mean_s"] is not None]
    return SizeRow(
        case=job.case.key,
        size_b=job.size_b,
        variant=job.variant,
        jittered=job.jittered,
        seed=job.seed,
        rtt_mean_s=mean(times),
        scenario_hash=summary["manifest"]["scenario_hash"],
    )


def ns3_row(job: Ns3Job, summary: dict[str, Any]) -> Ns3Row:
    """Condense the summary of a run that is held against ns-3's."""
    flows = summary["flows"]
    return Ns3Row(
        blocks=job.run.blocks,
        buffer_b=job.run.buffer_b,
        enbs=job.run.enbs,
        variant=job.variant,
        attempt=job.attempt,
        goodput_bps=sum(flow["goodput_bps"] for flow in flows),
        delay_s=sum(_number(flow["delay_mean_s"]) for flow in flows) / len(flows),
        loss=sum(flow["loss_ratio"] for flow in flows) / len(flows),
        rtt_min_s=min(_number(flow["rtt_min_s"]) for flow in flows),
        scenario_hash=summary["manifest"]["scenario_hash"],
    )


def scenarios(chosen: Plan) -> list[dict[str, Any]]:
    """Each scenario that was run, as a row: case, length_s, size_b, variant, document."""
    seen: dict[tuple[str, int, int, str], AnyJob] = {}
    for batch in _batches(chosen):
        for job in batch.jobs:
            if isinstance(job, Ns3Job):
                if job.attempt == 0:
                    case = f"ns-3 {job.run.blocks} RB {job.run.buffer_b} B {job.run.enbs} eNB"
                    seen[case, k.NS3_LENGTH_S, 1448, job.variant] = job
            else:
                seen.setdefault((job.case.key, job.length_s, job.size_b, job.variant), job)
    return [
        {"case": case, "length_s": length, "size_b": size, "variant": variant, "document": _document(job)}
        for (case, length, size, variant), job in seen.items()
    ]


def manifest(data: Data, chosen: Plan) -> dict[str, Any]:
    """Seeds, settings, cases and scenarios."""
    return {
        "runs": data.run_count,
        "seeds": {
            "paper_starts": [k.BASE_SEED],
            "jittered_starts": [k.BASE_SEED + r for r in range(1, chosen.replications + 1)],
            "jittered_starts_lte": [k.BASE_SEED + r for r in range(1, chosen.heavy_replications + 1)],
            "jittered_starts_packet_sizes": [
                k.BASE_SEED + r for r in range(1, chosen.sizes_replications + 1)
            ],
        },
        "jitter_s": k.JITTER_S,
        "settings": [asdict(setting) for setting in k.SETTINGS],
        "tcp": {variant: {**k.TCP, **own} for variant, own in k.VARIANTS.items()},
        "cases": {case.key: case.label for case in chosen.cases},
        "scenario_hashes": {
            f"{row.case} {row.length_s} s {row.variant}": row.scenario_hash
            for row in data.flows
            if row.flow == 0 and not row.jittered
        },
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON; a row of data/flows.parquet with "
            "jittered = false is `ackclock run SCENARIO.json --seed SEED`"
        ),
    }


def _batches(chosen: Plan) -> list[Batch[AnyJob]]:
    drawn = {column.case for column in COLUMNS}
    # One variant of one case and length at a time: a trace of each packet's delay takes room.
    runs: list[Batch[AnyJob]] = [
        Batch(
            averages(case, length, variant, chosen),
            ("throughput", "delay") if case.key in drawn else (),
            k.BIN_S,
        )
        for case in chosen.cases
        for length in k.LENGTHS_S
        for variant in k.VARIANTS
    ]
    sized: list[Batch[AnyJob]] = [Batch(sizes(case, chosen)) for case in chosen.sized]
    like_ns3: list[Batch[AnyJob]] = [Batch(ns3_jobs(chosen))] if chosen.ns3 else []
    return [*runs, *sized, *like_ns3]


def _ask(job: AnyJob) -> tuple[str, int, float]:
    return _document(job), job.seed, job.jitter_s


def _document(job: AnyJob) -> str:
    return to_json(ns3_document(job)) if isinstance(job, Ns3Job) else document_json(job)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _at_1s(done: Done[AnyJob]) -> dict[int, int]:
    import polars as pl

    low, high = k.AT_1S
    table = pl.DataFrame(done.result.table("delay"))
    near = table.filter((pl.col("delay_s") >= low) & (pl.col("delay_s") < high))
    return {row["flow"]: row["len"] for row in near.group_by("flow").len().to_dicts()}


def _histogram(job: Job, done: Done[AnyJob]) -> list[DelayRow]:
    import polars as pl

    width = k.DELAY_BIN_MS
    bins = pl.DataFrame(done.result.table("delay")).select(
        (pl.col("delay_s") * (1000 / width)).floor().cast(pl.Int64).alias("bin")
    )
    return [
        DelayRow(job.case.key, job.length_s, job.variant, job.seed, row["bin"] * width, row["len"])
        for row in bins.group_by("bin").len().sort("bin").to_dicts()
    ]


def _samples(job: Job, done: Done[AnyJob]) -> list[SampleRow]:
    import polars as pl

    width = done.batch.bin_s
    sums = pl.DataFrame(done.result.table("throughput")).group_by("time_s").agg(pl.col("sent_bytes").sum())
    return [
        SampleRow(
            case=job.case.key,
            length_s=job.length_s,
            variant=job.variant,
            jittered=job.jittered,
            seed=job.seed,
            time_s=row["time_s"] + width,
            sent_bps=8 * row["sent_bytes"] / width,
        )
        for row in sums.sort("time_s").to_dicts()
        if row["time_s"] + width <= job.length_s
    ]
