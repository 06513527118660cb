"""Gymnasium environment for one agent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, SupportsFloat

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ackclock._core import seconds
from ackclock.errors import UserError
from ackclock.gym import actions, observations, rewards
from ackclock.gym.actions import Action
from ackclock.gym.interval import Interval, Intervals
from ackclock.gym.observations import Observation
from ackclock.gym.rewards import Reward, RewardFunction
from ackclock.runs.simulation import Simulation
from ackclock.scenario.scenario import Scenario
from ackclock.scenario.topologies import dumbbell

Scenarios = Callable[[np.random.Generator], Scenario]
"""Function that returns a random scenario for an episode."""

Numbers = NDArray[np.float32]

ROUND_TRIP = "round-trip"
"""Value of `step` for steps of one round trip of the agent's flow."""


class Sight:
    """Computes the observations and rewards of one agent, step by step."""

    def __init__(self, sim: Simulation, flow: str, observation: Observation, reward: RewardFunction) -> None:
        """Start an episode."""
        capacity = min(link.rate_bps for link in sim.links.values()) if sim.links else float("inf")
        self.sim, self.flow = sim, flow
        self._observation, self._reward = observation, reward
        self._intervals = Intervals(sim.flow(flow), sim.now_s, capacity)
        blank = [observation.blank] * observation.history
        self._seen: deque[list[float]] = deque(blank, maxlen=observation.history)

    def begin(self) -> Numbers:
        """Return the observation before the first action."""
        self._look()
        return self._numbers()

    def step(self) -> tuple[Numbers, float, Interval]:
        """Return the current observation, the reward for the last interval, and that interval."""
        interval = self._look()
        return self._numbers(), float(self._reward(interval)), interval

    def _look(self) -> Interval:
        interval = self._intervals.next(self.sim.flow(self.flow), self.sim.now_s)
        self._seen.append(self._observation.of(interval))
        return interval

    def _numbers(self) -> Numbers:
        return np.array(self._seen, dtype=np.float32).reshape(-1)


def observation_space(observation: Observation) -> gymnasium.spaces.Box:
    """Return the Gymnasium space of an observation."""
    low, high = np.array(observation.bounds * observation.history, dtype=np.float32).T
    return gymnasium.spaces.Box(low, high, dtype=np.float32)


def action_space(action: Action) -> gymnasium.spaces.Box:
    """Return the Gymnasium space of an action."""
    return gymnasium.spaces.Box(action.low, action.high, (1,), np.float32)


def step_length(step: str, *, round_trip: bool) -> str:
    """Return `step` if it is a time above 0 s, or `ROUND_TRIP` where `round_trip` permits it; raise an error if not."""
    if round_trip and step == ROUND_TRIP:
        return step
    allowed = 'allowed: a time above 0 s ("10ms")' + (f', or "{ROUND_TRIP}"' if round_trip else "")
    try:
        if seconds(step) > 0.0:
            return step
    except (TypeError, ValueError) as why:
        raise UserError(f"step: {why}\n  given:   {step!r}\n  {allowed}") from None
    raise UserError(f"step: a step takes time\n  given:   {step!r}\n  {allowed}")


def step_count(steps: int) -> int:
    """Return `steps`, the maximum number of steps per episode, if it is at least 1; else raise `UserError`."""
    if isinstance(steps, bool) or not isinstance(steps, int | np.integer) or steps < 1:
        raise UserError(f"steps: an episode has one or more\n  given:   {steps!r}")
    return int(steps)


def number(action: Action, given: object, of: str = "action") -> float:
    """Return the number in `given`, an array of one element within the action's bounds; else raise `UserError`."""
    allowed = f"an array of one number from {action.low:g} to {action.high:g}"
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UserError(
            f"{of}: not an array of numbers\n  given:   {given!r}\n  allowed: {allowed}"
        ) from None
    if array.shape != (1,):
        raise UserError(f"{of}: it has the shape {array.shape}\n  given:   {given!r}\n  allowed: {allowed}")
    # Compare in float32, the precision of the action space.
    if not np.float32(action.low) <= array[0] <= np.float32(action.high):
        raise UserError(
            f"{of}: out of bounds\n  given:   {array[0]:g}\n  allowed: {allowed}\n"
            "  to clip it: gymnasium.wrappers.ClipAction"
        )
    return float(array[0])


