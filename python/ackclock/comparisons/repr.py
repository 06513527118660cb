"""Representation of comparisons at a prompt and in a notebook."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock._io.markup import html_table
from ackclock.scenario.differences import Differing, said
from ackclock.stats.measures import SHOWN, measure_of
from ackclock.stats.text import estimate

if TYPE_CHECKING:
    from ackclock.comparisons.comparison import Comparison


def comparison_text(found: Comparison) -> str:
    """Return one line with the variants in order of rank and their means of the ranking measure."""
    by = measure_of(found.plan.by)
    ranks = found.ranks()
    each = [
        f"{ranks[one]} {one} {estimate(found.interval(one, by.name), by.scale)}"
        for one in found.ordered()[:6]
    ]
    more = len(found.variants) - len(each)
    rest = f" and {more} more" if more > 0 else ""
    unit = f" in {by.unit}" if by.unit else ""
    differ = f"; {said(_by_rank(found))}" if found.unnamed_diff else ""
    return f"Comparison({', '.join(each)}{rest}; {by.title}{unit}, {found.reps} replications{differ})"


def _by_rank(found: Comparison) -> list[Differing]:
    """Return the settings in which the scenarios differ; their values are in order of rank."""
    order = [found.variants.index(one) for one in found.ordered()]
    return [replace(one, values=tuple(one.values[i] for i in order)) for one in found.unnamed_diff]


def comparison_html(found: Comparison) -> str:
    """Return an HTML table of the variants in order of rank, with intervals of the usual and the requested measures."""
    asked = [one.name for one in found.asked]
    shown = [measure_of(name) for name in dict.fromkeys([found.plan.by, *asked, *SHOWN])]
    shown = [one for one in shown if one in found.measures]
    ranks = found.ranks()
    rows = [
        [str(ranks[one]), one, *(estimate(found.interval(one, each.name), each.scale) for each in shown)]
        for one in found.ordered()
    ]
    below = f"{found.reps} replications: mean \u00b1 half the {found.level:.0%} interval. "
    below += "A rank is a range if the runs cannot separate variants."
    return html_table(
        ["rank", "label", *(one.heading for one in shown)], rows, " ".join([below, *found.remarks()])
    )
