"""The tables of the study's report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.suherman import published
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.claims import LABELS, fall
from ackclock.studies.suherman.results import CUTS, QUANTITIES, Results
from ackclock.studies.suherman.setups import BY_KEY

_WRITE: Final = {"write_delay_ms": "delay from the write"}


def reductions(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the published reductions and of ours, under both interpretations of k."""
    delay, jitter = published.DELAY_REDUCTION, published.JITTER_REDUCTION
    rows = (
        {
            "": name,
            "k means": label.words,
            "published": f"{st.signed(jitter if name == 'jitter' else delay)} %",
            **{BY_KEY[column].label: st.percent(fall(s, what, column, label)) for column in s.columns},
        }
        for what, name in {"delay_ms": "delay", **_WRITE, "jitter_ms": "jitter"}.items()
        for label in LABELS
    )
    (table,) = k.TEXT.table("reductions", rows)
    if not s.found:
        return (table,)
    segment_b = BY_KEY[s.found[-1]].segment_b
    return (replace(table, notes=(*table.notes, k.TEXT("found_note", found_segment_b=segment_b))),)


_LOAD: Final = {
    "from the write, ms": ("write_delay_ms", 0),
    "loss, %": ("loss_percent", 2),
    "under way, %": ("under_way_percent", 2),
    "silent flows, %": ("silent_percent", 1),
    "delivered, %": ("delivered_percent", 1),
    "fast retransmits": ("cuts", 1),
    "timeouts": ("timeouts_each", 1),
}
"""Columns and numbers of decimals of the measures that are averaged over all k, by heading."""


