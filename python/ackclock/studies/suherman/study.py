"""The study as a whole, and its report: the findings, their order and words."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import ackclock.study as st
from ackclock.studies.suherman import experiments, tables
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.claims import CLAIMS
from ackclock.studies.suherman.figures import figures
from ackclock.studies.suherman.results import NS2, Results
from ackclock.studies.suherman.setups import BY_KEY, WINDOW

_NS2_NOTE: Final = k.TEXT("ns2_note", agree_within=100 * k.AGREE_WITHIN)

_LAYOUT: Final = k.TEXT.layout(k.SETTINGS)


def find(data: st.StudyData) -> st.Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared = s.comparisons()
    columns = s.columns or ((WINDOW.key,) if list(s.windows) else ())
    sections: list[st.Section] = []
    summary: list[st.Table] = []
    if s.columns:
        # Figures 2 and 6 draw most of these tables.
        effects = (replace(table, folded=True) for column in s.columns for table in tables.effect(s, column))
        sections.append(st.Section("What k does, and where", (*tables.reductions(s), *effects)))
        summary += tables.reductions(s)
    if added := tables.added(s):
        sections.append(st.Section("What was added", added))
    if films := tables.video(s):
        sections.append(st.Section("Video", films))
    if other := tables.beside(s):
        sections.append(st.Section("Other readings", other))
    sections.append(st.Section("What contradicts itself in the published text", (tables.contradictions(),)))
    if drawn := figures(s):
        sections.append(st.Section("Figures", drawn))
    beside = (*tables.signs(s), *NS2.agreement(compared), *NS2.outside(compared)) if compared else ()
    return st.Findings(
        columns=tuple(BY_KEY[column].label for column in columns),
        claims=st.judged(CLAIMS, s, columns, None if s.columns else s.figures),
        compared={"ns-2": compared},
        findings=tables.findings(s),
        sections=sections,
        beside=(*((st.Text((_NS2_NOTE,)),) if st.unaltered(compared) else ()), *beside),
        summary=(*summary, *NS2.agreement(compared, brief=True)),
        points=tables.points(s),
        # Once settings differ, each k is run.
        procedure=(*tables.counts(s), *(() if data.changes.settings else tables.idle(s))),
    )


STUDY: Final = st.Study(
    name="suherman",
    summary="window decrement rate of TCP in an 802.11 ad hoc network (Suherman and others; ns-2)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("setup", "nodes", "k", "variant"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    unasked=experiments.unscaled,
    variants=(str(k.TCP["variant"]),),
)
