"""The search: readings are run from coarse to fine, and ranked by their distance from published numbers."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ackclock import executors
from ackclock.errors import UserError
from ackclock.readings import ladder
from ackclock.readings.choices import groups
from ackclock.readings.published import Number, Published
from ackclock.readings.ranking import Found, Stages, ranked
from ackclock.readings.runner import Plan, Search, Told
from ackclock.readings.space import Space
from ackclock.sweeps.jobs import MemoryStore, Progress, Registry

SAMPLE: Final = 300
"""Number of readings, drawn at random, by which short runs are corrected, and from which the chance is computed."""


def search(
    space: Space,
    published: Published,
    plan: Plan,
    *,
    store: Registry | None = None,
    threads: int = 0,
    executor: executors.ExecutorLike = None,
    progress: Progress | None = None,
    told: Told | None = None,
) -> Found:
    """Run the readings of a space and rank them by their distance from published numbers.

    Args:
        space: The readings.
        published: The numbers.
        plan: Options of the search.
        store: Store of finished runs, by which an interrupted search continues.
        threads: Number of runs at the same time; 0 for one per core.
        executor: Executor of the runs; results do not depend on it.
        progress: Progress callback of the current stage.
        told: Function that is given the best reading so far.

    """
    seen, held = hold_back(published.numbers, plan.hold)
    flows = len(space.scenario.document().get("flow", ()))
    facts = {one.quantity.name: one.base for one in reversed(published.stated)}
    plan = replace(plan, facts=facts)
    choices = groups(seen, flows, plan.definitions, traced=plan.traced, stated=facts)
    of = Search(space, choices, plan, MemoryStore() if store is None else store)
    with executors.opened(executor, threads) as pool:
        return carried_out(of, published, held, pool, progress, told)


def carried_out(
    of: Search,
    published: Published,
    held: Sequence[Number],
    pool: executors.WorkerPool,
    progress: Progress | None = None,
    told: Told | None = None,
) -> Found:
    """Carry out a search on the workers of `pool`; `held` has the numbers that it must not see."""
    space, seen = of.space, [number for group in of.groups for number in group.numbers]
    valid = [reading for reading in range(len(space)) if space.is_valid(reading)]
    possible = [reading for reading in valid if not space.exceeds(reading, seen)] or valid
    excluded = sorted(set(valid) - set(possible))
    sample = list(possible) if len(possible) <= ladder.MOST_WHOLE else _sample(possible)
    whole = _in_full_length(of, possible, sample, pool, progress, told)
    _refuse_missing(of)
    best = _with_all_seeds(of, whole, pool, progress, told)
    # Excluded readings count among those that chance may draw from: otherwise bounds would make a match look weaker.
    others = _sample(excluded)
    of.run(others, [0], pool, progress, None)
    return ranked(
        of,
        published,
        held,
        Stages(tuple(whole), tuple(best), (*sample, *others), len(possible), len(sample)),
        impossible=len(space) - len(valid),
        excluded=len(excluded),
    )


def _in_full_length(
    of: Search,
    readings: list[int],
    sample: list[int],
    pool: executors.WorkerPool,
    progress: Progress | None,
    told: Told | None,
) -> list[int]:
    """Run readings from short to full length with one seed; return those that were run in full length.

    If there are short runs, `sample` is run in both lengths, so that short runs can be corrected.
    """
    short = [one for one in ladder.lengths(len(readings))[:-1] if of.space.has_traffic_in(one)]
    if short:
        of.run(sample, [0], pool, progress, told)
    for length in short:
        tried = sorted({*readings, *sample})
        values = of.run(tried, [0], pool, progress, None, length)
        readings = ladder.longer(readings, of.corrected(readings, values, sample), length)
    of.run(readings, [0], pool, progress, told)
    return sorted({*readings, *sample})


def _with_all_seeds(
    of: Search, readings: list[int], pool: executors.WorkerPool, progress: Progress | None, told: Told | None
) -> list[int]:
    """Run the best readings with more and more seeds; return those that were run with all, best first."""
    left = ladder.seeded(readings, of.surprise(readings, of.values))
    for before, after in itertools.pairwise(ladder.seeds(of.plan.reps)):
        of.run(left, range(before, after), pool, progress, told)
        if after < of.plan.reps:
            left = ladder.halved(left, of.surprise(left, of.values))
    return left


def _refuse_missing(of: Search) -> None:
    """Raise `UserError` for a number that no run of any reading has a value for."""
    for group, values in zip(of.groups, of.values, strict=True):
        for i, number in enumerate(group.numbers):
            if np.isnan(values[:, :, i]).all():
                raise UserError(
                    f"line {number.line}: no run has a value of {number.name}\n"
                    "  leave the line out, or use a scenario whose flows have it"
                )


def _sample(readings: Sequence[int]) -> list[int]:
    """Return a fixed pseudo-random sample of readings; all of them if they are few."""
    draw = np.random.default_rng(len(readings))
    return sorted(int(one) for one in draw.choice(readings, min(SAMPLE, len(readings)), replace=False))


def hold_back(numbers: Sequence[Number], count: int) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
    """Return the numbers that a search sees, and `count` numbers that are held back.

    The latter are those with the least hashes of their lines, so that nobody chooses them.
    """
    if not 0 <= count < len(numbers):
        raise UserError(
            f"--hold {count}: there are {len(numbers)} numbers\n  allowed: 0 to {len(numbers) - 1}"
        )
    by_hash = sorted(numbers, key=lambda one: hashlib.sha256(f"{one.line} {one.text}".encode()).digest())
    held = set(by_hash[:count])
    return tuple(one for one in numbers if one not in held), tuple(one for one in numbers if one in held)
