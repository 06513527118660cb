"""Compares study huang's hybrid network (a wired path, then 802.11b) with recorded runs of ns-3.37 that have TCPW-I."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from validation import ours, reference
from validation.check import Check
from validation.scenarios import Document, link
from validation.stats import compared, mean_sd

GROUP = "Hybrid network, ns-3"
STOPS_S = {"onoff10": 30, "pulse05": 10}
SEEDS = 10
VARIANTS = {
    "TcpNewReno": "sack+reno",
    "TcpWestwood": "sack+westwood",
    "TcpWestwoodPlus": "sack+westwood+",
    "TcpWI": "sack+tcpw-i",
}
"""Our variant for each of ns-3's senders; in ns-3 all of them use loss recovery by SACK."""
OPENING = frozenset({("TcpWestwoodPlus", "pulse05", 20, 0.0)})
"""Points that are shown but not judged.

ns-3's filter of Westwood+ begins at zero, and the first loss comes at 0.4 s, when the filter has seen only a few round
trips. That loss then costs a second, which is 4 % of the goodput of a run of 10 s. The paper does not define the
filter's initial value; ours is the first sample, as in Linux."""
ENDPOINT: Document = {
    "segment": "1000B",
    "window_reduction": "at-once",
    "reduction": "pipe",
    "receive_window": "1048576B",
    "delayed_ack": "200ms",
    "timestamps": True,
}
"""Settings in which ns-3's endpoints differ from profile `rfc`."""


def document(variant: str, mode: str, queue: int, loss: float, stop_s: int) -> Document:
    """Return the hybrid network: S0 and S1 - R0 - AP, with D0 behind 802.11b and D1 behind a wire.

    A UDP stream of 1 Mb/s runs from S1 to D1.

    Args:
        variant: Our name of the variant.
        mode: `onoff10`: the stream runs until 10 s and from 20 s on; `pulse05`: it is on and off for 0.5 s each.
        queue: Queue limit in packets, as ns-3 counts it.
        loss: Probability that a packet is lost between R0 and AP.
        stop_s: End of the run, s.
    """
    narrow = link("r0", "ap", 3, 10, queue + 1)
    if loss > 0:
        narrow["loss"] = {"kind": "random", "rate": loss, "toward": "ap", "at": "wire"}
    traffic: Document = {"kind": "cbr", "rate": "1Mbps", "packet": "1000B", "header": "28B"}
    spans = [(0, 10), (20, stop_s)]
    if mode == "pulse05":
        traffic |= {"kind": "on-off", "on": "500ms", "off": "500ms"}
        spans = [(0, stop_s)]
    streams = [
        {"from": "s1", "to": "d1", "start": f"{a}s", "stop": f"{min(b, stop_s)}s", "traffic": traffic}
        for a, b in spans
        if a < stop_s
    ]
    return {
        "duration": f"{stop_s}s",
        "seed": 1,
        "node": [{"name": "ap", "position": [0, 0, 0]}, {"name": "d0", "position": [5, 0, 0]}],
        "link": [
            link("s0", "r0", 100, 2, queue + 1),
            link("s1", "r0", 100, 2, queue + 1),
            narrow,
            link("ap", "d1", 100, 2, queue + 1),
        ],
        "wifi": [
            {
                "standard": "b",
                "profile": "ns3",
                "stations": ["ap", "d0"],
                "access_point": "ap",
                "rate": "11Mbps",
                "rts_threshold": "3000B",
            }
        ],
        "flow": [
            {"from": "s0", "to": "d0", "traffic": {"kind": "ftp"}, "tcp": {**ENDPOINT, "variant": variant}},
            *streams,
        ],
    }


def _check(key: tuple[str, str, int, float], records: list[dict[str, Any]]) -> Check:
    name, mode, queue, loss = key
    end = STOPS_S[mode]
    runs = ours.run_many(
        [(document(VARIANTS[name], mode, queue, loss, end), 1 + s, 0.0) for s in range(SEEDS)]
    )
    mine = (*mean_sd([8e-6 * run.flows[0]["delivered_bytes"] / end for run in runs]), SEEDS)
    # Each value is the throughput in an interval of 0.5 s.
    theirs = (*mean_sd([sum(r["tcp_0.5s_mbps"]) / (2 * end) for r in records]), len(records))
    shown = key in OPENING
    about = f"{VARIANTS[name]} and {name}, {mode}, {queue} packets, loss {loss:.1%}: goodput, Mb/s"
    found = compared(mine, theirs, 0.10 if loss > 0 else 0.03, form=".3f")
    if shown:
        return Check(GROUP, about, "not judged: ns-3's filter begins at zero", found.text, None)
    return Check.of(GROUP, about, found)


def checks() -> list[Check]:
    """Check every point for which ns-3's runs are recorded."""
    points: defaultdict[tuple[str, str, int, float], list[dict[str, Any]]] = defaultdict(list)
    for record in reference.read_json("p2_hybrid_ns3.json", "wireless"):
        points[(record["variant"], record["mode"], record["qlen"], record["per"])].append(record)
    return [_check(key, records) for key, records in sorted(points.items()) if key[0] in VARIANTS]
