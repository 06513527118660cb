"""Rules about explicit congestion notification (ECN)."""

from __future__ import annotations

from collections.abc import Iterator

from ackclock.lint.rule import rule
from ackclock.lint.world import World, marks


@rule("ACK005", "ecn-without-marking")
def ecn_without_marking(world: World) -> Iterator[tuple[str, str]]:
    """A flow uses ECN, and no queue on its way can mark.

    **Why it matters.** No packet is marked, so the flow runs as if it had no ECN. A result that is reported as an
    effect of ECN is then one of drops.

    **How to see it.** `run`: the flow's `marked_packets` is 0, and packets are dropped.

    **What to do.** Give the bottleneck a queue that marks (`red`, `codel`, `fq-codel`, `pie`), or leave out `ecn`.

    **When to ignore it.** If you compare the same flow with and without marking queues.
    """
    for flow in world.paths:
        tcp = world.parameters(flow)
        if tcp["ecn"] == "classic" and not any(marks(queue) for queue in world.queues(flow)):
            yield f"flow.{flow}.tcp.ecn", "the flow uses ECN, and no queue on its way marks packets"


@rule("ACK006", "marking-without-ecn")
def marking_without_ecn(world: World) -> Iterator[tuple[str, str]]:
    """A queue is told to mark packets, and no flow through it uses ECN.

    **Why it matters.** Packets of flows without ECN are dropped where others would be marked, so the setting changes
    nothing.

    **How to see it.** `run`: no packets are marked, and drops have cause aqm.

    **What to do.** Set `ecn = "classic"` (or `"dctcp"`) in the flows' `tcp`, or leave `ecn` out of the queue.

    **When to ignore it.** If flows that use ECN are added by `--set` or a sweep.
    """
    users = [flow for flow in world.paths if world.parameters(flow)["ecn"] != "off"]
    marked = [queue for flow in users for queue in world.queues(flow)]
    udp = any(flow.get("traffic", {}).get("ecn") for flow in world.described["flow"])
    for i, link in enumerate(world.document.get("link", ())):
        queue = link.get("queue")
        if isinstance(queue, dict) and queue.get("ecn") is True and not udp:
            described = world.described["link"][i]
            if not any(one in (described["queue"], described["reverse"]["queue"]) for one in marked):
                yield f"link.{i}.queue.ecn", "the queue marks packets, and no TCP flow through it uses ECN"


@rule("ACK007", "dctcp-without-marking")
def dctcp_without_marking(world: World) -> Iterator[tuple[str, str]]:
    """A DCTCP flow meets queues that cannot mark.

    **Why it matters.** DCTCP reads the share of marked packets. Without marks it never sees congestion until packets
    are dropped, and then acts as Reno does (RFC 8257, section 3.5).

    **How to see it.** `run`: `marked_packets` is 0, and `run --plot cwnd` shows Reno's sawtooth.

    **What to do.** Give the bottleneck a step-marking RED: `queue = { kind = "red", min = 20, max = 21, weight = 1,
    max_p = 1, gentle = false, ecn = true }`.

    **When to ignore it.** If you show what DCTCP does on a queue that was not made for it.
    """
    for flow in world.paths:
        if world.parameters(flow)["ecn"] == "dctcp" and not any(marks(queue) for queue in world.queues(flow)):
            yield f"flow.{flow}.tcp", "a DCTCP flow needs queues that mark, and no queue on its way does"