def default_scenario(_: np.random.Generator) -> Scenario:
    """Return one CUBIC flow over a 10 Mb/s bottleneck with a one-way delay of 20 ms and a queue of 34 packets."""
    return dumbbell(["cubic"], rate="10Mbps", delay="20ms", queue=34, duration="60s")


class CongestionControlEnv(gymnasium.Env[Numbers, Numbers]):
    """Gymnasium environment of one agent that sets one flow's window or rate.

    ::

        env = ackclock.gym.CongestionControlEnv(reward="aurora")
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

    An episode terminates when the transfer completes, and is truncated after `steps` steps or at the end of the run.
    `info` has ``now_s``, ``interval`` (an `Interval`) and the flow's ``cwnd``.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(
        self,
        scenario: Scenario | Scenarios | None = None,
        *,
        flow: int | str = 0,
        step: str = ROUND_TRIP,
        observation: str | Observation = "plain",
        reward: str | Reward | RewardFunction = "plain",
        action: str | Action = "window",
        steps: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        """Configure the environment; the simulation starts at `reset`.

        Args:
            scenario: Scenario, or a function such as `Domain` that returns one for each episode; a dumbbell of 10 Mb/s
                if None.
            flow: The agent's flow, by name or number.
            step: Length of a step: ``"round-trip"``, or a simulated time (``"10ms"``).
            observation: Observation: a name from `OBSERVATIONS`, or an `Observation`.
            reward: Reward: a name from `REWARDS`, or a function of an `Interval`.
            action: Effect of the agent's number: a name from `ACTIONS`, or an `Action`.
            steps: Maximum number of steps in an episode.
            render_mode: Not supported; use the plots of ``env.unwrapped.sim.finish()``.

        """
        self._draw: Scenarios = (
            default_scenario
            if scenario is None
            else (lambda _: scenario)
            if isinstance(scenario, Scenario)
            else scenario
        )
        self._flow, self._every, self._steps = flow, step_length(step, round_trip=True), step_count(steps)
        self._observation = observations.observation(observation)
        self._reward = rewards.reward(reward)
        self._action = actions.action(action)
        self.observation_space = observation_space(self._observation)
        self.action_space = action_space(self._action)
        self.render_mode = render_mode
        self._sim: Simulation | None = None
        self._taken = 0
        self._over = False

    @property
    def sim(self) -> Simulation:
        """The current episode's simulation, which can be read, forked or finished."""
        if self._sim is None:
            raise UserError("no episode has begun: call reset() first")
        return self._sim

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Start an episode: draw the scenario and run it until the flow's first acknowledgment.

        ``options={"traces": ["cwnd"]}`` records traces for ``env.unwrapped.sim.finish()``.
        """
        super().reset(seed=seed)
        scenario = self._draw(self.np_random)
        traces = (options or {}).get("traces", ())
        sim = scenario.start(seed=int(self.np_random.integers(2**32)), traces=traces)
        self._name = sim.flow_name(self._flow)
        sim.advance_until("ack", flow=self._name)
        self._sim, self._taken, self._over = sim, 0, False
        self._sight = Sight(sim, self._name, self._observation, self._reward)
        return self._sight.begin(), {"now_s": sim.now_s, "cwnd": sim.flow(self._name).cwnd}

    def step(self, action: Numbers) -> tuple[Numbers, SupportsFloat, bool, bool, dict[str, Any]]:
        """Apply an action and run one step; return observation, reward, terminated, truncated and info."""
        sim = self.sim
        if self._over:
            raise UserError("the episode is over: call reset() before the next step()")
        self._action.apply(sim, self._name, number(self._action, action))
        if self._every == ROUND_TRIP:
            sim.advance_until("round-trip", flow=self._name, timeout=_patience(sim, self._name))
        else:
            sim.advance(self._every)
        self._taken += 1
        seen, reward, interval = self._sight.step()
        over = sim.flow(self._name).finished
        truncated = not over and (self._taken >= self._steps or sim.ended)
        self._over = over or truncated
        return (
            seen,
            reward,
            over,
            truncated,
            {"now_s": sim.now_s, "cwnd": interval.cwnd, "interval": interval},
        )


def _patience(sim: Simulation, flow: str) -> str:
    """Return the timeout of a round-trip step: four smoothed RTTs, or 1 s before the first RTT sample."""
    return f"{4.0 * (sim.flow(flow).srtt_s or 0.25):.9f}s"
