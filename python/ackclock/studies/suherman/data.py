"""The study's data: one row per run. Run once, stored, read by all else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ackclock.studies.running import Batch, carry_out
from ackclock.studies.storage import StudyData
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.experiments import Job, Plan, document_json, jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run. Delays and jitter are means over segments, those of all flows together.

    Attributes:
        setup: Key of the network.
        nodes: How many nodes it has.
        k: What a loss multiplies the window with.
        seed: Seed of the run.
        delay_s: From a segment's first transmission to the first arrival of a copy, s; None where none arrived.
        jitter_s: Difference of the delays of consecutive segments, s; None likewise.
        write_delay_s: From the write to the delivery in order, s; None likewise.
        loss: Segments sent of which no copy had arrived at the end, as a share.
        writes: Packets that the applications wrote.
        delivered_writes: Of these, delivered in order by the end.
        sent_packets: Packets that TCP sent, retransmissions included.
        retransmitted_packets: Of these, sent again.
        timeouts: Retransmission timeouts.
        fast_retransmits: Times that fast retransmit was entered: the cuts that k scales.
        lost_packets: Packets lost on the air or in stations' queues.
        silent_flows: Flows of which nothing arrived.
        scenario_hash: Hash of the scenario, as in the manifest of `ackclock run`.
    """

    setup: str
    nodes: int
    k: float
    seed: int
    delay_s: float | None
    jitter_s: float | None
    write_delay_s: float | None
    loss: float
    writes: int
    delivered_writes: int
    sent_packets: int
    retransmitted_packets: int
    timeouts: int
    fast_retransmits: int
    lost_packets: int
    silent_flows: int
    scenario_hash: str


@dataclass(frozen=True)
class Data(StudyData):
    """Everything that a run of the study leaves to be analysed.

    Attributes:
        runs: One row per run, in the order of `experiments.jobs`.
    """

    ROWS: ClassVar[Mapping[str, type[Any]]] = {"runs": RunRow}

    runs: tuple[RunRow, ...]

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

    batches = [Batch(jobs(sweep)) for sweep in chosen.sweeps]
    rows = [run_row(done.job, done.summary) for done in carry_out(batches, _ask, threads, progress)]
    return Data(tuple(rows), quick=chosen.quick, figures=chosen.figures, version=_core.__version__)


def run_row(job: Job, summary: dict[str, Any]) -> RunRow:
    """Condense the summary of a run."""
    flows: list[dict[str, Any]] = summary["flows"]
    fresh = [flow["sent_packets"] - flow["retransmitted_packets"] for flow in flows]
    arrived = [
        (1 - flow["transit_loss_ratio"]) * count if flow["transit_loss_ratio"] is not None else 0.0
        for flow, count in zip(flows, fresh, strict=True)
    ]
    delivered = [float(flow["delivered_writes"]) for flow in flows]
    sent = sum(fresh)
    return RunRow(
        setup=job.setup.key,
        nodes=job.nodes,
        k=job.k,
        seed=job.seed,
        delay_s=_mean([flow["transit_delay_mean_s"] for flow in flows], arrived),
        jitter_s=_mean([flow["transit_jitter_mean_s"] for flow in flows], arrived),
        write_delay_s=_mean([flow["write_delay_mean_s"] for flow in flows], delivered),
        loss=1 - sum(arrived) / sent if sent else 0.0,
        writes=sum(flow["writes"] for flow in flows),
        delivered_writes=sum(flow["delivered_writes"] for flow in flows),
        sent_packets=sum(flow["sent_packets"] for flow in flows),
        retransmitted_packets=sum(flow["retransmitted_packets"] for flow in flows),
        timeouts=sum(flow["timeouts"] for flow in flows),
        fast_retransmits=sum(flow["fast_retransmits"] for flow in flows),
        lost_packets=sum(flow["lost_packets_total"] for flow in flows),
        silent_flows=sum(count == 0 for count in arrived),
        scenario_hash=summary["manifest"]["scenario_hash"],
    )


def _mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """The weighted mean of what is there."""
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None and w > 0]
    total = sum(w for _, w in pairs)
    return sum(v * w for v, w in pairs) / total if total else None


def scenarios(chosen: Plan) -> list[dict[str, Any]]:
    """Each scenario that was run, as a row: setup, nodes, k, document."""
    first = k.BASE_SEED + 1
    return [
        {"setup": job.setup.key, "nodes": job.nodes, "k": job.k, "document": document_json(job)}
        for sweep in chosen.sweeps
        for job in jobs(sweep)
        if job.seed == first
    ]


def manifest(data: Data, chosen: Plan) -> dict[str, Any]:
    """Seeds, settings, points and scenarios."""
    return {
        "runs": data.run_count,
        "seeds": {s.setup.key: [k.BASE_SEED + r for r in range(1, s.runs + 1)] for s in chosen.sweeps},
        "jitter_s": k.JITTER_S,
        "settings": [asdict(setting) for setting in k.SETTINGS],
        "tcp": k.TCP,
        "points": {s.setup.key: {"k": list(s.ks), "nodes": list(s.nodes)} for s in chosen.sweeps},
        "scenario_hashes": {
            f"{row.setup} nodes={row.nodes} k={row.k:g}": row.scenario_hash
            for row in data.runs
            if row.seed == k.BASE_SEED + 1
        },
        "rerun_one": (
            "data/scenarios.parquet holds every scenario as JSON, with starts that are not jittered; "
            "`ackclock sweep` jitters them as this study does"
        ),
    }


def _ask(job: Job) -> tuple[str, int, float]:
    return document_json(job), job.seed, k.JITTER_S
