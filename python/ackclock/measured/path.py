"""Estimates of a path from a transfer over it: rate, propagation delay, buffer and random loss.

Every estimate has an interval and states the observations behind it. An interval without an upper end is a lower bound.
If the transfer does not show a quantity, its estimate has no value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats as distributions
from scipy.ndimage import median_filter

from ackclock.measured.observed import Numbers, Observed
from ackclock.stats.statistics import ratio_of_means

LEVEL: Final = 0.95
"""Confidence level of the intervals."""

BLOCKS: Final = 20
"""Number of equal time intervals; the least round-trip time of each is a sample for the base round-trip time."""

WINDOW_PACKETS: Final = 50
"""Least number of packets in a window from which a delivery rate is computed."""

LEAST_WINDOWS: Final = 4
"""Least number of windows from which the rate of a busy link is estimated."""

LEAST_PAIRS: Final = 10
"""Least number of gaps between deliveries from which the rate is estimated, for packets that were sent together."""

TOGETHER: Final = 0.1
"""Greatest gap between two packets sent together, as a share of the gap between their deliveries."""

BUSY_PACKETS: Final = 2.0
"""Queueing delay, in transmission times of a packet, up to which a link does not count as busy."""

FULL_PACKETS: Final = 1.5
"""A queue counts as full if its delay is at most this far below a full queue's, in transmission times of a packet, or
by the fraction `NEAR_FULL` below it."""

SHORT_PACKETS: Final = 8
"""Length, packets, below which the longest queue seen is too short to tell losses by overflow from random losses."""

HEADER: Final = 48
"""Size of a packet without payload, bytes, for transmission times of handshakes and acknowledgments."""

NEAR_FULL: Final = 0.1
"""Distance below a full queue's delay within which a queue counts as full, as a share of that delay."""

HIGH: Final = 0.7
"""Least queueing delay of a full queue, as a share of the longest queueing delay."""

LONG: Final = 0.98
"""Quantile of the queueing delays that is tried as a full queue's delay; longer delays may be disturbances."""

SMOOTHED: Final = 3
"""Number of successive round-trip times in the moving median of the queueing delay; it hides single late packets."""

CHANCE: Final = 0.01
"""Significance level at which losses are attributed to a full queue rather than to chance."""


@dataclass(frozen=True)
class Estimate:
    """An estimate of one quantity of a path.

    Attributes:
        value: The estimate; None if the transfer does not show the quantity.
        low: Lower end of the interval; None if there is none.
        high: Upper end of the interval; None if there is none.
        basis: Observations behind the estimate, or the reason why there is none.
    """

    value: float | None
    low: float | None
    high: float | None
    basis: str


@dataclass(frozen=True)
class Path:
    """Path parameters estimated from one transfer.

    Attributes:
        flow: Name of the flow.
        segment_bytes: Payload of a full packet, bytes.
        packet_bytes: Size of a full packet on the wire, bytes.
        rate_bps: Rate of the bottleneck, bit/s, headers included.
        rtt_s: Round-trip time without queueing and without the transmission of packets, seconds.
        buffer_bytes: Buffer of the bottleneck, bytes, with the packet in transmission.
        loss: Probability that a packet is lost at random.
        overflow_packets: Number of losses attributed to a full buffer.
        random_packets: Number of losses attributed to chance.
    """

    flow: str
    segment_bytes: int
    packet_bytes: float
    rate_bps: Estimate
    rtt_s: Estimate
    buffer_bytes: Estimate
    loss: Estimate
    overflow_packets: int
    random_packets: int


def fit(seen: Observed) -> Path:
    """Return the path estimated from a transfer."""
    least = None if seen.base is None or not len(seen.rtt) else min(seen.base, float(seen.rtt.min()))
    rate = _rate(seen, least)
    base = _base(seen, rate.value)
    buffer, loss, full = _queue(seen, rate.value)
    lost = len(seen.lost)
    return Path(
        seen.name,
        seen.segment,
        seen.wire,
        _with_lost(rate, seen, lost - full),
        base,
        buffer,
        loss,
        full,
        lost - full,
    )


