"""Observations from one run of a case: the sender's variables as step functions, its packets and its losses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ackclock.conform.case import NotShownError

if TYPE_CHECKING:
    from ackclock.runs import Run

__all__ = ["CONTROL", "PACKETS", "PHASES", "VARIABLES", "Packet", "Phase", "Steps", "Trace"]

CONTROL = "control"
"""Trace with the variables of the congestion control."""
VARIABLES = [CONTROL, "cwnd", "state"]
"""Traces with variables of the sender."""
PACKETS = ["segments", "drops"]
"""Traces with packets."""
PHASES = {
    "bbr3": ("startup", "drain", "down", "cruise", "refill", "up", "probe-rtt"),
}
"""Phase names for each congestion control; the index is the phase's number in the trace `control`."""


@dataclass(frozen=True)
class Steps:
    """A step function: ascending times, and the value that holds from each time on."""

    times: list[float]
    values: list[float]

    def at(self, time_s: float) -> float:
        """Return the value at a time, after all changes at that time; NaN before the first."""
        index = bisect_right(self.times, time_s) - 1
        return self.values[index] if index >= 0 else float("nan")

    def before(self, time_s: float) -> float:
        """Return the value just before a time; NaN before the first."""
        index = bisect_left(self.times, time_s) - 1
        return self.values[index] if index >= 0 else float("nan")

    def within(self, from_s: float, to_s: float) -> list[float]:
        """Return the value at `from_s` and all later values up to and including `to_s`."""
        begin, end = bisect_right(self.times, from_s), bisect_right(self.times, to_s)
        return self.values[max(begin - 1, 0) : max(end, 1)]

    def first(
        self, holds: Callable[[float], bool], from_s: float = 0.0, to_s: float = float("inf")
    ) -> float | None:
        """Return the first time from `from_s` to `to_s` at which the value meets the condition, or None."""
        if self.times and self.times[0] <= from_s and holds(self.at(from_s)):
            return from_s
        for time, value in zip(self.times, self.values, strict=True):
            if from_s < time <= to_s and holds(value):
                return time
        return None


@dataclass(frozen=True)
class Phase:
    """A phase of the congestion control, with begin and end, s."""

    name: str
    from_s: float
    to_s: float
    next: str
    """Name of the next phase; empty if the run ended first."""


@dataclass(frozen=True)
class Packet:
    """A data packet of the sender: time sent, s; first byte; size on the wire; whether its data were sent before."""

    time_s: float
    seq: int
    size: int
    again: bool


class Trace:
    """Observations of the flow during one run of a case."""

    def __init__(self, run: Run, control: str, duration_s: float, *, numbered: bool = False) -> None:
        """Store a finished run; `control` is the name of the congestion control.

        With `numbered`, packets have QUIC's packet numbers instead of sequence numbers.
        """
        self._run = run
        self._numbered = numbered
        self._control = control
        self.duration_s = duration_s

    @property
    def flow(self) -> dict[str, Any]:
        """The flow's entry in the summary."""
        return self._run.flow(0)

    @cached_property
    def _variables(self) -> dict[str, Steps]:
        found: dict[str, Steps] = {}
        for name in VARIABLES:
            table = self._run.trace(name).to_polars()
            table = table.filter(table["flow"] == 0)
            for (variable,), rows in table.group_by("variable", maintain_order=True):
                found[str(variable)] = Steps(rows["time_s"].to_list(), rows["value"].to_list())
        return found

    def variable(self, name: str) -> Steps:
        """Return a variable of the sender or of its congestion control.

        Raises:
            NotShownError: If the subject does not show it.
        """
        if name not in self._variables:
            raise NotShownError(f"the subject does not show {name}")
        return self._variables[name]

    @cached_property
    def phases(self) -> list[Phase]:
        """The phases of the congestion control, in order. A phase that begins and ends in one call is missing."""
        steps = self.variable("phase")
        self.variable("full_bw_reached")  # BBRv1 has other phases and lacks this variable.
        names = PHASES.get(self._control)
        if names is None:
            raise NotShownError(f"phases of {self._control} have no names here")
        changes: list[tuple[float, str]] = []
        for time, value in zip(steps.times, steps.values, strict=True):
            name = names[int(value)]
            if not changes or changes[-1][1] != name:
                changes.append((time, name))
        ends = [*changes[1:], (self.duration_s, "")]
        return [
            Phase(name, from_s, to_s, after)
            for (from_s, name), (to_s, after) in zip(changes, ends, strict=True)
        ]

    def each(self, name: str, from_s: float = 0.0) -> Iterator[Phase]:
        """Yield the phases of this name that begin at or after `from_s` and end within the run."""
        yield from (one for one in self.phases if one.name == name and one.from_s >= from_s and one.next)

    def phase(self, name: str, from_s: float = 0.0) -> Phase:
        """Return the first phase of a name that begins at `from_s` or later.

        Raises:
            NotShownError: If there is none.
        """
        found = next((one for one in self.phases if one.name == name and one.from_s >= from_s), None)
        if found is None:
            raise NotShownError(f"the subject never gets to {name} in {self.duration_s:g} s")
        return found

    def phase_at(self, time_s: float) -> Phase:
        """Return the phase that holds at a time."""
        return next(one for one in reversed(self.phases) if one.from_s <= time_s)

    @cached_property
    def sent(self) -> list[Packet]:
        """The data packets that the sender sent, in order.

        Raises:
            NotShownError: If a packet does not show the data that it carries.
        """
        if self._numbered:
            raise NotShownError("a packet of a stack does not show the data that it carries")
        table = self._run.trace("segments").to_polars()
        table = table.filter((table["event"] == "send") & (table["flow"] == 0))
        highest, found = -1, []
        for time, seq, size in zip(table["time_s"], table["seq"], table["bytes"], strict=True):
            if size <= 100:
                continue
            found.append(Packet(time, seq, size, seq <= highest))
            highest = max(highest, seq)
        return found

    @cached_property
    def drops(self) -> list[tuple[float, int]]:
        """Time, s, and first byte of each lost data packet, in order."""
        table = self._run.trace("drops").to_polars()
        table = table.filter((table["flow"] == 0) & (table["bytes"] > 100))
        return list(zip(table["time_s"].to_list(), table["seq"].to_list(), strict=True))

    def bytes_sent(self, until_s: float) -> int:
        """Return how many payload bytes were sent for the first time up to a time."""
        return sum(one.size - HEADERS for one in self.sent if one.time_s <= until_s and not one.again)

    def goodput_bps(self, from_s: float, to_s: float) -> float:
        """Return the mean rate of payload delivery between two times, bit/s."""
        number, size = self.received(from_s, to_s)
        return 8 * (size - HEADERS * number) / (to_s - from_s)

    def received(self, from_s: float, to_s: float) -> tuple[int, int]:
        """Return number and total bytes of the data packets that arrived between two times."""
        table = self._run.trace("segments").to_polars()
        table = table.filter((table["event"] == "recv") & (table["flow"] == 0) & (table["bytes"] > 100))
        inside = table.filter((table["time_s"] > from_s) & (table["time_s"] <= to_s))
        return inside.height, int(inside["bytes"].sum())

    def used(self, rate_bps: float, from_s: float, to_s: float) -> float:
        """Return the share of a link's rate that data packets used between two times."""
        return 8 * self.received(from_s, to_s)[1] / (rate_bps * (to_s - from_s))


HEADERS = 52
"""Size of IP and TCP headers, with timestamps, in a data packet, bytes."""
