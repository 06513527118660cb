"""Steps per second of the environment of learning agents: `make bench-gym`.

A path of 10 Mb/s and 40 ms of round trip, one step a round trip, the window held at the bandwidth-delay product (34
segments), on one thread. Processor time is measured, so that other programs count for little.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import ackclock.gym


def steps_per_second(env: gymnasium.Env, steps: int) -> float:
    """Return steps per second of processor time, resets included."""
    env.reset(seed=1)
    up, still = np.array([1.0], np.float32), np.array([0.0], np.float32)
    began, taken = time.process_time(), 0
    while taken < steps:
        # The window begins at 10 segments: two doublings lead near 34.
        for action in (up, np.array([0.77], np.float32)):
            env.step(action)
        over = False
        while not over and taken < steps:
            *_, terminated, truncated, _ = env.step(still)
            over, taken = terminated or truncated, taken + 1
        env.reset()
    return taken / (time.process_time() - began)


def main() -> None:
    """Measure and print."""
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
