"""Figures of goodput against delay, with an ellipse per group: one standard deviation of the fitted Gaussian.

``run.plot.ellipse("rtt")`` draws the flows of one run by variant.
``ackclock.plot.ellipse({"CUBIC": cubic_runs, "BBR": bbr_runs})`` draws groups of runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from ackclock.errors import UserError
from ackclock.plot.distributions import QUANTITIES, Flows, Runs, known, listed, values_by_flow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ackclock.runs.run import Run

DELAYS: Final = ("rtt", "delay", "queue-delay")
"""Quantities that the horizontal axis can show."""

FIGURES: Final = tuple(f"{of}-ellipse" for of in DELAYS)
"""Names of the figures for ``--plot``."""

Points: TypeAlias = "list[tuple[float, float]]"
"""Delay, ms, and goodput, Mb/s, of each flow of each run."""


def ellipse(
    runs: Runs,
    of: str = "queue-delay",
    *,
    flows: Flows = None,
    link: str | None = None,
    percentile: float | None = None,
) -> Figure:
    """Draw goodput against delay: a dot per flow and run, and per group the mean and the ellipse of one sigma.

    ``ac.plot.ellipse({"CUBIC": cubic_runs, "BBR": bbr_runs}, "queue-delay")``. Delay falls to the right, so that better
    is up and to the right, as in the papers of Remy (Winstein and Balakrishnan 2013) and Sprout (Winstein et al. 2013).
    The ellipse is the contour, at one standard deviation, of the two-dimensional Gaussian that fits the dots (maximum
    likelihood). Groups with fewer than three dots, or with all dots on a line, have none.

    Args:
        runs: A run or several runs, for one group per variant of their flows; or a mapping of labels to runs, for one
            group per label.
        of: Delay of a flow: ``"queue-delay"``, ``"rtt"`` or ``"delay"``, as in `distribution`.
        flows: Flows by name or number; all if None.
        link: Link direction of the queue (``"r0>r1"``); the bottleneck if None.
        percentile: Percentile of the packets' delays that stands for a flow, 0 to 100; their mean if None.

    Raises:
        UserError: If there is no such quantity, flow or link, a percentile is out of range, or no flow has a delay.
    """
    from ackclock.plot.drawing import colour, label, legend, marker, new, style

    quantity = known("delay", of, {name: QUANTITIES[name] for name in DELAYS})
    if percentile is not None and not 0 <= percentile <= 100:
        raise UserError(f"percentile: not allowed\n  given:   {percentile}\n  allowed: 0 to 100, or None")
    groups = {name: some for name, some in _groups(runs, of, flows, link, percentile).items() if some}
    if not groups:
        raise UserError(f"there is no {quantity.label} to draw: {quantity.lacking}")
    which = "mean" if percentile is None else f"{percentile:g}th percentile of the"
    with style():
        figure, (axis,) = new()
        fitted = False
        for i, (name, points) in enumerate(groups.items()):
            x, y = [one for one, _ in points], [one for _, one in points]
            hue = colour(i)
            axis.plot(x, y, ".", color=hue, markersize=4, alpha=0.6)
            axis.plot([_mean(x)], [_mean(y)], marker(i), color=hue, markersize=8, label=label(name))
            around = contour(x, y)
            if around is not None:
                fitted = True
                axis.fill(*zip(*around, strict=True), facecolor=hue, alpha=0.15)
                axis.plot(*zip(*around, strict=True), color=hue, linewidth=1.2)
        axis.invert_xaxis()
        axis.set(
            xlabel=f"{which} {quantity.label} ({quantity.unit}), less to the right",
            ylabel="goodput of a flow (Mb/s)",
            title="Goodput against delay" + (", ellipses of one standard deviation" if fitted else ""),
        )
        legend(axis)
    return figure


def contour(x: Sequence[float], y: Sequence[float], points: int = 72) -> list[tuple[float, float]] | None:
    """Return the 1-sigma contour of the two-dimensional Gaussian fitted to the points, as a polygon.

    The fit is by maximum likelihood: means, variances and covariance over n. The result is None for fewer than three
    points, or if all lie on a line.
    """
    n = len(x)
    if n < 3:
        return None
    mid_x, mid_y = _mean(x), _mean(y)
    var_x = math.fsum((one - mid_x) ** 2 for one in x) / n
    var_y = math.fsum((one - mid_y) ** 2 for one in y) / n
    both = math.fsum((one - mid_x) * (other - mid_y) for one, other in zip(x, y, strict=True)) / n
    rest = var_y - both * both / var_x if var_x > 0 else 0.0
    if var_x <= 0 or rest <= 1e-12 * var_y:
        return None
    # The contour is the image of the unit circle under the Cholesky factor of the covariance.
    across, tilt, up = math.sqrt(var_x), both / math.sqrt(var_x), math.sqrt(rest)
    turns = (2 * math.pi * i / points for i in range(points + 1))
    return [(mid_x + across * math.cos(a), mid_y + tilt * math.cos(a) + up * math.sin(a)) for a in turns]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _groups(
    runs: Runs, of: str, flows: Flows, link: str | None, percentile: float | None
) -> dict[str, Points]:
    """Return the points of each group: of each label, or of each variant."""
    if isinstance(runs, Mapping):
        return {
            str(name): [
                point for run in listed(some) for _, point in _points(run, of, flows, link, percentile)
            ]
            for name, some in runs.items()
        }
    found: dict[str, Points] = {}
    for run in listed(runs):
        for variant, point in _points(run, of, flows, link, percentile):
            found.setdefault(variant, []).append(point)
    return found


def _points(
    run: Run, of: str, flows: Flows, link: str | None, percentile: float | None
) -> list[tuple[str, tuple[float, float]]]:
    """Return the variant and the point of each flow of a run that has a delay and a goodput."""
    import numpy as np

    found = []
    for flow, values in values_by_flow(run, of, flows, link).items():
        record = run.summary["flows"][flow]
        if record["goodput_bps"] is not None and len(values):
            delay = values.mean() if percentile is None else np.percentile(values, percentile)
            point = (float(delay) * QUANTITIES[of].scale, record["goodput_bps"] / 1e6)
            found.append((str(record["variant"]), point))
    return found
