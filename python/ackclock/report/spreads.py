"""Makes tables of how far a comparison's or sweep's results spread on slightly perturbed links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ackclock.report.model import Table
from ackclock.runs.ties import HOW, Spread
from ackclock.stats.measures import measure_of
from ackclock.stats.text import brief

if TYPE_CHECKING:
    from ackclock.comparisons.comparison import Comparison
    from ackclock.sweeps.results import SweepResult

NOTE = (
    "A spread goes from the least to the greatest mean of the draws. The links as given are not among the draws. By "
    "ties: only the order of simultaneous events can have changed. By phase: where packets of one flow fall between "
    "those of another has changed, too (Floyd and Jacobson 1991)."
)


def spreads(found: Comparison, names: Sequence[str]) -> Table | None:
    """Return the table of each variant's means with their spreads by ties and by phase; None without perturbed runs."""
    if found.drawn is None:
        return None
    rows = [
        (variant, measure_of(name).heading, *_cells(found.drawn.spread(variant, name), name, mean))
        for name in names
        for variant in found.ordered()
        for mean in (found.interval(variant, name).mean,)
    ]
    return _table(("label",), names, rows)


def difference_spreads(found: Comparison, pairs: Sequence[tuple[str, str]] | None = None) -> Table | None:
    """Return the table of differences with their spreads by ties and by phase; None without perturbed runs.

    Without `pairs` the rows are the differences of all other variants from the reference.
    """
    name, reference = found.plan.by, found.reference
    shown = pairs or [(one, reference) for one in found.ordered() if one != reference]
    if found.drawn is None or not shown:
        return None
    rows = []
    for one, other in shown:
        spread = Spread.of(found.drawn.apart(one, other, name))
        mean = found.contrasts()[one, other].difference.mean
        named = (one, other) if pairs else (one,)
        rows.append((*named, *_cells(spread, name, mean), found.hangs_on(one, other) or "–"))
    of = "" if pairs else f" from {reference}"
    return Table(
        key="difference-spreads",
        title=f"Difference in {measure_of(name).heading}{of} in the draws",
        columns=("label", *(("minus",) if pairs else ()), *CELLS, "order hangs on"),
        rows=tuple(rows),
        text_columns=2 if pairs else 1,
    )


def sweep_spreads(found: SweepResult, names: Sequence[str]) -> Table | None:
    """Return the table of each point's means with their spreads by ties and by phase; None without perturbed runs."""
    if found.drawn is None:
        return None
    paths = [axis.path for axis in found.sweep.axes]
    rows = []
    for name in names:
        for i, (point, one) in enumerate(found.intervals(name)):
            cells = _cells(found.drawn.spread(i, name), name, one.mean)
            rows.append((*(point[path] for path in paths), measure_of(name).heading, *cells))
    return _table(tuple(paths), names, rows)


def spread_rows(found: Comparison) -> list[dict[str, Any]]:
    """Return the rows of ``spreads.csv``: one per variant and measure, then one per pair in the ranking measure."""
    if found.drawn is None:
        return []
    own = [
        {
            "label": variant,
            "minus": None,
            "measure": one.name,
            "mean": found.interval(variant, one.name).mean,
            **found.drawn.spread(variant, one.name).columns(),
            "hangs_on": None,
        }
        for variant in found.variants
        for one in found.measures
    ]
    ordered = found.ordered()
    apart = [
        {
            "label": one,
            "minus": other,
            "measure": found.plan.by,
            "mean": found.contrasts()[one, other].difference.mean,
            **Spread.of(found.drawn.apart(one, other, found.plan.by)).columns(),
            "hangs_on": found.hangs_on(one, other),
        }
        for i, one in enumerate(ordered)
        for other in ordered[i + 1 :]
    ]
    return [*own, *apart]


CELLS = ("here", "by ties", "by phase")
"""Headings for a result and its two spreads."""


def _cells(spread: Spread, name: str, mean: float) -> tuple[str, ...]:
    scale = measure_of(name).scale
    ends = (f"{brief(low, scale)} to {brief(high, scale)}" for low, high in (spread.ties, spread.phase))
    return brief(mean, scale), *ends


def _table(heads: tuple[str, ...], names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Table:
    """Return a table from rows of heads, measure and cells; if there is only one measure, the title names it."""
    at = len(heads)
    alone = len(names) == 1
    return Table(
        key="spreads",
        title=f"{f'{measure_of(names[0]).heading}, ties and phase' if alone else 'Ties and phase'}: {HOW}",
        columns=(*heads, *(() if alone else ("measure",)), *CELLS),
        rows=tuple((*row[:at], *row[at + alone :]) for row in rows),
        notes=(NOTE,),
        text_columns=at + (not alone),
    )
