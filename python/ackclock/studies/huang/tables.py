"""The study's tables, from the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Table, Text
from ackclock.report.text import number, with_interval
from ackclock.studies import tables
from ackclock.studies.agreement import DIFFERS
from ackclock.studies.huang import peer, published
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.claims import NARROW, OPEN, place
from ackclock.studies.huang.experiments import EXPERIMENTS
from ackclock.studies.huang.samples import competitor_kbps, fairness, goodput_kbps, kbps
from ackclock.studies.judge import percent_above, ratio_of_means
from ackclock.studies.tables import known, percent
from ackclock.sweep.statistics import interval, mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.studies.agreement import Comparison
    from ackclock.studies.huang.data import FlowRow
    from ackclock.studies.huang.samples import Samples

_HEADINGS: Final = {
    "open_d1": "Fig. 4, 5: R1-D1",
    "open_r1": "Fig. 4, 5: R0-R1",
    "narrow_d1": "Fig. 6, 7: R1-D1",
    "narrow_r1": "Fig. 6, 7: R0-R1",
}

GUESSING: Final = ("westwood", "tcpw-i", "tcpw-i-round", "veno", "linux-westwood", "linux-tcpw-i")
"""What tells losses apart, by key."""

GUESS_FIELDS: Final = (
    "kept_random",
    "cut_random",
    "cut_congestion",
    "kept_congestion",
    "timeout_random",
    "timeout_congestion",
)

_GUESSED: Final = (
    ("open_d1", 0.1, "no bottleneck, 10 % error"),
    ("narrow_r1", 0.001, "bottleneck, 0.1 %"),
    ("narrow_r1", 0.01, "bottleneck, 1 %"),
    ("narrow_r1", 0.1, "bottleneck, 10 %"),
    ("friendliness", 0.0, "beside Reno, no errors"),
)
"""Where guesses are shown."""

_COMPARED: Final = {
    "open_d1": "4, 5: errors on R1-D1",
    "narrow_r1": "6, 7: errors on R0-R1",
    "narrow_d1": "6, 7: errors on R1-D1",
    "friendliness": "10: variant, jittered",
    "friendliness, Reno": "10: Reno beside it, jittered",
    "friendliness, together": "10: variant, together",
    "friendliness, Reno, together": "10: Reno beside it, together",
    "hybrid, together": "9: over 802.11, no jitter",
    "pulse, together": "on-off test, no jitter",
    "fairness": "11: Jain, jittered",
    "fairness, together": "11: Jain, together",
}
"""Short names of what is held against ns-2, by key of the comparison."""


def _curves(experiment: str) -> tuple[str, ...]:
    return next(e.curves for e in EXPERIMENTS if e.key == experiment)


def published_name(curve: str) -> str:
    """The name of the paper's variant that a curve is a form of; of others, their own."""
    return curve.removeprefix("linux-").removesuffix("-round")


def at_ten_percent(s: Samples, *, brief: bool = False) -> Table:
    """Throughput at 10 % error, and its ratio to TCPW; `brief` for a terminal."""
    experiments = [e for e in (*OPEN, *NARROW) if s.has(e, k.FIGURE_ERROR)]
    rows = []
    for curve in k.CURVES:
        cells = []
        for experiment in experiments:
            value = s.interval(experiment, k.FIGURE_ERROR, curve)
            cells.append(with_interval(value))
            if not brief:
                cells.append(ratio(s, experiment, curve))
        if not brief and s.has("narrow_d1"):
            level = published.LEVEL_KBPS.get(published_name(curve))
            cells.append(f"{level:g}" if level is not None else "-")
        rows.append((k.SHORT[curve], *cells))
    heads: list[str] = []
    for experiment in experiments:
        heads += [_HEADINGS[experiment]] if brief else [_HEADINGS[experiment], "to TCPW"]
    if not brief and s.has("narrow_d1"):
        heads.append("published, Fig. 6")
    return Table(
        key="ten-percent",
        title="Throughput at 10 % error, kb/s",
        columns=("variant", *heads),
        rows=tuple(rows),
        notes=() if brief else ("Means with 95 % intervals; ratios are to TCPW of the same endpoint.",),
    )


