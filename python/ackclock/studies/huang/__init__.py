"""Huang and Li: Westwood, TCPW-I and an intelligent gateway on lossy paths.

settings      every value, with its reason            experiments   what is run, as scenario documents
published     what the paper states                   peer          ns-2's results, from `reference/`
data          runs, stored and loaded                 samples       looking values up
claims        the paper's claims as tests             analysis      data to report
"""

from __future__ import annotations

from ackclock.studies.carry_out import CarriedOut

STUDY = CarriedOut(
    "huang", "Westwood, TCPW-I and an intelligent gateway on lossy paths (Huang and Li; ns-2 TCP-Linux)"
)
"""The study, as the registry finds it."""
