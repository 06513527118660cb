"""Settings that all studies share, and what a line of a study's table of settings says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LEVEL: Final = 0.95
"""Confidence level of every interval printed."""

BASE_SEED: Final = 1
"""Seed of the first replication; the others count up from it."""


@dataclass(frozen=True)
class Setting:
    """One line of the table of settings.

    Attributes:
        name: What is set.
        value: To what.
        source: "paper" where the text states it, else "open".
        reason: Why this value where the paper leaves it open; where it is stated, in the text, otherwise.
    """

    name: str
    value: str
    source: str
    reason: str
