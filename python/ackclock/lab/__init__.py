"""The laboratory for browsers: a single page, built by `make web` and included in wheels."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

from ackclock.errors import UserError, choices

PAGE = Path(__file__).with_name("lab.html")
"""File of the page; missing in a source tree until `make web` has run."""
_BODY = '<div id="app"></div>'


def page(example: str | None = None, text: str = "", guide: str | None = None) -> str:
    """Return the page's text; the page starts with the given guide, example or scenario text.

    Raises:
        UserError: If the page was not built, or has no such guide.
    """
    if not PAGE.exists():
        raise UserError(
            "this installation has no laboratory for browsers\n"
            "  wheels carry it; from the sources, `make web` builds it (it says what it needs)"
        )
    whole = PAGE.read_text(encoding="utf-8")
    if guide is not None and guide not in guides(whole):
        raise UserError(f"the laboratory has no guide {guide!r}{choices(guide, guides(whole))}")
    if example is None and not text and guide is None:
        return whole
    begin = link(example, text) if guide is None else f"#learn={guide}"
    start = f'{_BODY}\n    <script type="text/plain" id="start">{begin}</script>'
    return whole.replace(_BODY, start, 1)


def guides(whole: str) -> list[str]:
    """Return the names of the guides of a page."""
    found = re.search(r'<meta name="guides" content="([^"]*)"', whole)
    return found[1].split() if found else []


def link(example: str | None, text: str) -> str:
    """Return the fragment of a link that makes the page start with an example or text: `#lab=` and a packed state."""
    state: dict[str, object] = {"example": example, "text": text, "set": [], "b": [], "two": False, "seed": 1}
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#lab=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")
