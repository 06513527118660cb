"""The cells: what each runs, in the kernel and here.

A cell is one bottleneck with one or two flows. Of most cells `flows.csv` has the measures over the whole run. Of those
that lose or delay single packets of a short transfer, `transfers.csv` has each retransmission.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

SEGMENT = 1448
"""Payload of a full segment with timestamps, bytes; 1500 with its headers."""
TRANSFER = 300 * SEGMENT
"""Size of the transfers whose packets are lost or held, bytes."""
CONTROLS = (
    "reno", "cubic", "bic", "westwood", "htcp", "highspeed", "hybla", "vegas", "nv", "scalable", "lp", "veno", "yeah",
    "illinois", "dctcp", "cdg", "bbr",
)  # fmt: skip
"""The kernel's controls, by its names."""
DRAWING = frozenset({"bbr", "cdg"})
"""Controls that draw random numbers, so that a cell of theirs is a mean over seeds."""


@dataclass(frozen=True)
class Flow:
    """A transfer: its control, its start, and its size in bytes (0: without end)."""

    control: str
    start_s: float = 0.0
    size: int = 0


@dataclass(frozen=True)
class Link:
    """A bottleneck: bits per second, propagation one way in microseconds, packets that its queue holds."""

    rate_bps: int
    delay_us: int
    limit: int


LINKS = {
    "A17": Link(10_000_000, 20_000, 17),
    "A33": Link(10_000_000, 20_000, 33),
    "A67": Link(10_000_000, 20_000, 67),
    "C33": Link(2_000_000, 100_000, 33),
    "D50": Link(20_000_000, 15_000, 50),
    "E83": Link(5_000_000, 50_000, 83),
    "B167": Link(100_000_000, 10_000, 167),
}
"""Bottlenecks by name; the number in it is the queue."""


@dataclass(frozen=True)
class Cell:
    """One experiment.

    Attributes:
        name: `family.link.controls` or `family.case.control`.
        link: the bottleneck.
        flows: the transfers.
        stop_s: end of the run.
        seeds: how many runs the means are of.
        one_sided: all propagation lies on the way back, which has no rate (so the kernel's own netem makes it).
        receive_buffer: default of the receiver's buffer, bytes.
        loss: probability that a packet to the receiver is lost before the queue.
        drops: packets to the receiver that are lost, the SYN being 0, the handshake's acknowledgment 1.
        drop_retransmission: the first retransmission is lost, too.
        hold: a packet to the receiver and how long it is held up, microseconds.
        queue: discipline of the bottleneck: empty for drop-tail, or codel, fq_codel or pie.
        ecn: whether ECN is negotiated, and the queue marks.
        mark_at: packets in the queue from which on arrivals are marked.
        gso: whether segments leave the sender in trains.
        hystart: whether cubic has HyStart.
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
        """The first part of the name."""
        return self.name.split(".", 1)[0]

    @property
    def transfer(self) -> bool:
        """Whether single packets are looked at."""
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
"""Packets that are lost, by the name of the list."""
HOLDS = {"h2ms": 2_000, "h8ms": 8_000, "h30ms": 30_000}
"""How long packet 150 is held up, microseconds, by the name of the case."""
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
    """Return the cells whose names begin with one of these; all if there are none."""
    return [cell for cell in CELLS.values() if not beginnings or cell.name.startswith(tuple(beginnings))]
