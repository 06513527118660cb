"""`over_time`: draws many runs over time, as the mean of replications with a band for its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ackclock.errors import UserError, choices
from ackclock.runs.traces import changes
from ackclock.stats.statistics import LEVEL, interval

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ackclock.runs.run import Run

INSTANTS: Final = 200
"""Number of instants at which piecewise constant quantities are sampled."""


@dataclass(frozen=True)
class Course:
    """A quantity over time that `over_time` can draw.

    Attributes:
        label: Axis label, with the unit.
        trace: Name of the trace with the quantity.
        scale: Factor from the trace's unit to the label's unit.
        variable: Name of the variable, if the trace has several.
    """

    label: str
    trace: str
    scale: float
    variable: str = ""


COURSES: Final = {
    "goodput": Course("goodput (Mb/s)", "throughput", 1e-6, "goodput_bps"),
    "throughput": Course("throughput (Mb/s)", "throughput", 1e-6, "throughput_bps"),
    "cwnd": Course("congestion window (segments)", "cwnd", 1.0, "cwnd"),
    "rtt": Course("smoothed round-trip time (ms)", "state", 1e3, "srtt"),
    "queue": Course("queue (packets)", "queue", 1.0),
}
"""All quantities that can be drawn, by name."""


def over_time(
    runs: Sequence[Run] | Mapping[str, Sequence[Run]],
    of: str = "goodput",
    *,
    flows: Sequence[int | str] | int | str | None = None,
    link: str | None = None,
    level: float = LEVEL,
) -> Figure:
    """Draw the mean of replications over time, with a band for its confidence interval at each instant.

    ``ac.stats.over_time({"CUBIC": cubic_runs, "BBR": bbr_runs}, "goodput")``. The runs of a label are replications
    with different seeds.

    Args:
        runs: Replications, or a mapping of labels to replications for one curve per label.
        of: ``"goodput"`` or ``"throughput"`` (sum over the flows, in the bins of the runs), ``"cwnd"`` or ``"rtt"``
            (mean over flows with a value; the RTT is smoothed), or ``"queue"``.
        flows: Flows by name or number; all if None.
        link: Link direction whose queue is drawn (``"r0>r1"``); the one with the longest queue if None.
        level: Confidence level, 0 to 1. A label with a single run has no band.

    Raises:
        UserError: If there is no such quantity, flow or link, or no run, or runs of one label differ in length.
    """
    import numpy as np

    from ackclock.plot.drawing import colour, dashes, label, legend, new, style

    if of not in COURSES:
        raise UserError(f"there is no quantity {of!r}{choices(of, list(COURSES))}")
    course = COURSES[of]
    groups = runs if isinstance(runs, Mapping) else {"": runs}
    with style():
        figure, (axis,) = new()
        for i, (name, some) in enumerate(groups.items()):
            lengths = {float(run.manifest["duration_s"]) for run in some}
            if len(lengths) != 1:
                raise UserError(f"{name or 'the runs'}: wanted are one or more runs of one length")
            read = [_course(run, of, course, flows, link) for run in some]
            times = read[0][0]
            values = course.scale * np.array([each for _, each in read])
            known = np.isfinite(values)
            sums = np.where(known, values, 0.0).sum(axis=0)
            mean = np.where(known.any(axis=0), sums / np.maximum(known.sum(axis=0), 1), np.nan)
            # The band begins once all replications have a value.
            half = np.array([interval(list(column), level).half_width for column in values.T])
            low, high = mean - half, mean + half
            look: dict[str, Any] = {
                "color": colour(i),
                "linestyle": dashes(i),
                "label": label(name) if name else None,
            }
            axis.plot(times, mean, **look)
            if len(read) > 1:
                axis.fill_between(times, low, high, color=colour(i), alpha=0.2, linewidth=0)
        counts = sorted({len(some) for some in groups.values()})
        axis.set(xlabel="time (s)", ylabel=course.label)
        replications = " or ".join(map(str, counts))
        axis.set_title(f"Mean of {replications} replications, band: {level * 100:g} % interval")
        axis.set_xlim(0, max(float(run.manifest["duration_s"]) for some in groups.values() for run in some))
        if axis.get_ylim()[0] > 0:
            axis.set_ylim(0, None)
        legend(axis)
    return figure


def _course(
    run: Run, of: str, course: Course, flows: Sequence[int | str] | int | str | None, link: str | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return instants, seconds, and the quantity at each instant; NaN before its first value."""
    import numpy as np

    run.observe(course.trace)
    table = run.trace(course.trace).to_polars()
    end = float(run.manifest["duration_s"])
    given = range(len(run.flows)) if flows is None else [flows] if isinstance(flows, int | str) else flows
    chosen = [run.flow_number(flow) for flow in given]
    if course.trace == "throughput":
        mine = table.filter(table["flow"].is_in(chosen)).sort("time_s", "flow")
        sums = mine[course.variable].to_numpy().reshape(-1, len(chosen)).sum(axis=1)
        first = mine.filter(mine["flow"] == chosen[0])
        return (first["time_s"] + first["bin_s"] / 2).to_numpy(), sums
    instants = np.linspace(0.0, end, INSTANTS)
    if of == "queue":
        links = [str(one["name"]) for one in run.summary["links"]]
        if link is not None and link not in links:
            raise UserError(f"there is no link {link!r}{choices(link, links)}")
        longest = max(run.summary["links"], key=lambda one: one["queue_mean_packets"] or 0.0)
        here = table.filter(table["place"] == (link or longest["name"]))
        return instants, _held(here["time_s"].to_numpy(), here["packets"].to_numpy(), instants)
    each = [
        _held(np.array(times), np.array(values), instants)
        for times, values in (changes(table, flow, course.variable) for flow in chosen)
        if times
    ]
    if not each:
        raise UserError(f"none of these flows has a {course.label.split(' (')[0]}")
    known = np.isfinite(each)
    count = known.sum(axis=0)
    sums = np.where(known, each, 0.0).sum(axis=0)
    return instants, np.where(count > 0, sums / np.maximum(count, 1), np.nan)


def _held(
    times: NDArray[np.float64], values: NDArray[Any], instants: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the value that holds at each instant; NaN before the first value."""
    import numpy as np

    at = np.searchsorted(times, instants, side="right") - 1
    return np.where(at >= 0, np.asarray(values, dtype=float)[np.maximum(at, 0)], np.nan)
