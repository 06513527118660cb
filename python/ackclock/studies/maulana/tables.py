"""The tables of the study's report."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import (
    BANDWIDTHS,
    BUFFERS,
    BY_KEY,
    COLUMNS,
    LARGE_B,
    LONGER,
    LTE,
    READINGS,
)
from ackclock.studies.maulana.results import QUANTITIES, Results, ns2, ns3, ns3_key, ns3_starts

_MEASURES: Final = {
    "throughput, kb/s": ("throughput_kbps", 0),
    "delay, ms": ("delay_ms", 0),
    "loss, %": ("loss_percent", 2),
}
"""Column and number of decimals of each measure, by heading."""


def readings() -> tuple[st.Table, ...]:
    """Return the table of the interpretations with their descriptions."""
    return k.TEXT.table("readings", ({"reading": r.label, "what it is": r.what} for r in READINGS))


def averages(s: Results, length: int) -> tuple[st.Table, ...]:
    """Return the table of NewReno, Vegas and added variants in the cases of `_queued`: ours, ns-2's, and published."""
    heads = dict(zip(QUANTITIES, ("throughput, kb/s", "delay, ms", "packets received"), strict=True))

    def row(case: str, variant: str) -> dict[str, st.Cell]:
        cells: dict[str, st.Cell] = {"case": BY_KEY[case].label, "variant": k.SHORT[variant]}
        for quantity, head in heads.items():
            at = (QUANTITIES[quantity][0], case, length, variant)
            theirs = s.runs.theirs(ns2(), at[1:], quantity)
            cells |= {head: s.values(*at), f"{head}: once": st.cell(s.once(*at), 0)}
            cells[f"{head}: ns-2"] = st.cell(theirs, 0)
        return cells

    def published(variant: str) -> dict[str, st.Cell]:
        stated = (k.THROUGHPUT_KBPS, k.MEAN_DELAY_MS, k.RECEIVED_PACKETS)
        cells: dict[str, st.Cell] = {"case": "published", "variant": k.SHORT[variant]}
        for head, of in zip(heads.values(), stated, strict=True):
            cells |= {head: st.cell(float(of[variant]), 0), f"{head}: once": "", f"{head}: ns-2": ""}
        return cells

    ours = (row(case, v) for case in _queued(s, length) for v in (*k.PUBLISHED, *s.added))
    return k.TEXT.table(
        "averages", (*ours, *map(published, k.PUBLISHED)), key=f"averages-{length}s", length=length
    )


def beside(s: Results, length: int) -> tuple[st.Table, ...]:
    """Return the table of throughput, delay and loss of all variants in the cases of `_queued`."""
    rows = (
        {
            "case": BY_KEY[case].label,
            "": name,
            **{k.SHORT[v]: st.cell(s.values(what, case, length, v), digits) for v in s.variants},
        }
        for case in _queued(s, length)
        for name, (what, digits) in _MEASURES.items()
    )
    return k.TEXT.table("beside", rows, key=f"beside-{length}s", length=length)


def _queued(s: Results, length: int) -> list[str]:
    """Return the cases run for `length` seconds, except those of LTE, which have their own table."""
    return [case for case in s.cases() if BY_KEY[case].reading is not LTE and length in s.lengths(case)]


