"""Arithmetic on the digits of published numbers, before any run."""

from __future__ import annotations

from ackclock.readings.finding import Finding
from ackclock.readings.laws import impossible, in_flight, intervals, serialisation
from ackclock.readings.published import Published
from ackclock.readings.whole import small_ratios, whole_packets


def digits(published: Published) -> list[Finding]:
    """Return the findings from the digits of published numbers alone, without a run.

    Each finding states how many such findings random digits would give. Findings are made after the fact: a whole
    number of packets suggests a packet size, but confirms nothing.
    """
    whole, fits = whole_packets(published)
    return [
        *whole,
        *small_ratios(published, fits),
        *intervals(published),
        *serialisation(published, fits),
        *in_flight(published, fits),
        *impossible(published),
    ]
