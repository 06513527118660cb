"""The study's tables, from the data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.maulana import found
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import (
    BANDWIDTHS,
    BUFFERS,
    BY_KEY,
    COLUMNS,
    FOUND,
    LARGE_B,
    LONGER,
    LTE,
    READINGS,
)
from ackclock.studies.maulana.claims import UNBIASED_WITHIN
from ackclock.studies.maulana.results import QUANTITIES, Results, ns3, ns3_key, ns3_starts

LEVEL_WITHIN: Final = 20.0
"""A reading of the set-up is near the published rates within this percentage of both."""

_MEASURES: Final = {
    "throughput, kb/s": ("throughput_kbps", 0),
    "delay, ms": ("delay_ms", 0),
    "loss, %": ("loss_percent", 2),
}
"""Column and digits of each measure, by its heading."""


def readings() -> tuple[st.Table, ...]:
    """Return the readings."""
    return k.TEXT.table("readings", ({"reading": r.label, "what it is": r.what} for r in READINGS))


def averages(s: Results, length: int) -> st.Table:
    """Return NewReno and Vegas in every case: ours, ns-2's, published."""
    rows = []
    for case in _queued(s, length):
        for variant in (*k.THROUGHPUT_KBPS, *s.variants[len(k.VARIANTS) :]):
            cells: list[str] = []
            for quantity, (what, _) in QUANTITIES.items():
                cells.append(st.with_interval(s.interval(what, case, length, variant)))
                cells.append(st.number(s.once(what, case, length, variant), 0))
                theirs = s.ns2(case, length, variant, quantity)
                cells.append(st.cell(theirs, 0))
            rows.append((BY_KEY[case].label, k.SHORT[variant], *cells))
    for variant, rate in k.THROUGHPUT_KBPS.items():
        paper = (rate, k.MEAN_DELAY_MS[variant], float(k.RECEIVED_PACKETS[variant]))
        rows.append(
            ("published", k.SHORT[variant], *(text for x in paper for text in (st.number(x, 0), "", "")))
        )
    heads = [
        f"{name}{which}"
        for name in ("throughput, kb/s", "delay, ms", "packets received")
        for which in ("", ": once", ": ns-2")
    ]
    return st.Table(
        key=f"averages-{length}s",
        title=f"Averages over {length} s",
        columns=("case", "variant", *heads),
        rows=tuple(rows),
        notes=(
            "Mean with 95 % interval over replications with jittered starts; “once”: flows start at 0.5 and 0.6 s, as "
            "in ns-2's runs.",
        ),
        text_columns=2,
    )


def beside(s: Results, length: int) -> tuple[st.Table, ...]:
    """Return every variant in every case: throughput, delay, loss."""
    rows = (
        {
            "case": BY_KEY[case].label,
            "": name,
            **{k.SHORT[v]: st.with_interval(s.interval(what, case, length, v), digits) for v in s.variants},
        }
        for case in _queued(s, length)
        for name, (what, digits) in _MEASURES.items()
    )
    title = f"CUBIC, Westwood+ and BBR beside the two, {length} s"
    return st.table(f"beside-{length}s", title, rows, notes=_REPLICATED, text_columns=2)


_REPLICATED: Final = ("Mean with 95 % interval over replications with jittered starts.",)


def _queued(s: Results, length: int) -> list[str]:
    """Return the cases run for this length whose queues count packets: all but LTE's, which have their own table."""
    return [case for case in s.cases() if BY_KEY[case].reading is not LTE and length in s.lengths(case)]


def short(s: Results) -> st.Table:
    """Return the two variants over the long runs, in 80 columns."""
    length = k.LENGTHS_S[-1]
    rows = []
    for case, label in COLUMNS.items():
        if case in s.cases():
            cells = [
                st.number(st.mean(s.values(what, case, length, variant)), 0)
                for what in ("throughput_kbps", "delay_ms")
                for variant in k.THROUGHPUT_KBPS
            ]
            rows.append((label, *cells))
    paper = [st.number(x, 0) for level in (k.THROUGHPUT_KBPS, k.MEAN_DELAY_MS) for x in level.values()]
    return st.Table(
        key="short",
        title=f"NewReno and Vegas over {length} s",
        columns=("case", "NewReno kb/s", "Vegas kb/s", "NewReno ms", "Vegas ms"),
        rows=(*rows, ("published", *paper)),
    )


