"""Search in the plane of two numeric settings for the boundary between the regions in which each variant is better."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ackclock import executors
from ackclock._io.files import atomic_folder, json_text
from ackclock.errors import UserError
from ackclock.runs.bottleneck import bottleneck
from ackclock.stats.independence import drop_sequences
from ackclock.stats.measures import group_value, measure_of, measures
from ackclock.stats.statistics import Difference, condensed, paired
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.boundary import Boundary, Cell, Node, Ruler
from ackclock.sweeps.jobs import Progress, Registry, run_jobs
from ackclock.sweeps.store import Store
from ackclock.sweeps.sweep import Sweep
from ackclock.sweeps.tables import write_rows
from ackclock.sweeps.view import scale_of

MOST_LEVELS = 8
"""Maximum number of halvings of a cell's sides."""


def refine(
    sweep: Sweep,
    levels: int,
    out: str | Path,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    replace_other: bool = False,
    executor: executors.ExecutorLike = None,
) -> Boundary:
    """Run the sweep's grid, and refine it `levels` times along the boundary.

    In each level, the cells that the boundary crosses are divided into quarters, and the new points are run. Two of the
    sweep's axes must be numeric; the third has two values, which are compared by the measure `Sweep.by` with equal
    seeds.

    Files in the folder: ``map.csv`` and ``.parquet`` (one row per point with the paired difference), ``boundary.csv``
    and ``.parquet`` (the points of the boundary), ``manifest.json`` and ``scenario.toml``. With ``finished.sqlite`` a
    repeated call continues after an interruption.

    Raises:
        UserError: If the axes are not two numeric axes and one axis with two values.

    """
    x, y, compared = _axes(sweep.axes, levels)
    if not replace_other:
        sweep.refuse_other(Path(out))
    step = 2**levels
    cells = [Cell(i, j, step) for i in range(0, x.end, step) for j in range(0, y.end, step)]
    known: dict[Node, Difference] = {}
    found = Boundary(x, y, compared, measure_of(sweep.by), known, tuple(cells), sweep.reps, sweep.level)
    with executors.opened(executor, threads) as pool, Store(out) as store:
        for level in range(levels + 1):
            wanted = {corner for cell in found.cells for corner in cell.corners} - known.keys()
            known |= _differences(sweep, found, sorted(wanted), store, pool, progress)
            if level < levels:
                found = replace(found, cells=tuple(_divided(found)))
    _write(sweep, found, levels, Path(out))
    return found


def _axes(axes: tuple[Axis, ...], levels: int) -> tuple[Ruler, Ruler, Axis]:
    numeric = [axis for axis in axes if len(axis.values) > 1 and scale_of(axis.values).numeric]
    others = [axis for axis in axes if axis not in numeric]
    if len(numeric) != 2 or len(others) != 1 or len(others[0].values) != 2:
        raise UserError(
            "--refine wants two numeric settings and one with two values that are compared\n"
            "  for example: --vary link.bottleneck.rate=1Mbps,10Mbps --vary link.bottleneck.delay=5ms,80ms "
            "--vary 'flow.*.tcp.variant=sack,vegas'"
        )
    if not 1 <= levels <= MOST_LEVELS:
        raise UserError(f"--refine {levels}: cells can be halved 1 to {MOST_LEVELS} times")
    made = []
    for axis in numeric:
        places = scale_of(axis.values).places
        if list(places) != sorted(places):
            raise UserError(f"--refine: list the values of {axis.path} in rising order")
        made.append(Ruler(axis, 2**levels))
    return made[0], made[1], others[0]


def _divided(found: Boundary) -> Iterable[Cell]:
    """Yield the next level's cells: quarters of the cells that the boundary crosses, other cells unchanged."""
    for cell in found.cells:
        if found.changes(cell) and _divisible(found, cell):
            yield from cell.quarters()
        else:
            yield cell


def _divisible(found: Boundary, cell: Cell) -> bool:
    """Return true if the cell's sides can be halved; between 5 and 6 packets, for example, there is no value."""
    if cell.size < 2:
        return False
    (left, low), _, (right, high), _ = cell.corners
    halves = ((found.x, left, right), (found.y, low, high))
    return all(ruler.text((a + b) // 2) not in (ruler.text(a), ruler.text(b)) for ruler, a, b in halves)


def _differences(
    sweep: Sweep,
    found: Boundary,
    nodes: list[Node],
    store: Registry,
    pool: executors.WorkerPool,
    progress: Progress | None,
) -> dict[Node, Difference]:
    """Run both values of the compared setting at the given points; return the paired difference at each point."""
    jobs = []
    for i, j in nodes:
        for value in found.compared.values:
            point = {
                found.x.axis.path: found.x.text(i),
                found.y.axis.path: found.y.text(j),
                found.compared.path: value,
            }
            scenario = sweep.scenario.apply(f"{path}={text}" for path, text in point.items())
            jobs += sweep.randomness.replications(scenario, sweep.reps, seed=sweep.seed, labels=point)
    summaries = run_jobs(jobs, store=store, progress=progress, executor=pool)
    values = [_value(sweep, summary) for summary in summaries]
    reps = sweep.reps
    made = {}
    for number, node in enumerate(nodes):
        first, second = (slice(at, at + reps) for at in (2 * reps * number, 2 * reps * number + reps))
        keys = [drop_sequences(jobs[some.start].scenario, summaries[some]) for some in (first, second)]
        one, other = condensed(list(zip(*keys, strict=True)), values[first], values[second])
        made[node] = paired(one, other, sweep.level)
    return made


def _value(sweep: Sweep, summary: dict[str, Any]) -> float:
    measure = measure_of(sweep.by)
    if measure.group is not None:
        return group_value(measure, summary)
    one = bottleneck(summary, sweep.bottleneck)
    return measures(summary, None, one.name if one else None)[sweep.by]


def _write(sweep: Sweep, found: Boundary, levels: int, out: Path) -> None:
    first, second = found.compared.values
    rows = []
    for i, j in found.points:
        one = found.differences[i, j]
        larger = (first if one.mean > 0 else second) if one.decided else ""
        rows.append(
            {
                found.x.axis.path: found.x.text(i),
                found.y.axis.path: found.y.text(j),
                f"{sweep.by}_difference": one.mean,
                f"{sweep.by}_difference_ci": one.interval.half_width,
                "n": one.interval.n,
                "larger": larger,
            }
        )
    lines = [
        {
            "line": number,
            f"{found.x.axis.path} ({found.x.unit or 1})": found.x.number(a),
            f"{found.y.axis.path} ({found.y.unit or 1})": found.y.number(b),
        }
        for number, line in enumerate(found.lines())
        for a, b in line
    ]
    with atomic_folder(out) as draft:
        write_rows(draft, "map", rows)
        write_rows(draft, "boundary", lines)
        manifest = {**sweep.manifest(), "refine": levels, "by": sweep.by}
        (draft / "manifest.json").write_text(json_text(manifest), encoding="utf-8")
        (draft / "scenario.toml").write_text(sweep.scenario.to_toml(), encoding="utf-8")
