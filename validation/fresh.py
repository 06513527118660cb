"""Compares fresh cells of ns-3.37 and ns-2.35 with ackclock; a fresh cell is a scenario not compared before.

There are wired paths, queues, 802.11, and LTE in both directions. The cells lie in the reference data (`fresh/given`);
those with moving stations are our own (`validation.fresh_mobile`). A cell holds if its total goodput differs by at most
5 % or by at most three standard errors. For a cell that does not hold, `FAULTS` or `EXPLAINED` must have the cause. The
last checks are the shares of cells that hold.

The checks write `docs/explanation/validation-fresh.md`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validation import fresh_documents, fresh_drawn, fresh_mobile, ours, reference
from validation.check import Check
from validation.fresh_documents import Cell
from validation.stats import mean_sd, relative

GROUP = "Fresh cells, ns-3 and ns-2"
PAGE = reference.PROJECT / "docs" / "explanation" / "validation-fresh.md"
HEADER = """# Fresh cells

Written by `python -m validation --only fresh`. Scenarios that no comparison had used before, beside ns-3.37 and
ns-2.35: queues, losses and controls over wires, 802.11, and LTE in both directions. Names that begin with "own" are
cells of ours in which stations move or stand at a cell's edge; ns-3 ran them here. Cells called "drawn" were drawn by a
seed from ranges of networks, loads and controls (`validation/fresh_drawn.py`), so that nobody picked them. Profile
`ns3` or `ns2`; no setting was chosen cell by cell.

Compared is the payload of all flows together. A cell holds if the means differ by at most 5 % or by at most three
standard errors of the difference. Noisy cells hold easily by that rule, so difference and error of each are given.

