"""Maulana and Niati: NewReno and Vegas over "LTE", which the paper's text leaves open to several readings.

settings      every value, with its reason            cases         the readings of the set-up, as networks
published     what the paper states                   peer          ns-2's results, from `reference/`
experiments   what is run, as scenario documents      data          runs, stored and loaded
claims        the paper's claims as tests             analysis      data to report
"""

from __future__ import annotations

from ackclock.studies.carry_out import CarriedOut

STUDY = CarriedOut(
    "maulana", "NewReno and Vegas over LTE, in each reading of the set-up (Maulana and Niati; ns-2)"
)
"""The study, as the registry finds it."""
