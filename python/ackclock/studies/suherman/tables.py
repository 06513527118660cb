"""The study's tables, from the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.suherman import published
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.claims import LABELS, fall
from ackclock.studies.suherman.results import CUTS, QUANTITIES, Results
from ackclock.studies.suherman.setups import BY_KEY


def reductions(s: Results) -> tuple[st.Table, ...]:
    """Return the published reductions beside ours, under both labels of k."""
    compared = (
        ("delay", "delay_ms", published.DELAY_REDUCTION),
        ("delay from the write", "write_delay_ms", published.DELAY_REDUCTION),
        ("jitter", "jitter_ms", published.JITTER_REDUCTION),
    )
    rows = (
        {
            "": name,
            "k means": label.words,
            "published": f"{st.signed(paper)} %",
            **{
                BY_KEY[column].label: st.percent(st.interval(fall(s, what, column, label)))
                for column in s.columns
            },
        }
        for name, what, paper in compared
        for label in LABELS
    )
    return st.table(
        "reductions",
        "Reduction from k = 0.9 to 0.1, averaged over the numbers of nodes",
        rows,
        notes=(
            "Percent of the mean at k = 0.9, paired by seed, with 95 % intervals; positive: smaller at k = 0.1. The "
            "delay is a packet's, from its first transmission. The delay from the write is what a viewer waits for: it "
            "adds the time that data wait in the sender until the window lets them go.",
            *_found_note(s),
        ),
        text_columns=2,
    )


def _found_note(s: Results) -> tuple[str, ...]:
    """Return an explanation of the columns that were found afterwards."""
    if not s.found:
        return ()
    setup = BY_KEY[s.found[-1]]
    return (
        f"Found afterwards: among about {k.TRIED} settings tried after the published numbers were known. They have "
        "every "
        f"cut scaled, segments of {setup.segment_b} + {k.HEADER_B} B, and seeds that were not used in the search. They "
        "explain the numbers and confirm nothing.",
    )


_LOAD: Final = {
    "from the write, ms": ("write_delay_ms", 0),
    "loss, %": ("loss_percent", 2),
    "under way, %": ("under_way_percent", 2),
    "silent flows, %": ("silent_percent", 1),
    "delivered, %": ("delivered_percent", 1),
    "fast retransmits": ("cuts", 1),
    "timeouts": ("timeouts_each", 1),
}
"""Column and digits of the measures shown over all k, by heading."""


def effect(s: Results, setup: str) -> tuple[st.Table, ...]:
    """Return the effect of k at one rate: by the number of nodes, with the load."""
    ks = s.ks(setup)
    low, middle, high = ks[0], ks[len(ks) // 2], ks[-1]
    rows = (
        {
            "nodes": str(n),
            **_delays(s, setup, n, (low, middle, high)),
            **_effects(s, setup, n, QUANTITIES, low, high),
            **{name: st.number(_over_k(s, what, setup, n), digits) for name, (what, digits) in _LOAD.items()},
        }
        for n in s.nodes(setup)
    )
    return k.TEXT.table("effect", rows, key=f"effect-{setup}", label=BY_KEY[setup].label)


def _delays(s: Results, setup: str, n: int, ks: Sequence[float] = (0.1, 0.9)) -> dict[str, str]:
    """Return the delay at some k, by its heading."""
    return {
        f"delay, ms, k = {factor:g}": st.with_interval(s.interval("delay_ms", setup, n, factor), 1)
        for factor in ks
    }


def _effects(
    s: Results, setup: str, n: int, quantities: Mapping[str, str], low: float = 0.1, high: float = 0.9
) -> dict[str, str]:
    """Return the difference of each quantity with a low k from that with a high one, by its heading."""
    return {
        f"{name}: k = {low:g} over {high:g}": st.percent(st.interval(s.effect(quantity, setup, n, low, high)))
        for quantity, name in quantities.items()
    }


def beside(s: Results) -> tuple[st.Table, ...]:
    """Return the results with other settings that the text leaves open, at 11 Mb/s."""
    rows = (
        {
            "network": BY_KEY[setup].label,
            "nodes": str(n),
            **_delays(s, setup, n),
            **_effects(s, setup, n, QUANTITIES),
            "loss, %, k = 0.9": st.number(st.mean(s.values("loss_percent", setup, n, 0.9)), 2),
            "silent flows, %, k = 0.9": st.number(st.mean(s.values("silent_percent", setup, n, 0.9)), 1),
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
"""Column and digits of the quality of a video, by heading."""


def video(s: Results) -> tuple[st.Table, ...]:
    """Return the table of runs that send videos instead of steady packets: delays, and EvalVid's results."""

    def shown(setup: str, n: int, what: str, digits: int) -> str:
        values = s.runs if what == "delivered_percent" else s.video
        return " / ".join(st.number(values.mean(what, setup, n, factor), digits) for factor in (0.1, 0.9))

    rows = (
        {
            "network": BY_KEY[setup].label,
            "nodes": str(n),
            **_delays(s, setup, n),
            **_effects(s, setup, n, {**QUANTITIES, "write_delay_ms": "delay from the write"}),
            **{f"{name}: k = 0.1 / 0.9": shown(setup, n, *what) for name, what in _QUALITY.items()},
        }
        for setup, n in s.sizes()
        if BY_KEY[setup].video
    )
    return k.TEXT.table("video", rows)