def _with_lost(rate: Estimate, seen: Observed, by_chance: int) -> Estimate:
    """Return the rate corrected for random losses, which may have happened before or after the bottleneck."""
    if rate.value is None or rate.high is None or not by_chance:
        return rate
    share = by_chance / max(len(seen.sent), 1)
    return replace(rate, value=rate.value / (1 - share / 2), high=rate.high / (1 - share))


def _rate(seen: Observed, least: float | None) -> Estimate:
    """Estimate the rate of the bottleneck from busy windows or packets sent together; otherwise bound it below."""
    pairs = _pairs(seen)
    busy = _busy_windows(seen, least, pairs)
    bits = [8 * amount for amount, _ in busy]
    seconds = [duration for _, duration in busy]
    if len(busy) >= LEAST_WINDOWS:
        ratio = ratio_of_means(bits, seconds)
        found = ratio.interval(LEVEL)
        # Each end of a window is known only to within one packet, which matters if there are few windows.
        unit = 8 * 2 * seen.wire / sum(seconds)
        half = max((found.high - found.low) / 2, unit)
        packets = sum(bits) / 8 / seen.wire
        return Estimate(
            found.mean,
            found.mean - half,
            found.mean + half,
            f"deliveries while packets queued: {packets:,.0f} packets in {sum(seconds):.3g} s",
        )
    if len(pairs) >= LEAST_PAIRS:
        low, high = _median_interval(pairs)
        return Estimate(
            float(np.median(pairs)),
            low,
            high,
            f"spacing of {len(pairs):,} acknowledgments of packets sent together",
        )
    highest = max((8 * amount / duration for amount, duration in _windows(seen, 0.0, math.inf)), default=None)
    return Estimate(
        None,
        highest,
        None,
        "the link was never busy, and no packets were sent together: a lower bound, if any",
    )


def _pairs(seen: Observed) -> Numbers:
    """Return the sorted rates, bit/s, of pairs of deliveries whose packets were sent together."""
    gaps, amounts = np.diff(seen.arrived), seen.amount[1:]
    apart = np.diff(seen.released)
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = np.abs(seen.advance[1:] - amounts) < 1.0  # no packet is missing between them
        kept = (gaps > 1e-6) & (apart >= 0) & (apart < TOGETHER * gaps) & (amounts <= 4 * seen.wire) & whole
        rates = 8 * amounts[kept] / gaps[kept]
    return np.sort(rates)


def _median_interval(values: Numbers) -> tuple[float, float]:
    """Return the confidence interval of the median of sorted values, by order statistics."""
    n = len(values)
    low = int(distributions.binom.ppf((1 - LEVEL) / 2, n, 0.5))
    return float(values[max(low - 1, 0)]), float(values[min(n - low, n - 1)])


def _busy_windows(seen: Observed, least: float | None, pairs: Numbers) -> list[tuple[float, float]]:
    """Return bytes and duration of windows during which the bottleneck was busy throughout."""
    if least is None or not len(seen.rtt):
        return []
    rough = float(np.median(pairs)) if len(pairs) >= LEAST_PAIRS else None
    if rough is None:
        every = [8 * amount / duration for amount, duration in _windows(seen, 0.0, math.inf)]
        if not every:
            return []
        rough = float(np.median(every))
    slack = max(BUSY_PACKETS * 8 * seen.wire / rough, 0.02 * least)
    return [window for begin, end in _spans(seen, least + slack) for window in _windows(seen, begin, end)]


def _spans(seen: Observed, base: float) -> list[tuple[float, float]]:
    """Return the intervals of delivery times in which the bottleneck sent without a pause, outside of repairs.

    A packet that waited q seconds in the queue shows that the link was busy during the q seconds before its delivery.
    """
    ends = seen.rtt_sent + seen.rtt
    begins = ends - (seen.rtt - base)
    waited = begins < ends
    order = np.argsort(begins[waited], kind="stable")
    spans: list[tuple[float, float]] = []
    for begin, end in zip(begins[waited][order], ends[waited][order], strict=True):
        if spans and begin <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], float(end)))
        else:
            spans.append((float(begin), float(end)))
    for low, high in seen.repairs:
        spans = [
            part
            for one, other in spans
            for part in ((one, min(other, low)), (max(one, high), other))
            if part[1] > part[0]
        ]
    return spans


