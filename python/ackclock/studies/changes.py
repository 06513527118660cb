"""What a user changes of a study: settings of its scenarios, and variants beside its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, Self

from ackclock.errors import ScenarioError, UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from ackclock.scenario import Scenario
    from ackclock.studies.runs import StudyJob


@dataclass(frozen=True)
class Changes:
    """What is changed of a study.

    Attributes:
        settings: `PATH=VALUE` texts, applied to each scenario that has the path.
        added: Variants beside the study's own.
    """

    settings: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is changed."""
        return bool(self.settings or self.added)

    def beside(self, own: Collection[str]) -> Self:
        """The same, where nothing is added that the study has.

        Raises:
            UserError: It has it.
        """
        for variant in self.added:
            if variant in own or self.added.count(variant) > 1:
                raise UserError(f"--add {variant}: the study has it already\n  it has {', '.join(own)}")
        return self

    def arguments(self) -> list[str]:
        """The same as arguments of the command line."""
        return [text for option in self.options() for text in option]

    def options(self) -> list[tuple[str, str]]:
        """Each change as the option and its value."""
        return [*(("--set", one) for one in self.settings), *(("--add", one) for one in self.added)]

    def apply(self, jobs: Iterable[StudyJob]) -> Iterator[StudyJob]:
        """Change the scenario of each job.

        Raises:
            ScenarioError: A setting fits none of the scenarios; it is the error of the first one.
        """
        if not self.settings:
            yield from jobs
            return
        changed: dict[Scenario, Scenario] = {}
        taken: set[str] = set()
        refused: dict[str, Exception] = {}
        for job in jobs:
            if job.scenario not in changed:
                changed[job.scenario] = self._changed(job.scenario, taken, refused)
            # A setting may need what a family varies where its rows do not show it.
            yield replace(job, scenario=changed[job.scenario], family="")
        for setting in self.settings:
            if setting not in taken:
                raise refused[setting]

    def _changed(self, scenario: Scenario, taken: set[str], refused: dict[str, Exception]) -> Scenario:
        for setting in self.settings:
            try:
                scenario = scenario.apply([setting])
            except (ScenarioError, UserError) as why:
                refused.setdefault(setting, why)
            else:
                taken.add(setting)
        return scenario

    def stated(self, stated: Mapping[str, str]) -> dict[str, str]:
        """The settings that the paper states, by path, each with the place where it does.

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
        """Read what `plain` wrote."""
        return cls(tuple(plain.get("set", ())), tuple(plain.get("add", ())))

    def plain(self) -> dict[str, Any]:
        """The same for a manifest; nothing where nothing is changed."""
        return {"set": list(self.settings), "add": list(self.added)} if self else {}


UNCHANGED: Final = Changes()
"""The study as it is."""


def _meets(path: str, pattern: str) -> bool:
    """Whether a path names something that the pattern does, part of it, or the whole that it is part of."""
    given, wanted = path.split("."), pattern.split(".")
    return all(fnmatchcase(a, b) or a == "*" for a, b in zip(given, wanted, strict=False))
