"""The study's data: one row per flow and run, and throughput against time. Run once, stored, read by all else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import Job, Plan, document_json, flows, jobs
from ackclock.studies.running import Batch, carry_out
from ackclock.studies.storage import StudyData

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock._core import RunResult


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One flow of one run. Byte counts are payload.

    Attributes:
        experiment: Key of the experiment.
        x: Error rate, 0 to 1.
        curve: Key of the curve that the run belongs to.
        timestamps: Whether the flows have the timestamps option.
        together: Whether several flows start at the same instant.
        seed: Seed of the run.
        flow: Number of the flow in it.
        runs: Key of the curve whose TCP this flow runs: Reno in the second flow of Figure 10.
        delivered_bps: Payload delivered in order / (stop - start), bit/s: what figures and claims use.
        goodput_bps: Payload acknowledged to the sender / (stop - start), bit/s: what ns-2 has.
        sent_packets: Packets sent, retransmissions included.
        retransmitted_packets: Packets sent again.
        timeouts: Retransmission timeouts.
        fast_retransmits: Times that fast retransmit was entered.
        lost_queue_packets: Packets that found a queue full.
        lost_random_packets: Packets lost to errors.
        cut_congestion: Losses found by acknowledgments that a full queue had caused, taken for congestion.
        kept_congestion: The same, taken for random.
        cut_random: Losses found by acknowledgments that an error had caused, taken for congestion.
        kept_random: The same, taken for random.
        cut_nothing: Segments taken for lost by acknowledgments that were not, taken for congestion.
        kept_nothing: The same, taken for random.
        timeout_congestion: Timeouts of a segment that a full queue had dropped.
        timeout_random: Timeouts of a segment lost to an error.
        timeout_nothing: Timeouts of a segment that was not lost.
        pre_acked_bytes: Payload acknowledged by a gateway and not delivered at the end of the run.
        crash_bytes: Payload acknowledged by a gateway and not known to be delivered when it crashed.
        rtt_mean_s: Mean of the round-trip times that the sender measured, s.
        scenario_hash: Hash of the scenario, as in the manifest of `ackclock run`.
    """

    experiment: str
    x: float
    curve: str
    timestamps: bool
    together: bool
    seed: int
    flow: int
    runs: str
    delivered_bps: float
    goodput_bps: float
    sent_packets: int
    retransmitted_packets: int
    timeouts: int
    fast_retransmits: int
    lost_queue_packets: int
    lost_random_packets: int
    cut_congestion: int
    kept_congestion: int
    cut_random: int
    kept_random: int
    cut_nothing: int
    kept_nothing: int
    timeout_congestion: int
    timeout_random: int
    timeout_nothing: int
    pre_acked_bytes: int
    crash_bytes: int
    rtt_mean_s: float
    scenario_hash: str


@dataclass(frozen=True, slots=True)
class SampleRow:
    """Throughput of one flow in one bin of time.

    Attributes:
        experiment: Key of the experiment.
        curve: Key of the curve that the run belongs to.
        together: Whether several flows start at the same instant.
        seed: Seed of the run.
        flow: Number of the flow in it.
        time_s: End of the bin, s.
        received_bps: Payload that reached the receiver in the bin / its width, copies included, bit/s.
    """

    experiment: str
    curve: str
    together: bool
    seed: int
    flow: int
    time_s: float
    received_bps: float


@dataclass(frozen=True)
class Data(StudyData):
    """Everything that a run of the study leaves to be analysed.

    Attributes:
        flows: One row per flow and run, in the order of `experiments.jobs`.
        samples: Throughput against time, of Figures 4, 6 and 10.
    """

    ROWS: ClassVar[Mapping[str, type[Any]]] = {"flows": FlowRow, "samples": SampleRow}

    flows: tuple[FlowRow, ...]
    samples: tuple[SampleRow, ...]

    @property
    def run_count(self) -> int:
        """How many runs there are."""
        return sum(row.flow == 0 for row in self.flows)


def simulate(chosen: Plan, threads: int = 0, progress: Callable[[int, int], None] | None = None) -> Data:
    """Run everything planned, on all cores where `threads` is 0.

    Args:
        chosen: What to run.
        threads: How many runs at a time.
        progress: Told (done, total) in runs.
    """
    from ackclock import _core

    rows: list[FlowRow] = []
    samples: list[SampleRow] = []
    for done in carry_out(_batches(chosen), _ask, threads, progress):
        rows += flow_rows(done.job, done.summary)
        if done.batch.traces:
            samples += _samples(done.job, done.result, done.batch.bin_s)
    return Data(
        tuple(rows), tuple(samples), quick=chosen.quick, figures=chosen.figures, version=_core.__version__
    )


def _ask(job: Job) -> tuple[str, int, float]:
    return document_json(job), job.seed, job.jitter_s


