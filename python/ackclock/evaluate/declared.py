"""Declares what a dossier is made of: metrics, cases and criteria."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from ackclock.evaluate.observed import Observed

__all__ = ["CHOSEN", "Case", "Criterion", "Level", "Metric"]

CHOSEN: Final = "†"
"""Mark of a number that was chosen here and is not a source's."""


class Level(StrEnum):
    """Requirement level that RFC 9743 gives a criterion."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    NONE = "–"


@dataclass(frozen=True)
class Metric:
    """A number of one run, with the margin within which two controls count as equivalent.

    Attributes:
        name: Name in JSON; it ends in the unit.
        title: Title in tables.
        unit: Displayed unit; empty if there is none.
        scale: Factor from the value to the displayed unit.
        better: Direction of improvement.
        of: Function that computes the value from a run; NaN if the run has none.
        margin: Largest difference that counts as none, as a fraction of the baseline's mean.
        floor: Largest difference that counts as none whatever the baseline's mean, in the value's own unit.
        harm: Kind of the metric for harm (Ware et al. 2019): ``more`` or ``less`` is better for those who suffer it;
            empty for a metric without harm.
    """

    name: str
    title: str
    unit: str
    scale: float
    better: Literal["higher", "lower"]
    of: Callable[[Observed], float]
    margin: float = 0.05
    floor: float = 0.0
    harm: Literal["", "more", "less"] = ""

    @property
    def heading(self) -> str:
        """Title, with the displayed unit if there is one."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class Case:
    """One experiment of a criterion.

    Attributes:
        key: Name, unique within its criterion.
        title: Conditions, in words.
        document: The scenario; the variants of its flows in `own` and `other` are put in later.
        metrics: Metrics, the most telling first.
        own: Numbers of the flows that the control under test takes.
        other: Numbers of the flows that a baseline takes. If it is empty, each control is run by itself. Otherwise
            the control under test is run beside each baseline, and each baseline beside itself.
        fixed: Numbers of further flows that metrics look at, the same for all controls.
        base_s: Least one-way delay of the path, without queues, s.
        marks: Times and rates that metrics need, by name.
        packets: Approximate number of packets of a run, from which the cost is estimated.
        bin_s: Width of the bins of the trace `throughput`, s.
        jitter_s: Upper bound of the start jitter of all replications but the first, s.
        traces: Traces besides `throughput`.
        receivers: True if the case has receivers that misbehave, which a transport stack cannot have.
        quick: True if the case is part of the quick form.
    """

    key: str
    title: str
    document: dict[str, Any]
    metrics: tuple[Metric, ...]
    own: tuple[int, ...] = (0,)
    other: tuple[int, ...] = ()
    fixed: tuple[int, ...] = ()
    base_s: float = 0.0
    marks: dict[str, float] = field(default_factory=dict)
    packets: float = 50_000.0
    bin_s: float = 0.5
    jitter_s: float = 0.1
    traces: tuple[str, ...] = ()
    receivers: bool = False
    quick: bool = False


@dataclass(frozen=True)
class Criterion:
    """A criterion of RFC 9743, or one that was added here, with its experiments.

    Attributes:
        key: Name on the command line.
        title: Title of the section in the report.
        section: Section of RFC 9743; empty for a criterion that was added here.
        level: Requirement level.
        question: The question that the experiments answer, one sentence.
        setting: Topology and traffic, in words.
        cases: Function that returns the experiments.
        unavailable: Reason why the criterion, or a part of it, is not available; empty if all of it is.
        note: Remark on how to read the results; empty for none.
    """

    key: str
    title: str
    section: str
    level: Level
    question: str
    setting: str
    cases: Callable[[], tuple[Case, ...]] = tuple
    unavailable: str = ""
    note: str = ""
