"""Makes the figures of a sweep: means with intervals over one setting, or heat maps over two."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Figure, Heat, Panel, Series
from ackclock.stats.groups import BY_VARIANT
from ackclock.stats.measures import GOODPUT_SHARE
from ackclock.sweeps.view import scale_of
from ackclock.sweeps.words import in_words, with_unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ackclock.stats.measures import Measure
    from ackclock.stats.statistics import Interval
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.results import SweepResult
    from ackclock.sweeps.view import View

MOST_PANELS: Final = 12
"""Maximum number of panels in a figure; further results appear only in the table."""

APART: Final = 0.12
"""Offset between the estimates of different curves at one value, relative to the distance between values, on an axis of
names."""

Points = dict[tuple[tuple[str, str], ...], "Interval"]
"""Interval of a measure at each grid point."""


def figures(found: SweepResult, view: View) -> tuple[Figure, ...]:
    """Return one figure per measure that any run has a value for; for a mix, also one of shares."""
    made = []
    for at, measure in enumerate(view.measures):
        if at == 1 and found.shares:
            made.append(_shares(found, view))
        points: Points = {tuple(sorted(point.items())): one for point, one in found.intervals(measure.name)}
        if any(not math.isnan(one.mean) for one in points.values()):
            made.append(
                _map(found, view, measure, points) if view.heat else _curves(found, view, measure, points)
            )
    if len(view.measures) == 1 and found.shares:
        made.append(_shares(found, view))
    return tuple(made)


def file_stem(name: str) -> str:
    """Return a measure's name as a file name without suffix, such as ``goodput_bps_bbr`` for ``goodput_bps:bbr/*``."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("_")


def _shares(found: SweepResult, view: View) -> Figure:
    """Draw each variant's share of goodput over one axis, with one panel per combination of the other axes."""
    scale = scale_of(view.x.values)
    others = [*view.facets, *([view.by] if view.by is not None else [])]
    grids: dict[str, Points] = {
        one.name: {tuple(sorted(point.items())): each for point, each in found.intervals(one.name)}
        for one in found.shares
    }
    panels = []
    for facet in itertools.islice(_products(others), MOST_PANELS):
        series = [
            replace(line, label=_variant(one), hue=hue)
            for hue, one in enumerate(found.shares)
            for line in _series(replace(view, by=None), one, grids[one.name], facet)
        ]
        known = [x for line in series for x in line.x]
        fair = _equal_share(found)
        if fair is not None and known:
            ends = (min(known), max(known))
            series.append(Series("equal share", 0, ends, (100 * fair, 100 * fair), kind="limit"))
        label = "\n".join(
            ["share of goodput (%)", *(f"{in_words(path)} = {value}" for path, value in facet.items())]
        )
        panels.append(Panel(label, tuple(series), y_max=None, from_zero=True))
    return Figure(
        key="goodput_share",
        title="Share of goodput",
        x_label=_x_label(view.x),
        panels=tuple(panels),
        notes=(f"Share of goodput: {GOODPUT_SHARE.meaning}; here the flows of each variant.", _sense(found)),
        alt=f"Share of goodput of each variant over {in_words(view.x.path)}, with intervals.",
        log_x=scale.log,
        x_names=() if scale.numeric else view.x.values,
    )


def _variant(share: Measure) -> str:
    return "" if share.group is None else share.group.text.removeprefix(BY_VARIANT)


def _equal_share(found: SweepResult) -> float | None:
    """Return each variant's share if all flows had equal goodput; None if the variants' flow counts differ."""
    flows = [flow["variant"] for flow in found.summaries[0]["flows"]]
    counts = {flows.count(_variant(one)) for one in found.shares}
    return None if len(counts) > 1 or not flows else counts.pop() / len(flows)


