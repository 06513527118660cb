"""Abadin and others: Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell.

settings      every value, with its reason            experiments   what is run, as scenario documents
published     what the paper states                   peer          ns-2's results, from `reference/`
data          runs, stored and loaded                 samples       looking values up
claims        the paper's claims as tests             analysis      data to report
"""

from __future__ import annotations

from ackclock.studies.carry_out import CarriedOut

STUDY = CarriedOut(
    "abadin", "Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell (Abadin and others; ns-2)"
)
"""The study, as the registry finds it."""
