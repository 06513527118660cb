"""Jobs, each of which describes one run. Threads or other workers make the runs, and a store keeps finished ones."""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import json
import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ackclock import _core, executors
from ackclock.errors import whole
from ackclock.executors.task import GivenUpError, Stopped, Task
from ackclock.runs.columns import parsed
from ackclock.runs.run import Run
from ackclock.scenario.quantities import bits_per_second, seconds
from ackclock.scenario.scenario import Scenario

Progress: TypeAlias = Callable[[int, int], None]
"""Progress callback; its arguments are the number of finished runs and the number of all runs."""

AnyJob = TypeVar("AnyJob", bound="Job")
"""Type of jobs: `Job` or a subclass."""

JobIn = TypeVar("JobIn", bound="Job", contravariant=True)
"""Type of the jobs that a cache accepts."""

RowsFromRun = TypeVar("RowsFromRun")
"""Type of the result that a caller extracts from a run with traces, such as rows."""


class Registry(Protocol):
    """Interface of a store of finished runs, such as `Store` or `ShardStore`."""

    @property
    def every_s(self) -> float:
        """Time during which results are collected before they are written together, seconds."""

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the summaries (JSON text) of the finished runs among `keys`, by key."""

    def missing(self, keys: Sequence[str]) -> set[str]:
        """Return the keys of runs that are not in the store."""

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs, given as pairs of key and summary (JSON text), in one atomic step."""


class MemoryStore:
    """A store of finished runs in memory only."""

    every_s = 0.0

    def __init__(self) -> None:
        """Start empty."""
        self._runs: dict[str, str] = {}

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the summaries (JSON text) of the finished runs among `keys`, by key."""
        return {key: self._runs[key] for key in keys if key in self._runs}

    def missing(self, keys: Sequence[str]) -> set[str]:
        """Return the keys of runs that are not in the store."""
        return set(keys) - self._runs.keys()

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs: pairs of key and summary (JSON text)."""
        self._runs.update(results)


class Cache(Protocol[JobIn, RowsFromRun]):
    """Interface of a store for results extracted from runs with traces; they survive an interruption."""

    @property
    def every_s(self) -> float:
        """Time during which results are collected before they are written together, seconds."""

    def get(self, jobs: Sequence[JobIn]) -> Sequence[RowsFromRun | None]:
        """Return the stored result of each job; None for a job without a stored result."""

    def put(self, made: Iterable[tuple[JobIn, RowsFromRun]]) -> None:
        """Store results of runs."""


MOST = (1000, 4)
"""Maximum number of runs in a batch: first without traces, then with traces, which are all in memory at once."""


@dataclass(frozen=True)
class Job:
    """A run to be made, with its scenario, seed, start jitter, labels and number of the replication."""

    scenario: Scenario
    seed: int
    jitter_s: float = 0.0
    """Upper bound of the start jitter, seconds."""
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Values of the varied settings, which identify the job in tables."""
    replication: int = 0

    @cached_property
    def document(self) -> str:
        """The scenario as JSON text."""
        return self.scenario.json()

    @cached_property
    def key(self) -> str:
        """Key of the result: a hash of scenario, seed, start jitter and the simulator's version."""
        parts = [_core.__version__, str(self.seed), repr(float(self.jitter_s)), self.scenario.canonical()]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def replications(
    scenario: Scenario,
    reps: int,
    *,
    seed: int | None = None,
    jitter_s: float,
    labels: Mapping[str, Any] | None = None,
) -> list[Job]:
    """Return `reps` jobs of one scenario.

    Replication r has seed `seed` + r, and start jitter unless r is 0. If `seed` is None, the scenario's own seed is
    used. Jobs of different scenarios with equal seeds use common random numbers, as `ackclock.stats.statistics.paired`
    requires.
    """
    first = scenario.seed if seed is None else seed
    count = whole("reps", reps, 1)
    return [Job(scenario, first + r, jitter_s if r else 0.0, dict(labels or {}), r) for r in range(count)]


@dataclass(frozen=True)
class Traced:
    """The traces to record in a run."""

    traces: tuple[str, ...] = ()
    bin_s: float = 1.0
    """Width of the bins of trace ``throughput``, seconds."""


PLAIN = Traced()
"""No traces; for jobs of which only the summary is needed."""


