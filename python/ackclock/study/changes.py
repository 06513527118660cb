"""A user's changes to a study: settings of its scenarios, and variants beside its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, Self

from ackclock import _core
from ackclock.errors import ScenarioError, UserError
from ackclock.study.paths import numbered

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ackclock.scenario.scenario import Scenario
    from ackclock.study.runs import StudyJob


NO_LINKS: Final[Mapping[str, str]] = {}
"""The names of the links of a study without links."""


class RefusedError(Exception):
    """A setting that none of a study's scenarios takes."""

    def __init__(self, setting: str, why: Exception, scenarios: tuple[Scenario, ...]) -> None:
        """Keep the setting, the first scenario's error, and the scenarios that were asked."""
        super().__init__(setting)
        self.setting = setting
        self.why = why
        self.scenarios = scenarios


@dataclass(frozen=True)
class Changes:
    """A user's changes to a study.

    Attributes:
        settings: `PATH=VALUE` texts, applied to each scenario that has the path.
        added: Variants beside the study's own.
    """

    settings: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return true if anything is changed."""
        return bool(self.settings or self.added)

    def beside(self, own: Collection[str]) -> Self:
        """Return the same changes, after a check that nothing is added that the study has.

        Raises:
            UserError: It has it.
        """
        for variant in self.added:
            if variant in own or self.added.count(variant) > 1:
                raise UserError(f"--add {variant}: the study has it already\n  it has {', '.join(own)}")
        return self

    def arguments(self) -> list[str]:
        """Return the changes as arguments of the command line."""
        return [text for option in self.options() for text in option]

    def options(self) -> list[tuple[str, str]]:
        """Return each change as the option and its value."""
        return [*(("--set", one) for one in self.settings), *(("--add", one) for one in self.added)]

    def apply(self, jobs: Iterable[StudyJob], links: Mapping[str, str] = NO_LINKS) -> Iterator[StudyJob]:
        """Change the scenario of each job, and note which settings changed it.

        Args:
            jobs: The study's jobs.
            links: Names of its links; see `paths.link_names`.

        Raises:
            RefusedError: A setting fits none of the scenarios.
        """
        if not self.settings:
            yield from jobs
            return
        changed: dict[Scenario, tuple[Scenario, tuple[str, ...]]] = {}
        taken: set[str] = set()
        refused: dict[str, Exception] = {}
        for job in jobs:
            if job.scenario not in changed:
                changed[job.scenario] = self._changed(job.scenario, links, taken, refused)
            scenario, altered = changed[job.scenario]
            # A setting may affect what a family varies even if its rows do not show it.
            yield replace(job, scenario=scenario, family="", altered="; ".join(altered))
        for setting in self.settings:
            if setting not in taken:
                raise RefusedError(setting, refused[setting], tuple(changed))

    def _changed(
        self, scenario: Scenario, links: Mapping[str, str], taken: set[str], refused: dict[str, Exception]
    ) -> tuple[Scenario, tuple[str, ...]]:
        """Return the scenario with every setting that it takes, and those that made it another scenario."""
        altered = []
        for setting in self.settings:
            before = scenario
            try:
                scenario = before.apply(numbered(setting, before, links))
            except (ScenarioError, UserError) as why:
                refused.setdefault(setting, why)
                continue
            taken.add(setting)
            # Each run has a seed of its own, whatever the scenario's.
            if not setting.startswith("seed=") and _resolved(scenario) != _resolved(before):
                altered.append(setting)
        return scenario, tuple(altered)

    def stated(self, stated: Mapping[str, str]) -> dict[str, str]:
        """Return the settings that the paper states, by path, each with its place in the paper.

        Args:
            stated: Patterns of paths that the paper states, each with the place.
        """
        found = {}
        for setting in self.settings:
            path = setting.partition("=")[0]
            places = [place for pattern, place in stated.items() if _meets(path, pattern)]
            if places:
                found[path] = places[0]
        return found

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Read the output of `plain`."""
        return cls(tuple(plain.get("set", ())), tuple(plain.get("add", ())))

    def plain(self) -> dict[str, Any]:
        """Return the changes for a manifest; empty if nothing is changed."""
        return {"set": list(self.settings), "add": list(self.added)} if self else {}


def _resolved(scenario: Scenario) -> str:
    """Return the scenario with every default filled in."""
    return _core.describe(scenario.json(), "json")


UNCHANGED: Final = Changes()
"""No changes."""


def _meets(path: str, pattern: str) -> bool:
    """Tell whether a path names something that the pattern does, part of it, or the whole that it is part of."""
    given, wanted = path.split("."), pattern.split(".")
    return all(fnmatchcase(a, b) or a == "*" for a, b in zip(given, wanted, strict=False))
