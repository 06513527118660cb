"""Scenarios with the path that was estimated from a measurement."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ackclock.errors import UserError
from ackclock.measured.path import Estimate, Path
from ackclock.scenario.network import Network
from ackclock.scenario.scenario import Scenario

LINUX_HEADER = 52
"""Length of IPv4 and TCP headers with timestamps, bytes."""

ACCESS_BPS = 10_000_000_000
"""Rate of the link from the sender to the bottleneck, bit/s, so high that no packet queues there."""


def scenario(path: Path, duration_s: float, variant: str) -> Scenario:
    """Return a scenario with one flow over the path, for as long as the measurement.

    If the buffer is unknown, the scenario's buffer holds the longest queue seen, and at least a bandwidth-delay
    product. If the loss is unknown, the scenario has none.

    Raises:
        UserError: If the rate or the round-trip time is unknown.
    """
    rate, rtt = path.rate_bps.value, path.rtt_s.value
    if rate is None or rtt is None:
        lacking, why = ("rate", path.rate_bps) if rate is None else ("round-trip time", path.rtt_s)
        raise UserError(f"flow {path.flow}: no scenario, since the {lacking} cannot be told\n  {why.basis}")
    buffer = path.buffer_bytes.value
    if buffer is None:
        buffer = max(path.buffer_bytes.low or 0.0, rate * rtt / 8)
    packets = max(1, round(buffer / path.packet_bytes))
    losses = (
        [{"kind": "random", "rate": _rounded(path.loss.value), "toward": "receiver"}]
        if path.loss.value
        else None
    )
    net = Network()
    net.link("sender", "router", name="access", rate=f"{ACCESS_BPS}bps", delay="0s", queue=100_000)
    net.link(
        "router",
        "receiver",
        name="bottleneck",
        rate=f"{round(rate)}bps",
        delay=f"{round(rtt / 2 * 1e9)}ns",
        queue=packets,
        loss=losses,
    )
    header = round(path.packet_bytes - path.segment_bytes)
    tcp: dict[str, object] = {"segment": f"{path.segment_bytes}B"}
    # The profile of Linux has timestamps, which make the header 52 bytes long.
    tcp |= {"profile": "linux"} if header == LINUX_HEADER else {"header": f"{header}B"}
    net.flow("sender", "receiver", name="modelled", variant=variant, tcp=tcp)
    return net.scenario(f"{max(1, math.ceil(duration_s))}s")


def text(path: Path, made: Scenario, source: str) -> str:
    """Return the scenario as TOML; comments list the estimates, their intervals and the observations behind them."""
    lines = [f"# Path of flow {path.flow} in {source}, as ackclock fit estimates it:"]
    lines += [f"#   {name}: {value} ({basis})" for name, value, basis in rows(path)]
    lines.append("# The link's queue counts packets, with the one in transmission.")
    return "\n".join(lines) + "\n\n" + made.to_toml()


def rows(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield name, value with its interval, and basis of each estimate, in readable units."""
    for name, estimate, scale, unit in (
        ("rate", path.rate_bps, 1e-6, "Mb/s"),
        ("RTT without queue", path.rtt_s, 1e3, "ms"),
        ("buffer", path.buffer_bytes, 1e-3, "kB"),
        ("random loss", path.loss, 1e2, "%"),
    ):
        yield name, said(estimate, scale, unit), estimate.basis


def said(estimate: Estimate, scale: float, unit: str) -> str:
    """Return an estimate with its interval, such as ``9.98 Mb/s [9.93, 10.03]``; without a value, the known bound."""
    value, low, high = (
        None if x is None else f"{x * scale:.4g}" for x in (estimate.value, estimate.low, estimate.high)
    )
    if value is not None:
        return f"{value} {unit} [{low or '?'}, {high or '?'}]"
    if high is not None:
        return f"at most {high} {unit}"
    return f"at least {low} {unit}" if low is not None else "cannot be told"


def _rounded(share: float | None) -> float:
    return float(f"{share or 0.0:.4g}")
