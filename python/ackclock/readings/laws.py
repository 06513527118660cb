"""Laws that printed numbers must obey: counts and rates, serialisation times, Little's law, capacity, and ranges."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ackclock.readings.finding import HEADERS, USUAL_RATES, Finding, count, listed
from ackclock.readings.published import Number, Published
from ackclock.readings.units import BITS_PER_BYTE
from ackclock.readings.whole import Fit, is_plain

NEAR = 0.01
"""Relative distance within which a rate counts as near to a usual one."""

AGREE = 0.005
"""Relative distance within which intervals from several settings are said to agree."""

MOST_SETTINGS = 6
"""Maximum number of settings whose headers are combined."""

MULTIPLES = 200
"""Largest multiple of a serialisation time that is tried."""


def at_settings(published: Published) -> dict[tuple[object, ...], dict[str, Number]]:
    """Return the published numbers by settings and flow, then by quantity; changes are left out."""
    found: dict[tuple[object, ...], dict[str, Number]] = defaultdict(dict)
    for one in published.numbers:
        if is_plain(one):
            found[(one.settings, one.flow)].setdefault(one.quantity.name, one)
    return found


def intervals(published: Published) -> Iterator[Finding]:
    """Yield the interval over which throughputs and packet counts agree, and the headers that they count."""
    size = next((round(one.base) for one in published.stating("packet size")), None)
    both = [
        (rows["throughput"], rows["packets"])
        for rows in at_settings(published).values()
        if "throughput" in rows
        and "packets" in rows
        and not rows["throughput"].bound
        and not rows["packets"].bound
    ][:MOST_SETTINGS]
    if not both or size is None:
        return
    best = _agreeing([rate.base for rate, _ in both], [packets.base for _, packets in both], size)
    times = best[1]
    middle = sum(times) / len(times)
    sizes = listed([f"{size + header} B" for header in best[0]])
    if len(both) == 1:
        yield Finding(
            "interval",
            f"{both[0][1]} of {size} bytes at {both[0][0]} take {middle:.2f} s.",
            {"interval_s": middle, "sizes": [size]},
        )
    elif best[2] <= AGREE:
        same = _agreeing([r.base for r, _ in both], [p.base for _, p in both], size, same=True)
        chance = _as_close(both, size, best[2])
        rows = listed([rate.name.partition("(")[2].rstrip(")") or f"line {rate.line}" for rate, _ in both])
        yield Finding(
            "interval",
            f"Packets and throughputs of {rows} agree over {middle:.2f} s ({min(times):.2f} to {max(times):.2f} s, "
            f"{100 * best[2]:.2g} % apart) if their packets have {sizes}. With equal sizes they are "
            f"{100 * same[2]:.2g} % apart. Rates moved at random by up to 10 % agree as well in {100 * chance:.2g} % "
            "of cases.",
            {"interval_s": middle, "sizes": [size + one for one in best[0]], "apart": best[2]},
            chance,
        )
    else:
        yield Finding(
            "contradiction",
            f"Packets and throughputs do not agree on an interval: with packets of {sizes} they ask for "
            f"{listed([f'{one:.2f}' for one in times])} s.",
            {"times_s": list(times)},
        )
    yield from _beside_durations(published, middle)


def _agreeing(
    rates: Sequence[float], packets: Sequence[float], size: int, *, same: bool = False
) -> tuple[tuple[int, ...], tuple[float, ...], float]:
    """Return the headers for which the intervals of all rows agree best, the intervals, and their relative spread."""
    choices = [(one,) * len(rates) for one in HEADERS]
    if not same:
        choices = list(itertools.product(HEADERS, repeat=len(rates)))
    best: tuple[tuple[int, ...], tuple[float, ...], float] | None = None
    for headers in choices:
        times = tuple(
            n * (size + header) * BITS_PER_BYTE / rate
            for rate, n, header in zip(rates, packets, headers, strict=True)
        )
        apart = max(times) / min(times) - 1
        if best is None or apart < best[2]:
            best = (headers, times, apart)
    assert best is not None
    return best


def _as_close(both: Sequence[tuple[Number, Number]], size: int, apart: float) -> float:
    """Return the share of cases in which rates changed by up to 10 % agree as well; the changes form an even grid."""
    steps, close, tried = 101, 0, 0
    packets = [number.base for _, number in both]
    for i in range(steps):
        moved = [
            rate.base
            * (0.9 + 0.2 * (((i + 0.5) / steps * (1 if k == 1 else math.sqrt(k + 1))) % 1.0) if k else 1.0)
            for k, (rate, _) in enumerate(both)
        ]
        tried += 1
        close += _agreeing(moved, packets, size)[2] <= apart
    return close / tried


def _beside_durations(published: Published, interval_s: float) -> Iterator[Finding]:
    """Compare the interval with the stated durations."""
    for one in published.stating("duration"):
        if one.base < interval_s * (1 - NEAR):
            yield Finding(
                "contradiction",
                f"The stated duration of {one} is shorter than the interval of {interval_s:.2f} s.",
                {"stated_s": one.base, "interval_s": interval_s},
            )
        elif one.base > interval_s * (1 + NEAR):
            yield Finding(
                "interval",
                f"If the run ends at {one}, the interval begins at {one.base - interval_s:.2f} s.",
                {"start_s": one.base - interval_s},
            )


def serialisation(published: Published, fits: Sequence[Fit]) -> Iterator[Finding]:
    """Yield the delays and jitters that are multiples of a serialisation time, and the rate that a jitter implies."""
    sizes = [one.size for one in fits[:3]] or [round(one.base) for one in published.stating("packet size")]
    stated = [one.base for one in published.stating("link rate")]
    for one in published.numbers:
        if one.quantity.name not in ("delay", "jitter") or one.bound or not is_plain(one) or one.base <= 0:
            continue
        yield from _multiples(one, sizes, stated or [1e6 * rate for rate in USUAL_RATES])
        if one.quantity.name == "jitter":
            yield from _implied(one, sizes, stated)


def _multiples(number: Number, sizes: Sequence[int], rates: Sequence[float]) -> Iterator[Finding]:
    expected = 0.0
    found: list[tuple[int, int, int, float]] = []
    for size, header, rate in itertools.product(sizes, HEADERS, rates):
        one_s = BITS_PER_BYTE * (size + header) / rate
        times = round(number.base / one_s)
        if not 1 <= times <= MULTIPLES:
            continue
        expected += min(1.0, 2 * number.base_half / one_s)
        if abs(number.base - times * one_s) <= number.base_half:
            found.append((times, size, header, rate))
    if not found or expected >= len(found):
        return
    times, size, header, rate = found[0]
    said = "the" if times == 1 else f"{times} times the"
    yield Finding(
        "serialisation",
        f"The {number.name} of {number} is {said} time that {size} + {header} bytes take at {rate / 1e6:g} Mb/s. "
        f"By chance {count(expected)} combinations would fit, and {len(found)} fit.",
        {"times": times, "size": size, "header": header, "rate_bps": rate},
        expected,
    )


def _implied(number: Number, sizes: Sequence[int], stated: Sequence[float]) -> Iterator[Finding]:
    """Yield a finding if sending one packet in the time of a jitter takes about a usual link rate."""
    per_fold = len(USUAL_RATES) / math.log(USUAL_RATES[-1] / USUAL_RATES[0])
    for size in sizes[:1]:
        wire = size + 40
        rate = BITS_PER_BYTE * wire / number.base
        near = min(USUAL_RATES, key=lambda one: abs(math.log(1e6 * one / rate)))
        off = abs(1e6 * near / rate - 1)
        if off <= NEAR:
            yield Finding(
                "serialisation",
                f"One packet of {size} + 40 bytes per {number} is {rate / 1e6:.4g} Mb/s, within {100 * off:.2g} % of "
                f"{near:g} Mb/s. A rate drawn at random is as near to a usual one with a probability of "
                f"{count(2 * off * per_fold)}.",
                {"rate_bps": rate, "near_bps": 1e6 * near},
                2 * off * per_fold,
            )
        for other in stated:
            if abs(other / rate - 1) > 0.1:
                yield Finding(
                    "contradiction",
                    f"At the stated {other / 1e6:g} Mb/s, a saturated link sends such a packet every "
                    f"{1e3 * BITS_PER_BYTE * wire / other:.3g} ms, and the {number.name} is {number}.",
                    {"stated_bps": other, "implied_bps": rate},
                )


def in_flight(published: Published, fits: Sequence[Fit]) -> Iterator[Finding]:
    """Yield the data in flight by Little's law, beside the stated windows."""
    sizes = [one.size for one in fits[:1]] or [round(one.base) for one in published.stating("packet size")]
    windows = published.stating("window")
    flows = max((one.base for one in published.stating("flows")), default=1.0)
    for rows in at_settings(published).values():
        if "throughput" not in rows or "delay" not in rows:
            continue
        rate, delay = rows["throughput"], rows["delay"]
        if rate.bound or delay.bound:
            continue
        inside = rate.base * delay.base / BITS_PER_BYTE
        packets = f", which are {inside / sizes[0]:.0f} packets of {sizes[0]} bytes" if sizes else ""
        yield Finding(
            "in flight",
            f"By Little's law, {rate} with a delay of {delay} keep {inside / 1e3:.4g} kB on the way{packets}.",
            {"bytes": inside, "packets": inside / sizes[0] if sizes else None},
        )
        if windows and sizes and inside / sizes[0] > windows[0].base * flows * 1.1:
            yield Finding(
                "contradiction",
                f"Windows of {windows[0]} allow {windows[0].base * flows:g} packets on the way, not "
                f"{inside / sizes[0]:.0f}.",
                {"packets": inside / sizes[0], "allowed": windows[0].base * flows},
            )