def points(s: Results) -> list[dict[str, Any]]:
    """Return one row per case, length and variant, and per case, packet size and variant."""
    rows = []
    at = ((case, length) for case in s.cases() for length in s.lengths(case))
    for (case, length), variant in product(at, s.variants):
        row: dict[str, Any] = {"case": case, "length_s": length, "variant": variant}
        for quantity, (what, _) in QUANTITIES.items():
            ours = s.interval(what, case, length, variant)
            theirs = s.ns2(case, length, variant, quantity)
            row |= {
                quantity: ours.mean,
                **st.ends(f"{quantity}_{{}}", ours),
                f"{quantity}_once": s.once(what, case, length, variant),
                f"{quantity}_ns2": theirs.mean if theirs is not None else None,
            }
        loss = st.mean(s.values("loss_percent", case, length, variant))
        rows.append({**row, "n": ours.n, "loss_percent": loss})
    for size, case, variant in product(s.sizes(), s.rtts.labels(0), s.variants):
        rtt = st.interval(s.rtts_s(case, size, variant))
        rows.append(
            {
                "case": case,
                "length_s": BY_KEY[case].sizes_length_s,
                "variant": variant,
                "size_b": size,
                "rtt_ms": 1e3 * rtt.mean,
                "rtt_ms_low": st.known(1e3 * rtt.low),
                "rtt_ms_high": st.known(1e3 * rtt.high),
                "n": rtt.n,
            }
        )
    return rows


def bufferbloat(s: Results, length: int) -> tuple[st.Table, ...]:
    """Return the effect of the RLC buffer, by bandwidth."""
    rows = []
    for bandwidth in BANDWIDTHS:
        cases = {f"{LTE.key}-{bandwidth}-{buffer}": label for buffer, label in BUFFERS.items()}
        for variant in s.variants if set(cases) <= set(s.cases()) else ():
            cells = {
                f"{name}: {label}": st.with_interval(s.interval(what, case, length, variant), digits)
                for case, label in cases.items()
                for name, (what, digits) in _MEASURES.items()
            }
            rows.append({"bandwidth": bandwidth.replace("MHz", " MHz"), "variant": k.SHORT[variant], **cells})
    title = f"LTE: what the RLC buffer does, {length} s"
    notes = (f"{_REPLICATED[0]} Both flows together.",)
    return st.table(f"bufferbloat-{length}s", title, rows, notes, text_columns=2)


