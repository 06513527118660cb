"""Traces of one flow over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars


def changes(table: polars.DataFrame, flow: int, variable: str) -> tuple[list[float], list[float]]:
    """Return times and values of one variable of one flow (traces ``cwnd`` and ``state``)."""
    mine = table.filter((table["flow"] == flow) & (table["variable"] == variable))
    return mine["time_s"].to_list(), mine["value"].to_list()


def recoveries(state: polars.DataFrame, flow: int, end_s: float) -> list[tuple[float, float]]:
    """Return the spans of time in which a flow recovered from loss (trace ``state``)."""
    spans: list[tuple[float, float]] = []
    since: float | None = None
    for at, inside in zip(*changes(state, flow, "recovery"), strict=True):
        if inside and since is None:
            since = at
        elif not inside and since is not None:
            spans.append((since, at))
            since = None
    return spans if since is None else [*spans, (since, end_s)]
