"""Compares the speed of ackclock's radio networks with ns-2's and ns-3's: `make bench-radio`.

The measure is simulated seconds per second of user CPU time, from a long run minus a short run of the same scenario.
Each run has a process of its own; the tools take turns; figures are medians. ns-2 runs in its best configuration
(Splay scheduler, unused packet headers removed, no routing protocol). ns-3 is Debian's package, which is built with
logging; `--peer` takes further builds of it.

Absolute figures hold for one machine on one day. Read the ratios.
"""

from __future__ import annotations

import json
import math
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from side_by_side import BLANKS, PROJECT, Builds, install, main, measure

HERE = Path(__file__).resolve().parent

Document = dict[str, Any]


def stations(count: int) -> Document:
    """Return stations with ns-2's 802.11b settings at 11 Mb/s; each has a TCP connection to a sink in their middle."""
    around = [2 * math.pi * i / count for i in range(1, count + 1)]
    places = [[50, 50], *([50 + 5 * math.cos(a), 50 + 5 * math.sin(a)] for a in around)]
    tcp = {"variant": "sack", "profile": "ns2", "segment": "1460B", "delayed_ack": "100ms"}
    return {
        "node": [{"name": f"n{i}", "position": place} for i, place in enumerate(places)],
        "wifi": [
            {
                "standard": "b",
                "profile": "ns2",
                "rate": "11Mbps",
                "rts_threshold": "3000B",
                "stations": [f"n{i}" for i in range(count + 1)],
            }
        ],
        "flow": [
            {"from": f"n{i}", "to": "n0", "start": f"{100 * i / count}ms", "tcp": tcp}
            for i in range(1, count + 1)
        ],
    }


