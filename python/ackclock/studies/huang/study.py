"""The study as a whole, and its report: what the data say, in which order and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ackclock.report.model import Block, Section, Table, Text
from ackclock.studies.agreement import Comparison
from ackclock.studies.claims import judged
from ackclock.studies.data import StudyData
from ackclock.studies.huang import experiments, published, tables
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.claims import CLAIMS
from ackclock.studies.huang.figures import figures
from ackclock.studies.huang.results import NARROW, NS2, OPEN, Results
from ackclock.studies.layout import Findings, Layout
from ackclock.studies.study import Study

_NS2_NOTE: Final = (
    "ns-2.35 ran Reno, NewReno, SACK and TCP-Linux's Reno and Westwood at these points, 10 seeds each. Ours "
    "are run in the same way for this table (without timestamps where ns-2 had none), with more seeds. A "
    "point agrees when our mean lies in ns-2's 95 % interval or within "
    f"{100 * k.AGREE_WITHIN:g} % of its mean ({100 * k.AGREE_JAIN:g} % for Jain's index). ns-2 has no "
    "TCPW-I, and its Westwood stands in a table of its own."
)

_LAYOUT: Final = Layout(
    title="Westwood, TCPW-I and an intelligent gateway on lossy paths",
    authors=published.AUTHORS,
    paper=published.TITLE,
    simulator="ns-2 with TCP-Linux",
    evidence="replications paired by seed",
    once="in the paper's procedure (flows start together)",
    verdict_note=(
        "Columns: TCPW-I with RTTc over the connection (as the text writes it) and over each round trip, against "
        "textbook Westwood, both with recovery sack; and both controls in the endpoint of TCP-Linux, which the "
        "paper used (with Westwood as its paper has it, not as ns-2's module does)."
    ),
    settings_note=(
        "The paper states its topologies, and few of the settings of its endpoints. No setting was chosen to meet "
        "a claim."
    ),
    settings=k.SETTINGS,
    procedure=(
        "With errors one flow runs, and its replications differ by the packets lost (and by the phase of the coarse "
        "clock); all variants share the seeds. Where several flows run and nothing is lost at random, intervals "
        f"and verdicts come from starts jittered by up to {k.JITTER_S:g} s, and the paper's own procedure, all "
        "starts together, stands beside. Intervals are Student-t.",
    ),
    stored="one row per flow and run (`flows`), throughput against time (`samples`)",
)


def find(data: StudyData) -> Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared = s.comparisons()
    return Findings(
        columns=tuple(reading.column for reading in k.READINGS),
        claims=judged(CLAIMS, s, k.READINGS, s.figures),
        compared={"ns-2": compared},
        lead=_lead(s),
        sections=(*_numbers_sections(s), Section("Figures", figures(s))),
        beside=(Text((_NS2_NOTE,)), NS2.agreement(compared), *NS2.outside(compared), *tables.own_westwood(s)),
        summary=_summary(s, compared),
        points=tables.points(s, compared),
    )


def _numbers_sections(s: Results) -> list[Section]:
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


def _summary(s: Results, compared: Sequence[Comparison]) -> list[Table]:
    out = []
    if any(s.has(e, k.FIGURE_ERROR) for e in ("open_d1", "narrow_d1")):
        out.append(tables.at_ten_percent(s, brief=True))
    if s.has("fairness"):
        out.append(tables.jain(s))
    out.append(NS2.agreement(compared, brief=True))
    return out


def _lead(s: Results) -> tuple[str, ...]:
    if not all(s.has(e, k.FIGURE_ERROR) for e in (*OPEN, *NARROW)):
        return ()
    said = [
        f"{reading.column}, {tables.ratio(s, 'open_d1', reading.tcpwi)} without and "
        f"{tables.ratio(s, 'narrow_r1', reading.tcpwi)} with a bottleneck"
        for reading in k.READINGS
    ]
    return (f"TCPW-I over TCPW at 10 % error (published: about 2): {'; '.join(said)}.",)


STUDY: Final = Study(
    name="huang",
    summary="Westwood, TCPW-I and an intelligent gateway on lossy paths (Huang and Li; ns-2 TCP-Linux)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("experiment", "x", "curve", "timestamps"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    variants=tuple(k.CURVES),
)
