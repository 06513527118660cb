"""From the data to the report: what they say, in which order and words. Nothing here runs a simulation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Claims, Code, Report, Section, Text
from ackclock.report.text import verdicts
from ackclock.studies.agreement import AGREES_INTERVAL, AGREES_TOLERANCE, DIFFERS
from ackclock.studies.carry_out import Analysis, command
from ackclock.studies.huang import published, tables
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.claims import COLUMNS, NARROW, OPEN, claims
from ackclock.studies.huang.figures import figures
from ackclock.studies.huang.samples import Samples
from ackclock.studies.tables import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.report.model import Block
    from ackclock.studies.agreement import Comparison
    from ackclock.studies.huang.data import Data

ONCE: Final = "in the paper's procedure (flows start together)"
"""What "once" means in the verdicts."""

_VERDICT_NOTE: Final = (
    "Each verdict rests on replications paired by seed; the bracket is the 95 % confidence interval. "
    "“Supported” needs every test's interval in the range claimed. “Contradicted” needs one test's interval "
    "wholly outside it, at a level made stricter by the number of tests. Anything else cannot be decided. "
    "Percentages are of the rival's mean unless said otherwise. Columns: TCPW-I with RTTc over the connection "
    "(as the text writes it) and over each round trip, against textbook Westwood, both with recovery sack; "
    "and both controls in the endpoint of TCP-Linux, which the paper used (with Westwood as its paper has it, not "
    "as ns-2's module does)."
)

_PEER_NOTE: Final = (
    "ns-2.35 ran Reno, NewReno, SACK and TCP-Linux's Reno and Westwood at these points, 10 seeds each. Ours "
    "are run in the same way for this table (without timestamps where ns-2 had none), with more seeds. A "
    "point agrees when our mean lies in ns-2's 95 % interval or within "
    f"{100 * k.AGREE_WITHIN:g} % of its mean ({100 * k.AGREE_JAIN:g} % for Jain's index). ns-2 has no "
    "TCPW-I, and its Westwood stands in a table of its own."
)

_SETTINGS_NOTE: Final = (
    "The paper states its topologies, and few of the settings of its endpoints. No setting was chosen to meet "
    "a claim."
)

_DATA_NOTE: Final = (
    "`data/` holds one row per flow and run (`flows`), throughput against time (`samples`), the points drawn "
    "(`points`) and the scenarios (`scenarios`); `manifest.json` says how to run it again. The same version "
    "gives the same data on any machine, hash included:"
)


def analyse(data: Data) -> Analysis:
    """Draw every conclusion from the data."""
    s = Samples(data)
    compared = tables.comparisons(s)
    judged = Claims(COLUMNS, claims(s), notes=(_VERDICT_NOTE,), once=ONCE)
    brief = Claims(judged.columns, judged.claims, detailed=False)
    sections = [Section("Verdicts on the paper's claims", (brief,))]
    numbers = _numbers_sections(s)
    sections += [
        *numbers,
        Section("Figures", figures(s)),
        Section("What waits", (tables.waiting(),)),
        Section("The verdicts in detail", (judged,)),
        Section(
            "Beside ns-2",
            (
                Text((_PEER_NOTE,)),
                tables.agreement(compared),
                *tables.outside(compared),
                *tables.own_westwood(s),
            ),
        ),
        Section("Settings", (Text((_SETTINGS_NOTE,)), settings(k.SETTINGS))),
        Section("How it was run", _procedure(data)),
    ]
    report = Report(
        study="huang",
        title="Westwood, TCPW-I and an intelligent gateway on lossy paths",
        subtitle=f"Carries out again: {published.AUTHORS}, “{published.TITLE}” (ns-2 with TCP-Linux)",
        lead=_lead(s, judged, compared),
        sections=tuple(sections),
        footer=f"ackclock {data.version} · study huang{' --quick' if data.quick else ''} · "
        f"{data.runs:,} runs · data SHA-256 `{data.digest()}`",
    )
    return Analysis(
        report=report,
        claims=judged,
        summary=tuple(_summary(s, compared)),
        points=tables.points(s, compared),
        numbers=_numbers(s, compared),
    )


def _numbers_sections(s: Samples) -> list[Section]:
    out: list[Section] = []
    if any(s.has(e, k.FIGURE_ERROR) for e in ("open_d1", "narrow_d1")):
        blocks: tuple[Block, ...] = (tables.at_ten_percent(s), *tables.why(s), *tables.what_limits(s))
        out.append(Section("At 10 % error", blocks))
    if out or s.has("friendliness"):
        out.append(Section("Told apart?", (tables.guesses(s),)))
    if any(s.has(e) for e in (*OPEN, *NARROW)):
        out.append(Section("The gateway: benefit and price", (tables.gateway(s), *tables.crash(s))))
    if s.has("friendliness"):
        out.append(Section("Friendliness to Reno", (tables.friendliness(s),)))
    if s.has("fairness"):
        out.append(Section("Fairness of ten flows", (tables.jain(s),)))
    return out


def _summary(s: Samples, compared: Sequence[Comparison]) -> list[Any]:
    out = []
    if any(s.has(e, k.FIGURE_ERROR) for e in ("open_d1", "narrow_d1")):
        out.append(tables.at_ten_percent(s, brief=True))
    if s.has("fairness"):
        out.append(tables.jain(s))
    out.append(tables.agreement(compared, brief=True))
    return out


def _lead(s: Samples, judged: Claims, compared: Sequence[Comparison]) -> tuple[str, ...]:
    out = []
    if judged.claims:
        texts = []
        for column, supposing in enumerate(COLUMNS):
            counts = verdicts(list(judged.claims), column)
            texts.append(
                f"{supposing}, {counts.get('supported', 0)} supported, "
                f"{counts.get('contradicted', 0)} contradicted, {counts.get('cannot decide', 0)} undecided"
            )
        out.append(f"{len(judged.claims)} claims were tested: {'; '.join(texts)}.")
    if all(s.has(e, k.FIGURE_ERROR) for e in (*OPEN, *NARROW)):
        said = [
            f"{form.column}, {tables.ratio(s, 'open_d1', form.tcpwi)} without and "
            f"{tables.ratio(s, 'narrow_r1', form.tcpwi)} with a bottleneck"
            for form in k.FORMS
        ]
        out.append(f"TCPW-I over TCPW at 10 % error (published: about 2): {'; '.join(said)}.")
    if compared:
        agreed = sum(c.outcome != DIFFERS for c in compared)
        listed = "" if agreed == len(compared) else "; the others are listed below"
        out.append(f"{agreed} of {len(compared)} values agree with ns-2{listed}.")
    if s.data.quick:
        out.append("This is the quick form: fewer points, few replications, wide intervals.")
    return tuple(out)


def _procedure(data: Data) -> tuple[Text, Code]:
    only = data.figures[0] if len(data.figures) == 1 else None
    return (
        Text(
            (
                "With errors one flow runs, and its replications differ by the packets lost (and by the phase "
                "of the coarse clock); all variants share the seeds. Where several flows run and nothing is "
                "lost at random, intervals and verdicts come from starts jittered by up to "
                f"{k.JITTER_S:g} s, and the paper's own procedure, all starts together, stands beside. "
                "Intervals are Student-t.",
                _DATA_NOTE,
            )
        ),
        Code((command("huang", quick=data.quick, only=only),)),
    )


def _numbers(s: Samples, compared: Sequence[Comparison]) -> dict[str, Any]:
    outcomes = Counter(c.outcome for c in compared)
    return {
        "quick": s.data.quick,
        "agreement_with_ns2": {
            "points": len(compared),
            "inside_interval": outcomes[AGREES_INTERVAL],
            "within_tolerance": outcomes[AGREES_TOLERANCE],
            "outside": [
                {"experiment": c.experiment, "x": c.x, "variant": c.variant, "difference": c.difference}
                for c in compared
                if c.outcome == DIFFERS
            ],
        },
    }
