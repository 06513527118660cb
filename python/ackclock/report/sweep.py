"""Makes the tables and the report of a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.report.model import Code, Report, Section, Table, Text
from ackclock.report.spreads import sweep_spreads
from ackclock.report.sweep_figures import figures
from ackclock.runs.bottleneck import RULE
from ackclock.stats.measures import MEASURES, SHOWN, measure_of
from ackclock.stats.text import estimate

if TYPE_CHECKING:
    from ackclock.report.model import Block
    from ackclock.stats.measures import Measure
    from ackclock.sweeps.results import SweepResult
    from ackclock.sweeps.view import View


def shown(found: SweepResult) -> tuple[str, ...]:
    """Return the measures of the first table; requested groups and shares of a mix come right after goodput."""
    first, *rest = SHOWN
    return (first, *(one.name for one in found.grouped), *rest)


def points(found: SweepResult, names: tuple[str, ...] = ()) -> Table:
    """Return the table of the points with each measure's interval; without `names`, of the main measures."""
    names = names or shown(found)
    sweep = found.sweep
    paths = [axis.path for axis in sweep.axes]
    measures = [measure_of(name) for name in names]
    columns = [found.intervals(one.name) for one in measures]
    of = [row["bottleneck"] for row in found.point_rows()]
    one_of = set(of)
    rows = tuple(
        (
            *(point[path] for path in paths),
            *(estimate(column[i][1], one.scale) for column, one in zip(columns, measures, strict=True)),
            *((of[i],) if len(one_of) > 1 else ()),
        )
        for i, (point, _) in enumerate(columns[0])
    )
    why = "as asked for" if sweep.bottleneck else f"{RULE} of each point's first run"
    note = (
        f"Bottleneck (utilisation, queue): {of[0]}, {why}."
        if len(one_of) == 1
        else f"Bottleneck (utilisation, queue): {why}; it differs between points."
    )
    return Table(
        key="points",
        title=f"{found.replications} replications: mean ±half the {sweep.level * 100:g} % interval",
        columns=(*paths, *(one.heading for one in measures), *(("bottleneck",) if len(one_of) > 1 else ())),
        rows=rows,
        notes=(note,),
        text_columns=len(paths),
    )


def report(found: SweepResult, view: View | None, command: str = "") -> Report:
    """Return a sweep's report; `command` is the command line to show in it."""
    warnings = found.warnings()
    drawn = figures(found, view) if view is not None else ()
    measures = view.measures if view is not None else tuple(measure_of(name) for name in shown(found))
    remarks: tuple[Block, ...] = (Text(tuple(f"Note: {one}." for one in warnings)),) if warnings else ()
    spread_over = sweep_spreads(found, tuple(one.name for one in measures))
    every = (*MEASURES, *found.grouped)
    sections = [
        Section("Figures", (*drawn, *remarks)),
        Section("Every point", (points(found),)),
        *((Section("Ties and phase", (spread_over,)),) if spread_over is not None else ()),
        Section("All measures", (points(found, tuple(one.name for one in every)), _definitions(every))),
        Section("How it was made", (_setup(found), *((Code((command,)),) if command else ()))),
    ]
    paths = [axis.path for axis in found.sweep.axes]
    return Report(
        study="sweep",
        title=f"Sweep over {', '.join(paths)}" if paths else "Replications",
        subtitle=f"{len(found.jobs)} runs, {found.replications} replications of each point",
        lead=tuple(_lead(found, one) for one in measures),
        sections=tuple(sections),
        footer=f"{dict(found.facts())['simulator']} · `runs.csv` beside this page has every run",
    )


def _lead(found: SweepResult, measure: Measure) -> str:
    """Return a sentence that names the points with a measure's smallest and largest value."""
    known = [(point, one) for point, one in found.intervals(measure.name) if one.mean == one.mean]
    if not known:
        return f"No run has a value of {measure.title}."
    low, high = (pick(known, key=lambda entry: entry[1].mean) for pick in (min, max))
    unit = f" {measure.unit}" if measure.unit else ""
    title = f"{measure.title[:1].upper()}{measure.title[1:]}"
    if low[1].mean == high[1].mean:
        return f"{title}: {estimate(low[1], measure.scale)}{unit} at every point."
    ends = (f"{estimate(one, measure.scale)}{unit} at {_at(point)}" for point, one in (low, high))
    return f"{title} ranges from {' to '.join(ends)}."


def _at(point: dict[str, str]) -> str:
    return ", ".join(f"`{path.split('.')[-1]}` {value}" for path, value in point.items())


def _definitions(measures: tuple[Measure, ...]) -> Table:
    return Table(
        key="definitions",
        title="Definitions",
        columns=("measure", "name", "definition"),
        rows=tuple((one.title, f"`{one.name}`", one.meaning) for one in measures),
        text_columns=3,
    )


def _setup(found: SweepResult) -> Table:
    return Table(key="setup", title="", columns=("what", "how"), rows=tuple(found.facts()), text_columns=2)
