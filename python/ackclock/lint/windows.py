"""Rules about windows and the data that applications offer."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ackclock.lint.rule import rule
from ackclock.lint.world import World
from ackclock.scenario.path_properties import packet_bytes
from ackclock.scenario.quantities import bits_per_second, size_bytes
from ackclock.theory import window_limit


@rule("ACK001", "window-below-bdp")
def window_below_bdp(world: World) -> Iterator[tuple[str, str]]:
    """A window limit is below the flow's share of the bandwidth-delay product.

    **Why it matters.** A flow that may have fewer packets outstanding than the path holds never fills the path. Its
    rate is the limit divided by the round-trip time, whatever the congestion control does, so variants cannot
    differ.

    **How to see it.** `run --plot cwnd`: the window grows past the limit, and the queue stays empty. The link table
    shows a bottleneck that is not busy.

    **What to do.** Raise `max_window` or `receive_window`, or leave them out.

    **When to ignore it.** If the limit is what you study: receive windows, or a paper whose settings you repeat.
    """
    for flow in world.paths:
        limit, share = window_limit(world.parameters(flow)), world.share_packets(flow)
        if limit < share:
            yield (
                f"flow.{flow}.tcp.{_key(world, flow)}",
                f"the window limit of {limit:g} segments is below a flow's share of the bandwidth-delay product "
                f"({share:.3g} packets)",
            )


@rule("ACK002", "queue-never-fills")
def queue_never_fills(world: World) -> Iterator[tuple[str, str]]:
    """All windows together fit into path and queue, so the queue never overflows.

    **Why it matters.** Without a loss by congestion, every loss-based variant does the same: its window reaches the
    limit and stays there.

    **How to see it.** `run` shows no drops with cause queue, and `run --plot cwnd` a flat window.

    **What to do.** Raise `max_window`, add flows, or make the queue smaller.

    **When to ignore it.** If losses come from elsewhere (random loss, radio), or if you study a path without
    congestion.
    """
    for path, flows in world.bottlenecks():
        limits = [window_limit(world.parameters(flow)) for flow in flows]
        if any(limit < world.share_packets(flow) for limit, flow in zip(limits, flows, strict=True)):
            continue
        room = path.bdp_packets + path.queue_packets
        if math.isfinite(room) and sum(limits) < room:
            yield (
                f"flow.{flows[0]}.tcp.{_key(world, flows[0])}",
                f"the windows of the {len(flows)} flows over {path.bottleneck} are at most {sum(limits):g} segments "
                f"and fit into path and queue ({path.bdp_packets:.3g} + {path.queue_packets:.4g} packets)",
            )


@rule("ACK010", "application-limited")
def application_limited(world: World) -> Iterator[tuple[str, str]]:
    """An application offers less than the flow's share of the path.

    **Why it matters.** The congestion window limits nothing if the application has nothing more to send. Goodput is
    then the application's rate with any variant, and a short transfer ends in slow start.

    **How to see it.** `run --plot throughput`: a flat line at the application's rate. The bottleneck is not busy.

    **What to do.** Use `traffic = { kind = "ftp" }` without a size, raise the application's rate or the transfer's
    size, or compare completion times instead of goodput.

    **When to ignore it.** If short transfers or paced applications are what you study.
    """
    for flow, path in world.paths.items():
        traffic = world.described["flow"][flow].get("traffic", {})
        share_bps = path.rate_bps / world.sharers[path.bottleneck]
        if "rate" in traffic and (rate := float(bits_per_second(traffic["rate"]))) < share_bps:
            yield (
                f"flow.{flow}.traffic.rate",
                f"the application offers {rate / 1e6:g} Mb/s, below the flow's share of {path.bottleneck}, "
                f"{share_bps / 1e6:.3g} Mb/s",
            )
        elif "size" in traffic:
            packets = size_bytes(traffic["size"]) / packet_bytes(world.parameters(flow))
            if packets < 10 * path.bdp_packets:
                yield (
                    f"flow.{flow}.traffic.size",
                    f"a transfer of {packets:.3g} packets is less than ten bandwidth-delay products "
                    f"({path.bdp_packets:.3g} packets each): slow start decides how long it takes",
                )


def _key(world: World, flow: int) -> str:
    """Return the key of the tighter window limit: ``max_window`` or ``receive_window``."""
    tcp = world.parameters(flow)
    without = window_limit({**tcp, "max_window": "unlimited"})
    return "receive_window" if without <= window_limit(tcp) else "max_window"
