"""Jobs: one run each, done by threads or other workers, kept in a store as they finish."""

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
from ackclock.runs.columns import upgraded
from ackclock.runs.run import Run
from ackclock.scenario.scenario import Scenario

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of runs done and of all runs."""

AnyJob = TypeVar("AnyJob", bound="Job")
"""A job, or a subclass of it."""

JobIn = TypeVar("JobIn", bound="Job", contravariant=True)
"""A job that a cache is handed."""

RowsFromRun = TypeVar("RowsFromRun")
"""Rows, or anything else, that a caller takes from a run with traces."""


class Registry(Protocol):
    """Keeps finished runs: a `Store`, or the files of a shard."""

    @property
    def every_s(self) -> float:
        """Seconds for which results are gathered before they are written."""

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the summaries (JSON text) of those `keys` that are there."""

    def missing(self, keys: Sequence[str]) -> set[str]:
        """Return those of `keys` that are not there."""

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs, all of them or none: pairs of key and summary (JSON text)."""


class MemoryStore:
    """Finished runs that are kept in memory alone."""

    every_s = 0.0

    def __init__(self) -> None:
        """Begin without any."""
        self._runs: dict[str, str] = {}

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the summaries (JSON text) of those `keys` that are there."""
        return {key: self._runs[key] for key in keys if key in self._runs}

    def missing(self, keys: Sequence[str]) -> set[str]:
        """Return those of `keys` that are not there."""
        return set(keys) - self._runs.keys()

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs."""
        self._runs.update(results)


class Cache(Protocol[JobIn, RowsFromRun]):
    """Keeps what was taken from runs with traces, so that it outlives an interruption."""

    @property
    def every_s(self) -> float:
        """Seconds for which results are gathered before they are written."""

    def get(self, jobs: Sequence[JobIn]) -> Sequence[RowsFromRun | None]:
        """Return the kept result of each job; None if there is none."""

    def put(self, made: Iterable[tuple[JobIn, RowsFromRun]]) -> None:
        """Keep results of runs."""


MOST = (1000, 4)
"""Runs of a batch, at most, and of one whose runs record traces, which are in memory together."""


@dataclass(frozen=True)
class Job:
    """One run to be made."""

    scenario: Scenario
    seed: int
    jitter_s: float = 0.0
    """Bound of the start jitter, seconds."""
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Values that tell this job from others in tables: the varied settings."""
    replication: int = 0

    @cached_property
    def document(self) -> str:
        """The scenario as JSON text."""
        return self.scenario.json()

    @cached_property
    def key(self) -> str:
        """Identity of the result: a hash of scenario, seed, jitter and the simulator's version."""
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
    """Return `reps` jobs of one scenario: replication r has seed + r, and start jitter unless r is 0.

    `seed` is the first one; the scenario's own if None. Jobs of different scenarios with the same seed
    meet the same random draws, which is what `ackclock.stats.statistics.paired` needs.
    """
    first = scenario.seed if seed is None else seed
    count = whole("reps", reps, 1)
    return [Job(scenario, first + r, jitter_s if r else 0.0, dict(labels or {}), r) for r in range(count)]


@dataclass(frozen=True)
class Traced:
    """The traces of a run."""

    traces: tuple[str, ...] = ()
    bin_s: float = 1.0
    """Width of the bins of trace `throughput`, seconds."""


PLAIN = Traced()
"""No traces: the summary is enough."""


@dataclass(frozen=True)
class Runs(Generic[AnyJob, RowsFromRun]):
    """The work on a batch of jobs: run each, and keep a result of it."""

    keep: Callable[[AnyJob, Run], RowsFromRun]

    def __call__(
        self, items: Sequence[tuple[AnyJob, Traced]], stopped: Stopped
    ) -> list[tuple[RowsFromRun, float]]:
        """Run jobs one after the other; the traces of a run are freed once `keep` has seen them."""
        found: list[tuple[RowsFromRun, float]] = []
        for traced, some in itertools.groupby(items, key=lambda item: item[1]):
            jobs = [job for job, _ in some]
            for job, result in zip(jobs, _simulated(jobs, traced, stopped), strict=True):
                began = time.thread_time()
                kept = self.keep(job, _run(job, result, traced))
                found.append((kept, result.cpu_s + time.thread_time() - began))
        return found

    def packed(self, results: Sequence[RowsFromRun]) -> bytes:
        """Return kept results in the form in which they travel; polars frames in them are streams of Arrow's format."""
        return pickle.dumps(list(results), protocol=5)

    def unpacked(self, data: bytes) -> list[RowsFromRun]:
        """Read the output of `packed`."""
        found: list[RowsFromRun] = pickle.loads(data)
        return found


