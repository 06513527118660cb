"""Warnings by the rules of ``ackclock check``; verbs print them before they run anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario


def warn(scenarios: Mapping[str, Scenario], *, reps: int | None, jitter_s: float) -> list[str]:
    """Print findings in the scenarios as warnings, and return them; ``ackclock list rules`` explains them."""
    from ackclock import lint
    from ackclock.cli.console import note

    said = [one.short for one in lint.check_all(scenarios, reps=reps, jitter_s=jitter_s)]
    for text in said:
        note(text, warning=True)
    return said
