"""Correction of short runs: predictions of full runs, fitted to a sample of readings that were run in both lengths.

A short run has more of the start of its flows than a full one, so its numbers are biased. How much depends on the
settings. The logarithm of the ratio of full to short value is therefore fitted by ridge regression, with one term for
each value of each varied setting. Changes between settings may be negative: there the difference is fitted. The median
error of the fit is the scale of a prediction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ackclock.readings.choices import Group
from ackclock.readings.score import Predictions
from ackclock.readings.space import Space

if TYPE_CHECKING:
    from ackclock.readings.score import Array

RIDGE: Final = 0.5
"""Weight of the squared coefficients in the regression, in readings."""

LEAST_FITTED: Final = 60
"""Minimum number of readings to which a model is fitted; with fewer, short values are taken as they are."""

FLOOR: Final = 0.25
"""Least scale of a prediction, as a share of the median absolute error."""


def corrected(
    space: Space, group: Group, short: Array, full: Array, readings: Sequence[int], sample: Sequence[int]
) -> Predictions:
    """Return predictions of the full values of readings from their short runs.

    Args:
        space: The readings.
        group: The numbers.
        short: Values of short runs by reading, replication, number and choice; of one replication.
        full: Values of full runs, likewise; those of `sample` are used.
        readings: Readings to predict.
        sample: Readings that were run in both lengths.

    """
    rows, fitted = np.asarray(readings, dtype=int), np.asarray(sample, dtype=int)
    given = short[rows, 0]
    mean, scale = np.empty_like(given), np.empty_like(given)
    terms, fitted_terms = _terms(space, rows), _terms(space, fitted)
    for number in range(given.shape[1]):
        for choice in range(given.shape[2]):
            at = (slice(None), 0, number, choice)
            mean[:, number, choice], scale[:, number, choice] = _fitted(
                given[:, number, choice],
                terms,
                short[fitted][at],
                full[fitted][at],
                fitted_terms,
                is_change=group.is_change,
            )
    return Predictions(group, mean, scale)


def _fitted(
    given: Array, terms: Array, short: Array, full: Array, fitted_terms: Array, *, is_change: bool
) -> tuple[Array, Array]:
    """Return the predictions of full values from the short values `given`, and their scales."""
    with np.errstate(invalid="ignore", divide="ignore"):
        target = full - short if is_change else np.log(full / short)
    usable = np.isfinite(target)
    factor, known = np.zeros(len(given)), np.zeros(len(short))
    if usable.sum() >= LEAST_FITTED:
        x = fitted_terms[usable]
        # The constant, which is the first term, is not shrunk.
        ridge = np.diag([0.0] + [RIDGE] * (x.shape[1] - 1))
        weights = np.linalg.solve(x.T @ x + ridge, x.T @ target[usable])
        factor, known = terms @ weights, fitted_terms @ weights
    mean = given + factor if is_change else given * np.exp(factor)
    error = np.abs(full - (short + known if is_change else short * np.exp(known)))
    typical = float(np.median(error[np.isfinite(error)])) if np.isfinite(error).any() else 0.0
    if is_change or usable.sum() < LEAST_FITTED:
        return mean, np.full_like(mean, typical)
    relative = float(np.median(np.abs(target[usable] - known[usable])))
    return mean, np.hypot(relative * np.nan_to_num(mean), FLOOR * typical)


def _terms(space: Space, readings: Array) -> Array:
    """Return the terms of the regression by reading: a constant, and an indicator for each value of a setting."""
    values = [space.setting(int(one)) for one in readings]
    columns = [np.ones(len(values))]
    for axis in space.axes:
        for value in axis.values:
            columns.append(np.array([float(one[axis.path] == value) for one in values]))
    return np.column_stack(columns)
