"""The study as a whole, and its report: the findings, their order and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import ackclock.study as st
from ackclock.studies.huang import experiments, published, tables
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.claims import CLAIMS
from ackclock.studies.huang.figures import figures
from ackclock.studies.huang.results import NARROW, NS2, OPEN, Results

_NS2_NOTE: Final = (
    "ns-2.35 ran Reno, NewReno, SACK and TCP-Linux's Reno and Westwood at these points, 10 seeds each. Ours "
    "are run in the same way for this table (without timestamps where ns-2 had none), with more seeds. A "
    "point agrees when our mean lies in ns-2's 95 % interval or within "
    f"{100 * k.AGREE_WITHIN:g} % of its mean ({100 * k.AGREE_JAIN:g} % for Jain's index). ns-2 has no "
    "TCPW-I, and no Westwood but TCP-Linux's."
)

_LAYOUT: Final = st.Layout(
    title="Westwood, TCPW-I and an intelligent gateway on lossy paths",
    paper=published.PAPER,
    simulator="ns-2 with TCP-Linux",
    evidence="replications paired by seed",
    once="in the paper's procedure (flows start together)",
    verdict_note=(
        "The first column is what the authors ran: TCPW is the Westwood that ns-2's TCP-Linux has, and TCPW-I runs in "
        "the same endpoint. The others hold TCPW-I against Westwood as its own paper has it, both with recovery sack: "
        "with RTTc over the connection, as the text writes it, over each round trip, and smoothed, as it says."
    ),
    settings_note=(
        "The paper states its topologies, and few of the settings of its endpoints. No setting was chosen to meet "
        "a claim."
    ),
    settings=k.SETTINGS,
    stated={
        "link.*.rate": "Sections 4 and 5",
        "link.*.delay": "Sections 4 and 5",
        "link.*.loss": "Sections 4.1 and 4.2",
        "flow.*.tcp.variant": "title",
        "flow.*.traffic": "Section 4",
        "wifi.*.rate": "Figure 8",
        "duration": "Sections 4 and 5",
    },
    tried={
        "error model": "losses on the wire, at 10 %: the last column of the verdicts, and a table under The gateway",
        "gateway": "one with a window of its own: see The gateway",
        "endpoint": "TCP-Linux's: the first column of the verdicts",
        "RTTc of TCPW-I": "all three are run: columns of the verdicts",
        "Reno in Figure 10": "TCP-Linux's, in its column",
        "starts, Figures 10 and 11": "both are run",
    },
    procedure=(
        "With errors one flow runs, and its replications differ by the packets lost (and by the phase of the coarse "
        "clock); all variants share the seeds. If several flows run and nothing is lost at random, intervals "
        f"and verdicts come from starts jittered by up to {k.JITTER_S:g} s. The paper's own procedure, all "
        "starts together, is shown beside them. Intervals are Student-t.",
    ),
    stored="one row per flow and run (`flows`), throughput against time (`samples`)",
)


def find(data: st.StudyData) -> st.Findings:
    """Draw every conclusion from the data."""
    s = Results(data)
    compared = s.comparisons()
    return st.Findings(
        columns=tuple(reading.column for reading in k.READINGS),
        claims=st.judged(CLAIMS, s, k.READINGS, s.figures),
        compared={"ns-2": compared},
        findings=_findings(s),
        sections=(*_numbers_sections(s), st.Section("Figures", figures(s))),
        beside=(
            *((st.Text((_NS2_NOTE,)),) if st.unaltered(compared) else ()),
            *NS2.agreement(compared),
            *NS2.outside(compared),
            *tables.westwoods(s),
        ),
        summary=_summary(s, compared),
        points=tables.points(s, compared),
    )


def _numbers_sections(s: Results) -> list[st.Section]:
    out: list[st.Section] = []
    if any(s.has(e, k.FIGURE_ERROR) for e in ("open_d1", "narrow_d1")):
        blocks: tuple[st.Block, ...] = (tables.at_ten_percent(s), *tables.why(s), *tables.what_limits(s))
        out.append(st.Section("At 10 % error", blocks))
    if out or s.has("friendliness"):
        out.append(st.Section("Told apart?", tables.guesses(s)))
    if any(s.has(e) for e in (*OPEN, *NARROW)):
        gateways = (*tables.gateway(s), *tables.placement(s), *tables.crash(s))
        out.append(st.Section("The gateway: benefit and price", gateways))
    if s.has("friendliness"):
        out.append(st.Section("Friendliness to Reno", tables.friendliness(s)))
    if s.has("fairness"):
        out.append(st.Section("Fairness of ten flows", tables.jain(s)))
    return out


def _summary(s: Results, compared: Sequence[st.Comparison]) -> list[st.Table]:
    out = []
    if any(s.has(e, k.FIGURE_ERROR) for e in ("open_d1", "narrow_d1")):
        out.append(tables.at_ten_percent(s, brief=True))
    if s.has("fairness"):
        out += tables.jain(s)
    out += NS2.agreement(compared, brief=True)
    return out


def _findings(s: Results) -> tuple[str, ...]:
    out = []
    own = k.TEXTBOOK
    if all(s.has(e, k.FIGURE_ERROR) for e in (*OPEN, *NARROW)):
        led, *others = (
            (
                reading.column,
                *(tables.ratio(s, e, reading.tcpwi) for e in ("open_d1", "narrow_r1")),
            )
            for reading in k.AT_ENTRY
        )
        out.append(
            "The paper reports that TCPW-I has about twice the throughput of TCPW at 10 % error. In TCP-Linux, which "
            f"the authors ran, the ratio is {led[1]} without a bottleneck and {led[2]} with one."
        )
        out.append(
            "That Westwood is not its paper's: it halves ssthresh as Reno does. Against Westwood as published the "
            "ratio is, without and with a bottleneck, "
            f"{'; '.join(f'{bare} and {narrow} ({column})' for column, bare, narrow in others)}."
        )
    if s.has("narrow_r1", 0.01):
        gained, instead = (
            st.percent(st.interval(s.above("narrow_r1", 0.01, key, own.tcpwi)))
            for key in (own.gateway, "gateway-window")
        )
        owed = st.mean(s.of("pre_acked_bytes", "narrow_r1", 0.01, own.gateway)) / 1e3
        out.append(
            f"The gateway that the paper describes and never simulates changes TCPW-I by {gained} at 1 % error behind "
            f"a bottleneck; one with a window of its own by {instead}. When the run ends, {owed:.0f} kB that the "
            "gateway has acknowledged to the source have not reached the receiver."
        )
    e, x = "open_d1", k.FIGURE_ERROR
    if s.has(k.on_wire(e), x):
        before, wire = (st.mean(s.kbps(where, x, own.gateway)) / 1e3 for where in (e, k.on_wire(e)))
        most = (1 - x) * k.LINK_MBPS
        out.append(
            "What the gateway gains depends on where packets are lost. ns-2 loses them before the queue, so that a "
            f"lost packet takes no capacity. The gateway then delivers {before:.2f} Mb/s of payload through a link of "
            f"{k.LINK_MBPS} Mb/s that loses {100 * x:g} %. With the losses on the wire, where at most {most:g} Mb/s "
            f"can arrive, it delivers {wire:.2f} Mb/s. These runs were added after the results: "
            "they explain, they confirm nothing."
        )
    if s.has("friendliness"):
        first = k.READINGS[0]
        beside = [st.mean(s.kbps("friendliness", 0.0, curve, 1)) for curve in (first.tcpwi, first.tcpw)]
        out.append(
            f"Reno gets {beside[0]:.0f} kb/s beside TCPW-I and {beside[1]:.0f} kb/s beside TCPW in TCP-Linux, of a "
            f"link of {1000 * k.BOTTLENECK_MBPS} kb/s."
        )
    if s.has("fairness"):
        out.append(_fair(s))
    return tuple(out)


def _fair(s: Results) -> str:
    """State Jain's index of the paper's three, published and from common starts, and with jittered starts."""

    def listed(curves: Sequence[str], *, together: bool) -> str:
        return ", ".join(f"{st.mean(s.jain('fairness', c, together=together)):.3f}" for c in curves)

    first, own = ((r.tcpw, r.tcpwi, r.reno) for r in (k.READINGS[0], k.TEXTBOOK))
    paper = ", ".join(f"{index:.3f}" for index in published.JAIN.values())
    return (
        f"Ten flows that start together, as in the paper, have a Jain's index of {listed(own, together=True)} with "
        f"TCPW, TCPW-I and Reno (published {paper}; in TCP-Linux {listed(first, together=True)}). If each starts up to "
        f"{k.JITTER_S:g} s later, it is {listed(own, together=False)}."
    )


STUDY: Final = st.Study(
    name="huang",
    summary="Westwood, TCPW-I and an intelligent gateway on lossy paths (Huang and Li; ns-2 TCP-Linux)",
    figures=experiments.FIGURES,
    plan=experiments.plan,
    jobs=experiments.jobs,
    tables=experiments.TABLES,
    scenario=("experiment", "x", "curve", "timestamps"),
    manifest=experiments.manifest,
    layout=_LAYOUT,
    find=find,
    variants=tuple(k.CURVES),
    links={"r0-*": "bottleneck", "s*-r0": "source", "*": "destination"},
)
