"""ackclock and ns-2 side by side on the same dumbbells: `make bench-peers`.

User CPU time of a long run less that of a short run of the same scenario, each in a process of its own, the
two tools by turns, medians of five; per packet-hop (one data packet or ACK that crosses one link). ns-2 runs
in its best configuration: Splay scheduler, unused packet headers removed, and, with 1 000 flows, 100 of them
on each host (with a host for each flow it needs most of a minute just for its routes); ackclock has a host
for each flow.

Absolute figures hold for one machine on one day; the ratios are what to read.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from side_by_side import PROJECT, Spent, install, main, measure


@dataclass(frozen=True)
class Case:
    """A dumbbell: access links on both sides of one bottleneck, and how long to run it."""

    name: str
    flows: int
    bottleneck_mbps: int
    access_mbps: int
    queue: int
    short_s: int
    long_s: int
    ns2_flows_per_host: int = 1


# The short run ends after the last flow's start (flow i starts at 0.01 i s), the long one some 7 million
# packet-hops later.
CASES = (
    Case("A: 10 flows, 100 Mb/s", 10, 100, 1_000, 100, 10, 210),
    Case("B: 10 flows, 1 Gb/s", 10, 1_000, 10_000, 1_000, 5, 25),
    Case("C: 100 flows, 1 Gb/s", 100, 1_000, 10_000, 1_000, 5, 25),
    Case("C: 1 000 flows, 1 Gb/s", 1_000, 1_000, 10_000, 1_000, 15, 35, ns2_flows_per_host=100),
)


def tcl(case: Case, duration_s: float, *, count: bool) -> str:
    """An ns-2 script that prints its peak memory in kB and, where `count`, the packets that crossed links."""
    hosts = -(-case.flows // case.ns2_flows_per_host)
    return f"""
remove-all-packet-headers
add-packet-header IP TCP Flags
set ns [new Simulator]
$ns use-scheduler Splay
Agent/TCP set packetSize_ 1460
Agent/TCP set window_ 1000000
set links {{}}
proc wire {{a b rate delay queue}} {{
    global ns links
    $ns duplex-link $a $b $rate $delay DropTail
    $ns queue-limit $a $b $queue
    $ns queue-limit $b $a $queue
    lappend links $a $b $b $a
}}
set r0 [$ns node]
set r1 [$ns node]
wire $r0 $r1 {case.bottleneck_mbps}Mb 10ms {case.queue}
for {{set h 0}} {{$h < {hosts}}} {{incr h}} {{
    set s($h) [$ns node]
    set d($h) [$ns node]
    wire $s($h) $r0 {case.access_mbps}Mb 1ms 10000
    wire $r1 $d($h) {case.access_mbps}Mb 1ms 10000
}}
for {{set i 0}} {{$i < {case.flows}}} {{incr i}} {{
    set h [expr $i / {case.ns2_flows_per_host}]
    set tcp [new Agent/TCP/Sack1]
    set sink [new Agent/TCPSink/Sack1/DelAck]
    $tcp set fid_ $i
    $ns attach-agent $s($h) $tcp
    $ns attach-agent $d($h) $sink
    $ns connect $tcp $sink
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp
    $ns at [expr 0.01 * $i] "$ftp start"
}}
if {{{int(count)}}} {{
    set null [open /dev/null w]
    foreach {{a b}} $links {{ lappend monitors [$ns monitor-queue $a $b $null] }}
}}
proc finish {{}} {{
    global monitors
    set hops 0
    if {{{int(count)}}} {{ foreach m $monitors {{ set hops [expr $hops + [$m set pdepartures_]] }} }}
    set status [open /proc/self/status]
    regexp {{VmHWM:\\s+(\\d+)}} [read $status] -> peak
    puts "$peak $hops"
    exit 0
}}
$ns at {duration_s} "finish"
$ns run
"""


IDLE_TCL = """
set status [open /proc/self/status]
regexp {VmHWM:\\s+(\\d+)} [read $status] -> peak
puts "$peak 0"
exit 0
"""


def scenario(case: Case, duration_s: float) -> str:
    """The same dumbbell as ackclock's document; flows that would start after its end start at once."""
    bottleneck = {"rate": f"{case.bottleneck_mbps}Mbps", "delay": "10ms"}
    access = {
        "rate": f"{case.access_mbps}Mbps",
        "delay": "1ms",
        "queue": {"kind": "droptail", "packets": 10_000},
    }
    links: list[dict[str, object]] = [
        {"between": ["r0", "r1"], **bottleneck, "queue": {"kind": "droptail", "packets": case.queue}}
    ]
    flows = []
    for i in range(case.flows):
        links += [{"between": [f"s{i}", "r0"], **access}, {"between": ["r1", f"d{i}"], **access}]
        tcp = {"variant": "sack+reno", "profile": "rfc"}
        start = f"{10 * i}ms" if 0.01 * i < duration_s else "0s"
        flows.append({"from": f"s{i}", "to": f"d{i}", "start": start, "traffic": {"kind": "ftp"}, "tcp": tcp})
    return json.dumps({"duration": f"{duration_s}s", "seed": 1, "link": links, "flow": flows})


def child(path: str) -> None:
    """Runs one document, or only imports; prints peak memory in kB and the packets that crossed all links."""
    from ackclock import _core

    summary = '{"links": []}' if path == "-" else _core.run(Path(path).read_text()).summary
    status = Path("/proc/self/status").read_text().split()
    # Counting is the bench's own: as in ns-2, no part of what the run took.
    hops = sum(link["sent_packets"] for link in json.loads(summary)["links"])
    print(status[status.index("VmHWM:") + 1], hops)


