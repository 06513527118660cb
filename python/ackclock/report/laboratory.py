"""Links from a report into the laboratory in a browser."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from ackclock import lab
from ackclock.report.model import Laboratory, Opened, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ackclock.report.model import Block

LONGEST: Final = 8000
"""Maximum length of a link, characters. Some mail programs cut longer ones off."""

_HOW: Final = (
    "The laboratory shows {what} in a browser, with sliders and every packet. With ackclock installed, the command "
    "opens it; give it in this folder. The link works offline and without an installation if this folder has "
    "`lab.html`, which `ackclock lab --out lab.html` writes."
)


def runs(found: Iterable[tuple[str, str, Mapping[str, Any], str, int]]) -> tuple[Block, ...]:
    """Return the blocks that open runs in the laboratory; empty if it can open none of them.

    Args:
        found: Title, name of the scenario file, document, its text (TOML) and seed of each run.
    """
    opened = tuple(
        _run(title, file, text, seed) for title, file, document, text, seed in found if lab.opens(document)
    )
    return (Text((_HOW.format(what="the first run of each"),)), Laboratory(opened)) if opened else ()


def _run(title: str, file: str, text: str, seed: int) -> Opened:
    fragment = lab.link(None, text, seed)
    command = shlex.join(["ackclock", "lab", file, "--seed", str(seed)])
    return Opened(title, command, fragment if len(fragment) <= LONGEST else "")


def figure(guide: str) -> tuple[Block, ...]:
    """Return the blocks that open a guide of the laboratory with a live figure."""
    opened = Opened(guide, shlex.join(["ackclock", "lab", "--learn", guide]), f"#learn={guide}")
    return (Text((_HOW.format(what="one figure of this study live"),)), Laboratory((opened,)))
