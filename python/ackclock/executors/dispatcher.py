"""Dispatches items to workers from one queue and yields each result exactly once, also when workers are lost."""

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
"""Target duration of a batch, seconds, on threads and on remote workers."""

AHEAD = 2
"""Number of batches submitted per worker, so that workers do not wait for the client."""

TRIES = 5
"""Number of lost workers after which an item is not tried again."""

LOOK_S = 1.0
"""Time between two checks for new workers, seconds."""


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
    """Yield a list of (item index, result) for each finished batch; each item occurs exactly once.

    Args:
        pool: Pool of workers.
        task: Function of a batch of items.
        items: The items.
        kinds: A key for each item; items with equal keys take about the same time.
        guesses: Estimated time of each item, relative to the others.
        most: Maximum number of items in a batch.
        suspect: Function of an item that returns a possible cause, other than memory, of the loss of its worker, or "".

    Raises:
        UserError: If workers have another version, or are lost and cannot be replaced.
        KeyboardInterrupt: On Ctrl-C, after batches that have not started are cancelled.

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
    """Replace lost workers and put the items of their batches back into the queue; keep finished batches."""
    pool.renew(why)
    ended = {
        future: batch
        for future, batch in running.items()
        if not future.done() or future.cancelled() or future.exception() is not None
    }
    for index in (index for batch in ended.values() for index in batch):
        tries[index] += 1
    if any(len(batch) == 1 and tries[batch[0]] >= TRIES for batch in ended.values()):
        # A pool of processes loses all its workers with one, so that any of their runs may be the cause.
        found = (suspect(index) for batch in ended.values() for index in batch)
        raise UserError(
            f"a worker ended {TRIES} times while it carried out the same run ({why})\n  "
            + next(
                filter(None, found),
                "too little memory is the usual cause: fewer runs at a time (--jobs), or a smaller scenario",
            )
        ) from why
    for future, batch in ended.items():
        del running[future]
        queue.give_back(batch)
