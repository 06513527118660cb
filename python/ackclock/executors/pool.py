"""Workers: threads of this process, processes of this machine, or those of a `concurrent.futures.Executor`."""

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
"""Workers that an executor is assumed to have if it gives no number: enough batches for a cluster's queue."""


class WorkerPool:
    """Workers that carry out batches of a task. Made by `ackclock.executors.opened`."""

    remote = True
    """True if a batch travels: it is pickled, and should take seconds."""

    def __init__(self, executor: Executor, workers: int) -> None:
        """Take an executor with `workers` workers."""
        self._executor = executor
        self._workers = workers

    def check(self) -> None:
        """Refuse workers of another version. Here each batch is checked by its worker."""

    def workers(self) -> int:
        """Return the number of batches that can be carried out at a time."""
        return self._workers

    def submit(self, task: Task[Item, Result], items: Sequence[Item]) -> Future[Any]:
        """Let a worker carry out a batch."""
        return self._executor.submit(perform, here(), packed_task(task, items))

    def read(self, task: Task[Item, Result], answer: Any, /) -> tuple[list[Result], list[float], list[str]]:
        """Return results, seconds and warnings of a batch, given what its future held.

        Raises:
            UserError: if the worker has another build.

        """
        if "refused" in answer:
            raise UserError(refusal([(answer["where"], answer["refused"])]))
        return task.unpacked(answer["results"]), answer["seconds"], answer["warnings"]

    def renew(self, why: BaseException) -> None:
        """Replace lost workers after a batch failed with `why`, so that it can be repeated.

        Raises:
            BaseException: `why`, if it does not come of a lost worker; `UserError` if there is no replacement.
        """
        if isinstance(why, futures.BrokenExecutor):
            raise UserError(
                f"the executor has lost its workers and cannot go on ({why})\n"
                "  call it again with a new executor: if the runs are kept in a folder, only those that are "
                "missing are run"
            ) from why
        raise why

    def give_up(self) -> None:
        """Tell workers that their results are not needed any more."""

    def close(self) -> None:
        """Release what was made for the pool; an executor of the user's stays open."""


class ThreadPool(WorkerPool):
    """Threads of this process: simulations run side by side, since they do not hold Python's lock."""

    remote = False

    def __init__(self, workers: int) -> None:
        """Begin `workers` threads."""
        super().__init__(futures.ThreadPoolExecutor(workers, "ackclock"), workers)
        self._stop = threading.Event()

    def submit(self, task: Task[Item, Result], items: Sequence[Item]) -> Future[Any]:
        """Let a thread carry out a batch; nothing is copied."""
        return self._executor.submit(task, items, self._stop.is_set)

    def read(self, _task: Task[Item, Result], answer: Any) -> tuple[list[Result], list[float], list[str]]:
        """Return results and seconds; warnings have been given."""
        return [one for one, _ in answer], [seconds for _, seconds in answer], []

    def give_up(self) -> None:
        """Stop simulations that run; it takes a tenth of a second."""
        self._stop.set()

    def close(self) -> None:
        """End the threads."""
        self._executor.shutdown(cancel_futures=True)


class ProcessPool(WorkerPool):
    """Worker processes on this machine, for work that holds Python's global interpreter lock."""

    def __init__(self, workers: int) -> None:
        """Begin `workers` processes, when they are first needed."""
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.RawValue(ctypes.c_bool, False)
        super().__init__(self._pool(workers), workers)

    def _pool(self, workers: int) -> Executor:
        return futures.ProcessPoolExecutor(
            workers, mp_context=self._context, initializer=begin_process, initargs=(self._stop,)
        )

    def submit(self, task: Task[Item, Result], items: Sequence[Item]) -> Future[Any]:
        """Let a process carry out a batch; the first calls begin the processes."""
        with without_main():
            return super().submit(task, items)

    def renew(self, why: BaseException) -> None:
        """Begin new processes after one was killed: a pool that has lost one gives up all."""
        if not isinstance(why, futures.BrokenExecutor):
            raise why
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._pool(self._workers)

    def give_up(self) -> None:
        """Stop simulations that run; it takes a tenth of a second."""
        self._stop.value = True

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(cancel_futures=True)


class ExecutorPool(WorkerPool):
    """Any `concurrent.futures.Executor` of the user's."""

    def __init__(self, executor: Executor, workers: int) -> None:
        """Take an executor. Without `workers`, ask it for its number."""
        told = workers or getattr(executor, "_max_workers", 0)
        super().__init__(executor, told if isinstance(told, int) and told > 0 else UNKNOWN_WORKERS)


@contextlib.contextmanager
def without_main() -> Iterator[None]:
    """Hide the main module from processes that begin: they would run a script without a ``__main__`` guard.

    They do not need it. What they are sent is found in modules that can be imported.
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
    """Name the workers that are refused, with the reasons."""
    shown = "\n".join(f"  worker {name}: {why}" for name, why in found[:5])
    more = f"\n  and {len(found) - 5} more" if len(found) > 5 else ""
    return (
        f"a worker does not have the same ackclock, so that its results could differ\n{shown}{more}\n"
        "  install the same version and build for every worker, and begin them anew"
    )


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
