"""Layout of the report of a study: the order of its sections, and the sentences that are the same in all studies."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ackclock.report import laboratory
from ackclock.report.model import Claims, Code, Links, Report, Section, Text, Verdict
from ackclock.report.text import counted, verdicts
from ackclock.study import tables
from ackclock.study.agreement import (
    AGREES,
    ALTERED,
    DIFFERS,
    UNDECIDED,
    unaltered,
)
from ackclock.study.judge import MARGIN_PERCENT, SAME_ORDER, TOLERANCE_PERCENT
from ackclock.study.marks import explained, left_out, marked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.report.model import Block, Claim, Judgement, Table
    from ackclock.study.agreement import Comparison
    from ackclock.study.data import StudyData
    from ackclock.study.settings import Settings


@dataclass(frozen=True)
class Paper:
    """A published study.

    Attributes:
        authors: The authors.
        title: The title.
        origin: Institution, venue and year, as far as the paper states them.
    """

    authors: str
    title: str
    origin: str

    @property
    def cited(self) -> str:
        """The full citation of the paper, ending with a full stop."""
        return f"{self.authors}: “{self.title}”. {self.origin}."


@dataclass(frozen=True)
class Layout:
    """The parts of a study's report that do not depend on the data.

    Attributes:
        title: Heading of the report.
        paper: The reproduced paper.
        simulator: The simulator that the paper used.
        evidence: The basis of the verdicts ("replications paired by seed").
        settings: The table of settings.
        settings_note: A note on the settings as a whole.
        procedure: The procedure of the study, in paragraphs.
        stored: Description of the tables in `data/` besides those of points and scenarios.
        verdict_note: A further note on the verdicts.
        stated: Patterns of paths of the settings that the paper states, each with its place in the paper.
        tried: Values that were run besides the chosen one, for settings that the paper leaves open, by name of the
            setting.
        once: The paper's own procedure, in words; empty if the study has no separate runs of it.
        guide: Name of the laboratory's guide that shows a figure of the study live; empty if there is none.
    """

    title: str
    paper: Paper
    simulator: str
    evidence: str
    settings: Settings
    settings_note: str = ""
    procedure: tuple[str, ...] = ()
    stored: str = "every run (`runs`)"
    verdict_note: str = ""
    stated: Mapping[str, str] = field(default_factory=dict)
    tried: Mapping[str, str] = field(default_factory=dict)
    once: str = ""
    guide: str = ""


@dataclass(frozen=True)
class Findings:
    """The conclusions from the data of a study, which its function `find` draws.

    Attributes:
        columns: Headings of the columns of verdicts; each names the assumption under which claims are judged.
        claims: The claims with their verdicts.
        compared: Comparisons of our values with each peer's, by the peer's name.
        sections: Sections with numbers and figures, in their order.
        beside: Content of the section "Beside ..." on the peers, that is, other simulators with the same scenarios.
        summary: Tables that the command prints first.
        points: Table with one row per point and variant.
        findings: The main results, in three to five sentences.
        sensitivity: Effect of settings that the paper leaves open, if the columns of verdicts do not show it.
        procedure: Paragraphs on the procedure that depend on the data, after those of the layout.
        numbers: Further values for the report's JSON, besides verdicts and agreement.
        files: Further files of the report's folder, each with a description.
    """

    columns: tuple[str, ...]
    claims: tuple[Claim, ...]
    compared: Mapping[str, Sequence[Comparison]]
    sections: Sequence[Section]
    beside: Sequence[Block]
    summary: Sequence[Table]
    points: list[dict[str, Any]]
    findings: tuple[str, ...] = ()
    sensitivity: Sequence[Block] = ()
    procedure: tuple[str, ...] = ()
    numbers: dict[str, Any] = field(default_factory=dict)
    files: tuple[tuple[str, str], ...] = ()


_MANIFEST: Final = ("manifest.json", "what it takes to run it again")


_CROWDED: Final = (
    "Each number is of the test that decides; “The verdicts in detail” names it, with all others."
)


@dataclass(frozen=True)
class Reported:
    """A report, and the other outputs made from the findings.

    Attributes:
        report: The report.
        claims: The claims with their verdicts.
        summary: Tables that the command prints first.
        points: One row per point and variant, for `data/points`.
        numbers: Further values for the report's JSON, besides the verdicts.
        changed: The user's changes, and their effect on claims and peers.
    """

    report: Report
    claims: Claims
    summary: tuple[Table, ...]
    points: list[dict[str, Any]]
    numbers: dict[str, Any]
    changed: tuple[str, ...] = ()


def command(address: str, data: StudyData) -> str:
    """Return the command line that reproduces these data."""
    only = ["--only", data.figures[0]] if len(data.figures) == 1 else []
    quick = ["--quick"] if data.quick else []
    return shlex.join(["ackclock", "study", address, *quick, *only, *data.changes.arguments()])


def report(name: str, address: str, layout: Layout, data: StudyData, found: Findings) -> Reported:
    """Return the report on the findings of the study `name`; `address` is its name on the command line."""
    declared = _applying(found.claims, data.changes.stated(layout.stated))
    claims = Claims(found.columns, declared, notes=_verdict_notes(layout), once=layout.once)
    brief = Claims(found.columns, declared, detailed=False)
    if brief.crowded:
        brief = replace(brief, notes=(_CROWDED,))
    sections = (
        Section(
            "Findings", (Text((*_changed(layout, data), *explained(found.findings, data), *_standing(data))),)
        ),
        Section(
            "Verdicts on the paper's claims",
            (Text(_agreeing(declared, found)), *_tally(declared, found.columns), brief),
        ),
        *marked(found.sections, data, found.compared),
        Section("The verdicts in detail", (claims,)),
        Section(
            "Settings",
            (
                Text((*filter(None, (layout.settings_note,)), *_overridden(data))),
                *tables.settings(layout.settings.rows),
            ),
        ),
        Section("Sensitivity", (*found.sensitivity, *tables.sensitivity(layout, found.columns, declared))),
        *_beside(found),
        Section("How it was run, and the data", _procedure(address, layout, data, found)),
        *((Section("In a browser", laboratory.figure(layout.guide)),) if layout.guide else ()),
    )
    numbers: dict[str, Any] = {"quick": data.quick, "repeats": data.repeats.plain()}
    for peer, compared in found.compared.items():
        numbers[f"agreement_with_{peer.replace('-', '')}"] = _agreement(compared)
    laid_out = Report(
        study=name,
        title=layout.title,
        subtitle=f"Reproduction of {layout.paper.cited} The paper ran {layout.simulator}.{_with(data)}",
        lead=(),
        sections=sections,
        footer=f"ackclock {data.version} · study {name}{' --quick' if data.quick else ''} · "
        f"{counted(data.run_count, 'run')} · data SHA-256 `{data.digest()}`",
    )
    changed = (
        *_changed(layout, data),
        *(text for block in left_out(found.compared) for text in block.paragraphs),
    )
    return Reported(
        laid_out, claims, tuple(found.summary), found.points, {**numbers, **found.numbers}, changed
    )


def _beside(found: Findings) -> tuple[Section, ...]:
    """Return the section that compares with the peers; empty if the study has no peer."""
    if not found.compared:
        return ()
    blocks = (*left_out(found.compared), *found.beside)
    return (Section(f"Beside {' and '.join(found.compared)}", blocks),)


def _with(data: StudyData) -> str:
    """Return the user's changes as text for the report's subtitle."""
    if not data.altered_runs[0] and not data.changes.added:
        return ""
    said = " ".join(f"{option} {value}" for option, value in data.changes.options())
    return f" Changed: run with {said}."


def _overridden(data: StudyData) -> tuple[str, ...]:
    """Return a note for the table of settings that names the user's settings; empty if no run was affected."""
    said = ", ".join(f"`--set {setting}`" for setting in data.changes.settings)
    if not data.altered_runs[0]:
        return ()
    return (f"Changed: run with {said}, which the table below does not show.",)


