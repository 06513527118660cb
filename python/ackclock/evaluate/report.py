"""The report of a dossier: findings, a line per criterion, a section each, and draft text."""

from __future__ import annotations

import math
from typing import Final

from ackclock.evaluate.declared import CHOSEN, Case, Criterion, Level, Metric
from ackclock.evaluate.dossier import Dossier
from ackclock.evaluate.drafts import draft, template
from ackclock.evaluate.findings import findings, shown
from ackclock.evaluate.judging import Judged, Verdict
from ackclock.report.model import Block, Code, Figure, Panel, Report, Section, Series, Table, Text
from ackclock.report.text import counted
from ackclock.runs.ties import SIZES
from ackclock.stats.text import brief

__all__ = ["command", "overview", "report", "scenario_name"]

SHORT: Final = {
    Verdict.BETTER: "better",
    Verdict.WORSE: "worse",
    Verdict.EQUIVALENT: "equivalent",
    Verdict.NONE: "none found",
    Verdict.ABSENT: "–",
}
"""Verdicts in tables."""

READING: Final = (
    "Every verdict compares two controls; none says that a control complies with a specification, for which RFC "
    "9743 sets no thresholds. Differences are paired by seed. Two controls are equivalent if the 90 % interval of "
    f"the difference lies within the margin {CHOSEN}. They differ (better, worse) if the 99 % interval does not "
    "contain 0. Otherwise no difference was found. Intervals in tables are of 95 %.",
    "Each verdict is repeated on links whose rates and delays are changed at random by up to 1e-6, which breaks "
    "ties, and by up to 1e-3, which shifts phases. Draw d has the seed of replication d, and the draws of one size "
    "have a verdict of their own. If it contradicts the verdict on the links as they are, the verdict hangs on "
    "ties or on phase. If the replications repeat each other, the interval is that of the draws of phases.",
    "Harm (Ware et al. 2019) is the part of its performance alone that a flow loses beside others: 0 is none, 1 is "
    "all. A control does no more harm than a baseline if its harm is not greater than that of the baseline to "
    "itself.",
    f"A {CHOSEN} marks numbers that were chosen here and are not a source's. All margins are such numbers: they are "
    "listed in the tables of results.",
)


def report(found: Dossier, commands: str = "") -> Report:
    """Return the report; `commands` is the command line that makes it."""
    plan = found.plan
    runs = plan.runs
    names = ", ".join(plan.label(role) for role in plan.roles[1:])
    form = "quick form" if plan.quick else "full form"
    sections = [
        Section("One line for each criterion", (overview(found),)),
        *(_section(found, one) for one in plan.criteria),
        Section("How to read the verdicts", (Text(READING),)),
    ]
    return Report(
        study="evaluate",
        title=f"{found.subject}: a dossier by the criteria of RFC 9743",
        subtitle=f"beside {names}; {form}, {runs.reps} replications and {runs.draws} draws of each size",
        lead=findings(found),
        sections=tuple(sections),
        footer=f"ackclock {found.manifest()['version']}, seeds from {plan.seed} on. {commands}".strip(),
    )


def overview(found: Dossier) -> Table:
    """Return the table with one line for each criterion."""
    roles = found.plan.roles[1:]
    labels = [found.plan.label(role) for role in roles]
    rows = []
    for criterion in found.plan.criteria:
        head = found.headline(criterion)
        level = "" if criterion.level is Level.NONE else f" {criterion.level}"
        section = f"{criterion.section}{level}"
        if not head:
            reason = "template" if not criterion.unavailable else "not available"
            rows.append((criterion.key, section, reason, "–", *("–" for _ in roles), "–"))
            continue
        first = head[0]
        own = "–" if first.case.other else shown(first.subject, first.metric.scale)
        rows.append(
            (
                criterion.key,
                section,
                f"{first.metric.heading}; {first.case.title}",
                own,
                *(_cell(one) for one in head),
                _harms(found.of(criterion)),
            )
        )
    return Table(
        key="criteria",
        title="The first result of each criterion",
        columns=("criterion", "RFC 9743", "result", found.subject, *labels, "harm"),
        rows=tuple(rows),
        notes=(
            "A baseline's column has its value and the verdict on the control under test. Where a criterion sets "
            f"two camps beside each other, it has the baseline's value beside {found.subject} and beside itself.",
            f"Harm: the greatest to each baseline's goodput by {found.subject} / by the baseline itself; in criterion "
            "real-time, to the media's rate.",
        ),
        text_columns=3,
    )


