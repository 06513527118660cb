"""Throughputs that are a whole number of packets, and losses that are ratios of small integers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ackclock.readings.finding import USUAL_SIZES, Finding, count, listed
from ackclock.readings.published import Number, Published
from ackclock.readings.units import BITS_PER_BYTE

MOST_DURATION_S: Final = 1000
"""Longest duration that is tried if the file states none, seconds; every whole second is tried."""

CERTAIN: Final = 0.5
"""Chance that random digits are a whole number of packets, above which a printed number cannot tell."""

MOST_LOST: Final = 50
"""Largest number of lost packets that is tried as the numerator of a loss ratio."""

TYPICAL_SIZE: Final = 1000
"""Packet size that is named first among equivalent ones if the file states none, bytes; ns-2's default."""

MOST_COUNTS: Final = 8
"""Maximum number of packet counts in a sentence."""

SHOWN: Final = 3
"""Maximum number of findings of one kind that are written out."""


@dataclass(frozen=True)
class Fit:
    """A packet size and a duration that make throughputs whole numbers of packets."""

    size: int
    duration_s: float
    packets: tuple[int, ...]
    """Number of packets of each throughput that is precise enough (see `told`)."""
    chance: float
    """Probability that throughputs with random digits would be whole numbers of packets, too."""
    is_cut: bool = False
    """True if the numbers were cut off after their last digit instead of rounded."""


Printed: TypeAlias = Sequence[tuple[float, float]]
"""Rates with half a unit of their last digit, bit/s."""


def told(rates: Printed, size: int, duration_s: float) -> tuple[list[tuple[float, float]], float]:
    """Return packets and tolerance of each rate that is precise enough to tell whether its packets are whole.

    The second value is the probability that random digits would give whole packets for all of these rates.
    """
    scale = duration_s / (BITS_PER_BYTE * size)
    clear = [(rate * scale, half * scale) for rate, half in rates if 2 * half * scale < CERTAIN]
    return clear, math.prod(2 * half for _, half in clear)


def fits(rates: Printed, sizes: Sequence[int], durations: Sequence[float]) -> tuple[list[Fit], float]:
    """Return the sizes and durations that make all precise rates whole packets, and how many fits chance would give.

    A script may round its numbers, or cut them off after the last digit; both are tried.
    """
    found: list[Fit] = []
    expected = 0.0
    for size, duration in itertools.product(sizes, durations):
        clear, chance = told(rates, size, duration)
        if not clear:
            continue
        expected += 2 * chance
        for is_cut in (False, True):
            packets = _whole_counts(clear, is_cut)
            if packets:
                found.append(Fit(size, duration, packets, 2 * chance, is_cut))
                break
    return found, expected


def _whole_counts(clear: Printed, is_cut: bool) -> tuple[int, ...]:
    """Return the whole numbers of packets; empty if one is not whole."""
    found: list[int] = []
    for packets, half in clear:
        value = packets + half if is_cut else packets
        whole = round(value)
        if abs(value - whole) > half:
            return ()
        found.append(whole)
    return tuple(found)


def distinct(numbers: Sequence[Number]) -> list[Number]:
    """Return the throughputs with different values, without bounds and changes."""
    found = {one.base: one for one in numbers if not one.bound and one.base > 0 and is_plain(one)}
    return list(found.values())


def is_plain(number: Number) -> bool:
    """Return true unless a number is a change between two settings."""
    return not any(" to " in value for _, value in number.settings)


def sizes_of(published: Published) -> list[int]:
    """Return the stated packet sizes, then those that are usual, bytes."""
    stated = [round(one.base) for one in published.stating("packet size")]
    return list(dict.fromkeys([*stated, *USUAL_SIZES]))


def throughputs(published: Published) -> list[Number]:
    """Return the published throughputs."""
    return [one for one in published.numbers if one.quantity.name == "throughput"]


