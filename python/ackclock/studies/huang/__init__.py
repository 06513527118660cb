"""Huang and Li: Westwood, TCPW-I and an intelligent gateway on lossy paths.

settings      every value, with its reason            experiments   what is run, and the tables that runs leave
published     what the paper states                   peer          ns-2's results, from `reference/`
results       our values by point, held against ns-2's
claims        the paper's claims as tests             figures, tables
study         the study as a whole, and its report
"""

from __future__ import annotations

from ackclock.studies.huang.study import STUDY as STUDY
