"""Simulations that a program advances step by step, observes, changes, forks and finishes.

    sim = ac.dumbbell(["reno", "vegas"]).start(seed=1)
    sim.advance("2s")
    print(sim.flow("flow1").cwnd)
    other = sim.fork()                      # an independent copy of the present state
    other.set_cwnd("flow1", 40)             # change the copy only
    run = sim.finish()                      # the original runs on unchanged

Between two stops the core runs at full speed, without Python code per event.
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
"""Events at which `Simulation.advance_until` can stop."""

WAITS: tuple[Wait, ...] = ("ack", "round-trip", "loss", "reaction")


class Simulation:
    """A run that a program advances step by step; `Scenario.start` creates it.

    Stopping and observing a run does not change it: the results equal those of an uninterrupted run, bit for bit.
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
        described = scenario.described
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
        """Current simulated time, seconds."""
        return self._core.now_s

    @property
    def end_s(self) -> float:
        """Simulated time at which the run ends, seconds."""
        return self._core.end_s

    @property
    def ended(self) -> bool:
        """True if the end of the run is reached."""
        return self._core.is_over or self.now_s >= self.end_s

    @property
    def events(self) -> int:
        """Number of events simulated so far."""
        return self._core.events

    def advance(self, duration: str) -> None:
        """Continue for a simulated time, at most to the end of the run: ``sim.advance("10ms")``.

        Raises:
            UserError: If `duration` is not a time with a unit, or the run has ended.
            KeyboardInterrupt: On Ctrl-C; the run can continue afterwards.
        """
        self._goes_on()
        self._core.advance(_seconds(duration))

    def advance_to(self, time: str) -> None:
        """Continue until a simulated time: ``sim.advance_to("5s")``.

        Raises:
            UserError: If `time` has passed or is not a time with a unit, or the run has ended.
        """
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
        """Continue until an event occurs; return True if it occurred before `timeout` and the end of the run.

        ``sim.advance_until("loss", flow="flow1")`` stops when the network loses a packet of this flow.

        Args:
            what: An event of one flow, or a function that takes this simulation and returns True to stop. ``"ack"``:
                new data is acknowledged. ``"round-trip"``: all segments that were outstanding at the call are
                acknowledged. ``"loss"``: the network loses a packet. ``"reaction"``: the sender reacts to a loss or an
                ECN mark, or times out.
            flow: Name or number of the flow.
            timeout: Maximum simulated time to continue; None for the rest of the run.
            every: Simulated time between two calls of a function `what`. Stops at events are exact and ignore it.
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
        """Return a flow's name from its name or number; raise `UserError` if there is no such flow."""
        return list(self._flows)[self._flow(flow)]

    def flow(self, flow: int | str) -> FlowState:
        """Return the current state of a flow, by name or number: window, RTTs, counters, losses in the network."""
        return self._core.flow(self._flow(flow))

    @property
    def flows(self) -> Mapping[str, FlowState]:
        """Current states of all flows, by name."""
        return MappingProxyType({name: self._core.flow(number) for name, number in self._flows.items()})

    def link(self, link: int | str) -> LinkState:
        """Return the current state of a link direction.

        `link` is ``"FROM>TO"`` or the number of a direction. A link's own name selects its first direction.
        """
        return self._core.link(self._direction(link))

    @property
    def links(self) -> Mapping[str, LinkState]:
        """Current states of all link directions, by ``"FROM>TO"``."""
        ways = {name: number for name, number in self._links.items() if ">" in name}
        return MappingProxyType({name: self._core.link(number) for name, number in ways.items()})

    def set_cwnd(self, flow: int | str, segments: float | None, *, hold: bool = False) -> None:
        """Set a flow's congestion window, in segments; segments that the new window permits are sent at once.

        The flow's congestion control continues from the new window. With `hold` the window stays at `segments`,
        regardless of acknowledgments and losses, until it is set again. A retransmission timeout still reduces a held
        window to one segment, from which slow start returns to `segments` (RFC 5681). If `segments` is None, a held
        window is released, and the congestion control continues from it.
        """
        self._core.set_cwnd(self._sender(flow), segments, hold=hold)

    def set_pacing_rate(self, flow: int | str, rate: float | str | None) -> None:
        """Set a flow's pacing rate: segments per second, or a payload rate with a unit (``"5Mbps"``).

        The congestion window still limits the data in flight. If `rate` is None, the flow's congestion control sets the
        rate again.
        """
        number = self._sender(flow)
        if isinstance(rate, str):
            rate = _core_value(_core.bits_per_second, rate) / (8 * self._core.segment(number))
        self._core.set_pacing_rate(number, rate)

    def set_link_rate(self, link: int | str, rate: str) -> None:
        """Set the rate of both directions of a link for the next packets: ``set_link_rate("bottleneck", "2Mbps")``.

        The link must be named at the start: ``scenario.start(adjustable=["bottleneck"])``. An adjustable link is
        simulated with one event per departure, which is slower but gives the same packets.
        """
        number = self._direction(link) // 2
        if not self._core.is_adjustable(number):
            raise UserError(
                f"the rate of link {link!r} cannot be set: departures from it are computed ahead\n"
                f"  start the run with adjustable=[{link!r}]"
            )
        self._core.set_link_rate(number, int(_core_value(_core.bits_per_second, rate)))

    def fork(self) -> Self:
        """Return an independent copy of the simulation in its present state.

        Python congestion controls are copied with ``copy.deepcopy``.

        Raises:
            ControlError: If a control cannot be copied.
            ScenarioError: If a flow runs over QUIC, whose state cannot be copied.
        """
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._core = self._core.fork()
        return copy

    def finish(self) -> Run:
        """Continue to the end of the run and return its results; the simulation cannot be used afterwards."""
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
        """Show the current time and the end."""
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
    """Return the number of each link direction by name; a link's own name stands for its first direction."""
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
    """Parse a quantity with `parse`; raise `UserError` if the text is not such a quantity with a unit."""
    if not isinstance(text, str):
        unit = "time" if parse is _core.seconds else "rate"
        example = "10ms" if parse is _core.seconds else "5Mbps"
        raise UserError(f"a {unit} has a unit\n  given:   {text!r}\n  allowed: text such as {example!r}")
    try:
        return parse(text)
    except ValueError as why:
        raise UserError(f"{text!r}: {why}") from why