@dataclass(frozen=True)
class Runs(Generic[AnyJob, RowsFromRun]):
    """Task of a worker for a batch of jobs with traces: make each run and extract a result from it."""

    keep: Callable[[AnyJob, Run], RowsFromRun]

    def __call__(
        self, items: Sequence[tuple[AnyJob, Traced]], stopped: Stopped
    ) -> list[tuple[RowsFromRun, float]]:
        """Run jobs one after the other; return each result with its run time, s.

        The traces of a run are freed after `keep` has extracted its result.
        """
        found: list[tuple[RowsFromRun, float]] = []
        for traced, some in itertools.groupby(items, key=lambda item: item[1]):
            jobs = [job for job, _ in some]
            for job, result in zip(jobs, _simulated(jobs, traced, stopped), strict=True):
                began = time.thread_time()
                kept = self.keep(job, _run(job, result, traced))
                found.append((kept, result.cpu_s + time.thread_time() - began))
        return found

    def packed(self, results: Sequence[RowsFromRun]) -> bytes:
        """Return extracted results as bytes for another process; polars data frames become Arrow streams."""
        return pickle.dumps(list(results), protocol=5)

    def unpacked(self, data: bytes) -> list[RowsFromRun]:
        """Return the results from the output of `packed`."""
        found: list[RowsFromRun] = pickle.loads(data)
        return found


class Summaries:
    """Task of a worker for a batch of jobs of which only the summaries are needed."""

    def __call__(self, items: Sequence[tuple[Job, Traced]], stopped: Stopped) -> list[tuple[str, float]]:
        """Run jobs one after the other; return the summary (JSON text) and the run time, s, of each."""
        results = _simulated([job for job, _ in items], PLAIN, stopped)
        return [(result.summary.decode(), result.cpu_s) for result in results]

    def packed(self, results: Sequence[str]) -> bytes:
        """Return summaries as a compressed Arrow stream."""
        import polars as pl

        buffer = io.BytesIO()
        pl.DataFrame({"summary": results}, schema={"summary": pl.String}).write_ipc_stream(
            buffer, compression="zstd"
        )
        return buffer.getvalue()

    def unpacked(self, data: bytes) -> list[str]:
        """Return the results from the output of `packed`."""
        import polars as pl

        return pl.read_ipc_stream(io.BytesIO(data))["summary"].to_list()


def run_jobs(
    jobs: Sequence[Job],
    *,
    store: Registry | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    executor: executors.ExecutorLike = None,
) -> list[dict[str, Any]]:
    """Run jobs and return their summaries (parsed JSON) in the order of `jobs`.

    Args:
        jobs: The jobs; equal jobs are run only once.
        store: Store of finished runs. Runs found in it are not repeated, and new ones are added. Without a store all
            jobs are run.
        threads: Number of runs at the same time; 0 for one per core.
        progress: Progress callback; runs found in the store are counted first.
        executor: Executor of the runs; threads of this process if None. See `ackclock.executors`.

    Raises:
        ScenarioError: Before the first run, if a scenario is not valid.
        KeyboardInterrupt: Within a second of Ctrl-C; finished batches stay in the store.

    """
    if store is None:
        return watch_jobs(jobs, PLAIN, _summary, threads=threads, progress=progress, executor=executor)
    finish_jobs(jobs, store, threads=threads, progress=progress, executor=executor)
    return summaries_of(jobs, store)


def _summary(_: Job, run: Run) -> dict[str, Any]:
    return run.summary


def summaries_of(jobs: Sequence[Job], store: Registry) -> list[dict[str, Any]]:
    """Return the summaries (parsed JSON) of finished jobs, in the order of `jobs`."""
    keys = [job.key for job in jobs]
    known = {key: parsed(key, text) for key, text in store.get(keys).items()}
    return [known[key] for key in keys]


def finish_jobs(
    jobs: Sequence[Job],
    store: Registry,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    executor: executors.ExecutorLike = None,
) -> None:
    """Run the jobs that the store lacks and add their results; arguments and errors are those of `run_jobs`."""
    unique = {job.key: job for job in jobs}
    left = store.missing(list(unique))
    missing = [job for key, job in unique.items() if key in left]
    _check(jobs)
    items = [(job, PLAIN) for job in missing]
    with _gathered(store) as put:
        for finished in _carried_out(
            items, Summaries(), len(unique) - len(missing), threads, progress, executor
        ):
            put((missing[index].key, summary) for index, summary in finished)


def watch_jobs(
    jobs: Sequence[AnyJob],
    traced: Traced | Callable[[AnyJob], Traced],
    keep: Callable[[AnyJob, Run], RowsFromRun],
    *,
    batch: Callable[[AnyJob], str] = lambda _: "",
    threads: int = 0,
    progress: Progress | None = None,
    cache: Cache[AnyJob, RowsFromRun] | None = None,
    executor: executors.ExecutorLike = None,
) -> list[RowsFromRun]:
    """Run jobs with traces; return the result that `keep` extracts from each job and its run, in the order of `jobs`.

    Equal jobs with equal traces are run only once. A run is freed after `keep`, so the traces of all runs are never in
    memory at the same time. Results found in `cache` are not computed again, and new results are added to it. With
    executors other than threads `keep` must be picklable. The other arguments and errors are those of `run_jobs`.
    """
    recorded = traced if callable(traced) else lambda _: traced
    keys = [(job.key, recorded(job), batch(job)) for job in jobs]
    unique: dict[tuple[str, Traced, str], AnyJob] = {}
    for key, job in zip(keys, jobs, strict=True):
        unique.setdefault(key, job)
    _check(jobs)
    known = [None] * len(unique) if cache is None else cache.get(list(unique.values()))
    kept = {key: one for key, one in zip(unique, known, strict=True) if one is not None}
    missing = [key for key in unique if key not in kept]
    items = [(unique[key], key[1]) for key in missing]
    with _gathered(cache) as put:
        for finished in _carried_out(items, Runs(keep), len(kept), threads, progress, executor):
            put([(items[index][0], left) for index, left in finished])
            kept.update((missing[index], left) for index, left in finished)
    return [kept[key] for key in keys]


