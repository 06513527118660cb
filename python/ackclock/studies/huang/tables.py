"""The study's tables, from the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import EXPERIMENTS
from ackclock.studies.huang.results import NARROW, OPEN, Results, place

_HEADINGS: Final = {
    "open_d1": "Fig. 4, 5: R1-D1",
    "open_r1": "Fig. 4, 5: R0-R1",
    "narrow_d1": "Fig. 6, 7: R1-D1",
    "narrow_r1": "Fig. 6, 7: R0-R1",
}

GUESSING: Final = ("westwood", "tcpw-i", "tcpw-i-round", "tcpw-i-smoothed", "veno", "tcp-linux-tcpw-i")
"""Curves that tell losses apart, by key."""

_GUESSED: Final = (
    ("open_d1", 0.1, "no bottleneck, 10 % error"),
    ("narrow_r1", 0.001, "bottleneck, 0.1 %"),
    ("narrow_r1", 0.01, "bottleneck, 1 %"),
    ("narrow_r1", 0.1, "bottleneck, 10 %"),
    ("friendliness", 0.0, "beside Reno, no errors"),
)
"""Points for which guesses are shown."""


def _curves(experiment: str) -> tuple[str, ...]:
    return next(e.curves for e in EXPERIMENTS if e.key == experiment)


def published_name(curve: str) -> str:
    """Return the name of the paper's variant that a curve is a form of; otherwise the curve's own."""
    return curve.removeprefix("tcp-linux-").removesuffix("-round").removesuffix("-smoothed")


def at_ten_percent(s: Results, *, brief: bool = False) -> st.Table:
    """Return throughput at 10 % error, and its ratio to TCPW; `brief` for a terminal."""
    experiments = [e for e in (*OPEN, *NARROW) if s.has(e, k.FIGURE_ERROR)]
    rows = []
    for curve in (*k.CURVES, *s.added):
        cells = []
        for experiment in experiments:
            value = s.interval(experiment, k.FIGURE_ERROR, curve)
            cells.append(st.with_interval(value))
            if not brief:
                cells.append(ratio(s, experiment, curve))
        if not brief and s.has("narrow_d1"):
            level = k.LEVEL_KBPS.get(published_name(curve))
            cells.append(f"{level:g}" if level is not None else "-")
        rows.append((k.SHORT[curve], *cells))
    heads: list[str] = []
    for experiment in experiments:
        heads += [_HEADINGS[experiment]] if brief else [_HEADINGS[experiment], "to TCPW"]
    if not brief and s.has("narrow_d1"):
        heads.append("published, Fig. 6")
    return st.Table(
        key="ten-percent",
        title="Throughput at 10 % error, kb/s",
        columns=("variant", *heads),
        rows=tuple(rows),
        notes=() if brief else ("Means with 95 % intervals; ratios are to TCPW of the same endpoint.",),
    )


def ratio(s: Results, experiment: str, curve: str) -> str:
    """Return throughput at 10 % error divided by that of TCPW of the same endpoint, with its interval."""
    if curve == k.westwood(curve):
        return "1"
    return st.with_interval(st.interval(s.ratio(experiment, k.FIGURE_ERROR, curve, k.westwood(curve))), 2)


_COUNTS: Final = {
    "timeouts": ("timeouts", 1.0),
    "fast retransmits": ("fast_retransmits", 1.0),
    "queue drops": ("lost_queue_packets", 1.0),
    "RTT, ms": ("rtt_mean_s", 1e3),
}
"""Counters of senders: column of the data and its scale, by heading."""


def what_limits(s: Results) -> tuple[st.Table, ...]:
    """Return the senders' counters at 10 % error: the reason why the window's size matters so little there."""

    def row(experiment: str, curve: str) -> dict[str, str]:
        at = (experiment, k.FIGURE_ERROR, curve)
        return {
            "variant": k.SHORT[curve],
            "kb/s": st.with_interval(s.interval(*at)),
            **{
                heading: st.number(st.mean([x * scale for x in s.of(column, *at)]), 1)
                for heading, (column, scale) in _COUNTS.items()
            },
        }

    return tuple(
        block
        for experiment in ("open_d1", "narrow_r1")
        if s.has(experiment, k.FIGURE_ERROR)
        for block in k.TEXT.table(
            "what_limits",
            (row(experiment, curve) for curve in (*k.CURVES, *s.added)),
            key=f"limits-{experiment}",
            experiment=_HEADINGS[experiment],
        )
    )


def guesses(s: Results) -> tuple[st.Table, ...]:
    """Return the losses by actual cause, and their classification by the senders that tell losses apart."""

    def row(experiment: str, x: float, where: str, curve: str) -> dict[str, str]:
        counts = {column: st.mean(s.of(column, experiment, x, curve)) for column in _GUESSES}
        return {
            "where": where,
            "variant": k.SHORT[curve],
            "random, taken for random": st.number(counts["kept_random"], 1),
            "random, for congestion": st.number(counts["cut_random"], 1),
            "congestion, for congestion": st.number(counts["cut_congestion"], 1),
            "congestion, for random": st.number(counts["kept_congestion"], 1),
            "random told right": _share(counts["kept_random"], counts["cut_random"]),
            "congestion told right": _share(counts["cut_congestion"], counts["kept_congestion"]),
            "timeouts, random": st.number(counts["timeout_random"], 1),
            "timeouts, congestion": st.number(counts["timeout_congestion"], 1),
        }

    return k.TEXT.table(
        "guesses",
        (
            row(experiment, x, where, curve)
            for experiment, x, where in _GUESSED
            if s.has(experiment, x)
            for curve in GUESSING
            if curve in s.flows.labels(2, experiment)
        ),
    )


_GUESSES: Final = (
    "kept_random",
    "cut_random",
    "cut_congestion",
    "kept_congestion",
    "timeout_random",
    "timeout_congestion",
)
"""The columns of the data that count them."""


def _share(right: float, wrong: float) -> str:
    return f"{100 * right / (right + wrong):.0f} %" if right + wrong else "-"


def why(s: Results) -> tuple[st.Text, ...]:
    """Return the cause that decides between TCPW and TCPW-I at 10 % error, with the numbers of these runs."""
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
        return f"{st.mean(s.kbps(e, x, curve)):,.0f} kb/s"

    def kept(curve: str) -> str:
        return _share(count(curve, "kept_random"), count(curve, "cut_random"))

    told = k.TEXT.paragraphs(
        "why",
        linux=f"{found('tcp-linux-westwood')}, {speed('tcp-linux-westwood')}",
        linux_kept=kept("tcp-linux-tcpw-i"),
        linux_own=f"{found('tcp-linux-tcpw-i')}, {speed('tcp-linux-tcpw-i')}",
        own_kept=kept("tcpw-i"),
        westwood_kept=kept("westwood"),
        westwood=found("westwood"),
        own=found("tcpw-i"),
    )
    return (st.Text(tuple(map(st.AsPublished, told.paragraphs))),)


def gateway(s: Results) -> tuple[st.Table, ...]:
    """Return the gain by the gateway at each error rate, and the bytes that it acknowledged and did not deliver."""

    def row(experiment: str, x: float) -> dict[str, str]:
        pairs = {
            **{r.column: (r.gateway, r.tcpwi) for r in k.AT_ENTRY},
            "TCPW": ("gateway-westwood", "westwood"),
            "own window": ("gateway-window", "tcpw-i"),
        }
        owed = [owed / 1e3 for owed in s.of("pre_acked_bytes", experiment, x, "gateway")]
        return {
            "where": f"{'bottleneck' if experiment in NARROW else 'no bottleneck'}, {place(experiment, x)}",
            **{
                heading: st.percent(st.interval(s.above(experiment, x, *pair)))
                for heading, pair in pairs.items()
            },
            "owed at the end, kB": st.with_interval(st.interval(owed), 1),
        }

    return k.TEXT.table("gateway", (row(e, x) for e in (*OPEN, *NARROW) for x in s.xs(e)))


def placement(s: Results) -> tuple[st.Table, ...]:
    """Return throughput at 10 % error with packets lost before the queue and on the wire."""
    x = k.FIGURE_ERROR

    def row(e: str, curve: str) -> dict[str, str]:
        wire = k.on_wire(e)
        before, after = (s.kbps(where, x, curve) for where in (e, wire))
        return {
            "where": _HEADINGS[e],
            "variant": k.SHORT[curve],
            "lost before the queue": st.with_interval(st.interval(before)),
            "lost on the wire": st.with_interval(st.interval(after)),
            "difference": st.percent(st.interval(st.percent_above(after, before))),
        }

    return k.TEXT.table(
        "placement",
        (
            row(e, curve)
            for e in (*OPEN, *NARROW)
            if s.has(k.on_wire(e), x)
            for curve in _curves(k.on_wire(e))
        ),
    )


def crash(s: Results) -> tuple[st.Table, ...]:
    """Return the bytes that a crash of the gateway loses for good."""

    def kilobytes(column: str, curve: str) -> str:
        return st.with_interval(
            st.interval([count / 1e3 for count in s.of(column, "crash", k.CRASH_ERROR, curve)]), 1
        )

    gateways = {**{r.column: r.gateway for r in k.AT_ENTRY}, "own window": "gateway-window"}
    return k.TEXT.table(
        "crash",
        (
            {
                "TCPW-I": where,
                "acknowledged, not confirmed at the crash, kB": kilobytes("crash_bytes", curve),
                "never delivered, kB": kilobytes("pre_acked_bytes", curve),
            }
            for where, curve in gateways.items()
            if s.has("crash")
        ),
        crash_error=100 * k.CRASH_ERROR,
    )


def friendliness(s: Results) -> tuple[st.Table, ...]:
    """Return Figure 10 in numbers: the throughput of each variant, and what it takes from Reno."""
    rows = []
    for curve in (*_curves("friendliness"), *s.added):
        rival = k.competitor(curve)
        own, beside = (s.kbps("friendliness", 0.0, curve, flow) for flow in (0, 1))
        alone = s.kbps("friendliness", 0.0, rival, 1)
        taken = -st.percent_above(beside, alone)
        together = (st.mean(s.kbps("friendliness", 0.0, curve, flow, together=True)) for flow in (0, 1))
        theirs = [s.peer("friendliness", 0.0, curve, q) for q in ("goodput_kbps", "competitor_kbps")]
        rows.append(
            {
                "variant": k.SHORT[curve],
                "its own": st.with_interval(st.interval(own)),
                "Reno's": st.with_interval(st.interval(beside)),
                "taken from Reno": "-" if curve == rival else st.percent(st.interval(taken)),
                "starts together": " / ".join(st.number(rate, 0) for rate in together),
                "ns-2, jittered": " / ".join(st.with_interval(t) for t in theirs if t is not None) or "-",
            }
        )
    return k.TEXT.table("friendliness", rows)


def jain(s: Results) -> tuple[st.Table, ...]:
    """Return Figure 11 in numbers: Jain's index, published, ours and ns-2's."""

    def theirs(curve: str, *, together: bool) -> str:
        return st.cell(s.peer("fairness", 0.0, curve, "jain", together=together), 4)

    def row(curve: str) -> dict[str, str]:
        paper = k.JAIN.get(published_name(curve))
        return {
            "variant": k.SHORT[curve],
            "published": f"{paper:g}" if paper is not None else "-",
            "ours, together": st.number(st.mean(s.jain("fairness", curve, together=True)), 4),
            "ours, jittered": st.with_interval(st.interval(s.jain("fairness", curve)), 4),
            "ns-2, together": theirs(curve, together=True),
            "ns-2, jittered": theirs(curve, together=False),
        }

    return k.TEXT.table("jain", (row(curve) for curve in (*_curves("fairness"), *s.added)))


def westwoods(s: Results) -> tuple[st.Table, ...]:
    """Return TCPW-I divided by each Westwood."""
    rows = []
    for e in (*OPEN, *NARROW):
        for x in s.xs(e):
            found = {
                k.SHORT[curve]: s.interval(e, x, curve)
                for curve in ("tcp-linux-westwood", "tcp-linux-tcpw-i", "westwood", "tcpw-i")
            }
            rows.append(
                {
                    "where": place(e, x) + (", bottleneck" if e in NARROW else ""),
                    **{name: st.with_interval(value) for name, value in found.items()},
                    "L:TCPW-I / L:TCPW": st.number(found["L:TCPW-I"].mean / found["L:TCPW"].mean),
                    "TCPW-I / TCPW": st.number(found["TCPW-I"].mean / found["TCPW"].mean),
                }
            )
    return k.TEXT.table("westwoods", rows)


def points(s: Results, compared: Sequence[st.Comparison]) -> list[dict[str, Any]]:
    """Return one row per point and curve: ours, and ns-2's if it has one."""
    against = {(c.experiment, c.x, c.variant): c for c in st.unaltered(compared)}
    rows = []
    for e in EXPERIMENTS:
        for x, curve in [(x, curve) for x in s.xs(e.key) for curve in e.curves]:
            ours, other = s.interval(e.key, x, curve), against.get((e.key, x, curve))
            rows.append(
                {
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
            )
    return rows
