"""Rules and their findings."""

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
"""A finding of a rule: its place as a path of a setting, and the problem."""


def about(value: float) -> str:
    """Return a number with two significant digits and without an exponent."""
    return f"{float(f'{value:.2g}'):,.10g}"


@dataclass(frozen=True)
class Rule:
    """A rule of `check`: its number, its name, and the function that applies it.

    The function's docstring is the rule's page: a line that says what is wrong, then why that matters, how to
    see it, what to do, and when to ignore it.
    """

    code: str
    """``ACK001``, ..."""
    name: str
    """The rule in a few words: ``window-below-bdp``."""
    apply: Callable[[World], Found]
    """Yields the problems of a scenario."""

    @cached_property
    def text(self) -> str:
        """The rule's page without its heading."""
        return inspect.cleandoc(self.apply.__doc__ or "")

    @property
    def summary(self) -> str:
        """The problem in one line."""
        return self.text.partition("\n")[0]

    @property
    def advice(self) -> str:
        """The advice, in a sentence or two."""
        found = re.search(r"\*\*What to do\.\*\* (.*?)(?:\n\n|$)", self.text, re.DOTALL)
        return " ".join(found[1].split()) if found else ""


RULES: dict[str, Rule] = {}
"""Every rule by its number, in order."""


def rule(code: str, name: str) -> Callable[[Callable[[World], Found]], Callable[[World], Found]]:
    """Register a function as a rule."""

    def register(apply: Callable[[World], Found]) -> Callable[[World], Found]:
        RULES[code] = Rule(code, name, apply)
        for one in sorted(RULES):
            RULES[one] = RULES.pop(one)
        return apply

    return register


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that a rule has found in a scenario."""

    code: str
    """The rule's number."""
    name: str
    """The rule in a few words."""
    where: str
    """Its place in the form of settings: ``flow.first.tcp.max_window``, with numbers for things without names."""
    message: str
    """The problem, with its numbers."""
    advice: str
    """The advice."""

    @property
    def short(self) -> str:
        """The finding in one line, without its place and the advice."""
        return f"{self.code} {self.name}: {self.message}"

    def __str__(self) -> str:
        """Write it in two lines."""
        return f"{self.code} {self.name} ({self.where}): {self.message}\n  {self.advice}"


def check(
    scenario: Scenario, *, allow: Iterable[str] = (), reps: int | None = None, jitter_s: float = 0.0
) -> list[Finding]:
    """Return what the rules find in a scenario, in the order of their numbers; nothing is run.

    Args:
        scenario: the scenario to be run.
        allow: numbers of rules to leave out, beside those that the scenario itself allows.
        reps: replications, if it is known how many there will be.
        jitter_s: start jitter of the replications, seconds.

    Raises:
        ScenarioError: if the scenario is not valid.
        UserError: if there is no rule of a number in `allow`.

    """
    document = scenario.document()
    left_out = {*allow, *document.get("allow", ())}
    for code in left_out:
        if code not in RULES:
            raise UserError(f"allow: there is no rule {code!r}{choices(code, RULES)}")
    world = World(document, scenario.describe(), reps, jitter_s)
    return [
        Finding(one.code, one.name, where, message, one.advice)
        for one in RULES.values()
        if one.code not in left_out
        for where, message in _grouped((world.place(at), said) for at, said in one.apply(world))
    ]


def check_all(scenarios: Mapping[str, Scenario], *, reps: int | None, jitter_s: float) -> list[Finding]:
    """Return the findings in any of several scenarios, each once."""
    found = [one for scenario in scenarios.values() for one in check(scenario, reps=reps, jitter_s=jitter_s)]
    return sorted(dict.fromkeys(found), key=lambda one: one.code)


def _grouped(found: Found) -> Iterator[tuple[str, str]]:
    """Give each message once, with the places that it is about."""
    places: dict[str, list[str]] = {}
    for where, message in found:
        places.setdefault(message, []).append(where)
    for message, every in places.items():
        shown = ", ".join(every[:3])
        yield shown + (f" and {len(every) - 3} more" if len(every) > 3 else ""), message
