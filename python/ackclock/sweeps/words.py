"""Names of varied settings for axis labels: ``bottleneck buffer (BDP)`` for ``link.bottleneck.queue``."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "loss": "loss probability",
    "queue": "buffer",
    "queue.bytes": "buffer",
    "queue.kind": "queue discipline",
    "queue.packets": "buffer",
    "tcp.profile": "profile",
    "tcp.variant": "variant",
}
"""Words for settings whose key is not suitable as a label, by the end of the path."""

UNITS: Final = {"queue": "packets", "queue.packets": "packets", "tcp.max_window": "segments"}
"""Units of settings whose values are plain numbers, by the end of the path."""

KINDS: Final = ("flow", "link", "lte", "node", "wifi")
"""Lists of a scenario; in a path, the number or name of an entry follows."""

_CONTAINERS: Final = ("tcp", "traffic", "queue", "reverse")
"""Tables whose names are left out of a label."""


def in_words(path: str) -> str:
    """Return the quantity at a path in words, such as "bottleneck rate" for ``link.bottleneck.rate``."""
    kind, *rest = path.split(".")
    if kind not in KINDS or len(rest) < 2:
        return WORDS.get(path, path.replace(".", " ").replace("_", " "))
    name, *keys = rest
    end = ".".join(keys)
    words = WORDS.get(end) or " ".join(
        key for i, key in enumerate(keys) if i == len(keys) - 1 or key not in _CONTAINERS
    ).replace("_", " ")
    if keys[0] == "reverse":
        words = f"reverse {WORDS.get('.'.join(keys[1:]), words)}"
    if name == "*":
        return words
    return f"{words} of {kind} {name}" if name.isdigit() else f"{name} {words}"


def with_unit(path: str, unit: str) -> str:
    """Return the quantity at a path in words with its unit; `unit` is empty for plain numbers."""
    *_, kind, name = ["", "", *path.split(".")[:2]]
    end = path.removeprefix(f"{kind}.{name}.")
    known = unit or UNITS.get(end, "")
    return f"{in_words(path)} ({known})" if known else in_words(path)
