"""The study's data: one row per run, and the samples of Figure 2. Run once, stored, read by all else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.experiments import Job, Plan, document_json, jobs
from ackclock.studies.running import Batch, carry_out
from ackclock.studies.storage import StudyData

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock._core import RunResult


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run. Byte counts are payload, summed over the flows.

    Attributes:
        experiment: Key of the sweep.
        x: Position on it.
        variant: Key of the variant.
        jittered: Whether starts were jittered.
        seed: Seed.
        flows: Number of flows.
        throughput_Bps: (sent - retransmitted) / 132 s, bytes/s: the paper's metric.
        delivered_Bps: Payload acknowledged / 132 s, bytes/s.
        sent_bytes: Payload sent, retransmissions included.
        retransmitted_bytes: Payload sent again.
        timeouts: Retransmission timeouts.
        lost_packets: Packets lost on the way, data and acknowledgments.
        jain: Jain's index of the flows' goodput.
        scenario_hash: Hash of the scenario, as in the manifest of `ackclock run`.
    """

    experiment: str
    x: float
    variant: str
    jittered: bool
    seed: int
    flows: int
    throughput_Bps: float  # noqa: N815 bytes/s, as the paper writes it
    delivered_Bps: float  # noqa: N815
    sent_bytes: int
    retransmitted_bytes: int
    timeouts: int
    lost_packets: int
    jain: float
    scenario_hash: str


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One sample of Figure 2.

    Attributes:
        variant: Key of the variant.
        jittered: Whether starts were jittered.
        seed: Seed.
        time_s: End of the bin, s.
        bin_s: Length of the bin, s; the last one of a run may be shorter.
        sent_bytes: Payload sent in the bin by both flows, retransmissions included.
        retransmitted_bytes: Payload sent again in it.
    """

    variant: str
    jittered: bool
    seed: int
    time_s: float
    bin_s: float
    sent_bytes: int
    retransmitted_bytes: int

    @property
    def new_bytes(self) -> int:
        """Payload sent for the first time in the bin."""
        return self.sent_bytes - self.retransmitted_bytes


@dataclass(frozen=True)
class Data(StudyData):
    """Everything that a run of the study leaves to be analysed.

    Attributes:
        runs: One row per run, in the order of `experiments.jobs`.
        samples: The samples of Figure 2.
    """

    ROWS: ClassVar[Mapping[str, type[Any]]] = {"runs": RunRow, "samples": SampleRow}

    runs: tuple[RunRow, ...]
    samples: tuple[SampleRow, ...]

    @property
    def run_count(self) -> int:
        """How many runs there are."""
        return len(self.runs)


def simulate(chosen: Plan, threads: int = 0, progress: Callable[[int, int], None] | None = None) -> Data:
    """Run everything planned, on all cores where `threads` is 0.

    Args:
        chosen: What to run.
        threads: How many runs at a time.
        progress: Told (done, total) in runs.
    """
    from ackclock import _core

    runs: list[RunRow] = []
    samples: list[SampleRow] = []
    for done in carry_out(_batches(chosen), _ask, threads, progress):
        runs.append(run_row(done.job, done.summary))
        if done.batch.traces:
            samples += _samples(done.job, done.result)
    return Data(
        tuple(runs), tuple(samples), quick=chosen.quick, figures=chosen.figures, version=_core.__version__
    )


def _batches(chosen: Plan) -> list[Batch[Job]]:
    return [
        Batch(jobs(e, chosen), ("throughput",) if "fig2" in e.figures else (), float(k.SAMPLE_S))
        for e in chosen.experiments
    ]


def _ask(job: Job) -> tuple[str, int, float]:
    return document_json(job.point, job.variant), job.seed, job.jitter_s


def run_row(job: Job, summary: dict[str, Any]) -> RunRow:
    """Condense the summary of a run."""
    flows: list[dict[str, Any]] = summary["flows"]
    sent = sum(flow["sent_bytes"] for flow in flows)
    again = sum(flow["retransmitted_bytes"] for flow in flows)
    return RunRow(
        experiment=job.experiment,
        x=float(job.point.x),
        variant=job.variant,
        jittered=job.jittered,
        seed=job.seed,
        flows=len(flows),
        throughput_Bps=(sent - again) / k.DURATION_S,
        delivered_Bps=sum(flow["acked_bytes"] for flow in flows) / k.DURATION_S,
        sent_bytes=sent,
        retransmitted_bytes=again,
        timeouts=sum(flow["timeouts"] for flow in flows),
        lost_packets=sum(flow["lost_packets_total"] for flow in flows),
        jain=summary["fairness"]["jain"],
        scenario_hash=summary["manifest"]["scenario_hash"],
    )


def scenarios(chosen: Plan) -> list[dict[str, Any]]:
    """Each scenario that was run, as a row: experiment, x, variant, document."""
    return [
        {"experiment": e.key, "x": float(p.x), "variant": v, "document": document_json(p, v)}
        for e in chosen.experiments
        for p in e.points
        for v in k.VARIANTS
    ]


def manifest(data: Data, chosen: Plan) -> dict[str, Any]:
    """Seeds, settings, points and scenarios."""
    return {
        "runs": data.run_count,
        "seeds": {
            "identical_starts": [k.BASE_SEED + r for r in range(chosen.same_starts)],
            "identical_starts_with_random_loss": [k.BASE_SEED + r for r in range(chosen.same_starts_loss)],
            "jittered_starts": [k.BASE_SEED + r for r in range(1, chosen.jittered + 1)],
            "jittered_starts_with_random_loss": [k.BASE_SEED + r for r in range(1, chosen.jittered_loss + 1)],
        },
        "jitter_s": k.JITTER_S,
        "settings": [asdict(setting) for setting in k.SETTINGS],
        "tcp": {variant: {**own, **k.TCP} for variant, own in k.VARIANTS.items()},
        "points": {e.key: [p.x for p in e.points] for e in chosen.experiments},
        "scenario_hashes": {
            f"{row.experiment} x={row.x:g} {row.variant}": row.scenario_hash
            for row in data.runs
            if not row.jittered
        },
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON; a row of data/runs.parquet with "
            "jittered = false is `ackclock run SCENARIO.json --seed SEED`"
        ),
    }


def _samples(job: Job, result: RunResult) -> list[SampleRow]:
    import polars as pl

    sums: dict[float, list[int]] = {}
    for row in pl.DataFrame(result.table("throughput")).to_dicts():
        both = sums.setdefault(row["time_s"], [0, 0])
        both[0] += row["sent_bytes"]
        both[1] += row["retransmitted_bytes"]
    out: list[SampleRow] = []
    for start in sorted(sums):
        length = min(float(k.SAMPLE_S), k.DURATION_S - start)
        if length > 0:
            sent, again = sums[start]
            out.append(SampleRow(job.variant, job.jittered, job.seed, start + length, length, sent, again))
    return out
