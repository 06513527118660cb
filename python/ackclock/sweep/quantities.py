"""Quantities that a sweep or a comparison needs as numbers; the core reads them, as those of scenarios."""

from __future__ import annotations

import math
import re
from typing import Any

from ackclock import _core
from ackclock.errors import UserError
from ackclock.scenario import Queue, Scenario


def seconds(text: str, what: str) -> float:
    """Read a time such as ``"100ms"`` as seconds; `what` names it in the error where it is none."""
    try:
        return _core.seconds(text)
    except ValueError as why:
        raise UserError(f"{what}: {why}") from why


def queue_of(text: str, dumbbell: Scenario) -> Queue:
    """Read a queue of the command line: packets (``50``), bytes (``64KiB``), or ``1bdp`` of its path.

    A bandwidth-delay product is the bottleneck's rate times the round-trip time without queueing, in
    full-sized packets of flow 0, four at least.
    """
    products = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*bdp", text.strip(), re.IGNORECASE)
    if products is None:
        bare = text.strip()
        return (
            {"kind": "droptail", "packets": int(bare)}
            if bare.isdigit()
            else {"kind": "droptail", "bytes": bare}
        )
    packets = float(products[1]) * bdp_packets(dumbbell.describe())
    return {"kind": "droptail", "packets": max(4, math.ceil(packets))}


def bdp_packets(described: dict[str, Any]) -> float:
    """Return the bandwidth-delay product of a described dumbbell's flow 0, in its full packets.

    Links 0 to 2 are the path: bottleneck, sender's access, receiver's access.
    """
    rate = _core.bits_per_second(described["link"][0]["rate"])
    links = described["link"][:3]
    round_trip = sum(_core.seconds(link["delay"]) + _core.seconds(link["reverse"]["delay"]) for link in links)
    tcp = described["flow"][0]["tcp"]
    packet = _core.size_bytes(tcp["segment"]) + _core.size_bytes(tcp["header"])
    return rate * round_trip / (8 * packet)
