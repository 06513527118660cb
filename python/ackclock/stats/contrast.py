"""Ranks and differences of compared variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ackclock.stats.statistics import Difference, Interval

NO_DIFFERENCE = "no difference that matters"
"""Verdict on a difference that lies within the margin."""

UNDECIDED = "cannot decide"
"""Verdict on a difference that chance may have made."""

POWER = 0.8
"""Power of the replications that are said to be needed: the probability that they tell two variants apart."""


@dataclass(frozen=True, slots=True)
class Rank:
    """The rank of a variant by one measure: a range, as far as the runs can tell."""

    best: int
    """The best possible rank: one more than the number of variants that are better."""
    worst: int
    """The worst possible rank: the number of variants minus those that are worse."""
    tied: tuple[str, ...]
    """Variants that the runs cannot tell it from, or that differ by no more than the margin."""

    def __str__(self) -> str:
        """Write ``2`` or, if the runs leave it open, ``1-3``."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference between two variants by one measure."""

    variant: str
    other: str
    difference: Difference
    """Mean of `variant` minus mean of `other`, paired by replication."""
    percent: Interval
    """The difference in percent of the other's mean, whose own uncertainty is in the interval (`Ratio`)."""
    p_holm: float
    """Its p value, adjusted by Holm's method for all pairs being tested together; NaN: cannot be tested."""
    known: bool
    """True if the difference is significant."""
    needed: int | None
    """If it is not: the replications that would show the observed difference with `POWER`."""
    margin: float
    """Relative difference up to which differences do not matter, a fraction of the other's mean."""

    @property
    def verdict(self) -> str:
        """Verdict of the runs.

        `NO_DIFFERENCE` if the whole interval of the relative difference lies within the margin, whether or not the
        difference is significant; otherwise ``more`` or ``less`` if it is significant, or `UNDECIDED`. ``equal`` if
        both are the same in every replication, to the last digit.
        """
        if self.difference.interval.zero_variance and self.difference.mean == 0:
            return "equal"
        edge = 100 * self.margin
        if self.percent.known and -edge < self.percent.low and self.percent.high < edge:
            return NO_DIFFERENCE
        return ("more" if self.difference.mean > 0 else "less") if self.known else UNDECIDED

    @property
    def matters(self) -> bool:
        """True if the difference is significant and not within the margin."""
        return self.verdict in ("more", "less")


def contrast_json(contrast: Contrast) -> dict[str, Any]:
    """Return a difference as plain data."""
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
