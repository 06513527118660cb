"""Environments of Gymnasium and PettingZoo for learned congestion control.

    import gymnasium
    import ackclock.gym                                     # registers the environment

    env = gymnasium.make("ackclock/CongestionControl-v0", reward="aurora")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

They need ``pip install 'ackclock[gym]'``. An episode is a `ackclock.runs.Simulation`: a step takes one round trip or a
fixed simulated time, and between steps no Python code runs.
"""

from ackclock._names import attach
from ackclock.gym.registration import register

__getattr__, __dir__, __all__ = attach(__name__, __file__)
register()
