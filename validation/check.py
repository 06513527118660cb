"""What a check says, and the bookkeeping that every run passes through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from validation.reference import MissingReference


@dataclass(frozen=True)
class Check:
    """One line of the validation table.

    Attributes:
        group: the part of the validation.
        name: what is checked.
        target: what it must show.
        measured: what it showed.
        passed: the verdict; `None` where it could not be judged (the reason stands in `measured`).
        detail: more lines for whoever looks into a failure, not in the table.
    """

    group: str
    name: str
    target: str
    measured: str
    passed: bool | None
    detail: str = ""

    @property
    def verdict(self) -> str:
        """The verdict in a word."""
        return {True: "pass", False: "FAIL", None: "-"}[self.passed]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def skippable(group: str, checks: Callable[[], list[Check]]) -> list[Check]:
    """Run a group's checks; missing reference data gives one line that says so."""
    try:
        return checks()
    except MissingReference as reason:
        return [Check(group, "all", "reference data", str(reason), None)]
