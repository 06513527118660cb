"""The metrics of all criteria. Margins and floors are numbers chosen here (†)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from itertools import pairwise

from ackclock.evaluate.declared import Metric
from ackclock.evaluate.observed import PAYLOAD, Observed
from ackclock.stats.statistics import jain

__all__ = ["CHEAT", "DELAYS", "FAIRNESS", "OTHERS", "WHOLE", "ramp", "recovery", "size_class"]

FAIR_SHARE = 0.1
"""Part of the fair share below which a flow starves (†)."""

BREAKER_S = 5.0
"""Reporting interval of the circuit breaker's monitor, s (†)."""

BREAKER_INTERVALS = 3
"""Consecutive intervals after which the circuit breaker trips (†; RFC 8083 derives it from the RTCP interval)."""


def _loss(flows: str) -> Callable[[Observed], float]:
    """Return a function for the share of the flows' packets that were lost."""

    def of(seen: Observed) -> float:
        group = getattr(seen, flows)
        lost, got = seen.total(group, "lost_packets_total"), seen.total(group, "received_packets")
        return lost / (lost + got) if lost + got > 0 else math.nan

    return of


def _above(flows: str, key: str) -> Callable[[Observed], float]:
    """Return a function for a flow's one-way delay above that of the empty path, s; a mean over the flows."""
    return lambda seen: seen.mean(getattr(seen, flows), key) - seen.case.base_s


def _goodput(flows: str) -> Callable[[Observed], float]:
    """Return a function for the goodput of all flows together, over the longest interval of any of them, bit/s."""

    def of(seen: Observed) -> float:
        group = getattr(seen, flows)
        if not group:
            return math.nan
        longest = max(float(seen.flow(one)["interval_s"]) for one in group)
        return 8 * seen.total(group, "acked_bytes") / longest

    return of


GOODPUT = Metric("goodput_bps", "goodput", "Mb/s", 1e-6, "higher", _goodput("own"))
QUEUE_P50 = Metric(
    "queueing_p50_s", "queueing delay, median", "ms", 1e3, "lower", _above("own", "delay_p50_s"), 0.1, 1e-3
)
QUEUE_P95 = Metric(
    "queueing_p95_s", "queueing delay, 95 %", "ms", 1e3, "lower", _above("own", "delay_p95_s"), 0.1, 1e-3
)
QUEUE_P99 = Metric(
    "queueing_p99_s", "queueing delay, 99 %", "ms", 1e3, "lower", _above("own", "delay_p99_s"), 0.1, 1e-3
)
LOSS = Metric("loss_ratio", "loss", "%", 1e2, "lower", _loss("own"), 0.1, 1e-3)
TIMEOUTS = Metric(
    "timeouts", "timeouts", "", 1.0, "lower", lambda seen: seen.total(seen.own, "timeouts"), 0.1, 1.0
)

WHOLE = (GOODPUT, QUEUE_P95, LOSS)
"""Goodput, delay and loss: no single one tells which control is better (RFC 5166)."""

DELAYS = (QUEUE_P99, QUEUE_P50, GOODPUT, LOSS)

OTHER_GOODPUT = Metric(
    "other_goodput_bps", "others' goodput", "Mb/s", 1e-6, "higher", _goodput("other"), harm="more"
)
OTHER_QUEUE = Metric(
    "other_queueing_p95_s",
    "others' queueing delay, 95 %",
    "ms",
    1e3,
    "lower",
    _above("other", "delay_p95_s"),
    0.1,
    1e-3,
    "less",
)
OTHER_LOSS = Metric("other_loss_ratio", "others' loss", "%", 1e2, "lower", _loss("other"), 0.1, 1e-3, "less")


def _starved(seen: Observed) -> float:
    """Return the longest time for which one of the others has less than `FAIR_SHARE` of a fair share, s."""
    flows = len(seen.own) + len(seen.other)
    least = FAIR_SHARE * seen.case.marks["rate_bps"] * PAYLOAD / flows
    longest = 0.0
    for one in seen.other:
        time = 0.0
        for at, value in seen.series(one):
            below = at >= seen.case.marks.get("from_s", 0.0) and value < least
            time = time + seen.case.bin_s if below else 0.0
            longest = max(longest, time)
    return longest if seen.other else math.nan


