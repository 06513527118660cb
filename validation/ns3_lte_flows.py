"""Compares a download or an upload with ns-3, in one LTE cell and during a handover.

`python -m validation.ns3_lte_flows` runs ns-3 (libns3-dev) and writes `validation/recorded/ns3_lte_flows.csv`. The
checks read that file.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from validation import ours
from validation.check import Check
from validation.ns3_lte import build
from validation.scenarios import Document, link
from validation.stats import compared, mean_sd

GROUP = "LTE transfers and handover, ns-3"
PROGRAM = Path(__file__).parent / "ns3" / "lte_flow.cc"
RECORDED = Path(__file__).parent / "recorded" / "ns3_lte_flows.csv"
WIDTHS = {6: "1.4MHz", 15: "3MHz", 25: "5MHz", 50: "10MHz", 100: "20MHz"}
SIZE = 1400
WITHIN = 0.05
BUFFERS = (985_000, 992_000, 1_000_000, 1_007_000, 1_015_000)
"""RLC buffers, bytes. They are all near 1 MB, since in both simulators the last packet that fits decides if a timeout
follows."""
SEEDS = 10
UDP_AT = (300, 1000, 2000, 3000, 4000, 5500, 7000)
"""Distances of a UE that sends datagrams, m."""
TCP_AT = (300, 3000, 7000)
"""Distances of a UE that sends a file, m."""
AFTER_TIMEOUTS = frozenset({"handover, TCP, RLC um"})
"""Cases that are not judged over the whole run. A timeout follows the handover in most of ns-3's runs, but in 3 of 10
of ackclock's. We have not found the cause."""
BEFORE_S = 8.0
"""Time until which the SINR is above -1 dB and no control region is lost, s."""
COLUMNS = ("case", "arguments", "bytes", "before", "gap_ms", "handovers")


@dataclass(frozen=True)
class Transfer:
    """A transfer to or from one UE, and the options of both programs.

    Attributes:
        protocol: `tcp`, or `udp` with 12 Mb/s down or 25 Mb/s up.
        rlc: RLC mode, `um` or `am`.
        blocks: Resource blocks of the carrier.
        buffer: RLC buffer, bytes.
        moves: True if the UE moves at 20 m/s from 100 m toward a second eNodeB at 500 m.
        control: True if control regions can be lost.
        seed: Seed of the run.
        up: True if the UE sends.
        at: Distance of a UE that does not move, m.
    """

    protocol: str = "tcp"
    rlc: str = "um"
    blocks: int = 25
    buffer: int = 1_000_000
    moves: bool = False
    control: bool = True
    seed: int = 1
    up: bool = False
    at: int = 10

    @property
    def offered(self) -> int:
        """Offered load of datagrams with their headers, Mb/s."""
        return 25 if self.up else 12

    @property
    def stop_s(self) -> float:
        """End of the run, s."""
        return 16.0 if self.moves else 12.0

    def arguments(self) -> list[str]:
        """Return the arguments of ns-3's program."""
        given: dict[str, str | float] = {
            "protocol": self.protocol,
            "rlc": self.rlc,
            "blocks": self.blocks,
            "buffer": self.buffer,
            "size": SIZE,
            "control": int(self.control),
            "seed": self.seed,
            "from": 2,
            "middle": BEFORE_S,
            "stop": self.stop_s,
            **({"apart": 500, "at": 100, "speed": 20} if self.moves else {}),
            **({"up": 1, "offered": self.offered} if self.up else {}),
            **({"at": self.at} if self.up and not self.moves else {}),
        }
        return [f"--{key}={value}" for key, value in given.items()]

    def document(self, stop_s: float) -> Document:
        """Return the same scenario for ackclock, ending at `stop_s`."""
        way = f"0 100 0 {self.stop_s} {100 + 20 * self.stop_s} 0"
        place = {"mobility": {"kind": "bonnmotion", "waypoints": way, "node": 0}} if self.moves else {}
        datagrams = {
            "kind": "cbr",
            "rate": f"{1e6 * self.offered * SIZE / (SIZE + 28):.0f}bps",
            "packet": f"{SIZE}B",
            "header": "28B",
        }
        tcp = {"variant": "sack", "profile": "ns3", "segment": f"{SIZE}B", "receive_window": "4194304B"}
        ends = ("ue", "host") if self.up else ("host", "ue")
        flow = {"traffic": {"kind": "ftp"}, "tcp": tcp} if self.protocol == "tcp" else {"traffic": datagrams}
        return {
            "duration": f"{stop_s}s",
            "node": [
                {"name": "host"},
                {"name": "gateway"},
                {"name": "ue", **(place or {"position": [self.at, 0]})},
            ],
            "link": [link("host", "gateway", 100_000, 10, 100_000)],
            "lte": [
                {
                    "profile": "ns3",
                    "gateway": "gateway",
                    "ue": ["ue"],
                    "enb": [{"position": [x, 0]} for x in ((0, 500) if self.moves else (0,))],
                    "bandwidth": WIDTHS[self.blocks],
                    "rlc": {"mode": self.rlc, "buffer": f"{self.buffer}B"},
                    "control_errors": self.control,
                }
            ],
            "flow": [{"from": ends[0], "to": ends[1], "start": "500ms", **flow}],
        }


