"""Heriyanto and others: Westwood+ and NewReno on an 802.11n wireless network.

settings      every value, with its reason            experiments   what is run, and what runs leave
published     what the paper states                   results       our values and ns-3's, by point
claims        the paper's claims as tests             figures, tables
study         the study as a whole, and its report
"""

from __future__ import annotations

from ackclock.studies.heriyanto.study import STUDY as STUDY
