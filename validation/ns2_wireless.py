"""Radio networks for which ns-2 is run here: saturated stations around a sink, and TCP over a chain of hops."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from validation import ns2
from validation.scenarios import Document

OFDM = """
Mac/802_11 set basicRate_ 6Mb
Mac/802_11 set PLCPDataRate_ 6Mb
Mac/802_11 set PreambleLength_ 96
Mac/802_11 set PLCPHeaderLength_ 24
Mac/802_11 set SlotTime_ 0.000009
Mac/802_11 set SIFS_ 0.000016
Mac/802_11 set CWMin_ 15
"""
"""Tcl that sets ns-2's MAC to 802.11a: 20 us of preamble, slot, SIFS and contention window."""
RADIO = """
set topography [new Topography]
$topography load_flatgrid 3000 300
$ns node-config -adhocRouting {routing} -llType LL -macType Mac/802_11 -ifqType Queue/DropTail/PriQueue -ifqLen 50 \\
    -antType Antenna/OmniAntenna -propType Propagation/TwoRayGround -phyType Phy/WirelessPhy \\
    -channel [new Channel/WirelessChannel] -topoInstance $topography \\
    -agentTrace OFF -routerTrace OFF -macTrace OFF -movementTrace OFF
"""
BEGIN = """
ns-random {seed}
set ns [new Simulator]
$ns trace-all [open /dev/null w]
Mac/802_11 set dataRate_ {rate}Mb
Mac/802_11 set basicRate_ 1Mb
create-god {stations}
"""
NODE = """
set node({i}) [$ns node]
$node({i}) random-motion 0
$node({i}) set X_ {x!r}; $node({i}) set Y_ {y!r}; $node({i}) set Z_ 0
"""
SENDER = """
set udp({i}) [new Agent/UDP]; $udp({i}) set packetSize_ {size}
set sink({i}) [new Agent/LossMonitor]
$ns attach-agent $node({i}) $udp({i}); $ns attach-agent $node(0) $sink({i}); $ns connect $udp({i}) $sink({i})
set cbr({i}) [new Application/Traffic/CBR]; $cbr({i}) set packetSize_ {size}; $cbr({i}) set rate_ {mbps!r}Mb
$cbr({i}) attach-agent $udp({i}); $ns at {start!r} "$cbr({i}) start"
"""
TRANSFER = """
set tcp [new Agent/TCP/Newreno]; $tcp set packetSize_ 1000; $tcp set window_ {window}
set sink [new Agent/TCPSink]
$ns attach-agent $node(0) $tcp; $ns attach-agent $node({last}) $sink; $ns connect $tcp $sink
set ftp [new Application/FTP]; $ftp attach-agent $tcp
$ns at {start!r} "$ftp start"
"""
END = """
proc finish {{}} {{ global {names}; set out [open counts w]; {report}; close $out; exit 0 }}
$ns at {stop!r} finish
$ns run
"""


@dataclass(frozen=True)
class Saturated:
    """Saturated stations on a circle of 5 m around a sink.

    Attributes:
        stations: Number of senders.
        bytes: Size of a datagram as handed to the MAC, bytes.
        rate_mbps: Data rate, Mb/s. Other frames use 1 Mb/s, or 6 Mb/s in 802.11a.
        from_s: Start of the measurement, s; it leaves out ns-2's ARP requests in the first seconds.
        stop_s: End of the run, s.
        rts: True if an RTS precedes each datagram.
        standard: "b" or "a"; for "a" ns-2's MAC gets the values of 802.11a.
    """

    stations: int
    bytes: int
    rate_mbps: int = 11
    from_s: float = 5.0
    stop_s: float = 25.0
    rts: bool = True
    standard: str = "b"

    @property
    def rts_threshold(self) -> int:
        """RTS threshold in both programs, bytes."""
        return 0 if self.rts else 3000

    @property
    def places(self) -> list[tuple[float, float]]:
        """Positions of the sink and of the stations on a circle around it, m; all coordinates are whole metres."""
        around = [(5, 0), (0, 5), (-5, 0), (0, -5), (3, 4), (-3, 4), (-3, -4), (3, -4), (4, 3), (-4, 3)]
        return [(50.0, 50.0), *((50.0 + x, 50.0 + y) for x, y in around[: self.stations])]

    @property
    def offered_mbps(self) -> float:
        """Offered load of each station, Mb/s; the sum over the stations exceeds the capacity."""
        return (9.0 if self.standard == "b" else 40.0) / self.stations

    def tcl(self, seed: int) -> str:
        """Return the Tcl script for ns-2."""
        senders = range(1, self.stations + 1)
        report = "; ".join(f"puts $out [$sink({i}) set bytes_]" for i in senders)
        forget = "; ".join(f"$sink({i}) set bytes_ 0" for i in senders)
        return "".join(
            [
                BEGIN.format(seed=seed, rate=self.rate_mbps, stations=self.stations + 1),
                OFDM if self.standard == "a" else "",
                f"Mac/802_11 set RTSThreshold_ {self.rts_threshold}\n",
                RADIO.format(routing="DumbAgent"),
                *(NODE.format(i=i, x=x, y=y) for i, (x, y) in enumerate(self.places)),
                *(
                    SENDER.format(i=i, size=self.bytes, mbps=self.offered_mbps, start=0.01 * i)
                    for i in senders
                ),
                f'$ns at {self.from_s!r} "{forget}"\n',
                END.format(names="sink", report=report, stop=self.stop_s),
            ]
        )

    def document(self, stop_s: float) -> Document:
        """Return the same scenario for ackclock, ending at `stop_s`."""
        names = [f"n{i}" for i in range(self.stations + 1)]
        traffic = {
            "kind": "cbr",
            "rate": f"{self.offered_mbps * 1e6:.0f}bps",
            "packet": f"{self.bytes}B",
            "header": "0B",
        }
        return {
            "duration": f"{stop_s}s",
            "node": _nodes(self.places),
            "wifi": [
                _wifi(names, f"{self.rate_mbps}Mbps", self.standard)
                | {"rts_threshold": f"{self.rts_threshold}B"}
            ],
            "flow": [
                {"from": name, "to": "n0", "start": f"{10 * i}ms", "traffic": traffic}
                for i, name in enumerate(names)
                if i
            ],
        }


