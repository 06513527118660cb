"""Bounds of the settings that comparisons and sweeps share: replications, seeds, confidence.

The command line checks what is typed; these checks hold for Python, and for manifests that a disk or an editor has
damaged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ackclock.errors import UserError

MOST_RUNS: Final = 1_000_000
"""Replications of one point, at most."""


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda x: isinstance(x, int) and not isinstance(x, bool) and low <= x <= high


def _number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda x: (
        isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) and low <= x <= high
    )


_NAME: Final = (lambda x: isinstance(x, str), "a name")

BOUNDS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "reps": (_whole(1, MOST_RUNS), f"a whole number, 1 to {MOST_RUNS:,}"),
    "seed": (_whole(0, 2**64 - 1), "a whole number, 0 to 2^64 - 1"),
    "until": (_number(1e-4, math.inf), "a fraction, 0.0001 or more"),
    "jitter_s": (_number(0.0, 1e6), "seconds, 0 to 1,000,000"),
    "overhead_s": (_number(0.0, 10.0), "seconds, 0 to 10"),
    "margin": (_number(0.0, 1.0), "a fraction, 0 to 1"),
    "level": (_number(0.5, 0.9999), "a probability, 0.5 to 0.9999"),
    "by": _NAME,
    "reference": _NAME,
    "against": _NAME,
    "bottleneck": _NAME,
    "where": (lambda x: isinstance(x, str), "text"),
}
"""For each setting the test of a value, and the allowed values in words."""

OPTIONAL: Final = frozenset({"seed", "until", "jitter_s", "overhead_s", "reference", "against", "bottleneck"})
"""Settings that may be absent (None)."""


def check(settings: object) -> None:
    """Check the fields of a plan or a sweep that `BOUNDS` names.

    Raises:
        UserError: if one is out of its bounds or of the wrong type.

    """
    for name, (holds, allowed) in BOUNDS.items():
        if not hasattr(settings, name):
            continue
        value = getattr(settings, name)
        if not ((value is None and name in OPTIONAL) or holds(value)):
            raise UserError(f"{name}: not allowed\n  given:   {value!r}\n  allowed: {allowed}")
