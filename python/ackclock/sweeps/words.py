"""Varied settings in words, for axes: ``bottleneck buffer (BDP)``, never ``link.bottleneck.queue``."""

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
"""Settings whose words are not those of the key, by the end of the path."""

UNITS: Final = {"queue": "packets", "queue.packets": "packets", "tcp.max_window": "segments"}
"""Units of settings that are plain numbers, by the end of the path."""

KINDS: Final = ("flow", "link", "lte", "node", "wifi")
"""Lists of a scenario, whose entries have a number or a name."""

_CONTAINERS: Final = ("tcp", "traffic", "queue", "reverse")
"""Tables that add nothing to the words of their keys."""


def in_words(path: str) -> str:
    """Return the quantity at a path: ``link.bottleneck.rate`` is "bottleneck rate"."""
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
    """Return the quantity at a path with its unit; `unit` is empty if its values are plain numbers."""
    *_, kind, name = ["", "", *path.split(".")[:2]]
    end = path.removeprefix(f"{kind}.{name}.")
    known = unit or UNITS.get(end, "")
    return f"{in_words(path)} ({known})" if known else in_words(path)
