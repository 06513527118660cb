"""Criterion on receivers that misbehave: what such a flow gains, and what an honest flow beside it loses."""

from __future__ import annotations

from typing import Any

from ackclock.evaluate import metrics as m
from ackclock.evaluate.declared import Case, Criterion, Level
from ackclock.evaluate.paths import bdp, bits, bulk, seconds, through

__all__ = ["CRITERIA"]

WINDOW = {"largest_receive_buffer": "1MB"}
"""Receive buffer of all flows (†), which bounds what a flow sends whose receiver conceals all losses."""

OLD_GROWTH = {"ack_counting": "acks", "count_parts_as_whole": True}
"""Growth by the number of acknowledgments, as RFC 2581 had it and RFC 5681 advises against."""


def _beside(
    key: str,
    title: str,
    cheat: dict[str, Any],
    *,
    both: dict[str, Any] | None = None,
    queue: Any = None,
    share: float = 1,
    quick: bool = False,
) -> Case:
    """Return a case of two flows, of which the first has the receiver `cheat`; `both` are settings of both flows."""
    rate, rtt, duration = "20Mbps", "40ms", 20
    flows = [bulk("cheat"), bulk("honest")]
    for flow in flows:
        flow["tcp"].update(WINDOW, **(both or {}))
    flows[0]["tcp"].update(cheat)
    return Case(
        key,
        title,
        through(flows, rate=rate, rtt=rtt, queue=queue or bdp(rate, rtt, share), duration=duration),
        m.CHEAT,
        own=(0, 1),
        base_s=seconds(rtt) / 2,
        marks={"rate_bps": bits(rate)},
        packets=1.5 * duration * bits(rate) / 12_000,
        receivers=True,
        quick=quick,
    )


def _receivers() -> tuple[Case, ...]:
    pie: dict[str, Any] = {"both": {"ecn": "classic"}, "queue": {"kind": "pie", "packets": 1000, "ecn": True}}
    codel: dict[str, Any] = {
        "both": {"ecn": "classic"},
        "queue": {"kind": "codel", "packets": 1000, "ecn": True},
    }
    return (
        _beside(
            "optimistic", "concealed losses, drop-tail of 1 BDP", {"conceal_losses": True},
            quick=True,
        ),
        _beside(
            "optimistic-lead", "concealed losses, and 20 segments acknowledged before they arrive †",
            {"optimistic_acks": 20},
        ),
        _beside(
            "ack-division", "10 acknowledgments for each segment, drop-tail of 1 BDP †", {"ack_division": 10},
            quick=True,
        ),
        _beside(
            "ack-division-counted", "10 acknowledgments for each segment; senders count acknowledgments (RFC 2581)",
            {"ack_division": 10}, both=OLD_GROWTH,
        ),
        _beside(
            "dupack-spoofing", "10 duplicates of each acknowledgment, drop-tail of 1 BDP †", {"dupack_spoofing": 10},
            quick=True,
        ),
        _beside("marks-pie", "concealed marks; PIE, ECN on", {"conceal_marks": True}, quick=True, **pie),
        _beside("marks-codel", "concealed marks; CoDel, ECN on", {"conceal_marks": True}, **codel),
        _beside("honest", "both receivers are honest, drop-tail of 1 BDP", {}, quick=True),
        _beside("honest-pie", "both receivers are honest; PIE, ECN on", {}, **pie),
    )  # fmt: skip


CRITERIA: tuple[Criterion, ...] = (
    Criterion(
        "receivers",
        "Misbehaving receivers",
        "7.6",
        Level.SHOULD,
        "What does a receiver gain that divides acknowledgments, sends them early, or ignores marks?",
        "2 flows on 20 Mb/s, 40 ms, of which one has a receiver that misbehaves",
        _receivers,
        note="The misbehaviours are those of Savage, Cardwell, Wetherall and Anderson (1999), and concealed marks (RFC "
        "3168, section 7). The gain is the cheater's goodput divided by that of the honest flow: 1 is fair, and less "
        "is better. Goodput counts the bytes that arrived, each once, so that concealed losses do not count. Harm to "
        "the honest flow is the part of the link's rate that it lacks. The receive buffer of 1 MB † bounds what a flow "
        "sends that sees no loss. Cases with honest receivers show how flows share that keep to the rules.",
    ),
)
