"""From the data to the report: what they say, in which order and words. Nothing here runs a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Section, Text
from ackclock.studies.abadin import peer, published, tables
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.claims import COLUMNS, claims
from ackclock.studies.abadin.figures import figures, over
from ackclock.studies.abadin.samples import Samples
from ackclock.studies.form import Form, Found, analysis
from ackclock.studies.tables import percent

if TYPE_CHECKING:
    from ackclock.studies.abadin.data import Data
    from ackclock.studies.agreement import Comparison
    from ackclock.studies.carry_out import Analysis

_PEER_NOTE: Final = (
    "ns-2.35 ran the same points with identical starts, 10 seeds in the sweep of error rates and 5 in the "
    "others. Ours are run in the same way for this table, at the error rates with more seeds, so that our own "
    "noise decides nothing. A point agrees when our mean lies in ns-2's 95 % interval or within "
    f"{100 * k.AGREE_WITHIN:g} % of its mean ({100 * k.TABLE1_WITHIN:g} % for Table 1). Without random loss "
    "ns-2's interval mostly has no width."
)

_SETTINGS_NOTE: Final = (
    "The paper states few of its settings. Those below are the set that comes nearest to its Table 1 among "
    "those tried in ns-2, found on Table 1 alone. No setting was chosen to meet a claim."
)

_FORM: Final = Form(
    study="abadin",
    title="Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell",
    authors=published.AUTHORS,
    paper=published.TITLE,
    simulator="ns-2",
    columns=COLUMNS,
    supposing=("with Vegas as ns-2 has it", "with Vegas of equal wire size"),
    evidence="runs whose starts are jittered, paired by seed",
    once="in the paper's procedure (identical starts)",
    verdict_note=(
        "The paper ran each point once, with starts that never vary: in how many tests such runs meet the claim "
        "stands beside."
    ),
    settings_note=_SETTINGS_NOTE,
    settings=k.SETTINGS,
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


def analyse(data: Data) -> Analysis:
    """Draw every conclusion from the data."""
    s = Samples(data)
    compared = comparisons(s)
    table1 = (tables.table1(s),) if "table1" in data.figures else ()
    drawn = figures(s)
    sections = []
    if table1:
        sections.append(Section("Table 1: average throughput", (*table1, tables.header(s))))
    if drawn:
        sections.append(Section("Figures", drawn))
    found = Found(
        claims=claims(s),
        compared={"ns-2": compared},
        lead=_lead(s),
        sections=sections,
        beside=(Text((_PEER_NOTE,)), tables.agreement(compared), *tables.outside(compared)),
        procedure=(_counts(data),),
        summary=(*((tables.table1_short(s),) if table1 else ()), tables.agreement(compared, brief=True)),
        points=tables.points(s, compared),
        numbers=_numbers(s),
    )
    return analysis(_FORM, data, found)


def comparisons(s: Samples) -> list[Comparison]:
    """Hold every point with identical starts against ns-2's."""
    found = [
        peer.compare(experiment, x, variant, s.interval(experiment, x, variant, jittered=False))
        for experiment in s.experiments()
        for x in s.xs(experiment)
        for variant in k.VARIANTS
    ]
    return [c for c in found if c is not None]


def _lead(s: Samples) -> tuple[str, ...]:
    if not s.has("table1"):
        return ()
    return (
        "ns-2's Vegas leaves the 40-byte header out of its packets: it sends 1000 bytes where the others send 1040. "
        f"In Table 1 it leads NewReno by {percent(over(s, 'table1', 0, 'vegas', 'newreno'))}; with the header that "
        f"the others carry, by {percent(over(s, 'table1', 0, 'vegas40', 'newreno'))}.",
    )


def _counts(data: Data) -> str:
    """Say how many runs each point has."""
    out = []
    for name, which in (("at the error rates", True), ("elsewhere", False)):
        of = [run for run in data.runs if (run.experiment == "error") is which]
        if of:
            same = len({run.seed for run in of if not run.jittered})
            jittered = len({run.seed for run in of if run.jittered})
            out.append(f"{same} seeds with identical and {jittered} with jittered starts {name}")
    return f"Runs of each point: {'; '.join(out)}."


def _numbers(s: Samples) -> dict[str, Any]:
    if "table1" not in s.data.figures:
        return {}
    return {
        "table1_Bps": {
            variant: {
                "published": published.TABLE1_BPS.get(variant),
                "ours": s.mean("table1", 0, variant, jittered=False),
                "ns2": peer.points()["table1", 0.0, variant].mean,
            }
            for variant in k.VARIANTS
        }
    }