def _cell(one: Judged) -> str:
    if one.verdict is Verdict.ABSENT:
        return "–"
    hangs = f", hangs on {one.hangs_on}" if one.hangs_on else ""
    scale = one.metric.scale
    if one.case.other:
        return f"{brief(one.subject.mean, scale, 3)} / {brief(one.against.mean, scale, 3)}: {SHORT[one.verdict]}{hangs}"
    return f"{shown(one.against, scale)}: {SHORT[one.verdict]}{hangs}"


def _harms(judged: list[Judged]) -> str:
    """Return the greatest harm to others' goodput, beside each baseline, as text."""
    worst: dict[int, Judged] = {}
    for one in judged:
        if one.harm is None or one.metric.harm != "more":
            continue
        known = worst.get(one.baseline)
        if known is None or known.harm is None or one.harm.subject > known.harm.subject:
            worst[one.baseline] = one
    return (
        "; ".join(f"{one.harm.subject:.2f} / {one.harm.baseline:.2f}" for one in worst.values() if one.harm)
        or "–"
    )


def _section(found: Dossier, criterion: Criterion) -> Section:
    level = "" if criterion.level is Level.NONE else f", {criterion.level}"
    source = f"RFC 9743, section {criterion.section}{level}" if criterion.section else f"Added here {CHOSEN}"
    intro = [f"{criterion.question} {source}. Set-up: {criterion.setting}."]
    intro += [one for one in (criterion.note, criterion.unavailable) if one]
    refused = {why for entry, why in found.plan.refused.items() if entry.criterion == criterion.key}
    intro += [f"Not run: {why}" for why in sorted(refused)]
    blocks: list[Block] = [Text(tuple(intro))]
    cases = found.plan.cases(criterion)
    if cases:
        blocks += [_figure(found, criterion), _results(found, criterion)]
        blocks.append(Code(tuple(command(found, criterion, case) for case in cases)))
    text = template(found) if criterion.key == "documents" else draft(found, criterion)
    if text:
        blocks.append(Text(("Draft text:", *text)))
    return Section(criterion.title, tuple(blocks))


def scenario_name(criterion: Criterion, case: Case) -> str:
    """Return the name of a case's scenario file."""
    return f"{criterion.key}-{case.key}.toml"


def command(found: Dossier, criterion: Criterion, case: Case) -> str:
    """Return the command that runs a case's scenario again."""
    code = " --allow-code" if ".py:" in found.plan.subject.name else ""
    return f"ackclock run scenarios/{scenario_name(criterion, case)}{code}"


def _figure(found: Dossier, criterion: Criterion) -> Figure:
    """Draw the first metrics of a criterion: a position for each case, a colour for each control."""
    cases = found.plan.cases(criterion)
    metrics: list[Metric] = []
    for case in cases:
        metrics += [one for one in case.metrics[:2] if one.name not in {m.name for m in metrics}]
    beside = [case for case in cases if case.other]
    panels = tuple(_panel(found, criterion, metric) for metric in metrics[:3])
    notes = [f"{i + 1}: {case.title}." for i, case in enumerate(cases)]
    if beside:
        notes.append(f"Filled: beside {found.subject}. Hollow: the baseline beside itself.")
    return Figure(
        key=f"evaluate-{criterion.key}",
        title=criterion.title,
        x_label="case, numbered as below",
        panels=panels,
        notes=(" ".join(notes),),
        alt=f"Results of criterion {criterion.key} for each case and control.",
        x_range=(0.4, len(cases) + 0.6),
        x_names=("", *(str(i + 1) for i in range(len(cases)))),
    )


