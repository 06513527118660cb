"""Compares two packet traces, separately for each kind of event."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from validation.ns2 import Change, Event

TOLERANCE_S = 10.5e-6
"""Tolerance of times, s; it is the resolution of the reference's traces, 10 us, plus rounding."""

CONTEXT = 12
"""Number of events of each trace shown before and after a difference."""


@dataclass(frozen=True)
class Difference:
    """The earliest difference between two traces.

    Attributes:
        theirs, ours: The events that should be equal; `None` if the trace has ended.
        what: Name of the property that differs.
        their_context, our_context: Events of all kinds in the traces around the difference.
    """

    theirs: Event | None
    ours: Event | None
    what: str
    their_context: tuple[Event, ...]
    our_context: tuple[Event, ...]

    @property
    def tie(self) -> bool:
        """True if the traces differ because a packet arrives at a full queue in the instant another packet leaves it.

        The order of these two events decides if the arriving packet is lost.
        """
        lost = [e for e in (self.theirs, self.ours) if e is not None and e.kind == "drop"]
        if not lost:
            return False
        at = min(lost, key=lambda e: e.time_s)
        return any(
            e.kind == "deq" and e.place == at.place and abs(e.time_s - at.time_s) <= 1.5e-6
            for e in (*self.their_context, *self.our_context)
        )

    def report(self) -> str:
        """Return the difference and both traces around it as readable lines."""
        lines = [
            f"{self.what} differs",
            f"  expected {self.theirs if self.theirs else 'nothing more'}",
            f"  got      {self.ours if self.ours else 'nothing more'}",
            "  expected trace around it:",
            *(f"    {e}" for e in self.their_context),
            "  our trace around it:",
            *(f"    {e}" for e in self.our_context),
        ]
        return "\n".join(lines)


def _around(events: Sequence[Event], time_s: float) -> tuple[Event, ...]:
    at = bisect_left([e.time_s for e in events], time_s)
    return tuple(events[max(0, at - CONTEXT) : at + CONTEXT])


def _property(theirs: Event | None, ours: Event | None, tolerance_s: float) -> str | None:
    if theirs is None or ours is None:
        return "number of events"
    if theirs.seq != ours.seq:
        return "seq"
    if theirs.bytes != ours.bytes:
        return "bytes"
    if abs(theirs.time_s - ours.time_s) > tolerance_s:
        return "time"
    return None


def _split(events: Sequence[Event]) -> dict[tuple[str, str, int], list[Event]]:
    kinds: dict[tuple[str, str, int], list[Event]] = {}
    for event in events:
        kinds.setdefault((event.kind, event.place, event.flow), []).append(event)
    return kinds


def first_difference(
    theirs: Sequence[Event],
    ours: Sequence[Event],
    *,
    end_s: float = float("inf"),
    tolerance_s: float = TOLERANCE_S,
) -> Difference | None:
    """Return the earliest difference, or `None`; events of each kind at each place are compared in order.

    Args:
        theirs: The reference trace.
        ours: The trace to check.
        end_s: End of the run, s. Events within the tolerance of the end may be missing on either side, since the end
            can fall between simultaneous events.
        tolerance_s: Largest permitted difference between times, s.
    """
    found: list[tuple[float, str, Event | None, Event | None]] = []
    expected, got = _split(theirs), _split(ours)
    for key in sorted(expected.keys() | got.keys()):
        a, b = expected.get(key, []), got.get(key, [])
        for i in range(max(len(a), len(b))):
            x = a[i] if i < len(a) else None
            y = b[i] if i < len(b) else None
            what = _property(x, y, tolerance_s)
            if what is None:
                continue
            time_s = min(e.time_s for e in (x, y) if e is not None)
            if not (what == "number of events" and time_s >= end_s - tolerance_s):
                found.append((time_s, what, x, y))
            break
    if not found:
        return None
    time_s, what, x, y = min(found, key=lambda item: item[0])
    return Difference(x, y, what, _around(theirs, time_s - 1e-6), _around(ours, time_s - 1e-6))


def largest_shift(theirs: Sequence[Event], ours: Sequence[Event]) -> float:
    """Return the largest difference in time, s, between corresponding events of the two traces."""
    expected, got = _split(theirs), _split(ours)
    return max(
        (
            abs(x.time_s - y.time_s)
            for key, a in expected.items()
            for x, y in zip(a, got.get(key, []), strict=False)
        ),
        default=0.0,
    )


def change_difference(theirs: Sequence[Change], ours: Sequence[Change], *, start_s: float) -> str | None:
    """Return the first difference between two records of window changes after `start_s`, or `None`.

    At each change in either record, the values after all changes of that instant are compared, so the number of steps
    of a change does not matter. ns-2 prints cwnd to three decimals and ssthresh in whole segments.
    """
    for variable, tolerance in (("cwnd", 6e-4), ("ssthresh", 1e-3)):
        a = _steps([c for c in theirs if c.variable == variable])
        b = _steps([c for c in ours if c.variable == variable])
        i = j = 0
        x = y = None
        times = sorted({t for t, _ in a} | {t for t, _ in b})
        k = 0
        while k < len(times):
            now = times[k]
            while k < len(times) and times[k] <= now + TOLERANCE_S:
                k += 1
            limit = times[k - 1]
            while i < len(a) and a[i][0] <= limit:
                x, i = a[i][1], i + 1
            while j < len(b) and b[j][0] <= limit:
                y, j = b[j][1], j + 1
            if now < start_s or x is None or y is None:
                continue
            if abs(x - y) > tolerance:
                return f"{variable} at {now:.5f} s: expected {x:g}, got {y:g}"
    return None


def _steps(changes: Sequence[Change]) -> list[tuple[float, float]]:
    return [(c.time_s, c.value) for c in changes]
