"""The result of one check of the validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from validation.reference import MissingReference

if TYPE_CHECKING:
    from validation.stats import Compared


@dataclass(frozen=True)
class Check:
    """One line of the validation table.

    Attributes:
        group: Part of the validation.
        name: Subject of the check.
        target: Required result.
        measured: Actual result.
        passed: True if the check passed; `None` if it could not be judged (`measured` has the reason).
        detail: Further lines for the analysis of a failure, not in the table.
        undecided: True if the check was judged but the runs cannot decide, since their interval includes an end of the
            margin.
    """

    group: str
    name: str
    target: str
    measured: str
    passed: bool | None
    detail: str = ""
    undecided: bool = False

    @classmethod
    def of(cls, group: str, name: str, found: Compared) -> Check:
        """Return the check for a mean that was compared with a reference."""
        return cls(group, name, found.asked, found.text, found.passed, undecided=found.passed is None)

    @property
    def verdict(self) -> str:
        """The verdict as words for the table."""
        if self.undecided:
            return "cannot decide"
        return {True: "pass", False: "FAIL", None: "-"}[self.passed]

    def as_dict(self) -> dict[str, Any]:
        """Return the check for the JSON file."""
        return asdict(self)


def skippable(group: str, checks: Callable[[], list[Check]]) -> list[Check]:
    """Run a group's checks; if reference data is missing, return one check that states this."""
    try:
        return checks()
    except MissingReference as reason:
        return [Check(group, "all", "reference data", str(reason), None)]