def ratio(s: Samples, experiment: str, curve: str) -> str:
    """Throughput at 10 % error over that of TCPW of the same endpoint, with its interval."""
    base = "linux-westwood" if curve.startswith("linux-") else "westwood"
    if curve == base:
        return "1"
    values = ratio_of_means(
        s.kbps(experiment, k.FIGURE_ERROR, curve), s.kbps(experiment, k.FIGURE_ERROR, base)
    )
    return with_interval(interval(values, k.LEVEL), 2)


def what_limits(s: Samples) -> tuple[Table, ...]:
    """What the senders did at 10 % error: why the window's size matters so little there."""
    out = []
    for experiment in ("open_d1", "narrow_r1"):
        if not s.has(experiment, k.FIGURE_ERROR):
            continue
        rows = []
        for curve in k.CURVES:
            runs = s.runs(experiment, k.FIGURE_ERROR, curve)
            rows.append(
                (
                    k.SHORT[curve],
                    with_interval(s.interval(experiment, k.FIGURE_ERROR, curve)),
                    *(number(mean([what(run[0]) for run in runs]), digits) for what, digits in _COUNTS),
                )
            )
        out.append(
            Table(
                key=f"limits-{experiment}",
                title=f"What senders did at 10 % error: {_HEADINGS[experiment]}",
                columns=(
                    "variant",
                    "kb/s",
                    "timeouts",
                    "fast retransmits",
                    "queue drops",
                    "RTT, ms",
                ),
                rows=tuple(rows),
                notes=(
                    "Means of a run. With the gateway they are the source's, whose round trips end there.",
                ),
            )
        )
    return tuple(out)


_COUNTS: Final[tuple[tuple[Callable[[FlowRow], float], int], ...]] = (
    (lambda row: row.timeouts, 1),
    (lambda row: row.fast_retransmits, 1),
    (lambda row: row.lost_queue_packets, 1),
    (lambda row: row.rtt_mean_s * 1e3, 1),
)


def guesses(s: Samples) -> Table:
    """Ground truth against guess: what each loss was, and what the senders that tell losses apart took it for."""
    rows = []
    for experiment, x, where in _GUESSED:
        if not s.has(experiment, x):
            continue
        for curve in GUESSING:
            if curve not in s.curves(experiment):
                continue
            runs = s.runs(experiment, x, curve)
            counts = {
                field: sum(getattr(run[0], field) for run in runs) / len(runs) for field in GUESS_FIELDS
            }
            rows.append(
                (
                    where,
                    k.SHORT[curve],
                    *(number(counts[field], 1) for field in GUESS_FIELDS[:4]),
                    _share(counts["kept_random"], counts["cut_random"]),
                    _share(counts["cut_congestion"], counts["kept_congestion"]),
                    number(counts["timeout_random"], 1),
                    number(counts["timeout_congestion"], 1),
                )
            )
    return Table(
        key="guesses",
        title="What a loss was, and what it was taken for",
        columns=(
            "where",
            "variant",
            "random, taken for random",
            "random, for congestion",
            "congestion, for congestion",
            "congestion, for random",
            "random told right",
            "congestion told right",
            "timeouts, random",
            "timeouts, congestion",
        ),
        rows=tuple(rows),
        notes=(
            "Counts per run of the first flow: each time that acknowledgments showed a loss, what had happened to "
            "the segment (the simulator knows, no sender does), and what the sender took it for. A timeout is "
            "answered as congestion by all of them. Westwood tells nothing apart by name: a loss counts as "
            "taken for random where its estimate left the window as it was.",
        ),
        text_columns=2,
    )


def _share(right: float, wrong: float) -> str:
    return f"{100 * right / (right + wrong):.0f} %" if right + wrong else "-"


