"""Rules that find typical mistakes in experiments before anything runs (``ackclock check``).

    ac.lint.check(scenario)                 # findings: rule, place, problem and advice

``allow=["ACK003"]`` leaves a rule out. Each rule has a page in docs/reference/rules.
"""

from types import ModuleType as _Module

from ackclock.lint import buffers as buffers
from ackclock.lint import marking as marking
from ackclock.lint import phases as phases
from ackclock.lint import runs as runs
from ackclock.lint import windows as windows
from ackclock.lint.rule import RULES as RULES
from ackclock.lint.rule import Finding as Finding
from ackclock.lint.rule import Rule as Rule
from ackclock.lint.rule import check as check
from ackclock.lint.rule import check_all as check_all

__all__ = [name for name, one in vars().items() if not (name.startswith("_") or isinstance(one, _Module))]
