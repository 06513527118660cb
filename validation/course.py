"""A widely repeated course experiment, published from ns-2: one TCP flow against a CBR stream, 36 cells.

Nodes n1 to n6; links n1-n2, n2-n3, n3-n4 (and two that carry nothing), each 10 Mb/s, 10 ms, 50 packets. TCP from n1 to
n4, CBR from n2 to n3 at 1 to 9 Mb/s in packets of 210 B. All rates are commensurate, so events coincide, and the order
of simultaneous events decides results.

Each cell is run with the 51 starts of the published table on the links as published. Then it is run with the first
start as ``run --ties`` does: ten draws in which links change by up to 1e-6, and ten by up to 1e-3. In most published
cells all starts give the same sequence of events (sd below 1 %), so a published value is in effect that of one run.

A published value that the wider of the two spreads does not hold is then held against a hundred draws of that size.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ackclock.runs import Run
from ackclock.runs.ties import DRAWS, SIZES, perturbed
from ackclock.scenario import Scenario
from ackclock.stats import mean
from ackclock.sweeps.jobs import Job, Traced, watch_jobs
from validation import ns2, ns2_course, reference
from validation.check import Check

GROUP = "A course experiment: one TCP against CBR (36 cells of ns-2, published)"
AGENTS = ("tahoe", "reno", "newreno", "vegas")
RATES_MBPS = tuple(range(1, 10))
STARTS_S = tuple(round(0.5 + 0.1 * i, 1) for i in range(51))
"""Starts of TCP in the published runs, s."""
CUT_S = 29.5
"""Time from TCP's start to its stop, s."""
BIN_S = 0.002
"""Width of the bins that give the times of the first and the last reception, s."""
PRECISION = 2e-4
"""Relative precision of a throughput: twice `BIN_S` divided by 29.5 s, rounded up."""


ODD = ("10.0137Mb", "10.0071ms")
"""Rate and delay of links on which no two events coincide, in ns-2's spelling."""
NEEDED = 33
"""Number of cells whose published value must lie within our spread."""

MANY = 100
"""Draws of a cell whose published value ten draws do not hold."""


@dataclass(frozen=True)
class Cell:
    """Published result of one TCP agent at one CBR rate."""

    agent: str
    cbr_mbps: int
    mbps: float
    sd: float
    drops: float


@dataclass(frozen=True)
class Outcome:
    """Our results for a cell as means over the starts, and their spread over draws."""

    mbps: float
    drops: float
    spreads: Mapping[str, tuple[float, float]]
    """Least and greatest throughput, Mb/s, of the draws with each size of change."""

    @property
    def low(self) -> float:
        """The least throughput of all draws, Mb/s."""
        return min(low for low, _ in self.spreads.values())

    @property
    def high(self) -> float:
        """The greatest throughput of all draws, Mb/s."""
        return max(high for _, high in self.spreads.values())

    def holds(self, cell: Cell) -> bool:
        """Return true if the published value lies in the spread of all draws plus or minus the published sd.

        The spread is taken over both sizes of change, since changes of up to 1e-3 include changes of up to 1e-6.
        """
        return self.low - cell.sd <= cell.mbps <= self.high + cell.sd

    @property
    def wider(self) -> str:
        """The name of the wider spread."""
        return max(self.spreads, key=lambda size: self.spreads[size][1] - self.spreads[size][0])

    def holds_by_one(self, cell: Cell) -> bool:
        """Return true if the published value lies in the wider of the two spreads, plus or minus the published sd."""
        low, high = self.spreads[self.wider]
        return low - cell.sd <= cell.mbps <= high + cell.sd


