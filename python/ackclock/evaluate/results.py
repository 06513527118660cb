"""Writes a dossier as JSON."""

from __future__ import annotations

from typing import Any

from ackclock._io.versions import SCHEMA_VERSION
from ackclock.evaluate.declared import Criterion
from ackclock.evaluate.dossier import Dossier
from ackclock.evaluate.findings import findings
from ackclock.evaluate.judging import Judged, Verdict
from ackclock.evaluate.plan import Plan
from ackclock.stats.statistics import Interval

__all__ = ["to_json"]


def to_json(found: Dossier) -> dict[str, Any]:
    """Return the dossier for JSON."""
    return {
        "schema_version": SCHEMA_VERSION,
        "subject": found.subject,
        "baselines": [found.plan.label(role) for role in found.plan.roles[1:]],
        "quick": found.plan.quick,
        "findings": list(findings(found)),
        "counts": {str(one): found.counts[one] for one in Verdict},
        "criteria": [_criterion(found, one) for one in found.plan.criteria],
        "manifest": found.manifest(),
    }


def _criterion(found: Dossier, criterion: Criterion) -> dict[str, Any]:
    return {
        "name": criterion.key,
        "title": criterion.title,
        "section": criterion.section,
        "level": str(criterion.level),
        "question": criterion.question,
        "not_available": criterion.unavailable,
        "cases": [
            {
                "name": case.key,
                "title": case.title,
                "results": [_result(found.plan, one) for one in found.of(criterion, case)],
            }
            for case in found.plan.cases(criterion)
        ],
    }


def _interval(found: Interval) -> dict[str, Any]:
    return {"mean": found.mean, "half_width": found.half_width, "n": found.n}


def _result(plan: Plan, one: Judged) -> dict[str, Any]:
    return {
        "metric": one.metric.name,
        "better": one.metric.better,
        "baseline": plan.label(one.baseline),
        "subject": _interval(one.subject),
        "against": _interval(one.against),
        "difference": {**_interval(one.difference), "low": one.difference.low, "high": one.difference.high},
        "margin": one.edge,
        "verdict": str(one.verdict),
        "interval_from": "draws of phases" if one.by_draws else "replications",
        "by_ties": {
            size: {"verdict": str(one.drawn[size]), "low": low, "high": high}
            for size, (low, high) in one.spreads.items()
        },
        "hangs_on": one.hangs_on,
        "harm": None if one.harm is None else {"subject": one.harm.subject, "baseline": one.harm.baseline},
        "reason": one.reason,
    }
