"""User-defined congestion controls in Python.

    class Mine(ac.Control):
        def on_ack(self, ack):
            if self.cwnd < self.ssthresh: self.cwnd += ack.count
            else: self.cwnd += ack.count / self.cwnd
        def on_congestion(self, loss):
            self.ssthresh = max(self.cwnd / 2, 2.0)
            self.cwnd = 1.0 if loss.timeout else self.ssthresh

    ac.control.register(Mine)
    ac.dumbbell([Mine, "cubic"]).run("60s")

Scenario files and all verbs of the command line take a control from a file: ``variant = "./mine.py:Mine"``. The events
that a control receives and the values that it may return are the same as in Rust; the page *The contract of congestion
controls* lists them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, overload

from ackclock import _core
from ackclock._core import AckSample, Arrival, LossSample, RateSample, cbrt, exp, log, power
from ackclock.errors import UserError

__all__ = [
    "CONTRACT_VERSION",
    "AckSample",
    "Arrival",
    "Control",
    "LossSample",
    "Parameter",
    "RateSample",
    "Rounds",
    "cbrt",
    "exp",
    "log",
    "power",
]

CONTRACT_VERSION = _core.CONTRACT_VERSION
"""Version of the contract; it rises when something that a control may rely on changes or is removed."""

Taken = Literal["congestion", "random"]
"""Cause to which a control attributes a loss."""

NEEDED = ("on_ack", "on_congestion")
"""Methods that every control must define."""

OPTIONAL = ("on_handshake", "on_arrival", "on_rate", "on_recovery", "on_timer")
"""Methods that a control may define."""


class Parameter:
    """A parameter of a control: a number, or one of a few words.

    ``beta = ac.control.Parameter(0.5, minimum=0.0, maximum=1.0, about="factor of the window at a loss")`` in the body
    of the class declares it. In a connection ``self.beta`` is the value. Scenarios set the value with
    ``tcp = { variant = "./mine.py:Mine", control = { beta = 0.7 } }``.
    """

    def __init__(
        self,
        default: float | str,
        *,
        minimum: float = -math.inf,
        maximum: float = math.inf,
        unit: str = "",
        words: Sequence[str] = (),
        about: str = "",
    ) -> None:
        """Declare a parameter; if `words` is not empty, the value must be one of these words."""
        self.default = default
        self.minimum = minimum
        self.maximum = maximum
        self.unit = unit
        self.words = tuple(words)
        self.about = about

    @overload
    def __get__(self, instance: None, owner: type[Control]) -> Parameter: ...
    @overload
    def __get__(self, instance: Control, owner: type[Control]) -> Any: ...
    def __get__(self, instance: Control | None, owner: type[Control]) -> Any:
        """Return the declaration when accessed on the class, or the default on an object outside a connection."""
        return self if instance is None else self.default

    def declared(self, name: str, of: str) -> tuple[str, str, float, float, float, list[str], str]:
        """Return the declaration in the core's format; raise `UserError` if it is invalid."""
        if self.words:
            if self.default not in self.words:
                raise UserError(
                    f"{of}.{name}: its default {self.default!r} is none of its words\n"
                    f"  allowed: {', '.join(self.words)}"
                )
            index, last = float(self.words.index(str(self.default))), float(len(self.words) - 1)
            return name, self.unit, index, 0.0, last, list(self.words), self.about
        number = self.default
        if isinstance(number, str) or not self.minimum <= number <= self.maximum:
            raise UserError(
                f"{of}.{name}: its default {number!r} is out of range\n  allowed: {self.minimum} to {self.maximum}"
            )
        return name, self.unit, float(number), float(self.minimum), float(self.maximum), [], self.about


class Control(_core.Control):
    """Base class of congestion controls in Python: define `on_ack` and `on_congestion` in a subclass.

    ::

        class Mine(ac.Control):
            def on_ack(self, ack):
                self.cwnd += ack.count / self.cwnd
            def on_congestion(self, loss):
                self.ssthresh = max(self.cwnd / 2, 2.0)
                self.cwnd = 1.0 if loss.timeout else self.ssthresh

    `cwnd` and `ssthresh` are in segments, fractions included. `pacing_rate` is in segments per second, or None to send
    as soon as the window permits. `rng` is the connection's own random stream. Each connection has its own object. When
    `__init__`, which takes no arguments, is called, these attributes and the parameters are already set.
    """

    about: ClassVar[str] = ""
    """One-line description for lists; if empty, the docstring's first line is used."""
    traced: ClassVar[Sequence[str]] = ()
    """Names of numeric attributes that ``trace("control")`` records."""
    segment_times: ClassVar[bool] = False
    """True to get `AckSample.rtt` for every segment, not only for those that the endpoint times."""

    def on_ack(self, ack: AckSample) -> None:
        """Handle an acknowledgment of new data."""
        raise NotImplementedError

    def on_congestion(self, loss: LossSample) -> Taken | None:
        """Handle a loss or an ECN mark, usually by reducing the window.

        Return ``"random"`` if the control does not attribute the loss to congestion; None means congestion.
        """
        raise NotImplementedError

    def on_handshake(self, now: float, rtt: float) -> None:
        """Handle the acknowledgment of the SYN, which came `rtt` seconds after the SYN was sent."""

    def on_arrival(self, arrival: Arrival) -> None:
        """Handle any acknowledgment, duplicates included, before loss recovery processes it."""

    def on_rate(self, sample: RateSample) -> None:
        """Handle a delivery rate sample, after an acknowledgment has been processed."""

    def on_recovery(
        self, now: float, step: Literal["retransmission", "deflation", "end"], segments: int | None
    ) -> None:
        """Handle a step of loss recovery.

        `segments` is the number of outstanding segments at a retransmission, the number of segments by which duplicate
        acknowledgments had inflated the window at a deflation, and None at the end.
        """

    def on_timer(self, now: float) -> None:
        """Handle the timer set by `wake`; `wake` has been reset to None."""


class Rounds:
    """Detects round trips: each ends when a segment sent after its start is acknowledged."""

    def __init__(self) -> None:
        """Begin before the first round trip."""
        self._end = 0

    def ends(self, ack: AckSample) -> bool:
        """Return true if this acknowledgment ends the current round trip; the next one then begins."""
        over = ack.una > self._end
        if over:
            self._end = ack.next
        return over