def whole_packets(published: Published) -> tuple[list[Finding], list[Fit]]:
    """Return the findings on whole numbers of packets, and the fits behind them."""
    numbers = distinct(throughputs(published))
    if not numbers:
        return [], []
    stated = [one.base for one in published.stating("duration")]
    durations = stated or [float(s) for s in range(1, MOST_DURATION_S + 1)]
    sizes = sizes_of(published)
    over = f"{listed([f'{one:g}' for one in stated])} s" if stated else f"1 to {MOST_DURATION_S} s"
    asked = f"{len(sizes)} packet sizes over {over}"
    values = {"tried": len(sizes) * len(durations)}
    rates = [(one.base, one.base_half) for one in numbers]
    if not any(told(rates, size, s)[0] for size in sizes for s in durations):
        text = f"The throughputs have too few digits to tell whole numbers of packets ({asked})."
        return [Finding("whole packets", text, values)], []
    found, expected = fits(rates, sizes, durations)
    if not found:
        text = (
            f"No packet size makes every throughput a whole number of packets ({asked} were tried, and "
            f"{count(expected)} would fit by chance)."
        )
        return [Finding("whole packets", text, values, expected)], []
    stated_sizes = [round(one.base) for one in published.stating("packet size")]
    groups = _alike(found, stated_sizes[0] if stated_sizes else TYPICAL_SIZE)
    chance = f"Of {asked}, {count(expected)} would fit by chance; this many fit: {len(groups)}."
    return [_whole(numbers, some, chance, expected, values) for some in groups[:SHOWN]], [
        some[0] for some in groups
    ]


def _alike(found: Sequence[Fit], size: int) -> list[list[Fit]]:
    """Return fits in groups of equal packet counts, each with the one nearest to `size` first.

    Multiples of other counts are left out, since every multiple of a duration fits as well.
    """
    groups: dict[tuple[int, ...], list[Fit]] = {}
    for one in sorted(found, key=lambda one: (one.packets, abs(one.size - size))):
        low = next((n for n in groups if one.packets[0] % n[0] == 0 and one.packets != n), None)
        if low is None or any(
            n * (one.packets[0] // low[0]) != m for n, m in zip(low, one.packets, strict=False)
        ):
            groups.setdefault(one.packets, []).append(one)
    return sorted(groups.values(), key=lambda some: some[0].chance)


def _whole(
    numbers: Sequence[Number], alike: Sequence[Fit], chance: str, expected: float, values: dict[str, int]
) -> Finding:
    one = alike[0]
    counts = [str(n) for n in one.packets[:MOST_COUNTS]]
    more = len(one.packets) - len(counts)
    packets = listed([*counts, *([f"{more} more"] if more else [])])
    every = "Each throughput is" if len(one.packets) > 1 else "The throughput is"
    if len(one.packets) < len(numbers):
        every = f"Of {len(numbers)} throughputs, each of the {len(one.packets)} with enough digits is"
    cut = ", if its digits are cut off and not rounded" if one.is_cut else ""
    also = [f"{each.size} bytes over {each.duration_s:g} s" for each in alike[1:]]
    same = f" The same counts fit {listed(also)}." if also else ""
    return Finding(
        "whole packets",
        f"{every} a whole number of {one.size}-byte packets over {one.duration_s:g} s{cut}: {packets}.{same} {chance}",
        {"size": one.size, "duration_s": one.duration_s, "packets": list(one.packets), **values},
        expected,
    )


def small_ratios(published: Published, fits: Sequence[Fit]) -> Iterator[Finding]:
    """Yield the losses that are ratios of small integers, beside the packet counts of `fits`."""
    for one in published.numbers:
        if one.quantity.name != "loss" or one.bound or not is_plain(one) or not 0 < one.base < 1:
            continue
        low, high = one.base - one.base_half, one.base + one.base_half
        found: list[tuple[int, int]] = []
        expected = 0.0
        if low <= 0 or 1 / low - 1 / high >= CERTAIN:
            continue  # Too few digits: nearly every numerator has a denominator.
        for lost in range(1, MOST_LOST + 1):
            expected += lost / low - lost / high
            whole = math.floor(lost / low)
            if whole * high >= lost and whole >= lost:
                found.append((lost, whole))
                break
        for lost, of in found:
            text = (
                f"The loss of {one} is {lost} of {of} packets. Random digits would have such a ratio with at most "
                f"{lost} lost packets {count(expected)} times."
            )
            yield Finding("small ratio", text, {"lost": lost, "of": of, "line": one.line}, expected)
            yield from _beside(one, lost, of, fits)


def _beside(number: Number, lost: int, of: int, fits: Sequence[Fit]) -> Iterator[Finding]:
    """Yield the packet counts that explain a loss's denominator by lost packets, SYN, FIN and ACK."""
    counts = sorted({n for fit in fits for n in fit.packets})
    chance = 4 * len(counts) * number.base
    for n in counts:
        rest = of - n - lost
        if 0 <= rest <= 3:
            text = (
                f"{of} is {n} + {lost} + {rest}: the packets of the throughput, the lost ones, and {rest} without "
                f"data. By chance a count would fit {count(chance)} times."
            )
            yield Finding("counts agree", text, {"packets": n, "lost": lost, "rest": rest}, chance)
