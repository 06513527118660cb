"""A finished evaluation: its verdicts, and their selection for findings and reports."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ackclock import _core
from ackclock.evaluate.declared import Case, Criterion
from ackclock.evaluate.judging import Judged, Verdict
from ackclock.evaluate.plan import Plan
from ackclock.runs.ties import SIZES

__all__ = ["Dossier", "listed"]


@dataclass(frozen=True)
class Dossier:
    """The verdicts of an evaluation.

    Attributes:
        plan: The plan.
        judged: The verdicts, in the order of the plan.
    """

    plan: Plan
    judged: tuple[Judged, ...]

    @property
    def subject(self) -> str:
        """Name of the control under test."""
        return self.plan.subject.label

    @cached_property
    def counts(self) -> Counter[Verdict]:
        """Number of comparisons by verdict."""
        return Counter(one.verdict for one in self.judged)

    def of(self, criterion: Criterion, case: Case | None = None) -> list[Judged]:
        """Return the verdicts of a criterion, or of one of its cases."""
        return [
            one
            for one in self.judged
            if one.criterion == criterion and (case is None or one.case.key == case.key)
        ]

    def headline(self, criterion: Criterion) -> list[Judged]:
        """Return the verdicts that stand for a criterion: the first metric of its first case, beside each baseline.

        The first case of the quick form stands for the whole criterion, so that both forms have the same line.
        """
        cases = self.plan.cases(criterion)
        if not cases:
            return []
        case = next((one for one in cases if one.quick), cases[0])
        return [one for one in self.of(criterion, case) if one.metric == case.metrics[0]]

    def available(self) -> list[Judged]:
        """Return the verdicts that are available."""
        return [one for one in self.judged if one.verdict is not Verdict.ABSENT]

    def extreme(self, verdict: Verdict) -> Judged | None:
        """Return the verdict of this kind with the largest difference, counted in margins; None if there is none.

        Verdicts that hang on ties or phase, and metrics of others, which `most_harmful` covers, are left out.
        """
        found = [
            one
            for one in self.judged
            if one.verdict is verdict and one.hangs_on is None and not one.metric.harm and one.edge > 0
        ]
        return max(found, key=lambda one: abs(one.difference.mean) / one.edge, default=None)

    def most_harmful(self) -> Judged | None:
        """Return the case in which harm to others' goodput most exceeds the baseline's harm to itself."""
        found = [
            one
            for one in self.judged
            if one.harm is not None and one.metric.harm == "more" and one.case.other
        ]
        return max(
            found,
            key=lambda one: one.harm.subject - one.harm.baseline if one.harm else -math.inf,
            default=None,
        )

    def manifest(self) -> dict[str, Any]:
        """Return all inputs of the evaluation."""
        runs = self.plan.runs
        return {
            "version": _core.__version__,
            "plan": {
                "subject": _variant(self.plan, 0),
                "baselines": [_variant(self.plan, role) for role in self.plan.roles[1:]],
                "criteria": [one.key for one in self.plan.criteria],
                "quick": self.plan.quick,
                "seed": self.plan.seed,
                "replications": runs.reps,
                "draws": runs.draws,
                "sizes": dict(SIZES),
            },
        }


def _variant(plan: Plan, role: int) -> dict[str, Any]:
    variant = plan.variant(role)
    return {
        "label": variant.label,
        "variant": variant.name,
        "control": dict(variant.control),
        "tcp": dict(variant.tcp),
    }


def listed(names: Sequence[str]) -> str:
    """Return names as text: ``a, b and c``."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
