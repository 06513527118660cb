"""Compares 802.11 stations around one receiver with ns-3, with ns-3's default path loss and error rates.

`python -m validation.ns3_wireless [NAME ...]` runs ns-3 (libns3-dev), on all cases or on those named, and writes
`validation/recorded/ns3_stations.json`. The checks read that file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from validation.scenarios import Document

PROGRAM = Path(__file__).parent / "ns3" / "stations.cc"
RECORDED = Path(__file__).parent / "recorded" / "ns3_stations.json"
SEEDS = 5
THREADS = 3
UNLIKE = {("Minstrel-HT", 30), ("Minstrel", 50)}
"""Cases that are not judged, as (rate control, distance in m).

Minstrel-HT treats success ratios above 0.9 as equal. At 30 m, MCS 14 has no losses and MCS 15 loses a fifth, so the two
count as equally good. For 802.11a ns-3 has the older Minstrel."""
AX_STEP = 0.3
"""Difference in distance between successive 802.11ax stations, m.

With several stations at 80 or 160 MHz without RTS, ns-3.37 aborts at some seeds ("Invalid WifiPhy state"). If the
distances are equal, it aborts at the first seed."""
MODULES = ("core", "network", "internet", "mobility", "applications", "wifi")


@dataclass(frozen=True)
class Stations:
    """Saturated stations that send to the first station: the inputs of both programs.

    Attributes:
        places: Positions (x, y) of the stations, m.
        theirs: Arguments of `stations.cc`.
        ours: Keys of `[[wifi]]`.
        offered_mbps: Offered load of each station, Mb/s.
        speed: Speed of the second station away from the first, m/s.
        from_s: Start of the measurement, s.
        stop_s: End of the run, s.
        within: Largest relative difference from ns-3 that passes; `None` if the case is not judged.
        size: Payload of a packet, bytes.
        tcp: True for NewReno with windows of 4 MiB; false for datagrams.
    """

    places: tuple[tuple[float, float], ...]
    theirs: dict[str, str | float]
    ours: Document
    offered_mbps: float = 40.0
    speed: float = 0.0
    from_s: float = 1.0
    stop_s: float = 11.0
    within: float | None = 0.05
    size: int = field(default=1472)
    tcp: bool = False

    def arguments(self, seed: int) -> list[str]:
        """Return the arguments of ns-3's program."""
        given: dict[str, str | float] = {
            "places": ";".join(f"{x},{y}" for x, y in self.places),
            "offered": self.offered_mbps,
            "speed": self.speed,
            "from": self.from_s,
            "stop": self.stop_s,
            "size": self.size,
            "seed": seed,
            **({"tcp": 1} if self.tcp else {}),
            **self.theirs,
        }
        return [f"--{key}={value}" for key, value in given.items()]

    def document(self, stop_s: float) -> Document:
        """Return the same scenario for ackclock, ending at `stop_s`."""
        names = [f"n{i}" for i in range(len(self.places))]
        nodes: list[Document] = []
        for i, (name, (x, y)) in enumerate(zip(names, self.places, strict=True)):
            if i == 1 and self.speed:
                walk = f"0 {x} {y} {self.stop_s} {x + self.speed * self.stop_s} {y}"
                nodes.append({"name": name, "mobility": {"kind": "bonnmotion", "waypoints": walk, "node": 0}})
            else:
                nodes.append({"name": name, "position": [x, y]})
        traffic = {
            "kind": "cbr",
            "rate": f"{self.offered_mbps * 1e6:.0f}bps",
            "packet": f"{self.size}B",
            "header": "28B",
        }
        flow: Document = {"traffic": traffic}
        if self.tcp:
            tcp = {
                "variant": "sack",
                "profile": "ns3",
                "segment": f"{self.size}B",
                "receive_window": "4194304B",
            }
            flow = {"traffic": {"kind": "ftp"}, "tcp": tcp}
        return {
            "duration": f"{stop_s}s",
            "node": nodes,
            "wifi": [{"profile": "ns3", "stations": names, **self.ours}],
            "flow": [
                {"from": name, "to": "n0", "start": f"{10 * i}ms", **flow}
                for i, name in enumerate(names)
                if i
            ],
        }


