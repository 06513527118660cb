"""Rules and findings of ``ackclock check``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from ackclock.errors import UserError, choices
from ackclock.lint.world import World

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario

Found: TypeAlias = "Iterator[tuple[str, str]]"
"""Findings of a rule as pairs of place (path of a setting) and problem."""


def about(value: float) -> str:
    """Return a number as text with two significant digits and no exponent."""
    return f"{float(f'{value:.2g}'):,.10g}"


@dataclass(frozen=True)
class Rule:
    """A rule: its number, its name, and the function that applies it.

    The function's docstring is the rule's page: a line with the problem, then why it matters, how to see it, what to
    do, and when to ignore it.
    """

    code: str
    """Number of the rule, such as ``ACK001``."""
    name: str
    """Name of the rule, such as ``window-below-bdp``."""
    apply: Callable[[World], Found]
    """Function that yields a scenario's problems."""

    @cached_property
    def text(self) -> str:
        """The rule's page, without heading."""
        return inspect.cleandoc(self.apply.__doc__ or "")

    @property
    def summary(self) -> str:
        """The problem, one line."""
        return self.text.partition("\n")[0]

    @property
    def advice(self) -> str:
        """Section "What to do" of the page."""
        found = re.search(r"\*\*What to do\.\*\* (.*?)(?:\n\n|$)", self.text, re.DOTALL)
        return " ".join(found[1].split()) if found else ""


RULES: dict[str, Rule] = {}
"""All rules by number, in order."""


def rule(code: str, name: str) -> Callable[[Callable[[World], Found]], Callable[[World], Found]]:
    """Return a decorator that registers a function as a rule."""

    def register(apply: Callable[[World], Found]) -> Callable[[World], Found]:
        RULES[code] = Rule(code, name, apply)
        for one in sorted(RULES):
            RULES[one] = RULES.pop(one)
        return apply

    return register


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that a rule found in a scenario."""

    code: str
    """Number of the rule."""
    name: str
    """Name of the rule."""
    where: str
    """Path of the setting: ``flow.first.tcp.max_window``; entries without a name have their number."""
    message: str
    """The problem, with numbers."""
    advice: str
    """The advice."""

    @property
    def short(self) -> str:
        """The finding on one line, without place and advice."""
        return f"{self.code} {self.name}: {self.message}"

    def __str__(self) -> str:
        """Return the finding as two lines of text."""
        return f"{self.code} {self.name} ({self.where}): {self.message}\n  {self.advice}"


def check(
    scenario: Scenario, *, allow: Iterable[str] = (), reps: int | None = None, jitter_s: float = 0.0
) -> list[Finding]:
    """Return the findings of all rules in a scenario, in the order of the rules, without running it.

    ``ac.lint.check(ac.load("mine.toml"), allow=["ACK003"])``

    Args:
        scenario: The scenario to check.
        allow: Numbers of rules to leave out, in addition to those that the scenario itself allows.
        reps: Number of replications, if known.
        jitter_s: Upper bound of the start jitter of replications, seconds.

    Raises:
        ScenarioError: If the scenario is not valid.
        UserError: If `allow` has a number that is not a rule's.

    """
    left_out = {*allow, *scenario.view.get("allow", ())}
    for code in left_out:
        if code not in RULES:
            raise UserError(f"allow: there is no rule {code!r}{choices(code, RULES)}")
    world = World.read(scenario, reps=reps, jitter_s=jitter_s)
    return [
        Finding(one.code, one.name, where, message, one.advice)
        for one in RULES.values()
        if one.code not in left_out
        for where, message in _grouped(world, one.apply(world))
    ]


def check_all(scenarios: Mapping[str, Scenario], *, reps: int | None, jitter_s: float) -> list[Finding]:
    """Return the findings in several scenarios, without duplicates."""
    found = [one for scenario in scenarios.values() for one in check(scenario, reps=reps, jitter_s=jitter_s)]
    return sorted(dict.fromkeys(found), key=lambda one: one.code)


def _grouped(world: World, found: Found) -> Iterator[tuple[str, str]]:
    """Yield the places of each distinct message, of which the first are named, and the message."""
    places: dict[str, list[str]] = {}
    for at, message in found:
        places.setdefault(message, []).append(at)
    for message, every in places.items():
        shown = ", ".join(map(world.place, every[:3]))
        yield shown + (f" and {len(every) - 3} more" if len(every) > 3 else ""), message
