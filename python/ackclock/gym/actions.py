"""Actions of an agent: a number that sets a flow's window or rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ackclock.errors import UserError, choices
from ackclock.runs.simulation import Simulation

LEAST_CWND = 2.0
MOST_CWND = 1e5
LEAST_RATE = 1.0
MOST_RATE = 1e7
RATE_STEP = 0.25
"""Relative change of the rate by an action of 1 of ``"rate"``; equals ten of Aurora's steps of 2.5 %."""
ORCA_POWER = 2.0
"""Exponent of 2 for an action of 1 of ``"orca"``: the window is multiplied by 4."""


@dataclass(frozen=True)
class Action:
    """An action space: the range of the agent's number, and how it affects a flow."""

    low: float
    """Minimum of the number."""
    high: float
    """Maximum of the number."""
    apply: Callable[[Simulation, str, float], None]
    """Function that applies the number to a flow; arguments: simulation, name of the flow, number."""
    source: str = ""
    """Source of the definition."""


def factor(action: float) -> float:
    """Return 2 to the power of the action, by which the window is multiplied."""
    return float(2.0**action)


def bounded(cwnd: float) -> float:
    """Return the window, segments, limited to the range that an agent may set."""
    return min(max(cwnd, LEAST_CWND), MOST_CWND)


def _window(sim: Simulation, flow: str, action: float) -> None:
    sim.set_cwnd(flow, bounded(sim.flow(flow).cwnd * factor(action)), hold=True)


def _orca(sim: Simulation, flow: str, action: float) -> None:
    sim.set_cwnd(flow, bounded(sim.flow(flow).cwnd * factor(ORCA_POWER * action)))


def _rate(sim: Simulation, flow: str, action: float) -> None:
    state = sim.flow(flow)
    rate = state.pacing_rate
    if rate is None:
        rate = state.cwnd / state.srtt_s if state.srtt_s else LEAST_RATE
        sim.set_cwnd(flow, MOST_CWND, hold=True)
    rate = rate * (1.0 + RATE_STEP * action) if action >= 0 else rate / (1.0 - RATE_STEP * action)
    sim.set_pacing_rate(flow, min(max(rate, LEAST_RATE), MOST_RATE))


ACTIONS: dict[str, Action] = {
    "window": Action(-1.0, 1.0, _window, "ours: the window is multiplied by 2 to this power, and held"),
    "rate": Action(
        -1.0,
        1.0,
        _rate,
        "Jay et al., ICML 2019: the rate grows or shrinks by a share; an action of 1 is 25 %, ten of its steps",
    ),
    "orca": Action(
        -1.0,
        1.0,
        _orca,
        "Abbasloo, Yen and Chao, SIGCOMM 2020: the window is multiplied by 4 to this power; "
        "the flow's own control goes on",
    ),
}
"""All actions, by name."""


def action(chosen: str | Action) -> Action:
    """Return an action, given itself or its name."""
    if isinstance(chosen, Action):
        return chosen
    if chosen not in ACTIONS:
        raise UserError(f"there is no action {chosen!r}{choices(str(chosen), ACTIONS)}")
    return ACTIONS[chosen]
