"""Plans of comparisons: everything that decides the result of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ackclock.comparisons.options import ComparisonOptions
from ackclock.scenario.scenario import Scenario
from ackclock.sweeps.randomness import Randomness


@dataclass(frozen=True)
class Plan(ComparisonOptions):
    """Everything that decides the result of a comparison: the scenarios, and the options by name."""

    scenarios: Mapping[str, Scenario]
    """The scenario of each variant, by its label; they differ in the variant alone."""
    own: tuple[int, ...]
    """Numbers of the flows under test."""
    other: tuple[int, ...] = ()
    """In a mix: the flows of the variant that each shares the path with."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The variants' own parameters, in words."""
    where: str = ""
    """The topology or the scenario file, in words."""

    @cached_property
    def randomness(self) -> Randomness:
        """Randomness between replications: starts are spread equally in all scenarios, as the longest path needs."""
        asked = Randomness(self.jitter_s, self.overhead_s)
        most = max((asked.jitter_s(scenario) for scenario in self.scenarios.values()), default=0.0)
        return Randomness(most, self.overhead_s)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "variants": {
                label: {"parameters": self.parameters.get(label, ""), "scenario": scenario.document()}
                for label, scenario in self.scenarios.items()
            },
            "where": self.where,
            "flows_under_test": list(self.own),
            "flows_of_the_other": list(self.other),
            **self.entries(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """Read the output of `to_json`; KeyError, TypeError or ValueError for anything else."""
        variants: Mapping[str, Any] = data["variants"]
        for label, one in variants.items():
            if not isinstance(one["parameters"], str):
                raise TypeError(f"variants.{label}.parameters: {one['parameters']!r} is no text")
        return cls(
            scenarios={label: Scenario(one["scenario"]) for label, one in variants.items()},
            own=tuple(data["flows_under_test"]),
            other=tuple(data["flows_of_the_other"]),
            parameters={label: one["parameters"] for label, one in variants.items()},
            where=data["where"],
            **cls.of_entries(data, whole=False),
        )
