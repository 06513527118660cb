"""Keywords of options for type checkers, written by `make pages` from their declarations."""

from __future__ import annotations

from typing import TypedDict


class ComparisonKeywords(TypedDict, total=False):
    """Options of ComparisonOptions, TopologyOptions, as a caller gives them."""

    against: str | None
    by: str
    measure: str | list[str] | tuple[str, ...] | None
    reference: str | None
    reps: int
    until: float | None
    seed: int | None
    start_jitter: str | None
    send_overhead: str | None
    level: float
    margin: float
    bottleneck: str | None
    packets: bool
    ties: bool
    topology: str
    rate: object | None
    delay: object | None
    queue: object | None
    hops: int | None
    access_rate: object | None
    access_delay: object | None
    rtt: object | None
    flows: int | None
    stagger: object | None
    loss: object | None
    duration: object | None
    profile: object | None