def contradictions() -> st.Table:
    """Return the contradictions in the published text."""
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
    """Return the number of runs of each point in these data, together for networks with equally many."""
    runs: dict[int, list[str]] = {}
    for setup in dict.fromkeys(setup for setup, _ in s.sizes()):
        seeds = {seed for point in s.runs if point[0] == setup for seed in s.runs.of("seed", *point)}
        runs.setdefault(len(seeds), []).append(BY_KEY[setup].label)
    said = (f"{count} at {', '.join(labels)}" for count, labels in runs.items())
    return (f"Runs of each point: {'; '.join(said)}.",) if runs else ()


def idle(s: Results) -> tuple[str, ...]:
    """Return the number of runs in which k decides nothing."""
    cuts = [sum(cut) for at in s.runs for cut in zip(*(s.runs.of(name, *at) for name in CUTS), strict=True)]
    if not cuts:
        return ()
    return (
        f"In {cuts.count(0)} of {len(cuts)} runs no window is cut. Such a run is the same for every k, whatever k "
        "scales, and is carried out once. If k scales only cuts that follow a fast retransmit, a run without one is "
        "carried out once, too. With k = 0.5 every cut halves the window: the run stands for both readings of what k "
        "scales.",
    )


def signs(s: Results) -> tuple[st.Table, ...]:
    """Return the sign of the effect of k beside ns-2's."""
    rows = []
    for setup, n in s.sizes():
        theirs = s.peer_effect(setup, n, "delay_ms")
        if theirs is not None and n >= 10:
            ours = s.effect("delay_ms", setup, n)
            rows.append(
                {
                    "where": f"{BY_KEY[setup].label}, {n} nodes",
                    "ours": st.percent(st.interval(ours)),
                    "ns-2": f"{st.signed(theirs)} %",
                    "sign": "same" if ours.mean * theirs > 0 else "other",
                }
            )
    notes = ("ns-2's are differences of its means over 2 to 5 seeds.",)
    return st.table("signs", "Delay at k = 0.1 over 0.9", rows, notes)


def added(s: Results) -> tuple[st.Table, ...]:
    """Delay and jitter of the variants that a user added, beside those of NewReno, whose k is 0.5."""

    def row(setup: str, nodes: int, variant: str, values: Sequence[st.Interval]) -> dict[str, str]:
        cells = zip(QUANTITIES.values(), values, strict=True)
        return {
            "where": f"{BY_KEY[setup].label}, {nodes} nodes",
            "variant": variant,
            **{f"{name}, ms": st.with_interval(value, 2) for name, value in cells},
        }

    rows = []
    for setup, nodes, variant in s.added:
        # The cuts that k scales mean nothing to a variant without k.
        if BY_KEY[setup].every:
            continue
        own = [s.beside_at(what, setup, nodes, variant) for what in QUANTITIES]
        rows.append(row(setup, nodes, st.written(variant), own))
        if k.HALF in s.ks(setup):
            usual = [s.interval(what, setup, nodes, k.HALF) for what in QUANTITIES]
            rows.append(row(setup, nodes, f"NewReno, k = {k.HALF:g}", usual))
    return k.TEXT.table("added", rows)


