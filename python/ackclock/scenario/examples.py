"""The example scenarios that come with the package, by name."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "scenarios"
"""Their folder: TOML files, and the traces that they read."""


def names() -> list[str]:
    """Return the name of each example, in alphabetical order."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def find(given: str | Path) -> Path | None:
    """Return the file of the example that `given` names, or None if there is no such example.

    A name is a bare word: `dumbbell` is an example, `dumbbell.toml` and `mine/dumbbell` are the user's files.
    """
    name = str(given)
    return FOLDER / f"{name}.toml" if name in names() else None


def summary(name: str) -> str:
    """Return the first sentence of an example's comment."""
    lines = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines()
    comment: list[str] = []
    for line in lines:
        if not line.startswith("# "):
            break
        comment.append(line.removeprefix("# "))
    return re.split(r"(?<=[.?!])\s+(?=[A-Z])", " ".join(comment), maxsplit=1)[0]
