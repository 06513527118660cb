"""Builds the scenarios of cases: a dumbbell, a parking lot, traffic and events."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

__all__ = [
    "CLASSES",
    "PACKET",
    "SIZES",
    "at",
    "bdp",
    "bulk",
    "gaps",
    "media",
    "parking_lot",
    "seconds",
    "sessions",
    "through",
    "udp",
]

Table = dict[str, Any]

PACKET: Final = 1500
"""Size of a full packet on the wire, bytes."""

TCP: Final[Table] = {"variant": "reno", "profile": "linux", "largest_receive_buffer": "256MB"}
"""TCP of all flows before a variant is put in. The receive buffer may grow beyond Linux's 6 MB for long fat paths."""

SIZES: Final[Table] = {"kind": "log-normal", "median": "30kB", "sigma": 1.5, "most": "5MB"}
"""Sizes of responses in sessions (†): quartiles of 11, 30 and 82 kB, a mean of 90 kB."""

CLASSES: Final = (11_000, 30_000, 82_000)
"""Quartiles of `SIZES`, bytes."""


def seconds(text: str) -> float:
    """Return a time such as ``"40ms"`` or ``"2s"`` in seconds."""
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()  # type: ignore[union-attr]
    return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1.0}[unit]


def bits(text: str) -> float:
    """Return a rate such as ``"10Mbps"`` in bits per second."""
    number, unit = re.fullmatch(r"([\d.]+)(kbps|Mbps|Gbps)", text).groups()  # type: ignore[union-attr]
    return float(number) * {"kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9}[unit]


def bdp(rate: str, rtt: str, share: float) -> int:
    """Return a queue limit, packets: a share of the bandwidth-delay product, but at least two packets."""
    return max(2, round(share * bits(rate) * seconds(rtt) / 8 / PACKET))


def bulk(name: str = "test", **more: Any) -> Table:
    """Return an endless transfer; `rtt` may be given, and belongs to its access link."""
    return {"name": name, "tcp": dict(TCP), **more}


def udp(name: str, rate: str, **more: Any) -> Table:
    """Return a source of datagrams at a constant rate."""
    return {"name": name, "traffic": {"kind": "cbr", "rate": rate, "packet": "1472B"}, **more}


def media(name: str = "media", rate: str = "500kbps", **more: Any) -> Table:
    """Return interactive video over UDP: 25 pictures per second in packets of at most 1200 bytes (†)."""
    traffic = {"kind": "video", "rate": rate, "fps": 25, "gop": "IPPPPPPPPP", "packet": "1200B"}
    return {"name": name, "traffic": traffic, **more}


def _mean_size() -> float:
    """Return the mean of `SIZES`, bytes: that of a log-normal distribution that is cut off at its largest size."""
    median, sigma, most = 30e3, 1.5, 5e6
    cut = math.log(most / median) / sigma

    def below(z: float) -> float:
        return 0.5 * (1 + math.erf(z / math.sqrt(2)))

    return median * math.exp(sigma**2 / 2) * below(cut - sigma) / below(cut)


def sessions(name: str, rate: str, load: float, **more: Any) -> Table:
    """Return sessions of one response each, whose payload is a share `load` of a link's rate."""
    arrivals = {"kind": "poisson", "rate": round(load * bits(rate) / 8 / _mean_size(), 3)}
    classes = [f"{one}B" for one in CLASSES]
    traffic = {"kind": "sessions", "arrivals": arrivals, "response": dict(SIZES), "classes": classes}
    return {"name": name, "traffic": traffic, "tcp": {**TCP, "variant": "cubic"}, **more}


def at(time_s: float, path: str, to: Any) -> Table:
    """Return an event that sets one value of the bottleneck, such as ``rate`` or ``reverse.up``."""
    return {"at": f"{time_s:g}s", "set": f"link.bottleneck.{path}", "to": to}


def gaps(pattern: Iterable[tuple[int, int]]) -> Table:
    """Return a rate by opportunities of 1500 bytes: pairs of a gap, ms, and the number of such gaps in a row."""
    return {"gaps": " ".join(f"{gap}x{count}" for gap, count in pattern)}


def through(
    flows: Sequence[Table],
    *,
    rate: Any,
    rtt: str,
    queue: Any,
    duration: float,
    events: Sequence[Table] = (),
    access: str | None = None,
    **bottleneck: Any,
) -> Table:
    """Return a dumbbell: each flow has a sender and an access link of its own, and all share one bottleneck.

    Access links have ten times the bottleneck's rate unless `access` is given. A flow may have a round trip `rtt` of
    its own, which may not be shorter than half of the bottleneck's. A flow with ``"back": True`` sends the other way.
    """
    fast = access or f"{10 * bits(rate):.0f}bps"
    one_way = min(seconds(one.get("rtt", rtt)) for one in flows) / 2
    inner = 0.8 * one_way
    links: list[Table] = [
        {
            "name": "bottleneck",
            "between": ["r", "d"],
            "rate": rate,
            "delay": f"{inner * 1e6:.0f}us",
            "queue": queue,
            **bottleneck,
        }
    ]
    made: list[Table] = []
    for i, flow in enumerate(flows):
        own = dict(flow)
        outer = seconds(own.pop("rtt", rtt)) / 2 - inner
        links.append(
            {"between": [f"s{i}", "r"], "rate": fast, "delay": f"{outer * 1e6:.0f}us", "queue": 100_000}
        )
        ends = {"from": "d", "to": f"s{i}"} if own.pop("back", False) else {"from": f"s{i}", "to": "d"}
        made.append({**ends, **own})
    return {"duration": f"{duration:g}s", "seed": 1, "link": links, "flow": made, "event": list(events)}


def parking_lot(rate: str, rtt: str, queue: int, duration: float, hops: int = 3) -> Table:
    """Return a parking lot: one flow over all bottlenecks, and one flow over each, all with the same round trip."""
    one_way = seconds(rtt) / 2
    inner = 0.8 * one_way / hops
    fast = f"{10 * bits(rate):.0f}bps"
    edge = 0.1 * one_way

    def access(a: str, b: str, delay: float) -> Table:
        return {"between": [a, b], "rate": fast, "delay": f"{delay * 1e6:.0f}us", "queue": 100_000}

    links: list[Table] = [
        {
            "name": f"bottleneck{i}",
            "between": [f"r{i}", f"r{i + 1}"],
            "rate": rate,
            "delay": f"{inner * 1e6:.0f}us",
            "queue": queue,
        }
        for i in range(hops)
    ]
    links += [access("long", "r0", edge), access(f"r{hops}", "end", edge)]
    flows: list[Table] = [bulk("long", **{"from": "long", "to": "end"})]
    for i in range(hops):
        outer = (one_way - inner) / 2
        links += [access(f"s{i}", f"r{i}", outer), access(f"r{i + 1}", f"d{i}", outer)]
        flows.append(bulk(f"cross{i}", **{"from": f"s{i}", "to": f"d{i}", "start": f"{0.1 * (i + 1):g}s"}))
    return {"duration": f"{duration:g}s", "seed": 1, "link": links, "flow": flows, "event": []}
