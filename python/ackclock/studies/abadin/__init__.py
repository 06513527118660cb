"""Abadin and others: Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell.

settings      every value, with its reason            experiments   what is run, as scenario documents
published     what the paper states                   peer          ns-2's results, from `reference/`
data          runs, stored and loaded                 samples       looking values up
claims        the paper's claims as tests             analysis      data to report
"""

from __future__ import annotations

from ackclock.studies.abadin.carry_out import Abadin

STUDY = Abadin()
"""The study, as the registry finds it."""
