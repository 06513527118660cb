"""Runs ns-3.37 on scenarios generated at random from `SEED` (wired, 802.11 and LTE), and records its results.

`python -m validation.fresh_drawn` compiles the reference's programs (`fresh/programs`), runs them and writes
`validation/recorded/ns3_drawn.json`. Nobody picked a cell: `drawn` makes them from `SEED`. Left out for known faults of
ns-3 are LEDBAT, LP, Vegas and Westwood; under random loss also CUBIC, BBR, H-TCP and Illinois; and 802.11n, over which
TCP stops for good in some runs.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from validation import fresh_documents, fresh_mobile, reference
from validation.fresh_documents import Cell
from validation.scenarios import Document

RECORDED = Path(__file__).parent / "recorded" / "ns3_drawn.json"
SEED = 31
COUNTS = {"wired": 16, "wifi": 10, "lte": 12}
RUNS = 2
"""Runs of ns-3 of a cell whose runs differ: by seed, or in LTE by the RLC buffer."""
WIRED_MODULES = (
    *("core", "network", "internet", "point-to-point", "applications", "traffic-control", "flow-monitor"),
    *("stats", "bridge", "mobility"),
)
LOSSY = (
    "TcpNewReno",
    "TcpLinuxReno",
    "TcpBic",
    "TcpHighSpeed",
    "TcpScalable",
    "TcpHybla",
    "TcpVeno",
    "TcpYeah",
)
CONTROLS = (*LOSSY, "TcpCubic", "TcpBbr", "TcpHtcp", "TcpIllinois")
MBPS_80211 = {"a": (6, 9, 12, 18, 24, 36, 48, 54), "b": (11,)}
"""Rates of 802.11a and 802.11b, Mb/s."""


def _wired(draw: random.Random) -> Document:
    """Draw a bottleneck with up to four flows."""
    loss = draw.choice((None, None, None, 0.001, 0.005))
    rate, delay = draw.choice((2, 4, 6, 8, 10)), draw.choice((5, 10, 20, 40, 60))
    path = rate * 1e6 * 2 * (delay + 2) * 1e-3 / 8 / 1500
    discipline = draw.choice(("fifo", "fifo", "fifo", "codel", "fqcodel"))
    room = max(4, round(path * draw.choice((0.5, 1, 2, 4)))) if discipline == "fifo" else 1000
    kinds = [draw.choice(LOSSY if loss else CONTROLS) for _ in range(draw.choice((1, 1, 2, 4)))]
    cell: Document = {
        "flows": [[kind, round(0.1 * (i + 1), 2), 1, 0, 1, 0] for i, kind in enumerate(kinds)],
        "set": "ns3::TcpCubic::HyStart=false",
        "bw": f"{rate}Mbps",
        "delay": f"{delay}ms",
        "q": room,
        "qd": discipline,
        "dela": draw.choice((1, 2, 2)),
        "stop": 25,
        "warm": 5,
    }
    return cell | ({"loss": str(loss)} if loss else {})


def _wifi(draw: random.Random) -> Document:
    """Draw an access point with one to five stations, each with TCP or UDP up or down."""
    standard = draw.choice(("a", "a", "b"))
    rate = draw.choice(MBPS_80211[standard])
    stations = draw.randint(1, 5)
    radius = draw.randint(3, 10)
    places = [[0, 0], [radius, 0], [0, radius], [-radius, 0], [0, -radius], [radius // 2, radius // 2]]
    flows: list[list[Any]] = []
    for station in range(1, stations + 1):
        kind = draw.choice(("TcpNewReno", "TcpNewReno", "TcpCubic", f"Udp:{max(1, rate // 3)}"))
        flows.append([*draw.choice(((station, 0), (0, station))), kind])
    mode = f"OfdmRate{rate}Mbps" if standard == "a" else f"DsssRate{rate}Mbps"
    control, width = ("OfdmRate6Mbps", 20) if standard == "a" else ("DsssRate1Mbps", 22)
    return {
        "places": places[: stations + 1],
        "flows": flows,
        "their": {"standard": standard, "mode": mode, "control": control, "width": width},
        "wifi": {"standard": standard, "rate": f"{rate}Mbps"},
        "ap": True,
        "wire": None,
        "speed": draw.choice((0, 0, 1, 2)),
        "frm": 2,
        "stop": 8,
        "seeds": list(range(1, RUNS + 1)),
    }


def _lte_cell(draw: random.Random) -> Document:
    """Draw a cell of LTE with one or two UEs, each with TCP or UDP up or down."""
    ues = [float(draw.randrange(300, 7000, 100)) for _ in range(draw.choice((1, 1, 2)))]
    kinds = [draw.choice(("TcpNewReno", "TcpNewReno", "TcpCubic", "Udp:25")) for _ in ues]
    return {
        "ues": ues,
        "flows": [[i, draw.choice("uud"), kind] for i, kind in enumerate(kinds)],
        "enbs": [0],
        "speed": draw.choice((0, 0, 30, 60)),
        "ho": False,
        "rb": draw.choice((15, 25, 25, 50)),
        "rlc": draw.choice(("um", "um", "am")),
        "rlcbuf": draw.choice((300_000, 1_000_000)),
        "sched": draw.choice(("Pf", "Rr")),
        "control": True,
        "frm": 2,
        "stop": 7,
        "seeds": [1],
    }


def drawn() -> Iterator[tuple[str, str, Document]]:
    """Yield kind, name and cell of every drawn cell."""
    draw = random.Random(SEED)
    for kind, make in (("wired", _wired), ("wifi", _wifi), ("lte", _lte_cell)):
        for number in range(1, COUNTS[kind] + 1):
            yield kind, f"drawn {number}", make(draw)


def starts(cell: Mapping[str, Any], seed: int) -> list[float]:
    """Return the start of each flow of a wired cell in one run, s."""
    draw = random.Random(f"{SEED} {seed}")
    return [round(flow[1] + draw.uniform(0, 0.02), 6) for flow in cell["flows"]]


def wired_arguments(cell: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the arguments of `wired3.cc` for each run of a cell."""
    for seed in range(1, RUNS + 1):
        flows = [
            [flow[0], start, *flow[2:]] for flow, start in zip(cell["flows"], starts(cell, seed), strict=True)
        ]
        given = {key: cell[key] for key in ("set", "bw", "delay", "q", "qd", "dela", "stop", "warm")}
        given |= {"flows": ";".join(",".join(map(str, flow)) for flow in flows), "seed": seed, "fm": 0}
        given |= {"loss": cell["loss"]} if "loss" in cell else {}
        yield [f"--{key}={value}" for key, value in given.items()]


