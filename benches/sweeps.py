"""Measures the cost of a sweep beyond its simulations, per job, with 1, 2 and 4 workers.

    make bench-sweeps                     # everything, some minutes
    make bench-sweeps ARGS='--runs 1000'

On a busy machine wall-clock times tell you little; the share of processor time spent in simulations is still valid.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy  # noqa: F401  what a sweep loads once is no part of its cost per job
import polars  # noqa: F401
import scipy.special  # noqa: F401

from ackclock.executors.queue import Queue
from ackclock.scenario import load
from ackclock.sweeps import Axis, Sweep

RATES = ("1Mbps", "2Mbps", "5Mbps", "10Mbps", "15Mbps", "20Mbps", "30Mbps", "40Mbps")


@dataclass(frozen=True)
class Measured:
    """Measurements of one sweep.

    Attributes:
        runs: Number of runs.
        wall_s: Time from the start of the first run to the last result, s.
        cpu_s: Processor time of this process and of its workers, s.
        simulated_s: Processor time of the event loops of all runs, s.
        digest: Hash of the results.
    """

    runs: int
    wall_s: float
    cpu_s: float
    simulated_s: float
    digest: str


class Watch:
    """A listener that sums runs' processor time, and notes when runs were handed out and returned."""

    def __init__(self) -> None:
        self.simulated = 0.0
        self.first = self.last = 0.0
        self._learn, self._take = Queue.learn, Queue.take

    def __enter__(self) -> Watch:
        watch = self

        def learn(queue: Queue, index: int, seconds: float) -> None:
            watch.simulated += seconds
            watch.last = time.perf_counter()
            watch._learn(queue, index, seconds)

        def take(queue: Queue, workers: int) -> list[int]:
            watch.first = watch.first or time.perf_counter()
            return watch._take(queue, workers)

        Queue.learn, Queue.take = learn, take  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        Queue.learn, Queue.take = self._learn, self._take  # type: ignore[method-assign]


def processor_time() -> float:
    """Return the processor time of this process and of its children that have ended, s."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def measured(sweep: Sweep, executor: str, workers: int) -> Measured:
    """Run a sweep into a temporary folder and return its measurements."""
    with tempfile.TemporaryDirectory() as folder, Watch() as watch:
        cpu = processor_time()
        found = sweep.run(Path(folder) / "sweep", threads=workers, executor=executor)
        cpu = processor_time() - cpu
        digest = hashlib.sha256((Path(folder) / "sweep" / "results.csv").read_bytes()).hexdigest()[:12]
    return Measured(len(found.jobs), watch.last - watch.first, cpu, watch.simulated, digest)


def sweep(duration: str, runs: int) -> Sweep:
    """Return a sweep of a dumbbell over eight bottleneck rates."""
    scenario = load("dumbbell", [f"duration={duration}"])
    return Sweep(scenario, (Axis("link.bottleneck.rate", RATES),), reps=max(runs // len(RATES), 1))


def main() -> None:
    """Measure the executors and print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument(
        "--runs", type=int, default=10_000, help="short runs over 1, 2 and 4 workers [10000]"
    )
    options.add_argument("--duration", default="500s", help="simulated length of the 64 jobs [500s]")
    given = options.parse_args()
    measured(sweep("0.2s", 16), "threads", 1)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    one = measured(sweep("0.2s", 2000), "threads", 1)
    print(
        f"a job beyond its simulation: {(one.cpu_s - one.simulated_s) / one.runs * 1e3:.2f} ms ({one.runs} jobs)"
    )
    for executor in ("threads", "processes"):
        some = measured(sweep(given.duration, 64), executor, 2)
        each = some.simulated_s / some.runs * 1e3
        print(f"64 jobs of {each:.0f} ms on 2 {executor}: {shares(some, 2)}")
    for workers in (1, 2, 4):
        some = measured(sweep("5s", given.runs), "processes", workers)
        said = f"{some.runs} runs on {workers} processes: {some.wall_s:.1f} s, {shares(some, workers)}"
        print(f"{said}, digest {some.digest}")


def shares(some: Measured, workers: int) -> str:
    """Return the time spent in simulations, as a line of text.

    It is given as a fraction of the total processor time, and of the wall-clock time multiplied by the number of cores
    used.
    """
    used = min(workers, os.cpu_count() or 1)
    return (
        f"simulations are {some.simulated_s / some.cpu_s:.3f} of the processor time, "
        f"{some.simulated_s / some.wall_s / used:.3f} of {used} cores"
    )


if __name__ == "__main__":
    main()
