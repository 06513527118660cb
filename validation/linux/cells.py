"""Experiments (cells) that are run both in the kernel and in ackclock.

A cell is one bottleneck with one or two flows. For most cells `flows.csv` has measurements over the whole run. For
cells that lose or delay single packets of a short transfer, `transfers.csv` has each retransmission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

SEGMENT = 1448
"""Payload of a full segment with timestamps, bytes; 1500 with its headers."""
TRANSFER = 300 * SEGMENT
"""Size of the transfers in which single packets are lost or delayed, bytes."""
CONTROLS = (
    "reno", "cubic", "bic", "westwood", "htcp", "highspeed", "hybla", "vegas", "nv", "scalable", "lp", "veno", "yeah",
    "illinois", "dctcp", "cdg", "bbr",
)  # fmt: skip
"""The kernel's congestion controls, by the kernel's names."""
DRAWING = frozenset({"bbr", "cdg"})
"""Controls that draw random numbers, so that their cells are averaged over several seeds."""


@dataclass(frozen=True)
class Flow:
    """A transfer; its fields are congestion control, start, and size in bytes (0 for an endless one)."""

    control: str
    start_s: float = 0.0
    size: int = 0


@dataclass(frozen=True)
class Link:
    """A bottleneck: rate, bit/s; one-way propagation delay, us; queue limit, packets."""

    rate_bps: int
    delay_us: int
    limit: int


LINKS = {
    "A17": Link(10_000_000, 20_000, 17),
    "A33": Link(10_000_000, 20_000, 33),
    "A67": Link(10_000_000, 20_000, 67),
    "A133": Link(10_000_000, 20_000, 133),
    "A267": Link(10_000_000, 20_000, 267),
    "A533": Link(10_000_000, 20_000, 533),
    "C33": Link(2_000_000, 100_000, 33),
    "D50": Link(20_000_000, 15_000, 50),
    "E83": Link(5_000_000, 50_000, 83),
    "B167": Link(100_000_000, 10_000, 167),
}
"""Bottlenecks by name; the number in a name is the queue limit in packets."""


@dataclass(frozen=True)
class Cell:
    """One experiment.

    Attributes:
        name: Name, `family.link.controls` or `family.case.control`.
        link: Bottleneck.
        flows: Transfers.
        stop_s: End of the run, s.
        seeds: Number of runs, over which measurements are averaged.
        one_sided: True if all propagation delay is in the reverse direction, which has no rate limit. Such a path can
            also be made with the kernel's own netem.
        receive_buffer: Default size of the receiver's buffer, bytes.
        loss: Probability that a packet to the receiver is lost before the queue.
        drops: Numbers of the packets to the receiver that are lost; the SYN is 0, the ACK of the handshake is 1.
        drop_retransmission: True if the first retransmission is lost as well.
        hold: Number of a packet to the receiver, and the extra delay of that packet, us.
        queue: Queue discipline of the bottleneck: empty for drop-tail, or codel, fq_codel or pie.
        ecn: True if ECN is negotiated and the queue marks packets.
        mark_at: Queue length, packets, from which on arriving packets are marked.
        gso: True if segments leave the sender in trains (GSO).
        hystart: True if CUBIC uses HyStart.
    """

    name: str
    link: Link
    flows: tuple[Flow, ...]
    stop_s: int = 60
    seeds: int = 1
    one_sided: bool = True
    receive_buffer: int = 33_554_432
    loss: float = 0.0
    drops: tuple[int, ...] = ()
    drop_retransmission: bool = False
    hold: tuple[int, int] | None = None
    queue: str = ""
    ecn: bool = False
    mark_at: int = 0
    gso: bool = False
    hystart: bool = True

    @property
    def family(self) -> str:
        """The first part of the cell's name."""
        return self.name.split(".", 1)[0]

    @property
    def transfer(self) -> bool:
        """True if the cell loses or delays single packets of a short transfer."""
        return self.family in ("drop", "hold")


