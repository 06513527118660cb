"""The interpretation of the paper found after the results, its arithmetic, and contradictions in the paper."""

from __future__ import annotations

from typing import Final

import ackclock.study as st
from ackclock.studies.heriyanto import published
from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import NETWORKS, READ
from ackclock.studies.heriyanto.results import MEASURES, PAYLOAD, Results

_SEARCHED: Final = 25
"""Approximate number of combinations of settings that were compared with the published numbers."""

_SHOWN: Final = {"throughput": PAYLOAD, "loss": "loss", "delay": "delay", "jitter": "jitter"}
"""Measures with a published number in scenario 1, each with our measure that is compared with the number."""


def arithmetic() -> tuple[st.Table, ...]:
    """Return the table of the calculations that give the published digits."""
    best = {measure: value for (one, measure), (*_, value) in published.BEST.items() if one == "s1"}
    lost, of = published.lost()
    wire_ms = 8e-3 * published.WIRE_B / k.FOUND.wired_mbps
    rows = (
        *(
            {
                "published": f"{value:.6g} Mb/s ({whose})",
                "arithmetic": f"x {published.LENGTH_S:g} s / 8 / {published.SEGMENT_B} B = "
                f"{st.number(published.segments(value), 2)}",
                "read as": f"{st.number(published.segments(value), 0)} segments of {published.SEGMENT_B} B, ns-3's "
                "default",
            }
            for value, whose in (
                (best["throughput"], "Westwood+, 40 nodes"),
                (published.NEWRENO_AT_FIVE_MBPS, "NewReno, 5 nodes"),
            )
        ),
        {
            "published": f"{best['loss']:.7g} % lost",
            "arithmetic": f"{lost} / {st.number(of, 0)} = {100 * lost / of:.7f} %",
            "read as": f"{st.number(of - lost - published.HANDSHAKE, 0)} segments, SYN and ACK arrived, and "
            f"{lost} were lost",
        },
        {
            "published": f"{best['jitter']:.7g} ms of jitter",
            "arithmetic": f"{published.WIRE_B} B at {k.FOUND.wired_mbps} Mb/s take {wire_ms:.3f} ms",
            "read as": f"a link of {k.FOUND.wired_mbps} Mb/s: of two segments together, one waits for the other",
        },
        {
            "published": f"{best['delay']:.6g} ms of delay",
            "arithmetic": f"/ {wire_ms:.3f} ms = {best['delay'] / wire_ms:.1f}",
            "read as": "a queue of so many packets on average",
        },
    )
    return k.TEXT.table(
        "arithmetic",
        rows,
        segment_b=published.SEGMENT_B,
        wire_b=published.WIRE_B,
        wired_ms=k.FOUND.wired_ms,
        wired_mbps=k.FOUND.wired_mbps,
    )


def reading(s: Results) -> tuple[st.Table | st.Text, ...]:
    """Return tables and text of our values under the later interpretation, with published and ns-3's values."""
    if not s.sizes(READ):
        return ()

    def row(measure: str, variant: str, nodes: int) -> dict[str, str]:
        whose, _, value = published.BEST["s1", measure]
        shown = _SHOWN[measure]
        digits = 5 if measure == "throughput" else MEASURES[measure].digits
        theirs = s.ns3(READ, nodes, variant, 0, shown)
        return {
            "what": f"{shown}, {MEASURES[measure].unit}",
            "variant": k.LABELS[variant],
            "published": f"{value:.7g}" if whose == variant else "-",
            "ns-3": st.cell(theirs, digits),
            "ours": s.cell(shown, READ, nodes, variant),
        }

    nodes = s.sizes(READ)[0]
    return (
        k.TEXT.paragraphs("reading", column=NETWORKS["read"], searched=_SEARCHED),
        *arithmetic(),
        *k.TEXT.table(
            "reading",
            (row(measure, variant, nodes) for measure in _SHOWN for variant in k.VARIANTS),
            nodes=nodes,
        ),
    )


def contradictions(s: Results) -> st.Table:
    """Return the table of contradictions within the paper."""
    alone, beside = (published.BEST[one, "throughput"][2] for one in ("s1", "s2"))
    jitter = published.BEST["s1", "jitter"][2]
    ours = s.cell("jitter", "s1-near", s.best_size("s1-near"), "newreno") if s.sizes("s1-near") else "-"
    return k.TEXT.listing(
        "contradictions",
        beside=beside,
        alone=alone,
        more=100 * (beside / alone - 1),
        most_mbps=k.READ_MBPS * published.SEGMENT_B / published.WIRE_B,
        jitter=jitter,
        ours=ours,
        packet_ms=0.008 * published.WIRE_B / k.WIRED_MBPS,
        segment_b=published.SEGMENT_B,
    )
