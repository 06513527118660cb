"""Worker pools: threads, processes, a Dask cluster, any `concurrent.futures.Executor`.

A sweep is a set of runs that do not depend on each other. `opened` gives the workers, `dispatch` hands them a
set of items in batches and yields each result once, whatever the order in which workers finish, join or are lost.
Nothing here knows what a run is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TypeAlias

from ackclock.errors import UserError, choices, whole
from ackclock.executors.dispatcher import dispatch
from ackclock.executors.pool import ExecutorPool, ProcessPool, ThreadPool, WorkerPool, cores

__all__ = ["NAMES", "ExecutorLike", "WorkerPool", "dispatch", "named", "opened"]

NAMES = ("threads", "processes", "dask:local", "dask:ADDRESS")
"""Values of `--executor`."""

ExecutorLike: TypeAlias = "str | Executor | WorkerPool | None"
"""Workers that are asked for: a name of `NAMES`, an executor, or existing workers; None for threads."""


@contextlib.contextmanager
def opened(asked: ExecutorLike, workers: int = 0) -> Iterator[WorkerPool]:
    """Give the workers asked for, checked for their version; let go of them in the end.

    Args:
        asked: a name, an executor or a pool; threads if None.
        workers: their number; 0: one per core, or as many as an executor has.

    Raises:
        UserError: if there is no such executor, Dask is not installed, no scheduler answers, or a worker has another
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
    """Return the name of an executor if it exists; `UserError` lists the names."""
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
