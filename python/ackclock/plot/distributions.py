"""Figures of distributions: CDF, CCDF, boxes and violins. Ellipses are in `ackclock.plot.ellipses`.

``run.plot.distribution("rtt", "ccdf")`` draws one run, with one curve per flow.
``ackclock.plot.distribution({"CUBIC": runs})`` draws groups of runs; the values of a group are pooled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ackclock.errors import UserError, choices

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ackclock.plot.drawing import Picture
    from ackclock.runs.run import Run

Flows: TypeAlias = "Sequence[int | str] | int | str | None"
"""Flows by name or number; None for all."""

Runs: TypeAlias = "Run | Sequence[Run] | Mapping[str, Run | Sequence[Run]]"
"""One run, several runs whose values are pooled, or a mapping of labels to such groups."""

Values: TypeAlias = "dict[str, NDArray[np.float64]]"
"""Values of each curve, by label."""

KINDS: Final = ("cdf", "ccdf", "box", "violin")
"""Kinds of figures of a distribution."""

MOST_STEPS: Final = 1500
"""Maximum number of steps of a curve; with more values only visible steps are drawn."""

WHISKERS: Final = (5, 95)
"""Percentiles at which the whiskers of boxes end."""


@dataclass(frozen=True)
class Quantity:
    """A quantity whose distribution can be drawn.

    Attributes:
        label: Axis label without unit.
        unit: Unit on the axis.
        scale: Factor from the traces' unit to the axis' unit.
        traces: Names of the traces with the quantity.
        lacking: Reason that the error message gives if a run has no values.
    """

    label: str
    unit: str
    scale: float
    traces: tuple[str, ...]
    lacking: str


QUANTITIES: Final = {
    "rtt": Quantity("sampled round-trip time", "ms", 1e3, ("state",), "no TCP flow measured a round trip"),
    "delay": Quantity("one-way delay of packets", "ms", 1e3, ("delay",), "no packet arrived"),
    "queue-delay": Quantity(
        "queueing delay", "ms", 1e3, ("hops",), "no packet of these flows crossed the link"
    ),
    "completion": Quantity("completion time of flows", "s", 1.0, (), "no flow has a size and completed"),
}
"""Quantities whose distribution can be drawn, by name."""

FIGURES: Final = tuple(f"{of}-{kind}" for of in QUANTITIES for kind in KINDS)
"""Names of the figures for ``--plot``."""


def distribution(
    runs: Runs,
    of: str = "rtt",
    kind: str = "cdf",
    *,
    flows: Flows = None,
    link: str | None = None,
    log_x: bool = False,
) -> Figure:
    """Draw the distribution of a quantity.

    ``ac.plot.distribution({"CUBIC": cubic_runs, "BBR": bbr_runs}, "rtt", "ccdf")`` draws two curves.

    Args:
        runs: A run, for one curve per flow; or several runs, or a mapping of labels to runs, for one curve per label
            with the pooled values of its runs.
        of: Quantity: ``"rtt"`` (samples of TCP senders), ``"delay"`` (one-way delay of each packet that arrived),
            ``"queue-delay"`` (from arrival at the queue to transmission) or ``"completion"`` (of flows with a size).
        kind: Kind of figure: ``"cdf"``, ``"ccdf"`` (share above, on a logarithmic axis), ``"box"`` (quartiles, whiskers
            to the 5th and 95th percentile, the mean as a triangle) or ``"violin"``.
        flows: Flows by name or number; all if None.
        link: Link direction of the queue (``"r0>r1"``); the bottleneck if None.
        log_x: Use a logarithmic axis for the quantity.

    Raises:
        UserError: If there is no such quantity, kind, flow or link, or no value of the quantity.
    """
    import numpy as np

    quantity = known("quantity", of, QUANTITIES)
    known("kind of figure", kind, dict.fromkeys(KINDS))
    groups = _groups(runs, of, flows, link)
    groups = {name: np.sort(values) * quantity.scale for name, values in groups.items() if len(values)}
    if not groups:
        raise UserError(f"there is no {quantity.label} to draw: {quantity.lacking}")
    return _draw(groups, quantity, kind, log_x=log_x)


def _draw(groups: Values, quantity: Quantity, kind: str, *, log_x: bool) -> Picture:
    from ackclock.plot.drawing import INK, colour, dashes, label, legend, new, style

    heading = f"{quantity.label} ({quantity.unit})"
    title = f"{quantity.label[:1].upper()}{quantity.label[1:]}"
    with style():
        figure, (axis,) = new()
        if kind in ("cdf", "ccdf"):
            for i, (name, values) in enumerate(groups.items()):
                at, share = _steps(values, above=kind == "ccdf")
                look: dict[str, Any] = {"color": colour(i), "linestyle": dashes(i), "label": label(name)}
                axis.step(at, share, where="post", **look)
            axis.set(
                xlabel=heading, ylabel="share above" if kind == "ccdf" else "share at or below", title=title
            )
            if kind == "ccdf":
                axis.set_yscale("log")
            else:
                axis.set_ylim(0, 1)
            if log_x:
                axis.set_xscale("log")
            legend(axis)
            return figure
        places = list(range(1, len(groups) + 1))
        hues = [colour(i) for i in range(len(groups))]
        if kind == "box":
            lines: Any = {"color": INK, "linewidth": 1.0}
            drawn = axis.boxplot(
                list(groups.values()),
                positions=places,
                whis=WHISKERS,
                showfliers=False,
                showmeans=True,
                widths=0.5,
                patch_artist=True,
                medianprops=lines,
                meanprops={"markerfacecolor": "white", "markeredgecolor": INK},
            )
            bodies, title = drawn["boxes"], f"{title}: quartiles, mean, whiskers from 5 to 95 %"
        else:
            parts = axis.violinplot(list(groups.values()), positions=places, showmedians=True, widths=0.8)
            for name in ("cmedians", "cmins", "cmaxes", "cbars"):
                parts[name].set(color=INK, linewidth=1.0)
            bodies, title = parts["bodies"], f"{title}: density, median and range"
        for body, hue in zip(bodies, hues, strict=True):
            body.set(facecolor=hue, alpha=0.5)
        axis.set_xticks(places, [label(name) for name in groups])
        if log_x:
            axis.set_yscale("log")
        axis.set(ylabel=heading, title=title)
    return figure


def _steps(values: NDArray[np.float64], *, above: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the steps of an empirical distribution function: values, and the function from each value on.

    `values` are sorted. With `above` the function is the share of greater values (CCDF).
    """
    import numpy as np

    n = len(values)
    kept = np.arange(n)
    if n > MOST_STEPS:
        half = MOST_STEPS // 2
        # Half of the kept steps are evenly spaced; half are denser towards the tail, which a logarithmic axis
        # stretches.
        tail = n - np.unique(np.geomspace(1, n, half).astype(int))
        kept = np.unique(np.concatenate([np.linspace(0, n - 1, half).astype(int), tail]))
    at, share = values[kept], (kept + 1) / n
    if not above:
        return np.concatenate([at[:1], at]), np.concatenate([[0.0], share])
    # A logarithmic axis cannot show that no value is above the greatest, so the last step keeps the share before it.
    rest = 1.0 - share
    rest[-1] = rest[-2] if n > 1 else 1.0
    return np.concatenate([at[:1], at]), np.concatenate([[1.0], rest])


