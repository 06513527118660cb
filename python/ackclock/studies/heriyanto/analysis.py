"""From the data to the report: what they say, in which order and words. Nothing here runs a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.report.model import Section, Text
from ackclock.studies.form import Form, Found, analysis
from ackclock.studies.heriyanto import published, tables
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.claims import COLUMNS, claims
from ackclock.studies.heriyanto.experiments import SCENARIOS
from ackclock.studies.heriyanto.figures import figures
from ackclock.studies.heriyanto.samples import Samples

if TYPE_CHECKING:
    from ackclock.studies.carry_out import Analysis
    from ackclock.studies.heriyanto.data import Data

_PEER_NOTE: Final = (
    "ns-3.37 ran the same points with clients on a grid near the access point, 2 to 5 runs each. A point agrees when "
    f"our mean lies in ns-3's 95 % interval or within {100 * k.AGREE_WITHIN:g} % of its mean. With clients placed "
    "uniformly ns-3 has few runs, each of another placement: there the share of clients in range is held against it."
)

_SETTINGS_NOTE: Final = (
    "The paper states few of its settings. The others are those of the reference runs of ns-3; none was chosen to meet "
    "a claim."
)

_FORM: Final = Form(
    study="heriyanto",
    title="Westwood+ and NewReno on an 802.11n wireless network",
    authors=published.AUTHORS,
    paper=published.TITLE,
    simulator="ns-3",
    columns=COLUMNS,
    supposing=COLUMNS,
    evidence="replications paired by seed: both variants meet the same placements and walks",
    once="",
    verdict_note=(
        "In the columns clients start near the access point, or anywhere within ±50 m, and reach it directly, or over "
        "each other in a mesh; runs count whose client is in range with both variants."
    ),
    settings_note=_SETTINGS_NOTE,
    settings=k.SETTINGS,
    procedure=(
        "Each replication has placements and walks of its own, and from the second on starts jittered by up to "
        f"{k.JITTER_S:g} s. All variants share the seeds. Intervals are Student-t.",
        "Each size has seeds, and so placements and walks, of its own; idle clients send nothing.",
    ),
    stored="one row per flow and run (`flows`), throughput against time with most nodes (`samples`)",
)


def analyse(data: Data) -> Analysis:
    """Draw every conclusion from the data."""
    s = Samples(data)
    compared = tables.comparisons(s)
    numbers = [Section("The published numbers", (tables.beside_published(s), tables.losses(s)))]
    found = Found(
        claims=claims(s),
        compared={"ns-3": compared},
        lead=(),
        sections=(
            *numbers,
            Section("Figures", figures(s)),
            Section("Every measure", tuple(tables.measures(s, scenario) for scenario in SCENARIOS)),
        ),
        beside=(
            Text((_PEER_NOTE,)),
            tables.agreement(compared),
            *tables.outside(compared),
            tables.connected(s),
        ),
        summary=(
            *(tables.measures(s, scenario, brief=True) for scenario in SCENARIOS),
            tables.agreement(compared, brief=True),
        ),
        points=tables.points(s, compared),
    )
    return analysis(_FORM, data, found)
