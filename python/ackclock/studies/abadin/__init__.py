"""Abadin and others: Tahoe, Reno, NewReno, SACK and Vegas on a wired dumbbell.

settings      every value, with its reason            experiments   what is run, and the tables that runs leave
published     what the paper states                   results       our values and ns-2's, by point
claims        the paper's claims as tests             figures, tables
study         the study as a whole, and its report
"""

from __future__ import annotations

from ackclock.studies.abadin.study import STUDY as STUDY