@dataclass
class Row:
    """One case: ns per packet-hop, MB grown over the idle process, set-up in s; ns-2 first, then ours."""

    case: Case
    ns_per_hop: tuple[float, float]
    grown_mb: tuple[float, float]
    setup_s: tuple[float, float]

    @property
    def ratio(self) -> float:
        """How many times ns-2's packet-hops per CPU second ours are."""
        return self.ns_per_hop[0] / self.ns_per_hop[1]


def _peak_mb(spent: Spent) -> float:
    # ns-2 may say things of its own before.
    return int(spent.words[-2]) / 1024


def bench(case: Case, folder: Path, reps: int) -> Row:
    """Measures one case."""
    # So short that building the network is all there is.
    nothing_s = 0.001
    ours = [sys.executable, str(Path(__file__).resolve()), "--child"]
    commands: dict[str, tuple[list[str], list[str]]] = {}
    for name, duration_s in (("setup", nothing_s), ("short", case.short_s), ("long", case.long_s)):
        script, document = folder / f"{name}.tcl", folder / f"{name}.json"
        script.write_text(tcl(case, duration_s, count=False))
        document.write_text(scenario(case, duration_s))
        commands[name] = (["ns", str(script)], [*ours, str(document)])
    idle_script = folder / "idle.tcl"
    idle_script.write_text(IDLE_TCL)
    commands["idle"] = (["ns", str(idle_script)], [*ours, "-"])

    taken: dict[str, tuple[list[Spent], list[Spent]]] = {name: ([], []) for name in commands}
    counted = {}
    for _ in range(reps):
        for name, pair in commands.items():
            for tool, command in enumerate(pair):
                spent = measure(command)
                taken[name][tool].append(spent)
                counted[name, tool] = int(spent.words[-1])
    # ns-2's monitors cost time, so its packets are counted in runs of their own.
    for name, duration_s in (("short", case.short_s), ("long", case.long_s)):
        script = folder / "count.tcl"
        script.write_text(tcl(case, duration_s, count=True))
        counted[name, 0] = int(measure(["ns", str(script)]).words[-1])

    def median(name: str, tool: int, what: Callable[[Spent], float]) -> float:
        return statistics.median([what(spent) for spent in taken[name][tool]])

    cpu_s, wall_s = attrgetter("cpu_s"), attrgetter("wall_s")

    def ns_per_hop(tool: int) -> float:
        seconds = median("long", tool, cpu_s) - median("short", tool, cpu_s)
        return 1e9 * seconds / (counted["long", tool] - counted["short", tool])

    def grown_mb(tool: int) -> float:
        return median("long", tool, _peak_mb) - median("idle", tool, _peak_mb)

    return Row(
        case,
        (ns_per_hop(0), ns_per_hop(1)),
        (grown_mb(0), grown_mb(1)),
        (median("setup", 0, wall_s), median("setup", 1, wall_s)),
    )


def table(rows: list[Row]) -> str:
    """The result as Markdown."""
    lines = [
        "| case | ns-2: ns per packet-hop | ackclock | **times ns-2's packet-hops per CPU second** "
        "| memory grown, MB: ns-2 | ackclock | start and set-up, s: ns-2 | ackclock |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        per_host = row.case.ns2_flows_per_host
        shared = f" (ns-2: {per_host} flows per host)" if per_host > 1 else ""
        cpu, grown, setup = row.ns_per_hop, row.grown_mb, row.setup_s
        lines.append(
            f"| {row.case.name}{shared} | {cpu[0]:.0f} | {cpu[1]:.1f} | **{row.ratio:.1f}** "
            f"| {grown[0]:.1f} | {grown[1]:.1f} | {setup[0]:.2f} | {setup[1]:.2f} |"
        )
    by_name = {row.case.name: row for row in rows}
    ten, thousand = by_name.get(CASES[1].name), by_name.get(CASES[3].name)
    if ten and thousand:
        times = thousand.ns_per_hop[1] / ten.ns_per_hop[1]
        lines += [
            "",
            f"A packet-hop at 1 000 flows costs ackclock {times:.2f} times one at 10 (case C against B).",
        ]
    return "\n".join(lines) + "\n"


def page(table: str, reps: int) -> str:
    """`docs/explanation/speed.md`."""
    return f"""# Speed beside ns-2

Written by `make bench-peers ARGS=--write`: ackclock (profile `rfc`, `sack+reno`) and ns-2.35 (Sack1, DelAck)
on the same dumbbells in one session on one machine. User CPU time of a long run less that of a short run of
the same scenario, each in a process of its own, by turns, medians of {reps}. A packet-hop is one data packet
or ACK that crosses one link; each tool counts its own. Times in ns hold for that machine and that day only;
read the ratios.

ns-2 is in its best configuration: Splay scheduler, all packet headers but IP, TCP and Flags removed. Wire
size 1 500 B, delayed acknowledgments; flow i starts at 0.01 i s; access links of 1 ms, a bottleneck of 10 ms;
queue of 100 packets in A, 1 000 in B and C. Memory is the peak of the long run less that of an idle process.
Start and set-up is the elapsed time of a run of 1 ms.

{table}"""


if __name__ == "__main__":
    main(
        __doc__ or "",
        CASES,
        5,
        PROJECT / "docs" / "explanation" / "speed.md",
        prepare=lambda: install("ns-2", "ns2", lambda: shutil.which("ns") is not None),
        child=child,
        bench=bench,
        table=table,
        page=page,
    )
