"""Plans of comparisons: all inputs that affect the result."""

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
    """All inputs that affect the result of a comparison: scenarios, flows and options."""

    scenarios: Mapping[str, Scenario]
    """Scenario of each variant, by label."""
    own: tuple[int, ...]
    """Numbers of the flows under test."""
    other: tuple[int, ...] = ()
    """Numbers of the competing flows in a mix."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Parameters given with each variant, as text, by label."""
    where: str = ""
    """Description of the topology or the scenario file."""

    @cached_property
    def randomness(self) -> Randomness:
        """Settings of the randomness between replications; all scenarios get the greatest start jitter of any."""
        asked = Randomness(self.jitter_s, self.overhead_s)
        most = max((asked.jitter_s(scenario) for scenario in self.scenarios.values()), default=0.0)
        return Randomness(most, self.overhead_s)

    def to_json(self) -> dict[str, Any]:
        """Return the plan for JSON."""
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
        """Return the plan from the output of `to_json`; raise KeyError, TypeError or ValueError for other data."""
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
