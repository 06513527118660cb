"""The search for a paper's setting: invented papers whose setting is known, and tables that no setting gives.

An invented paper is a run of a reading drawn at random from 1 000, with random starts that the search does not have.
Its numbers are printed with 3, 4 or 6 digits, and each quantity has a definition drawn at random. The search does not
know setting, starts and definitions. For the refusals, the numbers of such papers are permuted among the cells of each
quantity, so that no reading gives them. Papers with a few numbers show if the stated probability of another reading is
right, since false firsts are common there. Papers from 12 000 readings show if the true one survives short runs.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

from ackclock import executors
from ackclock.readings.chance import LEAST_TABLES, THRESHOLD
from ackclock.readings.choices import Choice, Group, groups, measured, predicted
from ackclock.readings.published import Number, Published, parse
from ackclock.readings.ranking import Found
from ackclock.readings.runner import Plan, Search
from ackclock.readings.searching import carried_out
from ackclock.readings.space import Space
from ackclock.scenario import dumbbell
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.jobs import MemoryStore, run_jobs
from validation.check import Check

GROUP = "Readings: invented papers found, permuted tables refused"

SEED = "2026-11-27 excluded"
"""Seed of the papers. It changes with every change of the method, so that no paper judges a method made after it."""
PAPERS = 20
DIGITS = (4, 3, 6)
TABLES = 100
NEEDED = {4: 18}
"""Least number of papers whose true setting must come first, by digits."""
REFUSED = 95
"""Least number of permuted tables that must be refused."""
TAIL = 0.025
"""Probability of each tail outside the interval of the number of false firsts."""
JITTER_S = 0.05
"""Upper bound of the random starts, seconds."""
FEW_PAPERS = 40
"""Number of papers with a few numbers."""
FEW_DIGITS = 3
LARGE_PAPERS = 5
"""Number of papers from the large space."""
LARGE_NEEDED = 4
"""Least number of them whose true setting must be first, or tied with the first."""
VARIANTS = ("reno", "newreno", "vegas")
QUANTITIES = {"throughput": "bit/s", "delay": "ms", "jitter": "ms", "loss": "%", "packets": "packets"}
"""Printed quantities with their units."""
FEW = (("throughput", "reno"), ("delay", "vegas"))
"""The numbers of a paper with a few."""

AXES = (
    Axis("link.bottleneck.rate", ("0.5Mbps", "1Mbps", "1.5Mbps", "2Mbps", "3Mbps")),
    Axis("link.bottleneck.delay", ("5ms", "10ms", "20ms", "40ms", "80ms")),
    Axis("link.bottleneck.queue.packets", ("5", "10", "15", "20", "30")),
    Axis("flow.0.tcp.segment", ("512B", "536B", "1000B", "1460B")),
    Axis("flow.0.tcp.header", ("20B", "40B")),
)
"""The space of 1 000 readings."""

LARGE = (
    *AXES,
    Axis("flow.0.tcp.max_window", ("16", "32", "64")),
    Axis("flow.0.tcp.initial_window", ("1", "2")),
    Axis("flow.0.tcp.min_rto", ("200ms", "1s")),
)
"""The space of 12 000 readings, whose first runs have a sixteenth of the length."""


@dataclass(frozen=True)
class Paper:
    """An invented paper."""

    truth: int
    published: Published


Shown: TypeAlias = tuple[tuple[str, str], ...]
"""Printed numbers, each with quantity and variant."""

ALL: Shown = tuple((name, variant) for variant in VARIANTS for name in QUANTITIES)


@cache
def template(shown: Shown) -> tuple[Number, ...]:
    """Return the numbers that a paper prints, with values still to be put in."""
    lines = [f"{name},1,{QUANTITIES[name]},{variant}" for name, variant in shown]
    return parse("\n".join(["quantity,value,unit,flow.0.tcp.variant", *lines])).numbers


@cache
def space(shown: Shown = ALL, axes: tuple[Axis, ...] = AXES) -> Space:
    """Return the space of readings: a flow over a bottleneck, with the variants of the printed numbers."""
    scenario = dumbbell(["reno"], duration="10s").apply(
        ["flow.0.tcp.profile=ns2", "flow.0.tcp.max_window=64"]
    )
    return Space.of(scenario, axes, template(shown))


@cache
def runs() -> MemoryStore:
    """Return the store of the runs that all papers share."""
    return MemoryStore()


@cache
def begun(shown: Shown, axes: tuple[Axis, ...]) -> Search:
    """Return the search whose runs all papers with the same printed numbers share."""
    plan = Plan(reps=2, jitter_s=JITTER_S, tables=LEAST_TABLES)
    return Search(space(shown, axes), groups(template(shown), 1), plan, runs())


def paper(draw: random.Random, digits: int, shown: Shown = ALL, axes: tuple[Axis, ...] = AXES) -> Paper:
    """Return a paper whose setting, starts and definitions are drawn at random."""
    truth = draw.randrange(len(space(shown, axes)))
    seed = draw.randrange(10_000, 1_000_000)
    jobs = [replace(job, seed=seed, jitter_s=JITTER_S) for job in space(shown, axes).jobs(truth, 0)]
    summaries = dict(zip(space(shown, axes).cells, run_jobs(jobs), strict=True))
    printed: list[Number] = []
    for group in groups(template(shown), 1):
        choice = _choice(group, draw)
        for number in group.numbers:
            cells = {cell: measured(one, [(number.quantity, "")]) for cell, one in summaries.items()}
            printed.append(replace(number, text=_printed(predicted(number, choice, cells), digits)))
    return Paper(truth, Published(tuple(printed)))


def _choice(group: Group, draw: random.Random) -> Choice:
    """Return a random definition of the group's quantity, of those that need no writes of an application."""
    usable = [
        one
        for one in group.choices
        if not group.quantity.definitions[one.definition].name.startswith(
            ("of segments", "from the write", "of writes")
        )
    ]
    return draw.choice(usable)