def _a(rate: int) -> tuple[dict[str, str | float], Document]:
    """Return the settings of both programs for 802.11a at a constant rate, Mb/s."""
    return {"mode": f"OfdmRate{rate}Mbps"}, {"standard": "a", "rate": f"{rate}Mbps"}


def _n(mcs: int) -> tuple[dict[str, str | float], Document]:
    """Return the settings of both programs for 802.11n at a constant MCS with A-MPDUs."""
    return (
        {"standard": "n", "mode": f"HtMcs{mcs}", "control": "HtMcs0", "antennas": 1 + mcs // 8},
        {"standard": "n", "mcs": mcs},
    )


def _line(*x: float) -> tuple[tuple[float, float], ...]:
    return tuple((each, 0.0) for each in x)


def _ring(count: int, radius: float = 5, step: float = 0) -> tuple[tuple[float, float], ...]:
    """Return positions of a receiver and of `count` stations around it; each is `step` m farther away than the last."""
    from math import cos, pi, sin

    around = ((2 * pi * i / count, radius + step * i) for i in range(count))
    return ((0.0, 0.0), *((far * cos(angle), far * sin(angle)) for angle, far in around))


def _ax(
    mcs: int, width: int, guard_us: float, streams: int, *, long: bool, rts: bool = False
) -> tuple[dict[str, str | float], Document]:
    """Return the settings of both programs for 802.11ax at a constant MCS.

    With `long`, A-MPDUs have up to 256 packets; otherwise ns-3's limits hold (64 packets and 65 535 bytes).
    """
    theirs: dict[str, str | float] = {
        "standard": "ax",
        "mode": f"HeMcs{mcs}",
        "width": width,
        "guard": int(guard_us * 1000),
        "antennas": streams,
    }
    ours: Document = {
        "standard": "ax",
        "mcs": mcs,
        "width": f"{width}MHz",
        "guard_interval": f"{guard_us}us",
        "streams": streams,
    }
    if long:
        theirs |= {"buffer": 256, "aggregate": 6_500_631}
        ours["aggregation"] = {"frames": 256, "bytes": "6500631B"}
    if rts:
        theirs["rts"] = 0
        ours["rts_threshold"] = "0B"
    return theirs, ours


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count > 1)}"


def _he() -> Iterator[tuple[str, Stations]]:
    """Yield cases of 802.11ax: several modes at 1 m, and one mode at a distance at which 1024-QAM loses frames.

    No case has a guard interval of 1.6 us, since ns-3.37 then sends with 3.2 us. Cases with TCP have A-MPDUs of 64
    packets, since with 256 a single station's flow stops permanently within half a second in ns-3.
    """
    modes = [
        ((7, 20, 3.2, 1), False, False, 120.0, 6.0),
        ((11, 80, 0.8, 1), True, False, 700.0, 4.0),
        ((9, 40, 3.2, 2), True, False, 600.0, 4.0),
        ((4, 80, 3.2, 3), True, True, 900.0, 4.0),
        ((11, 160, 0.8, 4), True, False, 4500.0, 2.0),
        ((0, 20, 0.8, 1), False, True, 12.0, 21.0),
    ]
    for (mcs, width, guard, streams), long, rts, offered, stop_s in modes:
        for count in (1, 5):
            yield (
                f"ax, MCS {mcs}, {width} MHz, {guard} us, {_some(streams, 'stream')}, {256 if long else 64} packets"
                f"{', RTS' * rts}, {_some(count, 'station')}",
                Stations(
                    _ring(count, 1, AX_STEP),
                    *_ax(mcs, width, guard, streams, long=long, rts=rts),
                    offered_mbps=offered / count,
                    stop_s=stop_s,
                ),
            )
    for far in (5.5, 6.0):
        yield (
            f"ax, MCS 11, 80 MHz, 0.8 us, 1 stream, 256 packets, 1 station at {far} m",
            Stations(_line(0, far), *_ax(11, 80, 0.8, 1, long=True), offered_mbps=700.0, stop_s=4.0),
        )
    for count in (1, 5):
        yield (
            f"ax, MCS 11, 80 MHz, 0.8 us, 1 stream, 64 packets, TCP, {_some(count, 'station')}",
            Stations(
                _ring(count, 1, AX_STEP),
                *_ax(11, 80, 0.8, 1, long=False),
                from_s=2.0,
                stop_s=6.0,
                size=1448,
                tcp=True,
            ),
        )


