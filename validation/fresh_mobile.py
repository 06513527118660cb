"""Fresh cells of our own, run in ns-3.37: stations that move, and UEs at or across the edge of a loaded LTE cell.

`python -m validation.fresh_mobile` compiles the reference's programs (`fresh/programs/wifi3.cc` and `lte3.cc`), runs
them and writes `validation/recorded/ns3_mobile.json`. The cells were written down before either simulator had run them.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from validation import fresh_documents, reference
from validation.fresh_documents import Cell
from validation.ns3_lte import MODULES
from validation.scenarios import Document

RECORDED = Path(__file__).parent / "recorded" / "ns3_mobile.json"
WIFI_MODULES = (*MODULES, "wifi", "aodv", "olsr", "energy")
LTE_MODULES = (*MODULES, "csma", "config-store", "fd-net-device")
NEWRENO = "TcpNewReno"
BUFFER = 1_000_000
"""RLC buffer, bytes. Our runs vary it by up to 3 %, because space for one packet more can change the result."""


def _walk(mode: str, flows: list[list[Any]], speed: float, stop: float, **more: Any) -> Document:
    """Return an 802.11a cell whose station 1 walks away from station 0 at `speed`, m/s."""
    rate = mode.removeprefix("OfdmRate").removeprefix("DsssRate")
    cell: Document = {
        "places": [[0, 0], [5, 0]],
        "flows": flows,
        "their": {"standard": "a", "mode": mode, "control": "OfdmRate6Mbps", "width": 20},
        "wifi": {"standard": "a", "rate": rate},
        "ap": True,
        "wire": None,
        "speed": speed,
        "frm": 2,
        "stop": stop,
        "seeds": [1, 2],
    }
    return cell | more


def _cell(ues: list[float], flows: list[list[Any]], stop: float, **more: Any) -> Document:
    """Return an LTE cell; UE 0 moves at `speed`, m/s."""
    cell: Document = {
        "ues": ues,
        "flows": flows,
        "enbs": [0],
        "speed": 0,
        "ho": False,
        "rb": 25,
        "rlc": "um",
        "rlcbuf": BUFFER,
        "sched": "Pf",
        "control": True,
        "frm": 2,
        "stop": stop,
        "seeds": [1],
    }
    return cell | more


WIFI: Mapping[str, Document] = {
    "a54-walk-tcp-up-1.5mps": _walk("OfdmRate54Mbps", [[1, 0, NEWRENO]], 1.5, 22),
    "a24-walk-cubic-down-wire20ms-3mps": _walk("OfdmRate24Mbps", [[-1, 1, "TcpCubic"]], 3, 16, wire=20),
    "a36-walk-udp-down-4mps": _walk("OfdmRate36Mbps", [[0, 1, "Udp:30"]], 4, 16),
    "a12-walk-3up-2mps": _walk(
        "OfdmRate12Mbps",
        [[1, 0, NEWRENO], [2, 0, NEWRENO], [3, 0, NEWRENO]],
        2,
        17,
        places=[[0, 0], [5, 0], [0, 5], [-5, 0]],
    ),
    "b11-walk-tcp-down-5mps": _walk(
        "DsssRate11Mbps",
        [[0, 1, NEWRENO]],
        5,
        17,
        their={"standard": "b", "mode": "DsssRate11Mbps", "control": "DsssRate1Mbps", "width": 22},
        wifi={"standard": "b", "rate": "11Mbps"},
    ),
    "a6-aodv-relay-leaves-4mps": _walk(
        "OfdmRate6Mbps",
        [[0, 2, "Udp:0.5"]],
        4,
        22,
        places=[[0, 0], [40, 10], [80, 0], [40, -30]],
        ap=False,
        seeds=[1, 2, 3],
        their={
            "standard": "a",
            "mode": "OfdmRate6Mbps",
            "control": "OfdmRate6Mbps",
            "width": 20,
            "routing": "aodv",
        },
        wifi={"standard": "a", "rate": "6Mbps", "routing": {"kind": "aodv"}},
    ),
}
"""Cells of 802.11."""

LTE: Mapping[str, Document] = {
    "handover-udp-up-30mps": _cell([100], [[0, "u", "Udp:25"]], 18, enbs=[0, 600], speed=30, ho=True),
    "handover-tcp-up-30mps": _cell(
        [100], [[0, "u", NEWRENO]], 18, enbs=[0, 600], speed=30, ho=True, seeds=[1, 2]
    ),
    "handover-cubic-down-am-30mps": _cell(
        [100], [[0, "d", "TcpCubic"]], 18, enbs=[0, 600], speed=30, ho=True, rlc="am"
    ),
    "edge-udp-down-450,550m": _cell([450, 550], [[0, "d", "Udp:25"], [1, "d", "Udp:25"]], 8, enbs=[0, 1000]),
    "edge-tcp-down-450,550m": _cell([450, 550], [[0, "d", NEWRENO], [1, "d", NEWRENO]], 8, enbs=[0, 1000]),
    "edge-tcp-down-400,600m": _cell([400, 600], [[0, "d", NEWRENO], [1, "d", NEWRENO]], 8, enbs=[0, 1000]),
    "edge-tcp-down-400,600m-15rb": _cell(
        [400, 600], [[0, "d", NEWRENO], [1, "d", NEWRENO]], 5, enbs=[0, 1000], rb=15
    ),
    "edge-tcp-down-400,600m-50rb": _cell(
        [400, 600], [[0, "d", NEWRENO], [1, "d", NEWRENO]], 5, enbs=[0, 1000], rb=50
    ),
    "edge-2xcubic-down-350,600m-100rb": _cell(
        [350, 600], [[0, "d", "TcpCubic"], [1, "d", "TcpCubic"]], 4, enbs=[0, 1000], rb=100
    ),
    "xpf-tcp-down-1,6km": _cell(
        [1000, 6000],
        [[0, "d", NEWRENO], [1, "d", NEWRENO]],
        8,
        frm=3,
        buffers=[970_000, 985_000, 1_000_000, 1_015_000, 1_030_000],
    ),
    "drive-tcp-down-50mps": _cell([1000], [[0, "d", NEWRENO]], 12, speed=50),
    "drive-tcp-up-50mps": _cell([500], [[0, "u", NEWRENO]], 12, speed=50),
    "drive-udp-up-60mps": _cell([2000], [[0, "u", "Udp:25"]], 12, speed=60),
    "drive-2xcubic-rr-60mps": _cell(
        [1000, 3000], [[0, "d", "TcpCubic"], [1, "d", "TcpCubic"]], 10, speed=60, sched="Rr"
    ),
}
"""Cells of LTE. If no control region is lost at random, all runs of ns-3 are equal, so one run suffices."""


def _points(places: list[list[float]]) -> str:
    return ";".join(f"{x:g},{y:g}" for x, y in places)


def _flows(flows: list[list[Any]], start: str) -> str:
    return ";".join(",".join([*map(str, flow), start]) for flow in flows)


def wifi_arguments(cell: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the arguments of `wifi3.cc` for each run of a cell."""
    for seed in cell["seeds"]:
        given = cell["their"] | {
            "places": _points(cell["places"]),
            "flows": _flows(cell["flows"], "1"),
            "speed": cell["speed"],
            "seed": seed,
            "from": cell["frm"],
            "stop": cell["stop"],
            "wire": -1 if cell["wire"] is None else cell["wire"],
            "ap": int(cell["ap"]),
        }
        yield [f"--{key}={value}" for key, value in given.items()]


