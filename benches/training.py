"""Training workload of the profile-guided build of a wheel: `make wheel` runs it.

It holds the most common runs: dumbbells of few and of many flows, and every example of the package.
"""

from __future__ import annotations

from peers import CASES, scenario

import ackclock as ac
from ackclock import _core
from ackclock.scenario.examples import names

VARIANTS = ("tahoe", "reno", "newreno", "sack+reno", "vegas", "cubic", "westwood", "bbr", "tcp-linux-cubic")


def main() -> None:
    """Run each scenario of the workload once."""
    for case, seconds in zip(CASES, (40, 5, 4, 4, 4), strict=True):
        _core.run(scenario(case, seconds))
    for variant in VARIANTS:
        ac.dumbbell([variant, "reno"], loss=0.001).run("60s")
    for name in names():
        ac.load(name).run()
    ac.load("dumbbell").run(traces=["cwnd", "segments"])


if __name__ == "__main__":
    main()
