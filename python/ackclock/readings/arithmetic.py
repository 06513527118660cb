"""Arithmetic on the digits of published numbers, before any run."""

from __future__ import annotations

from ackclock.readings.finding import Finding
from ackclock.readings.laws import impossible, in_flight, intervals, serialisation
from ackclock.readings.published import Published
from ackclock.readings.whole import small_ratios, whole_packets


def digits(published: Published) -> list[Finding]:
    """Return everything that the digits of published numbers tell by themselves.

    Findings say how many such findings random digits would give. They are found after the fact: a whole number of
    packets suggests a packet size and confirms nothing.
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