def _windows(seen: Observed, begin: float, end: float) -> list[tuple[float, float]]:
    """Return bytes and duration of successive windows between two times, each with `WINDOW_PACKETS` packets or more."""
    inside = (seen.arrived >= begin) & (seen.arrived <= end)
    times, amounts = seen.arrived[inside], seen.amount[inside]
    if len(times) < 2:
        return []
    total = np.cumsum(amounts) - amounts[0]
    found: list[tuple[float, float]] = []
    first = 0
    while True:
        last = int(np.searchsorted(total, total[first] + WINDOW_PACKETS * seen.wire))
        if last >= len(times):
            return found
        if times[last] > times[first]:
            found.append((float(total[last] - total[first]), float(times[last] - times[first])))
        first = last


def _base(seen: Observed, rate: float | None) -> Estimate:
    """Estimate the round-trip time without queueing from the minima of time blocks and from the handshake."""
    # The transmission time of a packet is subtracted. That of an ACK is not, since the rate of the return path is
    # unknown.
    per_byte = 0.0 if rate is None else 8 / rate
    minima = [] if seen.handshake is None else [seen.handshake - HEADER * per_byte]
    if len(seen.rtt):
        begin, end = float(seen.rtt_sent.min()), float(seen.rtt_sent.max())
        first = seen.rtt_sent <= begin + float(seen.rtt.min())
        edges = np.linspace(begin, end, BLOCKS + 1)
        block = np.clip(np.searchsorted(edges, seen.rtt_sent, side="right"), 1, BLOCKS)
        block[first] = 0
        some = [seen.rtt[block == i] for i in range(BLOCKS + 1)]
        minima += [float(values.min()) - seen.wire * per_byte for values in some if len(values)]
    if not minima:
        return Estimate(
            None, None, None, "no round-trip time is known: neither a handshake nor acknowledgments"
        )
    least, *others = sorted(minima)
    if not others:
        return Estimate(least, None, least, "a single round-trip time: an upper bound")
    # Robson and Whitlock (1964) bound the end of a distribution by its two least values.
    low = least - (others[0] - least) * LEVEL / (1 - LEVEL) - HEADER * per_byte
    return Estimate(least, max(0.0, low), least, f"least round-trip times of {len(minima)} stretches of time")


@dataclass(frozen=True)
class _Queueing:
    """Queueing delays of a transfer, and the losses among them.

    Attributes:
        at: Times at which packets were sent.
        delay: Their queueing delays.
        longest: Longest queueing delay (the quantile 0.998, to leave out disturbances).
        limit: Queueing delay from which the queue counts as full; None if no loss shows a full queue.
        share: Share of the packets that met a full queue.
        full: For each loss, true if the queue was full.
    """

    at: Numbers
    delay: Numbers
    longest: float
    limit: float | None
    share: float
    full: NDArray[np.bool_]


def _queueing(seen: Observed, base: float, own: float) -> _Queueing:
    """Return the queueing delays, and the losses at a full queue, unless random losses would explain as many."""
    order = np.argsort(seen.rtt_sent, kind="stable")
    at, delay = seen.rtt_sent[order], median_filter((seen.rtt - base)[order], SMOOTHED, mode="nearest")
    sent, lost = np.interp(seen.sent, at, delay), np.interp(seen.lost, at, delay)
    best = _Queueing(at, delay, float(np.quantile(delay, 0.998)), None, 0.0, np.zeros(len(lost), dtype=bool))
    levels = (
        {float(np.quantile(delay, LONG)), *(float(x) for x in np.quantile(lost, [0.5, 0.75, 0.9]))}
        if len(lost)
        else ()
    )
    least = CHANCE / max(1, len(levels))
    for level in sorted(levels):
        limit = level - max(NEAR_FULL * level, FULL_PACKETS * own)
        if limit <= 0 or level < HIGH * best.longest:
            continue
        share, full = float(np.mean(sent >= limit)), lost >= limit
        # If losses were random, the share of losses at a full queue would be the share of packets sent at a full queue.
        chance = float(distributions.binom.sf(full.sum() - 1, len(lost), min(1.0, share)))
        if chance <= least:
            least = chance
            best = replace(best, limit=limit, share=share, full=full)
    return best


