"""Series of one flow, extracted from trace tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars


def changes(table: polars.DataFrame, flow: int, variable: str) -> tuple[list[float], list[float]]:
    """Return the times, seconds, and values of one variable of a flow, from trace ``cwnd`` or ``state``."""
    mine = table.filter((table["flow"] == flow) & (table["variable"] == variable))
    return mine["time_s"].to_list(), mine["value"].to_list()


def recoveries(state: polars.DataFrame, flow: int, end_s: float) -> list[tuple[float, float]]:
    """Return begin and end, seconds, of each loss recovery of a flow, from trace ``state``."""
    spans: list[tuple[float, float]] = []
    since: float | None = None
    for at, inside in zip(*changes(state, flow, "recovery"), strict=True):
        if inside and since is None:
            since = at
        elif not inside and since is not None:
            spans.append((since, at))
            since = None
    return spans if since is None else [*spans, (since, end_s)]
