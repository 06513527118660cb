"""Chance: how often numbers that no reading gives are matched as well as the published ones.

Random tables of two kinds take the place of the published numbers, and the search over the definitions is repeated for
each table. A permuted table has the published numbers, permuted among the cells of each quantity. In a perturbed table
each number is drawn independently from the range of the readings' predictions for its cell. Its numbers thus have
plausible sizes, although no single reading gives all of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ackclock.readings.score import Predictions, Printed, best_choices

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from ackclock.readings.score import Array

THRESHOLD: Final = 0.02
"""Chance up to which a reading is called a match."""

MOST_TABLES: Final = 999
"""Number of random tables of each kind (permuted and perturbed), unless the comparisons would exceed `EFFORT`."""

LEAST_TABLES: Final = 199
"""Minimum number of random tables of each kind; enough to find a chance below `THRESHOLD`."""

EFFORT: Final = 3e8
"""Number of comparisons of a prediction with a number of a random table, per kind of table, above which fewer tables
are drawn."""

MOST_PERMUTED: Final = 6
"""Maximum number of cells of a quantity whose permutations are all tried; with more cells, random ones are drawn."""

FEWEST_DEALS: Final = 50
"""Minimum number of different permutations; with fewer, a chance below the threshold could not be found."""

NARROW: Final = 0.01
"""Least width of the range from which a random value for a number is drawn, as a fraction of the printed number; used
if the predictions of the readings span less."""


@dataclass(frozen=True)
class Chance:
    """Probability that numbers from no reading are matched as well as the published ones."""

    permuted: float | None
    """The probability for permuted tables; None if there are too few different permutations."""
    perturbed: float
    """The probability for perturbed tables, whose numbers are drawn from the ranges of the readings' predictions."""
    tables: int
    """Number of perturbed tables, and of permuted ones unless all permutations were tried."""

    @property
    def largest(self) -> float:
        """The larger of the two probabilities; `perturbed` if it is the only one."""
        return max(self.perturbed, self.permuted or 0.0)

    @property
    def is_match(self) -> bool:
        """True if `largest` is at most `THRESHOLD`."""
        return self.largest <= THRESHOLD


def deals(printed: Sequence[Printed]) -> float:
    """Return the number of different permutations of the numbers among the cells of their quantities."""
    found = 1.0
    for one in printed:
        _, counts = np.unique(one.value, return_counts=True)
        found *= math.factorial(len(one.value)) / math.prod(math.factorial(int(n)) for n in counts)
    return found


def chance(
    predicted: Sequence[Predictions],
    printed: Sequence[Printed],
    *,
    readings: int,
    best: float,
    drawn: int | None = None,
    tables: int = MOST_TABLES,
    seed: int = 0,
) -> Chance:
    """Return the chance of a match with a total surprise of `best` bits.

    Args:
        predicted: Predictions of all readings, or of a sample of them, by group.
        printed: Published numbers, by group.
        readings: Number of readings of the search; if `predicted` has fewer, the least surprise is extrapolated.
        drawn: Number of those in `predicted`, which may have other readings, too; None for all.
        best: Surprise of the best reading, bits, computed from the same number of replications.
        tables: Number of random tables of each kind; fewer, down to `LEAST_TABLES`, if they would take long.
        seed: Seed of the random tables.

    """
    effort = sum(one.mean.size for one in predicted)
    tables = int(min(tables, max(LEAST_TABLES, EFFORT / max(effort, 1))))
    draw = np.random.default_rng(seed)
    missing = readings / (len(predicted[0].mean) if drawn is None else drawn)
    permuted = None
    if deals(printed) >= FEWEST_DEALS:
        every = _all_deals(printed)
        dealt = every or ([_permuted(one, draw) for one in printed] for _ in range(tables))
        permuted = _share(predicted, dealt, missing, best, is_exact=bool(every))
    moved = _Perturbed(predicted, printed)
    perturbed = _share(predicted, (moved.drawn(draw) for _ in range(tables)), missing, best)
    return Chance(permuted, perturbed, tables)


