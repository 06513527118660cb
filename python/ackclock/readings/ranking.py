"""Ranking of readings: distances, ties, chance, and the numbers that were held back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ackclock.readings.chance import Chance, chance
from ackclock.readings.choices import Cell, Group, groups, predicted
from ackclock.readings.ladder import TIE_BITS
from ackclock.readings.published import Number, Published
from ackclock.readings.runner import Plan, Search
from ackclock.readings.score import Predictions, Printed, best_choices, surprise
from ackclock.readings.space import Space

MOST_TIED: Final = 10
"""Maximum number of tied readings that are compared with each other."""


@dataclass(frozen=True)
class Stages:
    """Readings by the stages of a search that they reached."""

    whole: tuple[int, ...]
    """Readings with a run of full length."""
    best: tuple[int, ...]
    """Readings with all replications."""
    sampled: tuple[int, ...]
    """Readings from which the chance is computed: all possible ones or a sample, and a sample of excluded ones."""
    possible: int
    """Number of readings that links and windows do not exclude."""
    drawn: int
    """Number of those in `sampled`."""


@dataclass(frozen=True)
class Found:
    """The outcome of a search."""

    space: Space
    published: Published
    plan: Plan
    groups: tuple[Group, ...]
    order: tuple[int, ...]
    """Readings that were run in full length, best first."""
    bits: Mapping[int, float]
    """Total surprise of each of them, bits."""
    predicted: Mapping[int, tuple[Predictions, ...]]
    """Predictions of the best readings, by group; each has one reading."""
    picked: Mapping[int, tuple[int, ...]]
    """Index of the best choice of each group, for the best readings."""
    chance: Chance
    tied: tuple[int, ...]
    """Readings that the numbers do not tell apart from the first, which is among them."""
    runs: int
    impossible: int
    """Number of readings whose settings contradict each other."""
    excluded: int
    """Number of readings that were not run, since their links cannot give a published number."""
    held: tuple[tuple[Number, float, float], ...]
    """Numbers that the search did not see, with prediction and scale in the number's unit."""
    summaries: Mapping[int, Mapping[Cell, Mapping[str, Any]]]
    """Summaries of the first replications of tied readings, by cell."""

    @property
    def tried(self) -> int:
        """Number of readings that were run or excluded."""
        return len(self.space) - self.impossible

    @property
    def numbers(self) -> int:
        """Number of published numbers that the search compared."""
        return sum(len(one.numbers) for one in self.groups)

    def probability(self, *readings: int) -> float:
        """Return the probability that one of these readings is true, provided that any of the ranked readings is.

        It is their share of the total likelihood, and assumes that the paper's simulator behaves like this one.
        """
        least = self.bits[self.order[0]]
        likely: dict[int, float] = {one: math.exp2(least - bits) for one, bits in self.bits.items()}
        return sum(likely[one] for one in readings) / sum(likely.values())

    def distance(self, reading: int) -> float:
        """Return the mean surprise per number of a reading, bits."""
        return self.bits[reading] / self.numbers

    def definitions(self, reading: int) -> dict[str, str]:
        """Return the best definition of each quantity in a reading."""
        return {
            group.name: group.choices[at].text(group)
            for group, at in zip(self.groups, self.picked[reading], strict=True)
        }

    def rows(self, reading: int) -> list[tuple[Number, float, float, float]]:
        """Return each number with prediction, scale of the spread, and surprise, bits, under the best choices."""
        found = []
        for group, one, at in zip(self.groups, self.predicted[reading], self.picked[reading], strict=True):
            bits = surprise(one, Printed.of(group))[0, :, at]
            for i, number in enumerate(group.numbers):
                found.append((number, float(one.mean[0, i, at]), float(one.scale[0, i, at]), float(bits[i])))
        return sorted(found, key=lambda row: row[0].line)


def ranked(
    of: Search,
    published: Published,
    held: Sequence[Number],
    stages: Stages,
    *,
    impossible: int,
    excluded: int,
) -> Found:
    """Return the ranking of a finished search."""
    bits = dict(zip(stages.whole, map(float, of.surprise(stages.whole, of.values)), strict=True))
    best = set(stages.best)
    # Only readings with all replications compete for the first places.
    order = sorted(stages.whole, key=lambda one: (one not in best, bits[one], one))
    finalists = [one for one in order if one in best]
    least = bits[order[0]]
    tied = tuple(one for one in finalists if bits[one] <= least + TIE_BITS)
    together = of.predictions(finalists, of.values)
    shown = {one: tuple(group.of([i]) for group in together) for i, one in enumerate(finalists)}
    picked = {
        one: tuple(int(best_choices(each, Printed.of(each.group))[1][0]) for each in some)
        for one, some in shown.items()
    }
    return Found(
        space=of.space,
        published=published,
        plan=of.plan,
        groups=of.groups,
        order=tuple(order),
        bits=bits,
        predicted=shown,
        picked=picked,
        chance=_chance(of, stages),
        tied=tied,
        runs=of.runs,
        impossible=impossible,
        excluded=excluded,
        held=tuple(_held(of, one, order[0], picked[order[0]]) for one in held),
        summaries={one: dict(of.summaries(one)) for one in tied[:MOST_TIED]},
    )


def _chance(of: Search, stages: Stages) -> Chance:
    """Return the chance of the best match, from first replications."""
    basis = of.predictions(stages.sampled, of.values, first=True)
    return chance(
        basis,
        [Printed.of(one.group) for one in basis],
        readings=stages.possible,
        drawn=stages.drawn,
        best=float(np.min(of.surprise(stages.whole, of.values, first=True))),
        tables=of.plan.tables,
    )


def _held(of: Search, number: Number, reading: int, picked: Sequence[int]) -> tuple[Number, float, float]:
    """Return a number that was held back with prediction and scale, under the definitions of the best reading."""
    own = groups([number], of.flows)[0]
    choice = own.choices[0]
    for group, at in zip(of.groups, picked, strict=True):
        if (group.quantity, group.is_change) == (own.quantity, own.is_change):
            choice = group.choices[at]
    values = [
        predicted(number, choice, of.measured(reading, replication, [(number.quantity, number.flow)]))
        for replication in range(of.plan.reps)
    ]
    mean = float(np.mean(values))
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return number, mean, float(np.hypot(number.half, spread * np.sqrt(1 / number.runs + 1 / len(values))))
