"""Runs cells in ackclock with profile `linux`; each flow names only its congestion control."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import Any

from validation import ours
from validation.linux.cells import SEGMENT, Cell
from validation.ns2 import Event
from validation.scenarios import Document, droptail

SETTLED_S = 5.0
"""Time from which on window and RTT are averaged, s."""


TRAIN = 65_536 // SEGMENT
"""Largest number of segments in a train: Linux's limit is 64 KiB."""


@dataclass(frozen=True)
class Measures:
    """Measurements of a flow over a whole run, or means over several runs.

    Attributes:
        goodput_bps: Acknowledged payload divided by the time from the flow's start to the end, bit/s.
        cwnd: Mean window from 5 s on, segments.
        rtt_ms: Mean smoothed RTT from 5 s on, ms.
        retransmissions: Number of retransmitted packets.
    """

    goodput_bps: float
    cwnd: float
    rtt_ms: float
    retransmissions: float


@dataclass(frozen=True)
class Outcome:
    """Result of a short transfer.

    Attributes:
        retransmissions: Time since the first packet, ms, and segment number of each retransmission, in order of
            sending.
        cwnd: Last window, segments.
        done_ms: Time at which the sender got the last acknowledgment, ms.
    """

    retransmissions: tuple[tuple[float, int], ...]
    cwnd: int
    done_ms: float


def _link(cell: Cell) -> Document:
    delay = cell.link.delay_us
    rate = cell.link.rate_bps
    link: Document = {"name": "n", "between": ["a", "b"], "rate": f"{rate}bps"}
    if cell.one_sided:
        link |= {"delay": "0us", "reverse": {"rate": "10Gbps", "delay": f"{2 * delay}us"}}
    else:
        link |= {"delay": f"{delay}us", "reverse": {"queue": droptail(10_000)}}
    if cell.queue:
        # In the kernel the queue discipline is inside a token bucket of 1540 bytes. The bucket counts the 14 bytes of
        # the Ethernet header, and sends packets at once while it has tokens.
        kind = cell.queue.replace("_", "-")
        inner: Document = {"kind": kind, "packets": 1000, "ecn": cell.ecn}
        if kind == "pie":
            # A timer of 15 ticks expires at the next tick after them, so the kernel's PIE updates each 16 ms.
            inner["update"] = "16ms"
        else:
            inner["newton"] = True
        framed = 1500 / 1514
        link["rate"] = "10Gbps"
        link["queue"] = {
            "kind": "token-bucket",
            "rate": f"{cell.link.rate_bps * framed:.0f}bps",
            "burst": f"{1540 * framed:.0f}B",
            "queue": inner,
        }
    elif cell.mark_at:
        step = {"min": cell.mark_at, "max": cell.mark_at, "weight": 1, "gentle": False, "drop_above": False}
        link["queue"] = {"kind": "red", "packets": cell.link.limit, **step}
    else:
        link["queue"] = droptail(cell.link.limit)
    if cell.loss:
        link["loss"] = {"kind": "random", "rate": cell.loss, "toward": "b", "at": "entry"}
    return link


def document(cell: Cell, tcp: dict[str, Any] | None = None, packets: tuple[int, ...] = ()) -> Document:
    """Return the scenario of a cell.

    `tcp` has additional settings of the flows; in their values `{}` stands for the control, as in `{"variant":
    "rack+{}"}`. `packets` has the numbers of the packets to lose or delay.
    """
    flows = []
    for flow in cell.flows:
        parameters: dict[str, Any] = {"variant": flow.control, "profile": "linux"}
        if cell.ecn and flow.control != "dctcp":
            parameters["ecn"] = "classic"
        if not cell.hystart:
            parameters["hystart"] = False
        if cell.gso:
            parameters["gso"] = TRAIN
        parameters["receive_buffer"] = f"{cell.receive_buffer}B"
        parameters["largest_receive_buffer"] = "64MiB"
        parameters["send_buffer"] = "64KiB"
        for key, value in (tcp or {}).items():
            parameters[key] = value.replace("{}", flow.control) if isinstance(value, str) else value
        entry: Document = {"from": "a", "to": "b", "tcp": parameters, "start": f"{flow.start_s}s"}
        if flow.size:
            entry["traffic"] = {"kind": "ftp", "size": f"{flow.size}B"}
        flows.append(entry)
    link = _link(cell)
    links = [link]
    if packets:
        loss: Document = {"kind": "list", "toward": "b", "flow": 0, "packets": list(packets), "at": "entry"}
        if cell.hold:
            # The kernel's link delays the packet after its transmission.
            link["between"] = ["a", "m"]
            hold = {"name": "h", "between": ["m", "b"], "rate": "400Gbps", "delay": "0us"}
            links.append(hold | {"loss": loss | {"delay": f"{cell.hold[1]}us"}})
        else:
            link["loss"] = loss
    return {"duration": f"{cell.stop_s}s", "seed": 1, "link": links, "flow": flows}


