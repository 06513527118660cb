"""The five sentences at the beginning of a dossier, composed from its verdicts."""

from __future__ import annotations

import math

from ackclock.evaluate.dossier import Dossier, listed
from ackclock.evaluate.judging import Judged, Verdict
from ackclock.report.text import counted
from ackclock.stats.statistics import Interval
from ackclock.stats.text import brief

__all__ = ["amount", "findings", "shown"]

SIGNIFICANT = 4
"""Most significant digits of a mean; intervals far below them are not shown."""


def findings(found: Dossier) -> tuple[str, ...]:
    """Return what was found in five sentences."""
    return (
        _counts(found),
        _harm(found),
        _extreme(found, Verdict.WORSE),
        _extreme(found, Verdict.BETTER),
        _limits(found),
    )


def amount(one: Judged, value: float) -> str:
    """Return a value of a metric with its unit as text."""
    unit, scaled = one.metric.unit, value * one.metric.scale
    said = f"{scaled:,.0f}" if abs(scaled) >= 1000 else brief(value, one.metric.scale, 3)
    return f"{said}{' ' if unit else ''}{unit}"


def shown(found: Interval, scale: float) -> str:
    """Return ``mean ±half width`` in the displayed unit, with at most `SIGNIFICANT` digits of the mean.

    A half width that these digits cannot show is left out.
    """
    mean, half = found.mean * scale, found.half_width * scale
    if math.isnan(mean) or not found.known:
        return brief(found.mean, scale)
    if half == 0 or (mean and half < abs(mean) * 10.0**-SIGNIFICANT):
        return brief(mean, 1.0, SIGNIFICANT)
    digits = max(0, 1 - math.floor(math.log10(half)))
    most = SIGNIFICANT - 1 - math.floor(math.log10(max(abs(mean), half)))
    digits = max(0, min(digits, most))
    if not round(half, digits):
        return brief(mean, 1.0, SIGNIFICANT)
    return f"{mean:.{digits}f} ±{half:.{digits}f}"


def _counts(found: Dossier) -> str:
    counts, plan = found.counts, found.plan
    names = listed([plan.label(role) for role in plan.roles[1:]])
    cases = sum(len(plan.cases(one)) for one in plan.criteria)
    total = len(found.available())
    return (
        f"{found.subject} was compared with {names} in {counted(cases, 'experiment')}: of "
        f"{counted(total, 'comparison')}, the verdict is better in {counts[Verdict.BETTER]}, worse in "
        f"{counts[Verdict.WORSE]}, equivalent within the margin in {counts[Verdict.EQUIVALENT]}, and no difference "
        f"found in {counts[Verdict.NONE]}."
    )


def _harm(found: Dossier) -> str:
    worst = found.most_harmful()
    if worst is None or worst.harm is None:
        return f"The harm that {found.subject} does to other controls was not measured in this evaluation."
    label = found.plan.label(worst.baseline)
    beside = (
        f"{label} gets {amount(worst, worst.subject.mean)} beside {found.subject} and "
        f"{amount(worst, worst.against.mean)} beside itself, a harm of {worst.harm.subject:.2f} and "
        f"{worst.harm.baseline:.2f} ({worst.case.title})"
    )
    starved = max(
        (one for one in found.judged if one.metric.name == "starved_s" and one.subject.mean >= 10),
        key=lambda one: one.subject.mean,
        default=None,
    )
    ends = "."
    if starved is not None:
        ends = (
            f"; {found.plan.label(starved.baseline)} stays under a tenth of its fair share for up to "
            f"{starved.subject.mean:.0f} s ({starved.case.title})."
        )
    if worst.verdict is Verdict.WORSE:
        return f"It harms others most in this case: {beside}{ends}"
    return (
        "In no case do others get significantly less beside it than beside themselves; nearest to it, "
        f"{beside}{ends}"
    )


def _extreme(found: Dossier, verdict: Verdict) -> str:
    one = found.extreme(verdict)
    word = "disadvantage" if verdict is Verdict.WORSE else "advantage"
    if one is None:
        return f"No {word} was found that does not hang on ties or phase."
    metric = one.metric
    return (
        f"Its largest {word}, counted in margins, is in criterion {one.criterion.key}: {metric.title} of "
        f"{amount(one, one.subject.mean)}, with {found.plan.label(one.baseline)} {amount(one, one.against.mean)} "
        f"({one.case.title}; difference {shown(one.difference, metric.scale)})."
    )


def _limits(found: Dossier) -> str:
    hanging = [one for one in found.judged if one.hangs_on is not None]
    ties = sum(one.hangs_on == "ties" for one in hanging)
    absent = [one.key for one in found.plan.criteria if one.unavailable and not found.plan.cases(one)]
    parts = [
        f"Of the verdicts, {ties} {'hangs' if ties == 1 else 'hang'} on ties and {len(hanging) - ties} on the phases "
        "of packets"
        if hanging
        else "No verdict hangs on ties or on the phases of packets"
    ]
    if found.counts[Verdict.ABSENT]:
        parts.append(f"{found.counts[Verdict.ABSENT]} comparisons are not available for this control")
    if absent:
        parts.append(f"criteria without experiments here: {listed(absent)}")
    return f"{'; '.join(parts)}."
