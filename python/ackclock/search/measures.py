"""Measures of harm: how far a run is from that of an ideal sender on the same path, from 0 to 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ackclock.errors import UserError, choices
from ackclock.search.case import Case
from ackclock.search.outcomes import Outcome

__all__ = ["MEASURES", "Measure", "measure_of"]


@dataclass(frozen=True)
class Measure:
    """A measure of harm with the bounds from which on a scenario counts as a finding.

    Attributes:
        name: Value of ``--against``.
        summary: Definition, with the ideal sender with which the run is compared.
        harm: Function of a candidate and its outcome: 0 as an ideal sender, 1 as bad as possible.
        least: Least harm of a finding.
        beyond: Least difference from the median harm of the family.
    """

    name: str
    summary: str
    harm: Callable[[Case, Outcome], float]
    least: float
    beyond: float


def ideal_bps(case: Case, outcome: Outcome, flow: int = 0) -> float:
    """Return the goodput of an ideal sender: all of the link's capacity that cross traffic does not use, shared evenly.

    The ideal sender knows the rate of the link at any time and resends only what is lost.
    """
    row = outcome.flows[flow]
    interval_s = float(row["interval_s"])
    cross = [i for i in range(len(outcome.flows)) if i not in case.own]
    bits = case.capacity_bits(case.duration_s - interval_s) - 8 * outcome.total("received_bytes", cross)
    return max(bits, 0.0) * outcome.payload_share(case.own) / interval_s / len(case.own)


def shares(case: Case, outcome: Outcome) -> list[float]:
    """Return the goodput of each flow of the subject, divided by that of an ideal sender."""
    found = []
    for i in case.own:
        ideal = ideal_bps(case, outcome, i)
        found.append(float(outcome.flows[i]["goodput_bps"]) / ideal if ideal > 0 else 1.0)
    return found


def _goodput(case: Case, outcome: Outcome) -> float:
    return min(max(1.0 - sum(shares(case, outcome)) / len(case.own), 0.0), 1.0)


def _starvation(case: Case, outcome: Outcome) -> float:
    return min(max(1.0 - min(shares(case, outcome)), 0.0), 1.0)


def _delay(case: Case, outcome: Outcome) -> float:
    return outcome.queue_delay_s / (outcome.queue_delay_s + case.mean_rtt_s)


def _loss(case: Case, outcome: Outcome) -> float:
    sent = outcome.total("sent_packets", case.own)
    return outcome.total("lost_queue_packets", case.own) / sent if sent else 0.0


MEASURES: Final = {
    one.name: one
    for one in (
        Measure(
            "goodput",
            "share of the capacity left by cross traffic that the flow does not use; an ideal sender uses all of it",
            _goodput,
            0.5,
            0.25,
        ),
        Measure(
            "delay",
            "share of the queueing delay at the bottleneck in the round trip; an ideal sender keeps the queue empty",
            _delay,
            0.5,
            0.25,
        ),
        Measure(
            "starvation",
            "share that the flow with the least goodput lacks of an even share of the capacity",
            _starvation,
            0.75,
            0.15,
        ),
        Measure(
            "loss",
            "share of the sent packets that a full queue drops; an ideal sender loses none",
            _loss,
            0.1,
            0.05,
        ),
    )
}
"""Measures by name, as ``--against`` takes them."""


def measure_of(name: str) -> Measure:
    """Return a measure by name.

    Raises:
        UserError: If there is none; the message names the nearest.
    """
    if name not in MEASURES:
        raise UserError(f"--against: there is no measure {name!r}{choices(name, list(MEASURES))}")
    return MEASURES[name]
