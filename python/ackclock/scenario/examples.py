"""Gives access to the package's example scenarios by name."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "scenarios"
"""Folder of the examples: TOML files, and trace files that they refer to."""


def names() -> list[str]:
    """Return the names of the examples in alphabetical order."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def find(given: str | Path) -> Path | None:
    """Return the file of the example named `given`, or None if there is none.

    Only a bare word is an example's name: `dumbbell` is an example, `dumbbell.toml` and `mine/dumbbell` are files of
    the user.
    """
    name = str(given)
    return FOLDER / f"{name}.toml" if name in names() else None


def summary(name: str) -> str:
    """Return the first sentence of the comment at the top of an example."""
    lines = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines()
    comment: list[str] = []
    for line in lines:
        if not line.startswith("# "):
            break
        comment.append(line.removeprefix("# "))
    return re.split(r"(?<=[.?!])\s+(?=[A-Z])", " ".join(comment), maxsplit=1)[0]