STARVED = Metric(
    "starved_s", "longest time under a tenth of the fair share", "s", 1.0, "lower", _starved, 0.1, 1.0
)

OTHERS = (OTHER_GOODPUT, OTHER_QUEUE, OTHER_LOSS, STARVED)
"""Effects on the flows of another control."""


def _jain(seen: Observed) -> float:
    """Return Jain's index of the flows' goodput in the last half of the run."""
    half = seen.duration_s / 2
    each = [sum(value for at, value in seen.series(one) if at >= half) for one in seen.own]
    return jain(each) if any(each) else 0.0


def _ratio(seen: Observed) -> float:
    """Return the least flow's goodput divided by the greatest one's, in the last half of the run."""
    half = seen.duration_s / 2
    each = [sum(value for at, value in seen.series(one) if at >= half) for one in seen.own]
    return min(each) / max(each) if any(each) else 0.0


def _converged(seen: Observed) -> float:
    """Return the time from the last start until Jain's index over 5 s gets to 0.9, s; censored by the run's end."""
    start, wide = seen.case.marks.get("last_start_s", 0.0), max(1, round(5.0 / seen.case.bin_s))
    series = [[value for at, value in seen.series(one) if at >= start] for one in seen.own]
    count = min(map(len, series))
    for i in range(count - wide + 1):
        each = [sum(one[i : i + wide]) for one in series]
        if any(each) and jain(each) >= 0.9:
            return i * seen.case.bin_s
    return seen.duration_s - start


JAIN = Metric("jain", "Jain's index", "", 1.0, "higher", _jain, 0.0, 0.03)
RATIO = Metric("throughput_ratio", "least over greatest goodput", "", 1.0, "higher", _ratio, 0.05, 0.03)
CONVERGED = Metric("converged_s", "time to a Jain's index of 0.9", "s", 1.0, "lower", _converged, 0.1, 1.0)
FAIRNESS = (RATIO, JAIN, CONVERGED, GOODPUT, LOSS)


def recovery(share: float, name: str, title: str, *, until: str = "end_s") -> Metric:
    """Return a metric for the time until goodput gets to a share of what the path has.

    The case's marks have the time of the change (`at_s`), what the path has then (`rate_bps`) and, if goodput is to be
    reached before the end of the run, that time.
    """

    def of(seen: Observed) -> float:
        marks = seen.case.marks
        end = marks.get(until, seen.duration_s)
        wide = max(1, round(max(0.5, marks.get("over_s", 0.5)) / seen.case.bin_s))
        values = [(at, value) for at, value in seen.sums(seen.own) if marks["at_s"] <= at < end]
        for i in range(len(values) - wide + 1):
            got = math.fsum(value for _, value in values[i : i + wide]) / wide
            if got >= share * marks["rate_bps"] * PAYLOAD:
                return values[i + wide - 1][0] + seen.case.bin_s - marks["at_s"]
        return end - marks["at_s"]

    return Metric(name, title, "s", 1.0, "lower", of, 0.1, 0.5)


def ramp(*shares: float) -> tuple[Metric, ...]:
    """Return metrics for the times to several shares of the path's rate."""
    return tuple(
        recovery(share, f"to_{share * 100:.0f}_percent_s", f"time to {share * 100:.0f} % of the rate")
        for share in shares
    )


def size_class(below: int | None, group: str = "fixed") -> Metric:
    """Return the mean slowdown of responses of one class of sizes, `below` bytes; None for all responses."""

    def of(seen: Observed) -> float:
        rows = seen.run.completions.to_polars()
        flows = list(getattr(seen, group))
        kind = "all" if below is None else "class"
        mine = rows.filter(rows["flow"].is_in(flows) & (rows["requests_of"] == kind))
        if below is not None:
            mine = mine.filter(mine["below_bytes"] == below)
        done = [
            (n, v) for n, v in zip(mine["count"], mine["slowdown_mean"], strict=True) if n and v is not None
        ]
        weight = math.fsum(n for n, _ in done)
        return math.fsum(n * v for n, v in done) / weight if weight else math.nan

    said = "" if below is None else f", responses below {below // 1000} kB"
    name = "slowdown" if below is None else f"slowdown_below_{below // 1000}kB"
    return Metric(
        name, f"slowdown{said}", "", 1.0, "lower", of, 0.1, 0.05, "less" if group == "other" else ""
    )


