"""Worker pools: threads of this process, processes of this machine, or a `concurrent.futures.Executor`."""

from __future__ import annotations

import concurrent.futures as futures
import contextlib
import ctypes
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from typing import Any

from ackclock.errors import UserError
from ackclock.executors.build import here
from ackclock.executors.task import Item, Result, Task, begin_process, packed_task, perform

UNKNOWN_WORKERS = 32
"""Assumed number of workers if an executor does not report it; enough to fill a cluster's queue."""


class WorkerPool:
    """Pool of workers that run batches of a task; use `ackclock.executors.opened` to create one."""

    remote = True
    """True if batches are pickled and sent to other processes; batches should then take seconds."""

    def __init__(self, executor: Executor, workers: int) -> None:
        """Use an executor with `workers` workers."""
        self._executor = executor
        self._workers = workers

    def check(self) -> None:
        """Do nothing, since workers check their version with each batch.

        A subclass may check all workers first, and raise `UserError` for one with another version.
        """

    def workers(self) -> int:
        """Return the number of batches that can run at the same time."""
        return self._workers

    def submit(self, task: Task[Item, Result], items: Sequence[Item]) -> Future[Any]:
        """Submit a batch to a worker and return its future."""
        return self._executor.submit(perform, here(), packed_task(task, items))

    def read(self, task: Task[Item, Result], answer: Any, /) -> tuple[list[Result], list[float], list[str]]:
        """Return results, processor times (seconds) and warnings of a batch, given its future's value.

        Raises:
            UserError: If the worker has another build.

        """
        if "refused" in answer:
            raise UserError(refusal([(answer["where"], answer["refused"])]))
        return task.unpacked(answer["results"]), answer["seconds"], answer["warnings"]

    def renew(self, why: BaseException) -> None:
        """Replace lost workers after a batch failed with `why`, so that the batch can be repeated.

        Raises:
            UserError: If lost workers cannot be replaced.
            BaseException: `why` itself, if the cause is not a lost worker.
        """
        if isinstance(why, futures.BrokenExecutor):
            raise UserError(
                f"the executor has lost its workers and cannot go on ({why})\n"
                "  call it again with a new executor: if the runs are kept in a folder, only those that are "
                "missing are run"
            ) from why
        raise why

    def give_up(self) -> None:
        """Tell the workers that their results are no longer needed."""

    def close(self) -> None:
        """Release the pool's resources; a user's executor stays open."""


class ThreadPool(WorkerPool):
    """Pool of threads in this process; simulations run in parallel because they release the GIL."""

    remote = False

    def __init__(self, workers: int) -> None:
        """Start `workers` threads."""
        super().__init__(futures.ThreadPoolExecutor(workers, "ackclock"), workers)
        self._stop = threading.Event()
        self._processes: ProcessPool | None = None

    def processes(self) -> ProcessPool:
        """Return a pool of as many processes, for work that holds the GIL; it is closed with this pool."""
        if self._processes is None:
            self._processes = ProcessPool(self._workers)
        return self._processes

    def submit(self, task: Task[Item, Result], items: Sequence[Item]) -> Future[Any]:
        """Submit a batch to a thread, without copying it."""
        return self._executor.submit(task, items, self._stop.is_set)

    def read(self, _task: Task[Item, Result], answer: Any) -> tuple[list[Result], list[float], list[str]]:
        """Return results and processor times of a batch; its warnings were already issued."""
        return [one for one, _ in answer], [seconds for _, seconds in answer], []

    def give_up(self) -> None:
        """Stop running simulations within a tenth of a second."""
        self._stop.set()
        if self._processes is not None:
            self._processes.give_up()

    def close(self) -> None:
        """Stop the threads, and the processes if there are any."""
        self._executor.shutdown(cancel_futures=True)
        if self._processes is not None:
            self._processes.close()


class ProcessPool(WorkerPool):
    """Pool of processes on this machine, for work that holds the global interpreter lock (GIL)."""

    def __init__(self, workers: int) -> None:
        """Prepare `workers` processes, which start when first needed."""
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.RawValue(ctypes.c_bool, False)
        super().__init__(self._pool(workers), workers)

    def _pool(self, workers: int) -> Executor:
        return futures.ProcessPoolExecutor(
            workers, mp_context=self._context, initializer=begin_process, initargs=(self._stop,)
        )

    def submit(self, task: Task[Item, Result], items: Sequence[Item]) -> Future[Any]:
        """Submit a batch to a process; the first calls start the processes."""
        with without_main():
            return super().submit(task, items)

    def renew(self, why: BaseException) -> None:
        """Start new processes after one was killed, since Python's pool gives up all when it loses one."""
        if not isinstance(why, futures.BrokenExecutor):
            raise why
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._pool(self._workers)

    def give_up(self) -> None:
        """Stop running simulations within a tenth of a second."""
        self._stop.value = True

    def close(self) -> None:
        """Stop the processes."""
        self._executor.shutdown(cancel_futures=True)


class ExecutorPool(WorkerPool):
    """Pool around a user's `concurrent.futures.Executor`."""

    def __init__(self, executor: Executor, workers: int) -> None:
        """Use an executor; if `workers` is 0, ask it for its number of workers."""
        told = workers or getattr(executor, "_max_workers", 0)
        super().__init__(executor, told if isinstance(told, int) and told > 0 else UNKNOWN_WORKERS)


@contextlib.contextmanager
def without_main() -> Iterator[None]:
    """Hide the main module while processes start, or they would run a script that lacks a ``__main__`` guard.

    Worker processes do not need the main module: all that they receive is defined in importable modules.
    """
    names = vars(sys.modules["__main__"])
    hidden: dict[str, Any] = {name: names[name] for name in ("__file__", "__spec__") if name in names}
    names["__spec__"] = None
    names.pop("__file__", None)
    try:
        yield
    finally:
        names.update(hidden)


def refusal(found: Sequence[tuple[str, str]]) -> str:
    """Return the error message for workers that were refused, with the reasons."""
    shown = "\n".join(f"  worker {name}: {why}" for name, why in found[:5])
    more = f"\n  and {len(found) - 5} more" if len(found) > 5 else ""
    return (
        f"a worker does not have the same ackclock, so that its results could differ\n{shown}{more}\n"
        "  install the same version and build for every worker, and begin them anew"
    )


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