def _unlike() -> Iterator[tuple[str, Stations]]:
    """Yield cases in which one station has a slow rate and the others a fast one."""
    for fast, slow, names in (("54", "6", "a"), ("54", "24", "a"), ("11", "1", "b")):
        kind = "Ofdm" if names == "a" else "Dsss"
        for count in (1, 3):
            theirs: dict[str, str | float] = {
                "standard": names,
                "modes": ";".join(f"{kind}Rate{rate}Mbps" for rate in (fast, *[fast] * count, slow)),
                "control": f"{kind}Rate{'6' if names == 'a' else '1'}Mbps",
            }
            if names == "b":
                theirs["width"] = 22
            ours: Document = {
                "standard": names,
                "rate": f"{fast}Mbps",
                "station_rates": [{"stations": [f"n{count + 1}"], "rate": f"{slow}Mbps"}],
            }
            yield (
                f"anomaly, {names}, {count} at {fast} and one at {slow} Mb/s",
                Stations(_ring(1 + count), theirs, ours, stop_s=41.0),
            )


def _captured() -> Iterator[tuple[str, Stations]]:
    """Yield cases of hidden stations in which one signal is much stronger than the other (capture)."""
    for margin in (None, 5.0):
        for near, far in ((10, 45), (15, 40), (20, 40)):
            theirs, ours = _a(6)
            if margin is not None:
                theirs["capture"] = margin
                ours["reception"] = {"kind": "sinr", "energy_detection": "-82dBm", "frame_capture": margin}
            yield (
                f"frame capture, hidden stations at {near} and {far} m, {f'{margin:g} dB' if margin else 'none'}",
                Stations(_line(0, -near, far), theirs, ours, offered_mbps=6.0, stop_s=31.0),
            )


def cases() -> Iterator[tuple[str, Stations]]:
    """Yield name and stations of every case."""
    for far in ((40, 40), (30, 45), (35, 42)):
        yield (
            f"hidden stations at {far[0]} and {far[1]} m, a, 6 Mb/s",
            Stations(_line(0, -far[0], far[1]), *_a(6), offered_mbps=6.0, stop_s=31.0),
        )
    for rate in (54, 24, 6):
        yield (
            f"walk from 5 to 55 m at 2 m/s, a, {rate} Mb/s",
            Stations(_line(0, 5), *_a(rate), speed=2.0, from_s=0.1, stop_s=25.0),
        )
    yield (
        "walk from 5 to 55 m at 2 m/s, n, MCS 7",
        Stations(_line(0, 5), *_n(7), offered_mbps=80.0, speed=2.0, from_s=0.1, stop_s=25.0),
    )
    yield from _unlike()
    yield from _captured()
    yield from _he()
    for name, manager, control, two in (
        ("ideal", "Ideal", "ideal", True),
        ("Minstrel-HT", "MinstrelHt", "minstrel-ht", True),
        ("ideal", "Ideal", "ideal", False),
        ("Minstrel", "Minstrel", "minstrel-ht", False),
    ):
        for distance in (10, 20, 30, 40, 50):
            theirs: dict[str, str | float] = {"manager": manager, "standard": "n" if two else "a"}
            if two:
                theirs["antennas"] = 2
            ours: Document = {"standard": "n", "mcs": 15} if two else {"standard": "a", "rate": "54Mbps"}
            ours["rate_control"] = {"kind": control}
            if control == "ideal":
                ours["rate_control"] |= {"target": 1e-6, "bytes": "1B"}
            yield (
                f"{'n, two streams' if two else 'a'}, {name}, {distance} m",
                Stations(
                    _line(0, distance),
                    theirs,
                    ours,
                    offered_mbps=150.0 if two else 40.0,
                    within=None if (name, distance) in UNLIKE else 0.05,
                ),
            )
    for count in (5, 10, 20):
        for lifetime_s, said in ((0.5, ""), (100.0, ", a lifetime of 100 s")):
            theirs, ours = _n(7)
            yield (
                f"n, MCS 7, A-MPDU without RTS, {count} stations{said}",
                Stations(
                    _ring(count),
                    {**theirs, "lifetime": lifetime_s},
                    {**ours, "lifetime": f"{lifetime_s}s"},
                    offered_mbps=80.0 / count,
                    stop_s=21.0,
                ),
            )


