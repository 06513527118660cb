"""Measures the steps per second of the gymnasium environment: `make bench-gym`.

The path is that of `default_scenario`: 10 Mb/s and a round trip of 44 ms without queueing. A step lasts one round trip;
the window stays near 34 segments, where the link is nearly full and the queue empty. Processor time of one thread is
measured, so other programs matter little.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import ackclock.gym


def steps_per_second(env: gymnasium.Env, steps: int) -> float:
    """Return steps per second of processor time, including resets."""
    env.reset(seed=1)
    up, still = np.array([1.0], np.float32), np.array([0.0], np.float32)
    began, taken = time.process_time(), 0
    while taken < steps:
        # The window begins at 10 segments; doubling it and growing it by a factor of 1.7 brings it near 34.
        for action in (up, np.array([0.77], np.float32)):
            env.step(action)
        over = False
        while not over and taken < steps:
            *_, terminated, truncated, _ = env.step(still)
            over, taken = terminated or truncated, taken + 1
        env.reset()
    return taken / (time.process_time() - began)


def main() -> None:
    """Print steps per second of the bare environment, with Gymnasium's checks, and with two published rewards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    steps = parser.parse_args().steps
    made = gymnasium.make(ackclock.gym.ID)
    print(f"bare environment:       {steps_per_second(made.unwrapped, steps):8.0f} steps/s and core")
    print(f"with Gymnasium's checks: {steps_per_second(made, steps):7.0f} steps/s and core")
    for reward in ("aurora", "orca"):
        env = ackclock.gym.CongestionControlEnv(observation=reward, reward=reward)
        print(f"as {reward}:              {steps_per_second(env, steps):8.0f} steps/s and core")


if __name__ == "__main__":
    main()