def _completion(key: str) -> Callable[[Observed], float]:
    """Return a function for a completion time of whole queries, or of all requests without queries."""

    def of(seen: Observed) -> float:
        rows = seen.run.completions.to_polars()
        for kind in ("queries", "all"):
            mine = rows.filter((rows["requests_of"] == kind) & rows["flow"].is_in(list(seen.own)))
            if len(mine) and mine[key][0] is not None:
                return float(mine[key][0])
        return math.nan

    return of


QUERY_P50 = Metric(
    "query_p50_s", "completion of queries, median", "ms", 1e3, "lower", _completion("fct_p50_s"), 0.1, 1e-4
)
QUERY_P99 = Metric(
    "query_p99_s", "completion of queries, 99 %", "ms", 1e3, "lower", _completion("fct_p99_s"), 0.1, 1e-4
)

FIXED_GOODPUT = Metric("fixed_goodput_bps", "long flow's goodput", "Mb/s", 1e-6, "higher", _goodput("fixed"))
FIXED_LOSS = Metric(
    "fixed_loss_ratio", "loss of the other traffic", "%", 1e2, "lower", _loss("fixed"), 0.1, 1e-3
)
FIXED_LOST = Metric(
    "fixed_lost_packets",
    "lost packets of the other traffic",
    "",
    1.0,
    "lower",
    lambda seen: seen.total(seen.fixed, "lost_packets_total"),
    0.1,
    10.0,
)
MEDIA_DELAY = Metric(
    "media_queueing_p95_s",
    "media's queueing delay, 95 %",
    "ms",
    1e3,
    "lower",
    _above("fixed", "delay_p95_s"),
    0.1,
    1e-3,
    "less",
)
MEDIA_RATE = Metric("media_rate_bps", "media's rate", "Mb/s", 1e-6, "higher", _goodput("fixed"), harm="more")
MEDIA_LOSS = Metric("media_loss_ratio", "media's loss", "%", 1e2, "lower", _loss("fixed"), 0.1, 1e-3, "less")


def _reactions(cause: str) -> Callable[[Observed], float]:
    """Return a function for the reductions that a sender took for congestion, by their actual cause."""

    def of(seen: Observed) -> float:
        return math.fsum(
            one["count"]
            for flow in seen.own
            for one in seen.flow(flow).get("loss_reactions", ())
            if one["actual_cause"] == cause and one["inferred_cause"] == "congestion"
        )

    return of


SPURIOUS = Metric(
    "spurious_reductions", "reductions without a loss", "", 1.0, "lower", _reactions("not-lost"), 0.1, 2.0
)
MISTAKEN = Metric(
    "mistaken_reductions",
    "random losses taken for congestion",
    "",
    1.0,
    "lower",
    _reactions("random"),
    0.1,
    2.0,
)
MARKED = Metric(
    "marked_packets",
    "marked packets",
    "",
    1.0,
    "lower",
    lambda seen: seen.total(seen.own, "marked_packets"),
    0.1,
    10.0,
)


def _control_bytes(seen: Observed) -> float:
    """Return bytes on the wire in both directions, except new payload, per byte of new payload."""
    back = float(seen.link("bottleneck", reverse=True)["sent_bytes"])
    wire = seen.total(seen.own, "received_bytes") + back
    data = seen.total(seen.own, "acked_bytes")
    return (wire - data) / data if data else math.nan


CONTROL_BYTES = Metric(
    "control_bytes_per_byte", "control bytes per byte of data", "", 1.0, "lower", _control_bytes, 0.05, 0.01
)


def _retries(seen: Observed) -> list[float]:
    """Return the times of bursts that the flow under test sends in the silence, s; packets within 20 ms are one."""
    marks = seen.case.marks
    sent = seen.run.trace("segments").to_polars()
    mine = sent.filter((sent["event"] == "send") & (sent["flow"] == seen.own[0]))
    begin = marks["silent_from_s"] + 0.5
    times = [at for at in mine["time_s"].to_list() if begin <= at < marks["at_s"]]
    return [at for i, at in enumerate(times) if i == 0 or at - times[i - 1] > 0.02]


