"""Queue of items that have not started; serves first an item of each unknown kind, then the longest items."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Hashable, Sequence

SHARE = 3.0
"""Near the end, a batch gets at most 1 / `SHARE` of a worker's part of the remaining items."""


class Queue:
    """Items that have not started, grouped by kind; items of one kind take about the same time.

    The first item of each kind comes first, since it shows how long the others take. Then the longest items come first,
    so that the last items are short and all workers finish at nearly the same time.
    """

    def __init__(
        self, kinds: Sequence[Hashable], guesses: Sequence[float], *, aim_s: float, most: int
    ) -> None:
        """Enqueue all items, by index.

        Args:
            kinds: Kind of each item.
            guesses: Estimated time of each item, relative to the others.
            aim_s: Target duration of a batch, seconds.
            most: Maximum number of items in a batch.
        """
        self._kinds, self._guesses = kinds, guesses
        self._aim_s, self._most = aim_s, most
        self._waiting: dict[Hashable, deque[int]] = {}
        for index, kind in enumerate(kinds):
            self._waiting.setdefault(kind, deque()).append(index)
        fresh = sorted((-guesses[some[0]], some[0]) for some in self._waiting.values())
        self._fresh = deque(index for _, index in fresh)
        for some in self._waiting.values():
            some.popleft()
        self._unknown = deque(kinds[index] for index in self._fresh)
        self._longest: list[tuple[float, int, Hashable]] = []
        self._known: dict[Hashable, float] = {}
        self._again: deque[list[int]] = deque()
        self._left = len(kinds)
        self._done_s = self._done_guess = 0.0
        self._left_guess = math.fsum(guesses)

    def __len__(self) -> int:
        """Return the number of items in the queue."""
        return self._left

    def take(self, workers: int) -> list[int]:
        """Remove the next batch from the queue and return its indices."""
        if self._again:
            again = self._again.popleft()
            self._left -= len(again)
            return again
        ratio = self._done_s / self._done_guess if self._done_guess else None
        if ratio is None:
            return self._taken([self._next()])
        end = self._left_guess * ratio / (SHARE * max(workers, 1))
        aim = min(self._aim_s, end)
        batch: list[int] = []
        took = 0.0
        while self._left > len(batch) and len(batch) < self._most and (took < aim or not batch):
            index = self._next()
            batch.append(index)
            took += self._known.get(self._kinds[index], self._guesses[index] * ratio)
        return self._taken(batch)

    def learn(self, index: int, seconds: float) -> None:
        """Record the time that an item took."""
        self._done_s += seconds
        self._done_guess += self._guesses[index]
        kind = self._kinds[index]
        if kind not in self._known:
            self._known[kind] = seconds
            if self._waiting[kind]:
                heapq.heappush(self._longest, (-seconds, index, kind))

    def give_back(self, batch: Sequence[int]) -> None:
        """Put items back as batches of one, since one of them may have killed its worker."""
        self._again.extend([index] for index in batch)
        self._left += len(batch)

    def _taken(self, batch: list[int]) -> list[int]:
        self._left -= len(batch)
        self._left_guess -= math.fsum(self._guesses[index] for index in batch)
        return batch

    def _next(self) -> int:
        if self._fresh:
            return self._fresh.popleft()
        while self._longest:
            kind = self._longest[0][2]
            if self._waiting[kind]:
                return self._waiting[kind].popleft()
            heapq.heappop(self._longest)
        while not self._waiting[self._unknown[0]]:
            self._unknown.popleft()
        return self._waiting[self._unknown[0]].popleft()
