"""The parts of a reproduced study: experiments, settings, claims, peers, figures, tables and the report.

    import ackclock.study as st

A study is a package or a folder with `STUDY`, a `Study`. `ackclock study ./FOLDER` runs one from a folder; a package
registers it under the entry points `ackclock.studies`. The five studies that come with ackclock use this module and
`ackclock` alone. ``docs/reference/study.md`` has the parts in the order in which one meets them.
"""

from ackclock.report.model import Block, Figure, Judgement, Panel, Section, Series, Table, Text
from ackclock.report.text import counted, number, part_name, part_number, signed, with_interval
from ackclock.stats.statistics import (
    Interval,
    Ratio,
    Values,
    interval,
    jain,
    mean,
    percent_above,
    ratio_of_means,
)
from ackclock.study import curves, reference, registry
from ackclock.study.agreement import Comparison, by_point, compare, from_deviation, unaltered
from ackclock.study.claims import Claim, judged
from ackclock.study.curves import Palette
from ackclock.study.data import Points, StudyData, divided
from ackclock.study.judge import (
    MARGIN_PERCENT,
    TOLERANCE_PERCENT,
    Number,
    Test,
    level,
    positive,
    scaled,
    statement,
    tolerance,
    within,
)
from ackclock.study.layout import Findings, Layout, Paper
from ackclock.study.marks import AsPublished
from ackclock.study.names import Names, Variant, Variants, written
from ackclock.study.recordings import animate, flowmonitor
from ackclock.study.result import StudyResult
from ackclock.study.results import Results
from ackclock.study.runs import Rows, RunTable, StudyJob, replicated, traced
from ackclock.study.settings import BASE_SEED, Setting, Settings
from ackclock.study.study import Plan, Study
from ackclock.study.sweeps import Experiment, Measure, Runs, of_sweeps
from ackclock.study.tables import Cell, Peer, cell, ends, known, percent, sections, table, verdicts
from ackclock.study.texts import Texts, texts

__all__ = [
    "BASE_SEED",
    "MARGIN_PERCENT",
    "TOLERANCE_PERCENT",
    "AsPublished",
    "Block",
    "Cell",
    "Claim",
    "Comparison",
    "Experiment",
    "Figure",
    "Findings",
    "Interval",
    "Judgement",
    "Layout",
    "Measure",
    "Names",
    "Number",
    "Palette",
    "Panel",
    "Paper",
    "Peer",
    "Plan",
    "Points",
    "Ratio",
    "Results",
    "Rows",
    "RunTable",
    "Runs",
    "Section",
    "Series",
    "Setting",
    "Settings",
    "Study",
    "StudyData",
    "StudyJob",
    "StudyResult",
    "Table",
    "Test",
    "Text",
    "Texts",
    "Values",
    "Variant",
    "Variants",
    "animate",
    "by_point",
    "cell",
    "compare",
    "counted",
    "curves",
    "divided",
    "ends",
    "flowmonitor",
    "from_deviation",
    "interval",
    "jain",
    "judged",
    "known",
    "level",
    "mean",
    "number",
    "of_sweeps",
    "part_name",
    "part_number",
    "percent",
    "percent_above",
    "positive",
    "ratio_of_means",
    "reference",
    "registry",
    "replicated",
    "scaled",
    "sections",
    "signed",
    "statement",
    "table",
    "texts",
    "tolerance",
    "traced",
    "unaltered",
    "verdicts",
    "with_interval",
    "within",
    "written",
]
