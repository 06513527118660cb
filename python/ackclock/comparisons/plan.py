"""Plans of comparisons: everything that decides the result of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ackclock.scenario.scenario import Scenario
from ackclock.sweeps.randomness import Randomness


@dataclass(frozen=True)
class Plan:
    """Everything that decides the result of a comparison."""

    scenarios: Mapping[str, Scenario]
    """The scenario of each variant, by its label; they differ in the variant alone."""
    own: tuple[int, ...]
    """Numbers of the flows under test."""
    other: tuple[int, ...] = ()
    """In a mix: the flows of the variant that each shares the path with."""
    against: str | None = None
    """In a mix: that variant's label. It is among the variants, and the base line for what the others take."""
    by: str = "goodput_bps"
    """The measure to rank by."""
    reference: str | None = None
    """The variant that differences are taken from; the best if None."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The variants' own parameters, in words."""
    where: str = ""
    """The topology or the scenario file, in words."""
    reps: int = 10
    until: float | None = None
    """Add replications until half the interval is at most this fraction of the mean, for every variant."""
    seed: int | None = None
    """The first replication's seed; the scenario's own if None."""
    jitter_s: float | None = None
    """Bound of the start jitter, seconds; the default of `Randomness` if None."""
    overhead_s: float | None = None
    """Bound of the senders' random processing time, seconds; the default of `Randomness` if None."""
    level: float = 0.95
    """Confidence of the intervals and of the ranking."""
    margin: float = 0.01
    """Relative difference up to which differences do not matter, a fraction of the other's mean."""
    bottleneck: str | None = None
    """The resource for utilisation and queue; the busiest of the first variant's first run if None."""
    watch: bool = True
    """True if packets' delays and the first run's windows are recorded."""
    ties: bool = False
    """True if all replications are made again on slightly changed links (`ackclock.runs.ties`)."""

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
            **{name: getattr(self, name) for name in _PLAIN},
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
            **{name: data[name] for name in _PLAIN if name in data},
        )


_PLAIN = (
    *("against", "by", "reference", "reps", "until", "seed", "jitter_s", "overhead_s", "level", "margin"),
    *("bottleneck", "watch", "ties"),
)
"""Fields that a manifest has under their own name."""
