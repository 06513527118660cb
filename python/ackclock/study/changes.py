"""A user's changes to a study: settings of its scenarios, and added variants."""

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
"""Names of links of a study that declares none."""


class RefusedError(Exception):
    """Error for a setting that no scenario of a study accepts."""

    def __init__(self, setting: str, why: Exception, scenarios: tuple[Scenario, ...]) -> None:
        """Store the setting, the first scenario's error, and all scenarios of the study."""
        super().__init__(setting)
        self.setting = setting
        self.why = why
        self.scenarios = scenarios


@dataclass(frozen=True)
class Changes:
    """A user's changes to a study.

    Attributes:
        settings: `PATH=VALUE` texts, applied to each scenario that has the path.
        added: Variants that are run beside the study's own.
    """

    settings: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return true if the user changed a setting or added a variant."""
        return bool(self.settings or self.added)

    def beside(self, own: Collection[str]) -> Self:
        """Return these changes, after a check that each added variant is new to the study.

        Raises:
            UserError: A variant is one of the study's own, or is added twice.
        """
        for variant in self.added:
            if variant in own or self.added.count(variant) > 1:
                raise UserError(f"--add {variant}: the study has it already\n  it has {', '.join(own)}")
        return self

    def arguments(self) -> list[str]:
        """Return the changes as arguments of the command line (``--set PATH=VALUE``, ``--add VARIANT``)."""
        return [text for option in self.options() for text in option]

    def options(self) -> list[tuple[str, str]]:
        """Return each change as a pair of option and value."""
        return [*(("--set", one) for one in self.settings), *(("--add", one) for one in self.added)]

    def apply(self, jobs: Iterable[StudyJob], links: Mapping[str, str] = NO_LINKS) -> Iterator[StudyJob]:
        """Yield each job with the settings applied to its scenario; `altered` lists those that changed it.

        Args:
            jobs: The study's jobs.
            links: Names of the study's links; see `paths.link_names`.

        Raises:
            RefusedError: A setting is accepted by no scenario.
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
            # Without a family the job is always run. Within one, a run is skipped if it is known to give the same
            # result as the first; with the user's settings this need not hold.
            yield replace(job, scenario=scenario, family="", altered="; ".join(altered))
        for setting in self.settings:
            if setting not in taken:
                raise RefusedError(setting, refused[setting], tuple(changed))

    def _changed(
        self, scenario: Scenario, links: Mapping[str, str], taken: set[str], refused: dict[str, Exception]
    ) -> tuple[Scenario, tuple[str, ...]]:
        """Return the scenario with the settings that it accepts, and those of them that changed its meaning."""
        altered = []
        for setting in self.settings:
            before = scenario
            try:
                scenario = before.apply(numbered(setting, before, links))
            except (ScenarioError, UserError) as why:
                refused.setdefault(setting, why)
                continue
            taken.add(setting)
            # The scenario's own seed has no effect in a study, since each run uses the seed of its job.
            if not setting.startswith("seed=") and _resolved(scenario) != _resolved(before):
                altered.append(setting)
        return scenario, tuple(altered)

    def stated(self, stated: Mapping[str, str]) -> dict[str, str]:
        """Return those changed settings that the paper states: their paths, each with the place in the paper.

        Args:
            stated: Patterns of paths of the settings that the paper states, each with its place in the paper.
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
        """Return the changes from the plain values that `plain` wrote into a manifest."""
        return cls(tuple(plain.get("set", ())), tuple(plain.get("add", ())))

    def plain(self) -> dict[str, Any]:
        """Return the changes as plain values for a manifest; empty if there are none."""
        return {"set": list(self.settings), "add": list(self.added)} if self else {}


def _resolved(scenario: Scenario) -> str:
    """Return the scenario's description with all defaults filled in, to compare its meaning with another's."""
    return _core.describe(scenario.json(), "json")


UNCHANGED: Final = Changes()
"""The empty set of changes, for a study as published."""


def _meets(path: str, pattern: str) -> bool:
    """Return true if path and pattern name the same setting, or one names a table that contains the other."""
    given, wanted = path.split("."), pattern.split(".")
    return all(fnmatchcase(a, b) or a == "*" for a, b in zip(given, wanted, strict=False))