def _simulated(jobs: Sequence[Job], traced: Traced, stopped: Stopped) -> list[_core.RunResult]:
    """Run jobs one after the other on the calling thread; return the core's results."""

    def look(_done: int, _total: int) -> None:
        if stopped():
            raise GivenUpError

    return _core.run_many(
        [(job.document, job.seed, job.jitter_s) for job in jobs],
        threads=1,
        traces=list(traced.traces),
        bin_s=traced.bin_s,
        progress=look,
    )


def _run(job: Job, result: _core.RunResult, traced: Traced) -> Run:
    return Run(
        job.scenario, result, seed=job.seed, jitter_s=job.jitter_s, bin_s=traced.bin_s, traces=traced.traces
    )


def _check(jobs: Sequence[Job]) -> None:
    for scenario in {job.document: job.scenario for job in jobs}.values():
        scenario.check()


def _carried_out(
    items: Sequence[tuple[AnyJob, Traced]],
    task: Task[tuple[AnyJob, Traced], RowsFromRun],
    before: int,
    threads: int,
    progress: Progress | None,
    executor: executors.ExecutorLike,
) -> Iterator[list[tuple[int, RowsFromRun]]]:
    """Yield lists of (index of the job, result) as jobs finish; progress is reported."""
    done, total = before, before + len(items)
    if progress is not None:
        progress(done, total)
    if not items:
        return
    guesses = {
        document: _guess(scenario.view)
        for document, scenario in {job.document: job.scenario for job, _ in items}.items()
    }
    with executors.opened(*_suited(executor, threads, guesses)) as pool:
        for finished in executors.dispatch(
            pool,
            task,
            items,
            kinds=[(job.document, traced) for job, traced in items],
            guesses=[guesses[job.document] for job, _ in items],
            most=MOST[any(traced.traces for _, traced in items)],
            suspect=_suspect,
        ):
            yield finished
            done += len(finished)
            if progress is not None:
                progress(done, total)


def _suspect(item: tuple[Job, Traced]) -> str:
    """Return a remark that names a run's user-defined controls, whose code may have ended its worker; empty if none."""
    records = json.loads(item[0].document).get("control", ())
    names = ", ".join(str(one["name"]) for one in records)
    return f"code of yours may have ended the process: {names}" if names else ""


def _suited(
    executor: executors.ExecutorLike, threads: int, documents: Iterable[str]
) -> tuple[executors.ExecutorLike, int]:
    """Return the executor for the runs, and the number of runs at the same time.

    Python controls hold the GIL, so runs with such controls are made by processes. If another process cannot load a
    control, all runs are made on one thread.
    """
    opened = isinstance(executor, executors.ThreadPool)
    if executor is not None and executor != "threads" and not opened:
        return executor, threads
    records = [one for text in documents if '"sha256"' in text for one in json.loads(text).get("control", ())]
    if not records:
        return executor, threads
    from ackclock.control.loading import travels

    if executor == "threads" or not travels(records):
        return None, 1
    return (executor.processes() if isinstance(executor, executors.ThreadPool) else "processes"), threads


def _guess(found: Mapping[str, Any]) -> float:
    """Return a relative estimate of a document's run time from its duration, slowest link and number of flows."""
    rates = [_number(bits_per_second, link.get("rate")) for link in found.get("link", ())]
    slowest = min((rate for rate in rates if rate > 0), default=1e6)
    return max(_number(seconds, found.get("duration")), 1e-3) * (slowest / 1e6 + len(found.get("flow", ())))


def _number(read: Callable[[str], float], given: object) -> float:
    try:
        return float(read(given)) if isinstance(given, str) else 0.0
    except ValueError:
        return 0.0


@contextlib.contextmanager
def _gathered(store: Registry | Cache[Any, Any] | None) -> Iterator[Callable[[Iterable[Any]], None]]:
    """Yield a function that collects results; they are written to the store every few seconds, and at the end."""
    waiting: list[Any] = []
    last = time.monotonic()

    def later(made: Iterable[Any]) -> None:
        nonlocal last
        if store is None:
            return
        waiting.extend(made)
        if time.monotonic() - last >= store.every_s:
            store.put(list(waiting))
            waiting.clear()
            last = time.monotonic()

    try:
        yield later
    finally:
        if store is not None and waiting:
            store.put(waiting)
