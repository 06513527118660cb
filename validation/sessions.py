"""Checks sessions: slowdown against a closed form, load against the load that was asked for, and cost.

The slowdown is that of processor sharing, M/G/1-PS: 1 / (1 - load), whatever the sizes. A link with a queue per flow
serves the connections with data one packet each by turns, which is processor sharing if round trips are short and
windows large enough. In the model a transfer that is alone takes its size divided by the rate. Load and sizes count
bytes on the wire.

The cost is the processor time of 10 000 sessions of 100 kB, and the memory of 1 000 000 sessions compared with 100 000.
"""

from __future__ import annotations

import json
import subprocess
import sys

from validation import ours
from validation.check import Check
from validation.scenarios import Document
from validation.stats import mean_sd, t_half_width

GROUP = "Sessions"
REPLICAS = 10
"""Number of seeds of a check."""
MANY = 40
"""Number of seeds at load 0.8, where slowdowns vary much from run to run."""
MARGIN = 0.10
RATE_MBPS = 10
SEGMENT, HEADER = 1448, 52
DURATION_S = 2000.0

SIZES: dict[str, Document] = {
    "constant": {"kind": "constant", "size": "200kB"},
    "exponential": {"kind": "exponential", "mean": "200kB"},
    "log-normal": {"kind": "log-normal", "median": "100kB", "sigma": 1.2},
}


def shared_link(load: float, sizes: Document, queue: Document) -> Document:
    """Return sessions of one response each over a link of 10 Mb/s with a round trip of 0.2 ms."""
    return {
        "duration": f"{DURATION_S:g}s",
        "seed": 1,
        "link": [
            {
                "name": "link",
                "between": ["servers", "clients"],
                "rate": f"{RATE_MBPS}Mbps",
                "delay": "0.1ms",
                "queue": queue,
            }
        ],
        "flow": [
            {
                "name": "web",
                "from": "servers",
                "to": "clients",
                "tcp": {
                    "variant": "sack",
                    "segment": f"{SEGMENT}B",
                    "header": f"{HEADER}B",
                    "receive_window": 64,
                },
                "traffic": {
                    "kind": "sessions",
                    "arrivals": {"kind": "poisson", "load": load, "link": "link"},
                    "response": sizes,
                },
            }
        ],
    }


def _mean_slowdown(load: float, sizes: Document, queue: Document) -> list[float]:
    seeds = MANY if load >= 0.8 else REPLICAS
    runs = ours.run_many([(shared_link(load, sizes, queue), 1 + r, 0.0) for r in range(seeds)])
    return [run.flows[0]["completions"][0]["slowdown_mean"] for run in runs]


def fast_link(sessions: int, size_bytes: int, load: float) -> Document:
    """Return about that many sessions of one response each over a link of 1 Gb/s and 2 ms."""
    document = shared_link(
        load, {"kind": "constant", "size": f"{size_bytes}B"}, {"kind": "droptail", "packets": 1000}
    )
    document["link"][0].update(rate="1Gbps", delay="1ms")
    return {**document, "duration": f"{8 * size_bytes * sessions / (load * 1e9):.6g}s"}


def _load_checks() -> list[Check]:
    """Compare measured loads with the load that was asked for, over ten seeds."""
    load, size_bytes = 0.8, 100_000
    document = fast_link(10_000, size_bytes, load)
    runs = ours.run_many([(document, 1 + r, 0.0) for r in range(REPLICAS)])
    duration_s = float(document["duration"].removesuffix("s"))
    offered = [8 * run.flows[0]["sessions"][0]["response_bytes"] / (duration_s * 1e9) for run in runs]
    # Segments of 1448 bytes, the last one shorter, with 52 bytes of headers each; and the handshake.
    segments = -(-size_bytes // SEGMENT)
    expected = load * (size_bytes + HEADER * (segments + 1)) / size_bytes
    used = [run.links[0]["utilisation"] for run in runs]
    found = []
    for name, values, target in (
        ("payload of the responses, share of the rate", offered, load),
        ("utilisation of the link, with headers", used, expected),
    ):
        mean, sd = mean_sd(values)
        half = t_half_width(sd, len(values))
        found.append(
            Check(
                GROUP,
                f"load 0.8 on 1 Gb/s, 10 000 sessions of 100 kB, {REPLICAS} seeds: {name}",
                f"{target:.4f} +- 1 %",
                f"{mean:.4f} +- {half:.4f}",
                abs(mean / target - 1) <= 0.01,
            )
        )
    return found


MEMORY = """
import json, sys
from pathlib import Path
from ackclock import _core
result = _core.run(sys.stdin.read())
found = json.loads(result.summary)["flows"][0]["sessions"][0]["sessions"]
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(found, int(peak.split()[1]) // 1024, result.cpu_s)
"""
"""Program that runs a scenario and prints the number of sessions, its peak of memory, MiB, and processor time, s.

The peak is the kernel's VmHWM: that of `getrusage` includes the process that started this one.
"""


def _cost(document: Document) -> tuple[int, int, float]:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], input=json.dumps(document), capture_output=True, text=True, check=True
    )
    sessions, memory_mib, cpu_s = done.stdout.split()
    return int(sessions), int(memory_mib), float(cpu_s)


def _cost_checks() -> list[Check]:
    """Measure processor time and memory, each run in a process of its own."""
    large, _, cpu_s = _cost(fast_link(10_000, 100_000, 0.8))
    (few, before, _), (many, after, _) = (_cost(fast_link(n, 1000, 0.5)) for n in (100_000, 1_000_000))
    return [
        Check(
            GROUP,
            f"cost of {large} sessions of 100 kB, load 0.8",
            "at most 10 s of one core",
            f"{cpu_s:.2f} s of processor time",
            cpu_s <= 10.0,
        ),
        Check(
            GROUP,
            f"memory of {many} sessions of 1 kB compared with {few}",
            "at most 8 MiB more",
            f"{after} MiB and {before} MiB",
            after - before <= 8,
        ),
    ]


def checks() -> list[Check]:
    """Check the mean slowdown for three distributions of sizes, the load, and the cost."""
    return [*_slowdown_checks(), *_load_checks(), *_cost_checks()]


def _slowdown_checks() -> list[Check]:
    """Compare the mean slowdown with that of processor sharing, for three distributions of sizes."""
    found = []
    fair: Document = {"kind": "fq-codel", "target": "1s", "interval": "10s", "packets": 100_000}
    for name, sizes in SIZES.items():
        for load in (0.3, 0.6, 0.8):
            wire = load * (1 + HEADER / SEGMENT)
            ratios = [slowdown * (1 - wire) for slowdown in _mean_slowdown(load, sizes, fair)]
            found.append(_judged(f"M/G/1-PS, {name} sizes, load {load:g}: mean slowdown of sessions", ratios))
    return found


def _judged(name: str, ratios: list[float]) -> Check:
    """Judge by equivalence: the interval of 90 % must lie within the margin; that of 99 % beyond it is a failure."""
    mean, sd = mean_sd(ratios)
    off = mean - 1
    halves = {level: t_half_width(sd, len(ratios), level) for level in (0.90, 0.95, 0.99)}
    fails = abs(off) - halves[0.99] > MARGIN
    passed = True if abs(off) + halves[0.90] <= MARGIN else False if fails else None
    measured = f"{off:+.1%} +- {halves[0.95]:.1%} ({len(ratios)} seeds)"
    return Check(GROUP, name, f"within {100 * MARGIN:.0f} %", measured, passed, undecided=passed is None)