def _all_deals(printed: Sequence[Printed]) -> list[list[Printed]]:
    """Return all different permutations of the numbers, the published one included; empty if they are too many."""
    if deals(printed) > MOST_TABLES or max(len(one.value) for one in printed) > MOST_PERMUTED:
        return []
    each: list[list[Printed]] = []
    for one in printed:
        orders = {
            tuple(one.value[list(order)]): order for order in itertools.permutations(range(len(one.value)))
        }
        each.append([_ordered(one, np.array(order)) for order in orders.values()])
    return [list(some) for some in itertools.product(*each)]


def _share(
    predicted: Sequence[Predictions],
    tables: Iterable[Sequence[Printed]],
    missing: float,
    best: float,
    *,
    is_exact: bool = False,
) -> float:
    """Return the share of tables that some reading matches with a surprise of at most `best` bits.

    With `is_exact`, `tables` contains all permutations, otherwise a random sample. The search has `missing` times as
    many readings as were drawn; if these are more than `predicted` has, the share is extrapolated.
    """
    as_near, below, count = 0, 0, 0
    for table in tables:
        count += 1
        near = _near(predicted, table, best)
        below += near
        as_near += near > 0
    share = as_near / count if is_exact else (1 + as_near) / (count + 1)
    if missing <= 1:
        return share
    # Readings that were not drawn are as near as often as those that were.
    return max(share, -math.expm1(-missing * below / count))


def _near(predicted: Sequence[Predictions], table: Sequence[Printed], best: float) -> int:
    """Return the number of readings that match a table with a surprise of at most `best` bits.

    Surprises are not negative, so a reading is left out as soon as those of some groups exceed `best`. Groups with few
    choices come first, since they cost least.
    """
    rows = np.arange(len(predicted[0].mean))
    total = np.zeros(len(rows))
    for at in sorted(range(len(predicted)), key=lambda at: predicted[at].mean.size):
        total = total + best_choices(predicted[at].of(rows), table[at])[0]
        # Equal tables differ by rounding only.
        stay = total <= best + 1e-9
        rows, total = rows[stay], total[stay]
    return len(rows)


def _permuted(printed: Printed, draw: Generator) -> Printed:
    return _ordered(printed, draw.permutation(len(printed.value)))


def _ordered(printed: Printed, order: NDArray[np.int64]) -> Printed:
    return Printed(printed.value[order], printed.half[order], printed.bound[order])


class _Perturbed:
    """Distributions of perturbed numbers: the predictions of all readings, interpolated between neighbours."""

    def __init__(self, predicted: Sequence[Predictions], printed: Sequence[Printed]) -> None:
        """Take the predictions under the choice that is best in the best reading."""
        bits = [best_choices(group, one) for group, one in zip(predicted, printed, strict=True)]
        first = int(np.argmin(sum(one for one, _ in bits)))
        self._printed = printed
        self._values: list[list[Array]] = []
        for group, one, (_, picked) in zip(predicted, printed, bits, strict=True):
            values = group.mean[:, :, picked[first]]
            self._values.append([_range(values[:, i], float(one.value[i])) for i in range(values.shape[1])])

    def drawn(self, draw: Generator) -> list[Printed]:
        """Return a table of perturbed numbers."""
        made = []
        for one, columns in zip(self._printed, self._values, strict=True):
            at = draw.uniform(0.0, 1.0, len(columns))
            value = np.array(
                [
                    np.interp(share * (len(column) - 1), np.arange(len(column)), column)
                    for column, share in zip(columns, at, strict=True)
                ]
            )
            made.append(Printed(value, one.half, one.bound))
        return made


def _range(values: Array, printed: float) -> Array:
    """Return the different predictions of a number, ascending; if they span too little, the ends of a wider range."""
    found: Array = np.unique(values[np.isfinite(values)])
    width = NARROW * abs(printed)
    if len(found) > 1 and found[-1] - found[0] >= width:
        return found
    middle = float(found.mean()) if len(found) else printed
    return np.array([middle - width / 2, middle + width / 2])
