"""Writes the pages of the rules: ``python -m ackclock.lint.pages docs/reference/rules``."""

from __future__ import annotations

import sys
from pathlib import Path

from ackclock._io.files import atomic_write
from ackclock.lint import RULES, Rule

INTRODUCTION = """\
# Rules of `check`

`ackclock check FILE` goes through these rules before anything runs; `compare` and `sweep` do so, too, and in Python
`ackclock.lint.check(scenario)` does. A rule warns of a scenario that makes sense and is probably not what you mean. It
refuses nothing. To leave a rule out, pass `--allow ACK003`.
"""


def pages() -> dict[str, str]:
    """Return the text of all pages, by file name."""
    rows = "".join(
        f"| [{one.code}]({one.code}.md) | {one.name} | {one.summary} |\n" for one in RULES.values()
    )
    toctree = "```{toctree}\n:hidden:\n\n" + "".join(f"{code}\n" for code in RULES) + "```\n"
    index = f"{INTRODUCTION}\n| rule | name | what it finds |\n| --- | --- | --- |\n{rows}\n{toctree}"
    return {"index.md": index, **{f"{one.code}.md": _page(one) for one in RULES.values()}}


def _page(one: Rule) -> str:
    return f"# {one.code}: {one.name}\n\n{one.text}\n"


if __name__ == "__main__":
    for name, text in pages().items():
        atomic_write(Path(sys.argv[1]) / name, text)
