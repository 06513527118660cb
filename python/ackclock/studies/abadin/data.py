"""The study's data: one row per run, and the samples of Figure 2. Run once, stored, read by all else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.studies import storage
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.experiments import Experiment, Job, Plan, document_json, jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

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
class Data:
    """Everything that a run of the study leaves to be analysed.

    Attributes:
        runs: One row per run, in the order of `experiments.jobs`.
        samples: The samples of Figure 2.
        quick: Whether they come from the quick form.
        figures: The figures asked for.
        version: Version of ackclock that ran them.
    """

    runs: tuple[RunRow, ...]
    samples: tuple[SampleRow, ...]
    quick: bool
    figures: tuple[str, ...]
    version: str

    def digest(self) -> str:
        """SHA-256 of runs and samples: the same on every machine, for any number of threads."""
        return storage.digest((*self.runs, *self.samples))

    def store(self, folder: Path) -> None:
        """Write `runs` and `samples` into the folder, each as Parquet and as CSV, and `data.json`."""
        head = {
            "quick": self.quick,
            "figures": list(self.figures),
            "samples": bool(self.samples),
            "version": self.version,
            "sha256": self.digest(),
        }
        storage.store(folder, {"runs": self.runs, "samples": self.samples}, head)

    @staticmethod
    def load(folder: Path) -> Data:
        """Read what `store` wrote."""
        head = storage.head(folder)
        # A folder may still hold the samples of an earlier, larger run.
        samples = storage.rows(folder, "samples") if head["samples"] else []
        return Data(
            runs=tuple(RunRow(**row) for row in storage.rows(folder, "runs")),
            samples=tuple(SampleRow(**row) for row in samples),
            quick=head["quick"],
            figures=tuple(head["figures"]),
            version=head["version"],
        )


def simulate(chosen: Plan, threads: int = 0, progress: Callable[[int, int], None] | None = None) -> Data:
    """Run everything planned, on all cores where `threads` is 0.

    Args:
        chosen: What to run.
        threads: How many runs at a time.
        progress: Told (done, total) in runs.
    """
    from ackclock import _core

    listed = [(experiment, jobs(experiment, chosen)) for experiment in chosen.experiments]
    total = sum(len(batch) for _, batch in listed)
    runs: list[RunRow] = []
    samples: list[SampleRow] = []
    done = 0
    for experiment, batch in listed:
        base = done

        def told(ready: int, _of: int, base: int = base) -> None:
            if progress is not None:
                progress(base + ready, total)

        sampled = "fig2" in experiment.figures
        results = _core.run_many(
            _as_tuples(batch),
            threads=threads,
            traces=["throughput"] if sampled else [],
            bin_s=float(k.SAMPLE_S),
            progress=told,
        )
        for job, result in zip(batch, results, strict=True):
            runs.append(run_row(job, json.loads(result.summary)))
            if sampled:
                samples += _samples(job, result)
        done += len(batch)
    return Data(tuple(runs), tuple(samples), chosen.quick, chosen.figures, _core.__version__)


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


def scenarios(experiments: Iterable[Experiment]) -> list[dict[str, Any]]:
    """Each scenario that was run, as a row: experiment, x, variant, document."""
    return [
        {"experiment": e.key, "x": float(p.x), "variant": v, "document": document_json(p, v)}
        for e in experiments
        for p in e.points
        for v in k.VARIANTS
    ]


def _as_tuples(batch: list[Job]) -> list[tuple[str, int, float]]:
    documents: dict[tuple[float, str], str] = {}
    for job in batch:
        at = (job.point.x, job.variant)
        if at not in documents:
            documents[at] = document_json(job.point, job.variant)
    return [(documents[job.point.x, job.variant], job.seed, job.jitter_s) for job in batch]


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
