"""PettingZoo environment for several agents on one bottleneck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from ackclock.errors import UserError
from ackclock.gym import actions, observations, rewards
from ackclock.gym.actions import Action
from ackclock.gym.environment import (
    Numbers,
    Scenarios,
    Sight,
    action_space,
    number,
    observation_space,
    step_count,
    step_length,
)
from ackclock.gym.observations import Observation
from ackclock.gym.rewards import Reward, RewardFunction
from ackclock.runs.simulation import Simulation
from ackclock.scenario.scenario import Scenario
from ackclock.scenario.topologies import dumbbell


class ParallelCongestionControl(ParallelEnv[str, Numbers, Numbers]):
    """PettingZoo environment of several agents, each of which sets one flow's window or rate; steps have equal length.

    An agent terminates when its transfer completes; all are truncated after `steps` steps or at the end of the run.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "ackclock/CongestionControl-v0", "render_modes": []}

    def __init__(
        self,
        scenario: Scenario | Scenarios | None = None,
        *,
        flows: Sequence[str] = ("agent0", "agent1"),
        step: str = "40ms",
        observation: str | Observation = "plain",
        reward: str | Reward | RewardFunction = "plain",
        action: str | Action = "window",
        steps: int = 1000,
    ) -> None:
        """Configure the environment; `flows` are the names of the agents' flows.

        The other arguments are those of `CongestionControlEnv`.
        """
        if not flows:
            raise UserError("flows: name one or more, each an agent's")
        self.possible_agents = list(flows)
        self.agents: list[str] = []
        self.render_mode = None
        self._draw: Scenarios = (
            self._dumbbell
            if scenario is None
            else (lambda _: scenario)
            if isinstance(scenario, Scenario)
            else scenario
        )
        self._every, self._steps = step_length(step, round_trip=False), step_count(steps)
        self._observation = observations.observation(observation)
        self._reward = rewards.reward(reward)
        self._action = actions.action(action)
        self.observation_spaces = {name: observation_space(self._observation) for name in flows}
        self.action_spaces = {name: action_space(self._action) for name in flows}
        self._rng, _ = seeding.np_random(None)
        self._sim: Simulation | None = None

    def _dumbbell(self, _: np.random.Generator) -> Scenario:
        count = len(self.possible_agents)
        made = dumbbell(["cubic"] * count, rate="10Mbps", delay="20ms", queue=34, duration="60s")
        return made.with_({f"flow.{number}.name": name for number, name in enumerate(self.possible_agents)})

    def observation_space(self, agent: str) -> gymnasium.spaces.Box:
        """Return the agent's observation space; every call returns the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Box:
        """Return the agent's action space; every call returns the same object."""
        return self.action_spaces[agent]

    @property
    def sim(self) -> Simulation:
        """The current episode's simulation."""
        if self._sim is None:
            raise UserError("no episode has begun: call reset() first")
        return self._sim

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Numbers], dict[str, dict[str, Any]]]:
        """Start an episode and run until every agent's flow has received its first acknowledgment."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        scenario = self._draw(self._rng)
        traces = (options or {}).get("traces", ())
        sim = scenario.start(seed=int(self._rng.integers(2**32)), traces=traces)
        self._sim, self._taken = sim, 0
        self.agents = list(self.possible_agents)
        for name in self.agents:
            if not sim.flow(name).acked_packets:
                sim.advance_until("ack", flow=name)
        self._sights = {name: Sight(sim, name, self._observation, self._reward) for name in self.agents}
        return {name: self._sights[name].begin() for name in self.agents}, {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, Numbers]
    ) -> tuple[
        dict[str, Numbers], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Apply the actions of all agents and run one step.

        Return observations, rewards, terminations, truncations and infos by agent.
        """
        sim = self.sim
        if not self.agents:
            raise UserError("the episode is over: call reset() before the next step()")
        for wrong, which in (
            ("no action", set(self.agents) - set(actions)),
            ("no agent", set(actions) - set(self.possible_agents)),
        ):
            if which:
                raise UserError(
                    f"actions: {wrong} {', '.join(sorted(map(repr, which)))}\n"
                    f"  allowed: one for each of {', '.join(self.agents)}"
                )
        chosen = {name: number(self._action, actions[name], f"actions[{name!r}]") for name in self.agents}
        for name, value in chosen.items():
            self._action.apply(sim, name, value)
        sim.advance(self._every)
        self._taken += 1
        steps = {name: self._sights[name].step() for name in self.agents}
        over = {name: sim.flow(name).finished for name in self.agents}
        ended = self._taken >= self._steps or sim.ended
        cut = {name: ended and not over[name] for name in self.agents}
        infos = {name: {"now_s": sim.now_s, "interval": interval} for name, (_, _, interval) in steps.items()}
        self.agents = [name for name in self.agents if not over[name] and not cut[name]]
        seen = {name: step[0] for name, step in steps.items()}
        return seen, {name: step[1] for name, step in steps.items()}, over, cut, infos