def why(s: Samples) -> tuple[Text, ...]:
    """What decides between TCPW and TCPW-I at 10 % error, with the numbers of these runs."""
    e, x = "open_d1", k.FIGURE_ERROR
    if not s.has(e, x):
        return ()

    def count(curve: str, *fields: str) -> float:
        runs = s.runs(e, x, curve)
        return mean([float(getattr(run[0], field)) for run in runs for field in fields]) * len(fields)

    def found(curve: str) -> str:
        acks = count(curve, "kept_random", "cut_random", "kept_congestion", "cut_congestion")
        return f"{count(curve, 'timeouts'):.0f} timeouts and {acks:.0f} losses found by acknowledgments a run"

    def speed(curve: str) -> str:
        return f"{s.mean(e, x, curve):,.0f} kb/s"

    def kept(curve: str) -> str:
        return _share(count(curve, "kept_random"), count(curve, "cut_random"))

    return (
        Text(
            (
                "Why not twice: without a bottleneck hardly anything queues, N mostly stays below β, and TCPW-I takes "
                f"{kept('tcpw-i')} of the losses that acknowledgments show for random, as it should. But textbook "
                "Westwood gives little away at such a loss either: it sets ssthresh to what acknowledgments "
                f"show the path to carry, and left the window as it was at {kept('westwood')} of them. Where the "
                "estimate is above the window, it then goes back to it by slow start. TCPW-I sets ssthresh to the "
                "window instead, and climbs by one segment a round trip.",
                "What costs both is lost retransmissions: recovery sack waits for the timer, and the window begins "
                f"again at one. TCPW: {found('westwood')}; TCPW-I: {found('tcpw-i')}. No rule for losses that "
                "acknowledgments show can help there. TCP-Linux's recovery finds lost retransmissions, and gets no "
                f"more for it: L:TCPW, {found('linux-westwood')}, {speed('linux-westwood')}; L:TCPW-I, "
                f"{found('linux-tcpw-i')}, {speed('linux-tcpw-i')}, of which it takes {kept('linux-tcpw-i')} for "
                "random.",
            )
        ),
    )


def gateway(s: Samples) -> Table:
    """What the gateway gives at each error rate, and what it owes."""
    rows = []
    for experiment, x in ((e, x) for e in (*OPEN, *NARROW) if s.has(e) for x in s.xs(e)):
        cells = []
        for form in k.FORMS:
            with_it, without = s.kbps(experiment, x, form.gateway), s.kbps(experiment, x, form.tcpwi)
            cells.append(percent(interval(percent_above(with_it, without), k.LEVEL)))
        owed = interval([run[0].pre_acked_bytes / 1e3 for run in s.runs(experiment, x, "gateway")], k.LEVEL)
        where = "bottleneck" if experiment in NARROW else "no bottleneck"
        rows.append((f"{where}, {place(experiment, x)}", *cells, with_interval(owed, 1)))
    return Table(
        key="gateway",
        title="TCPW-I with the gateway over TCPW-I without",
        columns=("where", *(form.column for form in k.FORMS), "owed at the end, kB"),
        rows=tuple(rows),
        notes=(
            "Owed: payload that the gateway has acknowledged to the source and that D1 does not have yet when the "
            "run ends (RTTc over the connection). Without a gateway nothing is ever owed.",
        ),
    )


def crash(s: Samples) -> tuple[Table, ...]:
    """What a crash of the gateway loses for good."""
    if not s.has("crash"):
        return ()
    rows = []
    for form in k.FORMS:
        runs = s.runs("crash", k.CRASH_ERROR, form.gateway)
        lost, undone = (
            interval([getattr(run[0], field) / 1e3 for run in runs], k.LEVEL)
            for field in ("crash_bytes", "pre_acked_bytes")
        )
        rows.append((form.column, with_interval(lost, 1), with_interval(undone, 1)))
    return (
        Table(
            key="crash",
            title=f"When the gateway crashes at {k.CRASH_S} s (bottleneck, errors on R0-R1, {100 * k.CRASH_ERROR:g} %)",
            columns=("TCPW-I", "acknowledged, not confirmed at the crash, kB", "never delivered, kB"),
            rows=tuple(rows),
            notes=(
                "The source was told that these bytes had arrived, and never sends them again: end to end, an "
                "acknowledgment no longer means that the receiver has the data. The paper does not mention it.",
            ),
        ),
    )


