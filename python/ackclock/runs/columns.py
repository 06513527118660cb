"""Names of columns: those of losses by cause, and those of earlier versions."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection

FORMER = re.compile(r"lost_packets\.(?P<cause>[a-z-]+)")
"""Names of losses by cause in earlier tables of comparisons and sweeps."""


def lost(cause: str) -> str:
    """Return the column of the packets lost by a cause, ``lost_queue_packets``, as in `flows` of the glossary."""
    return f"lost_{cause.replace('-', '_')}_packets"


def known(name: str, columns: Collection[str]) -> str:
    """Return today's name for a column of an earlier version, with a warning; any other name unchanged."""
    former = FORMER.fullmatch(name)
    if former is None or name in columns or lost(former["cause"]) not in columns:
        return name
    now = lost(former["cause"])
    warnings.warn(f"column {name} is called {now}", DeprecationWarning, stacklevel=3)
    return now
