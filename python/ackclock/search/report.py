"""Results of a search: verdicts, scenario files, text, and JSON with a version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ackclock._io.versions import SCHEMA_VERSION
from ackclock.control.beside import beside
from ackclock.scenario.toml import to_toml
from ackclock.stats.statistics import interval

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario
    from ackclock.search.case import Case
    from ackclock.search.families import Family
    from ackclock.search.measures import Measure
    from ackclock.search.words import Account

__all__ = ["EngineStats", "Found", "Report", "Verdict"]


class Verdict(StrEnum):
    """Verdict on a family."""

    FOUND = "found"
    THROUGHOUT = "throughout"
    NONE = "none"


@dataclass
class EngineStats:
    """Statistics of one way of searching.

    Attributes:
        name: Its name, or ``sample`` for the first sample.
        runs: Number of candidates.
        best: Greatest harm.
        first: Number of the candidate that first reached the least harm of a finding; None if none did.
        states: Changes of state that its runs showed.
    """

    name: str
    runs: int = 0
    best: float = 0.0
    first: int | None = None
    states: set[int] = field(default_factory=set)

    def learn(self, harm: float, states: frozenset[int], harmful: bool) -> None:
        """Count one candidate."""
        self.runs += 1
        self.best = max(self.best, harm)
        if harmful and self.first is None:
            self.first = self.runs
        self.states |= states


@dataclass(frozen=True)
class Found:
    """Outcome of the search of one family.

    Attributes:
        family: The family.
        verdict: Found; throughout, if the median of the family is harmful already; or none.
        quartiles: Quartiles of the harm of the first sample: the subject's ordinary harm.
        bar: Harm from which on a candidate counts as a finding.
        worst: The candidate from which the shrinker began.
        worst_harm: Its harm.
        case: The smallest candidate that shows the fault; without a finding the worst one.
        harms: Harm of that candidate with its own seed, and in repetitions with other seeds and start jitter.
        engines: Statistics of the ways of searching.
        rounds: Number of rounds.
        runs: Number of all runs, with those of the shrinker.
        account: Sentences and values about the candidate.
        scenario: The candidate as a scenario.
    """

    family: Family
    verdict: Verdict
    quartiles: tuple[float, ...]
    bar: float
    worst: Case
    worst_harm: float
    case: Case
    harms: tuple[float, ...]
    engines: tuple[EngineStats, ...]
    rounds: int
    runs: int
    account: Account
    scenario: Scenario

    @property
    def file(self) -> str | None:
        """Name of the scenario file; None without a finding."""
        return None if self.verdict is Verdict.NONE else f"{self.family.name}.toml"

    @property
    def shown(self) -> int:
        """Number of repetitions that reach the bar."""
        return sum(harm >= self.bar for harm in self.harms)

    def sentence(self, measure: Measure) -> str:
        """Return the verdict in a sentence."""
        median = f"the median of {self.family.name} is {self.quartiles[1]:.2f}"
        if self.verdict is Verdict.NONE:
            return (
                f"{self.family.name}: nothing found. The greatest harm to {measure.name} is {self.worst_harm:.2f}; "
                f"a finding needs {self.bar:.2f} ({median})."
            )
        harm = f"harm to {measure.name} {self.harms[0]:.2f}"
        held = f"{self.shown} of {len(self.harms)} repetitions reach {self.bar:.2f}"
        if self.verdict is Verdict.THROUGHOUT:
            return f"{self.family.name}: harmful throughout the family; {harm}, {median}; {held}."
        return f"{self.family.name}: found, {harm}; {median}; {held}."

    def files(self, subject: str, measure: Measure) -> dict[str, str]:
        """Return the scenario file by name, with the files of controls that it names; none without a finding."""
        if self.file is None:
            return {}
        _, controls = beside(self.scenario.document())
        return {self.file: self.toml(subject, measure), **controls}

    def toml(self, subject: str, measure: Measure) -> str:
        """Return the text of the scenario file, with the sentences as its first comment."""
        document, _ = beside(self.scenario.document())
        lines = [f"{subject}, harm to {measure.name} {self.harms[0]:.2f}.", *self.account.sentences]
        return "".join(f"# {line}\n" for line in lines) + "\n" + to_toml(document)

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as data for JSON."""
        mean = interval(self.harms)
        return {
            "family": self.family.name,
            "verdict": str(self.verdict),
            "harm": self.harms[0],
            "repeated": list(self.harms),
            "mean": mean.mean,
            "half_width": mean.half_width,
            "bar": self.bar,
            "ordinary": {"q1": self.quartiles[0], "median": self.quartiles[1], "q3": self.quartiles[2]},
            "worst_harm": self.worst_harm,
            "parts_before": len(self.worst.parts),
            "parts": len(self.case.parts),
            "rounds": self.rounds,
            "runs": self.runs,
            "engines": [
                {
                    "name": one.name,
                    "runs": one.runs,
                    "best": one.best,
                    "first": one.first,
                    "states": len(one.states),
                }
                for one in self.engines
            ],
            "goodput_bps": list(self.account.goodput_bps),
            "ideal_bps": list(self.account.ideal_bps),
            "quiet_harm": self.account.quiet_harm,
            "timeouts": self.account.timeouts,
            "silence_s": self.account.silence_s,
            "silence_from_s": self.account.silence_from_s,
            "late_window": self.account.late_window,
            "happens": list(self.account.sentences),
            "file": self.file,
        }


@dataclass(frozen=True)
class Report:
    """Outcome of a search, family by family."""

    subject: str
    measure: Measure
    seed: int
    found: tuple[Found, ...]

    @property
    def any(self) -> bool:
        """True if a family has a finding, or is harmful throughout."""
        return any(one.verdict is not Verdict.NONE for one in self.found)

    def text(self) -> str:
        """Return the verdicts as text: a sentence for each family, then what happens in its scenario."""
        lines: list[str] = []
        for one in self.found:
            lines.append(one.sentence(self.measure))
            if one.verdict is not Verdict.NONE:
                lines += [f"  {sentence}" for sentence in one.account.sentences]
            lines.append(f"  {engines_text(one.engines)}")
        return "\n".join(lines)

    def to_json(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outcome as data for JSON; `manifest` has all inputs."""
        return {
            "schema_version": SCHEMA_VERSION,
            "subject": self.subject,
            "against": self.measure.name,
            "seed": self.seed,
            "families": [one.to_json() for one in self.found],
            "manifest": dict(manifest),
        }


def engines_text(engines: tuple[EngineStats, ...]) -> str:
    """Return how far each way of searching got, in one line."""
    parts = []
    for one in engines:
        first = "no finding" if one.first is None else f"a finding at its run {one.first}"
        parts.append(
            f"{one.name} {one.best:.2f} in {one.runs} runs ({first}, {len(one.states)} changes of state)"
        )
    return f"Greatest harm: {'; '.join(parts)}."
