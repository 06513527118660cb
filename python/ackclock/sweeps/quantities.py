"""Conversion of quantities with units to numbers, by the core's parser."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.errors import UserError

if TYPE_CHECKING:
    from ackclock.scenario.network import Queue
    from ackclock.scenario.scenario import Scenario


def seconds(text: str, what: str) -> float:
    """Return a time such as ``"100ms"`` in seconds; `what` is its name in error messages."""
    try:
        return _core.seconds(text)
    except ValueError as why:
        raise UserError(f"{what}: {why}") from why


def probability(text: str, what: str) -> float:
    """Return a probability, 0 to 1; `what` is its name in error messages, which also convert a percentage."""
    bare = text.strip()
    try:
        value = float(bare.removesuffix("%"))
    except ValueError:
        value = math.nan
    if 0 <= value <= 1 and not bare.endswith("%"):
        return value
    fix = (
        f"\n  {value:g} % is {what} {value / 100:g}" if 0 <= value <= 100 else f"\n  for example {what} 0.01"
    )
    raise UserError(f"{what} {text}: not a probability\n  wanted: a number from 0 to 1{fix}")


def queue_of(text: str, scenario: Scenario) -> Queue:
    """Parse a queue of the command line: packets (``50``), bytes (``64KiB``), or ``1bdp`` of flow 0's path.

    A kind other than drop-tail precedes the limit (``codel:2bdp``) or is given without a limit (``fq-codel``). A
    bandwidth-delay product is the bottleneck's rate times the round-trip time without queueing, in full packets of flow
    0, and at least four packets.
    """
    kind, colon, limit = text.strip().partition(":")
    if re.fullmatch(r"[a-z][a-z-]*", kind):
        return {**(_limit(limit, scenario) if colon else {}), "kind": kind}
    return {"kind": "droptail", **_limit(text, scenario)}


def _limit(text: str, scenario: Scenario) -> dict[str, int | str]:
    products = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*bdp", text.strip(), re.IGNORECASE)
    if products is None:
        bare = text.strip()
        return {"packets": int(bare)} if bare.isdigit() else {"bytes": bare}
    from ackclock.scenario.path_properties import path_of

    path = path_of(scenario.described, 0)
    if path is None:
        raise UserError(f"--queue {text}: flow 0 has no path of links to take the product of")
    packets = float(products[1]) * path.bdp_packets
    return {"packets": max(4, math.ceil(packets))}