DROPS = {
    "d1": (30,),
    "d2": (30, 31),
    "d3": (30, 31, 32),
    "d4": (30, 31, 32, 33),
    "d4s": (30, 34, 38, 42),
    "late1": (150,),
    "late2": (150, 155),
    "rexmit": (30,),
    "tail1": (301,),
    "tail2": (300, 301),
    "tail5": (297, 298, 299, 300, 301),
    "syn": (0,),
    "first": (2,),
    "alternate": tuple(range(30, 50, 2)),
}
"""Numbers of the lost packets, by name of the drop list."""
HOLDS = {"h2ms": 2_000, "h8ms": 8_000, "h30ms": 30_000}
"""Extra delay of packet 150, us, by name of the case."""
PAIRS = (("cubic", "reno"), ("cubic", "bbr"), ("bbr", "bbr"), ("reno", "vegas"), ("westwood", "reno"))
LOSSY = ("reno", "cubic", "westwood", "vegas", "veno", "illinois", "bbr", "htcp", "bic", "hybla", "yeah")


def _alone() -> Iterator[Cell]:
    for link in ("A17", "A33", "A67", "C33", "B167"):
        for control in CONTROLS:
            drawn = control in DRAWING and link != "B167"
            yield Cell(f"single.{link}.{control}", LINKS[link], (Flow(control),), seeds=8 if drawn else 1)
    for link in ("D50", "E83"):
        for control in ("reno", "cubic", "bic", "westwood", "htcp", "hybla", "scalable", "lp"):
            yield Cell(f"single.{link}.{control}", LINKS[link], (Flow(control),))
    yield Cell("nohystart.A67.cubic", LINKS["A67"], (Flow("cubic"),), hystart=False)
    # The kernel divides trains into packets in front of a TUN device, so that the queue counts packets.
    for link in ("A33", "B167"):
        for control in ("reno", "cubic", "bbr"):
            one = (Flow(control),)
            yield Cell(f"gso.{link}.{control}", LINKS[link], one, one_sided=False, gso=True)


def _transfers() -> Iterator[Cell]:
    wide = Link(10_000_000, 20_000, 1000)
    for control in ("reno", "cubic"):
        base = Cell(
            "", wide, (Flow(control, size=TRANSFER),), stop_s=6, one_sided=False, receive_buffer=131_072
        )
        for name, drops in DROPS.items():
            again = name == "rexmit"
            yield replace(base, name=f"drop.{name}.{control}", drops=drops, drop_retransmission=again)
        for name, held in HOLDS.items():
            yield replace(base, name=f"hold.{name}.{control}", hold=(150, held))


def _shared() -> Iterator[Cell]:
    for one, other in PAIRS:
        for link in ("A33", "A67"):
            seeds = 8 if "bbr" in (one, other) else 1
            flows = (Flow(one), Flow(other, start_s=1.0))
            yield Cell(f"pair.{link}.{one}+{other}", LINKS[link], flows, stop_s=120, seeds=seeds)
    for link in ("A133", "A267", "A533"):
        flows = (Flow("cubic"), Flow("bbr", start_s=1.0))
        yield Cell(f"pair.{link}.cubic+bbr", LINKS[link], flows, stop_s=120, seeds=3)


def _lossy() -> Iterator[Cell]:
    for control in LOSSY:
        for loss in (0.001, 0.01):
            yield Cell(f"loss{loss}.{control}", LINKS["A67"], (Flow(control),), seeds=8, loss=loss)


def _marked() -> Iterator[Cell]:
    for control in ("reno", "cubic"):
        for ecn in (False, True):
            for queue in ("codel", "fq_codel", "pie"):
                name = f"aqm.{queue.replace('_', '')}.{'ecn' if ecn else 'noecn'}.{control}"
                yield Cell(
                    name,
                    LINKS["A67"],
                    (Flow(control),),
                    seeds=8 if queue == "pie" else 1,
                    queue=queue,
                    ecn=ecn,
                )
    for mark in (5, 10, 20):
        wide = Link(10_000_000, 20_000, 200)
        flow = (Flow("dctcp"),)
        yield Cell(f"dctcp.K{mark}", wide, flow, stop_s=20, one_sided=False, ecn=True, mark_at=mark)


CELLS = {
    cell.name: cell for some in (_alone(), _transfers(), _shared(), _lossy(), _marked()) for cell in some
}
"""All cells, by name."""


def chosen(beginnings: list[str]) -> list[Cell]:
    """Return the cells whose names begin with any of `beginnings`; all cells if `beginnings` is empty."""
    return [cell for cell in CELLS.values() if not beginnings or cell.name.startswith(tuple(beginnings))]