def points(s: Results) -> list[dict[str, Any]]:
    """Return one row per network, number of nodes and k."""
    rows = []
    for setup, n, factor in [(*at, factor) for at in s.sizes() for factor in s.ks(at[0])]:
        row: dict[str, Any] = {"setup": setup, "nodes": n, "k": factor}
        for quantity in (*QUANTITIES, "write_delay_ms"):
            ours = s.interval(quantity, setup, n, factor)
            theirs = s.peer(setup, n, factor, quantity)
            row |= {
                quantity: st.known(ours.mean),
                **st.ends(f"{quantity}_{{}}", ours),
                f"{quantity}_n": ours.n,
                f"{quantity}_ns2": theirs.mean if theirs is not None else None,
            }
        for share in ("loss_percent", "under_way_percent", "delivered_percent", "silent_percent"):
            row[share] = st.mean(s.values(share, setup, n, factor))
        rows.append(row)
    for setup, n, variant in s.added:
        row = {"setup": setup, "nodes": n, "variant": variant}
        for quantity in QUANTITIES:
            ours = s.beside_at(quantity, setup, n, variant)
            row |= {
                quantity: st.known(ours.mean),
                **st.ends(f"{quantity}_{{}}", ours),
                f"{quantity}_n": ours.n,
            }
        rows.append(row)
    return rows


def findings(s: Results) -> tuple[str, ...]:
    """Return the effect of k on delay and jitter, with its place."""
    said = []
    for scaled, every in (("the cuts after a fast retransmit, as in ns-2", False), ("every cut", True)):
        rates = [rate for rate in s.rates if BY_KEY[rate].every is every]
        if rates:
            said.append(
                f"If k scales {scaled}, the delay in the network {_falls(s, 'delay_ms', rates)} from k = 0.9 to 0.1. "
                "The "
                f"jitter {_falls(s, 'jitter_ms', rates)}."
            )
    if said:
        said.append(
            f"The paper says that the delay falls by {published.DELAY_REDUCTION:g} % and the jitter by "
            f"{published.JITTER_REDUCTION:g} %. Our numbers are for its reading of k in which a loss leaves a window "
            "of "
            "k W. If a loss takes k W away, a fall becomes a rise."
        )
    if s.found:
        said.append(_found(s))
    if not said:
        return ()
    said.append(st.AsPublished(_from_the_write(s)))
    own = [rate for rate in s.rates if not BY_KEY[rate].every]
    if own:
        busiest = max(own, key=lambda rate: st.mean(s.values("cuts", rate, s.nodes(rate)[-1], s.ks(rate)[0])))
        nodes = s.nodes(busiest)[-1]
        cuts, timeouts = (_over_k(s, what, busiest, nodes) for what in ("cuts", "timeouts_each"))
        where = {"nodes": nodes, "label": BY_KEY[busiest].label, "length_s": k.LENGTH_S}
        said.append(st.AsPublished(k.TEXT("idle", cuts=cuts, timeouts=timeouts, **where)))
        said += _silent(s)
    return tuple(said)


def _falls(s: Results, quantity: str, rates: Sequence[str]) -> str:
    """Return the fall of a quantity at each rate, as a verb with its numbers."""
    falls = [(fall(s, quantity, rate, LABELS[0]).mean, _place(rate)) for rate in rates]
    verb = "falls" if all(by > -_NOTHING for by, _ in falls) else "changes"
    shown = [
        f"{'' if verb == 'falls' else '-' if by > 0 else '+'}{abs(by):.1f} % at {place}"
        for by, place in falls
    ]
    return f"{verb} by {_listed(shown)}"


