"""Suherman and others: how far a loss shrinks the window of TCP in an ad hoc network.

settings      every value, with its reason            setups        networks: rates, areas, ranges
published     what the paper states, and its formulas experiments   what is run, and the table that runs leave
results       our values and ns-2's, by point         claims        the paper's claims as tests
figures, tables                                       study         the study as a whole, and its report
"""

from __future__ import annotations

from ackclock.studies.suherman.study import STUDY as STUDY