def friendliness(s: Samples) -> Table:
    """Figure 10 in numbers: what each variant gets, and what it takes from Reno."""
    rows = []
    for curve in _curves("friendliness"):
        rival = k.competitor(curve)
        own = interval(s.values(kbps, "friendliness", 0.0, curve), k.LEVEL)
        beside = s.values(competitor_kbps, "friendliness", 0.0, curve)
        alone = s.values(competitor_kbps, "friendliness", 0.0, rival)
        taken = [100 * (1 - value) for value in ratio_of_means(beside, alone)]
        together = " / ".join(
            number(mean(s.values(what, "friendliness", 0.0, curve, together=True)), 0)
            for what in (kbps, competitor_kbps)
        )
        theirs = [peer.value("friendliness", 0.0, curve, q) for q in ("goodput_kbps", "competitor_kbps")]
        rows.append(
            (
                k.SHORT[curve],
                with_interval(own),
                with_interval(interval(beside, k.LEVEL)),
                "-" if curve == rival else percent(interval(taken, k.LEVEL)),
                together,
                " / ".join(with_interval(t) for t in theirs if t is not None) or "-",
            )
        )
    return Table(
        key="friendliness",
        title="Beside Reno for 400 s: throughput, kb/s",
        columns=("variant", "its own", "Reno's", "taken from Reno", "starts together", "ns-2, jittered"),
        rows=tuple(rows),
        notes=(
            "Taken from Reno: how much less the Reno flow gets than beside a Reno flow (below 0: it gets more). "
            "Variants of TCP-Linux (L:) meet TCP-Linux's Reno.",
        ),
    )


def jain(s: Samples) -> Table:
    """Figure 11 in numbers: Jain's index, published, ours and ns-2's."""
    rows = []
    for curve in _curves("fairness"):
        together = s.values(fairness, "fairness", 0.0, curve, together=True)
        paper = published.JAIN.get(published_name(curve))
        theirs = [peer.value("fairness", 0.0, curve, "jain", together=t) for t in (True, False)]
        rows.append(
            (
                k.SHORT[curve],
                f"{paper:g}" if paper is not None else "-",
                number(mean(together), 4),
                with_interval(interval(s.values(fairness, "fairness", 0.0, curve), k.LEVEL), 4),
                *(with_interval(t, 4) if t is not None else "-" for t in theirs),
            )
        )
    return Table(
        key="jain",
        title="Jain's index of ten flows",
        columns=(
            "variant",
            "published",
            "ours, together",
            "ours, jittered",
            "ns-2, together",
            "ns-2, jittered",
        ),
        rows=tuple(rows),
        notes=(
            "“Together”: all flows start at 1 s, as in the paper; “jittered”: each up to 1 s later, with 95 % "
            "intervals. The paper ran TCP-Linux (L:).",
        ),
    )


def comparisons(s: Samples) -> list[Comparison]:
    """Hold everything that ns-2 measured against ours, run in the same way."""
    what = {"goodput_kbps": goodput_kbps, "competitor_kbps": _competitor_goodput, "jain": fairness}
    out = []
    for point in peer.points():
        if point.variant == peer.NOT_JUDGED or not s.has(point.experiment, point.x):
            continue
        ours = s.values(
            what[point.quantity],
            point.experiment,
            point.x,
            point.variant,
            timestamps=point.timestamps,
            together=point.together,
        )
        out.append(peer.compare(point, interval(ours, k.LEVEL)))
    return out


