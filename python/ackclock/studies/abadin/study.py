"""Declaration of the study, and its conclusions from the data."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

import ackclock.study as st
from ackclock.studies.abadin import experiments, tables
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.claims import CLAIMS, COLUMNS
from ackclock.studies.abadin.figures import figures
from ackclock.studies.abadin.results import NS2, Results

_NS2_NOTE: Final = k.TEXT("ns2_note", agree_within=100 * k.AGREE_WITHIN, table1_within=100 * k.TABLE1_WITHIN)


def find(data: st.StudyData) -> st.Findings:
    """Return all conclusions from the data: verdicts, comparisons, tables and figures."""
    s = Results(data)
    compared = s.comparisons()
    table1, drawn = "table1" in s.figures, figures(s)
    return st.Findings(
        columns=tuple(COLUMNS.values()),
        claims=st.judged(CLAIMS, s, tuple(COLUMNS), s.figures),
        compared={"ns-2": compared},
        findings=_findings(s),
        sensitivity=(*tables.neighbours(s), *tables.windows(s)),
        sections=st.sections(
            {
                "Table 1: average throughput": (*tables.table1(s), *tables.header(s)) if table1 else (),
                "Figures": (*drawn, *tables.added(s)) if drawn else (),
            }
        ),
        beside=NS2.beside(compared, _NS2_NOTE),
        procedure=_counts(data),
        summary=(*(tables.table1(s, brief=True) if table1 else ()), *NS2.agreement(compared, brief=True)),
        points=tables.points(s, compared),
        numbers=_numbers(s),
    )


def _findings(s: Results) -> tuple[str, ...]:
    run = s.experiments()
    out = []
    if "table1" in run:
        gaps = [s.mean("table1", 0, v, jittered=False) / bps - 1 for v, bps in k.TABLE1_BPS.items()]
        out.append(
            f"The five averages of Table 1 come out within {100 * max(map(abs, gaps)):.2g} % of the published ones; "
            "the settings that the paper leaves open were chosen for that."
        )
        leads = [st.percent(s.above("table1", 0, vegas, "newreno")) for vegas in COLUMNS]
        out.append(st.AsPublished(k.TEXT("header", own=leads[0], equal=leads[1])))
    if s.neighbours():
        order, best, equal = (tables.held(s, asked) for asked in ("the full order", *tables.BEST))
        out.append(
            f"In {order[1]} neighbouring settings the full order of Table 1 holds in {order[0]}; ns-2's Vegas is best "
            f"in {best[0]}, Vegas of equal size in {equal[0]}."
        )
    if "error" in run and s.xs("error")[-1] > 0.04:
        low, high = s.xs("error")[1], s.xs("error")[-1]
        few, many = (
            st.percent(s.above("error", x, *pair))
            for x, pair in ((low, ("vegas40", "newreno")), (high, ("newreno", "vegas40")))
        )
        out.append(
            f"Random errors turn the order round: at {100 * low:g} % Vegas of equal size is {few} above NewReno, at "
            f"{100 * high:g} % NewReno is {many} above it."
        )
    if "bandwidth" in run:
        three, five = (s.mean("bandwidth", x, "newreno") for x in (3, 5))
        out.append(st.AsPublished(k.TEXT("held_back", gain=100 * (five / three - 1))))
    return tuple(out)


def _counts(data: st.StudyData) -> tuple[str, ...]:
    """Return a sentence on the number of runs per point; empty if only sensitivity runs were made."""
    if "runs" not in data.tables:
        return ()
    runs, lossy = data.tables["runs"], pl.col("experiment") == "error"
    parts = {"each error rate": runs.filter(lossy), "each other point": runs.filter(~lossy)}
    there = {name: of for name, of in parts.items() if of.height}
    said = []
    for name, of in there.items():
        same, jittered = (of.filter(jittered=moved)["seed"].n_unique() for moved in (False, True))
        where = name if len(there) > 1 else "each point"
        starts = f"{st.counted(same, 'run')} with identical starts and {jittered} with jittered starts"
        said.append(f"{where} has {starts}")
    text = "; ".join(said)
    return (f"{text[0].upper()}{text[1:]}.",)


def _numbers(s: Results) -> dict[str, Any]:
    if "table1" not in s.figures:
        return {}
    return {
        "table1_Bps": {
            variant: {
                "published": k.TABLE1_BPS.get(variant),
                "ours": s.mean("table1", 0, variant, jittered=False),
                "ns2": st.curves.mean_of(s.ns2("table1", 0.0, variant)),
            }
            for variant in s.variants
        }
    }


STUDY: Final = k.TEXT.study(experiments, find, k.SETTINGS, k.VARIANTS)