def _printed(value: float, digits: int) -> str:
    """Return a value with so many significant digits, without an exponent."""
    after = digits - 1 - math.floor(math.log10(abs(value))) if value else digits - 1
    return f"{value:.{max(after, 0)}f}"


def permuted(one: Paper, draw: random.Random) -> Published:
    """Return the numbers of a paper, dealt out anew among the cells of each quantity."""
    made: list[Number] = []
    for name in QUANTITIES:
        own = [number for number in one.published.numbers if number.quantity.name == name]
        texts = [number.text for number in own]
        draw.shuffle(texts)
        made += [replace(number, text=text) for number, text in zip(own, texts, strict=True)]
    return Published(tuple(made))


def searched(published: Published, shown: Shown = ALL, axes: tuple[Axis, ...] = AXES) -> Found:
    """Return the outcome of the search."""
    with executors.opened(None) as pool:
        return carried_out(begun(shown, axes).again(published.numbers), published, (), pool)


def checks(
    papers: int = PAPERS,
    tables: int = TABLES,
    few: int = FEW_PAPERS,
    large: int = LARGE_PAPERS,
    digits: Sequence[int] = DIGITS,
) -> list[Check]:
    """Return the checks of the group."""
    found: list[Check] = []
    for precision in digits:
        draw = random.Random(f"{SEED} {precision}")
        made = [paper(draw, precision) for _ in range(papers)]
        results = [(one, searched(one.published)) for one in made]
        found += list(_of_papers(results, f"{papers} papers, {precision} digits", NEEDED.get(precision, 0)))
    found.append(_refusals(tables))
    draw = random.Random(f"{SEED} few")
    made = [paper(draw, FEW_DIGITS, FEW) for _ in range(few)]
    results = [(one, searched(one.published, FEW)) for one in made]
    name = f"{few} papers with {len(FEW)} numbers of {FEW_DIGITS} digits"
    return [*found, *_of_papers(results, name, 0), *_large(large)]


def _refusals(tables: int) -> Check:
    """Return the check that permuted tables are refused."""
    draw = random.Random(f"{SEED} permuted")
    kept = [paper(draw, 4) for _ in range(max(1, tables // 5))]
    refused = [not searched(permuted(kept[i % len(kept)], draw)).chance.is_match for i in range(tables)]
    target = f"at least {REFUSED * tables // TABLES} of {tables} refused (threshold {THRESHOLD:g})"
    enough = sum(refused) >= REFUSED * tables / TABLES
    return Check(GROUP, "permuted tables", target, f"{sum(refused)} of {tables}", enough)


def _large(papers: int) -> Iterator[Check]:
    """Yield the check that the true setting survives the short runs of a large search."""
    draw = random.Random(f"{SEED} large")
    made = [paper(draw, 4, ALL, LARGE) for _ in range(papers)]
    results = [(one, searched(one.published, ALL, LARGE)) for one in made]
    good = sum(one.truth in found.tied for one, found in results)
    ranks = [found.order.index(one.truth) + 1 for one, found in results if one.truth in found.order]
    needed = LARGE_NEEDED * papers // LARGE_PAPERS
    yield Check(
        GROUP,
        f"{papers} papers from {len(space(ALL, LARGE)):,} readings: true setting first or tied",
        f"at least {needed} of {papers}",
        f"{good}; ranks {', '.join(map(str, ranks))}",
        good >= needed,
        detail=_details(results),
    )


def _of_papers(results: Sequence[tuple[Paper, Found]], name: str, needed: int) -> Iterator[Check]:
    """Yield the checks of papers: true settings first (`needed` of 20), and the stated chance of false ones."""
    first = [found.order[0] == one.truth for one, found in results]
    tied = [one.truth in found.tied for one, found in results]
    said = [1.0 - found.probability(found.order[0]) for _, found in results]
    matched = sum(found.chance.is_match for _, found in results)
    needed = needed * len(results) // PAPERS
    yield Check(
        GROUP,
        f"{name}: true setting first",
        f"at least {needed} of {len(results)}" if needed else "for information",
        f"{sum(first)} first, {sum(tied)} first or tied, {matched} called a match",
        sum(first) >= needed if needed else None,
        detail=_details(results),
    )
    false = len(first) - sum(first)
    low, high = interval(said)
    yield Check(
        GROUP,
        f"{name}: false firsts, said and seen",
        "seen within the 95 % interval of what is said",
        f"said {sum(said):.2f} ({low} to {high}), seen {false}",
        low <= false <= high,
    )


def interval(chances: Sequence[float]) -> tuple[int, int]:
    """Return the 95 % interval of the number of events that happen independently with these probabilities.

    Fewer and more events than the interval has each have a probability of at most 2.5 %.
    """
    shares = [1.0]
    for one in chances:
        shares = [a * (1 - one) + b * one for a, b in zip([*shares, 0.0], [0.0, *shares], strict=True)]
    below = list(itertools.accumulate(shares))
    above = list(itertools.accumulate(reversed(shares)))
    low = next(k for k, share in enumerate(below) if share > TAIL)
    return low, len(chances) - next(k for k, share in enumerate(above) if share > TAIL)


def _details(results: Sequence[tuple[Paper, Found]]) -> str:
    lines: list[str] = []
    for one, found in results:
        if found.order[0] == one.truth:
            continue
        rank: Any = found.order.index(one.truth) + 1 if one.truth in found.order else "not run"
        first = found.space.setting(found.order[0])
        lines.append(f"true {found.space.setting(one.truth)} is {rank}; first {first}")
    return "\n".join(lines)
