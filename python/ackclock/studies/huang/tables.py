"""The tables of the study's report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import BY_KEY, EXPERIMENTS, Experiment
from ackclock.studies.huang.results import NARROW, OPEN, Results, place

_HEADINGS: Final = {
    "open_d1": "Fig. 4, 5: R1-D1",
    "open_r1": "Fig. 4, 5: R0-R1",
    "narrow_d1": "Fig. 6, 7: R1-D1",
    "narrow_r1": "Fig. 6, 7: R0-R1",
}

_GUESSING: Final = ("westwood", "tcpw-i", "tcpw-i-round", "tcpw-i-smoothed", "veno", "tcp-linux-tcpw-i")
"""Keys of the curves whose control infers the cause of a loss."""

_GUESSED: Final = (
    ("open_d1", 0.1, "no bottleneck, 10 % error"),
    ("narrow_r1", 0.001, "bottleneck, 0.1 %"),
    ("narrow_r1", 0.01, "bottleneck, 1 %"),
    ("narrow_r1", 0.1, "bottleneck, 10 %"),
    ("friendliness", 0.0, "beside Reno, no errors"),
)
"""Points whose inferred causes of losses are shown: experiment, error rate, description."""


def _published(of: dict[str, float], curve: str) -> str:
    """Return the published value of a curve's variant as text; a dash if there is none."""
    value = of.get(curve.removeprefix("tcp-linux-").removesuffix("-round").removesuffix("-smoothed"))
    return "-" if value is None else f"{value:g}"


def at_ten_percent(s: Results, *, brief: bool = False) -> tuple[st.Table, ...]:
    """Return the table of throughput at 10 % error and its ratio to TCPW's; `brief` makes it fit in a terminal."""
    experiments = [e for e in (*OPEN, *NARROW) if s.has(e, k.FIGURE_ERROR)]

    def row(curve: str) -> list[st.Cell]:
        cells: list[st.Cell] = [k.SHORT[curve]]
        for e in experiments:
            cells += [s.interval(e, k.FIGURE_ERROR, curve), *(() if brief else (ratio(s, e, curve),))]
        return [*cells, _published(k.LEVEL_KBPS, curve)] if levels else cells

    levels = not brief and s.has("narrow_d1")
    heads = [head for e in experiments for head in (_HEADINGS[e], *(() if brief else ("to TCPW",)))]
    return st.table(
        "ten-percent",
        "Throughput at 10 % error, kb/s",
        (row(curve) for curve in s.variants),
        notes=() if brief else ("Means with 95 % intervals; ratios are to TCPW of the same endpoint.",),
        columns=("variant", *heads, *(("published, Fig. 6",) if levels else ())),
    )


def ratio(s: Results, experiment: str, curve: str) -> str:
    """Return the ratio of a curve's throughput at 10 % error to TCPW's with the same kind of endpoint, as text."""
    base = k.westwood(curve)
    return "1" if curve == base else st.cell(s.ratio(experiment, k.FIGURE_ERROR, curve, base), 2)


_COUNTS: Final = {
    "timeouts": ("timeouts", 1.0),
    "fast retransmits": ("fast_retransmits", 1.0),
    "queue drops": ("lost_queue_packets", 1.0),
    "RTT, ms": ("rtt_mean_s", 1e3),
}
"""Counters of senders by heading; each has a column of the data and a scale factor."""


def what_limits(s: Results) -> list[st.Table]:
    """Return tables of the senders' counters at 10 % error, which show why the window's size has little effect."""

    def row(*at: Any) -> dict[str, st.Cell]:
        counts = {
            heading: st.cell(st.mean([x * scale for x in s.of(column, *at)]), 1)
            for heading, (column, scale) in _COUNTS.items()
        }
        return {"variant": k.SHORT[at[-1]], "kb/s": s.interval(*at), **counts}

    out: list[st.Table] = []
    for e in ("open_d1", "narrow_r1"):
        if s.has(e, k.FIGURE_ERROR):
            rows = (row(e, k.FIGURE_ERROR, curve) for curve in s.variants)
            out += k.TEXT.table("what_limits", rows, key=f"limits-{e}", experiment=_HEADINGS[e])
    return out


