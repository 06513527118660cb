"""Rungs of a search by successive halving: the lengths of runs and the numbers of seeds, and the readings that stay.

A search of many readings begins with short runs. Each rung of length runs the better ones of the readings for four
times as long. The readings that reach full length get twice as many seeds on each further rung, while half of them
stay. The order depends on the numbers alone, so a search is deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from ackclock.readings.score import Array

MOST_WHOLE: Final = 2_000
"""Number of readings up to which every reading is run in full length."""

FOLD: Final = 4
"""Factor by which runs grow from one rung of length to the next."""

LONGER: Final = (0.25, 0.5)
"""Share of readings that go on to longer runs: from the last rung of short runs, and from those before it."""

LEAST_LONGER: Final = 400
"""Minimum number of readings that go on to longer runs."""

SEEDED: Final = (0.1, 20)
"""Readings that get a second seed: a share of those run in full length, and the minimum number."""

LEAST_HALVED: Final = 5
"""Minimum number of readings that stay if half of them would be fewer."""

TIE_BITS: Final = 3.3
"""Surprise, bits, by which a reading may exceed the best one and count as tied; it is then a tenth as likely."""


def lengths(readings: int) -> list[float]:
    """Return the lengths of runs of a search, as shares of the full length, ascending; the last one is 1."""
    found = [1.0]
    while readings * found[0] > MOST_WHOLE:
        found.insert(0, found[0] / FOLD)
    return found


def seeds(reps: int) -> list[int]:
    """Return the numbers of seeds on the rungs of a search: powers of two below `reps`, and `reps`."""
    found = [1]
    while found[-1] < reps:
        found.append(min(2 * found[-1], reps))
    return found


def longer(readings: Sequence[int], bits: Array, length: float) -> list[int]:
    """Return the readings that go on from runs of this length to longer ones, ascending."""
    share = LONGER[0] if length * FOLD >= 1 else LONGER[1]
    return sorted(_best(readings, bits, max(LEAST_LONGER, round(share * len(readings)))))


def seeded(readings: Sequence[int], bits: Array) -> list[int]:
    """Return the readings that get a second seed, best first."""
    share, least = SEEDED
    return _best(readings, bits, max(least, round(share * len(readings))))


def halved(readings: Sequence[int], bits: Array) -> list[int]:
    """Return the better half of readings, best first; readings that are tied with the best one stay, too."""
    tied = int(np.sum(bits <= bits.min() + TIE_BITS))
    return _best(readings, bits, max(LEAST_HALVED, tied, -(-len(readings) // 2)))


def _best(readings: Sequence[int], bits: Array, count: int) -> list[int]:
    """Return the readings with the least surprise, best first; ties are in the order of numbers."""
    order = np.argsort(bits, kind="stable")
    return [readings[i] for i in order[:count]]