def _verdict_notes(layout: Layout) -> tuple[str, ...]:
    """Return the notes that explain the rules of the verdicts on ranges and on published numbers."""
    return (
        f"Each verdict rests on {layout.evidence}; the bracket is the 95 % confidence interval. Percentages are of the "
        "rival's mean unless said otherwise, and its uncertainty is in their intervals. A difference has a margin: "
        f"{MARGIN_PERCENT:g} % or as many percentage points unless said otherwise. “Supported” needs every test's "
        "interval in the range claimed and beyond the margin. “Contradicted” needs one test's interval wholly outside "
        "the range, at a level made stricter by the number of tests. “No difference that matters” needs every interval "
        "within the margin. If some tests support a claim and the others find no difference that matters, it is "
        "“supported in part”. A claim that says two things gets the weaker of the two verdicts. Anything else cannot "
        "be decided.",
        "A published number is “reproduced” if the whole interval lies within a tolerance of it: "
        f"{TOLERANCE_PERCENT:g} % of the number unless said otherwise, and at most half the distance to the nearest "
        "published alternative. It has the “same direction and order of magnitude” if the interval lies within a "
        f"factor of {SAME_ORDER:.1f} of it, and is “not reproduced” if the interval lies outside that. These "
        "tolerances follow from the published numbers alone; the rule was set after the first results were known.",
        *((layout.verdict_note,) if layout.verdict_note else ()),
    )