def cell80211(count: int, downloads: int = 1) -> Document:
    """Return a scenario with ns-3's 802.11n settings: an access point, stations that walk at random, downloads."""
    names = [f"n{i}" for i in range(count)]
    walk = {"kind": "random-walk", "bounds": [-10, 10, -10, 10]}
    walkers = [
        {"name": name, "position": [-5 + 1.5 * (i % 7), -5 + 1.5 * (i // 7 % 7)], "mobility": walk}
        for i, name in enumerate(names)
    ]
    return {
        "node": [{"name": "ap", "position": [0, 0]}, *walkers],
        "link": [{"between": ["server", "ap"], "rate": "1Gbps", "delay": "1ms"}],
        "wifi": [
            {
                "standard": "n",
                "profile": "ns3",
                "mcs": 7,
                "access_point": "ap",
                "stations": ["ap", *names],
            }
        ],
        "flow": [
            {"from": "server", "to": name, "start": "1s", "tcp": ns3_tcp("1448B", "128KiB")}
            for name in names[:downloads]
        ],
    }


def loaded80211(count: int) -> Document:
    """Return the network of `cell80211` with a download by every station."""
    return cell80211(count, count)


def cell_lte(_: int) -> Document:
    """Return a scenario with ns-3's LTE settings: a cell of 25 resource blocks, two UEs, and one download."""
    return {
        "node": [{"name": f"ue{i}", "position": [distance, 0, 1.5]} for i, distance in enumerate((30, 60))],
        "link": [{"between": ["server", "agw"], "rate": "100Gbps", "delay": "10ms"}],
        "lte": [
            {
                "gateway": "agw",
                "ue": ["ue0", "ue1"],
                "enb": [{"position": [0, 0, 30]}],
                "bandwidth": "5MHz",
                "granularity": "whole-groups",
                "rlc": {"buffer": "1MB"},
            }
        ],
        "flow": [{"from": "server", "to": "ue0", "start": "1s", "tcp": ns3_tcp("1400B", "128KiB")}],
    }


def ns3_tcp(segment: str, window: str) -> Document:
    """Return a `tcp` table with those of ns-3's settings that affect the processing cost of a connection."""
    return {
        "variant": "sack",
        "segment": segment,
        "timestamps": True,
        "delayed_ack": "200ms",
        "window_reduction": "prr",
        "receive_window": window,
    }


@dataclass(frozen=True)
class Case:
    """A scenario of ackclock, and the program of the peer (ns-2 or ns-3) for the same scenario.

    Attributes:
        name: Name in the table.
        document: Function that makes the scenario from the number of stations.
        stations: Number of stations.
        peer: Name of the peer; empty if ackclock is measured alone.
        program: File name of the peer's program.
        ours_s: Simulated lengths of ackclock's short and long run, s.
        peer_s: Simulated lengths of the peer's short and long run, s.
    """

    name: str
    document: Callable[[int], Document]
    stations: int
    peer: str | None
    program: str
    ours_s: tuple[int, int]
    peer_s: tuple[int, int]


SHORT = 3
"""Turns of a case beside ns-2 for one of the others: its runs take a second, and single ones vary by a fifth."""

N_CELL = "802.11n access point, a download"
CASES = (
    Case("802.11b, 10 stations to one", stations, 10, "ns-2", "stations.tcl", (20, 320), (20, 120)),
    Case("802.11b, 50 stations to one", stations, 50, "ns-2", "stations.tcl", (20, 320), (20, 80)),
    Case(f"{N_CELL}, 10 stations", cell80211, 10, "ns-3", "cell80211", (10, 310), (3, 13)),
    Case(f"{N_CELL}, 50 stations", cell80211, 50, "ns-3", "cell80211", (10, 310), (3, 8)),
    Case("802.11n, 10 downloads", loaded80211, 10, "ns-3", "cell80211", (10, 110), (3, 13)),
    Case("802.11n, 50 downloads", loaded80211, 50, "ns-3", "cell80211", (10, 60), (3, 8)),
    Case(f"{N_CELL}, 500 stations", cell80211, 500, None, "", (10, 310), (0, 0)),
    Case("LTE, 2 UEs, a download", cell_lte, 2, "ns-3", "cell_lte", (10, 310), (3, 13)),
)


def child(path: str) -> None:
    """Run one scenario and print the bytes that its flows delivered."""
    from ackclock import _core

    flows = json.loads(_core.run(Path(path).read_text()).summary)["flows"]
    print("bytes", sum(flow["delivered_bytes"] for flow in flows))


MODULES = {
    "cell80211": ("wifi", "internet", "applications", "mobility", "point-to-point"),
    "cell_lte": ("lte", "internet", "applications", "mobility", "point-to-point"),
}
"""Modules of ns-3 that each program needs."""


def ns3_flags(program: str, build: Path | None) -> list[str]:
    """Return the compiler's flags for a program of ns-3 with Debian's package, or with a build in a folder."""
    if build is not None:
        libraries = [f"-l{path.stem.removeprefix('lib')}" for path in sorted(build.glob("lib/libns3*.so"))]
        return [f"-I{build}/include", f"-L{build}/lib", f"-Wl,-rpath,{build}/lib", *libraries]
    flags = subprocess.run(
        ["pkg-config", "--libs", *(f"ns3-{module}" for module in MODULES[program])],
        capture_output=True,
        text=True,
        check=True,
    )
    # The pkg-config file of ns-3 also names libraries that are neither installed nor needed here.
    return [flag for flag in flags.stdout.split() if flag.startswith("-lns3-")]


def peer_command(case: Case, seconds: int, folder: Path, name: str, build: Path | None) -> list[str]:
    """Return the command of the peer (ns-2 or a build of ns-3); ns-3's program is compiled if it is missing."""
    if case.peer == "ns-2":
        return ["ns", str(HERE / "ns2" / case.program), str(case.stations), str(seconds)]
    binary = folder / f"{case.program}-{name}"
    if not binary.exists():
        source = HERE / "ns3" / f"{case.program}.cc"
        flags = ns3_flags(case.program, build)
        subprocess.run(
            ["g++", "-O2", "-Wl,--no-as-needed", str(source), "-o", str(binary), *flags], check=True
        )
    arguments = []
    if case.program == "cell80211":
        downloads = len(case.document(case.stations)["flow"])
        arguments = [f"--stations={case.stations}", f"--downloads={downloads}"]
    return [str(binary), *arguments, f"--seconds={seconds}"]


def peers_of(case: Case, further: Builds) -> Builds:
    """Return the peers of a case by name: the installed one, and further builds of ns-3 with the modules it needs."""
    if case.peer is None:
        return {}
    if case.peer == "ns-2":
        return {"ns-2": None}
    fit = {
        name: folder
        for name, folder in further.items()
        if folder is not None
        and all(list(folder.glob(f"lib/*-{module}-*.so")) for module in MODULES[case.program])
    }
    return {"ns-3": None, **{f"ns-3 {name}": folder for name, folder in fit.items()}}


def bench(case: Case, folder: Path, reps: int, builds: Builds, further: Builds) -> str:
    """Measure one case; return its table rows, one for each build of ackclock beside each of the peer."""
    commands: dict[tuple[str, bool], tuple[list[str], Path | None]] = {}
    texts: dict[Path, str] = {}
    peers = peers_of(case, further)
    for long in (False, True):
        document = folder / f"{long}.json"
        length = {"duration": f"{case.ours_s[long]}s", "seed": 1}
        texts[document] = json.dumps({**length, **case.document(case.stations)})
        command = [sys.executable, str(Path(__file__).resolve()), "--child", str(document)]
        for build, package in builds.items():
            commands[build, long] = command, package
        for peer, place in peers.items():
            commands[peer, long] = peer_command(case, case.peer_s[long], folder, peer, place), None
    spent: dict[tuple[str, bool], list[tuple[float, int]]] = {key: [] for key in commands}
    for turn in range(SHORT * reps if case.peer == "ns-2" else reps):
        for document, text in texts.items():
            document.write_text(" " * (turn * BLANKS) + text)
        for key, (command, package) in commands.items():
            done = measure(command, package)
            spent[key].append((done.cpu_s, int(done.words[done.words.index("bytes") + 1])))

    def of(program: str) -> tuple[float, float]:
        """Return simulated seconds per CPU second, and goodput, Mb/s, both from the long run minus the short run."""
        lengths = case.ours_s if program in builds else case.peer_s
        short, long = (
            [statistics.median([float(s[i]) for s in spent[program, which]]) for i in (0, 1)]
            for which in (False, True)
        )
        seconds = lengths[1] - lengths[0]
        return seconds / (long[0] - short[0]), 8e-6 * (long[1] - short[1]) / seconds

    rows = []
    for build in builds:
        name = case.name if build == "ackclock" else f"{case.name}: {build}"
        rate, goodput = of(build)
        if not peers:
            rows.append(f"| {name} | | | | {rate:.0f} | {goodput:.2f} | |")
        for peer in peers:
            peer_rate, peer_goodput = of(peer)
            rows.append(
                f"| {name} | {peer} | {peer_rate:.3g} | {peer_goodput:.2f} "
                f"| {rate:.0f} | {goodput:.2f} | **{rate / peer_rate:.3g}** |"
            )
    return "\n".join(rows)


def table(rows: list[str]) -> str:
    """Return the results as a Markdown table."""
    head = [
        "| case | peer | its simulated s per CPU s | its Mb/s | ackclock's simulated s per CPU s | Mb/s | **times** |",
        "|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


def page(table: str, reps: int) -> str:
    """Return the text of `docs/explanation/speed-radio.md`."""
    return f"""# Speed of radio networks beside ns-2 and ns-3

Written by `make bench-radio ARGS=--write`: the same networks in ackclock, ns-2.35 (Splay scheduler, unused
packet headers removed, no routing protocol) and ns-3.37 (Debian's package, which is built with logging) in one
session on one machine. User CPU time of a long run less that of a short run of the same scenario, each in a
process of its own, by turns, medians of {reps}, and of {SHORT * reps} beside ns-2; each turn has another number of
blanks before ackclock's scenario. Simulated seconds per CPU second hold for that machine and that
day only; read the ratios. Mb/s is what TCP delivered between the two ends, all flows together.

{table}
A row without a name is of the build that `make build` makes, with thin LTO. A row that ends in a name is a further
build of ours (`--beside`): `wheel` is what `make wheel` makes, as released. `ns-3 optimized` is a build of the same
version by its own `./ns3 configure -d optimized`, for this processor and without logging (`--peer`).

Each station reads every frame that was on the air: in 802.11b this is still the largest part of a run. If no station
moves, a station that contends reads when it may be the next to transmit, many frames at a time (`shared_view.rs`).
If stations move, each reads at fixed times, since its position is computed then.

The programs of the peers are in `benches/ns2` and `benches/ns3`, the scenarios in `benches/radio_peers.py`.
"""


def _peers_here() -> bool:
    libraries = subprocess.run(["pkg-config", "--exists", "ns3-lte"], check=False)
    return shutil.which("ns") is not None and libraries.returncode == 0


if __name__ == "__main__":
    main(
        __doc__ or "",
        CASES,
        3,
        PROJECT / "docs" / "explanation" / "speed-radio.md",
        prepare=lambda: install("ns-2 and ns-3", "ns2 libns3-dev g++ pkg-config", _peers_here),
        child=child,
        bench=bench,
        table=table,
        page=page,
        peer="a further build of ns-3, measured in turn with Debian's: FOLDER contains its `include` and `lib`",
    )
