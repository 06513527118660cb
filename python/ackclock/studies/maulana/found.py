"""Calculations with the published numbers, and the interpretation derived from them after the results were known."""

from __future__ import annotations

from typing import Final

import ackclock.study as st
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import FOUND
from ackclock.studies.maulana.results import Results, ns2_found

SYNS: Final = 2
"""Number of NewReno's packets that have no payload: the SYN of each flow."""

TRACED_B: Final = {
    "newreno": (k.RECEIVED_PACKETS["newreno"] - SYNS) * (k.SEGMENT_B + k.HEADER_B) + SYNS * k.HEADER_B,
    "vegas": k.RECEIVED_PACKETS["vegas"] * k.SEGMENT_B,
}
"""Bytes of the published numbers of packets, by variant, with the packet sizes in ns-2's trace."""

SECONDS: Final = {variant: 8e-3 * TRACED_B[variant] / rate for variant, rate in k.THROUGHPUT_KBPS.items()}
"""Time that `TRACED_B` takes at the published rates, s, by variant."""

IN_FLIGHT: Final = {
    variant: k.RECEIVED_PACKETS[variant] / SECONDS[variant] * delay / 1e3
    for variant, delay in k.MEAN_DELAY_MS.items()
}
"""Mean number of packets in flight at the published rates and delays (Little's law), by variant."""

WINDOWS: Final = 2 * k.SIZES[0][0]
"""Greatest number of packets in flight with two of ns-2's default windows."""


def _both(values: dict[str, float], digits: int = 0) -> str:
    return " and ".join(f"{value:.{digits}f}" for value in values.values())


def contradictions() -> st.Table:
    """Return the table of contradictions in the published numbers."""
    rates = list(k.THROUGHPUT_KBPS.values())
    apart = 100 * (rates[0] / rates[1] - 1)
    return k.TEXT.listing(
        "contradictions",
        seconds=_both(SECONDS, 2),
        wire_b=k.SEGMENT_B + k.HEADER_B,
        syns=SYNS,
        in_flight=_both(IN_FLIGHT),
        windows=WINDOWS,
        apart=apart,
    )


_DETOURS: Final = {
    "ours": None,
    "ours, both flows by the direct route": False,
    "ours, a flow through the other UE": True,
}
"""Rows of the table with the runs of each: those with a flow through the other UE (True), those without (False), or
all."""


def found(s: Results) -> tuple[st.Table, ...]:
    """Return the table that compares the interpretation found after the results with the published numbers."""
    if FOUND not in s.cases():
        return ()
    rows: list[tuple[st.Cell, ...]] = []
    for v in k.PUBLISHED:
        levels = (st.number(x, 0) for x in (k.RECEIVED_PACKETS[v], k.THROUGHPUT_KBPS[v]))
        below, delay = f"< {1e3 * k.RTT_BELOW_S[v]:.0f}", st.number(k.MEAN_DELAY_MS[v], 0)
        rows.append(("published", k.SHORT[v], "-", *levels, "-", below, delay))
    for v in k.PUBLISHED:
        if one := s.runs.theirs(ns2_found(), (FOUND, k.FOUND_LENGTH_S, v)):
            cells = (st.number(one[name], 0) for name in ("received_packets", "traced_kbps", "delay_ms"))
            rows.append(("ns-2.35", k.SHORT[v], "1", *cells, "-", st.number(one["number_delay_ms"], 0)))
    rows += [(name, k.SHORT[v], *_cells(s, v, of)) for name, of in _DETOURS.items() for v in k.PUBLISHED]
    return k.TEXT.table("found", rows)


def _cells(s: Results, variant: str, detour: bool | None) -> tuple[st.Cell, ...]:
    """Return a variant's cells over its runs: all runs, or only those with or without a flow through the other UE."""
    chosen = [detour is None or each is detour for each in s.detours(variant)]
    names = ("received", "traced_kbps", "delay_ms", "rtt_ms")
    every = [s.values(name, FOUND, k.FOUND_LENGTH_S, variant) for name in names]
    every.append(s.numbered.of("number_delay_ms", variant, True))
    shown = [[x for x, of in zip(values, chosen, strict=True) if of] or None for values in every]
    return (str(sum(chosen)), *shown)


def sentences(s: Results) -> tuple[str, ...]:
    """Return sentences on calculations with the published numbers, and on the interpretation found afterwards."""
    arithmetic = (
        f"ns-2 has no LTE. The published rates and numbers of packets give one length, {_both(SECONDS, 2)} s, if "
        f"NewReno's packets have {k.SEGMENT_B + k.HEADER_B} B and Vegas's {k.SEGMENT_B} B, as ns-2 traces them. That "
        "is from about 5.25 to 60 s, and not the 6 s of Table 1.",
        f"The published mean delays of 4.8 s cannot be those of packets. By Little's law {_both(IN_FLIGHT)} packets "
        f"would be in flight, and two windows of 20 allow {WINDOWS}. The published round-trip times are below 0.6 and "
        "0.2 s.",
    )
    if FOUND not in s.cases():
        return arithmetic

    def means(what: str) -> str:
        return _both({v: s.mean(what, FOUND, k.FOUND_LENGTH_S, v) for v in k.PUBLISHED})

    by_number = {v: s.numbered.mean("number_delay_ms", v, True) / 1e3 for v in k.PUBLISHED}
    return (
        *arithmetic,
        "One reading was found after the results, so that it explains and confirms nothing: three hops of 802.11b from "
        f"5.25 to 60 s. NewReno and Vegas have {means('received')} packets there, {means('traced_kbps')} kb/s as "
        f"traced and round-trip times of {means('rtt_ms')} ms. Keyed by sequence number alone, over both flows mixed, "
        f"delays become seconds: {_both(by_number, 1)}.",
        *_route(s),
    )


def _route(s: Results) -> tuple[str, ...]:
    """Return sentences on those results of the later interpretation that depend on a route."""
    direct: dict[str, float] = {}
    through: dict[str, float] = {}
    for v in k.PUBLISHED:
        runs = list(zip(s.values("received", FOUND, k.FOUND_LENGTH_S, v), s.detours(v), strict=True))
        for means, detour in ((direct, False), (through, True)):
            if counts := [count for count, of in runs if of is detour]:
                means[v] = st.mean(counts)
    if len(direct) < len(k.PUBLISHED):
        return ()
    often = " and ".join(
        f"{sum(s.detours(v))} of {len(s.detours(v))} runs of {k.SHORT[v]}" for v in k.PUBLISHED
    )
    less = " and ".join(f"{count:.0f} ({k.SHORT[v]})" for v, count in through.items())
    return (
        "There NewReno's lead depends on a route. With both flows on the direct route NewReno and Vegas have "
        f"{_both(direct)} packets. AODV sends a flow through the other UE in {often}."
        f"{f' With that detour they have {less} packets.' if less else ''}",
    )