class Summaries:
    """The work on a batch of jobs whose summaries alone are wanted."""

    def __call__(self, items: Sequence[tuple[Job, Traced]], stopped: Stopped) -> list[tuple[str, float]]:
        """Run jobs one after the other."""
        results = _simulated([job for job, _ in items], PLAIN, stopped)
        return [(result.summary.decode(), result.cpu_s) for result in results]

    def packed(self, results: Sequence[str]) -> bytes:
        """Return summaries as a compressed stream of Arrow's format."""
        import polars as pl

        buffer = io.BytesIO()
        pl.DataFrame({"summary": results}, schema={"summary": pl.String}).write_ipc_stream(
            buffer, compression="zstd"
        )
        return buffer.getvalue()

    def unpacked(self, data: bytes) -> list[str]:
        """Read the output of `packed`."""
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
        jobs: the jobs; equal ones are run once.
        store: store of finished runs, which is searched first; without one everything is run and nothing
            kept.
        threads: number of runs at a time; 0: one per core.
        progress: called as runs finish, those found in the store first.
        executor: the executor of the runs; threads of this process if None. See `ackclock.executors`.

    Raises:
        ScenarioError: before anything is run, if a scenario is not valid.
        KeyboardInterrupt: within a second of Ctrl-C; batches already finished stay in the store.

    """
    kept = MemoryStore() if store is None else store
    finish_jobs(jobs, kept, threads=threads, progress=progress, executor=executor)
    return summaries_of(jobs, kept)


def summaries_of(jobs: Sequence[Job], store: Registry) -> list[dict[str, Any]]:
    """Return the summaries (parsed JSON) of finished jobs, in the order of `jobs`."""
    keys = [job.key for job in jobs]
    parsed = {key: upgraded(json.loads(text)) for key, text in store.get(keys).items()}
    return [parsed[key] for key in keys]


def finish_jobs(
    jobs: Sequence[Job],
    store: Registry,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    executor: executors.ExecutorLike = None,
) -> None:
    """Run those of `jobs` that are not in the store, and put them there; otherwise as `run_jobs` does."""
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
    """Run jobs with traces and return what `keep` takes from each job and its run, in the order of `jobs`.

    Of equal jobs of one `batch` that are traced alike one is run, and `keep` sees that one. Runs are let go once `keep`
    has seen them: their traces are never in memory all together. A cache, if there is one, gets what `keep` took
    as runs finish, and is asked for it first. On executors other than threads `keep` must be picklable.
    Otherwise as `run_jobs`.
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
    """Run jobs one after the other on the calling thread."""

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
    for document in dict.fromkeys(job.document for job in jobs):
        _core.check(document, "json", [])


def _carried_out(
    items: Sequence[tuple[AnyJob, Traced]],
    task: Task[tuple[AnyJob, Traced], RowsFromRun],
    before: int,
    threads: int,
    progress: Progress | None,
    executor: executors.ExecutorLike,
) -> Iterator[list[tuple[int, RowsFromRun]]]:
    """Yield kept results as jobs finish, by their index, and report progress."""
    done, total = before, before + len(items)
    if progress is not None:
        progress(done, total)
    if not items:
        return
    guesses = {document: _guess(document) for document in {job.document for job, _ in items}}
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
    """Name the user-defined controls of a run: their code may have ended its worker."""
    records = json.loads(item[0].document).get("control", ())
    names = ", ".join(str(one["name"]) for one in records)
    return f"the run has code of yours, which may have ended the process: {names}" if names else ""


def _suited(
    executor: executors.ExecutorLike, threads: int, documents: Iterable[str]
) -> tuple[executors.ExecutorLike, int]:
    """Return the executor for the runs, and the number of runs at a time.

    Controls in Python take turns on one lock: they go to processes. One that no other process finds goes on one thread.
    """
    if executor is not None and executor != "threads":
        return executor, threads
    records = [one for text in documents if '"sha256"' in text for one in json.loads(text).get("control", ())]
    if not records:
        return executor, threads
    from ackclock.control.loading import travels

    return (None, 1) if executor == "threads" or not travels(records) else ("processes", threads)


def _guess(document: str) -> float:
    """Return the relative time that a scenario may take: by its length, its slowest link, and its flows."""
    found = json.loads(document)
    rates = [_number(_core.bits_per_second, link.get("rate")) for link in found.get("link", ())]
    slowest = min((rate for rate in rates if rate > 0), default=1e6)
    return max(_number(_core.seconds, found.get("duration")), 1e-3) * (
        slowest / 1e6 + len(found.get("flow", ()))
    )


def _number(read: Callable[[str], float], given: object) -> float:
    try:
        return float(read(given)) if isinstance(given, str) else 0.0
    except ValueError:
        return 0.0


@contextlib.contextmanager
def _gathered(store: Registry | Cache[Any, Any] | None) -> Iterator[Callable[[Iterable[Any]], None]]:
    """Give a function that keeps results, together with those of the last seconds; an interruption loses none."""
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
