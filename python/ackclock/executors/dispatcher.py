"""Dispatching a set of items to workers: one queue, each result once, nothing lost with a worker."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Any

from ackclock.errors import UserError
from ackclock.executors.pool import WorkerPool
from ackclock.executors.queue import Queue
from ackclock.executors.task import Item, Result, Task

AIM_S = (0.25, 2.0)
"""Aim for the duration of a batch, seconds: on threads, and on workers to which it travels."""

AHEAD = 2
"""Batches handed out for each worker, so that none waits for the client."""

TRIES = 5
"""Times that an item may be on a worker when the worker is lost, at most."""

LOOK_S = 1.0
"""Time between two checks for workers that have joined, seconds."""


def dispatch(
    pool: WorkerPool,
    task: Task[Item, Result],
    items: Sequence[Item],
    *,
    kinds: Sequence[Hashable],
    guesses: Sequence[float],
    most: int,
    suspect: Callable[[Item], str] | None = None,
) -> Iterator[list[tuple[int, Result]]]:
    """Yield results as they come, with the index of their item; each item's result once.

    Args:
        pool: workers.
        task: function of a batch of items.
        items: its arguments.
        kinds: for each item what those have in common that take equally long.
        guesses: estimated time of each item, relative to the others.
        most: the most items of a batch.
        suspect: says of an item what else than memory may have ended its worker; empty if nothing.

    Raises:
        UserError: if workers have another version, or are lost and cannot be replaced.
        KeyboardInterrupt: after what has not begun was cancelled.

    """
    if not items:
        return
    queue = Queue(kinds, guesses, aim_s=AIM_S[pool.remote], most=most)
    running: dict[Future[Any], list[int]] = {}
    tries = [0] * len(items)
    try:
        while queue or running:
            while queue and len(running) < AHEAD * pool.workers():
                batch = queue.take(pool.workers())
                running[pool.submit(task, [items[index] for index in batch])] = batch
            ended, _ = wait(running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            lost: BaseException | None = None
            for future in ended:
                batch = running.pop(future)
                lost = CancelledError() if future.cancelled() else future.exception()
                if lost is not None:
                    running[future] = batch
                    break
                results, seconds, said = pool.read(task, future.result())
                for index, took in zip(batch, seconds, strict=True):
                    queue.learn(index, took)
                for text in said:
                    warnings.warn(text, RuntimeWarning, stacklevel=2)
                yield list(zip(batch, results, strict=True))
            if lost is not None:
                _again(
                    pool, queue, running, tries, lost, lambda index: suspect(items[index]) if suspect else ""
                )
    except BaseException:
        pool.give_up()
        for future in running:
            future.cancel()
        raise


def _again(
    pool: WorkerPool,
    queue: Queue,
    running: dict[Future[Any], list[int]],
    tries: list[int],
    why: BaseException,
    suspect: Callable[[int], str],
) -> None:
    """Replace lost workers and put their items back; batches that have ended stay to be read."""
    pool.renew(why)
    for future, batch in list(running.items()):
        if not future.done() or future.cancelled() or future.exception() is not None:
            del running[future]
            for index in batch:
                tries[index] += 1
            if len(batch) == 1 and tries[batch[0]] >= TRIES:
                raise UserError(
                    f"a worker ended {TRIES} times while it carried out the same run ({why})\n  "
                    + (
                        suspect(batch[0])
                        or "too little memory is the usual cause: fewer runs at a time (--jobs), or a smaller scenario"
                    )
                ) from why
            queue.give_back(batch)
