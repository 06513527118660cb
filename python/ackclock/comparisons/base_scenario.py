"""Base scenarios of comparisons: a ready-made topology with its options, or a user's scenario."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ackclock.comparisons.variants import Variant
from ackclock.errors import UserError, choices
from ackclock.scenario import topologies
from ackclock.scenario.scenario import Scenario
from ackclock.sweeps.quantities import queue_of

FLOWS = 2
"""Default number of flows of a ready-made topology."""


@dataclass(frozen=True)
class BaseScenario:
    """A scenario with the numbers of the flows that get the variant under test."""

    scenario: Scenario
    own: tuple[int, ...]
    """Numbers of the flows that get the variant under test."""
    other: tuple[int, ...] = ()
    """Numbers of the competing flows in a mix, which get the competing variant."""

    def of(self, variant: Variant, against: Variant | None = None) -> Scenario:
        """Return the scenario with `variant` on the flows under test, described and thereby checked.

        If `against` is given, the competing flows get it.
        """
        made = variant.on(self.scenario, self.own)
        made = made if against is None else against.on(made, self.other)
        _ = made.described
        return made.check()


def topology(name: str, options: Mapping[str, Any]) -> Scenario:
    """Return a ready-made topology; `options` are arguments of its function, without those that are None.

    A queue is given as on the command line: in packets, in bytes, or as ``1bdp`` of flow 0's path.

    Raises:
        UserError: If there is no such topology, or it has no such option.
        ScenarioError: If a value is not allowed.
    """
    plain = name.replace("-", "_").lower()
    if plain not in topologies.TOPOLOGIES:
        raise UserError(
            f"--topology: there is no topology {name!r}{choices(plain, topologies.TOPOLOGIES)}\n"
            "  a scenario file of your own: --scenario FILE"
        )
    build: Callable[..., Scenario] = getattr(topologies, plain)
    known = inspect.signature(build).parameters
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in known:
            has = ", ".join(_option(one) for one in options if one in known)
            raise UserError(f"{_option(key)}: topology {plain} has no such option\n  it has: {has}")
    if "flows" in known:
        given.setdefault("flows", FLOWS)
    queue = given.pop("queue", "1bdp")
    first = build(**{**given, "flows": 1} if "flows" in known else given)
    return build(**given, queue=queue_of(queue, first))


def of_topology(name: str, options: Mapping[str, Any], settings: Iterable[str], *, mix: bool) -> BaseScenario:
    """Return a ready-made topology as base scenario, with ``PATH=VALUE`` settings applied.

    In a mix every second flow competes; in a mix on a parking lot, the cross flows compete with the long flow.
    """
    made = topology(name, options).apply(settings)
    flows = tcp_flows(made)
    if not mix:
        return BaseScenario(made, tuple(flows))
    if name.replace("-", "_").lower() == "parking_lot":
        return BaseScenario(made, tuple(flows[:1]), tuple(flows[1:]))
    return _dealt(made, flows)


def of_scenario(scenario: Scenario, chosen: str | None, *, mix: bool) -> BaseScenario:
    """Return a user's scenario as base scenario.

    `chosen` lists the flows under test by number or name. If it is None, all TCP flows are under test, or in a mix
    every second TCP flow. In a mix the other TCP flows compete; otherwise they are not changed.

    Raises:
        UserError: If there is no such flow, no TCP flow, or no competing flow in a mix.

    """
    flows = tcp_flows(scenario)
    if not flows:
        raise UserError("the scenario has no TCP flow to compare variants on")
    if chosen is None:
        return _dealt(scenario, flows) if mix else BaseScenario(scenario, tuple(flows))
    own = sorted({_flow_named(one.strip(), scenario, flows) for one in chosen.split(",")})
    rest = tuple(one for one in flows if one not in own) if mix else ()
    if mix and not rest:
        raise UserError(f"--flows-under-test {chosen}: no TCP flow is left for the variant of --against")
    return BaseScenario(scenario, tuple(own), rest)


def tcp_flows(scenario: Scenario) -> list[int]:
    """Return the numbers of a scenario's flows over TCP or a stack, which can get a variant."""
    tables = {"tcp", "quic", "stack"}
    return [i for i, flow in enumerate(scenario.described["flow"]) if tables & flow.keys()]


def _dealt(scenario: Scenario, flows: list[int]) -> BaseScenario:
    if len(flows) < 2:
        raise UserError("--against: a mix needs two TCP flows or more, and there is one")
    return BaseScenario(scenario, tuple(flows[::2]), tuple(flows[1::2]))


def _flow_named(given: str, scenario: Scenario, flows: Collection[int]) -> int:
    names = {str(flow["name"]): i for i, flow in enumerate(scenario.described["flow"]) if i in flows}
    if given in names:
        return names[given]
    if given.isdigit() and int(given) in flows:
        return int(given)
    allowed = ", ".join(f"{i} ({name})" for name, i in names.items())
    raise UserError(f"--flows-under-test: there is no TCP flow {given!r}\n  allowed: {allowed}")


def _option(parameter: str) -> str:
    return f"--{parameter.replace('_', '-')}"
