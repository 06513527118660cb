"""Compares the speed of ackclock and ns-2 on the same dumbbells: `make bench-peers`.

The cost is user CPU time per packet-hop (one data packet or ACK that crosses one link): a long run minus a short run
of the same scenario, divided by the difference in packet-hops. Each run has a process of its own; the tools take
turns; figures are medians of five. In each turn ackclock's scenario begins with another number of blanks, since places
in memory alone change the time of a build by some per cent. ns-2 runs in its best configuration: Splay scheduler and
unused packet headers removed. With 1 000 flows ns-2 has 100 flows on each host, because its routes alone take most of a
minute with one host per flow; ackclock has one host per flow.

Absolute figures hold for one machine on one day. Read the ratios.
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

from side_by_side import BLANKS, PROJECT, Builds, Spent, install, main, measure


@dataclass(frozen=True)
class Case:
    """A dumbbell with access links on both sides of one bottleneck, and the lengths of its runs.

    Flow i starts at i times `apart_ms`. If `ns2_flows_per_host` is 0, ns-2 is not measured. In place of the bottleneck
    stands a chain of `chain` links that have equal rates and queues, and together its delay of `delay_ms`.
    """

    name: str
    flows: int
    bottleneck_mbps: int
    access_mbps: int
    queue: int
    short_s: int
    long_s: int
    ns2_flows_per_host: int = 1
    apart_ms: float = 10
    chain: int = 1
    delay_ms: int = 10


# The short run ends after the last flow has started; the long run ends about 7 million
# packet-hops later.
CASES = (
    Case("A: 10 flows, 100 Mb/s", 10, 100, 1_000, 100, 10, 210),
    Case("B: 10 flows, 1 Gb/s", 10, 1_000, 10_000, 1_000, 5, 25),
    Case("C: 100 flows, 1 Gb/s", 100, 1_000, 10_000, 1_000, 5, 25),
    Case("C: 1 000 flows, 1 Gb/s", 1_000, 1_000, 10_000, 1_000, 15, 35, ns2_flows_per_host=100),
    Case("chain of 32 links: 10 flows, 100 Mb/s", 10, 100, 1_000, 100, 10, 42, chain=32, delay_ms=32),
    Case("10 000 flows, 10 Gb/s", 10_000, 10_000, 10_000, 10_000, 12, 14, ns2_flows_per_host=0, apart_ms=1),
    Case(
        "100 000 flows, 10 Gb/s", 100_000, 10_000, 10_000, 10_000, 12, 14, ns2_flows_per_host=0, apart_ms=0.1
    ),
)


def tcl(case: Case, duration_s: float, *, count: bool) -> str:
    """Return an ns-2 script that prints its peak memory, kB, and if `count` is True the packets that crossed links."""
    hosts = -(-case.flows // case.ns2_flows_per_host)
    return f"""