def _queue(seen: Observed, rate: float | None) -> tuple[Estimate, Estimate, int]:
    """Estimate buffer and random loss; return them with the number of losses at a full buffer."""
    packets, lost = len(seen.sent), len(seen.lost)
    if seen.base is None or len(seen.rtt) < SMOOTHED:
        unknown = Estimate(None, None, None, "without round-trip times queueing cannot be seen")
        return unknown, _at_most(lost, packets, "overflow and chance cannot be told apart"), 0
    base = min(seen.base, float(seen.rtt.min()))
    own = 0.0 if rate is None else 8 * seen.wire / rate
    queueing = _queueing(seen, base, own)
    if rate is None:
        unknown = Estimate(None, None, None, "without a rate the buffer cannot be told")
        return unknown, _share(lost, packets, f"{lost} losses, at any queue length"), 0
    reached = max(0.0, queueing.longest * rate / 8)
    short = reached < SHORT_PACKETS * seen.wire
    unclear = _at_most(lost, packets, "the queue was too short to tell overflow from chance")
    if queueing.limit is None:
        buffer = Estimate(None, reached, None, "no loss shows a full buffer: it holds the longest queue seen")
        return buffer, unclear if short else _share(lost, packets, f"{lost} losses, at any queue length"), 0
    # Losses within one base round-trip time of a loss at a full queue also count as overflow.
    full = np.sort(seen.lost[queueing.full])
    near = _within(seen.lost, full, base)
    at_full = int(near.sum())
    by_chance = lost - at_full
    room = max(int((~_within(seen.sent, full, base)).sum()), by_chance)
    loss = _share(by_chance, room, f"{by_chance} losses while the queue was not full")
    peaks = [_around(queueing, full[one], base) for one in _episodes(full, base + queueing.longest)]
    sizes = np.array(peaks) * rate / 8 + seen.wire
    least = float(np.quantile(np.interp(full, queueing.at, queueing.delay), (1 - LEVEL) / 2)) * rate / 8
    buffer = Estimate(
        float(np.median(sizes)),
        max(0.0, min(least, float(sizes.min()) - seen.wire)),
        float(sizes.max()) + seen.wire,
        f"queueing delay at {at_full} losses, {len(peaks)} times",
    )
    return buffer, unclear if short else loss, at_full


def _within(times: Numbers, marks: Numbers, span: float) -> NDArray[np.bool_]:
    """Return for each time whether any of the sorted `marks` is within `span` seconds of it."""
    after = np.searchsorted(marks, times - span)
    before = np.searchsorted(marks, times + span, side="right")
    return before > after


def _episodes(lost: Numbers, apart: float) -> list[slice]:
    """Return slices that group losses; a gap of more than `apart` seconds begins a new group."""
    begins = [0, *(int(i) + 1 for i in np.flatnonzero(np.diff(lost) > apart))]
    return [slice(a, b) for a, b in zip(begins, [*begins[1:], len(lost)], strict=True)]


def _around(queueing: _Queueing, lost: Numbers, base: float) -> float:
    """Return the longest queueing delay within half a round-trip time of the given losses."""
    at, delay = queueing.at, queueing.delay
    near = (at >= lost[0] - base / 2) & (at <= lost[-1] + base / 2)
    return float(delay[near].max()) if near.any() else float(np.interp(lost[0], at, delay))


def _at_most(events: int, n: int, why: str) -> Estimate:
    """Return an upper bound of the probability of random loss, if overflow may have caused some of the `events`."""
    found = _share(events, n, "")
    return Estimate(None if events else found.value, 0.0, found.high, f"{events} losses; {why}")


def _share(events: int, n: int, basis: str) -> Estimate:
    """Return the share of `events` in `n` with its exact (Clopper-Pearson) interval."""
    if n == 0:
        return Estimate(None, None, None, "no packets")
    found = distributions.binomtest(min(events, n), n).proportion_ci(LEVEL, method="exact")
    return Estimate(events / n, float(found.low), float(found.high), basis)
