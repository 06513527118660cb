"""Computes the distance of each cell between Linux 6.12 and profile `linux`.

    python -m validation.linux.beside [CELL ...] [--set KEY=VALUE ...] [--seeds N]

prints the distances of the cells whose names begin with CELL. Each flow has its congestion control by name and profile
`linux`. `--set` adds settings to its `tcp` table; `{}` stands for the control: `--set 'variant="rack+{}"'`.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from validation.check import Check
from validation.linux import mine, recorded
from validation.linux.causes import CAUSES
from validation.linux.cells import CELLS, Cell, chosen
from validation.linux.mine import Measures, Outcome
from validation.reference import PROJECT
from validation.stats import relative

GROUP = "Linux 6.12"
PAGE = PROJECT / "docs" / "explanation" / "validation-linux.md"
SAME_SEGMENTS = ("d1", "d2", "d3", "d4", "late1", "late2", "tail1", "tail2", "tail5", "rexmit")
"""Loss lists for which ackclock must retransmit the same segments as the kernel."""


@dataclass(frozen=True)
class Distance:
    """One quantity of a cell, measured in the kernel and in ackclock.

    Attributes:
        what: Name of the quantity.
        kernel: Value in the kernel, as text.
        here: Value in ackclock, as text.
        off: Difference, as text.
        holds: True if the difference is within tolerance; `None` if the quantity is not judged.
    """

    what: str
    kernel: str
    here: str
    off: str
    holds: bool | None


@dataclass(frozen=True)
class Row:
    """One flow of a cell, with its distances."""

    cell: Cell
    flow: int
    distances: tuple[Distance, ...]
    refused: str = ""

    @property
    def holds(self) -> bool:
        """True if no quantity is outside its tolerance, and ackclock does not refuse the cell."""
        return not self.refused and all(each.holds is not False for each in self.distances)

    @property
    def cause(self) -> str:
        """Known cause of a difference in this cell; empty if no cause is known."""
        return next((cause for pattern, cause in CAUSES if fnmatch(self.cell.name, pattern)), "")


def _near(
    what: str, kernel: float, here: float, within: float | None, form: str, scale: float = 1
) -> Distance:
    off = relative(here, kernel)
    holds = None if within is None else abs(off) <= within
    return Distance(what, format(kernel * scale, form), format(here * scale, form), f"{off:+.1%}", holds)


def _flow(cell: Cell, flow: int, theirs: list[Measures], ours: list[Measures]) -> Iterator[Distance]:
    kernel, here = theirs[flow], ours[flow]
    alone = len(cell.flows) == 1 and not cell.loss
    yield _near(
        "goodput, Mb/s",
        kernel.goodput_bps,
        here.goodput_bps,
        0.10 if cell.loss else 0.01 if alone else None,
        ".3f",
        1e-6,
    )
    if len(cell.flows) > 1:
        share = [each[flow].goodput_bps / sum(f.goodput_bps for f in each) for each in (theirs, ours)]
        yield _near("share, %", share[0], share[1], 0.10, ".1f", 100)
    yield _near("mean cwnd", kernel.cwnd, here.cwnd, 0.05 if alone else None, ".1f")
    yield _near("RTT, ms", kernel.rtt_ms, here.rtt_ms, 0.05 if alone else None, ".1f")
    more = here.retransmissions - kernel.retransmissions
    near = abs(more) <= max(0.15 * kernel.retransmissions, 5)
    yield Distance(
        "retransmissions",
        f"{kernel.retransmissions:.0f}",
        f"{here.retransmissions:.0f}",
        f"{more:+.0f}",
        near if alone else None,
    )


def _again(transfer: Outcome) -> tuple[str, str]:
    """Return a transfer's first retransmission time, ms, and its retransmitted segments, as text."""
    sent = transfer.retransmissions
    segments = " ".join(str(each) for each in sorted({segment for _, segment in sent}))
    return (f"{sent[0][0]:.1f}", segments) if sent else ("none", "none")


def _transfer(cell: Cell, kernel: Outcome, here: Outcome) -> Iterator[Distance]:
    first, again = zip(*(_again(each) for each in (kernel, here)), strict=True)
    if kernel.retransmissions and here.retransmissions:
        apart = here.retransmissions[0][0] - kernel.retransmissions[0][0]
        within = 2 * cell.link.delay_us / 1000 / 8
        yield Distance("first retransmission, ms", first[0], first[1], f"{apart:+.1f}", abs(apart) <= within)
    elif kernel.retransmissions or here.retransmissions:
        yield Distance("first retransmission, ms", first[0], first[1], "", False)
    asked = cell.name.split(".")[1] in SAME_SEGMENTS
    same = again[0] == again[1]
    yield Distance(
        "segments sent again", again[0], again[1], "same" if same else "others", same if asked else None
    )
    yield _near("final cwnd", kernel.cwnd, here.cwnd, 0.10, "d")
    yield _near("done, ms", kernel.done_ms, here.done_ms, None, ".1f")


def compare(cell: Cell, tcp: dict[str, Any] | None = None, seeds: int | None = None) -> list[Row]:
    """Run a cell and compare it with the recorded results; return no rows if nothing is recorded."""
    transfers, flows = recorded.transfers(), recorded.flows()
    if cell.name not in (transfers if cell.transfer else flows):
        return []
    try:
        if cell.transfer:
            distances = tuple(_transfer(cell, transfers[cell.name], mine.outcome(cell, tcp)))
            return [Row(cell, 0, distances)]
        theirs, ours = flows[cell.name], mine.measures(cell, tcp, seeds)
    except ValueError as reason:
        return [Row(cell, 0, (), str(reason).splitlines()[0])]
    return [Row(cell, i, tuple(_flow(cell, i, theirs, ours))) for i in range(len(cell.flows))]