def _applying(claims: Sequence[Claim], stated: Mapping[str, str]) -> tuple[Claim, ...]:
    """Return the claims; a verdict whose runs were changed in a setting stated by the paper becomes not applicable."""
    if not stated:
        return tuple(claims)
    return tuple(
        replace(claim, judgements=tuple(j and _apart(j, stated) for j in claim.judgements))
        for claim in claims
    )


def _apart(judgement: Judgement, stated: Mapping[str, str]) -> Judgement:
    changed = any(setting.partition("=")[0] in stated for setting in judgement.altered)
    return replace(judgement, verdict=Verdict.APART) if changed else judgement


def _changed(layout: Layout, data: StudyData) -> tuple[str, ...]:
    """Return sentences on the user's changes and their effect on the claims."""
    if not data.changes:
        return ()
    said = [f"`{option} {value}`" for option, value in data.changes.options()]
    changed, runs = data.altered_runs
    if not changed and not data.changes.added:
        return (f"It was run with {', '.join(said)}, which changes nothing: the study has these values.",)
    out = [f"This is not the study as published: it was run with {', '.join(said)}."]
    if data.changes.settings:
        out.append(
            f"The settings changed {changed:,} of {runs:,} runs. Numbers below are of the changed runs; the "
            "explanations were written for the study as published."
        )
    stated = data.changes.stated(layout.stated)
    if stated and changed:
        places = ", ".join(f"`{path}` ({place})" for path, place in stated.items())
        out.append(
            f"The paper states {places}: where its runs changed, a claim does not apply, and what each test gives "
            "stands beside."
        )
    elif changed:
        out.append("The paper leaves this open: its claims are judged under the changed settings.")
    return tuple(out)


def _tally(claims: Sequence[Claim], columns: Sequence[str]) -> tuple[Table, ...]:
    """Return a table with the number of each verdict per column."""
    counts = [verdicts(list(claims), column) for column in range(len(columns))]
    given = [verdict.value for verdict in Verdict if any(verdict.value in count for count in counts)]
    return tables.table(
        "tally",
        "",
        (
            {"column": column, **{verdict: str(count.get(verdict, 0)) for verdict in given}}
            for column, count in zip(columns, counts, strict=True)
        ),
    )


def _agreeing(claims: Sequence[Claim], found: Findings) -> tuple[str, ...]:
    """Return sentences with the number of tested claims, and for each peer the number of values that agree with it."""
    tested = f"{counted(len(claims), 'claim')} {'was' if len(claims) == 1 else 'were'} tested"
    out = [f"{tested}; the table counts the verdicts by column."] if claims else []
    for peer, every in found.compared.items():
        compared = unaltered(every)
        if len(every) > len(compared):
            out.append(
                f"{len(every) - len(compared)} of {len(every)} values are neither held against {peer} nor drawn beside "
                f"it: {peer} did not run the changed scenarios."
            )
        if compared:
            agreed = sum(c.outcome == AGREES for c in compared)
            listed = (
                "; those that differ are listed below" if any(c.outcome == DIFFERS for c in compared) else ""
            )
            out.append(f"{agreed} of {len(compared)} values agree with {peer}{listed}.")
            if undecided := sum(c.outcome == UNDECIDED for c in compared):
                out.append(
                    f"The runs cannot decide about {undecided} of the {len(compared)} values: the interval of the "
                    "difference includes an end of the tolerance."
                )
    return tuple(out)


def _standing(data: StudyData) -> tuple[str, ...]:
    quick = "This is the quick form: fewer points, few replications, wide intervals."
    return (quick,) if data.quick else ()


def _procedure(address: str, layout: Layout, data: StudyData, found: Findings) -> tuple[Text, Code, Links]:
    kept = (
        f"`data/` holds {layout.stored}, the points drawn (`points`) and the scenarios (`scenarios`); `manifest.json` "
        "says how to run it again. The same version gives the same data on any machine, hash included:"
    )
    return (
        Text((*layout.procedure, *found.procedure, *filter(None, (data.repeats.text,)), kept)),
        Code((command(address, data),)),
        Links(
            (
                ("data/points.csv", "the points drawn"),
                ("data/claims.json", "the verdicts"),
                *found.files,
                _MANIFEST,
            )
        ),
    )


def _agreement(compared: Sequence[Comparison]) -> dict[str, Any]:
    outcomes = Counter(c.outcome for c in compared)
    apart = {"left_out_as_changed": outcomes[ALTERED]} if outcomes[ALTERED] else {}
    return {
        "points": len(unaltered(compared)),
        **apart,
        "agree": outcomes[AGREES],
        "cannot_decide": outcomes[UNDECIDED],
        "differ": [
            {"experiment": c.experiment, "x": c.x, "variant": c.variant, "difference": c.difference}
            for c in compared
            if c.outcome == DIFFERS
        ],
    }