def effect(s: Results, setup: str) -> tuple[st.Table, ...]:
    """Return the table of the effect of k in one network by number of nodes, with measures of the load."""
    ks = s.ks(setup)
    low, middle, high = ks[0], ks[len(ks) // 2], ks[-1]
    rows = (
        {
            "nodes": str(n),
            **_delays(s, setup, n, (low, middle, high)),
            **_effects(s, setup, n, QUANTITIES, low, high),
            **{head: st.cell(s.over_k(what, setup, n), digits) for head, (what, digits) in _LOAD.items()},
        }
        for n in s.nodes(setup)
    )
    return k.TEXT.table("effect", rows, key=f"effect-{setup}", label=BY_KEY[setup].label)


def _delays(s: Results, setup: str, n: int, ks: Sequence[float] = (0.1, 0.9)) -> dict[str, st.Cell]:
    """Return cells with the delay at each of `ks`, by heading."""
    return {f"delay, ms, k = {factor:g}": st.cell(s.values("delay_ms", setup, n, factor), 1) for factor in ks}


def _effects(
    s: Results, setup: str, n: int, quantities: Mapping[str, str], low: float = 0.1, high: float = 0.9
) -> dict[str, st.Cell]:
    """Return cells with the difference low k - high k of each quantity, by heading."""
    return {
        f"{name}: k = {low:g} over {high:g}": st.percent(s.effect(quantity, setup, n, low, high))
        for quantity, name in quantities.items()
    }


def beside(s: Results) -> tuple[st.Table, ...]:
    """Return the table of results in networks at 11 Mb/s that change a setting left open by the paper."""
    rows = (
        {
            "network": BY_KEY[setup].label,
            "nodes": str(n),
            **_delays(s, setup, n),
            **_effects(s, setup, n, QUANTITIES),
            "loss, %, k = 0.9": st.cell(s.mean("loss_percent", setup, n, 0.9), 2),
            "silent flows, %, k = 0.9": st.cell(s.mean("silent_percent", setup, n, 0.9), 1),
        }
        for setup, n in s.sizes()
        if setup not in s.columns and not BY_KEY[setup].video
    )
    return k.TEXT.table("beside", rows)


_QUALITY: Final = {
    "delivered, %": ("delivered_percent", 1),
    "decodable frames, %": ("decodable_percent", 1),
    "PSNR, dB": ("psnr_db", 1),
    "MOS": ("mos", 2),
}
"""Columns and numbers of decimals of the measures of a video's quality, by heading."""


def video(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the runs with videos: delays, and EvalVid's results."""

    def shown(setup: str, n: int, what: str, digits: int) -> str:
        values = s.runs if what == "delivered_percent" else s.video
        return " / ".join(st.cell(values.mean(what, setup, n, factor), digits) for factor in (0.1, 0.9))

    rows = (
        {
            "network": BY_KEY[setup].label,
            "nodes": str(n),
            **_delays(s, setup, n),
            **_effects(s, setup, n, {**QUANTITIES, **_WRITE}),
            **{f"{name}: k = 0.1 / 0.9": shown(setup, n, *what) for name, what in _QUALITY.items()},
        }
        for setup, n in s.sizes()
        if BY_KEY[setup].video
    )
    return k.TEXT.table("video", rows)


def contradictions() -> st.Table:
    """Return the table of contradictions in the paper."""
    factor = published.response_time(0.9) / published.response_time(0.1)
    simulated = 1 / (1 - published.DELAY_REDUCTION / 100)
    least = published.FLOW_B * published.RTO_S
    asked = max(k.NODES) / published.RTO_S
    in_packets, in_bits = (
        math.log2(asked / (1e3 * k.RATE_KBPS / unit)) for unit in (8 * published.PACKET_B, 1)
    )
    return k.TEXT.listing(
        "contradictions",
        factor=factor,
        delay_reduction=published.DELAY_REDUCTION,
        simulated=simulated,
        least=least,
        loss_low=100 * published.loss(0.1),
        loss_high=100 * published.loss(0.9),
        nodes=max(k.NODES),
        rto_ms=1000.0 * published.RTO_S,
        in_packets=in_packets,
        in_bits=in_bits,
        diagonal_m=math.hypot(k.AREA_M, k.AREA_M),
        rates_mbps=max(k.RATES_MBPS),
    )


def counts(s: Results) -> tuple[str, ...]:
    """Return a sentence on the number of runs per point, in which networks with the same number are grouped."""
    runs = s.counts(s.setups).items()
    said = (f"{n} at {', '.join(BY_KEY[setup].label for setup in setups)}" for n, setups in runs)
    return (f"Runs of each point: {'; '.join(said)}.",) if runs else ()


def idle(s: Results) -> tuple[str, ...]:
    """Return a sentence on the number of runs in which k has no effect."""
    cuts = [sum(cut) for at in s.runs for cut in zip(*(s.runs.of(name, *at) for name in CUTS), strict=True)]
    return (k.TEXT("uncut", uncut=cuts.count(0), of=len(cuts)),) if cuts else ()


def signs(s: Results) -> tuple[st.Table, ...]:
    """Return the table that shows if a smaller k raises or lowers the delay, in our runs and in ns-2's."""

    def row(setup: str, n: int, theirs: float) -> dict[str, st.Cell]:
        ours = s.effect("delay_ms", setup, n)
        return {
            "where": f"{BY_KEY[setup].label}, {n} nodes",
            "ours": st.percent(ours),
            "ns-2": f"{st.signed(theirs)} %",
            "sign": "same" if ours.mean * theirs > 0 else "other",
        }

    found = ((setup, n, s.peer_effect(setup, n, "delay_ms")) for setup, n in s.sizes() if n >= 10)
    notes = ("ns-2's are differences of its means over 2 to 5 seeds.",)
    rows = (row(setup, n, theirs) for setup, n, theirs in found if theirs is not None)
    return st.table("signs", "Delay at k = 0.1 over 0.9", rows, notes)


def added(s: Results) -> tuple[st.Table, ...]:
    """Return the table of delay and jitter of added variants, together with those of NewReno with k = 0.5."""

    def row(setup: str, nodes: int, variant: str, values: Sequence[st.Interval]) -> dict[str, st.Cell]:
        cells = zip(QUANTITIES.values(), values, strict=True)
        return {
            "where": f"{BY_KEY[setup].label}, {nodes} nodes",
            "variant": variant,
            **{f"{name}, ms": st.cell(value, 2) for name, value in cells},
        }

    rows = []
    for setup, nodes, variant in s.without_k:
        # Networks that differ only in the reductions that k scales are the same for a variant without k.
        if BY_KEY[setup].every:
            continue
        own = [s.beside(what, setup, nodes, variant) for what in QUANTITIES]
        rows.append(row(setup, nodes, st.written(variant), own))
        if k.HALF in s.ks(setup):
            usual = [s.interval(what, setup, nodes, k.HALF) for what in QUANTITIES]
            rows.append(row(setup, nodes, f"NewReno, k = {k.HALF:g}", usual))
    return k.TEXT.table("added", rows)


def points(s: Results) -> list[dict[str, Any]]:
    """Return one row per network, number of nodes and k, and per variant that a user added."""

    def measured(quantity: str, ours: st.Interval) -> dict[str, Any]:
        return {quantity: st.known(ours.mean), **st.ends(f"{quantity}_{{}}", ours), f"{quantity}_n": ours.n}

    def row(setup: str, n: int, factor: float) -> dict[str, Any]:
        row: dict[str, Any] = {"setup": setup, "nodes": n, "k": factor}
        for quantity in (*QUANTITIES, *_WRITE):
            row |= measured(quantity, s.interval(quantity, setup, n, factor))
            row[f"{quantity}_ns2"] = st.curves.mean_of(s.peer(setup, n, factor, quantity))
        for share in ("loss_percent", "under_way_percent", "delivered_percent", "silent_percent"):
            row[share] = s.mean(share, setup, n, factor)
        return row

    def without_k(setup: str, n: int, variant: str) -> dict[str, Any]:
        row: dict[str, Any] = {"setup": setup, "nodes": n, "variant": variant}
        for quantity in QUANTITIES:
            row |= measured(quantity, s.beside(quantity, setup, n, variant))
        return row

    rows = [row(*at, factor) for at in s.sizes() for factor in s.ks(at[0])]
    return rows + [without_k(*at) for at in s.without_k]
