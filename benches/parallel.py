"""Estimates the speed-up of one run on many cores: `make bench-parallel`. Nothing is simulated in parallel here.

The benchmark runs two large networks, records every packet on every link, and computes the time that several cores
would take. Time is divided into windows as long as the lookahead, the least delay of a link between two cores: within a
window no core can affect another. At the end of a window all cores wait for each other. Nodes are assigned in two ways.
"By place": each core has a part of the network for the whole run. "By load": in each window every free core gets the
next node, and nodes with the most work come first (UNISON, Bai and others, EuroSys 2024).
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ackclock import Scenario

# Instructions per step of the simulation, from a profile of ten flows at 100 Mb/s; then instructions per second.
FORWARD = 363
RECEIVE = 300
ACKNOWLEDGED = 1582
HANDED_OVER = 150
PER_SECOND = 12e9
# Time that a barrier adds for each doubling of the number of cores, s.
BARRIER_S = 0.3e-6
CORES = (2, 4, 16, 64)


@dataclass(frozen=True)
class Case:
    """A network to estimate."""

    name: str
    document: dict[str, object]
    places: dict[str, float] = field(default_factory=dict)


def fat_tree(k: int, delay: str, seed: int = 1) -> Case:
    """Return a fat tree of 1 Gb/s, in which each of the k^3 / 4 hosts sends one flow and receives one."""
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
    """Return routers at random places in a square of 4000 km, each linked to the two nearest earlier routers.

    Flows run between random pairs of routers.
    """
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
    west = {f"r{i}": x for i, (x, _) in enumerate(places)}
    return Case(f"wide area, {nodes} nodes, {flows} flows", document, west)


def flow(a: str, b: str) -> dict[str, object]:
    """Return an endless flow from `a` to `b`, as a table of a scenario."""
    return {"from": a, "to": b, "traffic": {"kind": "ftp"}, "tcp": {"variant": "sack+reno"}}


@dataclass(frozen=True)
class Work:
    """Work of a run: steps done at nodes, and packets handed from node to node."""

    done: tuple[np.ndarray, np.ndarray, np.ndarray]
    """Time, node and instructions of each step."""
    handed: tuple[np.ndarray, np.ndarray, np.ndarray]
    """Time, sending node and receiving node of each packet."""
    names: list[str]
    delays_s: dict[tuple[int, int], float]


def work(case: Case) -> Work:
    """Run a case and return its work."""
    run = Scenario({"seed": 1, **case.document}).run(traces=["hops"])
    hops = run.trace("hops").to_polars().select("enqueued_s", "arrives_s", "place", "flow", "kind", "cause")
    ends = [(f["to"], f["from"]) for f in run.flows.to_polars().iter_rows(named=True)]
    number: dict[str, int] = {}
    done, handed = [], []
    for enqueued, arrives, place, of, kind, cause in hops.iter_rows():
        here, there = place.split(">")
        a, b = (number.setdefault(name, len(number)) for name in (here, there))
        done.append((enqueued, a, FORWARD))
        if cause is None and arrives is not None:
            handed.append((arrives, a, b))
            if there == ends[of][kind == "ack"]:
                done.append((arrives, b, ACKNOWLEDGED if kind == "ack" else RECEIVE))
    delays_s = {}
    for link in case.document["link"]:  # type: ignore[attr-defined]
        a, b = (number.setdefault(name, len(number)) for name in link["between"])
        delays_s[a, b] = float(link["delay"].removesuffix("us")) * 1e-6
    return Work(_columns(done), _columns(handed), list(number), delays_s)


def _columns(rows: list[tuple[float, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    times, first, second = zip(*rows, strict=True)
    return np.array(times), np.array(first), np.array(second)


def by_place(work: Work, cores: int, order: Callable[[str], float], *, free: bool = False) -> float:
    """Return the time, s, if each core has a fixed part of the network.

    The parts have equal work; each consists of nodes that are adjacent in `order`.
    """
    times, nodes, costs = work.done
    ranked = sorted(range(len(work.names)), key=lambda node: order(work.names[node]))
    own = np.bincount(nodes, weights=costs, minlength=len(ranked))
    share = np.cumsum(own[ranked]) / own.sum()
    part = np.empty(len(ranked), dtype=np.int64)
    part[ranked] = np.minimum((share * cores - 1e-9).astype(np.int64), cores - 1)
    lookahead_s = min(delay for (a, b), delay in work.delays_s.items() if part[a] != part[b])
    arrives, a, b = work.handed
    crosses = part[a] != part[b]
    at = np.concatenate([times, arrives[crosses]])
    who = np.concatenate([part[nodes], part[b[crosses]]])
    what = np.concatenate([costs, np.full(crosses.sum(), 0 if free else HANDED_OVER)])
    each = windows(at, who, what, lookahead_s)
    barrier_s = 0.0 if free else BARRIER_S * math.log2(cores)
    return sum(float(window.max()) / PER_SECOND + barrier_s for window in each)


def by_load(work: Work, cores: int, *, free: bool = False) -> float:
    """Return the time, s, if in each window every free core gets the next node, those with the most work first."""
    times, nodes, costs = work.done
    arrives, _, b = work.handed
    at, who = np.concatenate([times, arrives]), np.concatenate([nodes, b])
    what = np.concatenate([costs, np.full(len(b), 0 if free else HANDED_OVER)])
    barrier_s = 0.0 if free else BARRIER_S * math.log2(cores)
    total = 0.0
    for window in windows(at, who, what, min(work.delays_s.values())):
        finish = [0.0] * cores
        for cost in sorted(window, reverse=True):
            heapq.heapreplace(finish, finish[0] + cost)
        total += max(finish) / PER_SECOND + barrier_s
    return total


def windows(times: np.ndarray, nodes: np.ndarray, costs: np.ndarray, lookahead_s: float) -> list[np.ndarray]:
    """Return the costs of the nodes that have work in each window; windows without work are left out."""
    window = np.floor(times / lookahead_s + 1e-9).astype(np.int64)
    key = window * (nodes.max() + 1) + nodes
    keys, inverse = np.unique(key, return_inverse=True)
    sums = np.bincount(inverse, weights=costs)
    starts = np.flatnonzero(np.diff(keys // (nodes.max() + 1), prepend=-1))
    return np.split(sums, starts[1:])


def pod(name: str) -> float:
    """Return a sort key that keeps a fat tree's pods together; core switches are spread evenly over the pods."""
    kind, rest = name[0], name[1:].split(".")
    return float(rest[0]) + 0.5 if kind != "c" else 2.0 * float(rest[0]) + 0.5 * float(rest[1])


def main() -> None:
    """Estimate the speed-up of each case and print the table."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    rows = []
    west = wide_area(1000, 500)
    for case, order in (
        (fat_tree(8, "3us"), pod),
        (fat_tree(8, "10us"), pod),
        (west, west.places.__getitem__),
    ):
        found = work(case)
        alone = float(found.done[2].sum()) / PER_SECOND
        for name, times in (
            ("by place", [by_place(found, cores, order) for cores in CORES]),
            ("by place, nothing lost", [by_place(found, cores, order, free=True) for cores in CORES]),
            ("by load", [by_load(found, cores) for cores in CORES]),
        ):
            rows.append((case.name, name, *(f"{alone / time:.2f}" for time in times)))
    heads = ("case", "nodes are shared out", *(f"{cores} cores" for cores in CORES))
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