def _competitor_goodput(run: list[FlowRow]) -> float:
    return run[1].goodput_bps / 1e3


def agreement(compared: Sequence[Comparison], *, brief: bool = False) -> Table:
    """How many points agree with ns-2; `brief` leaves out where the largest difference is."""
    return tables.agreement(compared, _COMPARED, _where, k.SHORT, brief=brief)


def outside(compared: Sequence[Comparison]) -> tuple[Table | Text, ...]:
    """Each point that does not agree with ns-2, and the causes known."""
    variants = {c.variant for c in compared if c.outcome == DIFFERS}
    causes = [cause for about, cause in peer.CAUSES if variants & about]
    return tables.outside(compared, _name, k.SHORT, causes, 3)


def _name(c: Comparison) -> str:
    return f"{_COMPARED[c.experiment]}{f', {100 * c.x:g} %' if c.x else ''}"


def own_westwood(s: Samples) -> tuple[Table, ...]:
    """ns-2's own Westwood beside ours, and TCPW-I over each."""
    rows = []
    for point in peer.points():
        e, x = point.experiment, point.x
        if (point.variant, point.quantity) != (peer.NOT_JUDGED, "goodput_kbps") or not x or not s.has(e, x):
            continue
        ours = [s.interval(e, x, curve) for curve in ("westwood", "linux-westwood", "tcpw-i", "linux-tcpw-i")]
        rows.append(
            (
                place(e, x) + (", bottleneck" if e in NARROW else ""),
                with_interval(point.value),
                *(with_interval(value) for value in ours),
                number(ours[2].mean / point.value.mean),
                number(ours[3].mean / point.value.mean),
            )
        )
    if not rows:
        return ()
    return (
        Table(
            key="own-westwood",
            title="ns-2's own Westwood beside ours, kb/s",
            columns=(
                "where",
                "ns-2's L:TCPW",
                "TCPW",
                "L:TCPW",
                "TCPW-I",
                "L:TCPW-I",
                "TCPW-I / ns-2's",
                "L:TCPW-I / ns-2's",
            ),
            rows=tuple(rows),
            notes=(
                "ns-2's TCP-Linux never raises the event at which Linux's Westwood sets ssthresh from its "
                "estimate: after a loss ssthresh is half of the window, as Reno's. It is another algorithm than "
                "its paper's, which is what runs here, and is therefore not held against it. The last columns "
                "compare two simulators, and say how far ahead TCPW-I may have looked to who took ns-2's Westwood "
                "for Westwood.",
            ),
        ),
    )


def _where(_experiment: str, x: float) -> str:
    return f"{100 * x:g} %" if x else ""


def points(s: Samples, compared: Sequence[Comparison]) -> list[dict[str, Any]]:
    """One row per point and curve: ours, ns-2's where it has one."""
    against = {(c.experiment, c.x, c.variant): c for c in compared}
    rows = []
    for experiment in EXPERIMENTS:
        for x in s.xs(experiment.key):
            for curve in experiment.curves:
                ours = s.interval(experiment.key, x, curve)
                other = against.get((experiment.key, x, curve))
                runs = s.runs(experiment.key, x, curve)
                rows.append(
                    {
                        "experiment": experiment.key,
                        "place": place(experiment.key, x) or experiment.place,
                        "x": x,
                        "curve": curve,
                        "throughput_kbps": ours.mean,
                        "low_kbps": known(ours.low),
                        "high_kbps": known(ours.high),
                        "n": ours.n,
                        "timeouts": mean([float(run[0].timeouts) for run in runs]),
                        "fast_retransmits": mean([float(run[0].fast_retransmits) for run in runs]),
                        "jain": mean([fairness(run) for run in runs]) if experiment.several else None,
                        "ns2_mean": other.theirs.mean if other else None,
                        "ns2_low": known(other.theirs.low) if other else None,
                        "ns2_high": known(other.theirs.high) if other else None,
                        "agreement": other.outcome if other else None,
                    }
                )
    return rows