def impossible(published: Published) -> Iterator[Finding]:
    """Yield the numbers that contradict each other, the stated capacity, or the range of their quantity."""
    rate = max((one.base for one in published.stating("link rate")), default=math.inf)
    for one in published.numbers:
        name, least, most = one.quantity.name, one.base - one.base_half, one.base + one.base_half
        if name == "throughput" and is_plain(one) and least > rate:
            yield _contradiction(
                f"A {one.name} of {one} exceeds the stated link rate of {rate / 1e6:g} Mb/s."
            )
        if name in ("loss", "fairness", "utilisation") and is_plain(one) and (least > 1 or most < 0):
            yield _contradiction(f"A {one.name} of {one} is not between 0 and 1.")
    for rows in at_settings(published).values():
        if "delay" in rows and "rtt" in rows:
            delay, rtt = rows["delay"], rows["rtt"]
            if (
                delay.bound != "<"
                and rtt.bound != ">"
                and delay.base - delay.base_half > rtt.base + rtt.base_half
            ):
                yield _contradiction(
                    f"A one-way {delay.name} of {delay} cannot exceed the round trip of {rtt}."
                )
        if "drops" in rows and "packets" in rows and "loss" in rows:
            yield from _counted_loss(rows)


def _counted_loss(rows: dict[str, Number]) -> Iterator[Finding]:
    """Yield a contradiction if a loss ratio fits its counts with neither denominator, packets or packets and drops."""
    lost, packets, loss = (rows[name] for name in ("drops", "packets", "loss"))
    if lost.bound or packets.bound or loss.bound or packets.base <= 0:
        return
    ratios = (lost.base / packets.base, lost.base / (packets.base + lost.base))
    slack = loss.base_half + lost.base_half / packets.base + lost.base * packets.base_half / packets.base**2
    if min(abs(one - loss.base) for one in ratios) > slack:
        yield _contradiction(
            f"{lost} of {packets} are a loss of {100 * ratios[1]:.4g} or {100 * ratios[0]:.4g} %, and the "
            f"{loss.name} is {loss}."
        )


def _contradiction(text: str) -> Finding:
    return Finding("contradiction", text)
