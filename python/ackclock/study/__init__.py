"""The parts of a reproduced study: experiments, settings, claims, peers, figures, tables and the report.

    import ackclock.study as st

A study is a package or a folder that defines `STUDY`, an instance of `Study`. ``ackclock study ./FOLDER`` runs the
study of a folder; a package registers its study in the entry point group `ackclock.studies`. The five studies that
come with ackclock use only this module and `ackclock`. ``docs/reference/study.md`` describes all parts.
"""

from types import ModuleType as _Module

from ackclock.report.model import Block as Block
from ackclock.report.model import Figure as Figure
from ackclock.report.model import Judgement as Judgement
from ackclock.report.model import Panel as Panel
from ackclock.report.model import Section as Section
from ackclock.report.model import Series as Series
from ackclock.report.model import Table as Table
from ackclock.report.model import Text as Text
from ackclock.report.text import counted as counted
from ackclock.report.text import number as number
from ackclock.report.text import part_name as part_name
from ackclock.report.text import part_number as part_number
from ackclock.report.text import signed as signed
from ackclock.report.text import with_interval as with_interval
from ackclock.stats.statistics import Interval as Interval
from ackclock.stats.statistics import Ratio as Ratio
from ackclock.stats.statistics import Values as Values
from ackclock.stats.statistics import interval as interval
from ackclock.stats.statistics import jain as jain
from ackclock.stats.statistics import mean as mean
from ackclock.stats.statistics import percent_above as percent_above
from ackclock.stats.statistics import ratio_of_means as ratio_of_means
from ackclock.study import curves as curves
from ackclock.study import reference as reference
from ackclock.study import registry as registry
from ackclock.study.agreement import Comparison as Comparison
from ackclock.study.agreement import by_point as by_point
from ackclock.study.agreement import compare as compare
from ackclock.study.agreement import from_deviation as from_deviation
from ackclock.study.agreement import unaltered as unaltered
from ackclock.study.claims import Claim as Claim
from ackclock.study.claims import judged as judged
from ackclock.study.curves import Palette as Palette
from ackclock.study.data import Points as Points
from ackclock.study.data import StudyData as StudyData
from ackclock.study.data import divided as divided
from ackclock.study.judge import MARGIN_PERCENT as MARGIN_PERCENT
from ackclock.study.judge import TOLERANCE_PERCENT as TOLERANCE_PERCENT
from ackclock.study.judge import Number as Number
from ackclock.study.judge import Test as Test
from ackclock.study.judge import level as level
from ackclock.study.judge import positive as positive
from ackclock.study.judge import scaled as scaled
from ackclock.study.judge import statement as statement
from ackclock.study.judge import tolerance as tolerance
from ackclock.study.judge import within as within
from ackclock.study.layout import Findings as Findings
from ackclock.study.layout import Layout as Layout
from ackclock.study.layout import Paper as Paper
from ackclock.study.marks import AsPublished as AsPublished
from ackclock.study.names import Names as Names
from ackclock.study.names import Variant as Variant
from ackclock.study.names import Variants as Variants
from ackclock.study.names import written as written
from ackclock.study.recordings import animate as animate
from ackclock.study.recordings import flowmonitor as flowmonitor
from ackclock.study.result import StudyResult as StudyResult
from ackclock.study.results import Results as Results
from ackclock.study.runs import Rows as Rows
from ackclock.study.runs import RunTable as RunTable
from ackclock.study.runs import StudyJob as StudyJob
from ackclock.study.runs import replicated as replicated
from ackclock.study.runs import traced as traced
from ackclock.study.settings import BASE_SEED as BASE_SEED
from ackclock.study.settings import Setting as Setting
from ackclock.study.settings import Settings as Settings
from ackclock.study.study import Plan as Plan
from ackclock.study.study import Study as Study
from ackclock.study.sweeps import Experiment as Experiment
from ackclock.study.sweeps import Measure as Measure
from ackclock.study.sweeps import Runs as Runs
from ackclock.study.sweeps import of_sweeps as of_sweeps
from ackclock.study.tables import Cell as Cell
from ackclock.study.tables import Peer as Peer
from ackclock.study.tables import cell as cell
from ackclock.study.tables import ends as ends
from ackclock.study.tables import known as known
from ackclock.study.tables import percent as percent
from ackclock.study.tables import sections as sections
from ackclock.study.tables import table as table
from ackclock.study.tables import verdicts as verdicts
from ackclock.study.texts import Texts as Texts
from ackclock.study.texts import texts as texts

__all__ = [name for name, one in vars().items() if not (name.startswith("_") or isinstance(one, _Module))]
