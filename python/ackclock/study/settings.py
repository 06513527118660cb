"""The settings of a study: each is stated once, used from there and printed from there."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, TypeVar

BASE_SEED: Final = 1
"""Seed of the first replication; the others count up from it."""

V = TypeVar("V")


@dataclass(frozen=True)
class Setting:
    """One line of the table of settings.

    Attributes:
        name: The name of the setting.
        value: To what, in words.
        source: "paper" where the text states it, else "open".
        reason: The reason for the value if the paper leaves it open; else the place in the text that states it.
    """

    name: str
    value: str
    source: str
    reason: str


class Settings:
    """The table of a study's settings. Stating one adds its line and returns the value, for use in scenarios."""

    def __init__(self) -> None:
        self.rows: list[Setting] = []
        self._values: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return the value that was stated under a name."""
        return self._values[name]

    def paper(self, name: str, value: V, where: str, shown: str = "{}") -> V:
        """State a value of the paper, with its place there; `shown` is its printed form, its parts in braces."""
        return self._state(name, value, "paper", where, shown)

    def open(self, name: str, value: V, reason: str, shown: str = "{}") -> V:
        """State a value that the paper leaves open, with the reason for it; `shown` is its printed form."""
        return self._state(name, value, "open", reason, shown)

    def plain(self) -> list[dict[str, str]]:
        """Return the lines as plain values."""
        return [asdict(row) for row in self.rows]

    def _state(self, name: str, value: V, source: str, reason: str, shown: str) -> V:
        parts = value if isinstance(value, tuple) else (value,)
        self.rows.append(Setting(name, shown.format(*parts, **self._values), source, reason))
        self._values[name] = value
        return value
