"""The figure ``theory``: each flow's goodput with the rates of models, and the residuals below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ackclock.errors import UserError
from ackclock.plot.drawing import colour, label, legend, marker, new, scaled, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ackclock.runs.run import Run

STYLES = ((0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (10, 3)))
"""Line styles of the models, in order of the models."""


def draw(run: Run, flows: Sequence[int], models: Iterable[str] = ()) -> Figure:
    """Draw the goodput of flows over time with a line at each model's rate, and below the ratio of measured to model.

    Raises:
        UserError: If there is no such model, or the models predict no rate for any of the flows.
    """
    found = [one for one in run.theory(*models) if run.flow_number(one.flow) in flows]
    if not found:
        raise UserError(
            "models have no rate for any of these flows\n"
            "  mathis, pftk, cubic: TCP flows that met a loss\n"
            "  bianchi: UDP flows of 802.11 stations whose queues are full, one rate, no RTS, no aggregates"
        )
    names = list(dict.fromkeys(one.model for one in found))
    table = run.trace("throughput").to_polars()
    factor, unit = scaled(max([*table["goodput_bps"].to_list(), *(one.predicted_bps for one in found)]))
    with style():
        figure, (rates, residuals) = new(2, height=5.5, height_ratios=[2, 1])
        for flow in dict.fromkeys(run.flow_number(one.flow) for one in found):
            mine = table.filter(table["flow"] == flow).sort("time_s")
            middle, rate = mine["time_s"] + mine["bin_s"] / 2, mine["goodput_bps"] * factor
            rates.plot(
                middle.to_list(), rate.to_list(), color=colour(flow), label=label(run.flow(flow)["name"])
            )
        for one in found:
            look = STYLES[names.index(one.model) % len(STYLES)]
            hue = colour(run.flow_number(one.flow))
            rates.axhline(one.predicted_bps * factor, color=hue, linestyle=look, linewidth=1.0)
        for i, name in enumerate(names):
            rates.plot([], [], color="#555555", linestyle=STYLES[i % len(STYLES)], linewidth=1.0, label=name)
            some = [one for one in found if one.model == name]
            for one in some:
                at = list(dict.fromkeys(each.flow for each in found)).index(one.flow) + 0.18 * (
                    i - 0.5 * (len(names) - 1)
                )
                hue = colour(run.flow_number(one.flow))
                residuals.plot([at], [100 * one.residual], marker(i), color=hue, markersize=6)
                residuals.vlines(at, 0, 100 * one.residual, color=hue, linewidth=1.0)
            residuals.plot([], [], marker(i), color="#555555", linestyle="none", label=name)
        duration = float(run.manifest["duration_s"])
        rates.set(
            xlabel="time (s)", ylabel=f"goodput ({unit})", title="Goodput and models", xlim=(0, duration)
        )
        rates.set_ylim(0, None)
        shown = list(dict.fromkeys(one.flow for one in found))
        residuals.axhline(0, color="#555555", linewidth=0.8)
        residuals.set(ylabel="measured minus\nmodel (%)", xlim=(-0.6, len(shown) - 0.4))
        residuals.set_xticks(range(len(shown)), [label(one) for one in shown])
        legend(rates)
        legend(residuals)
    return figure
