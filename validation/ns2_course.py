"""Runs the course experiment in ns-2: one TCP flow against a CBR stream, on the published links or on others."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from validation.ns2 import AGENTS

SCRIPT = """\
set ns [new Simulator]
set trace [open packets w]
foreach i {1 2 3 4 5 6} { set n($i) [$ns node] }
foreach {a b} {1 2  2 3  3 4  2 5  3 6} { $ns duplex-link $n($a) $n($b) %(rate)s %(delay)s DropTail }
$ns queue-limit $n(2) $n(3) 50
$ns trace-queue $n(2) $n(3) $trace
set tcp [new %(agent)s]
$tcp set window_ 100
$tcp set packetSize_ 1000
$tcp set fid_ 1
set sink [new Agent/TCPSink]
$ns attach-agent $n(1) $tcp
$ns attach-agent $n(4) $sink
$ns connect $tcp $sink
set ftp [new Application/FTP]
$ftp attach-agent $tcp
set udp [new Agent/UDP]
set null [new Agent/Null]
$ns attach-agent $n(2) $udp
$ns attach-agent $n(3) $null
$ns connect $udp $null
$udp set fid_ 2
set cbr [new Application/Traffic/CBR]
$cbr attach-agent $udp
$cbr set packet_size_ 210
$cbr set rate_ %(cbr)dmb
$ns at 0 "$cbr start"
$ns at %(start)s "$ftp start"
$ns at [expr %(start)s + 29.5] "$ftp stop"
$ns at [expr %(start)s + 30] "$ns flush-trace; close $trace; exit 0"
$ns run
"""


class Result(NamedTuple):
    """TCP's throughput as the published table defines it, Mb/s, and its dropped packets."""

    mbps: float
    drops: int


def run(agent: str, cbr_mbps: int, start_s: float, rate: str = "10Mb", delay: str = "10ms") -> Result:
    """Run one cell in ns-2."""
    given = {"agent": AGENTS[agent], "cbr": cbr_mbps, "start": start_s, "rate": rate, "delay": delay}
    with tempfile.TemporaryDirectory(prefix="ackclock-ns2-") as folder:
        (Path(folder) / "course.tcl").write_text(SCRIPT % given, encoding="ascii")
        subprocess.run(["ns", "course.tcl"], cwd=folder, check=True, capture_output=True)
        received, size, drops = [], 0, 0
        with (Path(folder) / "packets").open(encoding="ascii") as lines:
            for line in lines:
                event, time, _, _, _, wire, _, flow, *_ = line.split()
                if flow == "1" and event == "r":
                    received.append(float(time))
                    size += int(wire)
                elif flow == "1" and event == "d":
                    drops += 1
    return Result(8 * size / (received[-1] - received[0] - 0.2) / 1e6, drops)
