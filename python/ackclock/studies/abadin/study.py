"""The study as a whole, and its report: what the data say, in which order and words."""

from __future__ import annotations

from typing import Any, Final

from ackclock.report.model import Section, Text
from ackclock.studies import curves
from ackclock.studies.abadin import experiments, published, tables
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.claims import CLAIMS, COLUMNS
from ackclock.studies.abadin.figures import figures
from ackclock.studies.abadin.results import NS2, Results, ns2
from ackclock.studies.claims import judged
from ackclock.studies.data import StudyData
from ackclock.studies.layout import Findings, Layout
from ackclock.studies.study import Study
from ackclock.studies.tables import percent
from ackclock.sweep.statistics import interval

_NS2_NOTE: Final = (
    "ns-2.35 ran the same points with identical starts, 10 seeds in the sweep of error rates and 5 in the "
    "others. Ours are run in the same way for this table, at the error rates with more seeds, so that our own "
    "noise decides nothing. A point agrees when our mean lies in ns-2's 95 % interval or within "
    f"{100 * k.AGREE_WITHIN:g} % of its mean ({100 * k.TABLE1_WITHIN:g} % for Table 1). Without random loss "
    "ns-2's interval mostly has no width."
)

_LAYOUT: Final = Layout(
    title="Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell",
    authors=published.AUTHORS,
    paper=published.TITLE,
    simulator="ns-2",
    evidence="runs whose starts are jittered, paired by seed",
    once="in the paper's procedure (identical starts)",
    verdict_note=(
        "The paper ran each point once, with starts that never vary: in how many tests such runs meet the claim "
        "stands beside."
    ),
    settings=k.SETTINGS,
    settings_note=(
        "The paper states few of its settings. Those below are the set that comes nearest to its Table 1 among "
        "those tried in ns-2, found on Table 1 alone. No setting was chosen to meet a claim."
    ),
    procedure=(
        "Each point is run in two ways. With identical starts, as in the paper and in ns-2's runs: there nothing "
        "but random loss and the phase of the coarse clock is random, and without random loss the replications "
        "are one run repeated. And with starts that are jittered by up to "
        f"{k.JITTER_S:g} s, which is more than three packet times of the slowest bottleneck and less than the time "
        "between two starts: intervals and verdicts come from these.",
        "Replications of all variants share their seeds, so that they start at the same instants, and are compared "
        "pair by pair. Intervals are Student-t.",
    ),
    stored="every run (`runs`), the samples of Figure 2 (`samples`)",
)


def find(data: StudyData) -> Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared = s.comparisons()
    sections, summary = [], []
    if "table1" in s.figures:
        sections.append(Section("Table 1: average throughput", (tables.table1(s), tables.header(s))))
        summary.append(tables.table1_short(s))
    if drawn := figures(s):
        sections.append(Section("Figures", drawn))
    return Findings(
        columns=tuple(COLUMNS.values()),
        supposing=("with Vegas as ns-2 has it", "with Vegas of equal wire size"),
        claims=judged(CLAIMS, s, tuple(COLUMNS), s.figures),
        compared={"ns-2": compared},
        lead=_lead(s),
        sections=sections,
        beside=(Text((_NS2_NOTE,)), NS2.agreement(compared), *NS2.outside(compared)),
        procedure=(_counts(data),),
        summary=(*summary, NS2.agreement(compared, brief=True)),
        points=tables.points(s, compared),
        numbers=_numbers(s),
    )


def _lead(s: Results) -> tuple[str, ...]:
    if "table1" not in s.experiments():
        return ()
    leads = [percent(interval(s.above("table1", 0, vegas, "newreno"))) for vegas in COLUMNS]
    return (
        "ns-2's Vegas leaves the 40-byte header out of its packets: it sends 1000 bytes where the others send 1040. "
        f"In Table 1 it leads NewReno by {leads[0]}; with the header that the others carry, by {leads[1]}.",
    )


def _counts(data: StudyData) -> str:
    """Say how many runs each point has."""
    import polars as pl

    out = []
    for name, lossy in (("at the error rates", True), ("elsewhere", False)):
        of = data.tables["runs"].filter((pl.col("experiment") == "error") == lossy)
        same, jittered = (of.filter(jittered=moved)["seed"].n_unique() for moved in (False, True))
        if of.height:
            out.append(f"{same} seeds with identical and {jittered} with jittered starts {name}")
    return f"Runs of each point: {'; '.join(out)}."


def _numbers(s: Results) -> dict[str, Any]:
    if "table1" not in s.figures:
        return {}
    return {
        "table1_Bps": {
            variant: {
                "published": published.TABLE1_BPS.get(variant),
                "ours": s.mean("table1", 0, variant, jittered=False),
                "ns2": curves.mean_of(ns2().get(("table1", 0.0, variant))),
            }
            for variant in s.variants
        }
    }


STUDY: Final = Study(
    name="abadin",
    summary="Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell (Abadin and others; ns-2)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("experiment", "x", "variant"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    variants=tuple(k.VARIANTS),
)
