"""From the data to the report: what they say, in which order and words. Nothing here runs a simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Section, Text
from ackclock.studies.form import Form, Found, analysis
from ackclock.studies.suherman import published, tables
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.claims import claims, rates
from ackclock.studies.suherman.figures import figures
from ackclock.studies.suherman.samples import Samples
from ackclock.studies.suherman.setups import BY_KEY

if TYPE_CHECKING:
    from ackclock.studies.carry_out import Analysis
    from ackclock.studies.suherman.data import Data

_PEER_NOTE: Final = (
    "ns-2.35 ran these points with 2 to 5 seeds of its own: places, paths and starts differ from ours. A value "
    f"agrees when our mean lies in ns-2's 95 % interval or within {100 * k.AGREE_WITHIN:g} % of its mean. Runs of "
    "ns-2 in which nothing arrived are left out of its delays and jitter, as they are of ours."
)

_SETTINGS_NOTE: Final = (
    "What the paper leaves open is set as in the reference runs of ns-2. No setting was chosen to meet a "
    "claim."
)

_FORM: Final = Form(
    study="suherman",
    title="Window decrement rate of TCP in an 802.11 ad hoc network",
    authors=published.AUTHORS,
    paper=published.TITLE,
    simulator="ns-2, EvalVid",
    columns=(),
    supposing=(),
    evidence="runs paired by seed",
    once="",
    verdict_note=(
        "Columns: the rate of data frames. Claims on k are judged under both readings of it, which are the same runs "
        "relabelled."
    ),
    settings_note=_SETTINGS_NOTE,
    settings=k.SETTINGS,
    procedure=(
        f"Each point has {k.RUNS} runs of {k.LENGTH_S} s (the networks beside have {k.BESIDE_RUNS}). A seed gives "
        "the places and paths of the nodes, the starts of the flows and every draw of the channel, the same for "
        "every k: differences between values of k are taken seed by seed. Intervals are Student-t.",
    ),
    stored="every run (`runs`)",
)


def analyse(data: Data) -> Analysis:
    """Draw every conclusion from the data."""
    s = Samples(data)
    columns = tuple(BY_KEY[rate].label for rate in rates(s))
    compared = tables.comparisons(s)
    sections = []
    if columns:
        blocks = [tables.reductions(s), *(tables.effect(s, rate) for rate in rates(s))]
        sections.append(Section("What k does, and where", tuple(blocks)))
    other = tables.beside(s)
    if other:
        sections.append(Section("Other readings", other))
    sections.append(Section("What contradicts itself in the published text", (tables.contradictions(),)))
    drawn = figures(s)
    if drawn:
        sections.append(Section("Figures", drawn))
    held = (*tables.signs(s), tables.agreement(s, compared), *tables.outside(compared)) if compared else ()
    found = Found(
        claims=claims(s),
        compared={"ns-2": compared},
        lead=tables.lead(s),
        sections=sections,
        beside=(Text((_PEER_NOTE,)), *held),
        summary=(
            *((tables.reductions(s),) if columns else ()),
            *((tables.agreement(s, compared, brief=True),) if compared else ()),
        ),
        points=tables.points(s),
    )
    return analysis(replace(_FORM, columns=columns, supposing=columns), data, found)
