"""The study as a whole, and its report: what the data say, in which order and words."""

from __future__ import annotations

from typing import Final

from ackclock.report.model import Section, Text
from ackclock.studies.claims import judged
from ackclock.studies.data import StudyData
from ackclock.studies.heriyanto import experiments, published, tables
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.claims import CLAIMS
from ackclock.studies.heriyanto.experiments import NETWORKS, SCENARIOS
from ackclock.studies.heriyanto.figures import figures
from ackclock.studies.heriyanto.results import NS3, Results
from ackclock.studies.layout import Findings, Layout
from ackclock.studies.study import Study

_NS3_NOTE: Final = (
    "ns-3.37 ran the same points with clients on a grid near the access point, 2 to 5 runs each. A point agrees when "
    f"our mean lies in ns-3's 95 % interval or within {100 * k.AGREE_WITHIN:g} % of its mean. With clients placed "
    "uniformly ns-3 has few runs, each of another placement: there the share of clients in range is held against it."
)

_LAYOUT: Final = Layout(
    title="Westwood+ and NewReno on an 802.11n wireless network",
    authors=published.AUTHORS,
    paper=published.TITLE,
    simulator="ns-3",
    evidence="replications paired by seed: both variants meet the same placements and walks",
    verdict_note=(
        "In the columns clients start near the access point, or anywhere within ±50 m, and reach it directly, or over "
        "each other in a mesh; runs count whose client is in range with both variants."
    ),
    settings_note=(
        "The paper states few of its settings. The others are those of the reference runs of ns-3; none was chosen to "
        "meet a claim."
    ),
    settings=k.SETTINGS,
    procedure=(
        "Each replication has placements and walks of its own, and from the second on starts jittered by up to "
        f"{k.JITTER_S:g} s. All variants share the seeds. Intervals are Student-t.",
        "Each size has seeds, and so placements and walks, of its own; idle clients send nothing.",
    ),
    stored="one row per flow and run (`flows`), throughput against time with most nodes (`samples`)",
)


def find(data: StudyData) -> Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared = s.comparisons()
    return Findings(
        columns=tuple(NETWORKS.values()),
        claims=judged(CLAIMS, s, tuple(NETWORKS), s.figures),
        compared={"ns-3": compared},
        sections=(
            Section("The published numbers", (tables.beside_published(s), tables.losses(s))),
            Section("Figures", figures(s)),
            Section("Every measure", tuple(tables.measures(s, scenario) for scenario in SCENARIOS)),
        ),
        beside=(Text((_NS3_NOTE,)), NS3.agreement(compared), *NS3.outside(compared), tables.connected(s)),
        summary=(
            *(tables.measures(s, scenario, brief=True) for scenario in SCENARIOS),
            NS3.agreement(compared, brief=True),
        ),
        points=tables.points(s, compared),
    )


STUDY: Final = Study(
    name="heriyanto",
    summary="Westwood+ and NewReno on an 802.11n wireless network (Heriyanto and others; ns-3)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("experiment", "nodes", "variant"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    variants=tuple(k.VARIANTS),
    leave=experiments.leave,
)