def _sent_in_silence(seen: Observed) -> float:
    marks = seen.case.marks
    sent = seen.run.trace("segments").to_polars()
    times = sent.filter((sent["event"] == "send") & (sent["flow"] == seen.own[0]))["time_s"]
    return float(((times >= marks["silent_from_s"] + 0.5) & (times < marks["at_s"])).sum())


def _backoff(seen: Observed) -> float:
    """Return the median factor between successive waits of the retransmissions in the silence; 2 is exponential."""
    waits = [b - a for a, b in pairwise(_retries(seen))]
    factors = [b / a for a, b in pairwise(waits)]
    return statistics.median(factors) if factors else math.nan


SILENT_PACKETS = Metric(
    "silent_packets", "packets sent without any feedback", "", 1.0, "lower", _sent_in_silence, 0.1, 2.0
)
BACKOFF = Metric(
    "backoff_factor", "growth of the wait between retries", "", 1.0, "higher", _backoff, 0.1, 0.1
)
SENT_PER_RTT = Metric(
    "sent_per_rtt",
    "packets per flow and round trip",
    "",
    1.0,
    "lower",
    lambda seen: (
        seen.mean(seen.own, "sent_packets") * seen.mean(seen.own, "packet_rtt_mean_s") / seen.duration_s
    ),
    0.1,
    0.1,
)


def _trips(seen: Observed) -> float:
    """Return how often a circuit breaker trips, summed over the flows.

    The monitor follows RFC 8083, section 4.3. An interval is bad if the flow sends more than ten times the rate of the
    simple TCP equation for the interval's loss, and each third bad interval in a row is a trip.
    """
    per = max(1, round(BREAKER_S / seen.case.bin_s))
    found = 0
    for flow in seen.own:
        trip_s = seen.mean([flow], "packet_rtt_mean_s")
        rows = list(
            zip(
                seen.series(flow, "sent_bytes"),
                seen.series(flow, "lost_packets_total"),
                seen.series(flow, "received_packets"),
                strict=True,
            )
        )
        bad = 0
        for i in range(0, len(rows) - per + 1, per):
            some = rows[i : i + per]
            sent, lost, got = (math.fsum(float(row[k][1] or 0) for row in some) for k in range(3))
            ratio = lost / (lost + got) if lost + got else 0.0
            allowed = math.inf if ratio == 0 else 1448 / (trip_s * math.sqrt(2 * ratio / 3))
            bad = bad + 1 if sent / (per * seen.case.bin_s) > 10 * allowed else 0
            found += bad > 0 and bad % BREAKER_INTERVALS == 0
    return float(found)


TRIPS = Metric("breaker_trips", "trips of the circuit breaker", "", 1.0, "lower", _trips, 0.0, 0.5)


def _received(seen: Observed, flow: int) -> float:
    """Return the payload that a flow's destination got, each byte once, per second, bit/s."""
    row = seen.flow(flow)
    return 8 * float(row["delivered_bytes"]) / float(row["interval_s"])


def _gain(seen: Observed) -> float:
    """Return the rate of the first flow, divided by that of the second; NaN if the second gets nothing."""
    cheat, honest = (_received(seen, one) for one in seen.own)
    return cheat / honest if honest else math.nan


def _lacks(seen: Observed) -> float:
    """Return the part of the link's payload rate that the second flow lacks."""
    return max(0.0, 1 - _received(seen, seen.own[1]) / (seen.case.marks["rate_bps"] * PAYLOAD))


CHEAT = (
    Metric("gain_ratio", "cheater's gain", "", 1.0, "lower", _gain, 0.1, 0.1),
    Metric(
        "honest_goodput_bps",
        "honest goodput",
        "Mb/s",
        1e-6,
        "higher",
        lambda seen: _received(seen, seen.own[1]),
    ),
    Metric("honest_harm", "harm to the honest flow", "", 1.0, "lower", _lacks, 0.05, 0.02),
    Metric(
        "cheat_goodput_bps",
        "cheater's goodput",
        "Mb/s",
        1e-6,
        "lower",
        lambda seen: _received(seen, seen.own[0]),
    ),
    LOSS,
)
"""Gain of a flow whose receiver misbehaves, and what the honest flow beside it loses."""