def lte_arguments(cell: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the arguments of `lte3.cc` for each run of a cell; runs with TCP differ in the buffer by 3 %."""
    udp = all(kind.startswith("Udp") for _, _, kind in cell["flows"])
    for part in (1.0,) if udp else (0.97, 1.0, 1.03):
        yield from fresh_mobile.lte_arguments({**cell, "rlcbuf": round(cell["rlcbuf"] * part)})


ARGUMENTS = {
    "wired": (wired_arguments, WIRED_MODULES),
    "wifi": (fresh_mobile.wifi_arguments, fresh_mobile.WIFI_MODULES),
    "lte": (lte_arguments, fresh_mobile.LTE_MODULES),
}
"""For each kind of network: the function that yields the ns-3 program's arguments for a case, and its libraries."""


def _result(job: tuple[str, Path, list[str]]) -> list[float]:
    """Run ns-3 and return the result of each flow: goodput in Mb/s, or, in wired networks, payload in bytes."""
    kind, binary, arguments = job
    done = subprocess.run([str(binary), *arguments], check=True, capture_output=True, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return [flow["win_bytes"] for flow in found["flows"]] if kind == "wired" else list(found["mbps"])


def record() -> None:
    """Run ns-3 on every cell and write the results, a cell a line."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        binaries = {kind: build(kind, Path(folder)) for kind in ARGUMENTS}
        for kind, name, cell in drawn():
            jobs = [(kind, binaries[kind], each) for each in ARGUMENTS[kind][0](cell)]
            rows.append({"kind": kind, "id": name, "reference": list(pool.map(_result, jobs))})
            print(rows[-1], flush=True)
    about = (
        "Payload of each flow and run since the start of the measurement, Mb/s (wired: bytes): libns3.37 3.37-2 "
        "(Debian), the reference's fresh/programs with the arguments of validation/fresh_drawn.py."
    )
    lines = ",\n".join(json.dumps(row) for row in rows)
    RECORDED.write_text(f'{{"about": {json.dumps(about)},\n"cells": [\n{lines}\n]}}\n', "utf-8")


def build(kind: str, folder: Path) -> Path:
    """Compile the reference's program for cells of `kind` and return its path."""
    binary = folder / kind
    source = reference.path(f"programs/{kind}3.cc", part="fresh")
    libraries = [f"-lns3-{module}" for module in ARGUMENTS[kind][1]]
    command = ["g++", "-O2", "-w", "-Wl,--no-as-needed", str(source), "-o", str(binary), *libraries]
    subprocess.run(command, check=True)
    return binary


def describe(kind: str, cell: Mapping[str, Any]) -> str:
    """Return what a cell has in it, in a few words."""
    if kind == "wired":
        flows = "+".join(flow[0].removeprefix("Tcp") for flow in cell["flows"])
        loss = f" loss {cell['loss']}" if "loss" in cell else ""
        return f"{flows} {cell['bw']} {cell['delay']} {cell['qd']} {cell['q']} ack {cell['dela']}{loss}"
    flows = ",".join(
        f"{flow[2].removeprefix('Tcp')} {flow[1] if kind == 'lte' else 'up' if flow[1] == 0 else 'down'}"
        for flow in cell["flows"]
    )
    moves = f" {cell['speed']} m/s" if cell["speed"] else ""
    if kind == "wifi":
        return f"{cell['wifi']['standard']} {cell['wifi']['rate']} {flows}{moves}"
    at = ",".join(f"{x:g}" for x in cell["ues"])
    return (
        f"{flows} {at} m {cell['rb']} blocks {cell['rlc']} {cell['rlcbuf'] // 1000} kB {cell['sched']}{moves}"
    )


def _wired_cell(cell: Mapping[str, Any], results: list[list[int]]) -> Cell | None:
    """Return a drawn wired cell with the scenarios of our runs."""
    runs = [
        {
            "flows": [
                {"start": start, "win_bytes": got} for start, got in zip(starts(cell, seed), run, strict=True)
            ]
        }
        for seed, run in enumerate(results, start=1)
    ]
    return fresh_documents.ns3_wired({"cell": cell, "reference": runs})


def cells() -> Iterator[tuple[str, Cell]]:
    """Yield every recorded cell with its name."""
    results = {
        (row["kind"], row["id"]): row["reference"] for row in json.loads(RECORDED.read_text("utf-8"))["cells"]
    }
    convert = {"wifi": fresh_documents.ns3_wifi, "lte": fresh_documents.ns3_lte}
    for kind, name, cell in drawn():
        got = results[kind, name]
        found = _wired_cell(cell, got) if kind == "wired" else convert[kind]({"cell": cell, "reference": got})
        if found is not None:
            yield f"{name} {kind}: {describe(kind, cell)}", found


if __name__ == "__main__":
    record()
