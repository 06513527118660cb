"""Curves of means with their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.report.model import Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.sweep.statistics import Interval


def means(
    label: str,
    hue: int,
    x: Sequence[float],
    values: Sequence[Interval],
    *,
    dashed: bool = False,
    bars: bool = True,
    kind: str = "curve",
) -> Series:
    """Means with bars for their intervals; without where some have none, or `bars` is False."""
    bars = bars and not any(math.isnan(value.half_width) for value in values)
    return Series(
        label=label,
        hue=hue,
        x=tuple(x),
        y=tuple(value.mean for value in values),
        low=tuple(value.low for value in values) if bars else (),
        high=tuple(value.high for value in values) if bars else (),
        kind=kind,
        dashed=dashed,
    )
