"""Report of a map: the boundary between the regions where each of two variants is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.report.model import Code, Figure, Panel, Report, Section, Series, Table, Text
from ackclock.stats.text import estimate
from ackclock.sweeps.words import with_unit

if TYPE_CHECKING:
    from ackclock.sweeps.boundary import Boundary, Node, Ruler


def report(found: Boundary, command: str = "") -> Report:
    """Return a map's report; `command` is the command line to show in it."""
    first, second = found.compared.values
    return Report(
        study="refine",
        title=f"Where {first} and {second} change places",
        subtitle=f"{found.measure.title} over {found.x.axis.path} and {found.y.axis.path}",
        lead=lead(found),
        sections=(
            Section("Map", (_figure(found),)),
            Section("Every point", (points(found),)),
            Section("How it was made", (Text((_how(found),)), *((Code((command,)),) if command else ()))),
        ),
        footer="`map.csv` beside this page has every point"
        + (", `boundary.csv` the boundary" if found.lines() else ""),
    )


def lead(found: Boundary) -> tuple[str, ...]:
    """Return sentences that say which variant is better in each region."""
    first, second = found.compared.values
    known = [node for node in found.points if found.decided(node)]
    ahead = [sum(found.side(node) == side for node in known) for side in (1, -1)]
    open_ = len(found.points) - len(known)
    counted = (
        f"{first} has the larger {found.measure.title} at {ahead[0]} of {len(found.points)} points, {second} at "
        f"{ahead[1]}; at {open_} the interval of the difference contains 0."
    )
    lines = found.lines()
    if not lines:
        return (counted, "Nowhere on this grid do the means change places, so there is no boundary.")
    ends = [point for line in lines for point in line]
    spans = (
        f"{path} from {_text(ruler, min(steps))} to {_text(ruler, max(steps))}"
        for path, ruler, steps in (
            (f"`{found.x.axis.path}`", found.x, [a for a, _ in ends]),
            (f"`{found.y.axis.path}`", found.y, [b for _, b in ends]),
        )
    )
    return (counted, f"They change places along a boundary that takes {' and '.join(spans)}.")


def points(found: Boundary) -> Table:
    """Return the table of the map's points with the difference at each."""
    first, second = found.compared.values
    measure = found.measure
    rows = tuple(
        (
            found.x.text(i),
            found.y.text(j),
            first if found.side((i, j)) > 0 else second if found.side((i, j)) < 0 else "equal",
            estimate(found.differences[i, j].interval, measure.scale),
        )
        for i, j in found.points
    )
    unit = f" ({measure.unit})" if measure.unit else ""
    return Table(
        key="map",
        title=f"{measure.title[:1].upper()}{measure.title[1:]}: {first} minus {second}, paired by replication",
        columns=(found.x.axis.path, found.y.axis.path, "larger mean", f"difference{unit}"),
        rows=rows,
        notes=(f"Mean of {found.reps} replications ±half the {found.level * 100:g} % interval.",),
        text_columns=3,
    )


def _figure(found: Boundary) -> Figure:
    first, second = found.compared.values
    kinds = ((first, 0, 1, True), (second, 1, -1, True), ("cannot tell", 2, 0, False))
    series = [
        _dots(found, label if not known else f"{label} larger", hue, side if known else None)
        for label, hue, side, known in kinds
    ]
    for number, line in enumerate(found.lines()):
        across, up = ([ruler.number(step) for step in steps] for ruler, steps in _along(found, line))
        series.append(Series("boundary" if number == 0 else "", 3, tuple(across), tuple(up), kind="line"))
    return Figure(
        key="boundary",
        title=f"Where {first} and {second} change places",
        x_label=_label(found.x),
        panels=(
            Panel(
                _label(found.y),
                tuple(one for one in series if one.x),
                from_zero=False,
                height=1.6,
                log_y=found.y.log,
            ),
        ),
        notes=(
            f"{found.measure.title}: {found.measure.meaning}.",
            f"A point is filled in if the {found.level * 100:g} % interval of the paired difference leaves out 0.",
            "The boundary is where the difference of the means is 0, by interpolation between points.",
            "It is not drawn among points at which the runs cannot tell the two apart; more replications help.",
        ),
        alt=f"A map of which of {first} and {second} has the larger {found.measure.title}.",
        log_x=found.x.log,
    )


def _along(found: Boundary, line: list[tuple[float, float]]) -> tuple[tuple[Ruler, list[float]], ...]:
    return (found.x, [a for a, _ in line]), (found.y, [b for _, b in line])


def _dots(found: Boundary, label: str, hue: int, side: int | None) -> Series:
    """Return the points on one side of the boundary, or if `side` is None, those without a significant difference."""

    def belongs(node: Node) -> bool:
        return not found.decided(node) if side is None else found.decided(node) and found.side(node) == side

    some = [node for node in found.points if belongs(node)]
    x = tuple(found.x.number(i) for i, _ in some)
    y = tuple(found.y.number(j) for _, j in some)
    return Series(label, hue, x, y, kind="open" if side is None else "estimate")


def _label(ruler: Ruler) -> str:
    return with_unit(ruler.axis.path, ruler.unit)


def _text(ruler: Ruler, step: float) -> str:
    return f"{ruler.number(step):.3g}{f' {ruler.unit}' if ruler.unit else ''}"


def _how(found: Boundary) -> str:
    return (
        "The grid was run first. A cell was divided into four if two of its corners differ in the sign of the "
        "difference and at least one corner's interval leaves out 0. This was repeated with the quarters. "
        f"{len(found.points)} points were run; a grid of the finest cells has {found.of}."
    )
