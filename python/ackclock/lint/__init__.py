"""Rules that find typical mistakes in experiments before anything runs (``ackclock check``).

    ac.lint.check(scenario)                 # findings: rule, place, problem and advice

``allow=["ACK003"]`` leaves a rule out. Each rule has a page in docs/reference/rules.
"""

from ackclock.lint import buffers, marking, phases, runs, windows
from ackclock.lint.rule import RULES, Finding, Rule, check, check_all

__all__ = [
    "RULES",
    "Finding",
    "Rule",
    "buffers",
    "check",
    "check_all",
    "marking",
    "phases",
    "runs",
    "windows",
]
