"""From the data to the report: what they say, in which order and words. Nothing here runs a simulation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Claims, Code, Report, Section, Text
from ackclock.report.text import verdicts
from ackclock.studies.abadin import peer, published, tables
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.claims import COLUMNS, claims
from ackclock.studies.abadin.figures import figures, over
from ackclock.studies.abadin.samples import Samples
from ackclock.studies.agreement import AGREES_INTERVAL, AGREES_TOLERANCE, DIFFERS
from ackclock.studies.carry_out import Analysis, command
from ackclock.studies.tables import percent, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.abadin.data import Data
    from ackclock.studies.agreement import Comparison

ONCE: Final = "in the paper's procedure (identical starts)"
"""What "once" means in the verdicts."""

_VERDICT_NOTE: Final = (
    "Each verdict rests on runs whose starts are jittered, paired by seed; the bracket is the 95 % "
    "confidence interval. “Supported” needs every test's interval in the range claimed. “Contradicted” "
    "needs one test's interval wholly outside it, at a level made stricter by the number of tests. "
    "Anything else cannot be decided. Percentages are of the rival's mean unless said otherwise. The paper "
    "ran each point once, with starts that never vary: in how many tests such runs meet the claim stands "
    "beside."
)

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

_DATA_NOTE: Final = (
    "`data/` holds every run (`runs`), the samples of Figure 2 (`samples`), the points drawn (`points`) "
    "and the scenarios (`scenarios`); `manifest.json` says how to run it again. The same version gives the "
    "same data on any machine, hash included:"
)


def analyse(data: Data) -> Analysis:
    """Draw every conclusion from the data."""
    s = Samples(data)
    compared = comparisons(s)
    judged = Claims(COLUMNS, claims(s), notes=(_VERDICT_NOTE,), once=ONCE)
    table1 = (tables.table1(s),) if "table1" in data.figures else ()
    drawn = figures(s)
    brief = Claims(judged.columns, judged.claims, detailed=False)
    sections = [Section("Verdicts on the paper's claims", (brief,))]
    if table1:
        sections.append(Section("Table 1: average throughput", (*table1, tables.header(s))))
    if drawn:
        sections.append(Section("Figures", drawn))
    sections += [
        Section("The verdicts in detail", (judged,)),
        Section("Beside ns-2", (Text((_PEER_NOTE,)), tables.agreement(compared), *tables.outside(compared))),
        Section("Settings", (Text((_SETTINGS_NOTE,)), settings(k.SETTINGS))),
        Section("How it was run", _procedure(data)),
    ]
    report = Report(
        study="abadin",
        title="Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell",
        subtitle=f"Carries out again: {published.AUTHORS}, “{published.TITLE}” (ns-2)",
        lead=_lead(s, judged, compared),
        sections=tuple(sections),
        footer=f"ackclock {data.version} · study abadin{' --quick' if data.quick else ''} · "
        f"{len(data.runs):,} runs · data SHA-256 `{data.digest()}`",
    )
    return Analysis(
        report=report,
        claims=judged,
        summary=(*((tables.table1_short(s),) if table1 else ()), tables.agreement(compared, brief=True)),
        points=tables.points(s, compared),
        numbers=_numbers(s, compared),
    )


def comparisons(s: Samples) -> list[Comparison]:
    """Hold every point with identical starts against ns-2's."""
    found = [
        peer.compare(experiment, x, variant, s.interval(experiment, x, variant, jittered=False))
        for experiment in s.experiments()
        for x in s.xs(experiment)
        for variant in k.VARIANTS
    ]
    return [c for c in found if c is not None]


def _lead(s: Samples, judged: Claims, compared: Sequence[Comparison]) -> tuple[str, ...]:
    out = []
    if judged.claims:
        texts = []
        for column, supposing in enumerate(("with Vegas as ns-2 has it", "with Vegas of equal wire size")):
            counts = verdicts(list(judged.claims), column)
            texts.append(
                f"{supposing}, {counts.get('supported', 0)} supported, "
                f"{counts.get('contradicted', 0)} contradicted, {counts.get('cannot decide', 0)} undecided"
            )
        out.append(f"{len(judged.claims)} claims were tested: {texts[0]}; {texts[1]}.")
    if s.has("table1"):
        out.append(
            "ns-2's Vegas leaves the 40-byte header out of its packets: it sends 1000 bytes where the "
            "others send 1040. In Table 1 it leads NewReno by "
            f"{percent(over(s, 'table1', 0, 'vegas', 'newreno'))}; with the header that the others "
            f"carry, by {percent(over(s, 'table1', 0, 'vegas40', 'newreno'))}."
        )
    if compared:
        agreed = sum(c.outcome != DIFFERS for c in compared)
        listed = "" if agreed == len(compared) else "; the others are listed below"
        out.append(f"{agreed} of {len(compared)} points agree with ns-2{listed}.")
    if s.data.quick:
        out.append("This is the quick form: fewer points, few replications, wide intervals.")
    return tuple(out)


def _procedure(data: Data) -> tuple[Text, Code]:
    only = data.figures[0] if len(data.figures) == 1 else None
    return (
        Text(
            (
                "Each point is run in two ways. With identical starts, as in the paper and in ns-2's runs: "
                "there nothing but random loss and the phase of the coarse clock is random, and without "
                "random loss the replications are one run repeated. And with starts that are jittered by "
                f"up to {k.JITTER_S:g} s, which is more than three packet times of the slowest bottleneck "
                "and less than the time between two starts: intervals and verdicts come from these. "
                f"{_counts(data)}",
                "Replications of all variants share their seeds, so that they start at the same instants, "
                "and are compared pair by pair. Intervals are Student-t.",
                _DATA_NOTE,
            )
        ),
        Code((command("abadin", quick=data.quick, only=only),)),
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


def _numbers(s: Samples, compared: Sequence[Comparison]) -> dict[str, Any]:
    outcomes = Counter(c.outcome for c in compared)
    numbers: dict[str, Any] = {
        "quick": s.data.quick,
        "agreement_with_ns2": {
            "points": len(compared),
            "inside_interval": outcomes[AGREES_INTERVAL],
            "within_tolerance": outcomes[AGREES_TOLERANCE],
            "outside": [
                {"experiment": c.experiment, "x": c.x, "variant": c.variant, "difference": c.difference}
                for c in compared
                if c.outcome == DIFFERS
            ],
        },
    }
    if "table1" in s.data.figures:
        numbers["table1_Bps"] = {
            variant: {
                "published": published.TABLE1_BPS.get(variant),
                "ours": s.mean("table1", 0, variant, jittered=False),
                "ns2": peer.points()["table1", 0.0, variant].mean,
            }
            for variant in k.VARIANTS
        }
    return numbers
