"""Training workload of the profile-guided build of a wheel: `make wheel` runs it.

It holds the most common runs: dumbbells of few and of many flows, a chain of links, controls beside Reno on a path
with losses, 802.11b, 802.11n and LTE under load, and every example of the package.
"""

from __future__ import annotations

import json

import peers
import radio_peers

import ackclock as ac
from ackclock import _core
from ackclock.scenario.examples import names

WIRED_S = (100, 10, 10, 12, 10, 11)
"""Simulated time of each wired network of `peers`, in order, s: all flows start at their own times, and no network has
more than half of the work. The largest network is left out.
"""

VARIANTS = ("tahoe", "reno", "newreno", "sack+reno", "vegas", "cubic", "westwood", "bbr", "tcp-linux-cubic")
# Networks of radio_peers, and the simulated time of each, s: about a second of processor time.
RADIO = ((radio_peers.stations, 10, 60), (radio_peers.cell80211, 10, 60), (radio_peers.cell_lte, 2, 60))


def main() -> None:
    """Run each scenario of the workload once; print what there was."""
    for case, seconds in zip(peers.CASES, WIRED_S, strict=False):
        _core.run(peers.scenario(case, seconds))
    for variant in VARIANTS:
        ac.dumbbell([variant, "reno"], loss=0.001).run("60s")
    for network, stations, seconds in RADIO:
        _core.run(json.dumps({"duration": f"{seconds}s", "seed": 1, **network(stations)}))
    for name in names():
        ac.load(name).run()
    ac.load("dumbbell").run(traces=["cwnd", "segments"])
    print(
        f"trained with {len(WIRED_S)} wired networks of 10 to 10 000 flows, {len(VARIANTS)} controls beside Reno, "
        f"802.11b, 802.11n and LTE under load, and the {len(names())} examples of the package"
    )


if __name__ == "__main__":
    main()
