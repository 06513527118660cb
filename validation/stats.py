"""Statistics for samples of which only mean, standard deviation and size are known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ackclock.stats.equivalence import Verdict, equivalence
from ackclock.stats.statistics import mean, t_quantile, variance


def mean_sd(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and sample standard deviation; the latter is 0 for a single value."""
    return mean(values), math.sqrt(variance(values)) if len(values) > 1 else 0.0


def t_half_width(sd: float, n: int, level: float = 0.95) -> float:
    """Return half the width of Student's interval of a mean of n values; 0 for a single value."""
    return t_quantile(level, n - 1) * sd / math.sqrt(n) if n > 1 else 0.0


def relative(ours: float, theirs: float) -> float:
    """Return our relative deviation from theirs, or the absolute deviation if theirs is zero."""
    return (ours - theirs) / theirs if theirs else ours


@dataclass(frozen=True)
class Compared:
    """Our mean compared with the reference's, judged by equivalence within a margin.

    Attributes:
        text: Both means with their spread, and the difference with its interval in percent or in their unit.
        asked: The margin as text.
        passed: True if equivalent, false if different, None if the runs cannot decide.
    """

    text: str
    asked: str
    passed: bool | None


def compared(
    mine: tuple[float, float, int],
    theirs: tuple[float, float, int],
    margin: float,
    *,
    absolute: bool = False,
    form: str = ".0f",
) -> Compared:
    """Judge by a test of equivalence if our mean agrees with the reference's within a margin.

    Args:
        mine: Our mean, standard deviation and number of runs.
        theirs: The reference's mean, standard deviation and number of runs.
        margin: Greatest difference that counts as agreement, as a fraction of the reference's mean, or with `absolute`
            in the unit of the values.
        absolute: True for a margin in the unit of the values.
        form: Format of the means.
    """
    unit = 1.0 if absolute else abs(theirs[0]) or 1.0
    found = equivalence(
        (mine[0], mine[1] ** 2, mine[2]), (theirs[0], theirs[1] ** 2, theirs[2]), margin * unit
    )
    ends = (found.difference.mean, found.difference.low, found.difference.high)
    off, low, high = ((f"{end:+.3f}" if absolute else f"{end / unit:+.1%}") for end in ends)
    sides = " against ".join(f"{mean:{form}} (sd {sd:{form}}, {n})" for mean, sd, n in (mine, theirs))
    span = f"{off} [{low}, {high}]" if found.difference.half_width else off
    verdicts = {Verdict.EQUIVALENT: True, Verdict.DIFFERENT: False, Verdict.UNDECIDED: None}
    asked = f"within {margin:.3g}" if absolute else f"within {100 * margin:.3g} %"
    return Compared(f"{sides}: {span}", asked, verdicts[found.verdict])
