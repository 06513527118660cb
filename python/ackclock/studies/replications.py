"""Rows of many runs, looked up by point: replications in order of their seeds, so that they pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


class Seeded(Protocol):
    """A row of a run."""

    @property
    def seed(self) -> int:
        """Seed of the run."""


R = TypeVar("R", bound=Seeded)
K = TypeVar("K", bound="Hashable")


class Replications(Generic[R, K]):
    """The rows of each run by what was run and by seed, in the order in which they came."""

    def __init__(self, rows: Iterable[R], key: Callable[[R], K]) -> None:
        self._runs: dict[K, dict[int, list[R]]] = {}
        for row in rows:
            self._runs.setdefault(key(row), {}).setdefault(row.seed, []).append(row)

    @property
    def kinds(self) -> list[K]:
        """What was run, in order."""
        return list(self._runs)

    def seeds(self, key: K) -> list[int]:
        """Seeds of the runs of one kind, rising; none where it was not run."""
        return sorted(self._runs.get(key, {}))

    def rows(self, key: K, seed: int) -> list[R]:
        """The rows of one run."""
        return self._runs[key][seed]

    def runs(self, key: K) -> list[list[R]]:
        """The rows of each run of one kind, by rising seed.

        Raises:
            KeyError: It was not run.
        """
        found = self._runs[key]
        return [found[seed] for seed in sorted(found)]
