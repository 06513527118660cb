"""Compares fresh cells of ns-3.37 and ns-2.35 with ackclock: paths, queues, 802.11 and LTE up and down.

The cells lie in the reference data (`fresh/given`), and no setting was chosen by them. A cell holds if its total
goodput differs by at most 5 % or by at most three standard errors. A cell that does not hold must have its cause in
`EXPLAINED`; the last check is the share of cells that hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from validation import fresh_documents, ours, reference
from validation.check import Check
from validation.fresh_documents import Cell
from validation.stats import mean_sd, relative

GROUP = "Fresh cells, ns-3 and ns-2"
WITHIN = 0.05
ERRORS = 3.0
SHARE = 0.95
FAULTS: dict[str, str] = {
    "ns3 wired: loss0.5%-TcpCubic-10M-84ms": "ns-3.37's TcpCubic has no Reno-friendly region",
    "ns3 wired: one-TcpLedbat-20M-104ms-0.5bdp": "ns-3.37's TcpLedbat does not follow RFC 6817",
    "ns3 wired: one-TcpLp-10M-44ms-1bdp": "ns-3.37's TcpLp takes the receiver's timer for a queue",
    "ns3 wired: one-TcpLp-2M-204ms-4bdp": "ns-3.37's TcpLp takes the receiver's timer for a queue",
    "ns3 wired: one-TcpVegas-20M-104ms-0.5bdp": "the window of ns-3.37's TcpVegas stops growing",
}
"""Cells of classes of ns-3.37 whose faults are not copied (see the phrasebook of ns-3); they do not count."""

EXPLAINED: dict[str, str] = {
    "ns3 wired: loss0.5%-TcpWestwood-10M-84ms": "not found: ns-3's Westwood fills the queue at times, ours does not",
    "ns3 wired: one-TcpWestwood-20M-104ms-0.5bdp": "not found: a single run, with the same losses of slow start",
    "ns3 lte: xpf tcp 1,6": "a single run of ns-3; ours differ by 6 % with the room of the buffer",
}
"""Cells that do not hold although they count, each with the cause."""

FILES: dict[str, Callable[[dict[str, Any]], Cell | None]] = {
    "ns3_wired": fresh_documents.ns3_wired,
    "ns3_wifi": fresh_documents.ns3_wifi,
    "ns3_lte": fresh_documents.ns3_lte,
    "ns2_wired": fresh_documents.ns2_wired,
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


def checks() -> list[Check]:
    """Check every cell, and the share of the counted cells that hold."""
    judged = [(name, judge(name, mine(cell), Totals(cell.reference))) for name, cell in cells()]
    found = [check for _, check in judged]
    counted = [check for name, check in judged if name not in FAULTS]
    held = sum(check.passed is True for check in counted)
    share = held / len(counted)
    found.append(
        Check(
            GROUP,
            "cells that hold",
            f"at least {SHARE:.0%}, the others explained",
            f"{held} of {len(counted)}: {share:.1%}",
            share >= SHARE and all(check.passed is not False for check in found),
        )
    )
    return found
