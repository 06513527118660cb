"""Many runs of a study at a time, in batches that are traced alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ackclock._core import RunResult

J = TypeVar("J")


@dataclass(frozen=True)
class Batch(Generic[J]):
    """Runs that are traced alike.

    Attributes:
        jobs: The runs.
        traces: What is recorded of them.
        bin_s: Width of the bins of trace `throughput`, s.
    """

    jobs: Sequence[J]
    traces: tuple[str, ...] = ()
    bin_s: float = 1.0


@dataclass(frozen=True)
class Done(Generic[J]):
    """A run that was carried out.

    Attributes:
        batch: What it was part of.
        job: What was run.
        summary: The run's summary.
        result: All that it left.
    """

    batch: Batch[J]
    job: J
    summary: dict[str, Any]
    result: RunResult


def carry_out(
    batches: Sequence[Batch[J]],
    ask: Callable[[J], tuple[str, int, float]],
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Done[J]]:
    """Run every job and hand out what each left, in order; what a batch left is dropped before the next.

    Args:
        batches: What to run.
        ask: Scenario as JSON, seed and start jitter in s of a job.
        threads: How many runs at a time; all cores where 0.
        progress: Told (done, total) in runs.
    """
    from ackclock import _core

    total = sum(len(batch.jobs) for batch in batches)
    done = 0
    for batch in batches:
        base = done

        def told(ready: int, _of: int, base: int = base) -> None:
            if progress is not None:
                progress(base + ready, total)

        results = _core.run_many(
            [ask(job) for job in batch.jobs],
            threads=threads,
            traces=list(batch.traces),
            bin_s=batch.bin_s,
            progress=told,
        )
        for job, result in zip(batch.jobs, results, strict=True):
            yield Done(batch, job, json.loads(result.summary), result)
        done += len(batch.jobs)