Totals say little of shares. In the cell with 100 kb/s back, two SACK flows get 27 335 and 35 693 packets in ns-2
(Jain's index 0.983) and 15 610 and 47 210 here (mean of 12 starts 0.848). One flow times out ten times, because the
queue of acknowledgments is full of the other's each time that its own arrives. That is a matter of phases:
acknowledgments come each 1.6 ms, and one is sent in 3.2 ms. With other rates back, both run here, ns-2 and this have
means of

- 97 kb/s: 0.817 and 0.983
- 103 kb/s: 0.968 and 0.881
- 111 kb/s: 0.912 and 0.975
"""
WITHIN = 0.05
ERRORS = 3.0
SHARE = 0.95
FAULTS: dict[str, str] = {
    "ns3 wired: loss0.5%-TcpCubic-10M-84ms": "ns-3.37's TcpCubic has no Reno-friendly region",
    "ns3 wired: loss0.5%-TcpWestwood-10M-84ms": "ns-3.37's TcpWestwood counts what a recovery covers twice",
    "ns3 wired: one-TcpLedbat-20M-104ms-0.5bdp": "ns-3.37's TcpLedbat does not follow RFC 6817",
    "ns3 wired: one-TcpLp-10M-44ms-1bdp": "ns-3.37's TcpLp takes the receiver's timer for a queue",
    "ns3 wired: one-TcpLp-2M-204ms-4bdp": "ns-3.37's TcpLp takes the receiver's timer for a queue",
    "ns3 wired: one-TcpVegas-20M-104ms-0.5bdp": "the window of ns-3.37's TcpVegas stops growing",
    "drawn 14 wired: Yeah 2Mbps 5ms codel 1000 ack 1 loss 0.005": (
        "the window of ns-3.37's TcpYeah falls from 1448 to 2^32 - 1448 bytes, below 0 in 32 bits"
    ),
}
"""Cells that do not count: each tests a class of ns-3.37 with a fault that we do not copy (phrasebook of ns-3)."""

EXPLAINED: dict[str, str] = {
    "ns3 lte: xpf tcp 1,6": "a single run of ns-3; the mean of five buffers is in own lte: xpf-tcp-down-1,6km",
    "drawn 9 lte: NewReno u,NewReno d 3100,3600 m 25 blocks am 1000 kB Rr 30 m/s": (
        "over am, ns-3 grants a UE's small packets and status reports more of the band. With UDP, 2 Mb/s of datagrams "
        "to the sender take 4.7 Mb/s from the download in ns-3 and 2.3 here (over um 2.6 and 2.3)"
    ),
}
"""Cells that do not hold although they count, each with the cause."""

FILES: dict[str, Callable[[dict[str, Any]], Cell | None]] = {
    "ns3_wired": fresh_documents.ns3_wired,
    "ns3_wifi": fresh_documents.ns3_wifi,
    "ns3_lte": fresh_documents.ns3_lte,
    "ns2_wired": fresh_documents.ns2_wired,
    "ns2_mobile": fresh_documents.ns2_mobile,
}
"""Files of the reference, each with the function that returns a cell's scenarios, or `None` if ackclock has no
counterpart."""


@dataclass(frozen=True)
class Totals:
    """Total payload rate of all flows in each run, Mb/s."""

    runs: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean of the runs."""
        return mean_sd(self.runs)[0]

    @property
    def error(self) -> float:
        """Standard error of the mean; 0 for a single run."""
        return mean_sd(self.runs)[1] / math.sqrt(len(self.runs))


def mine(cell: Cell) -> Totals:
    """Run ackclock on a cell and return the totals."""
    jobs = [(doc, seed, cell.jitter_s) for run in cell.runs for doc, seed in run]
    done = iter(ours.run_many(jobs))
    totals = []
    for run in cell.runs:
        first, *rest = (sum(cell.payload(flow) for flow in next(done).flows) for _ in run)
        totals.append(8e-6 * ((rest[0] - first) if rest else first) / cell.seconds)
    return Totals(tuple(totals))


def judge(name: str, here: Totals, there: Totals) -> Check:
    """Compare our totals of a cell with the reference's."""
    off = relative(here.mean, there.mean)
    error = math.hypot(here.error, there.error)
    holds = abs(off) <= WITHIN or abs(here.mean - there.mean) <= ERRORS * error
    cause = FAULTS.get(name) or EXPLAINED.get(name)
    verdict = "" if holds else f"; {cause}" if cause else "; not explained"
    return Check(
        GROUP,
        f"{name}: payload, Mb/s",
        f"within {WITHIN:.0%} or {ERRORS:g} standard errors, or explained",
        f"{here.mean:.3f} ({len(here.runs)} runs) against {there.mean:.3f} ({len(there.runs)}): {off:+.1%}, "
        f"standard error {error:.3f}{verdict}",
        holds or (None if cause else False),
    )


def cells() -> Iterator[tuple[str, Cell]]:
    """Yield name and cell for every cell that has a counterpart."""
    for file, convert in FILES.items():
        for row in reference.read_json(f"given/{file}.json", part="fresh"):
            cell = convert(row)
            if cell is not None:
                yield f"{file.replace('_', ' ')}: {row['id']}", cell
    yield from fresh_mobile.cells()
    yield from fresh_drawn.cells()


def _share(name: str, held: list[bool], target: float | None) -> Check:
    """Return the check of the share of cells that hold."""
    share = sum(held) / len(held)
    asked = "not judged" if target is None else f"at least {target:.0%}, the others explained"
    measured = f"{sum(held)} of {len(held)}: {share:.1%}"
    return Check(GROUP, name, asked, measured, None if target is None else share >= target)


def checks() -> list[Check]:
    """Check every cell, and the shares that hold; write the page."""
    judged = {name: judge(name, mine(cell), Totals(cell.reference)) for name, cell in cells()}
    held = {name: check.passed is True for name, check in judged.items()}
    counted = [good for name, good in held.items() if name not in FAULTS]
    shares = [
        _share("cells that hold", list(held.values()), None),
        _share("cells that hold, without classes whose known faults are not copied", counted, SHARE),
    ]
    PAGE.write_text(page(judged, shares), encoding="utf-8")
    return [*judged.values(), *shares]


def page(judged: Mapping[str, Check], shares: Sequence[Check]) -> str:
    """Return the result as a Markdown page: the shares, the cells that do not hold, and all cells."""
    outside = {name: check for name, check in judged.items() if check.passed is not True}
    lines = [HEADER, "## Result", "", *(f"- {check.name}: {check.measured}" for check in shares)]
    lines += ["", "## Cells that do not hold", "", "| cell | ours against theirs, cause |", "|---|---|"]
    lines += [f"| {name} | {check.measured} |" for name, check in outside.items()]
    lines += ["", "## Cells that hold", "", "| cell | payload, Mb/s |", "|---|---|"]
    lines += [f"| {name} | {check.measured} |" for name, check in judged.items() if name not in outside]
    return "\n".join(lines) + "\n"