@dataclass(frozen=True)
class Chain:
    """NewReno over a chain of hops of 200 m with DSDV, at 2 Mb/s.

    Attributes:
        hops: Number of hops.
        window: Maximum window, segments of 1000 B.
        start_s: Start of the transfer, s.
        lasts_s: Duration of the transfer, s.
    """

    hops: int
    window: int = 32
    start_s: float = 200.0
    lasts_s: float = 100.0

    @property
    def places(self) -> list[tuple[float, float]]:
        """Positions of the stations, m."""
        return [(10.0 + 200.0 * i, 100.0) for i in range(self.hops + 1)]

    def tcl(self, seed: int) -> str:
        """Return the Tcl script for ns-2."""
        return "".join(
            [
                BEGIN.format(seed=seed, rate=2, stations=self.hops + 1),
                RADIO.format(routing="DSDV"),
                *(NODE.format(i=i, x=x, y=y) for i, (x, y) in enumerate(self.places)),
                TRANSFER.format(window=self.window, last=self.hops, start=self.start_s),
                END.format(
                    names="tcp",
                    report="puts $out [expr 1000 * [$tcp set ack_]]",
                    stop=self.stop_s,
                ),
            ]
        )

    @property
    def from_s(self) -> float:
        """Start of the measurement, s."""
        return 0.0

    @property
    def stop_s(self) -> float:
        """End of the run, s."""
        return self.start_s + self.lasts_s

    def document(self, stop_s: float) -> Document:
        """Return the same scenario for ackclock, ending at `stop_s`."""
        names = [f"n{i}" for i in range(self.hops + 1)]
        tcp = {
            "variant": "newreno",
            "profile": "ns2",
            "segment": "1000B",
            # A packet's headers of 40 B include an IP header, but ns-2's DSDV adds another one.
            "header": "60B",
            "ack_size": "60B",
            "syn_size": "60B",
            "receive_window": f"{self.window}000B",
        }
        flow = {"from": "n0", "to": names[-1], "start": f"{self.start_s}s", "tcp": tcp}
        return {
            "duration": f"{stop_s}s",
            "node": _nodes(self.places),
            "wifi": [_wifi(names, "2Mbps") | {"routing": {"kind": "dsdv"}}],
            "flow": [flow],
        }


def run(case: Saturated | Chain, seed: int) -> int:
    """Run ns-2 on a case and return the bytes delivered."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ns2.execute(case.tcl(seed), folder)
        return sum(int(float(line)) for line in (folder / "counts").read_text("ascii").split())


def _nodes(places: list[tuple[float, float]]) -> list[Document]:
    return [{"name": f"n{i}", "position": [x, y]} for i, (x, y) in enumerate(places)]


def _wifi(names: list[str], rate: str, standard: str = "b") -> Document:
    control = "1Mbps" if standard == "b" else "6Mbps"
    return {"standard": standard, "profile": "ns2", "rate": rate, "control_rate": control, "stations": names}
