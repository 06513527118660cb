"""The study as a whole, and its report: the findings, their order and words."""

from __future__ import annotations

from typing import Final

import ackclock.study as st
from ackclock.studies.maulana import experiments, found, tables
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import COLUMNS
from ackclock.studies.maulana.claims import CLAIMS
from ackclock.studies.maulana.figures import figures
from ackclock.studies.maulana.results import NS2, Results

_PEERS_NOTE: Final = k.TEXT("peers_note", agree_within=100 * k.AGREE_WITHIN, agree_radio=100 * k.AGREE_RADIO)

_LAYOUT: Final = k.TEXT.layout(k.SETTINGS)


def find(data: st.StudyData) -> st.Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared, lte = s.comparisons(), s.ns3_comparisons()
    sections = [
        st.Section("What the set-up may have been", tables.readings()),
        st.Section("What contradicts itself in the published numbers", (found.contradictions(),)),
    ]
    if reading := found.found(s):
        sections.append(st.Section("A reading found after the results", reading))
    if "averages" in s.figures:
        averages = (tables.averages(s, length) for length in k.LENGTHS_S)
        beside = (table for length in k.LENGTHS_S for table in tables.beside(s, length))
        sections.append(st.Section("Averages", (*averages, *beside, *tables.longer(s))))
        bloat = [table for length in k.LENGTHS_S for table in tables.bufferbloat(s, length)]
        sections.append(st.Section("LTE and its buffer", tuple(bloat)))
    if drawn := figures(s):
        sections.append(st.Section("Figures", (*drawn, *tables.files(s))))
    beside_ns2 = (*NS2.agreement(compared), *NS2.outside(compared)) if compared else ()
    return st.Findings(
        columns=tuple(COLUMNS.values()),
        claims=st.judged(CLAIMS, s, tuple(COLUMNS), s.figures),
        compared={"ns-2": compared, "ns-3": lte},
        findings=tables.findings(s),
        sections=sections,
        beside=(
            *((st.Text((_PEERS_NOTE,)),) if st.unaltered([*compared, *lte]) else ()),
            *beside_ns2,
            *tables.beside_ns3(s, lte),
        ),
        summary=(tables.short(s),) if s.cases() else (),
        points=tables.points(s),
    )


STUDY: Final = st.Study(
    name="maulana",
    summary="NewReno and Vegas over LTE, in each reading of the set-up (Maulana and Niati; ns-2)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("case", "length_s", "size_b", "variant"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    variants=tuple(k.VARIANTS),
    links={"server-agw": "bottleneck", "agw-*": "backhaul", "*": "access"},
)
