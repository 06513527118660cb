"""The queue of items that have not begun: unknown kinds first, then the longest items, in batches of a given time."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Hashable, Sequence

SHARE = 3.0
"""Near the end a batch holds at most this fraction, one over it, of a worker's part of the remaining items."""


class Queue:
    """Items that have not begun, by kind: items of one kind take about equally long.

    The first item of each kind goes first, since only then is it known how long the others take; then the longest go
    first, so that the last ones are short and all workers end at nearly the same time.
    """

    def __init__(
        self, kinds: Sequence[Hashable], guesses: Sequence[float], *, aim_s: float, most: int
    ) -> None:
        """Take all items, by their index.

        Args:
            kinds: the kind of each item.
            guesses: estimated time of each, relative to the others, in any unit.
            aim_s: time that a batch should take, seconds.
            most: the most items of a batch.
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
        """Return the number of items that have not begun."""
        return self._left

    def take(self, workers: int) -> list[int]:
        """Return the next batch."""
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
        """Note the time that an item took."""
        self._done_s += seconds
        self._done_guess += self._guesses[index]
        kind = self._kinds[index]
        if kind not in self._known:
            self._known[kind] = seconds
            if self._waiting[kind]:
                heapq.heappush(self._longest, (-seconds, index, kind))

    def give_back(self, batch: Sequence[int]) -> None:
        """Put items back, each by itself, since one of them may have ended the worker."""
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
