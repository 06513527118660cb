"""Keywords of options for type checkers, written by `make pages` from their declarations."""

from __future__ import annotations

from typing import TypedDict


class SweepKeywords(TypedDict, total=False):
    """Options of SweepOptions, FolderOptions, as a caller gives them."""

    reps: int
    until: float | None
    by: str
    seed: int | None
    start_jitter: str | None
    send_overhead: str | None
    level: float
    bottleneck: str | None
    ties: bool
    measure: str | list[str] | tuple[str, ...] | None
    replace: bool
    by_point: bool
