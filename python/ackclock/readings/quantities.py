"""Quantities that papers print, and their definitions: what a number may count, each declared once with its source.

A definition is a function of a flow's row in a run's summary, so all definitions are read from the same run. A
definition that needs packets reads a column of `traced`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ackclock.readings.units import BITS_PER_BYTE, BYTES, COUNT, RATE, SHARE, TIME

Row: TypeAlias = Mapping[str, Any]
"""A flow's row in a run's summary, with ``duration_s`` of the run and the facts that the paper states added."""

MEASURED_FROM: Final = "measured from"
"""Stated fact: start of the paper's measurement."""

FRAME_OVERHEAD: Final = "frame overhead"
"""Stated fact: bytes that a link adds to each IP packet, such as 18 (Ethernet) or 36 (802.11 data with LLC and FCS)."""


@dataclass(frozen=True)
class Definition:
    """One meaning of a quantity."""

    name: str
    text: str
    """Description of the counted bytes, packets or times."""
    value: Callable[[Row], float]
    """Function of a flow's row; NaN if the flow has no such value."""
    sources: tuple[str, ...] = ()
    """Tools and standards whose numbers have this definition."""
    is_traced: bool = False
    """True if the value needs the packets of a run, which a search records with `--traced` only."""
    needs: str = ""
    """Fact that the file of numbers must state, such as ``frame overhead``; empty if the definition needs none."""


@dataclass(frozen=True)
class Quantity:
    """A printed quantity with its dimension and its definitions."""

    name: str
    dimension: str
    definitions: tuple[Definition, ...] = ()
    is_sum: bool = False
    """True if flows add up, as throughputs do; otherwise several flows are averaged."""
    stated: bool = False
    """True for a fact of the setting, such as the duration, that is not compared with runs."""
    of_run: bool = False
    """True if the definitions read the run's summary instead of a flow's row."""


def _column(name: str) -> Callable[[Row], float]:
    """Return a function that reads a column; NaN if the row has no value."""

    def read(row: Row) -> float:
        found = row.get(name)
        return math.nan if found is None else float(found)

    return read


def _ratio(above: Callable[[Row], float], below: Callable[[Row], float]) -> Callable[[Row], float]:
    def read(row: Row) -> float:
        base = below(row)
        return above(row) / base if base > 0 else math.nan

    return read


def _sum(*parts: tuple[int, str]) -> Callable[[Row], float]:
    """Return a function that adds columns with factors."""
    read = [(factor, _column(name)) for factor, name in parts]
    return lambda row: math.fsum(factor * column(row) for factor, column in read)


_BYTES: Final = (
    (
        "payload delivered",
        "payload delivered in order",
        _column("delivered_bytes"),
        ("ns-3 PacketSink", "iperf"),
    ),
    (
        "payload acknowledged",
        "payload newly acknowledged at the sender",
        _column("acked_bytes"),
        ("ns-2 ack_",),
    ),
    (
        "sent minus retransmitted",
        "payload sent minus payload retransmitted",
        _sum((1, "sent_bytes"), (-1, "retransmitted_bytes")),
        ("ns-2 ndatabytes_ - nrexmitbytes_",),
    ),
    ("payload sent", "payload sent, retransmissions included", _column("sent_bytes"), ("ns-2 ndatabytes_",)),
    (
        "bytes received",
        "IP packets received, headers and duplicates included",
        _column("received_bytes"),
        ("FlowMonitor rxBytes", "ns-2 awk on r"),
    ),
    (
        "frames received",
        "received IP packets, each with the stated frame overhead; the link layer's own retries are not counted",
        _sum((1, "received_bytes"), (1, "frame_overhead_bytes")),
        (),
    ),
)
_FRAMES: Final = "frames received"


def _first_to_last(row: Row) -> float:
    rate = _column("flowmonitor_throughput_bps")(row)
    return BITS_PER_BYTE * _column("received_bytes")(row) / rate if rate > 0 else math.nan


_TIMES: Final = (
    ("the run", "the length of the run", _column("duration_s"), ()),
    (
        "the flow's time",
        "the flow's start to its stop or the end of the run",
        _column("interval_s"),
        ("iperf",),
    ),
    ("first to last packet", "the first to the last arrival", _first_to_last, ("FlowMonitor", "ns-2 awk")),
    (
        "first sending to last arrival",
        "the first sending to the last arrival",
        _column("traced_send_to_arrival_s"),
        ("ns-2 awk",),
    ),
)
_TRACED_TIME: Final = "first sending to last arrival"