def _curves(found: SweepResult, view: View, measure: Measure, points: Points) -> Figure:
    """Draw a measure over one axis, with one curve per value of a second and one panel per combination of the rest."""
    scale = scale_of(view.x.values)
    panels: list[Panel] = []
    left = 0
    for facet in _combinations(view):
        if len(panels) == MOST_PANELS:
            left += 1
            continue
        label = "\n".join(
            [measure.heading, *(f"{in_words(path)} = {value}" for path, value in facet.items())]
        )
        series = _series(view, measure, points, facet)
        panels.append(Panel(label, tuple(series), y_max=None, from_zero=True))
    notes = [f"{measure.title}: {measure.meaning}.", _sense(found)]
    if view.by is not None:
        notes.append(f"A curve for each value of {view.by.path}.")
    if left:
        notes.append(f"{left} more combinations are in the table.")
    return Figure(
        key=file_stem(measure.name),
        title=f"{measure.title[:1].upper()}{measure.title[1:]}",
        x_label=_x_label(view.x),
        panels=tuple(panels),
        notes=tuple(notes),
        alt=f"{measure.title} over {in_words(view.x.path)}, with intervals.",
        log_x=scale.log,
        x_names=() if scale.numeric else view.x.values,
    )


def _series(view: View, measure: Measure, points: Points, facet: Mapping[str, str]) -> Iterator[Series]:
    scale = scale_of(view.x.values)
    names: tuple[str | None, ...] = view.by.values if view.by is not None else (None,)
    for i, name in enumerate(names):
        own = {} if view.by is None or name is None else {view.by.path: name}
        x: list[float] = []
        known: list[Interval] = []
        for place, value in sorted(zip(scale.places, view.x.values, strict=True)):
            one = points[tuple(sorted({**facet, **own, view.x.path: value}.items()))]
            if not math.isnan(one.mean):
                x.append(place if scale.numeric else place + APART * (i - (len(names) - 1) / 2))
                known.append(one)
        ends = [(one.low, one.high) if one.known else (one.mean, one.mean) for one in known]
        yield Series(
            name or "",
            i,
            tuple(x),
            tuple(one.mean * measure.scale for one in known),
            low=tuple(low * measure.scale for low, _ in ends),
            high=tuple(high * measure.scale for _, high in ends),
            kind="curve" if scale.numeric else "estimate",
        )


def _map(found: SweepResult, view: View, measure: Measure, points: Points) -> Figure:
    """Draw a measure as a heat map over two numeric axes, with one panel per combination of the other axes."""
    if view.by is None:  # A heat map has two axes.
        raise AssertionError(view)
    x, y = view.x, view.by
    panels = []
    for facet in itertools.islice(_combinations(view), MOST_PANELS):
        rows = tuple(
            tuple(
                points[tuple(sorted({**facet, x.path: across, y.path: up}.items()))].mean * measure.scale
                for across in x.values
            )
            for up in y.values
        )
        label = "\n".join(
            [in_words(y.path), *(f"{in_words(path)} = {value}" for path, value in facet.items())]
        )
        panels.append(Panel(label, (), heat=Heat(x.values, y.values, rows, measure.heading)))
    return Figure(
        key=file_stem(measure.name),
        title=f"{measure.title[:1].upper()}{measure.title[1:]}",
        x_label=in_words(x.path),
        panels=tuple(panels),
        notes=(
            f"{measure.title}: {measure.meaning}.",
            f"Each field is a mean of {found.replications} replications.",
        ),
        alt=f"{measure.title} as a map over {in_words(x.path)} and {in_words(y.path)}.",
    )


def _combinations(view: View) -> Iterator[dict[str, str]]:
    yield from _products(view.facets)


def _products(axes: Sequence[Axis]) -> Iterator[dict[str, str]]:
    """Yield every combination of values of the axes."""
    for values in itertools.product(*(axis.values for axis in axes)):
        yield dict(zip((axis.path for axis in axes), values, strict=True))


def _sense(found: SweepResult) -> str:
    if found.replications == "1":
        return "One replication: no intervals."
    return f"Points are means of {found.replications} replications, bars {found.sweep.level * 100:g} % intervals."


def _x_label(axis: Axis) -> str:
    scale = scale_of(axis.values)
    return with_unit(axis.path, scale.unit) if scale.numeric else in_words(axis.path)
