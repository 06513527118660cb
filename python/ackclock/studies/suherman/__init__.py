"""Suherman and others: how far a loss shrinks the window of TCP in an ad hoc network.

settings      every value, with its reason            setups        networks: rates, areas, ranges
published     what the paper states, and its formulas peer          ns-2's results, from `reference/`
experiments   what is run, as scenario documents      data          runs, stored and loaded
claims        the paper's claims as tests             analysis      data to report
"""

from __future__ import annotations

from ackclock.studies.carry_out import CarriedOut

STUDY = CarriedOut(
    "suherman", "window decrement rate of TCP in an 802.11 ad hoc network (Suherman and others; ns-2)"
)
"""The study, as the registry finds it."""
