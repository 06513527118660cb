"""Heriyanto and others: Westwood+ and NewReno on an 802.11n wireless network.

settings      every value, with its reason            experiments   what is run, as scenario documents
published     what the paper states                   peer          ns-3's results, from `reference/`
data          runs, stored and loaded                 samples       looking values up
recordings    FlowMonitor's XML, and runs as pages
claims        the paper's claims as tests             analysis      data to report
"""

from __future__ import annotations

from ackclock.studies.carry_out import CarriedOut

STUDY = CarriedOut(
    "heriyanto", "Westwood+ and NewReno on an 802.11n wireless network (Heriyanto and others; ns-3)"
)
"""The study, as the registry finds it."""