remove-all-packet-headers
add-packet-header IP TCP Flags
set ns [new Simulator]
$ns use-scheduler Splay
Agent/TCP set packetSize_ 1460
Agent/TCP set window_ 1000000
Agent set ttl_ 64
set links {{}}
proc wire {{a b rate delay queue}} {{
    global ns links
    $ns duplex-link $a $b $rate $delay DropTail
    $ns queue-limit $a $b $queue
    $ns queue-limit $b $a $queue
    lappend links $a $b $b $a
}}
set r(0) [$ns node]
for {{set k 1}} {{$k <= {case.chain}}} {{incr k}} {{
    set r($k) [$ns node]
    wire $r([expr $k - 1]) $r($k) {case.bottleneck_mbps}Mb {case.delay_ms / case.chain}ms {case.queue}
}}
for {{set h 0}} {{$h < {hosts}}} {{incr h}} {{
    set s($h) [$ns node]
    set d($h) [$ns node]
    wire $s($h) $r(0) {case.access_mbps}Mb 1ms 10000
    wire $r({case.chain}) $d($h) {case.access_mbps}Mb 1ms 10000
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
    $ns at [expr {case.apart_ms / 1000} * $i] "$ftp start"
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
    """Return the dumbbell as a scenario of ackclock; a flow with a start after the end starts at once."""
    bottleneck = {"rate": f"{case.bottleneck_mbps}Mbps", "delay": f"{case.delay_ms / case.chain}ms"}
    access = {
        "rate": f"{case.access_mbps}Mbps",
        "delay": "1ms",
        "queue": {"kind": "droptail", "packets": 10_000},
    }
    links: list[dict[str, object]] = [
        {
            "between": [f"r{k}", f"r{k + 1}"],
            **bottleneck,
            "queue": {"kind": "droptail", "packets": case.queue},
        }
        for k in range(case.chain)
    ]
    flows = []
    for i in range(case.flows):
        links += [{"between": [f"s{i}", "r0"], **access}, {"between": [f"r{case.chain}", f"d{i}"], **access}]
        tcp = {"variant": "sack+reno", "profile": "rfc"}
        start = f"{case.apart_ms * i:.6g}ms" if case.apart_ms * i < 1000 * duration_s else "0s"
        flows.append({"from": f"s{i}", "to": f"d{i}", "start": start, "traffic": {"kind": "ftp"}, "tcp": tcp})
    return json.dumps({"duration": f"{duration_s}s", "seed": 1, "link": links, "flow": flows})


def child(path: str) -> None:
    """Run one scenario, or for `-` only import ackclock; print peak memory, kB, and the packets that crossed links."""
    from ackclock import _core

    summary = '{"links": []}' if path == "-" else _core.run(Path(path).read_text()).summary
    status = Path("/proc/self/status").read_text().split()
    # Packets are counted after the measured run, since counting is the benchmark's own work; so are ns-2's.
    hops = sum(link["sent_packets"] for link in json.loads(summary)["links"])
    print(status[status.index("VmHWM:") + 1], hops)


@dataclass
class Row:
    """Results of one case: those of ns-2 if it is measured, then those of each build of ackclock."""

    case: Case
    programs: tuple[str, ...]
    ns_per_hop: tuple[float, ...]
    grown_mb: tuple[float, ...]
    setup_s: tuple[float, ...]


def _peak_mb(spent: Spent) -> float:
    # ns-2 may print messages before the last two words.
    return int(spent.words[-2]) / 1024


def bench(case: Case, folder: Path, reps: int, builds: Builds) -> Row:
    """Measure one case with ns-2 and with each build of ackclock."""
    # The setup run is so short that it only builds the network.
    lengths_s = {"setup": 0.001, "short": case.short_s, "long": case.long_s, "idle": None}
    ours = [sys.executable, str(Path(__file__).resolve()), "--child"]
    programs = (*(("ns-2",) if case.ns2_flows_per_host else ()), *builds)
    commands: dict[str, dict[str, list[str]]] = {}
    for name, duration_s in lengths_s.items():
        script, document = folder / f"{name}.tcl", folder / f"{name}.json"
        if "ns-2" in programs:
            script.write_text(IDLE_TCL if duration_s is None else tcl(case, duration_s, count=False))
        own = [*ours, "-" if duration_s is None else str(document)]
        commands[name] = {program: ["ns", str(script)] if program == "ns-2" else own for program in programs}

    taken: dict[tuple[str, str], list[Spent]] = {}
    counted = {}
    for turn in range(reps):
        for name, each in commands.items():
            duration_s = lengths_s[name]
            if duration_s is not None:
                (folder / f"{name}.json").write_text(" " * (turn * BLANKS) + scenario(case, duration_s))
            for program, command in each.items():
                spent = measure(command, builds.get(program))
                taken.setdefault((name, program), []).append(spent)
                counted[name, program] = int(spent.words[-1])
    # ns-2's monitors cost time, so separate runs count its packets.
    for name in ("short", "long") if "ns-2" in programs else ():
        script = folder / "count.tcl"
        script.write_text(tcl(case, lengths_s[name] or 0.0, count=True))
        counted[name, "ns-2"] = int(measure(["ns", str(script)]).words[-1])

    def median(name: str, program: str, what: Callable[[Spent], float]) -> float:
        return statistics.median([what(spent) for spent in taken[name, program]])

    cpu_s, wall_s = attrgetter("cpu_s"), attrgetter("wall_s")

    def ns_per_hop(program: str) -> float:
        seconds = median("long", program, cpu_s) - median("short", program, cpu_s)
        return 1e9 * seconds / (counted["long", program] - counted["short", program])

    return Row(
        case,
        programs,
        tuple(ns_per_hop(program) for program in programs),
        tuple(median("long", program, _peak_mb) - median("idle", program, _peak_mb) for program in programs),
        tuple(median("setup", program, wall_s) for program in programs),
    )


def table(rows: list[Row]) -> str:
    """Return the results as a Markdown table."""
    lines = [
        "| case | program | ns per packet-hop | **times ns-2's packet-hops per CPU second** "
        "| memory grown, MB | start and set-up, s |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        for i, program in enumerate(row.programs):
            hosts = row.case.ns2_flows_per_host
            name = f"{program} ({hosts} flows per host)" if program == "ns-2" and hosts > 1 else program
            times = f"**{row.ns_per_hop[0] / row.ns_per_hop[i]:.1f}**" if row.programs[0] == "ns-2" else ""
            lines.append(
                f"| {row.case.name} | {name} | {row.ns_per_hop[i]:.1f} | {times if i else ''} "
                f"| {row.grown_mb[i]:.1f} | {row.setup_s[i]:.2f} |"
            )
    dumbbells = [row for row in rows if row.case.chain == 1]
    own = {row.case.flows: dict(zip(row.programs, row.ns_per_hop, strict=True)) for row in dumbbells}
    few = own.get(CASES[1].flows, {})
    for flows, costs in own.items():
        if flows < 1_000:
            continue
        many = f"{flows:_}".replace("_", " ")
        lines += ["", f"A packet-hop at {many} flows, in multiples of one at 10 flows and 1 Gb/s:", ""]
        lines += [
            f"- {build}: {cost / few[build]:.1f}"
            for build, cost in costs.items()
            if build in few and build != "ns-2"
        ]
    return "\n".join(lines) + "\n"


def page(table: str, reps: int) -> str:
    """Return the text of `docs/explanation/speed.md`."""
    return f"""# Speed beside ns-2

Written by `make bench-peers ARGS=--write`: ackclock (profile `rfc`, `sack+reno`) and ns-2.35 (Sack1, DelAck)
on the same dumbbells in one session on one machine. The CPU time is the user time of a long run minus that of a
short run of the same scenario, each in a process of its own. The programs take turns; the table has medians of
{reps} turns, each with another number of blanks before ackclock's scenario, so that places in memory are not always
the same. A packet-hop is one data packet or ACK that crosses one link; each tool counts its own. Times in ns
hold for that machine and that day only, and vary by a tenth and more between turns. Read the ratios.

ackclock is the build that `make build` makes, with thin LTO. A row with another name is a further build of ours
(`--beside`): `wheel` is what `make wheel` makes, as released and optimized by a profile of what users run.

ns-2 is in its best configuration: Splay scheduler, all packet headers but IP, TCP and Flags removed. The wire size
is 1 500 B, with delayed acknowledgments. Flow i starts at 0.01 i s; of 10 000 and 100 000 flows the last starts after
10 s. Access links have 1 ms, the bottleneck has 10 ms (32 links of 1 ms each in the chain). Its queue holds 100 packets
in A, 1 000 in B and C, and 100 on each link of the chain. Memory is the peak of the long run minus that of an idle
process. Start and set-up is the elapsed time of a run of 1 ms.

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
