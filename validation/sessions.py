"""Compares the slowdown of sessions with processor sharing, M/G/1-PS: 1 / (1 - load), whatever the sizes.

A link with a queue per flow serves the connections with data one packet each by turns, which is processor sharing if
round trips are short and windows large enough. In the model a transfer that is alone takes its size divided by the
rate. Load and sizes count bytes on the wire.
"""

from __future__ import annotations

from validation import ours
from validation.check import Check
from validation.scenarios import Document
from validation.stats import mean_sd, t_half_width

GROUP = "Theory"
REPLICAS = 10
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
    runs = ours.run_many([(shared_link(load, sizes, queue), 1 + r, 0.0) for r in range(REPLICAS)])
    return [run.flows[0]["completions"][0]["slowdown_mean"] for run in runs]


def checks() -> list[Check]:
    """Compare the mean slowdown with that of processor sharing, for three distributions of sizes."""
    found = []
    fair: Document = {"kind": "fq-codel", "target": "1s", "interval": "10s", "packets": 100_000}
    for name, sizes in SIZES.items():
        for load in (0.3, 0.6, 0.8):
            wire = load * (1 + HEADER / SEGMENT)
            ratios = [slowdown * (1 - wire) for slowdown in _mean_slowdown(load, sizes, fair)]
            mean, sd = mean_sd(ratios)
            found.append(
                Check(
                    GROUP,
                    f"M/G/1-PS, {name} sizes, load {load:g}: mean slowdown of sessions",
                    "within 10 %",
                    f"{mean - 1:+.1%} +- {t_half_width(sd, len(ratios)):.1%}",
                    abs(mean - 1) <= 0.10,
                )
            )
    return found
