"""Declaration of the study, and its conclusions from the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import ackclock.study as st
from ackclock.studies.huang import experiments, tables
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.claims import CLAIMS
from ackclock.studies.huang.figures import figures
from ackclock.studies.huang.results import NARROW, NS2, OPEN, Results

_NS2_NOTE: Final = k.TEXT("ns2_note", agree_within=100 * k.AGREE_WITHIN, agree_jain=100 * k.AGREE_JAIN)


def find(data: st.StudyData) -> st.Findings:
    """Return all conclusions from the data: verdicts, comparisons, tables and figures."""
    s = Results(data)
    compared = s.comparisons()
    at_ten_percent = any(s.has(e, k.FIGURE_ERROR) for e in ("open_d1", "narrow_d1"))
    gateways = (*tables.gateway(s), *tables.placement(s), *tables.crash(s))
    return st.Findings(
        columns=tuple(reading.column for reading in k.READINGS),
        claims=st.judged(CLAIMS, s, k.READINGS, s.figures),
        compared={"ns-2": compared},
        findings=_findings(s),
        sections=st.sections(
            {
                "At 10 % error": (*tables.at_ten_percent(s), *tables.why(s), *tables.what_limits(s))
                if at_ten_percent
                else (),
                "Told apart?": tables.guesses(s),
                "The gateway: benefit and price": gateways,
                "Friendliness to Reno": tables.friendliness(s),
                "Fairness of ten flows": tables.jain(s),
                "Figures": figures(s),
            }
        ),
        beside=NS2.beside(compared, _NS2_NOTE) + tables.westwoods(s),
        summary=(
            *(tables.at_ten_percent(s, brief=True) if at_ten_percent else ()),
            *tables.jain(s),
            *NS2.agreement(compared, brief=True),
        ),
        points=tables.points(s, compared),
    )


def _findings(s: Results) -> tuple[str, ...]:
    out = []
    own = k.TEXTBOOK
    if all(s.has(e, k.FIGURE_ERROR) for e in (*OPEN, *NARROW)):
        led, *others = (
            (reading.column, *(tables.ratio(s, e, reading.tcpwi) for e in ("open_d1", "narrow_r1")))
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
        rates = {"link": k.LINK_MBPS, "lost": 100 * x, "most": (1 - x) * k.LINK_MBPS}
        out.append(st.AsPublished(k.TEXT("gateway", before=before, wire=wire, **rates)))
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
    """Return a sentence on Jain's index of the paper's variants: published, with common and with jittered starts."""

    def listed(curves: Sequence[str], *, together: bool) -> str:
        return ", ".join(f"{st.mean(s.jain('fairness', c, together=together)):.3f}" for c in curves)

    first, own = ((r.tcpw, r.tcpwi, r.reno) for r in (k.READINGS[0], k.TEXTBOOK))
    paper = ", ".join(f"{index:.3f}" for index in k.JAIN.values())
    return (
        f"Ten flows that start together, as in the paper, have a Jain's index of {listed(own, together=True)} with "
        f"TCPW, TCPW-I and Reno (published {paper}; in TCP-Linux {listed(first, together=True)}). If each starts up to "
        f"{k.JITTER_S:g} s later, it is {listed(own, together=False)}."
    )


STUDY: Final = k.TEXT.study(experiments, find, k.SETTINGS, k.CURVES)
