"""Differences between two endpoint profiles in a scenario, and the effect of each difference by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ackclock import _core
from ackclock.errors import ScenarioError, UserError, choices
from ackclock.scenario.scenario import Scenario
from ackclock.scenario.toml import value_text
from ackclock.stats.measures import measures
from ackclock.stats.statistics import LEVEL, Difference, Interval, interval, paired, percent_above
from ackclock.sweeps.jobs import Progress, replications, run_jobs

MEASURED = ("goodput_bps", "packet_rtt_mean_s", "loss_ratio")
"""Measures for which an effect is reported."""


@dataclass(frozen=True)
class Switch:
    """A parameter whose value differs between two profiles."""

    key: str
    """Name in a flow's ``tcp`` table; ``control.NAME`` for a parameter of the congestion control."""
    first: Any
    """Value in the first profile; None if it has no such parameter."""
    second: Any
    """Value in the second profile."""
    flows: tuple[int, ...] = ()
    """Numbers of the flows in which the value differs."""


@dataclass(frozen=True)
class Effect:
    """Effect of changing one parameter, or the whole profile, from the first to the second value."""

    key: str
    """Name of the parameter; empty for the whole profile."""
    differences: Mapping[str, Difference] = field(default_factory=dict)
    """Result with the second value minus result with the first value, paired by seed, for each measure."""
    percents: Mapping[str, Interval] = field(default_factory=dict)
    """Difference in percent of the first value's mean, by measure; intervals account for both means' uncertainty."""
    refused: str = ""
    """Reason why the parameter cannot be changed alone; empty if it can."""

    def known(self, measure: str) -> bool:
        """Return true if the difference in a measure is significant."""
        found = self.differences[measure].interval
        return found.low > 0 or found.high < 0


def profile_names() -> list[str]:
    """Return the names of the profiles."""
    return [str(one["name"]) for one in json.loads(_core.catalogue("profiles"))]


def with_profile(scenario: Scenario, name: str) -> Scenario:
    """Return the scenario with a profile for every TCP flow; parameters that flows set themselves are kept.

    Raises:
        UserError: If there is no such profile, or no TCP flow.
    """
    names = profile_names()
    if name not in names:
        raise UserError(f"there is no profile {name!r}{choices(name, names)}")
    return scenario.apply(f"flow.{i}.tcp.profile={name}" for i in tcp_flows(scenario))


def tcp_flows(scenario: Scenario) -> list[int]:
    """Return the numbers of the TCP flows; raise `UserError` if there are none."""
    found = [i for i, flow in enumerate(scenario.described["flow"]) if "tcp" in flow]
    if not found:
        raise UserError("the scenario has no TCP flow, and profiles are TCP's")
    return found


def differences(scenario: Scenario, first: str, second: str) -> list[Switch]:
    """Return the parameters that differ between the profiles for any TCP flow, in the order of the reference."""
    one, other = (with_profile(scenario, name).described["flow"] for name in (first, second))
    found: dict[str, Switch] = {}
    for i in tcp_flows(scenario):
        mine, theirs = _flat(one[i]["tcp"]), _flat(other[i]["tcp"])
        for key in {**mine, **theirs}:
            if mine.get(key) != theirs.get(key):
                known = found.get(key, Switch(key, mine.get(key), theirs.get(key)))
                found[key] = replace(known, flows=(*known.flows, i))
    return list(found.values())


def effects(
    scenario: Scenario,
    first: str,
    second: str,
    *,
    reps: int = 5,
    seed: int | None = None,
    jitter_s: float = 1.0,
    level: float = LEVEL,
    threads: int = 0,
    progress: Progress | None = None,
) -> list[Effect]:
    """Return the effect of each difference by itself, sorted by effect on goodput, then the whole profile's effect.

    Replication r has the same seed for all effects.
    """
    base = with_profile(scenario, first)
    flows = tcp_flows(scenario)
    variants: dict[str, Scenario] = {}
    refused: list[Effect] = []
    for one in differences(scenario, first, second):
        if one.second is None:
            refused.append(Effect(one.key, refused=f"profile {second} has no such parameter"))
            continue
        text = value_text(one.second)
        try:
            variants[one.key] = base.apply(f"flow.{i}.tcp.{one.key}={text}" for i in one.flows)
        except ScenarioError as why:
            refused.append(Effect(one.key, refused=str(why).splitlines()[0]))
    variants[""] = with_profile(scenario, second)
    every = [base, *variants.values()]
    jobs = [replications(made, reps, seed=seed, jitter_s=jitter_s) for made in every]
    flat = run_jobs([job for some in jobs for job in some], threads=threads, progress=progress)
    found = [
        [measures(summary, flows) for summary in flat[i * reps : (i + 1) * reps]] for i in range(len(every))
    ]

    def values(i: int, name: str) -> list[float]:
        return [one[name] for one in found[i]]

    made_effects = [
        Effect(
            key,
            {name: paired(values(i, name), values(0, name), level) for name in MEASURED},
            {name: interval(percent_above(values(i, name), values(0, name)), level) for name in MEASURED},
        )
        for i, key in enumerate(variants, start=1)
    ]
    whole = made_effects.pop()
    made_effects.sort(key=lambda one: -abs(one.differences["goodput_bps"].mean))
    return [*made_effects, *refused, whole]


def _flat(tcp: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a described ``tcp`` table as a flat mapping with keys such as ``control.NAME``.

    Profile and variant are left out.
    """
    plain = {key: value for key, value in tcp.items() if key not in ("profile", "control", "variant")}
    return {**plain, **{f"control.{key}": value for key, value in (tcp.get("control") or {}).items()}}