def _steps(run: ours.Run, trace: str, variable: str, flow: int) -> list[tuple[float, float]]:
    frame = run.table(trace)
    found = frame.filter((frame["flow"] == flow) & (frame["variable"] == variable))
    return list(zip(found["time_s"].to_list(), found["value"].to_list(), strict=True))


def over_time(steps: list[tuple[float, float]], begin: float, end: float) -> float:
    """Return the time average of a step function between two times; the steps are pairs (time, value)."""
    first = max(bisect_right(steps, (begin, float("inf"))) - 1, 0)
    some = [*steps[first:], (end, 0.0)]
    if len(some) < 2:
        return float("nan")
    total = sum(value * (max(then, begin) - max(now, begin)) for (now, value), (then, _) in pairwise(some))
    return total / (end - max(begin, some[0][0]))


def measures(cell: Cell, tcp: dict[str, Any] | None = None, seeds: int | None = None) -> list[Measures]:
    """Run a cell with each of its seeds; return for each flow the means over the runs."""
    scenario = document(cell, tcp)
    runs = [
        ours.run(scenario, traces=("cwnd", "state"), seed=1 + seed) for seed in range(seeds or cell.seeds)
    ]
    return [
        Measures(
            fmean(run.flows[i]["goodput_bps"] for run in runs),
            fmean(
                over_time(
                    [(t, float(int(v))) for t, v in _steps(run, "cwnd", "cwnd", i)], SETTLED_S, cell.stop_s
                )
                for run in runs
            ),
            fmean(1e3 * over_time(_steps(run, "state", "srtt", i), SETTLED_S, cell.stop_s) for run in runs),
            fmean(run.flows[i]["retransmitted_packets"] for run in runs),
        )
        for i in range(len(cell.flows))
    ]


def _sent(run: ours.Run) -> list[Event]:
    return [event for event in run.events(frozenset({"a"})) if event.kind == "send"]


def _again(sent: list[Event]) -> list[int]:
    """Return the indices of those sent packets that are retransmissions of data."""
    seen: set[int] = set()
    found = []
    for place, event in enumerate(sent):
        if event.bytes > SEGMENT:
            if event.seq in seen:
                found.append(place)
            seen.add(event.seq)
    return found


def outcome(cell: Cell, tcp: dict[str, Any] | None = None) -> Outcome:
    """Run a cell that loses or delays single packets, and return its result.

    The kernel's handshake ends with a separate ACK, which counts as a packet. In ackclock the first data packet can
    carry that ACK; all later packets then have numbers that are one less.
    """
    traces = ("segments", "cwnd")
    plain = _sent(ours.run(document(replace(cell, hold=None), tcp), traces=traces))
    before = next(place for place, event in enumerate(plain) if event.bytes > SEGMENT)
    shift = 2 - before
    packets = tuple(n - shift if n >= 2 else n for n in ((cell.hold[0],) if cell.hold else cell.drops))
    if cell.drop_retransmission:
        first = _sent(ours.run(document(cell, tcp, packets), traces=traces))
        packets = (*packets, _again(first)[0])
    run = ours.run(document(cell, tcp, packets), traces=traces)
    sent = _sent(run)
    began = sent[0].time_s
    return Outcome(
        tuple((1e3 * (sent[i].time_s - began), sent[i].seq // SEGMENT) for i in _again(sent)),
        int(_steps(run, "cwnd", "cwnd", 0)[-1][1]),
        1e3 * float(run.flows[0]["fct_s"] or "nan"),
    )
