"""Learning congestion control: environments for Gymnasium and PettingZoo, in this process.

    import gymnasium
    import ackclock.gym                                     # registers the environment

    env = gymnasium.make("ackclock/CongestionControl-v0", reward="aurora")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

They need ``pip install 'ackclock[gym]'``. An episode is a run that is driven (`ackclock.Simulation`): one step is
one round trip, or a fixed time, and between steps no Python runs.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.gym.actions import ACTIONS as ACTIONS
    from ackclock.gym.actions import Action as Action
    from ackclock.gym.control import PolicyControl as PolicyControl
    from ackclock.gym.domain import Domain as Domain
    from ackclock.gym.environment import CongestionControlEnv as CongestionControlEnv
    from ackclock.gym.interval import Interval as Interval
    from ackclock.gym.observations import OBSERVATIONS as OBSERVATIONS
    from ackclock.gym.observations import Observation as Observation
    from ackclock.gym.parallel import ParallelCongestionControl as ParallelCongestionControl
    from ackclock.gym.rewards import REWARDS as REWARDS
    from ackclock.gym.rewards import Reward as Reward
    from ackclock.gym.vector import ThreadVectorEnv as ThreadVectorEnv

_HOME = {
    "ACTIONS": "actions",
    "Action": "actions",
    "CongestionControlEnv": "environment",
    "Domain": "domain",
    "Interval": "interval",
    "OBSERVATIONS": "observations",
    "Observation": "observations",
    "ParallelCongestionControl": "parallel",
    "PolicyControl": "control",
    "REWARDS": "rewards",
    "Reward": "rewards",
    "ThreadVectorEnv": "vector",
}
__all__ = sorted([*_HOME, "ID", "register"])

ID = "ackclock/CongestionControl-v0"
"""The environment's name in Gymnasium."""


def register() -> None:
    """Make the environment known to Gymnasium, if that is installed; importing this package does it."""
    try:
        from gymnasium.envs.registration import register as known
        from gymnasium.envs.registration import registry
    except ModuleNotFoundError:
        return
    if ID not in registry:
        known(id=ID, entry_point="ackclock.gym.environment:CongestionControlEnv")


def __getattr__(name: str) -> Any:
    """Load the module that `name` lives in (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'ackclock.gym' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ackclock.gym.{_HOME[name]}"), name)
    globals()[name] = value
    return value


register()
