"""Settings of a study: each is declared once, for the scenarios and for the report's table."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, TypeVar

BASE_SEED: Final = 1
"""Seed of the first run; the seeds of replications count up from here."""

V = TypeVar("V")


@dataclass(frozen=True)
class Setting:
    """A line of the table of settings.

    Attributes:
        name: Name of the setting.
        value: Value as printed.
        source: ``paper`` if the paper states the value, else ``open``.
        reason: Reason for the value if the paper leaves it open; otherwise the place in the paper that states it.
    """

    name: str
    value: str
    source: str
    reason: str


class Settings:
    """The table of a study's settings; a method that declares a setting adds a line and returns the value."""

    def __init__(self) -> None:
        self.rows: list[Setting] = []
        self._values: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return the value of the setting declared under `name`."""
        return self._values[name]

    def paper(self, name: str, value: V, where: str, shown: str = "{}") -> V:
        """Declare a value that the paper states at place `where`; `shown` is a format string for the printed value."""
        return self._state(name, value, "paper", where, shown)

    def open(self, name: str, value: V, reason: str, shown: str = "{}") -> V:
        """Declare a value that the paper leaves open, with the reason for it; `shown` formats the printed value."""
        return self._state(name, value, "open", reason, shown)

    def plain(self) -> list[dict[str, str]]:
        """Return the lines of the table as dictionaries."""
        return [asdict(row) for row in self.rows]

    def _state(self, name: str, value: V, source: str, reason: str, shown: str) -> V:
        parts = value if isinstance(value, tuple) else (value,)
        self.rows.append(Setting(name, shown.format(*parts, **self._values), source, reason))
        self._values[name] = value
        return value
