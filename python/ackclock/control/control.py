"""Congestion controls of your own, in Python.

    class Mine(ac.Control):
        def on_ack(self, ack):
            if self.cwnd < self.ssthresh: self.cwnd += ack.count
            else: self.cwnd += ack.count / self.cwnd
        def on_congestion(self, loss):
            self.ssthresh = max(self.cwnd / 2, 2.0)
            self.cwnd = 1.0 if loss.timeout else self.ssthresh

    ac.control.register(Mine)
    ac.dumbbell([Mine, "cubic"]).run("60s")

A scenario file, and every verb of the command line, names one in a file: ``variant = "./mine.py:Mine"``. What a
control is told and what it may answer is the same contract as in Rust; the page *The contract of congestion controls*
lists it.
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
"""The version of the contract. It rises when something that a control may rely on changes or goes."""

Taken = Literal["congestion", "random"]
"""The classification of a loss by a control."""

NEEDED = ("on_ack", "on_congestion")
"""The methods that every control has."""

OPTIONAL = ("on_handshake", "on_arrival", "on_rate", "on_recovery", "on_timer")
"""The methods that a control may have."""


class Parameter:
    """A parameter of a control: a number, or one of a few words.

    In a connection, the attribute is its value.

    ``beta = ac.control.Parameter(0.5, minimum=0.0, maximum=1.0, about="what is left of the window")`` in the class
    gives ``self.beta``, set in scenarios as ``tcp = { variant = "./mine.py:Mine", control = { beta = 0.7 } }``.
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
        """Declare one; `words` are its choices if it is not a number."""
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
        """Return the declaration; for an object that no connection made, the default."""
        return self if instance is None else self.default

    def declared(self, name: str, of: str) -> tuple[str, str, float, float, float, list[str], str]:
        """Return it in the form of the core; `UserError` if it is not valid."""
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
    """A congestion control: inherit from it and write `on_ack` and `on_congestion`; the other methods have defaults.

    `cwnd` and `ssthresh` are in segments, with fractions; `pacing_rate` is in segments per second, or None to send as
    the window opens; `rng` is the connection's own random stream. One object is made for each connection: `__init__`
    takes no arguments and finds all of these, and the parameters, in place.
    """

    about: ClassVar[str] = ""
    """One line for lists; the first line of the docstring if it is empty."""
    traced: ClassVar[Sequence[str]] = ()
    """Numeric attributes that ``trace("control")`` records."""
    segment_times: ClassVar[bool] = False
    """True if `AckSample.rtt` is wanted for each segment, not only for those that the endpoint measures."""

    def on_ack(self, ack: AckSample) -> None:
        """Handle an acknowledgment of new data."""
        raise NotImplementedError

    def on_congestion(self, loss: LossSample) -> Taken | None:
        """Answer a loss or a mark: cut the window, or not.

        Return ``"random"`` for a loss that was not taken for congestion; None means congestion.
        """
        raise NotImplementedError

    def on_handshake(self, now: float, rtt: float) -> None:
        """Handle the first acknowledgment of the SYN, `rtt` seconds after it was sent."""

    def on_arrival(self, arrival: Arrival) -> None:
        """Handle any acknowledgment, before loss recovery sees it."""

    def on_rate(self, sample: RateSample) -> None:
        """Handle the delivery rate after an acknowledgment has been processed."""

    def on_recovery(
        self, now: float, step: Literal["retransmission", "deflation", "end"], segments: int | None
    ) -> None:
        """Handle a step of loss recovery: `segments` are outstanding, or have inflated the window."""

    def on_timer(self, now: float) -> None:
        """Handle the time of `wake`; `wake` is None again."""


class Rounds:
    """A counter of round trips: one is over when a segment sent after its beginning is acknowledged."""

    def __init__(self) -> None:
        """Begin before the first."""
        self._end = 0

    def ends(self, ack: AckSample) -> bool:
        """Tell whether this acknowledgment ends a round trip; the next one then begins."""
        over = ack.una > self._end
        if over:
            self._end = ack.next
        return over