def beside_ns3(s: Results, compared: Sequence[st.Comparison]) -> tuple[st.Table, ...]:
    """Return every run that is compared with ns-3's."""
    found = {(c.experiment, c.x, c.variant): c for c in compared}
    rows = tuple(_beside_ns3(s, at, found) for at in s.ns3 if not s.ns3.altered(*at))
    if not rows:
        return ()
    return (
        st.Table(
            key="ns3",
            title="LTE beside ns-3: two UEs, 15 s",
            columns=(
                "where",
                "variant",
                "throughput, kb/s",
                "ns-3",
                "ns-3, other starts",
                "difference",
                "delay, ms",
                "ns-3",
                "difference",
                "loss, %: ours / ns-3",
                "least RTT, ms: ours / ns-3",
            ),
            rows=rows,
            notes=(
                f"Within {100 * k.AGREE_RADIO:g} % a value counts as agreeing. Ours: median and range of "
                f"{len(k.NS3_TRIES)} runs, with starts jittered by up to {k.JITTER_S:g} s and, of 1 MB, up to "
                f"{k.NS3_TRIES[-1]} packets more or less. Loss and least RTT are those of the run with ns-3's starts. "
                "Endpoints and grants are as in ns-3: a loss leaves half of what SACK shows to be in the "
                "network, Vegas judges by the smoothed round-trip time, uplink grants are whole shares.",
                "With 1 MB, ns-3's Vegas depends on the phases of its flows: “other starts” has its range where the "
                "second flow starts 3.4 to 100 ms after the first.",
            ),
            text_columns=2,
        ),
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
    exact = s.ns3.of("attempt", *at).index(0)
    loss, rtt = s.ns3.of("loss", *at)[exact], s.ns3.of("rtt_min_s", *at)[exact]
    theirs = ns3()[at]
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
    """Return the fall of throughput before files are sent."""

    def row(case: str, label: str, variant: str) -> dict[str, str]:
        complete = s.of_files("complete", case, variant)
        sent, fall = (st.interval(s.of_files(what, case, variant)) for what in ("sent_s", "fall_percent"))
        return {
            "case": label,
            "variant": k.SHORT[variant],
            "all is sent after, s": st.with_interval(sent, 1),
            "fall in the last tenth, %": st.with_interval(fall, 1),
            "runs that end": f"{sum(complete)} of {len(complete)}",
        }

    return k.TEXT.table(
        "files",
        (row(*at, v) for at, v in product(COLUMNS.items(), k.PUBLISHED) if list(s.files)),
        file_b=k.FILE_B / 1000000.0,
    )


def longer(s: Results) -> tuple[st.Table, ...]:
    """Return the cost of a longer round trip."""
    rows = (
        {
            "case": BY_KEY[case].label,
            "variant": k.SHORT[v],
            "throughput, difference from the other flow, %": st.with_interval(
                st.interval(s.bias(case, v)), 1
            ),
        }
        for case, v in product(dict.fromkeys(LONGER.values()), k.PUBLISHED)
        if list(s.longer)
    )
    title = f"The flow over a last link of {k.LONGER_MS} ms beside one of {k.DELAY_MS} ms"
    return st.table("longer", title, rows, notes=_REPLICATED, text_columns=2)


def findings(s: Results) -> tuple[str, ...]:
    """Return the findings from the averages over the long runs."""
    length = k.LENGTHS_S[-1]
    cases = [case for case in s.cases() if case != FOUND]
    if not cases:
        return ()

    def rate(case: str, variant: str) -> float:
        return st.mean(s.values("throughput_kbps", case, length, variant))

    def off(case: str) -> float:
        return max(abs(rate(case, v) / level - 1) for v, level in k.THROUGHPUT_KBPS.items())

    near = [case for case in cases if off(case) <= LEVEL_WITHIN / 100]
    readings = list(dict.fromkeys(BY_KEY[case].reading.label for case in near))
    lead = (
        f"No reading of the set-up comes within {LEVEL_WITHIN:g} % of the published rates"
        if not readings
        else f"Only the reading as {' and '.join(readings)} comes within {LEVEL_WITHIN:g} % of the published rates"
    )
    said = [100 * (rate(case, "newreno") / rate(case, "vegas") - 1) for case in cases]
    nearest = min(cases, key=off)
    paper = k.MEAN_DELAY_MS.values()
    slowest = max(st.mean(s.values("delay_ms", case, length, v)) for case in cases for v in k.MEAN_DELAY_MS)
    return (
        f"{lead}. Of {len(cases)} cases (readings with their windows and queues) the nearest is "
        f"“{BY_KEY[nearest].label}”: {rate(nearest, 'newreno'):.0f} and {rate(nearest, 'vegas'):.0f} kb/s, published "
        f"{k.THROUGHPUT_KBPS['newreno']:.0f} and {k.THROUGHPUT_KBPS['vegas']:.0f}.",
        f"Over {length} s NewReno has more throughput than Vegas in {sum(x > 0 for x in said)} of {len(said)} cases "
        f"({st.signed(min(said), 1)} to {st.signed(max(said), 1)} %; published {st.signed(_published(), 1)} %).",
        *_biased(s),
        f"The longest mean delay of all cases is {slowest:,.0f} ms, published {min(paper):,.0f} and {max(paper):,.0f}.",
        *found.sentences(s),
    )


def _biased(s: Results) -> tuple[str, ...]:
    """Return the cost of a longer round trip to each variant, in a sentence."""
    if not list(s.longer):
        return ()
    cases = dict.fromkeys(LONGER.values())
    costs = {v: [-s.bias(case, v).mean for case in cases] for v in k.PUBLISHED}
    said = " and ".join(f"{min(x):.0f} to {max(x):.0f} % with {k.SHORT[v]}" for v, x in costs.items())
    newreno, vegas = (costs[v] for v in k.PUBLISHED)
    less = all(mine < other for mine, other in zip(vegas, newreno, strict=True))
    biased = max(vegas) > UNBIASED_WITHIN
    held = f"Vegas is {'biased, too' if biased else 'not biased'}{', and less' if biased and less else ''}"
    return (f"If two flows share a link, a longer round trip costs {said}: {held}.",)


def _published() -> float:
    rates = k.THROUGHPUT_KBPS
    return 100 * (rates["newreno"] / rates["vegas"] - 1)
