"""The laboratory for browsers: a single page, built by `make web` and included in wheels."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

from ackclock.errors import UserError

PAGE = Path(__file__).with_name("lab.html")
"""File of the page; missing in a source tree until `make web` has run."""
_BODY = '<div id="app"></div>'


def page(example: str | None = None, text: str = "") -> str:
    """Return the page's text; the page starts with the given example, or with the given scenario text.

    Raises:
        UserError: If the page was not built.
    """
    if not PAGE.exists():
        raise UserError(
            "this installation has no laboratory for browsers\n"
            "  wheels carry it; from the sources, `make web` builds it (it says what it needs)"
        )
    whole = PAGE.read_text(encoding="utf-8")
    if example is None and not text:
        return whole
    start = f'{_BODY}\n    <script type="text/plain" id="start">{link(example, text)}</script>'
    return whole.replace(_BODY, start, 1)


def link(example: str | None, text: str) -> str:
    """Return the fragment of a link that makes the page start with an example or text: `#lab=` and a packed state."""
    state: dict[str, object] = {"example": example, "text": text, "set": [], "b": [], "two": False, "seed": 1}
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#lab=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")
