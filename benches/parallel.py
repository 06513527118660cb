"""What one run on many cores would gain, on paper: `make bench-parallel`.

Runs two large networks, records every packet on every link, and works out how long cores that share the work would
take. Every node is a process of its own. All may work ahead of each other by the least delay of a link, the lookahead:
time is cut into windows of that length, cores share out the nodes of each window, the largest first, and wait for each
other at its end (the scheme of UNISON, Bai and others, EuroSys 2024). Nothing is simulated in parallel here.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ackclock import Scenario

# Instructions that a step takes, from a profile of ten flows at 100 Mb/s, and instructions per second.
FORWARD = 363
RECEIVE = 300
ACKNOWLEDGED = 1582
HANDED_OVER = 150
PER_SECOND = 12e9
# A barrier: fixed, and for each doubling of the cores, s (measured values in the literature are 0.2 to 2 us).
BARRIER_S = 0.3e-6
CORES = (2, 4, 16, 64)


@dataclass(frozen=True)
class Case:
    """A network to look at."""

    name: str
    document: dict[str, object]


def fat_tree(k: int, delay: str, seed: int = 1) -> Case:
    """A fat tree of 1 Gb/s: each of its k^3 / 4 hosts sends to another one, and gets from another one."""
    half = k // 2
    links = []

    def link(a: str, b: str) -> None:
        links.append({"between": [a, b], "rate": "1Gbps", "delay": delay, "queue": 100})

    for pod in range(k):
        for edge in range(half):
            for host in range(half):
                link(f"h{pod}.{edge}.{host}", f"e{pod}.{edge}")
            for up in range(half):
                link(f"e{pod}.{edge}", f"a{pod}.{up}")
        for up in range(half):
            for core in range(half):
                link(f"a{pod}.{up}", f"c{up}.{core}")
    hosts = [f"h{p}.{e}.{h}" for p in range(k) for e in range(half) for h in range(half)]
    random.Random(seed).shuffle(hosts)
    pairs = zip(hosts, hosts[1:] + hosts[:1], strict=True)
    document = {"duration": "20ms", "link": links, "flow": [flow(a, b) for a, b in pairs]}
    return Case(f"fat tree, k = {k}, {len(hosts)} hosts, links of {delay}", document)


def wide_area(nodes: int, flows: int, seed: int = 1) -> Case:
    """Routers at random in a square of 4000 km, each joined to the two nearest before it; flows between any two."""
    draw = random.Random(seed)
    places = [(draw.uniform(0, 4000), draw.uniform(0, 4000)) for _ in range(nodes)]
    links = []
    for i in range(1, nodes):
        near = sorted(range(i), key=lambda j: math.dist(places[i], places[j]))[:2]
        for j in near:
            delay_us = max(10, round(math.dist(places[i], places[j]) * 5))
            links.append(
                {"between": [f"r{j}", f"r{i}"], "rate": "1Gbps", "delay": f"{delay_us}us", "queue": 1000}
            )
    pairs = (draw.sample(range(nodes), 2) for _ in range(flows))
    document = {"duration": "400ms", "link": links, "flow": [flow(f"r{a}", f"r{b}") for a, b in pairs]}
    return Case(f"wide area, {nodes} nodes, {flows} flows", document)


def flow(a: str, b: str) -> dict[str, object]:
    """An endless flow from `a` to `b`."""
    return {"from": a, "to": b, "traffic": {"kind": "ftp"}, "tcp": {"variant": "sack+reno"}}


def work(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """When, where and with how many instructions something is done in a run of the case; and its lookahead, s."""
    document = {"seed": 1, **case.document}
    run = Scenario(document).run(traces=["hops"])
    hops = run.trace("hops").to_polars().select("enqueued_s", "arrives_s", "place", "flow", "kind", "cause")
    ends = [(f["to"], f["from"]) for f in run.flows.to_polars().iter_rows(named=True)]
    number: dict[str, int] = {}
    times, nodes, costs = [], [], []
    for enqueued, arrives, place, of, kind, cause in hops.iter_rows():
        here, there = place.split(">")
        times.append(enqueued)
        nodes.append(number.setdefault(here, len(number)))
        # What comes over a link comes from another process, unless it begins here.
        costs.append(FORWARD + HANDED_OVER)
        if cause is None and arrives is not None and there == ends[of][kind == "ack"]:
            times.append(arrives)
            nodes.append(number.setdefault(there, len(number)))
            costs.append(HANDED_OVER + (ACKNOWLEDGED if kind == "ack" else RECEIVE))
    delays = [float(link["delay"].removesuffix("us")) for link in document["link"]]  # type: ignore[attr-defined]
    return np.array(times), np.array(nodes), np.array(costs), min(delays) * 1e-6


def schedule(loads: Iterator[np.ndarray], cores: int, barrier_s: float = BARRIER_S) -> float:
    """Time of all windows, s: in each, cores share out the nodes, and wait for the last."""
    total = 0.0
    for window in loads:
        finish = [0.0] * cores
        for cost in sorted(window, reverse=True):
            heapq.heapreplace(finish, finish[0] + cost)
        total += max(finish) / PER_SECOND + barrier_s * math.log2(cores)
    return total


def windows(times: np.ndarray, nodes: np.ndarray, costs: np.ndarray, lookahead_s: float) -> list[np.ndarray]:
    """What each node has to do in each window in which anything is done."""
    window = np.floor(times / lookahead_s + 1e-9).astype(np.int64)
    key = window * (nodes.max() + 1) + nodes
    keys, inverse = np.unique(key, return_inverse=True)
    sums = np.bincount(inverse, weights=costs)
    starts = np.flatnonzero(np.diff(keys // (nodes.max() + 1), prepend=-1))
    return np.split(sums, starts[1:])


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="the numbers as JSON")
    options = parser.parse_args()
    rows = {}
    for case in (fat_tree(8, "3us"), fat_tree(8, "10us"), wide_area(1000, 500)):
        times, nodes, costs, lookahead_s = work(case)
        alone = float((costs - HANDED_OVER).sum()) / PER_SECOND
        each = windows(times, nodes, costs, lookahead_s)
        free = windows(times, nodes, costs - HANDED_OVER, lookahead_s)
        rows[case.name] = {
            "windows": len(each),
            "steps per window": len(times) / len(each),
            **{f"{cores} cores": alone / schedule(iter(each), cores) for cores in CORES},
            "2, nothing lost": alone / schedule(iter(free), 2, 0.0),
            "16, nothing lost": alone / schedule(iter(free), 16, 0.0),
        }
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    heads = ["case", *next(iter(rows.values()))]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for name, row in rows.items():
        cells = [f"{value:.0f}" if i < 2 else f"{value:.2f}" for i, value in enumerate(row.values())]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
