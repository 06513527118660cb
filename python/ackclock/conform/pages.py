"""Writes the reference page of the cases: ``python -m ackclock.conform.pages docs/reference/conform.md``."""

from __future__ import annotations

import sys
from pathlib import Path

from ackclock._io.files import atomic_write
from ackclock.conform.suites import SUITES

INTRODUCTION = """\
# Test cases of `conform`

`ackclock conform NAME` judges a congestion control, a loss recovery or a QUIC stack by the cases of a specification.
In Python `ackclock.conform.conform(NAME)` does the same. Each case is a scenario, a statement of what must be seen,
and a verdict: pass, fail, or not applicable. A case does not apply if the subject does not show the variable that is
judged, or if its conditions do not arise. QUIC stacks show their packets, but no inner state.
[Judging by a specification](../howto/judge-by-a-specification.md) shows how to use it in CI.

A control of one's own shows what it traces. Suite `bbr3` reads the draft's variables by their names in small letters
(`max_bw`, `inflight_longterm`, `full_bw_count`), and `phase`: 0 startup, 1 drain, 2 probe down, 3 cruise, 4 refill,
5 up, 6 probe-rtt.

This page is written from the declarations of the cases.
"""


def page() -> str:
    """Return the page's text."""
    parts = [INTRODUCTION]
    for suite in SUITES.values():
        parts.append(
            f"\n## {suite.name}\n\n{suite.title}. Without another subject, the suite judges `{suite.variant}`.\n"
        )
        parts.append("\n| case | source | scenario | what must be seen |\n| --- | --- | --- | --- |\n")
        parts += [
            f"| `{case.id}`: {case.title} | {case.source} | {case.scenario} | {case.judged} |\n"
            for case in suite.cases
        ]
    return "".join(parts)


if __name__ == "__main__":
    atomic_write(Path(sys.argv[1]), page())
