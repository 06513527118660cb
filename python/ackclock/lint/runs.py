"""Rules about the length, the timing and the repetition of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ackclock.lint.rule import about, rule
from ackclock.lint.world import World
from ackclock.scenario.path_properties import path_of
from ackclock.scenario.quantities import seconds

FEW_ROUNDS = 200
"""Number of round trips below which slow start is a large part of a run."""

FEW_CYCLES = 5.0
"""Number of sawtooth cycles below which a run's average depends on where the run ends."""

LONG_TIMEOUT = 200.0
"""Retransmission timeout, in round trips, above which timeouts dominate the results."""

KERNEL_PACKET_S = 0.0003
"""Processor time of kernel and simulator per data packet and its acknowledgment, seconds (measured)."""

KERNEL_SEGMENT = 1448
"""Payload of a full segment of a kernel, bytes."""


@rule("ACK009", "short-run")
def short_run(world: World) -> Iterator[tuple[str, str]]:
    """A run is shorter than the variant needs to converge.

    **Why it matters.** In the first round trips slow start decides. After that a window goes up and down, and its
    average over many such cycles is a property of the variant. With fewer than five cycles the result depends on where
    the run ends.

    **How to see it.** `run --plot cwnd`: one or two teeth of the saw. `compare` says that the first quarter of a run
    differs from the rest.

    **What to do.** Raise `duration`.

    **When to ignore it.** If you study the start: slow start, short transfers, ramp-up.
    """
    for flow, path in world.paths.items():
        if "size" in world.described["flow"][flow].get("traffic", {}):
            continue
        active, rtt = world.active_s(flow), path.rtt_s + path.packet_bytes * 8 / path.rate_bps
        rounds = active / rtt
        if rounds < FEW_ROUNDS:
            yield (
                f"flow.{flow}",
                f"fewer than {FEW_ROUNDS} round trips ({rounds:.0f}): slow start dominates the result",
            )
            continue
        cycle = _cycle_s(world, flow)
        if cycle is not None and active < FEW_CYCLES * cycle:
            yield (
                f"flow.{flow}",
                f"from loss to loss its window takes about {about(cycle)} s if the flow has its share, and the flow "
                f"has {active:g} s: {about(active / cycle)} such cycles",
            )


def _cycle_s(world: World, flow: int) -> float | None:
    """Return the time from one loss to the next under additive increase, seconds; None for other controls."""
    control = world.parameters(flow).get("control") or {}
    if not {"increase", "decrease"} <= control.keys():
        return None
    path = world.paths[flow]
    sharing = world.sharers[path.bottleneck]
    room = path.queue_packets if path.queue_packets == path.queue_packets else 0.0
    peak = (path.bdp_packets + room) / sharing
    rounds = peak * (1 - control["decrease"]) / max(control["increase"], 1e-9)
    loaded = path.rtt_s + room * path.packet_bytes * 8 / path.rate_bps
    return rounds * (path.rtt_s + loaded) / 2 if room != float("inf") else None


@rule("ACK011", "phase-effects")
def phase_effects(world: World) -> Iterator[tuple[str, str]]:
    """Flows start at the same instant, and nothing in the scenario is random.

    **Why it matters.** Flows of equal packets over drop-tail queues fall into step. Exact times then decide which of
    them loses a packet, and not the congestion control (Floyd and Jacobson 1992, phase effects). A change
    of 1 % in a delay can reverse the result.

    **How to see it.** Change a delay by 1 % and run again. `compare` warns that replications repeat each other.

    **What to do.** Start flows at different times (`start = "0.3s"`), and replicate with a start jitter, random losses
    or on-off traffic.

    **When to ignore it.** If one run, exactly repeated, is what you want: a textbook's figure, or a published run.
    """
    for path, flows in world.bottlenecks():
        starts = [seconds(world.described["flow"][flow]["start"]) for flow in flows]
        if len(flows) > 1 and len(set(starts)) < len(starts) and not world.is_random:
            times = Counter(starts)
            same = [flow for flow, start in zip(flows, starts, strict=True) if times[start] > 1]
            for flow in same:
                yield (
                    f"flow.{flow}.start",
                    f"{len(same)} flows over {path.bottleneck} start together, and nothing in the scenario is random",
                )


@rule("ACK012", "one-replication")
def one_replication(world: World) -> Iterator[tuple[str, str]]:
    """There is one replication, or every replication is the same.

    **Why it matters.** One run says what happened once. Without an interval nobody can tell a difference between
    variants from chance.

    **How to see it.** Tables show no interval.

    **What to do.** Raise `--reps`; if nothing is random, add a start jitter (`--start-jitter`), random losses or on-off
    traffic.

    **When to ignore it.** If you look at one run in detail.
    """
    if world.reps == 1:
        yield "", "one replication: no intervals, and differences cannot be told from chance"
    elif world.reps is not None and not world.is_random:
        yield "", f"{world.reps} replications without anything random are all the same run"


@rule("ACK013", "timeout-dwarfs-round-trip")
def timeout_dwarfs_round_trip(world: World) -> Iterator[tuple[str, str]]:
    """The least retransmission timeout is hundreds of round trips.

    **Why it matters.** A single timeout then costs more than the run's other losses together. Data centres have this
    with the RFC's least timeout of 1 s (incast collapse: Vasudevan and others, SIGCOMM 2009).

    **How to see it.** `run`: the column timeouts, and gaps in `run --plot throughput`.

    **What to do.** Set `min_rto` to what the system that you study has: 200 ms for Linux (`profile = "linux"`), a few
    milliseconds in data centres.

    **When to ignore it.** If this cost is what you study.
    """
    for flow, path in world.paths.items():
        timeout = seconds(world.parameters(flow)["min_rto"])
        room = path.queue_packets if path.queue_packets == path.queue_packets else 0.0
        loaded = path.rtt_s + room * path.packet_bytes * 8 / path.rate_bps
        if loaded > 0 and timeout > LONG_TIMEOUT * loaded:
            yield (
                f"flow.{flow}.tcp.min_rto",
                f"the least timeout of {timeout:g} s is {timeout / loaded:.0f} round trips of a full path "
                f"({loaded * 1e3:.3g} ms)",
            )


@rule("ACK015", "kernel-cost")
def kernel_cost(world: World) -> Iterator[tuple[str, str]]:
    """A flow runs in a kernel of its own, which takes far longer than the simulator's TCP.

    **Why it matters.** Each event of the kernel takes messages between two processes: about 0.3 ms of processor time
    for a packet of data. The simulator's own TCP takes some microseconds. A sweep of such flows takes hours.

    **How to see it.** The message names the packets that the path can carry in the time, and the processor time.

    **What to do.** Try the scenario with a few seconds of `duration`, and with `profile = "linux"` for the rest.

    **When to ignore it.** If you have the time.
    """
    for flow, given in enumerate(world.described.get("flow", ())):
        path = path_of(world.described, flow, world.roads) if "kernel" in given else None
        if path is None or path.rate_bps <= 0:
            continue
        packets = world.active_s(flow) * path.rate_bps / 8 / path.packet_bytes
        size = given["traffic"].get("size")
        if size is not None:
            packets = min(packets, int(str(size).removesuffix("B")) / KERNEL_SEGMENT)
        yield (
            f"flow.{flow}.kernel",
            f"up to {about(packets)} packets of a kernel: about {about(packets * KERNEL_PACKET_S)} s of processor time",
        )
