"""Who carries out runs: threads, processes, a Dask cluster, any `concurrent.futures.Executor`.

A sweep is a set of runs that do not depend on each other. `opened` gives the workers, `carry_out` lets them carry out a
set of items in batches and yields each result once, whatever the order in which workers finish, join or are lost.
Nothing here knows what a run is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TypeAlias

from ackclock.errors import UserError, choices, whole
from ackclock.executors.dispatch import carry_out
from ackclock.executors.pool import Crew, Given, Processes, Threads, cores

__all__ = ["NAMES", "Asked", "Crew", "carry_out", "named", "opened"]

NAMES = ("threads", "processes", "dask:local", "dask:ADDRESS")
"""What `--executor` takes."""

Asked: TypeAlias = "str | Executor | Crew | None"
"""Workers as they are asked for: a name of `NAMES`, an executor, or workers that are there already; None: threads."""


@contextlib.contextmanager
def opened(asked: Asked, workers: int = 0) -> Iterator[Crew]:
    """Give the workers asked for, checked for their version; let go of them in the end.

    Args:
        asked: a name, an executor or a crew; threads if None.
        workers: how many; 0: one per core, or as many as an executor has.

    Raises:
        UserError: if there is no such executor, Dask is not installed, no scheduler answers, or a worker has another
            version or build of ackclock.

    """
    if isinstance(asked, Crew):
        yield asked
        return
    crew = _made(asked, workers)
    try:
        crew.check()
        yield crew
    except BaseException:
        crew.give_up()
        raise
    finally:
        crew.close()


def named(text: str) -> str:
    """Return the name of an executor if there is one such; `UserError` says which there are."""
    kind, colon, rest = text.partition(":")
    if text in NAMES[:2] or (kind == "dask" and colon and rest):
        return text
    raise UserError(f"--executor: there is none such as {text!r}{choices(text, NAMES)}")


def _made(asked: str | Executor | None, workers: int) -> Crew:
    from ackclock.executors import cluster

    if isinstance(asked, Executor):
        return cluster.of_client(asked) or Given(asked, workers)
    if asked is not None and not isinstance(asked, str):
        raise UserError(f"executor: {asked!r} is neither a name nor a concurrent.futures.Executor")
    name = "threads" if asked is None else named(asked)
    whole("threads", workers, 0)
    if name == "threads":
        return Threads(workers or cores())
    if name == "processes":
        return Processes(workers or cores())
    return cluster.connected(name.partition(":")[2], workers)
