"""The study as a whole, and its report: the findings, their order and words."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

import ackclock.study as st
from ackclock.studies.abadin import experiments, published, tables
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.claims import CLAIMS, COLUMNS
from ackclock.studies.abadin.figures import figures
from ackclock.studies.abadin.results import NS2, Results

_NS2_NOTE: Final = (
    "ns-2.35 ran the same points with identical starts, 100 to 200 seeds in the sweep of error rates and 5 in the "
    f"others. Ours are run in the same way for this table, {k.SAME_STARTS_SEEDS_LOSS} seeds at the "
    "error rates. A point agrees when our mean lies in ns-2's 95 % interval or within "
    f"{100 * k.AGREE_WITHIN:g} % of its mean ({100 * k.TABLE1_WITHIN:g} % for Table 1). Without random loss "
    "ns-2's interval mostly has no width."
)

_BOTTLENECK: Final = ("bottleneck", "0")
"""Names of the bottleneck in paths of settings."""

_LAYOUT: Final = st.Layout(
    title="Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell",
    paper=published.PAPER,
    simulator="ns-2",
    evidence="runs whose starts are jittered, paired by seed",
    once="in the paper's procedure (identical starts)",
    verdict_note=(
        "The paper ran each point once, with starts that never vary: in how many tests such runs meet the claim "
        "stands beside."
    ),
    settings=k.SETTINGS,
    settings_note=(
        "The paper states few of its settings. Those below are the set that comes nearest to its Table 1 among those "
        "tried in ns-2: Table 1 is a calibration. Starts and access links were chosen on Table 1 alone, the minimum "
        "RTO on Table 1 and Figure 3. No setting was chosen to meet a claim."
    ),
    stated={
        **{
            f"link.{name}.{key}": "Figures 2 to 8"
            for name in _BOTTLENECK
            for key in ("rate", "delay", "queue")
        },
        **{f"link.{name}.loss": "Figure 3" for name in _BOTTLENECK},
        "flow.*.tcp.variant": "title",
        "flow.*.traffic": "Figure 1",
    },
    tried={
        "starts": "2 others: see the table above",
        "access links": "5 and 20 ms, 10 Mb/s: see the table above",
        "window": "40 and 100 in Figures 4 and 7: see the table above",
        "minimum RTO": "0.2 s: see the table above",
        "queue in Figure 6": "both are run",
        "segment": "Vegas with the header, in every figure",
    },
    procedure=(
        "Each point is run in two ways. The first has identical starts, as in the paper and in ns-2's runs. Only "
        "random loss and the phase of the coarse clock are random there, so without random loss the replications "
        f"are one run repeated. The second has starts that are jittered by up to {k.JITTER_S:g} s, which is more than "
        "three packet times of the slowest bottleneck and less than the time between two starts. Intervals and "
        "verdicts come from the second.",
        "Replications of all variants share their seeds, so that they start at the same instants, and are compared "
        "pair by pair. Intervals are Student-t.",
    ),
    stored="every run (`runs`), the samples of Figure 2 (`samples`)",
)


def find(data: st.StudyData) -> st.Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared = s.comparisons()
    sections: list[st.Section] = []
    summary: list[st.Table] = []
    if "table1" in s.figures:
        sections.append(st.Section("Table 1: average throughput", (*tables.table1(s), *tables.header(s))))
        summary += tables.table1_short(s)
    if drawn := figures(s):
        sections.append(st.Section("Figures", (*drawn, *tables.added(s))))
    return st.Findings(
        columns=tuple(COLUMNS.values()),
        claims=st.judged(CLAIMS, s, tuple(COLUMNS), s.figures),
        compared={"ns-2": compared},
        findings=_findings(s),
        sensitivity=(*tables.neighbours(s), *tables.windows(s)),
        sections=sections,
        beside=(st.Text((_NS2_NOTE,)), *NS2.agreement(compared), *NS2.outside(compared))
        if st.unaltered(compared)
        else (),
        procedure=_counts(data),
        summary=(*summary, *NS2.agreement(compared, brief=True)),
        points=tables.points(s, compared),
        numbers=_numbers(s),
    )


def _findings(s: Results) -> tuple[str, ...]:
    run = s.experiments()
    out = []
    if "table1" in run:
        gaps = [s.mean("table1", 0, v, jittered=False) / bps - 1 for v, bps in published.TABLE1_BPS.items()]
        out.append(
            f"The five averages of Table 1 come out within {100 * max(map(abs, gaps)):.2g} % of the published ones; "
            "the settings that the paper leaves open were chosen for that."
        )
        leads = [st.percent(st.interval(s.above("table1", 0, vegas, "newreno"))) for vegas in COLUMNS]
        out.append(
            "Vegas leads there because ns-2's Vegas leaves the 40-byte header out of its packets, which all others "
            f"carry. It leads NewReno by {leads[0]}; with the header, by {leads[1]}."
        )
    if s.neighbours():
        order, best, equal = (tables.held(s, asked) for asked in ("the full order", *tables.BEST))
        out.append(
            f"In {order[1]} neighbouring settings the full order of Table 1 holds in {order[0]}; ns-2's Vegas is best "
            f"in {best[0]}, Vegas of equal size in {equal[0]}."
        )
    if "error" in run and s.xs("error")[-1] > 0.04:
        low, high = s.xs("error")[1], s.xs("error")[-1]
        few, many = (
            st.percent(st.interval(s.above("error", x, *pair)))
            for x, pair in ((low, ("vegas40", "newreno")), (high, ("newreno", "vegas40")))
        )
        out.append(
            f"Random errors turn the order round: at {100 * low:g} % Vegas of equal size is {few} above NewReno, at "
            f"{100 * high:g} % NewReno is {many} above it."
        )
    if "bandwidth" in run:
        three, five = (s.mean("bandwidth", x, "newreno") for x in (3, 5))
        out.append(
            "Two windows of 20 segments hold every variant back on long or fast paths: from 3 to 5 Mb/s NewReno gains "
            f"{100 * (five / three - 1):.0f} %, where the link gains 67 %."
        )
    return tuple(out)


def _counts(data: st.StudyData) -> tuple[str, ...]:
    """Return a sentence on the runs of each point; empty if only Sensitivity was run."""
    if "runs" not in data.tables:
        return ()
    runs = data.tables["runs"]
    parts = [
        (name, of)
        for name, lossy in (("each error rate", True), ("each other point", False))
        if (of := runs.filter((pl.col("experiment") == "error") == lossy)).height
    ]
    said = []
    for name, of in parts:
        same, jittered = (of.filter(jittered=moved)["seed"].n_unique() for moved in (False, True))
        where = name if len(parts) > 1 else "each point"
        said.append(
            f"{where} has {st.counted(same, 'run')} with identical starts and {jittered} with jittered starts"
        )
    text = "; ".join(said)
    return (f"{text[0].upper()}{text[1:]}.",)


def _numbers(s: Results) -> dict[str, Any]:
    if "table1" not in s.figures:
        return {}
    return {
        "table1_Bps": {
            variant: {
                "published": published.TABLE1_BPS.get(variant),
                "ours": s.mean("table1", 0, variant, jittered=False),
                "ns2": st.curves.mean_of(s.ns2("table1", 0.0, variant)),
            }
            for variant in s.variants
        }
    }


STUDY: Final = st.Study(
    name="abadin",
    summary="Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell (Abadin and others; ns-2)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("experiment", "x", "variant", "window"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    variants=tuple(k.VARIANTS),
    links={"n2-n3": "bottleneck", "*": "access"},
)
