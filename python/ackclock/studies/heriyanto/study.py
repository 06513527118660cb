"""Declaration of the study, and its conclusions from the data."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import ackclock.study as st
from ackclock.studies.heriyanto import experiments, found, published, tables
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.claims import CLAIMS
from ackclock.studies.heriyanto.experiments import NETWORKS, READ, SCENARIOS
from ackclock.studies.heriyanto.figures import figures
from ackclock.studies.heriyanto.results import MEASURES, NS3, PAYLOAD, Results

_NS3_NOTE: Final = k.TEXT("ns3_note", agree_within=100 * k.AGREE_WITHIN)


def find(data: st.StudyData) -> st.Findings:
    """Return all conclusions from the data: verdicts, comparisons, tables and figures."""
    s = Results(data)
    compared = s.comparisons()
    return st.Findings(
        columns=tuple(NETWORKS.values()),
        claims=st.judged(CLAIMS, s, tuple(NETWORKS), s.figures),
        compared={"ns-3": compared},
        findings=_findings(s),
        sections=(
            st.Section("The published numbers", (*tables.beside_published(s), *tables.losses(s))),
            st.Section("The reading found afterwards", found.reading(s)),
            st.Section("What contradicts itself in the published text", (found.contradictions(s),)),
            st.Section("Figures", figures(s, quick=data.quick)),
            st.Section(
                "Every measure", tuple(block for one in SCENARIOS for block in tables.measures(s, one))
            ),
        ),
        beside=(*NS3.beside(compared, _NS3_NOTE), *tables.connected(s)),
        summary=(
            *(block for one in SCENARIOS for block in tables.measures(s, one, brief=True)),
            *NS3.agreement(compared, brief=True),
        ),
        points=tables.points(s, compared),
        sensitivity=tables.sensitivity(s),
        files=_recordings(data),
    )


def _recordings(data: st.StudyData) -> tuple[tuple[str, str], ...]:
    """Return the files that `experiments.leave` writes, each with a description."""
    chosen = replace(experiments.plan(data.quick), figures=data.figures)
    out = []
    label = next(iter(k.LABELS.values()))
    played = f"the first {k.QUICK_PLAYED_S} s of it" if data.quick else "all of it"
    for name, experiment, nodes in experiments.recorded(chosen):
        one, _, network = experiment.partition("-")
        what = f"scenario {one[1]}, {NETWORKS[network]}, {nodes} nodes, first run"
        out.append((f"recordings/{name}.html", f"animation: {what}, {label}, {played}"))
        out += [
            (f"recordings/{name}-{v}.xml", f"FlowMonitor's XML: {what}, {k.LABELS[v]}") for v in k.VARIANTS
        ]
    return tuple(out)


def _findings(s: Results) -> tuple[str, ...]:
    out = []
    if "throughput" in s.figures:
        out += _throughputs(s)
    if "delay" in s.figures and s.sizes("s1-near"):
        nodes = s.sizes("s1-near")[-1]
        delays = [s.cell("delay", "s1-near", nodes, v) for v in k.VARIANTS]
        out.append(
            st.AsPublished(
                f"The queue tells the two apart: with {nodes} nodes packets take {delays[0]} ms with NewReno and "
                f"{delays[1]} ms with Westwood+ (published {published.BEST['s1', 'delay'][2]:.1f} ms, Westwood+)."
            )
        )
    if s.figures >= set(MEASURES):
        out += _found(s)
    return tuple(out)


def _throughputs(s: Results) -> list[str]:
    """Return sentences that compare scenario 1's throughput with the published one, and then the two variants."""
    first, second = k.VARIANTS

    def gaps(scenario: str) -> list[float]:
        key = f"{scenario}-near"
        pairs = [[s.mean("throughput", key, n, v) for v in (second, first)] for n in s.sizes(key)]
        return [100 * (a / b - 1) for a, b in pairs]

    ours = max(map(abs, gaps("s1")))
    same = ours < st.MARGIN_PERCENT
    nodes, (_, _, best) = s.best_size("s1-near"), published.BEST["s1", "throughput"]
    mbps = s.mean("throughput", "s1-near", nodes, second)
    return [
        f"The published throughput of scenario 1 is not reached by the settings that the paper states. A client near "
        f"the access point gets {mbps:.3f} Mb/s of the {k.WIRED_MBPS} Mb/s ({k.LABELS[second]}, {nodes} nodes). The "
        f"published {best:g} Mb/s are {mbps / best:.1f} times less.",
        f"One client alone gets {'the same' if same else 'not the same'} with both: near the access point "
        f"{k.LABELS[second]} is at most {ours:.2f} % from {k.LABELS[first]}"
        f"{', which is no difference that matters' if same else ''} (the margin is {st.MARGIN_PERCENT:g} %). The two "
        f"published throughputs differ by {published.gap_percent():.2f} %, and are of networks of different size: "
        f"{best:g} Mb/s ({k.LABELS[second]}, {k.BEST_NODES} nodes) and {published.NEWRENO_AT_FIVE_MBPS:g} Mb/s "
        f"({k.LABELS[first]}, 5 nodes).",
        _beside(gaps("s2")),
    ]


def _beside(gaps: list[float]) -> str:
    """Return a sentence on Westwood+ - NewReno beside a UDP flow; `gaps` are in percent, by number of nodes."""
    first, second = (k.LABELS[variant] for variant in k.VARIANTS)
    sizes = [abs(gap) for gap in gaps]
    least, most = min(sizes), max(sizes)
    if min(gaps) < 0 < max(gaps):
        return (
            f"Beside a UDP flow {second} has between {-min(gaps):.1f} % less and {max(gaps):.1f} % more throughput "
            f"than {first}, by the number of nodes."
        )
    by = f"{least:.1f} %" if f"{least:.1f}" == f"{most:.1f}" else f"{least:.1f} to {most:.1f} %"
    return (
        f"Beside a UDP flow {second} has {by} {'less' if max(gaps) <= 0 else 'more'} throughput than {first}, whatever "
        "the number of nodes."
    )


def _found(s: Results) -> list[str]:
    """Return sentences on an interpretation found after the results were known, with the numbers that it explains."""
    if not s.sizes(READ):
        return []
    nodes = s.best_size(READ)

    def pair(measure: str, shown: str, digits: int) -> str:
        variant, _, value = published.BEST["s1", measure]
        return f"{s.mean(shown, READ, nodes, variant):.{digits}f} {MEASURES[measure].unit} ({value:.7g})"

    return [
        f"Another reading reaches the numbers of scenario 1. It was found by arithmetic on the printed digits, after "
        f"seeing the numbers: a wired link of {k.READ_MBPS} Mb/s, segments of {k.READ_SEGMENT_B} B, payload over the "
        f"whole {k.DURATION_S} s. It has (published in brackets) a throughput of {pair('throughput', PAYLOAD, 4)}, a "
        f"loss of {pair('loss', 'loss', 4)} and a delay of {pair('delay', 'delay', 1)} with Westwood+, and a jitter of "
        f"{pair('jitter', 'jitter', 3)} with NewReno. It explains the numbers and confirms nothing. The paper's Table "
        f"3 has {k.WIRED_MBPS} Mb/s."
    ]


STUDY: Final = k.TEXT.study(
    experiments,
    find,
    k.SETTINGS,
    k.VARIANTS,
    leave=experiments.leave,
    udp_tried_mbps=" and ".join(f"{x:g}" for x in k.UDP_TRIED_MBPS),
    queues_tried=" and ".join(map(str, k.QUEUES_TRIED)),
)