def _throughputs() -> Iterator[Definition]:
    for (name, about, above, who), (time, meant, below, whose) in itertools.product(_BYTES, _TIMES):
        rate = _ratio(above, below)
        yield Definition(
            f"{name}, over {time}",
            f"{about}, divided by {meant}",
            lambda row, rate=rate: BITS_PER_BYTE * rate(row),  # type: ignore[misc]
            tuple(one for one in who if any(one.partition(" ")[0] in other for other in whose)) or who,
            is_traced=time == _TRACED_TIME,
            needs=FRAME_OVERHEAD if name == _FRAMES else "",
        )
    yield Definition(
        "bytes received, from the start of measurement",
        "IP packets received from the stated time to the end of the run, divided by that time",
        _column("traced_received_since_bps"),
        is_traced=True,
    )


_SENT, _RECEIVED, _LOST = _column("sent_packets"), _column("received_packets"), _column("lost_packets_total")

QUANTITIES: Final = (
    Quantity("throughput", RATE, tuple(_throughputs()), is_sum=True),
    Quantity(
        "delay",
        TIME,
        (
            Definition(
                "of arrivals",
                "mean one-way delay of arriving packets",
                _column("delay_mean_s"),
                ("FlowMonitor",),
            ),
            Definition(
                "of segments",
                "from a segment's first sending to its first arrival",
                _column("transit_delay_mean_s"),
                ("EvalVid",),
            ),
            Definition(
                "from the write",
                "from the application's write to delivery in order",
                _column("write_delay_mean_s"),
            ),
            Definition("round trip", "mean round trip of packets", _column("packet_rtt_mean_s")),
            Definition("median of arrivals", "median one-way delay", _column("delay_p50_s")),
            Definition(
                "by number",
                "from the first sending of a sequence number to its last arrival",
                _column("traced_number_delay_s"),
                ("ns-2 awk",),
                is_traced=True,
            ),
            Definition(
                "by number alone",
                "the same with the packets of all flows together, told apart by sequence number alone",
                _column("traced_number_delay_together_s"),
                is_traced=True,
            ),
        ),
    ),
    Quantity(
        "jitter",
        TIME,
        (
            Definition(
                "mean difference",
                "mean difference of the delays of consecutive arrivals",
                _column("jitter_mean_s"),
                ("FlowMonitor", "RFC 3393"),
            ),
            Definition(
                "of segments",
                "mean difference, in order of number",
                _column("transit_jitter_mean_s"),
                ("EvalVid",),
            ),
            Definition(
                "of writes", "mean difference of the delays of writes", _column("write_jitter_mean_s")
            ),
            Definition(
                "RFC 3550",
                "filtered difference of the delays of consecutive arrivals, after the last one",
                _column("traced_jitter_rfc3550_s"),
                ("RFC 3550", "iperf"),
                is_traced=True,
            ),
            Definition(
                "standard deviation",
                "standard deviation of the delays of arrivals",
                _column("traced_delay_deviation_s"),
                is_traced=True,
            ),
        ),
    ),
    Quantity(
        "loss",
        SHARE,
        (
            Definition(
                "lost / (received + lost)",
                "lost packets, of those received or lost",
                _ratio(_LOST, _sum((1, "received_packets"), (1, "lost_packets_total"))),
                ("FlowMonitor",),
            ),
            Definition("lost / sent", "lost packets, of those sent", _ratio(_LOST, _SENT), ("ns-2 awk",)),
            Definition(
                "(sent - received) / sent",
                "packets sent and not received, those in flight included",
                _ratio(_sum((1, "sent_packets"), (-1, "received_packets")), _SENT),
                ("ns-2 awk",),
            ),
            Definition(
                "retransmitted / sent",
                "retransmissions, of packets sent",
                _ratio(_column("retransmitted_packets"), _SENT),
            ),
        ),
    ),
    Quantity(
        "rtt",
        TIME,
        (
            Definition("of packets", "mean round trip of packets", _column("packet_rtt_mean_s")),
            Definition(
                "as sampled",
                "mean of the sender's own samples",
                _column("sampled_rtt_mean_s"),
                ("ns-2 rtt_",),
            ),
            Definition("median", "median round trip of packets", _column("packet_rtt_p50_s")),
            Definition("least", "shortest sample", _column("sampled_rtt_min_s"), ("ping",)),
        ),
    ),
    Quantity(
        "packets",
        COUNT,
        (
            Definition(
                "received", "packets that arrived", _RECEIVED, ("FlowMonitor rxPackets", "ns-2 awk on r")
            ),
            Definition("sent", "packets sent", _SENT, ("FlowMonitor txPackets", "ns-2 ndatapack_")),
            Definition(
                "acknowledged", "segments newly acknowledged", _column("acked_packets"), ("ns-2 ack_",)
            ),
            Definition(
                "sent minus retransmitted",
                "packets sent minus retransmissions",
                _sum((1, "sent_packets"), (-1, "retransmitted_packets")),
            ),
        ),
        is_sum=True,
    ),
    Quantity(
        "drops",
        COUNT,
        (
            Definition("lost", "packets lost, all causes", _LOST, ("FlowMonitor lostPackets",)),
            Definition(
                "dropped by queues",
                "packets dropped by full queues",
                _column("lost_queue_packets"),
                ("ns-2 awk on d",),
            ),
            Definition(
                "not received", "sent minus received", _sum((1, "sent_packets"), (-1, "received_packets"))
            ),
        ),
        is_sum=True,
    ),
    Quantity(
        "retransmissions",
        COUNT,
        (
            Definition(
                "packets",
                "packets retransmitted",
                _column("retransmitted_packets"),
                ("ns-2 nrexmitpack_", "iperf"),
            ),
        ),
        is_sum=True,
    ),
    Quantity(
        "timeouts",
        COUNT,
        (Definition("of the sender", "retransmission timeouts", _column("timeouts"), ("ns-2 ntimeouts_",)),),
        is_sum=True,
    ),
    Quantity(
        "completion time",
        TIME,
        (
            Definition(
                "acknowledged", "start until the last byte is acknowledged", _column("fct_s"), ("RFC 5166",)
            ),
        ),
    ),
    Quantity(
        "fairness",
        SHARE,
        (
            Definition(
                "of goodput",
                "Jain's index of goodput",
                lambda row: float(row["fairness"]["jain"]),
                ("RFC 5166",),
            ),
        ),
        of_run=True,
    ),
    Quantity(
        "utilisation",
        SHARE,
        (Definition("of the busiest link", "share of the run", lambda row: _busiest(row)),),
        of_run=True,
    ),
    Quantity("duration", TIME, stated=True),
    Quantity(MEASURED_FROM, TIME, stated=True),
    Quantity("packet size", BYTES, stated=True),
    Quantity(FRAME_OVERHEAD, BYTES, stated=True),
    Quantity("link rate", RATE, stated=True),
    Quantity("window", COUNT, stated=True),
    Quantity("flows", COUNT, stated=True),
)
"""All quantities, in the order of lists."""

