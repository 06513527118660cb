"""The two ways of searching: CMA-ES, which follows the harm, and a fuzzer, which follows new states of the sender."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

import numpy as np

from ackclock.errors import UserError, choices

if TYPE_CHECKING:
    from cmaes import CMA
    from numpy.typing import NDArray

    Point: TypeAlias = NDArray[np.float64]

__all__ = ["ENGINES", "Engine", "Scored", "known"]

SIGMA: Final = 0.25
"""First step size of CMA-ES in the unit cube."""

PATIENCE: Final = 8
"""Generations without improvement after which CMA-ES starts again elsewhere."""

LEAST_GAIN: Final = 1e-3
"""Least difference in harm that counts as an improvement."""

SCALES: Final = (0.02, 0.1, 0.3)
"""Standard deviations of a change by the fuzzer."""

ELITE: Final = 8
"""Number of kept points with the greatest harm, from which half of the fuzzer's parents are drawn."""


@dataclass(frozen=True)
class Scored:
    """A point of the unit cube with the outcome of its run."""

    x: Point
    harm: float
    states: frozenset[int]


class Engine(Protocol):
    """Interface of a way of searching; it depends on its seed and on what it is told, and on nothing else."""

    def ask(self, count: int) -> list[Point]:
        """Return the next points to try."""

    def tell(self, scored: Sequence[Scored]) -> None:
        """Learn the outcomes of the points that were asked for, or of the first sample."""


class Cma:
    """CMA-ES (Hansen 2016, by the package cmaes) in the unit cube; it starts again elsewhere when it has converged."""

    def __init__(self, dimension: int, seed: int) -> None:
        """Set the number of dimensions and the seed."""
        self._dimension = dimension
        self._draw = np.random.default_rng([seed, 1])
        self._start: Point | None = None
        self._best, self._idle = -math.inf, 0
        self._own: CMA | None = None

    def ask(self, count: int) -> list[Point]:
        """Return a generation. The first one is around the most harmful point of the first sample."""
        from cmaes import CMA

        if self._own is None:
            mean = self._draw.random(self._dimension) if self._start is None else self._start
            self._start, self._best, self._idle = None, -math.inf, 0
            self._own = CMA(
                mean=np.array(mean),
                sigma=SIGMA,
                bounds=np.array([[0.0, 1.0]] * self._dimension),
                seed=int(self._draw.integers(2**31)),
                population_size=count,
            )
        return [np.asarray(self._own.ask()) for _ in range(count)]

    def tell(self, scored: Sequence[Scored]) -> None:
        """Learn a generation, or the first sample."""
        best = max(scored, key=lambda one: one.harm)
        if self._own is None:
            self._start = best.x
            return
        self._own.tell([(one.x, -one.harm) for one in scored])
        self._idle = 0 if best.harm > self._best + LEAST_GAIN else self._idle + 1
        self._best = max(best.harm, self._best)
        if self._idle >= PATIENCE or self._own.should_stop():
            self._own = None


class Fuzzer:
    """Search by coverage, as fuzzers of programs do: it keeps points whose runs show a new change of state."""

    def __init__(self, dimension: int, seed: int) -> None:
        """Set the number of dimensions and the seed."""
        self._dimension = dimension
        self._draw = np.random.default_rng([seed, 2])
        self._kept: list[Scored] = []
        self._seen: Counter[int] = Counter()

    def ask(self, count: int) -> list[Point]:
        """Return variations of kept points."""
        if not self._kept:
            return [self._draw.random(self._dimension) for _ in range(count)]
        order = sorted(range(len(self._kept)), key=lambda i: (-self._kept[i].harm, i))
        elite = order[:ELITE]
        rarity = np.array([self._rarity(one) for one in self._kept])
        found = []
        for i in range(count):
            if i % 2:
                parent = self._kept[elite[int(self._draw.integers(len(elite)))]]
            else:
                parent = self._kept[int(self._draw.choice(len(self._kept), p=rarity / rarity.sum()))]
            found.append(self._varied(parent.x))
        return found

    def tell(self, scored: Sequence[Scored]) -> None:
        """Keep the points whose runs show a new change of state, or more harm than any before."""
        for one in scored:
            most = max((kept.harm for kept in self._kept), default=-math.inf)
            if any(state not in self._seen for state in one.states) or one.harm > most:
                self._kept.append(one)
            self._seen.update(one.states)

    @property
    def states(self) -> int:
        """Number of different changes of state that were seen."""
        return len(self._seen)

    def _rarity(self, one: Scored) -> float:
        """Return the weight of a kept point: the inverse of how often its rarest state was seen."""
        return 1.0 / min((self._seen[state] for state in one.states), default=1)

    def _varied(self, x: Point) -> Point:
        draw, child = self._draw, x.copy()
        if len(self._kept) > 1 and draw.random() < 0.2:
            other = self._kept[int(draw.integers(len(self._kept)))].x
            child = np.where(draw.random(self._dimension) < 0.5, child, other)
        changed = draw.random(self._dimension) < max(1.5 / self._dimension, 0.1)
        changed[int(draw.integers(self._dimension))] = True
        step = draw.normal(size=self._dimension) * SCALES[int(draw.integers(len(SCALES)))]
        anew = draw.random(self._dimension) < 0.2
        moved = np.where(anew, draw.random(self._dimension), child + step)
        return np.clip(np.where(changed, moved, child), 0.0, 1.0)


ENGINES: Final[dict[str, Callable[[int, int], Engine]]] = {"cma": Cma, "coverage": Fuzzer}
"""Ways of searching by name, as ``--engine`` takes them."""


def known(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of ways of searching, each once; raise `UserError` for a name that is none."""
    for name in names:
        if name not in ENGINES:
            raise UserError(f"--engine: there is none such as {name!r}{choices(name, list(ENGINES))}")
    return tuple(dict.fromkeys(names))