def guesses(s: Results) -> tuple[st.Table, ...]:
    """Return the table of losses by actual cause and by the cause that the sender inferred."""

    def row(where: str, *at: Any) -> dict[str, st.Cell]:
        counts = {column: st.cell(st.mean(s.of(column, *at)), 1) for column in _GUESSES}
        return {
            "where": where,
            "variant": k.SHORT[at[-1]],
            "random, taken for random": counts["kept_random"],
            "random, for congestion": counts["cut_random"],
            "congestion, for congestion": counts["cut_congestion"],
            "congestion, for random": counts["kept_congestion"],
            "random told right": _share(s, "kept_random", "cut_random", *at),
            "congestion told right": _share(s, "cut_congestion", "kept_congestion", *at),
            "timeouts, random": counts["timeout_random"],
            "timeouts, congestion": counts["timeout_congestion"],
        }

    shown = [(where, e, x, c) for e, x, where in _GUESSED if s.has(e, x) for c in _GUESSING]
    return k.TEXT.table("guesses", (row(*at) for at in shown if at[-1] in s.flows.labels(2, at[1])))


_GUESSES: Final = (
    *("kept_random", "cut_random", "cut_congestion", "kept_congestion"),
    *("timeout_random", "timeout_congestion"),
)
"""Columns of the data that count losses by the sender's reaction and by actual cause."""


def _share(s: Results, right: str, wrong: str, *at: Any) -> str:
    """Return the share of correctly inferred causes as text: column `right` over the sum of `right` and `wrong`."""
    both = [st.mean(s.of(column, *at)) for column in (right, wrong)]
    return f"{100 * both[0] / sum(both):.0f} %" if sum(both) else "-"


def why(s: Results) -> tuple[st.Text, ...]:
    """Return a text, with our numbers, on the cause of the difference between TCPW and TCPW-I at 10 % error."""
    e, x = "open_d1", k.FIGURE_ERROR
    if not s.has(e, x):
        return ()

    def count(curve: str, *columns: str) -> float:
        rows = zip(*(s.of(column, e, x, curve) for column in columns), strict=True)
        return st.mean([float(value) for row in rows for value in row]) * len(columns)

    def found(curve: str) -> str:
        acks = count(curve, "kept_random", "cut_random", "kept_congestion", "cut_congestion")
        return f"{count(curve, 'timeouts'):.0f} timeouts and {acks:.0f} losses found by acknowledgments a run"

    def speed(curve: str) -> str:
        return f"{found(curve)}, {st.mean(s.kbps(e, x, curve)):,.0f} kb/s"

    def kept(curve: str) -> str:
        return _share(s, "kept_random", "cut_random", e, x, curve)

    told = k.TEXT.paragraphs(
        "why",
        linux=speed("tcp-linux-westwood"),
        linux_kept=kept("tcp-linux-tcpw-i"),
        linux_own=speed("tcp-linux-tcpw-i"),
        own_kept=kept("tcpw-i"),
        westwood_kept=kept("westwood"),
        westwood=found("westwood"),
        own=found("tcpw-i"),
    )
    return (st.Text(tuple(map(st.AsPublished, told.paragraphs))),)