def flow_rows(job: Job, summary: dict[str, Any]) -> list[FlowRow]:
    """Condense the summary of a run."""
    keys = flows(job.experiment, job.curve)
    return [
        FlowRow(
            experiment=job.experiment.key,
            x=job.x,
            curve=job.curve,
            timestamps=job.timestamps,
            together=job.together,
            seed=job.seed,
            flow=i,
            runs=keys[i],
            delivered_bps=8 * flow["delivered_bytes"] / flow["interval_s"],
            goodput_bps=flow["goodput_bps"],
            sent_packets=flow["sent_packets"],
            retransmitted_packets=flow["retransmitted_packets"],
            timeouts=flow["timeouts"],
            fast_retransmits=flow["fast_retransmits"],
            lost_queue_packets=flow["lost_packets"].get("queue", 0),
            lost_random_packets=flow["lost_packets"].get("random", 0),
            **_reactions(flow["loss_reactions"]),
            pre_acked_bytes=sum(g["acknowledged_undelivered_bytes"] for g in summary.get("gateways", [])),
            crash_bytes=sum(g["crash_unconfirmed_bytes"] for g in summary.get("gateways", [])),
            rtt_mean_s=flow["rtt_mean_s"],
            scenario_hash=summary["manifest"]["scenario_hash"],
        )
        for i, flow in enumerate(summary["flows"][: len(keys)])
    ]


_TRUTHS: Final = {"congestion": "congestion", "random": "random", "not-lost": "nothing"}
_GUESSES: Final = {"congestion": "cut", "random": "kept"}


def _reactions(listed: list[dict[str, Any]]) -> dict[str, int]:
    """What each loss was against what it was taken for, as the fields of a row."""
    found = {f"{how}_{truth}": 0 for how in (*_GUESSES.values(), "timeout") for truth in _TRUTHS.values()}
    for one in listed:
        how = "timeout" if one["found_by"] == "timeout" else _GUESSES[one["taken_for"]]
        found[f"{how}_{_TRUTHS[one['truth']]}"] += one["count"]
    return found


def scenarios(chosen: Plan) -> list[dict[str, Any]]:
    """Each scenario that was run, as a row: experiment, x, curve, timestamps, document."""
    seen: dict[tuple[str, float, str, bool], Job] = {}
    for experiment in chosen.experiments:
        for job in jobs(experiment, chosen):
            seen.setdefault((experiment.key, job.x, job.curve, job.timestamps), job)
    return [
        {"experiment": e, "x": x, "curve": curve, "timestamps": stamps, "document": document_json(job)}
        for (e, x, curve, stamps), job in seen.items()
    ]


def _batches(chosen: Plan) -> list[Batch[Job]]:
    """The runs, in parts whose throughput against time is kept or not."""
    out: list[Batch[Job]] = []
    for experiment in chosen.experiments:
        parts: dict[bool, list[Job]] = {}
        for job in jobs(experiment, chosen):
            parts.setdefault(experiment.sampled(job.x) and job.timestamps, []).append(job)
        for sampled, batch in parts.items():
            out.append(Batch(batch, ("throughput",) if sampled else (), experiment.sample_s))
    return out


def manifest(data: Data, chosen: Plan) -> dict[str, Any]:
    """Seeds, settings, points and scenarios."""
    return {
        "runs": data.run_count,
        "seeds": {
            "random_loss": [k.BASE_SEED + r for r in range(chosen.seeds)],
            "starts_together": [k.BASE_SEED + r for r in range(chosen.together)],
            "starts_jittered": [k.BASE_SEED + r for r in range(1, chosen.jittered + 1)],
        },
        "jitter_s": k.JITTER_S,
        "settings": [asdict(setting) for setting in k.SETTINGS],
        "tcp": {key: {**k.TCP, **curve.tcp} for key, curve in k.CURVES.items()},
        "points": {e.key: list(e.xs) for e in chosen.experiments},
        "scenario_hashes": {
            f"{row.experiment} x={row.x:g} {row.curve}": row.scenario_hash
            for row in data.flows
            if row.flow == 0 and row.timestamps
        },
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON; a row of data/flows.parquet with x > 0 "
            "or together = true is `ackclock run SCENARIO.json --seed SEED`"
        ),
    }


def _samples(job: Job, result: RunResult, bin_s: float) -> list[SampleRow]:
    import polars as pl

    length = job.experiment.start_s + job.experiment.length_s
    return [
        SampleRow(
            experiment=job.experiment.key,
            curve=job.curve,
            together=job.together,
            seed=job.seed,
            flow=row["flow"],
            time_s=row["time_s"] + bin_s,
            received_bps=8 * k.SEGMENT_B * row["received_packets"] / bin_s,
        )
        for row in pl.DataFrame(result.table("throughput")).to_dicts()
        # The last bin ends with the run and is shorter: a packet more or less would show in it as a jump.
        if row["time_s"] + bin_s <= length
    ]
