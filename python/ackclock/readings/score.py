"""Distance of readings from published numbers, in bits.

A reading predicts each number by the mean of its runs. Its error e is the distance from the interval that rounds to
the printed digits, whose half width is h. The scale u of the error combines h with the spread between seeds. The
distance of a number is the surprise of a Cauchy density with that scale, against a number that comes out as printed:
log2((u^2 + e^2) / (u h)) bits. Errors of unknown size, such as those between two simulators, thus cost by their order
of magnitude. The distance of a reading is the mean over its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ackclock.readings.choices import Group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NOTHING_BITS: Final = 100.0
"""Surprise of a number for which a reading has no value, bits."""

PRIOR: Final = 1.0
"""Weight of the spread that other readings show, in replications."""


@dataclass(frozen=True)
class Predictions:
    """Predictions of a group's numbers: means, spreads and numbers of runs."""

    group: Group
    mean: Array
    """By reading, number and choice, in the number's unit."""
    scale: Array
    """Standard error of a printed value about the mean, from the spread between seeds; the same shape."""

    def of(self, readings: Sequence[int] | NDArray[np.int64]) -> Predictions:
        """Return the predictions of some readings."""
        rows = np.asarray(readings, dtype=int)
        return Predictions(self.group, self.mean[rows], self.scale[rows])


@dataclass(frozen=True)
class Printed:
    """The printed values of a group's numbers."""

    value: Array
    half: Array
    bound: Array
    """-1 for "less than", 1 for "more than", 0 for a value."""

    @classmethod
    def of(cls, group: Group) -> Printed:
        """Return the values of a group as the paper prints them."""
        signs = {"<": -1.0, ">": 1.0, "": 0.0}
        return cls(
            np.array([one.value for one in group.numbers]),
            np.array([one.half for one in group.numbers]),
            np.array([signs[one.bound] for one in group.numbers]),
        )


def predictions(group: Group, values: Array, *, spread_of: Array | None = None) -> Predictions:
    """Return predictions from the values of runs, by reading, replication, number and choice; NaN if not run.

    `spread_of` has the spread by number and choice for readings with one replication; by default it is that of
    `typical_spread` for the readings with several.
    """
    there = ~np.isnan(values)
    n = there.sum(axis=1)
    some = np.maximum(n, 1)
    mean = np.where(n > 0, np.where(there, values, 0.0).sum(axis=1) / some, np.nan)
    squares = np.where(there, (values - mean[:, None]) ** 2, 0.0).sum(axis=1)
    prior = typical_spread(group, values) if spread_of is None else spread_of
    known = (prior * _unit(group, np.nan_to_num(mean))) ** 2
    variance = (squares + PRIOR * known) / (np.maximum(n - 1, 0) + PRIOR)
    runs = np.array([one.runs for one in group.numbers], dtype=float)[None, :, None]
    return Predictions(group, mean, np.sqrt(variance * (1 / runs + 1 / some)))


def typical_spread(group: Group, values: Array) -> Array:
    """Return the median, over readings with several replications, of the spread by number and choice.

    The spread of a value is relative to it. That of a change between settings is absolute: it does not vanish with
    the change.
    """
    n = (~np.isnan(values)).sum(axis=1)
    several = (n > 1).any(axis=(1, 2))
    if not several.any():
        return np.zeros(values.shape[2:])
    chosen = values[several]
    there = ~np.isnan(chosen)
    count = there.sum(axis=1)
    mean = np.where(there, chosen, 0.0).sum(axis=1) / np.maximum(count, 1)
    squares = np.where(there, (chosen - mean[:, None]) ** 2, 0.0).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(squares / np.maximum(count - 1, 1)) / _unit(group, mean)
    found: Array = np.median(np.where(np.isfinite(spread), spread, 0.0), axis=0)
    return found


def _unit(group: Group, mean: Array) -> Array:
    """Return the unit of spreads: the size of a value, or 1 for a change between settings."""
    return np.ones_like(mean) if group.is_change else np.abs(mean)


def surprise(predicted: Predictions, printed: Printed) -> Array:
    """Return the surprise of each number, bits, by reading, number and choice."""
    half = printed.half[None, :, None]
    error = predicted.mean - printed.value[None, :, None]
    bound = printed.bound[None, :, None]
    error = np.where(bound < 0, np.maximum(error, 0.0), np.where(bound > 0, np.minimum(error, 0.0), error))
    error = np.maximum(np.abs(error) - half, 0.0)
    square = half**2 + predicted.scale**2
    with np.errstate(invalid="ignore", divide="ignore"):
        bits = np.log2((square + error**2) / (np.sqrt(square) * half))
    found: Array = np.where(np.isfinite(bits), bits, NOTHING_BITS)
    return found


def best_choices(predicted: Predictions, printed: Printed) -> tuple[Array, NDArray[np.int64]]:
    """Return the surprise of a group under each reading's best choice, bits, and the index of that choice."""
    bits = surprise(predicted, printed).sum(axis=1)
    at = bits.argmin(axis=1)
    return bits[np.arange(len(bits)), at], at