@dataclass(frozen=True)
class Result:
    """Result of a transfer: payload from 2 s on and its part before `BEFORE_S`, bytes; longest gap, ms; handovers."""

    bytes: float
    before: float
    gap_ms: float
    handovers: int


def cases() -> Iterator[tuple[str, list[Transfer]]]:
    """Yield every download, then every upload, as its name and its runs."""
    for rlc in ("um", "am"):
        for blocks in WIDTHS:
            yield f"TCP, RLC {rlc}, 10240 B, {blocks} blocks", [Transfer("tcp", rlc, blocks, 10_240)]
        for blocks in WIDTHS:
            runs = [Transfer("tcp", rlc, blocks, buffer) for buffer in BUFFERS]
            yield f"TCP, RLC {rlc}, 985 to 1015 kB, {blocks} blocks", runs
    for rlc in ("um", "am"):
        runs = [Transfer("udp", rlc, moves=True, control=False)]
        yield f"handover, UDP, RLC {rlc}, no control errors", runs
    for protocol in ("udp", "tcp"):
        for rlc in ("um", "am"):
            runs = [Transfer(protocol, rlc, moves=True, seed=seed) for seed in range(1, SEEDS + 1)]
            yield f"handover, {protocol.upper()}, RLC {rlc}", runs
    yield from uploads()


def uploads() -> Iterator[tuple[str, list[Transfer]]]:
    """Yield every upload as its name and its runs."""
    for metres in UDP_AT:
        yield f"upload, UDP, {metres} m", [Transfer("udp", up=True, at=metres)]
    for metres in TCP_AT:
        runs = [Transfer("tcp", buffer=buffer, up=True, at=metres) for buffer in BUFFERS[1:4]]
        yield f"upload, TCP, RLC um, {metres} m", runs


def record() -> None:
    """Run ns-3 on every case and write the results to the recording."""
    with tempfile.TemporaryDirectory() as name, RECORDED.open("w", encoding="utf-8", newline="") as file:
        binary = build(PROGRAM, Path(name))
        file.write(
            "# Payload of downloads from 2 s on: libns3.37 3.37-2 (Debian), validation/ns3/lte_flow.cc\n"
        )
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)

        def run(transfer: Transfer) -> list[str]:
            command = ["nice", "-n", "10", str(binary), *transfer.arguments()]
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

        with ThreadPoolExecutor(2) as pool:
            for case, runs in cases():
                for transfer, found in zip(runs, pool.map(run, runs), strict=True):
                    writer.writerow([case, " ".join(transfer.arguments()), *found])
                print(case, flush=True)


