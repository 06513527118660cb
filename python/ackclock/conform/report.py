"""Formats the verdicts on a subject as text, JSON and JUnit XML."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from ackclock.conform.case import Case, Outcome, Suite, Verdict

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario

__all__ = ["SCHEMA_VERSION", "Judged", "Report"]

SCHEMA_VERSION = 1
"""Version of the JSON format; it rises when an entry changes its meaning or is removed."""


@dataclass(frozen=True)
class Judged:
    """A case with its verdict, and the scenarios that it ran."""

    case: Case
    verdict: Verdict
    scenarios: tuple[Scenario, ...] = ()

    def files(self, subject: str) -> dict[str, str]:
        """Return the scenario files of the case by name, with the files of controls that they name.

        The first lines of a scenario have the case and the verdict.
        """
        from ackclock.control.beside import beside
        from ackclock.scenario.toml import to_toml

        text = [
            f"{subject}, case {self.case.id}: {self.case.title} ({self.case.source}).",
            f"Wanted: {self.case.judged}.",
            f"{str(self.verdict.outcome).capitalize()}: {self.verdict.reason}"
            + (f" ({self.verdict.when})." if self.verdict.when else "."),
        ]
        comment = "".join(f"# {line}\n" for line in text) + "\n"
        names = [f"{self.case.id}{f'-{i}' if i else ''}.toml" for i in range(len(self.scenarios))]
        found: dict[str, str] = {}
        for name, one in zip(names, self.scenarios, strict=True):
            document, controls = beside(one.document())
            found |= {name: comment + to_toml(document), **controls}
        return found


@dataclass(frozen=True)
class Report:
    """The verdicts on one subject, in the order of the suite's cases."""

    suite: Suite
    subject: str
    judged: tuple[Judged, ...]

    def count(self, outcome: Outcome) -> int:
        """Return the number of cases with this result."""
        return sum(one.verdict.outcome is outcome for one in self.judged)

    @property
    def failed(self) -> bool:
        """True if any case failed."""
        return self.count(Outcome.FAIL) > 0

    @property
    def summary(self) -> str:
        """One line with the number of cases per result."""
        counts = ", ".join(f"{self.count(outcome)} {outcome}" for outcome in Outcome)
        return f"{self.subject} by {self.suite.title}: {counts}"

    def text(self) -> str:
        """Return the verdicts as text, one line per case."""
        wide = max((len(one.case.id) for one in self.judged), default=0)
        lines = [
            f"  {one.verdict.outcome:<14} {one.case.id:<{wide}}  {one.verdict.reason}"
            + (f" ({one.verdict.when})" if one.verdict.when else "")
            for one in self.judged
        ]
        return "\n".join([self.summary, *lines])

    def to_json(self) -> str:
        """Return the verdicts as JSON, with the format version."""
        cases: list[dict[str, Any]] = [
            {
                "id": one.case.id,
                "title": one.case.title,
                "source": one.case.source,
                "scenario": one.case.scenario,
                "judged": one.case.judged,
                "outcome": str(one.verdict.outcome),
                "reason": one.verdict.reason,
                "from_s": one.verdict.from_s,
                "to_s": one.verdict.to_s,
            }
            for one in self.judged
        ]
        document = {
            "schema": SCHEMA_VERSION,
            "suite": self.suite.name,
            "subject": self.subject,
            "counts": {str(outcome): self.count(outcome) for outcome in Outcome},
            "cases": cases,
        }
        return json.dumps(document, indent=2) + "\n"

    def to_junit(self) -> str:
        """Return the verdicts as JUnit XML; cases that do not apply count as skipped."""
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuite name={quoteattr(f"conform.{self.suite.name}")} tests="{len(self.judged)}" '
            f'failures="{self.count(Outcome.FAIL)}" skipped="{self.count(Outcome.NOT_APPLICABLE)}">',
        ]
        for one in self.judged:
            name = f"  <testcase classname={quoteattr(self.subject)} name={quoteattr(one.case.id)}"
            message = f"message={quoteattr(one.verdict.reason)}"
            inner = {
                Outcome.PASS: "",
                Outcome.FAIL: f"<failure {message}>{one.verdict.when}</failure>",
                Outcome.NOT_APPLICABLE: f"<skipped {message}/>",
            }[one.verdict.outcome]
            lines.append(f"{name}>{inner}</testcase>" if inner else f"{name}/>")
        return "\n".join([*lines, "</testsuite>", ""])