def compared(cells: list[Cell], tcp: dict[str, Any] | None = None, seeds: int | None = None) -> list[Row]:
    """Run and compare cells, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return [row for rows in pool.map(lambda cell: compare(cell, tcp, seeds), cells) for row in rows]


def _check(row: Row) -> Check:
    outside = "; ".join(
        f"{d.what} {d.here} against {d.kernel} ({d.off})" for d in row.distances if d.holds is False
    )
    every = "; ".join(f"{d.what} {d.here} against {d.kernel}" for d in row.distances)
    cause = row.cause
    known = f"open: {cause}" if cause and not row.holds else ""
    return Check(
        GROUP,
        row.cell.name + (f", flow {row.flow}" if len(row.cell.flows) > 1 else ""),
        known or "near, as the page says",
        row.refused or outside or every,
        True if row.holds else None if cause else False,
        every,
    )


HEADER = """# Beside Linux 6.12

Written by `python -m validation --only linux-kernel`. What profile `linux` gives, beside the TCP of Linux 6.12. The
kernel ran in virtual time, as a program of its own (User-Mode Linux), with its network code unchanged: `make kernel`
builds it, and `python -m validation.linux.record` runs the cells of `validation/linux` in it. What was recorded is in
`tests/data/linux`.

Each flow here has its control by name and profile `linux`, and otherwise only what the cell says: the receiver's
buffer, ECN, HyStart. Where a run draws random numbers, values are means over seeds. A value in bold lies outside what
is asked:

- a flow alone: goodput 1 %, mean cwnd and mean smoothed RTT (from 5 s on) 5 %, retransmissions 15 % or 5,
- random loss: goodput 10 %,
- flows that share a link: each share 10 %,
- transfers that lose or delay single packets: the first retransmission within an eighth of the RTT, the final
  cwnd 10 %,
- such transfers except the lists `d4s`, `syn`, `first` and `alternate`: the same segments sent again.

Cells are named by link. A17, A33, A67, A133, A267 and A533 have 40 ms and 10 Mb/s. C33 has 200 ms and 2 Mb/s,
D50 30 ms and 20 Mb/s, E83 100 ms and 5 Mb/s, B167 20 ms and 100 Mb/s. The number is the queue in packets.
`loss0.01` is 1 % of packets on the link A67. In cells named `gso` the sender has segmentation offload (GSO); its trains
are divided into packets before they reach the bottleneck.
"""
FAMILIES = {
    "single": "A flow alone",
    "nohystart": "Without HyStart",
    "gso": "Trains of segments (GSO)",
    "loss": "Random loss",
    "pair": "Two flows",
    "aqm": "Queues that act early",
    "dctcp": "DCTCP with a step",
    "drop": "Lost packets",
    "hold": "Packets held up",
}


def _table(rows: list[Row]) -> list[str]:
    names = [d.what for row in rows for d in row.distances]
    columns = sorted(set(names), key=names.index)
    lines = [
        "| cell | " + " | ".join(f"{name}: kernel / here" for name in columns) + " | open |",
        "|---|" + "---|" * (len(columns) + 1),
    ]
    for row in rows:
        found = {d.what: d for d in row.distances}
        name = f"`{row.cell.name}`" + (
            f", {row.cell.flows[row.flow].control}" if len(row.cell.flows) > 1 else ""
        )
        texts = []
        for column in columns:
            d = found.get(column)
            text = "" if d is None else f"{d.kernel} / {d.here}" + (f" ({d.off})" if d.off else "")
            texts.append(f"**{text}**" if d is not None and d.holds is False else text)
        cause = "" if row.holds else row.refused or row.cause or "cause not known"
        lines.append(f"| {name} | " + " | ".join(texts) + f" | {cause.replace('|', ' ')} |")
    return lines


def page(rows: list[Row]) -> str:
    """Return the distances as a Markdown page."""
    inside = sum(row.holds for row in rows)
    lines = [HEADER, f"{inside} of {len(rows)} rows lie within."]
    for family, title in FAMILIES.items():
        some = [row for row in rows if row.cell.family.startswith(family)]
        if some:
            within = sum(row.holds for row in some)
            lines += ["", f"## {title}", "", f"{within} of {len(some)} lie within.", "", *_table(some)]
    return "\n".join(lines) + "\n"


def checks() -> list[Check]:
    """Compare every cell with the kernel, write the page, and return the checks."""
    rows = compared(list(CELLS.values()))
    PAGE.write_text(page(rows), encoding="utf-8")
    return [_check(row) for row in rows]


def main() -> None:
    """Print the distances of the cells named on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cells", nargs="*", metavar="CELL", help="beginnings of names of cells")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of tcp, in TOML"
    )
    parser.add_argument("--seeds", type=int, help="runs of each cell, rather than as many as the kernel's")
    args = parser.parse_args()
    rows = compared(chosen(args.cells), tomllib.loads("\n".join(args.set)), args.seeds)
    for row in rows:
        flow = row.cell.flows[row.flow].control
        texts = (
            f"{d.what} {d.kernel}/{d.here} {d.off}{'  <--' if d.holds is False else ''}"
            for d in row.distances
        )
        print(
            f"{'  ' if row.holds else '! '}{row.cell.name} [{flow}]: {row.refused}{'; '.join(texts)}",
            flush=True,
        )
    print(f"{sum(row.holds for row in rows)} of {len(rows)} within")


if __name__ == "__main__":
    main()
