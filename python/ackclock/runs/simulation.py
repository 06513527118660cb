"""Runs that a program drives: advance, observe, change, fork, finish.

    sim = ac.dumbbell(["reno", "vegas"]).start(seed=1)
    sim.advance("2s")
    print(sim.flow("flow1").cwnd)
    other = sim.fork()                      # the same moment once more
    other.set_cwnd("flow1", 40)             # one future ...
    run = sim.finish()                      # ... and the other

Between two stops a run is the same loop as any other, without Python per event.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Integral
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Self

from ackclock import _core
from ackclock._core import FlowState, LinkState
from ackclock.errors import UserError, choices
from ackclock.runs.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ackclock.scenario.scenario import Scenario

__all__ = ["FlowState", "LinkState", "Simulation"]

Wait = Literal["ack", "round-trip", "loss", "reaction"]
"""Events at which a run can be made to stop."""

WAITS: tuple[Wait, ...] = ("ack", "round-trip", "loss", "reaction")


class Simulation:
    """A run that stops between two calls.

    `Scenario.start` makes one.

    A run that is only stopped and looked at gives, bit for bit, the results of one that never stopped.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        seed: int | None = None,
        jitter_s: float = 0.0,
        traces: Iterable[str] = (),
        bin_s: float = 1.0,
        adjustable: Sequence[str | int] = (),
    ) -> None:
        """Start `scenario`; see `Scenario.start`."""
        self.scenario = scenario
        self._seed = seed
        self._jitter_s = jitter_s
        self._bin_s = bin_s
        self._traces = tuple(traces)
        described = scenario.describe()
        self._links = _link_numbers(described.get("link", []))
        self._flows = {str(flow["name"]): number for number, flow in enumerate(described.get("flow", []))}
        self._core = _core.Simulation(
            scenario.json(),
            seed=seed,
            jitter_s=jitter_s,
            traces=list(self._traces),
            bin_s=bin_s,
            adjustable=[self._direction(one) // 2 for one in adjustable],
        )

    @property
    def now_s(self) -> float:
        """The simulated time, seconds."""
        return self._core.now_s

    @property
    def end_s(self) -> float:
        """The end of the run, seconds."""
        return self._core.end_s

    @property
    def ended(self) -> bool:
        """True once the end of the run is reached."""
        return self._core.is_over or self.now_s >= self.end_s

    @property
    def events(self) -> int:
        """Events simulated so far."""
        return self._core.events

    def advance(self, duration: str) -> None:
        """Continue for a simulated time: ``sim.advance("10ms")``.

        The run stops at its end at the latest.

        Raises:
            UserError: if `duration` is no time with its unit, or the run has ended.
            KeyboardInterrupt: on Ctrl-C; the run can go on afterwards.
        """
        self._goes_on()
        self._core.advance(_seconds(duration))

    def advance_to(self, time: str) -> None:
        """Continue until a simulated time: ``sim.advance_to("5s")``. A time that has passed is a `UserError`."""
        seconds = _seconds(time)
        if seconds < self.now_s:
            raise UserError(
                f"cannot go back to {time}: the run is at {self.now_s:.9f} s (fork() keeps a moment)"
            )
        if seconds > self.end_s:
            raise UserError(f"cannot go on to {time}: the run ends at {self.end_s:g} s")
        self._core.advance_to(seconds)

    def advance_until(
        self,
        what: Wait | Callable[[Simulation], object],
        *,
        flow: int | str = 0,
        timeout: str | None = None,
        every: str = "1ms",
    ) -> bool:
        """Continue until an event; return True if it came before `timeout` and the end of the run.

        Args:
            what: an event of one flow, or a condition: a function that takes this simulation and returns True to
                stop. Events are ``"ack"`` (new data is acknowledged), ``"round-trip"`` (all that the sender had sent
                at the time of the call is acknowledged), ``"loss"`` (the network has lost a packet) and
                ``"reaction"`` (the sender answers a loss or a mark, or times out).
            flow: name or number of the flow.
            timeout: simulated time to wait at most; until the end of the run if None.
            every: simulated time between checks of a condition. Events need none: they stop the run exactly.
        """
        self._goes_on()
        wait = math.inf if timeout is None else _seconds(timeout)
        if callable(what):
            return self._until(what, wait, _seconds(every))
        if what not in WAITS:
            raise UserError(f"cannot wait for {what!r}{choices(str(what), WAITS)}, or a function")
        number = self._flow(flow) if what == "loss" else self._sender(flow)
        return self._core.advance(min(wait, self.end_s - self.now_s), number, what)

    def _until(self, condition: Callable[[Simulation], object], wait: float, every: float) -> bool:
        if every <= 0:
            raise UserError("every: a condition is asked at intervals longer than 0 s")
        end = min(self.now_s + wait, self.end_s)
        while not condition(self):
            left = end - self.now_s
            if left <= 0:
                return False
            if left < every:
                self._core.advance_to(end)
            else:
                self._core.advance(every)
        return True

    def flow_name(self, flow: int | str) -> str:
        """Return a flow's name, given it or its number; `UserError` if there is no such flow."""
        return list(self._flows)[self._flow(flow)]

    def flow(self, flow: int | str) -> FlowState:
        """Return a flow as it is now, by name or number: window, round trips, counters, and the network's losses."""
        return self._core.flow(self._flow(flow))

    @property
    def flows(self) -> Mapping[str, FlowState]:
        """Every flow as it is now, by name."""
        return MappingProxyType({name: self._core.flow(number) for name, number in self._flows.items()})

    def link(self, link: int | str) -> LinkState:
        """Return a link as it is now: by name (its first direction), ``"FROM>TO"``, or number."""
        return self._core.link(self._direction(link))

    @property
    def links(self) -> Mapping[str, LinkState]:
        """Every direction of a link as it is now, by ``"FROM>TO"``."""
        ways = {name: number for name, number in self._links.items() if ">" in name}
        return MappingProxyType({name: self._core.link(number) for name, number in ways.items()})

    def set_cwnd(self, flow: int | str, segments: float | None, *, hold: bool = False) -> None:
        """Set a flow's congestion window, in segments.

        Segments that it allows leave at once. What it allows leaves at once.

        The flow's congestion control goes on from there. With `hold` the window stays at `segments`, whatever is
        acknowledged or lost, until it is set again; only after a retransmission timeout does it begin again with one
        segment and return there by slow start (RFC 5681). None lets the congestion control go on from the window held.
        """
        self._core.set_cwnd(self._sender(flow), segments, hold=hold)

    def set_pacing_rate(self, flow: int | str, rate: float | str | None) -> None:
        """Set the sending rate of a flow: segments per second, or of payload with a unit (``"5Mbps"``).

        The window still bounds what is in flight. None leaves the rate to the flow's congestion control.
        """
        number = self._sender(flow)
        if isinstance(rate, str):
            rate = _core_value(_core.bits_per_second, rate) / (8 * self._core.segment(number))
        self._core.set_pacing_rate(number, rate)

    def set_link_rate(self, link: int | str, rate: str) -> None:
        """Set the rate of a link, both directions, from the next packet on: ``set_link_rate("bottleneck", "2Mbps")``.

        Name such links at the start: ``scenario.start(adjustable=["bottleneck"])``. They are simulated with an event
        for each packet's departure; the packets are the same.
        """
        number = self._direction(link) // 2
        if not self._core.is_adjustable(number):
            raise UserError(
                f"the rate of link {link!r} cannot be set: departures from it are computed ahead\n"
                f"  start the run with adjustable=[{link!r}]"
            )
        self._core.set_link_rate(number, int(_core_value(_core.bits_per_second, rate)))

    def fork(self) -> Self:
        """Return an independent copy: two futures of one state.

        Controls of your own are copied with ``copy.deepcopy``; `ControlError` where that fails.
        """
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._core = self._core.fork()
        return copy

    def finish(self) -> Run:
        """Continue to the end of the run and return its results: tables, traces, figures. Nothing can follow."""
        steered = self._core.steered > 0
        return Run(
            self.scenario,
            self._core.finish(),
            seed=self._seed,
            jitter_s=self._jitter_s,
            bin_s=self._bin_s,
            traces=self._traces,
            steered=steered,
        )

    def __repr__(self) -> str:
        """Show the present time and the end."""
        if self._core.is_over:
            return "Simulation(over)"
        return f"Simulation({self.now_s:g} s of {self.end_s:g} s, {self.events} events)"

    def _goes_on(self) -> None:
        if self._core.is_over:
            raise UserError("the run is over")
        if self.ended:
            raise UserError(f"the run has ended at {self.end_s:g} s: finish() gives its results")

    def _flow(self, flow: int | str) -> int:
        if isinstance(flow, str) and flow in self._flows:
            return self._flows[flow]
        if isinstance(flow, int | Integral) and 0 <= int(flow) < len(self._flows):
            return int(flow)
        names = list(self._flows)
        listed = f"{', '.join(names[:12])}{', ...' if len(names) > 12 else ''}, or 0 to {len(names) - 1}"
        raise UserError(f"there is no flow {flow!r}{choices(str(flow), names, listed)}")

    def _sender(self, flow: int | str) -> int:
        number = self._flow(flow)
        if not self._core.is_tcp(number):
            raise UserError(
                f"flow {flow!r} does not run over TCP: it has no window, no acknowledgments and no rate to set"
            )
        return number

    def _direction(self, link: int | str) -> int:
        if isinstance(link, str) and link in self._links:
            return self._links[link]
        count = len({number // 2 for number in self._links.values()})
        if isinstance(link, int | Integral) and 0 <= int(link) < count:
            return 2 * int(link)
        names = list(self._links)
        listed = f"{', '.join(names[:12])}{', ...' if len(names) > 12 else ''}, or 0 to {count - 1}"
        raise UserError(f"there is no link {link!r}{choices(str(link), names, listed)}")


def _link_numbers(links: Sequence[Mapping[str, object]]) -> dict[str, int]:
    """Return the numbers of directions by name; a link's own name stands for its first."""
    numbers: dict[str, int] = {}
    for number, link in enumerate(links):
        if link.get("name"):
            numbers.setdefault(str(link["name"]), 2 * number)
    for number, link in enumerate(links):
        ends = link["between"]
        assert isinstance(ends, list)
        a, b = ends
        numbers.setdefault(f"{a}>{b}", 2 * number)
        numbers.setdefault(f"{b}>{a}", 2 * number + 1)
    return numbers


def _seconds(text: str) -> float:
    return _core_value(_core.seconds, text)


def _core_value(parse: Callable[[str], float], text: object) -> float:
    """Parse a quantity; `UserError` if it has no unit or a wrong one."""
    if not isinstance(text, str):
        unit = "time" if parse is _core.seconds else "rate"
        example = "10ms" if parse is _core.seconds else "5Mbps"
        raise UserError(f"a {unit} has a unit\n  given:   {text!r}\n  allowed: text such as {example!r}")
    try:
        return parse(text)
    except ValueError as why:
        raise UserError(f"{text!r}: {why}") from why
