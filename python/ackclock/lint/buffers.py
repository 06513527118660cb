"""Rules about the sizes of buffers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ackclock.lint.rule import about, rule
from ackclock.lint.world import World
from ackclock.scenario.quantities import seconds, size_bytes

SHALLOW, DEEP = 0.25, 4.0
"""Queue limits, in bandwidth-delay products, below or above which a queue is reported."""

DEEP_RLC = 4.0
"""Limit, in bandwidth-delay products, above which an RLC buffer is reported."""

BLOCKS = {"1.4MHz": 6, "3MHz": 15, "5MHz": 25, "10MHz": 50, "15MHz": 75, "20MHz": 100}
"""Number of resource blocks of an LTE carrier, by bandwidth (TS 36.101, table 5.6-1)."""

PEAK_BPS = 0.75e6
"""Peak rate of one resource block, bit/s: 75 Mb/s with 100 blocks and one antenna (TS 36.213, table 7.1.7.2.1-1)."""


@rule("ACK003", "shallow-buffer")
def shallow_buffer(world: World) -> Iterator[tuple[str, str]]:
    """The bottleneck's queue is less than a quarter of the bandwidth-delay product.

    **Why it matters.** Loss-based variants halve their windows at a loss. With so little room the queue then drains,
    and the link is idle until the window has grown again.

    **How to see it.** `run --plot queue` shows an empty queue after each loss; the link table shows a bottleneck that
    is not fully busy.

    **What to do.** Give the queue about one bandwidth-delay product divided by the square root of the number of
    flows: `queue = "1bdp"`.

    **When to ignore it.** If small buffers are what you study.
    """
    for path, _ in world.bottlenecks():
        ratio = path.queue_packets / path.bdp_packets if path.bdp_packets else math.nan
        if ratio < SHALLOW:
            yield (
                _queue(world, path.bottleneck),
                f"the queue of {path.bottleneck} is {about(ratio)} bandwidth-delay products "
                f"({path.queue_packets:.4g} of {path.bdp_packets:.3g} packets)",
            )


@rule("ACK004", "deep-buffer")
def deep_buffer(world: World) -> Iterator[tuple[str, str]]:
    """The bottleneck's queue is more than four bandwidth-delay products, or has no limit.

    **Why it matters.** Loss-based variants fill any buffer. A full one delays packets by several round-trip times of
    the empty path, and losses are so rare that a run has only a few.

    **How to see it.** `run --plot queue,rtt`: the queue grows for seconds, and the round-trip time with it.

    **What to do.** Give the queue about one bandwidth-delay product (`queue = "1bdp"`), or use a queue that controls
    the delay (`codel`, `pie`).

    **When to ignore it.** If bufferbloat is what you study.
    """
    for path, _ in world.bottlenecks():
        if math.isinf(path.queue_packets):
            yield _queue(world, path.bottleneck), f"the queue of {path.bottleneck} has no limit"
        elif path.bdp_packets and path.queue_packets > DEEP * path.bdp_packets and path.queue_packets > 10:
            yield (
                _queue(world, path.bottleneck),
                f"the queue of {path.bottleneck} is {about(path.queue_packets / path.bdp_packets)} bandwidth-delay "
                f"products ({path.queue_packets:.4g} of {path.bdp_packets:.3g} packets): "
                f"{1e3 * path.queue_packets * path.packet_bytes * 8 / path.rate_bps:.0f} ms of delay when it is full",
            )


@rule("ACK008", "deep-rlc-buffer")
def deep_rlc_buffer(world: World) -> Iterator[tuple[str, str]]:
    """An RLC buffer is many bandwidth-delay products of its cell.

    **Why it matters.** The RLC buffer in front of the radio is the bottleneck's queue in LTE. Loss-based variants fill
    it, and a deep one costs seconds of delay at the edge of the cell, where the rate is low.

    **How to see it.** `run --plot rtt`: the round-trip time grows far above that of the empty path. Table `ues` has
    `buffer_max_bytes`.

    **What to do.** Set `rlc.buffer` to about one bandwidth-delay product, or compare a delay-based variant.

    **When to ignore it.** If bufferbloat in cellular networks is what you study: real networks do have such buffers.
    """
    for i, lte in enumerate(world.described.get("lte", ())):
        blocks = lte.get("blocks") or BLOCKS[lte["bandwidth"]]
        rate = blocks * PEAK_BPS * max(1.0, lte["mimo"])
        delays = [
            2 * seconds(link["delay"])
            for link in world.described.get("link", ())
            if lte["gateway"] in link["between"]
        ]
        rtt = 0.02 + max(delays, default=0.0)
        buffer, product = size_bytes(lte["rlc"]["buffer"]), rate * rtt / 8
        if buffer > DEEP_RLC * product:
            yield (
                f"lte.{i}.rlc.buffer",
                f"the RLC buffer of {buffer / 1e3:g} kB is {about(buffer / product)} bandwidth-delay "
                f"products of the cell at its peak rate ({rate / 1e6:.3g} Mb/s, {rtt * 1e3:.0f} ms)",
            )


def _queue(world: World, direction: str) -> str:
    """Return the path of the setting ``queue`` for a link direction such as ``a>b``."""
    a, b = direction.split(">")
    for i, link in enumerate(world.described["link"]):
        if link["between"] == [a, b]:
            return f"link.{i}.queue"
        if link["between"] == [b, a]:
            return (
                f"link.{i}.reverse.queue"
                if "queue" in world.document["link"][i].get("reverse", {})
                else f"link.{i}.queue"
            )
    return "link"