def published() -> list[Cell]:
    """Return the published table."""
    with reference.path("course/published.csv").open(encoding="ascii") as file:
        return [
            Cell(
                row["agent"], int(row["cbr_mbps"]), float(row["throughput_mbps"]), float(row["sd_mbps"]),
                float(row["drops_mean"]),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def scenario(
    agent: str, cbr_mbps: int, start_s: float, rate: str = "10Mbps", delay: str = "10ms"
) -> dict[str, Any]:
    """Return the scenario of one run, which ends 30 s after TCP starts."""
    link = {"rate": rate, "delay": delay, "queue": {"kind": "droptail", "packets": 50}}
    tcp = {"variant": agent, "profile": "ns2", "segment": "1000B", "max_window": 100}
    return {
        "duration": f"{start_s + 30:g}s",
        "link": [{"between": [a, b], **link} for a, b in (("n1", "n2"), ("n2", "n3"), ("n3", "n4"))],
        "flow": [
            {"from": "n1", "to": "n4", "start": f"{start_s:g}s", "stop": f"{start_s + CUT_S:g}s", "tcp": tcp},
            {
                "from": "n2",
                "to": "n3",
                "traffic": {"kind": "cbr", "rate": f"{cbr_mbps}Mbps", "packet": "210B", "header": "0B"},
            },
        ],
    }


def taken(_: Job, run: Run) -> tuple[float, float]:
    """Return TCP's throughput as the table defines it, Mb/s, and its lost packets.

    Throughput is the bytes received, divided by 0.2 s less than the time from the first to the last reception.
    """
    frame = run.trace("throughput").to_polars()
    mine = frame.filter((frame["flow"] == 0) & (frame["throughput_bps"] > 0))
    times: list[float] = mine["time_s"].to_list()
    flow = run.summary["flows"][0]
    size = flow["throughput_bps"] * flow["interval_s"]
    return size / (max(times) - min(times) - 0.2) / 1e6, flow["lost_packets_total"]


def run_all(scenarios: Sequence[Scenario]) -> list[tuple[float, float]]:
    """Run scenarios and return throughput, Mb/s, and lost packets of each."""
    return watch_jobs([Job(one, 1) for one in scenarios], Traced(("throughput",), BIN_S), taken, threads=2)


def outcomes(cells: Sequence[Cell]) -> list[Outcome]:
    """Run every cell and all of its draws."""
    made: list[Scenario] = []
    for cell in cells:
        starts = [Scenario(scenario(cell.agent, cell.cbr_mbps, start)) for start in STARTS_S]
        made += starts
        made += [perturbed(starts[0], size, draw) for size in SIZES for draw in range(DRAWS)]
    found = iter(run_all(made))
    results = []
    for _ in cells:
        whole = [next(found) for _ in STARTS_S]
        drawn = {size: [next(found)[0] for _ in range(DRAWS)] for size in SIZES}
        spreads = {size: (min(some), max(some)) for size, some in drawn.items()}
        results.append(Outcome(mean([x for x, _ in whole]), mean([n for _, n in whole]), spreads))
    return results


@dataclass(frozen=True)
class Tail:
    """A hundred draws of a cell whose published value ten draws do not hold.

    Attributes:
        size: Name of the size of the changes.
        mbps: Throughputs in ascending order, Mb/s.
    """

    size: str
    mbps: Sequence[float]

    def holds(self, cell: Cell) -> bool:
        """Return true if the published value lies in the spread plus or minus the published sd."""
        return self.mbps[0] - cell.sd <= cell.mbps <= self.mbps[-1] + cell.sd

    def beyond(self, cell: Cell) -> int:
        """Return how many draws reach the published value, or the end of its sd, from the nearer side."""
        above = sum(x >= cell.mbps - cell.sd for x in self.mbps)
        return min(above, sum(x <= cell.mbps + cell.sd for x in self.mbps))


def tail(cell: Cell, found: Outcome) -> Tail:
    """Run the hundred draws of a cell."""
    base = Scenario(scenario(cell.agent, cell.cbr_mbps, STARTS_S[0]))
    drawn = run_all([perturbed(base, found.wider, draw) for draw in range(MANY)])
    return Tail(found.wider, sorted(mbps for mbps, _ in drawn))


def _cell_check(cell: Cell, found: Outcome, many: Tail | None) -> Check:
    said = ", ".join(f"{low:.4f} to {high:.4f} by {size}" for size, (low, high) in found.spreads.items())
    why, passed = ("", True) if many is None else _outside(cell, found, many)
    return Check(
        GROUP,
        f"{cell.agent}, CBR {cell.cbr_mbps} Mb/s: Mb/s, dropped packets",
        f"{cell.mbps:.4f} (sd {cell.sd:.4f}), {cell.drops:g}",
        f"{found.mbps:.4f}, {found.drops:.1f}; {said}{why}",
        passed,
    )


def _outside(cell: Cell, found: Outcome, many: Tail) -> tuple[str, bool | None]:
    """Return text and verdict for a published value outside the wider of our spreads.

    The check passes if the other spread holds the value. Otherwise it is not judged if a hundred draws hold the value,
    or if our own run of ns-2 lies in the spreads; else it fails.
    """
    text = (
        f". Outside the wider spread; of {MANY} draws by {many.size}, {many.mbps[0]:.4f} to {many.mbps[-1]:.4f}, "
        f"{many.beyond(cell)} reach the published value"
    )
    if not ns2.available():
        return text, True if found.holds(cell) else None if many.holds(cell) else False
    theirs = ns2_course.run(cell.agent, cell.cbr_mbps, STARTS_S[0]).mbps
    inside = found.low * (1 - PRECISION) <= theirs <= found.high * (1 + PRECISION)
    text += f"; ns-2 run here with one start has {theirs:.4f}"
    return text, True if found.holds(cell) else None if many.holds(cell) or inside else False


def against_ns2() -> Check:
    """Compare all cells with ns-2 on links where no two events coincide."""
    name = f"all cells on links of {ODD[0]}/s and {ODD[1]}, where no two instants coincide, ns-2 run here"
    if not ns2.available():
        return Check(GROUP, name, "equal to ns-2", "skipped: ns-2 is not installed", None)
    cells = [(agent, rate) for agent in AGENTS for rate in RATES_MBPS]
    rate, delay = ODD[0].replace("Mb", "Mbps"), ODD[1]
    ours = run_all([Scenario(scenario(agent, cbr, STARTS_S[0], rate, delay)) for agent, cbr in cells])
    with ThreadPoolExecutor(max_workers=2) as pool:
        theirs = list(pool.map(lambda cell: ns2_course.run(cell[0], cell[1], STARTS_S[0], *ODD), cells))
    apart = [
        f"{agent} {cbr} Mb/s: {mine[0]:.4f}, {mine[1]:g}; ns-2 {other.mbps:.4f}, {other.drops}"
        for (agent, cbr), mine, other in zip(cells, ours, theirs, strict=True)
        if abs(mine[0] / other.mbps - 1) > PRECISION or mine[1] != other.drops
    ]
    return Check(
        GROUP,
        name,
        f"throughput within {PRECISION:.2%} (the precision of our first and last reception), drops equal",
        f"{len(cells) - len(apart)} of {len(cells)} equal{f'; not: {chr(59).join(apart)}' if apart else ''}",
        not apart,
        "\n".join(apart),
    )


def checks() -> list[Check]:
    """Return a check for each cell, and checks over all cells."""
    cells = published()
    found = outcomes(cells)
    held = sum(one.holds(cell) for cell, one in zip(cells, found, strict=True))
    alone = sum(one.holds_by_one(cell) for cell, one in zip(cells, found, strict=True))
    many = {
        cell: tail(cell, one) for cell, one in zip(cells, found, strict=True) if not one.holds_by_one(cell)
    }
    most = len(cells) - sum(not one.holds(cell) for cell, one in many.items())
    near = sum(abs(one.mbps / cell.mbps - 1) <= 0.01 for cell, one in zip(cells, found, strict=True))
    return [
        *(_cell_check(cell, one, many.get(cell)) for cell, one in zip(cells, found, strict=True)),
        Check(
            GROUP,
            "published values that the spread of the draws holds, with the published sd",
            f"{NEEDED} of {len(cells)} or more",
            f"{held} ({alone} by the wider of the two spreads alone, {most} by the wider one of {MANY} draws); "
            f"{near} of our means are within 1 %",
            held >= NEEDED,
        ),
        against_ns2(),
    ]