def build(folder: Path) -> Path:
    """Compile ns-3's program and return its path."""
    libraries = [f"-lns3-{module}" for module in MODULES]
    binary = folder / "stations"
    subprocess.run(
        ["g++", "-O2", "-Wl,--no-as-needed", str(PROGRAM), "-o", str(binary), *libraries], check=True
    )
    return binary


def recorded() -> dict[str, list[list[int]]]:
    """Return the recorded bytes of each station in each run, by name of the case."""
    return {row["case"]: row["bytes"] for row in json.loads(RECORDED.read_text("utf-8"))["runs"]}


def record(only: list[str]) -> None:
    """Run ns-3 and write the delivered bytes to the recording.

    All cases that are not recorded are run, or with `only` those whose names contain one of its words.
    """
    rows = recorded() if RECORDED.exists() else {}
    with tempfile.TemporaryDirectory() as name:
        binary = build(Path(name))
        for case, stations in cases():
            if case in rows if not only else not any(word in case for word in only):
                continue
            rows[case] = _runs(binary, stations)
            _write(rows)
            print(case, [sum(run) for run in rows[case]], flush=True)


def _runs(binary: Path, stations: Stations) -> list[list[int]]:
    """Return each station's delivered bytes, in runs with the first seeds at which ns-3 does not abort."""

    def run(seed: int) -> list[int]:
        command = ["nice", "-n", "5", str(binary), *stations.arguments(seed)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        return [] if done.returncode else [int(line) for line in done.stdout.split()]

    runs: list[list[int]] = []
    tried = 0
    with ThreadPoolExecutor(THREADS) as pool:
        while len(runs) < SEEDS:
            if tried > 4 * SEEDS:
                raise RuntimeError(f"ns-3 aborts at all but {len(runs)} of {tried} seeds")
            seeds = range(tried + 1, tried + 1 + SEEDS - len(runs))
            runs += filter(None, pool.map(run, seeds))
            tried = seeds.stop - 1
    return runs


def _write(rows: dict[str, list[list[int]]]) -> None:
    known = dict(cases())
    runs = [
        {"case": case, "arguments": known[case].arguments(0)[:-1], "bytes": runs}
        for case, runs in rows.items()
        if case in known
    ]
    about = (
        "Payload bytes of each station by run (seeds 1, 2, ..., without those at which ns-3 aborts): libns3.37 3.37-2 "
        "(Debian), validation/ns3/stations.cc."
    )
    lines = ",\n".join(json.dumps(run) for run in runs)
    RECORDED.write_text(f'{{"about": {json.dumps(about)},\n"runs": [\n{lines}\n]}}\n', "utf-8")


if __name__ == "__main__":
    record(sys.argv[1:])
