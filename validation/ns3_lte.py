"""Compares saturated UEs at several distances from one eNodeB with ns-3.

`python -m validation.ns3_lte` runs ns-3 (libns3-dev) and writes `validation/recorded/ns3_lte.json`. The checks read
that file.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validation import ours
from validation.check import Check
from validation.scenarios import Document
from validation.stats import relative

GROUP = "LTE by distance, ns-3"
PROGRAM = Path(__file__).parent / "ns3" / "lte_ues.cc"
RECORDED = Path(__file__).parent / "recorded" / "ns3_lte.json"
MODULES = (
    *("core", "network", "internet", "mobility", "applications", "point-to-point", "lte", "spectrum"),
    *("propagation", "antenna", "stats", "buildings", "virtual-net-device", "bridge", "traffic-control"),
)
WIDTHS = {25: "5MHz", 50: "10MHz"}
SIZE = 1400
HEADER = 28
WITHIN = 0.05


@dataclass(frozen=True)
class Cell:
    """One eNodeB with UEs at several distances: the inputs of both programs.

    Attributes:
        distances: Distance of each UE, m.
        blocks: Resource blocks of the carrier.
        adaptation: Link adaptation, one of ns-3's two choices, which have the same names in both programs.
        scheduler: Name of the scheduler in ns-3 and in ackclock.
        offered_mbps: Offered load of each UE, Mb/s, with headers.
        from_s: Start of the measurement, s.
        stop_s: End of the run, s.
    """

    distances: tuple[float, ...]
    blocks: int = 25
    adaptation: str = "miesm"
    scheduler: tuple[str, str] = ("Pf", "proportional-fair")
    offered_mbps: float = 25.0
    from_s: float = 1.0
    stop_s: float = 5.0

    def arguments(self) -> list[str]:
        """Return the arguments of ns-3's program."""
        given = {
            "distances": ",".join(f"{each:g}" for each in self.distances),
            "blocks": self.blocks,
            "adaptation": self.adaptation,
            "scheduler": self.scheduler[0],
            "offered": self.offered_mbps,
            "size": SIZE,
            "from": self.from_s,
            "stop": self.stop_s,
        }
        return [f"--{key}={value}" for key, value in given.items()]

    def document(self, stop_s: float) -> Document:
        """Return the same scenario for ackclock, ending at `stop_s`."""
        names = [f"ue{i}" for i in range(len(self.distances))]
        traffic = {
            "kind": "cbr",
            "rate": f"{self.offered_mbps * 1e6 * SIZE / (SIZE + HEADER):.0f}bps",
            "packet": f"{SIZE}B",
            "header": f"{HEADER}B",
        }
        return {
            "duration": f"{stop_s}s",
            "node": [
                {"name": "gateway"},
                *({"name": name, "position": [x, 0]} for name, x in zip(names, self.distances, strict=True)),
            ],
            "lte": [
                {
                    "profile": "ns3",
                    "gateway": "gateway",
                    "ue": names,
                    "enb": [{"position": [0, 0, 0]}],
                    "bandwidth": WIDTHS[self.blocks],
                    "scheduler": self.scheduler[1],
                    "link_adaptation": self.adaptation,
                }
            ],
            "flow": [
                {"from": "gateway", "to": name, "start": f"{500 + 0.1 * i}ms", "traffic": traffic}
                for i, name in enumerate(names)
            ],
        }


def cases() -> Iterator[tuple[str, Cell]]:
    """Yield name and cell of every case."""
    for km in (1, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 25, 30):
        yield f"one UE at {km} km, 25 blocks", Cell((1000.0 * km,))
    for km in (1, 3, 6, 10, 14, 20):
        yield f"one UE at {km} km, 50 blocks", Cell((1000.0 * km,), blocks=50, offered_mbps=50.0)
    for km in (3, 6, 10, 14, 20):
        yield f"one UE at {km} km, 25 blocks, Piro's choice", Cell((1000.0 * km,), adaptation="piro")
    five = (1000.0, 4000.0, 8000.0, 12000.0, 16000.0)
    yield "five UEs from 1 to 16 km, proportional fair", Cell(five, stop_s=21.0)


def build(program: Path, folder: Path) -> Path:
    """Compile a program of ns-3's LTE and return its path."""
    binary = folder / program.stem
    libraries = [f"-lns3-{module}" for module in MODULES]
    subprocess.run(
        ["g++", "-O2", "-w", "-Wl,--no-as-needed", str(program), "-o", str(binary), *libraries], check=True
    )
    return binary


def record() -> None:
    """Run ns-3 on every case and write the delivered bytes to the recording."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        binary = build(PROGRAM, Path(name))
        for case, cell in cases():
            done = subprocess.run(
                ["nice", "-n", "10", str(binary), *cell.arguments()],
                check=True,
                capture_output=True,
                text=True,
            )
            ues = [line.split() for line in done.stdout.splitlines()]
            rows.append({"case": case, "arguments": cell.arguments(), "bytes": [int(ue[0]) for ue in ues]})
            print(case, rows[-1]["bytes"], flush=True)
    about = "Payload bytes of each UE: libns3.37 3.37-2 (Debian), validation/ns3/lte_ues.cc."
    lines = ",\n".join(json.dumps(row) for row in rows)
    RECORDED.write_text(f'{{"about": {json.dumps(about)},\n"runs": [\n{lines}\n]}}\n', "utf-8")


def _arrived(cell: Cell) -> list[float]:
    """Run ackclock; return the payload delivered to each UE during the measurement, bytes."""
    runs = ours.run_many([(cell.document(stop_s), 1, 0.0) for stop_s in (cell.from_s, cell.stop_s)])
    first, all_ = ([flow["delivered_bytes"] for flow in run.flows] for run in runs)
    return [b - a for a, b in zip(first, all_, strict=True)]


def checks() -> list[Check]:
    """Check the goodput of each UE in each case."""
    theirs = {row["case"]: row["bytes"] for row in json.loads(RECORDED.read_text("utf-8"))["runs"]}
    found = []
    for case, cell in cases():
        mine = _arrived(cell)
        seconds = cell.stop_s - cell.from_s
        off = [relative(a, b) for a, b in zip(mine, theirs[case], strict=True)]
        rates = [" ".join(f"{8e-6 * each / seconds:.3f}" for each in run) for run in (mine, theirs[case])]
        found.append(
            Check(
                GROUP,
                f"{case}: payload, Mb/s",
                f"each within {WITHIN:.0%}",
                f"{rates[0]} against {rates[1]}: {' '.join(f'{each:+.1%}' for each in off)}",
                all(abs(each) <= WITHIN for each in off),
            )
        )
    return found


if __name__ == "__main__":
    record()
