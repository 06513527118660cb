"""Huang and Li: Westwood, TCPW-I and an intelligent gateway on lossy paths.

settings      every value, with its reason            experiments   what is run, as scenario documents
published     what the paper states                   peer          ns-2's results, from `reference/`
data          runs, stored and loaded                 samples       looking values up
claims        the paper's claims as tests             analysis      data to report
"""

from __future__ import annotations

from ackclock.studies.huang.carry_out import Huang

STUDY = Huang()
"""The study, as the registry finds it."""
