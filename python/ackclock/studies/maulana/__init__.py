"""Maulana and Niati: NewReno and Vegas over "LTE", which the paper's text leaves open to several readings.

settings      every value, with its reason            cases         the readings of the set-up, as networks
published     what the paper states                   experiments   what is run, and the tables that runs leave
results       our values by point, ns-2's and ns-3's
claims        the paper's claims as tests             figures, tables
study         the study as a whole, and its report
"""

from __future__ import annotations

from ackclock.studies.maulana.study import STUDY as STUDY
