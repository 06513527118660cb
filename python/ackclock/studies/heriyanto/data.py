"""The study's data: one row per flow of each run, and throughput against time. Run once, stored, read by all else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import Job, Plan, document_json, first_seed, jobs, later_s
from ackclock.studies.heriyanto.recordings import leave as leave
from ackclock.studies.running import Batch, carry_out
from ackclock.studies.storage import StudyData

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock._core import RunResult


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One flow of a run. Measures are FlowMonitor's.

    Attributes:
        experiment: Key of the sweep.
        nodes: Nodes in all.
        variant: Key of the variant.
        seed: Seed.
        flow: 0 the TCP flow, 1 the UDP flow.
        throughput_mbps: Bytes received with IP headers / 59 s, Mb/s.
        loss_percent: Packets lost of those sent, percent.
        delay_ms: Mean one-way delay, ms; nothing where no packet arrived.
        jitter_ms: Mean difference of successive delays, ms; likewise.
        sent_packets: Packets sent, retransmissions included.
        lost_packets: Of these, lost, whatever the cause.
        lost_at_the_queue: Of these, by the queue at the server.
        lost_on_the_air: Of these, in the 802.11 network.
        retransmitted_packets: Packets sent again.
        timeouts: Retransmission timeouts.
        scenario_hash: Hash of the scenario, as in the manifest of `ackclock run`.
    """

    experiment: str
    nodes: int
    variant: str
    seed: int
    flow: int
    throughput_mbps: float
    loss_percent: float
    delay_ms: float | None
    jitter_ms: float | None
    sent_packets: int
    lost_packets: int
    lost_at_the_queue: int
    lost_on_the_air: int
    retransmitted_packets: int
    timeouts: int
    scenario_hash: str


@dataclass(frozen=True, slots=True)
class SampleRow:
    """Throughput of a flow in one bin of time.

    Attributes:
        experiment: Key of the sweep.
        variant: Key of the variant.
        seed: Seed.
        flow: 0 the TCP flow, 1 the UDP flow.
        time_s: End of the bin, s; in a mesh, which begins later, as if it did not.
        received_mbps: Payload received in it, Mb/s.
    """

    experiment: str
    variant: str
    seed: int
    flow: int
    time_s: float
    received_mbps: float


@dataclass(frozen=True)
class Data(StudyData):
    """Everything that a run of the study leaves to be analysed.

    Attributes:
        flows: One row per flow and run, in the order of `experiments.jobs`.
        samples: Throughput against time of the runs with most nodes.
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
            samples += _samples(done.job, done.result)
    return Data(
        tuple(rows), tuple(samples), quick=chosen.quick, figures=chosen.figures, version=_core.__version__
    )


def _ask(job: Job) -> tuple[str, int, float]:
    return document_json(job), job.seed, job.jitter_s


def _batches(chosen: Plan) -> list[Batch[Job]]:
    out: list[Batch[Job]] = []
    for experiment in chosen.experiments:
        most = experiment.nodes[-1]
        every = jobs(experiment, chosen)
        out.append(Batch([job for job in every if job.nodes != most]))
        out.append(Batch([job for job in every if job.nodes == most], ("throughput",), k.SAMPLE_S))
    return [batch for batch in out if batch.jobs]


def flow_rows(job: Job, summary: dict[str, Any]) -> list[FlowRow]:
    """Condense the summary of a run."""
    return [
        FlowRow(
            experiment=job.experiment.key,
            nodes=job.nodes,
            variant=job.variant,
            seed=job.seed,
            flow=i,
            throughput_mbps=flow["throughput_bps"] / 1e6,
            loss_percent=100 * flow["loss_ratio"],
            delay_ms=_ms(flow["delay_mean_s"]),
            jitter_ms=_ms(flow["jitter_mean_s"]),
            sent_packets=flow["sent_packets"],
            lost_packets=flow["lost_packets_total"],
            lost_at_the_queue=sum(flow["lost_packets"][cause] for cause in ("queue", "aqm")),
            lost_on_the_air=flow["lost_packets_total"]
            - sum(flow["lost_packets"][cause] for cause in ("queue", "aqm")),
            retransmitted_packets=flow["retransmitted_packets"],
            timeouts=flow["timeouts"],
            scenario_hash=summary["manifest"]["scenario_hash"],
        )
        for i, flow in enumerate(summary["flows"])
    ]


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else 1e3 * seconds


def _samples(job: Job, result: RunResult) -> list[SampleRow]:
    import polars as pl

    late_s = later_s(job.experiment.network)
    return [
        SampleRow(
            experiment=job.experiment.key,
            variant=job.variant,
            seed=job.seed,
            flow=row["flow"],
            time_s=row["time_s"] + k.SAMPLE_S - late_s,
            received_mbps=8e-6 * k.SEGMENT_B * row["received_packets"] / k.SAMPLE_S,
        )
        for row in pl.DataFrame(result.table("throughput")).to_dicts()
        if row["time_s"] - late_s >= k.START_S
    ]


def scenarios(chosen: Plan) -> list[dict[str, Any]]:
    """Each scenario that was run, as a row: experiment, nodes, variant, document."""
    return [
        {"experiment": e.key, "nodes": job.nodes, "variant": job.variant, "document": document_json(job)}
        for e in chosen.experiments
        for job in jobs(e, chosen)
        if job.seed == first_seed(job.nodes)
    ]


def manifest(data: Data, chosen: Plan) -> dict[str, Any]:
    """Seeds, settings, points and scenarios."""
    return {
        "runs": data.run_count,
        "first_seeds": {str(n): first_seed(n) for e in chosen.experiments for n in e.nodes},
        "replications": chosen.replications,
        "jitter_s": k.JITTER_S,
        "settings": [asdict(setting) for setting in k.SETTINGS],
        "tcp": {key: {**k.TCP, **own} for key, own in k.VARIANTS.items()},
        "points": {e.key: list(e.nodes) for e in chosen.experiments},
        "scenario_hashes": {
            f"{row.experiment} nodes={row.nodes} {row.variant}": row.scenario_hash
            for row in data.flows
            if row.flow == 0 and row.seed == first_seed(row.nodes)
        },
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON; the rows of data/flows.parquet with the first "
            "seed are `ackclock run SCENARIO.json --seed SEED`, without jitter"
        ),
    }
