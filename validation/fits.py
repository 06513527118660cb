"""Estimates by `ackclock.measured.fit` of known paths, and the share of intervals that contain the true value.

    python -m validation.fits            # the table of docs/howto/read-a-capture.md; minutes
    python -m validation.fits --every    # a line for each estimate, too

A simulated transfer of 15 s is captured at the sender, and the path is estimated from the capture alone. Estimates
without an interval are left out; `fit` gives none if the transfer does not show the quantity.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import ackclock as ac

RATES: Final = (2e6, 5e6, 20e6)
"""Rates of the bottleneck, bit/s."""

RTTS: Final = (0.02, 0.08)
"""Round-trip times without queueing and transmission, seconds."""

BUFFERS: Final = (0.5, 1.0, 2.0)
"""Buffers in bandwidth-delay products; at least ten packets."""

LOSSES: Final = (0.0, 0.002)
"""Probabilities of random loss."""

VARIANTS: Final = ("cubic", "bbr")

PACKET: Final = 1500
"""Size of a full packet, bytes."""

ROUNDING: Final = 1e-3
"""Relative difference that an interval may miss the truth by: the resolution of a capture's times."""

QUANTITIES: Final = ("rate_bps", "rtt_s", "buffer_bytes", "loss")


class Line(NamedTuple):
    """An estimate beside the truth; `held` is None without an interval."""

    case: str
    quantity: str
    truth: float
    value: float | None
    low: float | None
    high: float | None
    held: bool | None


def cases() -> Iterator[tuple[str, float, float, int, float]]:
    """Yield variant, rate, round-trip time, packets of buffer and loss of each path."""
    for variant, rate, rtt, share, loss in product(VARIANTS, RATES, RTTS, BUFFERS, LOSSES):
        yield variant, rate, rtt, max(10, round(share * rate * rtt / 8 / PACKET)), loss


def lines() -> Iterator[Line]:
    """Yield the estimates of every path."""
    for variant, rate, rtt, packets, loss in cases():
        # The access link adds its transmission of a packet and of an acknowledgment, which every round trip has.
        own = 8 * (PACKET + 40) / 1e10
        net = ac.Network()
        net.link("sender", "router", rate="10Gbps", delay="0s", queue=100_000)
        random = [{"kind": "random", "rate": loss, "toward": "receiver"}] if loss else None
        delay = f"{round(rtt / 2 * 1e9)}ns"
        net.link("router", "receiver", rate=f"{round(rate)}bps", delay=delay, queue=packets, loss=random)
        net.flow("sender", "receiver", variant=variant)
        run = net.run("15s", seed=5, traces=["pcap"])
        flow = run.flow(0)
        with tempfile.TemporaryDirectory() as folder:
            run.save(folder, traces=["pcap"])
            path = ac.measured.fit("pcap", Path(folder) / "capture-sender-0.pcap").path
        lost = flow["lost_packets"].get("random", 0) / flow["sent_packets"]
        truths = (rate, rtt + own, float(packets * PACKET), lost)
        case = f"{variant}, {rate / 1e6:g} Mb/s, {1e3 * rtt:g} ms, {packets} packets, {100 * loss:g} % loss"
        for quantity, truth in zip(QUANTITIES, truths, strict=True):
            one = getattr(path, quantity)
            held = None
            if one.low is not None and one.high is not None:
                held = one.low * (1 - ROUNDING) <= truth <= one.high * (1 + ROUNDING)
            yield Line(case, quantity, truth, one.value, one.low, one.high, held)


def main() -> None:
    """Print the table: for each quantity the estimates, those whose interval has the truth, and the largest error."""
    every = list(lines())
    if "--every" in sys.argv[1:]:
        for line in every:
            print(line)
    print("| quantity | paths | no estimate | intervals with the truth | median error | largest error |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for quantity in QUANTITIES:
        mine = [line for line in every if line.quantity == quantity]
        known = [line for line in mine if line.held is not None]
        errors = sorted(
            abs(line.value / line.truth - 1) for line in known if line.value is not None and line.truth
        )
        middle, most = (f"{100 * errors[at]:.2g} %" for at in (len(errors) // 2, -1)) if errors else ("", "")
        row = (
            quantity,
            len(mine),
            len(mine) - len(known),
            f"{sum(bool(one.held) for one in known)} of {len(known)}",
        )
        print(f"| {' | '.join(map(str, row))} | {middle} | {most} |")


if __name__ == "__main__":
    main()
