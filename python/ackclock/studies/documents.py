"""Parts of scenario documents that the studies' networks are made of."""

from __future__ import annotations

import json
from typing import Any


def to_json(document: dict[str, Any]) -> str:
    """A scenario document as one line of JSON."""
    return json.dumps(document, separators=(",", ":"))


def drop_tail(packets: int) -> dict[str, object]:
    """A drop-tail queue of so many places, the packet in transmission included."""
    return {"kind": "droptail", "packets": packets}


def link(a: str, b: str, rate: str, delay: str, queue: int) -> dict[str, object]:
    """A link with the same rate, delay and drop-tail queue both ways."""
    return {"between": [a, b], "rate": rate, "delay": delay, "queue": drop_tail(queue)}