def short(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the two variants over the long runs, at most 80 columns wide."""
    measured = (("kb/s", "throughput_kbps", k.THROUGHPUT_KBPS), ("ms", "delay_ms", k.MEAN_DELAY_MS))
    at = [
        (f"{k.SHORT[v]} {unit}", what, v, stated[v]) for unit, what, stated in measured for v in k.PUBLISHED
    ]
    rows: list[dict[str, st.Cell]] = [
        {
            "case": label,
            **{head: st.cell(s.mean(what, case, k.LENGTHS_S[-1], v), 0) for head, what, v, _ in at},
        }
        for case, label in COLUMNS.items()
        if case in s.cases()
    ]
    published = {"case": "published", **{head: st.cell(stated, 0) for head, *_, stated in at}}
    title = f"NewReno and Vegas over {k.LENGTHS_S[-1]} s"
    return st.table("short", title, (*rows, published) if s.cases() else ())


def points(s: Results) -> list[dict[str, Any]]:
    """Return one row per case, length and variant, and one per case, packet size and variant."""

    def of_flows(case: str, length: int, variant: str) -> dict[str, Any]:
        row: dict[str, Any] = {"case": case, "length_s": length, "variant": variant}
        for quantity, (what, _) in QUANTITIES.items():
            ours = st.interval(s.values(what, case, length, variant))
            theirs = s.runs.theirs(ns2(), (case, length, variant), quantity)
            row |= {
                quantity: ours.mean,
                **st.ends(f"{quantity}_{{}}", ours),
                f"{quantity}_once": s.once(what, case, length, variant),
                f"{quantity}_ns2": st.curves.mean_of(theirs),
            }
        return {**row, "n": ours.n, "loss_percent": s.mean("loss_percent", case, length, variant)}

    def of_sizes(size: int, case: str, variant: str) -> dict[str, Any]:
        rtt = st.interval(s.rtts.of("rtt_mean_s", case, size, variant, True))
        return {
            "case": case,
            "length_s": BY_KEY[case].sizes_length_s,
            "variant": variant,
            "size_b": size,
            "rtt_ms": 1e3 * rtt.mean,
            "rtt_ms_low": st.known(1e3 * rtt.low),
            "rtt_ms_high": st.known(1e3 * rtt.high),
            "n": rtt.n,
        }

    flows = [(case, length, v) for case in s.cases() for length in s.lengths(case) for v in s.variants]
    sized = product(s.sizes(), s.rtts.labels(0), s.variants)
    return [*(of_flows(*at) for at in flows), *(of_sizes(*at) for at in sized)]


def bufferbloat(s: Results, length: int) -> tuple[st.Table, ...]:
    """Return the table of the effect of the RLC buffer's size, by bandwidth."""

    def row(bandwidth: str, cases: dict[str, str], variant: str) -> dict[str, st.Cell]:
        cells = {
            f"{name}: {label}": st.cell(s.values(what, case, length, variant), digits)
            for case, label in cases.items()
            for name, (what, digits) in _MEASURES.items()
        }
        return {"bandwidth": bandwidth.replace("MHz", " MHz"), "variant": k.SHORT[variant], **cells}

    of = {b: {f"{LTE.key}-{b}-{buffer}": label for buffer, label in BUFFERS.items()} for b in BANDWIDTHS}
    there = {b: cases for b, cases in of.items() if set(cases) <= set(s.cases())}
    rows = (row(*at, variant) for at in there.items() for variant in s.variants)
    return k.TEXT.table("bufferbloat", rows, key=f"bufferbloat-{length}s", length=length)


def beside_ns3(s: Results, compared: Sequence[st.Comparison]) -> tuple[st.Table, ...]:
    """Return the table of all runs that are compared with ns-3's."""
    found = st.by_point(compared)
    return k.TEXT.table(
        "ns3",
        (_beside_ns3(s, at, found) for at in s.ns3 if not s.ns3.altered(*at)),
        agree_radio=100 * k.AGREE_RADIO,
        tries=len(k.NS3_TRIES),
        most=k.NS3_TRIES[-1],
    )


def _beside_ns3(
    s: Results, at: tuple[Any, ...], found: dict[tuple[str, float, str], st.Comparison]
) -> tuple[str, ...]:
    blocks, buffer_b, enbs, variant = at

    def cells(quantity: str, digits: int) -> tuple[str, str, str]:
        one = found[ns3_key(buffer_b, enbs, quantity), float(blocks), variant]
        ours = f"{st.number(one.ours.mean, digits)} {_range(s.like_ns3(quantity, *at), digits)}"
        return ours, st.number(one.theirs.mean, digits), f"{st.signed(100 * one.difference, 1)} %"

    others = ns3_starts().get((blocks, enbs)) if variant == "vegas" and buffer_b > LARGE_B else None
    rate, their_rate, gap = cells("goodput_kbps", 0)
    exact, theirs = s.ns3.of("attempt", *at).index(0), ns3()[at]
    loss, rtt = s.ns3.of("loss", *at)[exact], s.ns3.of("rtt_min_s", *at)[exact]
    return (
        f"{blocks} blocks, RLC {BUFFERS[f'{buffer_b}B']}, {enbs} eNodeB",
        k.SHORT[variant],
        rate,
        their_rate,
        _range(others, 0) if others else "-",
        gap,
        *cells("delay_ms", 1),
        f"{st.number(100 * loss, 1)} / {st.number(theirs['loss_pct'], 1)}",
        f"{st.number(1e3 * rtt, 1)} / {st.number(theirs['rtt_min_ms'], 1)}",
    )


def _range(values: Sequence[float], digits: int) -> str:
    return f"[{st.number(min(values), digits)}, {st.number(max(values), digits)}]"


def files(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the fall of throughput in the last tenth of each file transfer."""

    def row(case: str, label: str, variant: str) -> dict[str, st.Cell]:
        complete = s.of_files("complete", case, variant)
        return {
            "case": label,
            "variant": k.SHORT[variant],
            "all is sent after, s": st.cell(s.of_files("sent_s", case, variant), 1),
            "fall in the last tenth, %": st.cell(s.of_files("fall_percent", case, variant), 1),
            "runs that end": f"{sum(complete)} of {len(complete)}",
        }

    at = product(COLUMNS.items(), k.PUBLISHED) if list(s.files) else ()
    return k.TEXT.table("files", (row(*column, v) for column, v in at), file_b=k.FILE_B / 1000000.0)


def longer(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the throughput that the variants lose by a longer round trip."""
    at = product(dict.fromkeys(LONGER.values()), k.PUBLISHED) if list(s.longer) else ()
    rows = (
        {
            "case": BY_KEY[case].label,
            "variant": k.SHORT[v],
            "throughput, difference from the other flow, %": st.cell(s.bias(case, v), 1),
        }
        for case, v in at
    )
    return k.TEXT.table("longer", rows)
