"""Worker pools: threads, processes, a Dask cluster, or any `concurrent.futures.Executor`.

A sweep consists of independent runs. `opened` provides a pool of workers. `dispatch` sends them items in batches and
yields each result exactly once, also if workers join or are lost. This package does not depend on what an item is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TypeAlias

from ackclock.errors import UserError, choices, whole
from ackclock.executors.dispatcher import dispatch
from ackclock.executors.pool import ExecutorPool, ProcessPool, ThreadPool, WorkerPool, cores

__all__ = ["NAMES", "ExecutorLike", "ThreadPool", "WorkerPool", "dispatch", "named", "opened"]

NAMES = ("threads", "processes", "dask:local", "dask:ADDRESS")
"""Values of option ``--executor``."""

ExecutorLike: TypeAlias = "str | Executor | WorkerPool | None"
"""A way to run items: a name from `NAMES`, an executor, or an existing pool; None for threads."""


@contextlib.contextmanager
def opened(asked: ExecutorLike, workers: int = 0) -> Iterator[WorkerPool]:
    """Yield a pool of workers whose versions have been checked; release the pool when the context ends.

    Args:
        asked: Name, executor or pool; threads if None.
        workers: Number of workers; 0 for one per core, or for the executor's number.

    Raises:
        UserError: If there is no such executor, Dask is not installed, no scheduler answers, or a worker has another
            version or build of ackclock.

    """
    if isinstance(asked, WorkerPool):
        yield asked
        return
    pool = _made(asked, workers)
    try:
        pool.check()
        yield pool
    except BaseException:
        pool.give_up()
        raise
    finally:
        pool.close()


def named(text: str) -> str:
    """Return the name of an executor; raise `UserError`, which lists the names, if there is no such executor."""
    kind, colon, rest = text.partition(":")
    if text in NAMES[:2] or (kind == "dask" and colon and rest):
        return text
    raise UserError(f"--executor: there is none such as {text!r}{choices(text, NAMES)}")


def _made(asked: str | Executor | None, workers: int) -> WorkerPool:
    from ackclock.executors import cluster

    if isinstance(asked, Executor):
        return cluster.of_client(asked) or ExecutorPool(asked, workers)
    if asked is not None and not isinstance(asked, str):
        raise UserError(f"executor: {asked!r} is neither a name nor a concurrent.futures.Executor")
    name = "threads" if asked is None else named(asked)
    whole("threads", workers, 0)
    if name == "threads":
        return ThreadPool(workers or cores())
    if name == "processes":
        return ProcessPool(workers or cores())
    return cluster.connected(name.partition(":")[2], workers)
