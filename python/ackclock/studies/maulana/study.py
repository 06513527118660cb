"""The study as a whole, and its report: the findings, their order and words."""

from __future__ import annotations

from typing import Final

import ackclock.study as st
from ackclock.studies.maulana import experiments, found, published, tables
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import COLUMNS
from ackclock.studies.maulana.claims import CLAIMS
from ackclock.studies.maulana.figures import figures
from ackclock.studies.maulana.results import NS2, Results

_PEERS_NOTE: Final = (
    "ns-2.35 ran NewReno and Vegas in these cases. Over wired links nothing is random, so one run of ns-2 is compared "
    "with our run with the same starts. Among 802.11 nodes 5 seeds of ns-2 are compared with the mean of our "
    f"replications. A value agrees when it lies in ns-2's interval or within {100 * k.AGREE_WITHIN:g} % of its mean "
    f"({100 * k.AGREE_RADIO:g} % among 802.11 nodes). ns-2 counts a segment's 1500 B; its Vegas puts no header on the "
    "wire. ns-3's LTE ran with other endpoints; ours is run like it for the last table."
)

_LAYOUT: Final = st.Layout(
    title="NewReno and Vegas over “LTE”, in each reading of the set-up",
    paper=published.PAPER,
    simulator="ns-2",
    evidence="runs whose starts are jittered, paired by seed",
    once="in the paper's procedure (starts at 0.5 and 0.6 s)",
    verdict_note=(
        "The first three columns have ns-2's default window and queue (20, 50): wired links of 11 Mb/s, one link of "
        "11 Mb/s that both flows share, and six 802.11 nodes. The fourth is a shared link of 2 Mb/s with a window of "
        "1000 and a queue of 500. It was chosen because its delays come nearest to the published ones, so no claim on "
        "delays or round trips is judged in it. Two are LTE of 10 MHz with "
        "a small and a large RLC buffer. The last is three hops of 802.11b, over 60 s alone. It was found after the "
        "results: it explains, it confirms nothing. Vegas is ns-2's, without a header."
    ),
    settings_note=(
        "The paper states a sketch and six lines. Everything else is that of the reference runs of ns-2, and where "
        "several readings are possible each is run. No setting was chosen to meet a claim."
    ),
    settings=k.SETTINGS,
    stated={
        "lte.*.bandwidth": "introduction",
        "flow.*.tcp.segment": "Table 1",
        "flow.*.tcp.variant": "title",
        "flow.*.traffic": "Table 1",
        "duration": "Table 1 and Figures 3 and 4",
    },
    tried={
        "the reading found after the results": "the last column of the verdicts, and a section of its own",
        "places of the 802.11 nodes": "nearer ones, in the reading found after the results",
        "what the links are": "six readings: columns of the verdicts",
        "window and queue": "all three are run: see Averages",
        "LTE": "two buffers, six bandwidths: see LTE and its buffer",
        "starts": "each moved by up to 0.1 s",
        "what is sent": "both: see Figures 3 and 4 with an end",
        "a longer round trip": "only for the claim on longer RTTs: see Averages",
        "packet sizes of Figures 5 and 6": "all are run",
    },
    procedure=(
        "Each case is run once with the starts of ns-2's runs, and again with each start moved by up to "
        f"{k.JITTER_S:g} s: intervals and verdicts come from these. Nothing else is random. Replications of all "
        "variants share their seeds, and are compared pair by pair. Intervals are Student-t.",
    ),
    stored=(
        "one row per flow and run (`flows`), round-trip times by packet size (`sizes`), what was sent against time "
        "(`samples`), histograms of the delay (`delays`), the delay keyed by sequence number alone (`numbered`)"
    ),
)


def find(data: st.StudyData) -> st.Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared, lte = s.comparisons(), s.ns3_comparisons()
    sections = [
        st.Section("What the set-up may have been", tables.readings()),
        st.Section("What contradicts itself in the published numbers", (found.contradictions(),)),
    ]
    if reading := found.found(s):
        sections.append(st.Section("A reading found after the results", reading))
    if "averages" in s.figures:
        averages = (tables.averages(s, length) for length in k.LENGTHS_S)
        beside = (table for length in k.LENGTHS_S for table in tables.beside(s, length))
        sections.append(st.Section("Averages", (*averages, *beside, *tables.longer(s))))
        bloat = [table for length in k.LENGTHS_S for table in tables.bufferbloat(s, length)]
        sections.append(st.Section("LTE and its buffer", tuple(bloat)))
    if drawn := figures(s):
        sections.append(st.Section("Figures", (*drawn, *tables.files(s))))
    beside_ns2 = (*NS2.agreement(compared), *NS2.outside(compared)) if compared else ()
    return st.Findings(
        columns=tuple(COLUMNS.values()),
        claims=st.judged(CLAIMS, s, tuple(COLUMNS), s.figures),
        compared={"ns-2": compared, "ns-3": lte},
        findings=tables.findings(s),
        sections=sections,
        beside=(
            *((st.Text((_PEERS_NOTE,)),) if st.unaltered([*compared, *lte]) else ()),
            *beside_ns2,
            *tables.beside_ns3(s, lte),
        ),
        summary=(tables.short(s),) if s.cases() else (),
        points=tables.points(s),
    )


STUDY: Final = st.Study(
    name="maulana",
    summary="NewReno and Vegas over LTE, in each reading of the set-up (Maulana and Niati; ns-2)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("case", "length_s", "size_b", "variant"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    variants=tuple(k.VARIANTS),
    links={"server-agw": "bottleneck", "agw-*": "backhaul", "*": "access"},
)