def _groups(runs: Runs, of: str, flows: Flows, link: str | None) -> Values:
    import numpy as np

    if isinstance(runs, Mapping):
        return {
            str(name): np.concatenate(
                [
                    np.empty(0),
                    *(values for run in listed(some) for values in _values(run, of, flows, link).values()),
                ]
            )
            for name, some in runs.items()
        }
    some = listed(runs)
    found: dict[str, list[NDArray[np.float64]]] = {}
    for run in some:
        for name, values in _values(run, of, flows, link).items():
            found.setdefault(name, []).append(values)
    return {name: np.concatenate(values) for name, values in found.items()}


def listed(runs: Run | Sequence[Run]) -> list[Run]:
    """Return one run or several as a list."""
    return list(runs) if isinstance(runs, Sequence) else [runs]


def _values(run: Run, of: str, flows: Flows, link: str | None) -> Values:
    """Return the values in one run by flow, or completion times by variant, in the unit of the traces."""
    import numpy as np

    every = run.summary["flows"]
    if of == "completion":
        times: dict[str, list[float]] = {}
        for flow in _chosen(run, flows):
            if every[flow]["fct_s"] is not None:
                times.setdefault(every[flow]["variant"], []).append(float(every[flow]["fct_s"]))
        return {name: np.array(some) for name, some in times.items()}
    found = values_by_flow(run, of, flows, link)
    return {f"{every[flow]['name']}: {every[flow]['variant']}": some for flow, some in found.items()}


def _chosen(run: Run, flows: Flows) -> list[int]:
    """Return the numbers of the chosen flows."""
    given = range(len(run.summary["flows"])) if flows is None else flows
    return [run.flow_number(flow) for flow in ([given] if isinstance(given, int | str) else given)]


def values_by_flow(run: Run, of: str, flows: Flows, link: str | None) -> dict[int, NDArray[np.float64]]:
    """Return the round-trip times, delays or queueing delays of one run by number of the flow, in the traces' unit."""
    quantity = QUANTITIES[of]
    run.observe(*quantity.traces)
    table = run.trace(quantity.traces[0]).to_polars()
    if of == "rtt":
        table = table.filter(table["variable"] == "rtt")
        column = table["value"]
    elif of == "delay":
        column = table["delay_s"]
    else:
        place = _place(run, link)
        table = table.filter((table["place"] == place) & table["cause"].is_null())
        column = table["begins_s"] - table["enqueued_s"]
    numbers, values = table["flow"].to_numpy(), column.to_numpy()
    found = {flow: values[numbers == flow] for flow in _chosen(run, flows)}
    return {flow: some for flow, some in found.items() if len(some)}


def _place(run: Run, link: str | None) -> str:
    """Return the link direction called `link`; the bottleneck if `link` is None."""
    names = [str(one["name"]) for one in run.summary["links"]]
    if link is None:
        if run.bottleneck is not None and run.bottleneck.name in names:
            return run.bottleneck.name
        raise UserError(f"name the link whose queue is meant{choices('', names)}")
    if link not in names:
        raise UserError(f"there is no link {link!r}{choices(link, names)}")
    return link


def known(what: str, given: str, every: Mapping[str, Any]) -> Any:
    """Return the entry called `given`; raise `UserError` with the nearest name if there is none."""
    if given not in every:
        raise UserError(f"there is no {what} {given!r}{choices(given, list(every))}")
    return every[given]