BY_NAME: Final = {one.name: one for one in QUANTITIES}
NAMES: Final = tuple(BY_NAME)

WORDS: Final = {
    "goodput": "throughput",
    "rate": "throughput",
    "bandwidth": "throughput",
    "latency": "delay",
    "end-to-end delay": "delay",
    "packet loss": "loss",
    "loss ratio": "loss",
    "plr": "loss",
    "round-trip time": "rtt",
    "lost packets": "drops",
    "dropped packets": "drops",
    "losses": "drops",
    "packets received": "packets",
    "packets sent": "packets",
    "fct": "completion time",
    "jain": "fairness",
    "fairness index": "fairness",
    "utilization": "utilisation",
    "segment": "packet size",
    "segment size": "packet size",
    "simulation time": "duration",
    "time": "duration",
}
"""Other words for quantities."""

PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "flowmonitor": {
        "throughput": "bytes received, over first to last packet",
        "delay": "of arrivals",
        "jitter": "mean difference",
        "loss": "lost / (received + lost)",
        "packets": "received",
        "drops": "lost",
    },
    "ns2-awk": {
        "throughput": "bytes received, over first to last packet",
        "delay": "of segments",
        "loss": "lost / sent",
        "packets": "received",
        "drops": "dropped by queues",
        "rtt": "as sampled",
    },
    "evalvid": {"delay": "of segments", "jitter": "of segments"},
    "iperf": {
        "throughput": "payload delivered, over the flow's time",
        "jitter": "RFC 3550",
        "retransmissions": "packets",
    },
}
"""Definitions of well-known tools, by quantity; other quantities keep all definitions."""


def _busiest(summary: Row) -> float:
    from ackclock.runs.bottleneck import shared

    return max((one.share for one in shared(summary)), default=math.nan)