def theirs() -> dict[str, list[Result]]:
    """Return the recorded ns-3 results by case."""
    found: dict[str, list[Result]] = {}
    with RECORDED.open(encoding="utf-8", newline="") as file:
        next(file)
        for row in csv.DictReader(file):
            result = Result(
                float(row["bytes"]), float(row["before"]), float(row["gap_ms"]), int(row["handovers"])
            )
            found.setdefault(row["case"], []).append(result)
    return found


def _mine(runs: list[Transfer]) -> list[Result]:
    """Run ackclock on the transfers and return the results."""
    ends = [(run, end) for run in runs for end in (2.0, BEFORE_S, run.stop_s)]
    done = ours.run_many([(run.document(end), run.seed, 0.0) for run, end in ends])
    sizes = [float(each.flows[0]["delivered_bytes"]) for each in done]
    return [
        Result(sizes[3 * i + 2] - sizes[3 * i], sizes[3 * i + 1] - sizes[3 * i], *_gap(run))
        for i, run in enumerate(runs)
    ]


def _gap(run: Transfer) -> tuple[float, int]:
    """Return the longest time without an arrival from 2 s on, ms, and the number of handovers.

    TCP is not run for this: its time is 0, and its number of handovers 1 if the UE moves.
    """
    if run.protocol != "udp":
        return 0.0, int(run.moves)
    done = ours.run(run.document(run.stop_s), traces=("segments",), seed=run.seed)
    last = frozenset({"gateway>host" if run.up else "gateway>ue"})
    times = [e.time_s for e in done.events(last) if e.kind == "recv" and e.time_s >= 2]
    gap = max(b - a for a, b in pairwise(times))
    return round(1e3 * gap), int(done.summary["ues"][0]["handovers"])


def _sides(mine: list[float], theirs: list[float], scale: float) -> list[tuple[float, float, int]]:
    """Return mean, standard deviation and number of runs of both sides; values are multiplied by `scale`."""
    return [(*mean_sd([scale * value for value in each]), len(each)) for each in (mine, theirs)]


def _payload(case: str, runs: list[Transfer], mine: list[Result], theirs: list[Result]) -> Check:
    """Compare the mean delivered payload of both sides."""
    here, there = _sides(
        [each.bytes for each in mine], [each.bytes for each in theirs], 8e-6 / (runs[0].stop_s - 2)
    )
    found = compared(here, there, WITHIN, form=".3f")
    if case in AFTER_TIMEOUTS:
        why = "not judged: more timeouts after the handover in ns-3"
        return Check(GROUP, f"{case}: payload, Mb/s", why, found.text, None)
    return Check.of(GROUP, f"{case}: payload, Mb/s", found)


def _handover(case: str, runs: list[Transfer], mine: list[Result], theirs: list[Result]) -> Iterator[Check]:
    """Compare payload before the cell edge, and for datagrams the longest gap."""
    here, there = _sides(
        [each.before for each in mine], [each.before for each in theirs], 8e-6 / (BEFORE_S - 2)
    )
    name = f"{case}: payload from 2 to {BEFORE_S:g} s, before the edge, Mb/s"
    yield Check.of(GROUP, name, compared(here, there, WITHIN, form=".3f"))
    if runs[0].protocol != "udp":
        return
    here, there = _sides([each.gap_ms for each in mine], [each.gap_ms for each in theirs], 1.0)
    found = compared(here, there, WITHIN, form=".1f")
    if runs[0].rlc == "um" or not runs[0].control:
        yield Check.of(GROUP, f"{case}: longest gap, ms", found)
        return
    why = "not judged: the longest of some ten, by chance"
    yield Check(GROUP, f"{case}: longest gap, ms", why, found.text, None)


def checks() -> list[Check]:
    """Check every case."""
    recorded = theirs()
    found: list[Check] = []
    for case, runs in cases():
        here = _mine(runs)
        if runs[0].moves:
            found += _handover(case, runs, here, recorded[case])
        found.append(_payload(case, runs, here, recorded[case]))
    return found


if __name__ == "__main__":
    record()
