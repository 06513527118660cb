"""The layout of every study's report: in which order it says what, and the sentences that are always the same."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.report.model import Claims, Code, Report, Section, Text
from ackclock.report.text import verdicts
from ackclock.studies import tables
from ackclock.studies.agreement import AGREES_INTERVAL, AGREES_TOLERANCE, DIFFERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.report.model import Block, Claim, Table
    from ackclock.studies.agreement import Comparison
    from ackclock.studies.data import StudyData
    from ackclock.studies.settings import Settings


@dataclass(frozen=True)
class Layout:
    """What a study's report says whatever the data are.

    Attributes:
        title: Heading.
        authors: Who wrote the paper.
        paper: Its title.
        simulator: What the paper ran.
        evidence: What verdicts rest on ("replications paired by seed").
        settings: The table of settings.
        settings_note: What holds for the settings as a whole.
        procedure: How it is run, in paragraphs.
        stored: The tables in `data/` beside points and scenarios, in words.
        verdict_note: What else is to know of the verdicts.
        once: What the paper's own procedure is, in words; empty where it is not run apart.
    """

    title: str
    authors: str
    paper: str
    simulator: str
    evidence: str
    settings: Settings
    settings_note: str
    procedure: tuple[str, ...]
    stored: str
    verdict_note: str
    once: str = ""


@dataclass(frozen=True)
class Findings:
    """What a study found in its data.

    Attributes:
        columns: What each verdict on a claim supposes.
        claims: The claims with their verdicts.
        compared: Our values held against each peer's, by its name.
        sections: Numbers and figures, in their order.
        beside: What stands under "Beside ..." the peers.
        summary: What the terminal shows first.
        points: One row per point and variant.
        lead: What to know first, beside the verdicts counted and the agreement.
        supposing: The columns as they are named in a sentence; empty where they are named so already.
        procedure: How these data were run, beside the layout's.
        numbers: What machines may want beside verdicts and agreement.
    """

    columns: tuple[str, ...]
    claims: tuple[Claim, ...]
    compared: Mapping[str, Sequence[Comparison]]
    sections: Sequence[Section]
    beside: Sequence[Block]
    summary: Sequence[Table]
    points: list[dict[str, Any]]
    lead: tuple[str, ...] = ()
    supposing: tuple[str, ...] = ()
    procedure: tuple[str, ...] = ()
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reported:
    """A report with what else is made of the findings.

    Attributes:
        report: The whole report.
        claims: The verdicts.
        summary: What the terminal shows first.
        points: One row per point and variant, for `data/points`.
        numbers: What machines may want beside the verdicts.
    """

    report: Report
    claims: Claims
    summary: tuple[Table, ...]
    points: list[dict[str, Any]]
    numbers: dict[str, Any]


def command(name: str, data: StudyData) -> str:
    """The line that runs a study again."""
    only = ["--only", data.figures[0]] if len(data.figures) == 1 else []
    quick = ["--quick"] if data.quick else []
    return shlex.join(["ackclock", "study", name, *quick, *only, *data.changes.arguments()])


def report(name: str, layout: Layout, data: StudyData, found: Findings) -> Reported:
    """Lay out what a study found."""
    claims = Claims(found.columns, found.claims, notes=(_verdict_note(layout),), once=layout.once)
    brief = Claims(found.columns, found.claims, detailed=False)
    sections = (
        Section("Verdicts on the paper's claims", (brief,)),
        *found.sections,
        Section("The verdicts in detail", (claims,)),
        Section(f"Beside {' and '.join(found.compared)}", tuple(found.beside)),
        Section("Settings", (Text((layout.settings_note,)), tables.settings(layout.settings.rows))),
        Section("How it was run", _procedure(name, layout, data, found)),
    )
    numbers: dict[str, Any] = {"quick": data.quick}
    for peer, compared in found.compared.items():
        numbers[f"agreement_with_{peer.replace('-', '')}"] = _agreement(compared)
    laid_out = Report(
        study=name,
        title=layout.title,
        subtitle=f"Carries out again: {layout.authors}, “{layout.paper}” ({layout.simulator})",
        lead=_lead(data, found),
        sections=sections,
        footer=f"ackclock {data.version} · study {name}{' --quick' if data.quick else ''} · "
        f"{data.run_count:,} runs · data SHA-256 `{data.digest()}`",
    )
    return Reported(laid_out, claims, tuple(found.summary), found.points, {**numbers, **found.numbers})


def _verdict_note(layout: Layout) -> str:
    return (
        f"Each verdict rests on {layout.evidence}; the bracket is the 95 % confidence interval. “Supported” needs "
        "every test's interval in the range claimed. “Contradicted” needs one test's interval wholly outside it, "
        "at a level made stricter by the number of tests. Anything else cannot be decided. Percentages are of the "
        f"rival's mean unless said otherwise. {layout.verdict_note}"
    )


def _lead(data: StudyData, found: Findings) -> tuple[str, ...]:
    out = []
    if found.claims:
        counted = []
        for column, supposing in enumerate(found.supposing or found.columns):
            counts = verdicts(list(found.claims), column)
            counted.append(
                f"{supposing}, {counts.get('supported', 0)} supported, "
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


def _procedure(name: str, layout: Layout, data: StudyData, found: Findings) -> tuple[Text, Code]:
    kept = (
        f"`data/` holds {layout.stored}, the points drawn (`points`) and the scenarios (`scenarios`); "
        "`manifest.json` says how to run it again. The same version gives the same data on any machine, hash "
        "included:"
    )
    return (
        Text((*layout.procedure, *found.procedure, kept)),
        Code((command(name, data),)),
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