def lte_arguments(cell: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the arguments of `lte3.cc` for each run of a cell: by seed, and by RLC buffer if it has several."""
    for seed, room in itertools.product(cell["seeds"], cell.get("buffers", [cell["rlcbuf"]])):
        given = {
            "ues": ",".join(f"{x:g}" for x in cell["ues"]),
            "flows": _flows(cell["flows"], "0.5"),
            "enbs": ",".join(f"{x:g}" for x in cell["enbs"]),
            "speed": cell["speed"],
            "handover": int(cell["ho"]),
            "from": cell["frm"],
            "stop": cell["stop"],
            "seed": seed,
            "rlcbuf": room,
            "rlc": cell["rlc"],
            "sched": cell["sched"],
            "rb": cell["rb"],
        }
        yield [f"--{key}={value}" for key, value in given.items()]


KINDS = {
    "wifi": (WIFI, wifi_arguments, fresh_documents.ns3_wifi, WIFI_MODULES),
    "lte": (LTE, lte_arguments, fresh_documents.ns3_lte, LTE_MODULES),
}
"""For each kind of network: its test cases, the function that yields the ns-3 program's arguments for a case, the
function that makes our scenarios, and the ns-3 libraries to link.
"""


def _results(binary: Path, arguments: list[str]) -> list[float]:
    """Run ns-3 and return the goodput of each flow, Mb/s."""
    command = ["nice", "-n", "12", str(binary), *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return list(json.loads(done.stdout.splitlines()[-1])["mbps"])


def record() -> None:
    """Run ns-3 on every cell and write the results."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, (found, arguments, _, modules) in KINDS.items():
            source = reference.path(f"programs/{kind}3.cc", part="fresh")
            binary = Path(folder) / kind
            libraries = [f"-lns3-{module}" for module in modules]
            build = ["g++", "-O2", "-w", "-Wl,--no-as-needed", str(source), "-o", str(binary), *libraries]
            subprocess.run(build, check=True)
            for name, cell in found.items():
                runs = [_results(binary, each) for each in arguments(cell)]
                rows.append({"kind": kind, "id": name, "reference": runs})
                print(name, runs, flush=True)
    write(rows)


def write(rows: list[dict[str, Any]]) -> None:
    """Write the recorded results, a cell a line."""
    about = (
        "Payload of each flow and run, Mb/s, since the start of the measurement: libns3.37 3.37-2 (Debian), "
        "the reference's fresh/programs/wifi3.cc and lte3.cc with the arguments of validation/fresh_mobile.py."
    )
    lines = ",\n".join(json.dumps(row) for row in rows)
    RECORDED.write_text(f'{{"about": {json.dumps(about)},\n"cells": [\n{lines}\n]}}\n', "utf-8")


def cells() -> Iterator[tuple[str, Cell]]:
    """Yield every recorded cell with its name."""
    for row in json.loads(RECORDED.read_text("utf-8"))["cells"]:
        found, _, convert, _ = KINDS[row["kind"]]
        yield f"own {row['kind']}: {row['id']}", convert({"cell": found[row["id"]], **row})


if __name__ == "__main__":
    record()
