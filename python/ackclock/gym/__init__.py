"""Learning congestion control: environments for Gymnasium and PettingZoo, in this process.

    import gymnasium
    import ackclock.gym                                     # registers the environment

    env = gymnasium.make("ackclock/CongestionControl-v0", reward="aurora")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

They need ``pip install 'ackclock[gym]'``. An episode is a run that is driven (`ackclock.runs.Simulation`): one step is
one round trip, or a fixed time, and between steps no Python runs.
"""

from ackclock._names import attach
from ackclock.gym.registration import register

__getattr__, __dir__, __all__ = attach(__name__, __file__)
register()