def _panel(found: Dossier, criterion: Criterion, metric: Metric) -> Panel:
    roles = found.plan.roles
    points: dict[tuple[str, int, str], list[tuple[float, float, float, float]]] = {}
    for i, case in enumerate(found.plan.cases(criterion)):
        for one in found.of(criterion, case):
            if one.metric.name != metric.name or one.verdict is Verdict.ABSENT:
                continue
            label = found.plan.label(one.baseline)
            place = i + 1 + 0.5 * (one.baseline / len(roles) - 0.5)
            if case.other:
                named = (
                    (f"{label} beside {found.subject}", one.baseline, "estimate"),
                    (f"{label} beside itself", one.baseline, "open"),
                )
                places = place, place + 0.06
            else:
                named = (found.subject, 0, "estimate"), (label, one.baseline, "estimate")
                places = i + 1 - 0.25, place
            for key, at, found_value in zip(named, places, (one.subject, one.against), strict=True):
                half = found_value.half_width if found_value.known else 0.0
                values = (found_value.mean, found_value.mean - half, found_value.mean + half)
                mean, low_end, high_end = (value * metric.scale for value in values)
                point = (at, mean, low_end, high_end)
                if point not in points.setdefault(key, []):
                    points[key].append(point)
    series = []
    for (label, hue, kind), some in points.items():
        x, y, low, high = (tuple(one[k] for one in some) for k in range(4))
        bars = (low, high) if kind == "estimate" else ((), ())
        series.append(Series(label, hue, x, y, *bars, kind=kind))
    drawn = [abs(one) for s in series for one in s.y if one and not math.isnan(one)]
    wide = (
        bool(drawn)
        and min(drawn) > 0
        and max(drawn) > 50 * min(drawn)
        and all(y > 0 for s in series for y in s.y)
    )
    return Panel(metric.heading, tuple(series), log_y=wide, height=0.75)


def _results(found: Dossier, criterion: Criterion) -> Table:
    """Return the table of all results of a criterion."""
    rows = []
    for i, case in enumerate(found.plan.cases(criterion)):
        for one in found.of(criterion, case):
            scale = one.metric.scale
            label = found.plan.label(one.baseline)
            head = (str(i + 1), one.metric.heading, f"beside {label}" if case.other else label)
            if one.verdict is Verdict.ABSENT:
                rows.append((*head, one.reason, *("–" for _ in range(7))))
                continue
            hangs = f", hangs on {one.hangs_on}" if one.hangs_on else ""
            harm = "–" if one.harm is None else f"{one.harm.subject:.2f} / {one.harm.baseline:.2f}"
            spreads = (
                f"{brief(low, scale, 3)} to {brief(high, scale, 3)}"
                for low, high in (one.spreads[size] for size in SIZES)
            )
            rows.append(
                (
                    *head,
                    f"{one.verdict}{hangs}",
                    shown(one.subject, scale),
                    shown(one.against, scale),
                    shown(one.difference, scale) + (" (draws)" if one.by_draws else ""),
                    brief(one.edge, scale, 3),
                    *spreads,
                    harm,
                )
            )
    return Table(
        key=f"results-{criterion.key}",
        title=f"All results: {counted(len(rows), 'comparison')}",
        columns=(
            "case",
            "metric",
            "baseline",
            f"{found.subject} is",
            found.subject,
            "baseline",
            "difference",
            f"margin {CHOSEN}",
            "by ties",
            "by phase",
            "harm",
        ),
        rows=tuple(rows),
        notes=(
            "By ties, by phase: least and greatest difference in the draws. Harm: by the control under test / by the "
            "baseline.",
        ),
        text_columns=4,
        folded=len(rows) > 24,
    )  # fmt: skip
