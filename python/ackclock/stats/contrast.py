"""Ranks and differences of compared variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ackclock.stats.statistics import Difference, Interval

NO_DIFFERENCE = "no difference that matters"
"""Verdict if the whole interval of a difference lies within the margin."""

UNDECIDED = "cannot decide"
"""Verdict if a difference is not significant."""

POWER = 0.8
"""Probability of detecting a true difference with the number of replications that reports recommend."""


@dataclass(frozen=True, slots=True)
class Rank:
    """The rank of a variant in one measure, as a range."""

    best: int
    """Best possible rank: 1 plus the number of significantly better variants."""
    worst: int
    """Worst possible rank: the number of variants minus the number of significantly worse ones."""
    tied: tuple[str, ...]
    """Variants whose difference is not significant, or is within the margin."""

    def __str__(self) -> str:
        """Return the rank as text: ``2``, or ``1-3`` if it is a range."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference between two variants in one measure, with tests and verdict."""

    variant: str
    other: str
    difference: Difference
    """Mean of `variant` minus mean of `other`, paired by replication."""
    percent: Interval
    """Difference in percent of the mean of `other`; its interval includes the uncertainty of both means (`Ratio`)."""
    p_holm: float
    """p value of the difference, adjusted by Holm's method for all pairs; NaN if there is no test."""
    known: bool
    """True if the difference is significant."""
    needed: int | None
    """Replications needed to detect the observed difference with `POWER`; None if significant or out of reach."""
    margin: float
    """Relative difference that counts as negligible, as a fraction of the mean of `other`."""

    @property
    def verdict(self) -> str:
        """Verdict on the difference.

        ``equal`` if both values are identical in every replication. `NO_DIFFERENCE` if the whole interval of the
        relative difference lies within the margin, significant or not. Otherwise ``more`` or ``less`` if the difference
        is significant, and `UNDECIDED` if it is not.
        """
        if self.difference.interval.zero_variance and self.difference.mean == 0:
            return "equal"
        edge = 100 * self.margin
        if self.percent.known and -edge < self.percent.low and self.percent.high < edge:
            return NO_DIFFERENCE
        return ("more" if self.difference.mean > 0 else "less") if self.known else UNDECIDED

    @property
    def matters(self) -> bool:
        """True if the difference is significant and its interval is not within the margin."""
        return self.verdict in ("more", "less")


def contrast_json(contrast: Contrast) -> dict[str, Any]:
    """Return a contrast as a dictionary for JSON."""
    found = contrast.difference
    return {
        "label": contrast.variant,
        "less": contrast.other,
        "mean": found.mean,
        "half_width": found.interval.half_width,
        "percent": contrast.percent.mean,
        "percent_low": contrast.percent.low,
        "percent_high": contrast.percent.high,
        "t": found.t,
        "p": found.p,
        "p_holm": contrast.p_holm,
        "effect": found.effect,
        "verdict": contrast.verdict,
        "replications_needed": contrast.needed,
    }