_NOTHING: Final = 0.05
"""Percent that are printed as 0.0."""


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _place(setup: str) -> str:
    """Return a network by its rate, or in its own words, in a sentence."""
    return BY_KEY[setup].label.partition(" (")[0]


def _found(s: Results) -> str:
    """Return the readings found afterwards, in the numbers that they explain."""

    def reached(setup: str) -> str:
        delay, jitter, write = (
            _unsigned(fall(s, what, setup, LABELS[0])) for what in (*QUANTITIES, "write_delay_ms")
        )
        how = "n/2 flows" if BY_KEY[setup].pairs else "the ring of the main runs"
        return f"With {how} the delay falls by {delay}, the jitter by {jitter} and the delay from the write by {write}."

    return (
        f"Readings at {k.FOUND_MBPS} Mb/s with every cut scaled come nearest to both numbers. "
        f"{' '.join(map(reached, s.found))} They were found by trying about {k.TRIED} settings, after seeing the "
        "numbers; "
        "they explain the numbers and confirm nothing. The paper's 64-QAM excludes this rate."
    )


def _from_the_write(s: Results) -> str:
    """Return the gain of a viewer: the change of the delay from the write in every network, and its exceptions."""
    measures = {"write_delay_ms": "it", "delay_ms": "the delay in the network", "jitter_ms": "the jitter"}
    at = {
        setup: fall(s, "write_delay_ms", setup, LABELS[0])
        for setup in s.setups
        if {0.1, 0.9} <= set(s.ks(setup))
    }
    gains = [setup for setup, by in at.items() if abs(by.mean) >= st.MARGIN_PERCENT]
    small = [abs(by.mean) for setup, by in at.items() if setup not in gains]
    gained = "A packet that waits less in the network has waited longer in the sender"
    said = []
    if small:
        many = f"{len(small)} of the {len(at)}" if gains else f"all {len(at)}"
        said.append(
            f"The delay from the write to the delivery changes by at most {max(small):.2f} % in {many} networks. "
            f"{gained}, "
            "so a viewer gains nothing."
        )
    for setup in gains:
        changes = []
        for what, name in measures.items():
            by = fall(s, what, setup, LABELS[0])
            changes.append(f"{name} {'falls' if by.mean > 0 else 'rises'} by {_unsigned(by)}")
        said.append(f"In the network “{BY_KEY[setup].label}” {_listed(changes)}.")
    return " ".join(said)


def _unsigned(by: st.Ratio) -> str:
    """Return a change in percent without its sign, with its interval."""
    found = st.interval(by if by.mean > 0 else -by)
    if not found.known or found.half_width == 0:
        return f"{found.mean:.2f} %"
    return f"{found.mean:.2f} % [{st.number(found.low, 2)}, {st.number(found.high, 2)}]"


def _over_k(s: Results, what: str, setup: str, nodes: int) -> float:
    """Return the mean of one number over all k."""
    return st.mean([st.mean(s.values(what, setup, nodes, factor)) for factor in s.ks(setup)])


def _silent(s: Results) -> list[str]:
    """Return the number of flows that deliver nothing, in the main runs and with ns-2's timeouts."""

    def most(setups: list[str]) -> tuple[float, str]:
        at = [(_over_k(s, "silent_percent", setup, n), setup, n) for setup in setups for n in s.nodes(setup)]
        share, setup, n = max(at, default=(0.0, "", 0))
        return share, f"{_place(setup)}, {n} nodes" if setup else ""

    ours, where = most(list(s.rates))
    heard = "In the main runs all stations hear each other, and every flow delivers something."
    if ours > 0:
        heard = f"In the main runs all stations hear each other. At most {ours:.1f} % of the flows deliver nothing "
        f"({where})."
    theirs, place = most([setup for setup in s.setups if setup.endswith("-ns2")])
    if not theirs:
        return [heard]
    return [
        f"{heard} With ns-2's timeouts up to {theirs:.0f} % of the flows deliver nothing ({place}): their stations are "
        "more than 600 m from each other."
    ]
