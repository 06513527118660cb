"""Standard streams that accept any text: a closed stream discards it, and an encoding without ± gets +- instead.

Cron jobs, services and ``ackclock list >&-`` start a process without standard output or standard error. Terminals and
pipes may have a limited encoding such as ASCII or cp1252. Results must not be lost in either case.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
import unicodedata
from pathlib import Path
from typing import Final, TextIO

PLAIN: Final = {
    "±": "+-",
    "–": "-",
    "—": "-",
    "−": "-",
    "‑": "-",
    "×": "x",
    "·": "*",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "…": "...",
    "†": "*",
    "β": "beta",
    "µ": "u",
    "μ": "u",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "█": "#",
    "━": "-",
    "─": "-",
    "│": "|",
}
"""ASCII replacements of characters that ackclock prints. Other characters lose their accents or become question marks.
"""

HANDLER: Final = "ackclock.plain"
"""Name under which the error handler is registered with `codecs`."""


def prepare() -> None:
    """Make the standard streams accept any text, with any state in which the process was started.

    Afterwards the descriptors 0, 1 and 2 are open, so that no result file can get one of these numbers.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    codecs.register_error(HANDLER, _plain)
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 (open as long as the process)
    sys.stdout = _fit(sys.stdout)
    sys.stderr = _fit(sys.stderr)


def is_closed(stream: TextIO | None) -> bool:
    """Return true if a standard stream discards its text because the process was started without it."""
    return stream is None or getattr(stream, "name", None) == os.devnull


def _fit(stream: TextIO | None) -> TextIO:
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None and not _holds_all(stream):
        reconfigure(errors=HANDLER)
    return stream


def _holds_all(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return a replacement for characters that an encoding lacks; this is an error handler of `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_ascii(one) for one in lacking), error.end


def _ascii(character: str) -> str:
    if character in PLAIN:
        return PLAIN[character]
    bare = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return bare or "?"
