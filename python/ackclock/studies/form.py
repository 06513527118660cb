"""The form that every study's report has: in which order it says what, and the sentences that are always the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.report.model import Claims, Code, Report, Section, Text
from ackclock.report.text import verdicts
from ackclock.studies import tables
from ackclock.studies.agreement import AGREES_INTERVAL, AGREES_TOLERANCE, DIFFERS
from ackclock.studies.carry_out import Analysis, command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.report.model import Block, Claim, Table
    from ackclock.studies.agreement import Comparison
    from ackclock.studies.settings import Setting
    from ackclock.studies.storage import StudyData


@dataclass(frozen=True)
class Form:
    """What a study's report says whatever the data are.

    Attributes:
        study: Name of the study.
        title: Heading.
        authors: Who wrote the paper.
        paper: Its title.
        simulator: What the paper ran.
        columns: What each verdict on a claim supposes.
        supposing: The same in a sentence; empty where there is one column.
        evidence: What verdicts rest on ("replications paired by seed").
        once: What the paper's own procedure is, in words; empty where it is not run apart.
        verdict_note: What else is to know of the verdicts.
        settings_note: What holds for the settings as a whole.
        settings: The table of settings.
        procedure: How it is run, in paragraphs.
        stored: The tables in `data/` beside points and scenarios, in words.
    """

    study: str
    title: str
    authors: str
    paper: str
    simulator: str
    columns: tuple[str, ...]
    supposing: tuple[str, ...]
    evidence: str
    once: str
    verdict_note: str
    settings_note: str
    settings: Sequence[Setting]
    procedure: tuple[str, ...]
    stored: str


@dataclass(frozen=True)
class Found:
    """What a study found in its data.

    Attributes:
        claims: The claims with their verdicts.
        compared: Our values held against each peer's, by its name.
        lead: What to know first, beside the verdicts counted and the agreement.
        sections: Numbers and figures, in their order.
        beside: What stands under "Beside ..." the peers.
        procedure: How these data were run, beside the form's.
        summary: What the terminal shows first.
        points: One row per point and variant.
        numbers: What machines may want beside verdicts and agreement.
    """

    claims: tuple[Claim, ...]
    compared: dict[str, Sequence[Comparison]]
    lead: tuple[str, ...]
    sections: Sequence[Section]
    beside: Sequence[Block]
    summary: Sequence[Table]
    points: list[dict[str, Any]]
    procedure: tuple[str, ...] = ()
    numbers: dict[str, Any] = field(default_factory=dict)


def analysis(form: Form, data: StudyData, found: Found) -> Analysis:
    """Put what a study found into the form."""
    judged = Claims(form.columns, found.claims, notes=(_verdict_note(form),), once=form.once)
    brief = Claims(form.columns, found.claims, detailed=False)
    peers = " and ".join(found.compared)
    sections = [
        Section("Verdicts on the paper's claims", (brief,)),
        *found.sections,
        Section("The verdicts in detail", (judged,)),
        Section(f"Beside {peers}", tuple(found.beside)),
        Section("Settings", (Text((form.settings_note,)), tables.settings(form.settings))),
        Section("How it was run", _procedure(form, data, found)),
    ]
    report = Report(
        study=form.study,
        title=form.title,
        subtitle=f"Carries out again: {form.authors}, “{form.paper}” ({form.simulator})",
        lead=_lead(form, data, found),
        sections=tuple(sections),
        footer=f"ackclock {data.version} · study {form.study}{' --quick' if data.quick else ''} · "
        f"{data.run_count:,} runs · data SHA-256 `{data.digest()}`",
    )
    numbers: dict[str, Any] = {"quick": data.quick}
    for peer, compared in found.compared.items():
        numbers[f"agreement_with_{peer.replace('-', '')}"] = _agreement(compared)
    return Analysis(
        report=report,
        claims=judged,
        summary=tuple(found.summary),
        points=found.points,
        numbers={**numbers, **found.numbers},
    )


def _verdict_note(form: Form) -> str:
    return (
        f"Each verdict rests on {form.evidence}; the bracket is the 95 % confidence interval. “Supported” needs "
        "every test's interval in the range claimed. “Contradicted” needs one test's interval wholly outside it, "
        "at a level made stricter by the number of tests. Anything else cannot be decided. Percentages are of the "
        f"rival's mean unless said otherwise. {form.verdict_note}"
    )


def _lead(form: Form, data: StudyData, found: Found) -> tuple[str, ...]:
    out = []
    if found.claims:
        counted = []
        for column in range(len(form.columns)):
            counts = verdicts(list(found.claims), column)
            supposing = f"{form.supposing[column]}, " if form.supposing else ""
            counted.append(
                f"{supposing}{counts.get('supported', 0)} supported, "
                f"{counts.get('contradicted', 0)} contradicted, {counts.get('cannot decide', 0)} undecided"
            )
        out.append(f"{len(found.claims)} claims were tested: {'; '.join(counted)}.")
    out += found.lead
    for peer, compared in found.compared.items():
        if compared:
            agreed = sum(c.outcome != DIFFERS for c in compared)
            listed = "" if agreed == len(compared) else "; the others are listed below"
            out.append(f"{agreed} of {len(compared)} values agree with {peer}{listed}.")
    if data.quick:
        out.append("This is the quick form: fewer points, few replications, wide intervals.")
    return tuple(out)


def _procedure(form: Form, data: StudyData, found: Found) -> tuple[Text, Code]:
    only = data.figures[0] if len(data.figures) == 1 else None
    kept = (
        f"`data/` holds {form.stored}, the points drawn (`points`) and the scenarios (`scenarios`); "
        "`manifest.json` says how to run it again. The same version gives the same data on any machine, hash "
        "included:"
    )
    return (
        Text((*form.procedure, *found.procedure, kept)),
        Code((command(form.study, quick=data.quick, only=only),)),
    )


def _agreement(compared: Sequence[Comparison]) -> dict[str, Any]:
    outcomes = Counter(c.outcome for c in compared)
    return {
        "points": len(compared),
        "inside_interval": outcomes[AGREES_INTERVAL],
        "within_tolerance": outcomes[AGREES_TOLERANCE],
        "outside": [
            {"experiment": c.experiment, "x": c.x, "variant": c.variant, "difference": c.difference}
            for c in compared
            if c.outcome == DIFFERS
        ],
    }