def gateway(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the gateway's gain at each error rate, and of bytes acknowledged but not delivered."""
    pairs = {
        **{r.column: (r.gateway, r.tcpwi) for r in k.AT_ENTRY},
        "TCPW": ("gateway-westwood", "westwood"),
        "own window": ("gateway-window", "tcpw-i"),
    }

    def row(e: str, x: float) -> dict[str, st.Cell]:
        owed = [count / 1e3 for count in s.of("pre_acked_bytes", e, x, "gateway")]
        return {
            "where": f"{'bottleneck' if e in NARROW else 'no bottleneck'}, {place(e, x)}",
            **{heading: st.percent(s.above(e, x, *pair)) for heading, pair in pairs.items()},
            "owed at the end, kB": st.cell(owed, 1),
        }

    return k.TEXT.table("gateway", (row(*at) for at in s.points((*OPEN, *NARROW))))


def placement(s: Results) -> tuple[st.Table, ...]:
    """Return the table of throughput at 10 % error, with losses before the queue and with losses on the wire."""
    x = k.FIGURE_ERROR

    def row(e: str, curve: str) -> dict[str, st.Cell]:
        before, after = (s.kbps(where, x, curve) for where in (e, k.on_wire(e)))
        return {
            "where": _HEADINGS[e],
            "variant": k.SHORT[curve],
            "lost before the queue": before,
            "lost on the wire": after,
            "difference": st.percent(st.percent_above(after, before)),
        }

    there = [e for e in (*OPEN, *NARROW) if s.has(k.on_wire(e), x)]
    return k.TEXT.table("placement", (row(e, c) for e in there for c in BY_KEY[k.on_wire(e)].curves))


def crash(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the bytes that a crash of the gateway loses permanently."""

    def kilobytes(column: str, curve: str) -> str:
        return st.cell([count / 1e3 for count in s.of(column, "crash", k.CRASH_ERROR, curve)], 1)

    gateways = {**{r.column: r.gateway for r in k.AT_ENTRY}, "own window": "gateway-window"}
    rows = (
        {
            "TCPW-I": where,
            "acknowledged, not confirmed at the crash, kB": kilobytes("crash_bytes", curve),
            "never delivered, kB": kilobytes("pre_acked_bytes", curve),
        }
        for where, curve in gateways.items()
        if s.has("crash")
    )
    return k.TEXT.table("crash", rows, crash_error=100 * k.CRASH_ERROR)


def friendliness(s: Results) -> tuple[st.Table, ...]:
    """Return the numbers of Figure 10: the throughput of each variant, and that of Reno beside the variant."""

    def row(curve: str) -> dict[str, st.Cell]:
        at, rival = ("friendliness", 0.0, curve), k.competitor(curve)
        beside, alone = s.kbps(*at, 1), s.kbps("friendliness", 0.0, rival, 1)
        together = (st.mean(s.kbps(*at, flow, together=True)) for flow in (0, 1))
        theirs = (s.peer(*at, quantity) for quantity in ("goodput_kbps", "competitor_kbps"))
        return {
            "variant": k.SHORT[curve],
            "its own": s.kbps(*at),
            "Reno's": beside,
            "taken from Reno": "-" if curve == rival else st.percent(-st.percent_above(beside, alone)),
            "starts together": " / ".join(st.number(rate, 0) for rate in together),
            "ns-2, jittered": " / ".join(st.cell(one) for one in theirs if one is not None) or "-",
        }

    there = (*BY_KEY["friendliness"].curves, *s.added) if s.has("friendliness") else ()
    return k.TEXT.table("friendliness", map(row, there))


def jain(s: Results) -> tuple[st.Table, ...]:
    """Return the numbers of Figure 11: Jain's index as published, ours and ns-2's."""

    def row(curve: str) -> dict[str, st.Cell]:
        together, jittered = (
            st.cell(s.peer("fairness", 0.0, curve, "jain", together=at_once), 4) for at_once in (True, False)
        )
        return {
            "variant": k.SHORT[curve],
            "published": _published(k.JAIN, curve),
            "ours, together": st.number(st.mean(s.jain("fairness", curve, together=True)), 4),
            "ours, jittered": st.cell(s.jain("fairness", curve), 4),
            "ns-2, together": together,
            "ns-2, jittered": jittered,
        }

    return k.TEXT.table("jain", map(row, (*BY_KEY["fairness"].curves, *s.added) if s.has("fairness") else ()))


def westwoods(s: Results) -> tuple[st.Table, ...]:
    """Return the table of the ratio of TCPW-I's throughput to that of each form of Westwood."""

    def row(e: str, x: float) -> dict[str, st.Cell]:
        means = {
            c: s.interval(e, x, c) for c in ("tcp-linux-westwood", "tcp-linux-tcpw-i", "westwood", "tcpw-i")
        }
        return {
            "where": place(e, x) + (", bottleneck" if e in NARROW else ""),
            **{k.SHORT[curve]: value for curve, value in means.items()},
            "L:TCPW-I / L:TCPW": means["tcp-linux-tcpw-i"].mean / means["tcp-linux-westwood"].mean,
            "TCPW-I / TCPW": means["tcpw-i"].mean / means["westwood"].mean,
        }

    return k.TEXT.table("westwoods", (row(*at) for at in s.points((*OPEN, *NARROW))))


def points(s: Results, compared: Sequence[st.Comparison]) -> list[dict[str, Any]]:
    """Return one row per point and curve, with our values and ns-2's if there are any."""
    against = st.by_point(compared)

    def row(e: Experiment, x: float, curve: str) -> dict[str, Any]:
        ours, other = s.interval(e.key, x, curve), against.get((e.key, x, curve))
        return {
            "experiment": e.key,
            "place": place(e.key, x) or e.place,
            "x": x,
            "curve": curve,
            "throughput_kbps": ours.mean,
            **st.ends("{}_kbps", ours),
            "n": ours.n,
            "timeouts": st.mean(s.of("timeouts", e.key, x, curve)),
            "fast_retransmits": st.mean(s.of("fast_retransmits", e.key, x, curve)),
            "jain": st.mean(s.jain(e.key, curve)) if e.several else None,
            "ns2_mean": other.theirs.mean if other else None,
            **st.ends("ns2_{}", other.theirs if other else None),
            "agreement": other.outcome if other else None,
        }

    return [row(e, x, curve) for e in EXPERIMENTS for x in s.xs(e.key) for curve in e.curves]
