"""Runs ns-2 as a black box: writes a scenario in Tcl, runs it, and reads the results.

There are two families of scenarios: Fall and Floyd's single flow with listed drops, and dumbbells of any number of
flows. Plain dataclasses describe both, so that one description also builds ackclock's scenario
(`validation.scenarios`).
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

AGENTS: Mapping[str, str] = {
    "tahoe": "Agent/TCP",
    "reno": "Agent/TCP/Reno",
    "newreno": "Agent/TCP/Newreno",
    "sack": "Agent/TCP/Sack1",
    "fack": "Agent/TCP/Fack",
    "vegas": "Agent/TCP/Vegas",
}
"""ns-2's sender class for each of our variants."""

LINUX = "tcp-linux-"
"""Prefix of our TCP-Linux presets; the rest of their names is ns-2's name of the congestion control."""

SACK_SINKS = frozenset({"sack", "fack"})
"""Variants whose receiver sends SACK blocks."""

SETTINGS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "defaults": (),
    "K": (
        ("Agent/TCP", "minrto_", "1"),
        ("Agent/TCP", "precisionReduce_", "false"),
        ("Agent/TCP", "rtxcur_init_", "6.0"),
        ("Agent/TCP", "updated_rttvar_", "false"),
        ("Agent/TCP", "bugfix_ss_", "0"),
        ("Agent/TCP", "SetCWRonRetransmit_", "false"),
    ),
    "fallfloyd": (
        ("Agent/TCP", "minrto_", "1"),
        ("Agent/TCP", "precisionReduce_", "false"),
        ("Agent/TCP", "rtxcur_init_", "6.0"),
        ("Agent/TCP", "updated_rttvar_", "false"),
        ("Agent/TCP", "singledup_", "0"),
        ("Agent/TCP/Newreno", "newreno_changes1_", "0"),
        ("Agent/TCP/Newreno", "partial_window_deflation_", "0"),
    ),
}
"""Settings of agents by name, each as (class, variable, value). `SETTINGS` has ns-2.35's defaults, the reference's
setting K, and Fall and Floyd's settings."""


class Ns2Error(RuntimeError):
    """Raised if ns-2 is missing or fails."""


class Event(NamedTuple):
    """One line of a packet trace.

    Attributes:
        time_s: Time as printed, s; ns-2 rounds it to 1 us, the reference to 10 us.
        kind: One of send, enq, deq, recv, drop, acksent and ack.
        seq: Packet number; in an acknowledgment the highest packet received in order.
        bytes: Size on the wire, bytes.
        flow: Flow number.
        place: Link `a>b`, or node.
    """

    time_s: float
    kind: str
    seq: int
    bytes: int
    flow: int = 0
    place: str = ""

    def __str__(self) -> str:
        """Return the event as a line of a report."""
        what = f"{self.kind:<7} flow {self.flow} seq {self.seq:>6} {self.bytes:>5} B"
        return f"{self.time_s:.6f} {what} {self.place}"


class Change(NamedTuple):
    """One change of a window variable: time (s), variable (`cwnd` or `ssthresh`), new value (segments), and flow."""

    time_s: float
    variable: str
    value: float
    flow: int = 0


@dataclass(frozen=True)
class Bottleneck:
    """Fall and Floyd's path: rates, bit/s; delay of the bottleneck, ms; payload of a packet, bytes."""

    access_bps: int
    rate_bps: int
    delay_ms: float
    payload: int


FALL_FLOYD = Bottleneck(8_000_000, 800_000, 100.0, 1000)
BINARY = Bottleneck(2**23, 2**20, 93.75, 984)


@dataclass(frozen=True)
class FallFloyd:
    """One test of Fall and Floyd's scenario.

    Attributes:
        variant: Our name of the variant.
        drops: Numbers of the flow's packets that are lost on arrival at r1>k1, counted from 0 (the SYN).
        limited_transmit: True for the suite's `SA` form, with Limited Transmit.
        stop_s: End of the run, s.
        binary: True for rates, sizes and delays that are near Fall and Floyd's and give times that are sums of powers
            of two. Otherwise the rounding of ns-2's floating-point clock decides the order of simultaneous events.
        extra: Further agent settings, as (class, variable, value).
        packets: Number of data packets to send; 0 for an endless transfer.
        hold_s: Time for which the listed packets are delayed before the queue, s; with 0 they are lost.
    """

    variant: str
    drops: tuple[int, ...]
    limited_transmit: bool = False
    stop_s: float = 6.0
    binary: bool = False
    extra: tuple[tuple[str, str, str], ...] = ()
    packets: int = 0
    hold_s: float = 0.0

    @property
    def path(self) -> Bottleneck:
        """The path of the test."""
        return BINARY if self.binary else FALL_FLOYD

    @property
    def payload(self) -> int:
        """Payload of a packet, bytes; ns-2's Vegas sends no header, so on the binary path it has more payload."""
        return self.path.payload + (40 if self.binary and self.variant == "vegas" else 0)

    @property
    def name(self) -> str:
        """A readable name of the case."""
        kind = ("binary " if self.binary else "") + ("SA " if self.limited_transmit else "")
        drops = ",".join(map(str, self.drops)) or "none"
        size = f" of {self.packets}" if self.packets else ""
        return f"{kind}{self.variant} drops {drops}{size} to {self.stop_s:g} s"


@dataclass(frozen=True)
class Dumbbell:
    """Flows s_i - a - b - d_i over one bottleneck a>b.

    Attributes:
        variants: Our name of each flow's variant.
        starts_s: Start of each flow, s.
        rate_mbps: Bottleneck rate, Mb/s.
        delay_ms: Bottleneck delay, ms.
        queue: Packets that fit at a>b, including the one in transmission.
        stop_s: End of the run, s.
        access_mbps: Rate of the access links, Mb/s.
        access_delay_ms: Delay of the access links, ms.
        access_queue: Packets that fit in each queue of an access link.
        reverse_queue: Packets that fit at b>a.
        window: Maximum window, packets.
        setting: Name in `SETTINGS`.
        loss: Probability that a packet arriving at a>b is lost before the queue.
        drops: Numbers of the first flow's packets that are lost at a>b, counted from 0.
        seed: ns-2's seed; 0 leaves ns-2's default.
        packet: Payload of a packet, bytes.
        cbr_kbps: Rate of the CBR source that feeds each agent, kb/s; 0 for FTP.
        write: Size of each write of the CBR source, bytes.
        decrease: Factor by which a loss in congestion avoidance multiplies the window (decrease_num_).
        extra: Further agent settings, as (class, variable, value).
        packets: Number of data packets that each flow sends; 0 for endless transfers.
        red: True if the bottleneck's queue is RED (thresholds 5 and 15, weight 0.002, gentle) rather than drop-tail.
        ecn: True if the flows use ECN and the RED queue marks packets.
    """

    variants: tuple[str, ...]
    starts_s: tuple[float, ...]
    rate_mbps: float
    delay_ms: float
    queue: int
    stop_s: float
    access_mbps: float = 5.0
    access_delay_ms: float = 10.0
    access_queue: int = 50
    reverse_queue: int = 50
    window: int = 20
    setting: str = "defaults"
    loss: float = 0.0
    drops: tuple[int, ...] = ()
    seed: int = 0
    packet: int = 1000
    cbr_kbps: float = 0.0
    write: int = 1000
    decrease: float = 0.5
    extra: tuple[tuple[str, str, str], ...] = ()
    packets: int = 0
    red: bool = False
    ecn: bool = False


def seeded(case: Dumbbell, seed: int) -> Dumbbell:
    """Return the dumbbell with another seed of ns-2."""
    return replace(case, seed=seed)


@dataclass(frozen=True)
class FlowCounts:
    """Counters of an ns-2 sender: packets, of which `acked` leaves out a bare SYN; and timeouts, which Fack lacks."""

    sent: int
    retransmitted: int
    acked: int
    timeouts: int


@dataclass(frozen=True)
class Outcome:
    """Results of one ns-2 run."""

    events: list[Event] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    flows: list[FlowCounts] = field(default_factory=list)


def available() -> bool:
    """Return true if `ns` is installed."""
    return shutil.which("ns") is not None


def _settings(setting: str, extra: Sequence[tuple[str, str, str]]) -> list[str]:
    return [f"{agent} set {name} {value}" for agent, name, value in (*SETTINGS[setting], *extra)]


def _sender(variant: str, index: int, window: int) -> list[str]:
    linux = variant.startswith(LINUX)
    sink = "Agent/TCPSink/Sack1" if linux or variant in SACK_SINKS else "Agent/TCPSink"
    agent = "Agent/TCP/Linux" if linux else AGENTS[variant]
    return [
        f"set tcp({index}) [new {agent}]",
        *([f"$tcp({index}) select_ca {variant.removeprefix(LINUX)}"] if linux else []),
        f"$tcp({index}) set window_ {window}",
        f"$tcp({index}) set fid_ {index}",
        f"set sink({index}) [new {sink}]",
    ]


def _connect(index: int, source: str, destination: str) -> list[str]:
    return [
        f"$ns attach-agent ${source} $tcp({index})",
        f"$ns attach-agent ${destination} $sink({index})",
        f"$ns connect $tcp({index}) $sink({index})",
        f"set ftp({index}) [new Application/FTP]",
        f"$ftp({index}) attach-agent $tcp({index})",
    ]


def _begin(index: int, packets: int) -> str:
    """Return the Tcl that starts a flow: a transfer of `packets` packets, or an endless one if `packets` is 0."""
    return f"$ftp({index}) produce {packets}" if packets else f"$ftp({index}) start"


def _observe(index: int) -> list[str]:
    return [
        f"set windows({index}) [open windows.{index} w]",
        f"$tcp({index}) trace cwnd_",
        f"$tcp({index}) trace ssthresh_",
        f"$tcp({index}) attach $windows({index})",
    ]


def _listed(drops: Sequence[int], link: str, hold_s: float = 0.0) -> list[str]:
    """Return the Tcl that loses the listed packets of flow 0 on arrival at a link, or delays them by `hold_s`."""
    if not drops:
        return []
    return [
        "set module [new ErrorModule Fid]",
        f"[$ns link {link}] errormodule $module",
        "set losses [new ErrorModel/List]",
        *(
            ["$losses set drop_ false", "$losses set delay_pkt_ true", f"$losses set delay_ {hold_s!r}"]
            if hold_s
            else []
        ),
        f"$losses droplist {{{' '.join(map(str, sorted(drops)))}}}",
        "$module insert $losses",
        "$module bind $losses 0",
    ]


def fallfloyd_tcl(case: FallFloyd) -> str:
    """Return the Tcl of one Fall and Floyd test; the script writes the files `packets` and `windows.0`."""
    path = case.path
    lines = [
        "set ns [new Simulator]",
        "set packets [open packets w]",
        "$ns trace-all $packets",
        *_settings("fallfloyd", case.extra),
        f"Agent/TCP set packetSize_ {case.payload}",
        *(["Agent/TCP set singledup_ 1"] if case.limited_transmit else []),
        "set s1 [$ns node]",
        "set r1 [$ns node]",
        "set k1 [$ns node]",
        f"$ns duplex-link $s1 $r1 {path.access_bps} 0 DropTail",
        f"$ns duplex-link $r1 $k1 {path.rate_bps} {path.delay_ms / 1000!r} DropTail",
        "$ns queue-limit $r1 $k1 8",
        "$ns queue-limit $k1 $r1 8",
        *_sender(case.variant, 0, 28),
        *_connect(0, "s1", "k1"),
        *_observe(0),
    ]
    lines += _listed(case.drops, "$r1 $k1", case.hold_s)
    lines += [
        f'$ns at 1.0 "{_begin(0, case.packets)}"',
        f'$ns at {case.stop_s!r} "$ns flush-trace; close $packets; close $windows(0); exit 0"',
        "$ns run",
    ]
    return "\n".join(lines) + "\n"


def _finish(count: int) -> list[str]:
    """Return the Tcl that writes the senders' counters and ends the run."""
    return [
        "proc finish {} {",
        "  global ns tcp packets",
        # Write the counters to a file, since TCP-Linux's congestion controls may write to standard output.
        "  set counts [open counts w]",
        f"  for {{set i 0}} {{$i < {count}}} {{incr i}} {{",
        "    set t $tcp($i)",
        '    puts $counts "[$t set ndatapack_] [$t set nrexmitpack_] [$t set ack_] [$t set nrexmit_]"',
        "  }",
        "  close $counts",
        "  $ns flush-trace",
        "  exit 0",
        "}",
    ]


def _red(ecn: bool) -> list[str]:
    """Return the Tcl that sets RED in packets by Floyd's recommendations of 1997, with ns-2's `wait_`."""
    settings = {
        "thresh_": 5, "maxthresh_": 15, "q_weight_": 0.002, "linterm_": 10, "gentle_": "true", "adaptive_": 0,
        "bytes_": "false", "queue_in_bytes_": "false", "mean_pktsize_": 1000, "wait_": "true",
        "setbit_": "true" if ecn else "false",
    }  # fmt: skip
    agents = ["Agent/TCP set ecn_ 1", "Agent/TCP set old_ecn_ 0"] if ecn else []
    return [f"Queue/RED set {name} {value}" for name, value in settings.items()] + agents


def _link(case: Dumbbell) -> list[str]:
    """Return the Tcl of the bottleneck; the queue of the reverse direction is drop-tail."""
    rate, delay = f"{case.rate_mbps!r}Mb", f"{case.delay_ms!r}ms"
    if not case.red:
        return [f"$ns duplex-link $a $b {rate} {delay} DropTail"]
    return [
        f"$ns simplex-link $a $b {rate} {delay} RED",
        f"$ns simplex-link $b $a {rate} {delay} DropTail",
    ]


def dumbbell_tcl(case: Dumbbell, *, packets: bool, windows: bool) -> str:
    """Return the Tcl of a dumbbell; the script writes `counts`, and on request `packets` and `windows.i`."""
    count = len(case.variants)
    lines = ["set ns [new Simulator]"]
    if case.seed:
        lines.append(f"$defaultRNG seed {case.seed}")
    if packets:
        lines += ["set packets [open packets w]", "$ns trace-all $packets"]
    lines += [
        *_settings(case.setting, case.extra),
        f"Agent/TCP set packetSize_ {case.packet}",
        "set a [$ns node]",
        "set b [$ns node]",
        *(_red(case.ecn) if case.red else []),
        *_link(case),
        f"$ns queue-limit $a $b {case.queue}",
        f"$ns queue-limit $b $a {case.reverse_queue}",
    ]
    if case.loss > 0:
        lines += [
            "set losses [new ErrorModel]",
            "$losses unit pkt",
            f"$losses set rate_ {case.loss!r}",
            "$losses ranvar [new RandomVariable/Uniform]",
            "$losses drop-target [new Agent/Null]",
            "$ns lossmodel $losses $a $b",
        ]
    lines += _listed(case.drops, "$a $b")
    if case.decrease != 0.5:
        lines += ["Agent/TCP set windowOption_ 1", f"Agent/TCP set decrease_num_ {case.decrease!r}"]
    for i, variant in enumerate(case.variants):
        lines += [f"set s{i} [$ns node]", f"set d{i} [$ns node]"]
        for one, other in ((f"$s{i}", "$a"), ("$b", f"$d{i}")):
            lines += [
                f"$ns duplex-link {one} {other} {case.access_mbps!r}Mb {case.access_delay_ms!r}ms DropTail",
                f"$ns queue-limit {one} {other} {case.access_queue}",
                f"$ns queue-limit {other} {one} {case.access_queue}",
            ]
        lines += _sender(variant, i, case.window) + _connect(i, f"s{i}", f"d{i}")
        if case.cbr_kbps:
            lines += [
                f"set ftp({i}) [new Application/Traffic/CBR]",
                f"$ftp({i}) set packetSize_ {case.write}",
                f"$ftp({i}) set rate_ {case.cbr_kbps!r}kb",
                f"$ftp({i}) attach-agent $tcp({i})",
            ]
        if windows:
            lines += _observe(i)
        lines.append(f'$ns at {case.starts_s[i]!r} "{_begin(i, case.packets)}"')
    lines += [
        *_finish(count),
        f'$ns at {case.stop_s!r} "finish"',
        "$ns run",
    ]
    return "\n".join(lines) + "\n"


def execute(script: str, folder: Path) -> None:
    """Run a Tcl script with ns-2 in a folder.

    Raises:
        Ns2Error: If ns-2 is missing or fails.
    """
    if not available():
        raise Ns2Error("`ns` (ns-2) is not installed")
    (folder / "run.tcl").write_text(script, encoding="utf-8")
    done = subprocess.run(["ns", "run.tcl"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "error" in done.stderr.lower():
        raise Ns2Error(f"ns-2 failed ({done.returncode}): {(done.stderr or done.stdout)[-2000:]}")


_MARKS = {"+": "enq", "-": "deq", "r": "recv", "d": "drop"}


def _read_packets(
    path: Path, names: Sequence[str], sources: Sequence[str], sinks: Sequence[str], link: str = ""
) -> list[Event]:
    """Read a wired trace: events of every link (or only of `link`), and send, acksent and ack at the hosts."""
    events: list[Event] = []
    with path.open(encoding="ascii") as lines:
        for line in lines:
            mark, time, a, b, kind, size, _flags, fid, _src, _dst, seq, _uid = line.split()
            flow, number, length, when = int(fid), int(seq), int(size), float(time)
            head, tail = names[int(a)], names[int(b)]
            if mark == "+" and head == sources[flow] and kind != "ack":
                events.append(Event(when, "send", number, length, flow, head))
            if mark == "+" and head == sinks[flow] and kind == "ack":
                events.append(Event(when, "acksent", number, length, flow, head))
            place = f"{head}>{tail}"
            if not link or place == link:
                events.append(Event(when, _MARKS[mark], number, length, flow, place))
            if mark == "r" and tail == sources[flow] and kind == "ack":
                events.append(Event(when, "ack", number, length, flow, tail))
    return events


def _read_windows(folder: Path, flows: int) -> list[Change]:
    changes: list[Change] = []
    for flow in range(flows):
        for line in (folder / f"windows.{flow}").read_text(encoding="ascii").splitlines():
            columns = line.split()
            changes.append(Change(float(columns[0]), columns[5].rstrip("_"), float(columns[6]), flow))
    return sorted(changes, key=lambda change: change.time_s)


def run_fallfloyd(case: FallFloyd) -> Outcome:
    """Run one Fall and Floyd test; return events of r1>k1 and of the hosts, as the reference's traces have them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        execute(fallfloyd_tcl(case), folder)
        return Outcome(
            events=_read_packets(folder / "packets", ["s1", "r1", "k1"], ["s1"], ["k1"], "r1>k1"),
            changes=_read_windows(folder, 1),
        )


def run_dumbbell(case: Dumbbell, *, packets: bool = False, windows: bool = False) -> Outcome:
    """Run a dumbbell; return packet events and windows only on request, since they are many."""
    count = len(case.variants)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        execute(dumbbell_tcl(case, packets=packets, windows=windows), folder)
        flows: list[FlowCounts] = []
        for line in (folder / "counts").read_text(encoding="ascii").splitlines():
            sent, again, acked, timeouts = (int(float(x)) for x in line.split())
            # Packet 0 is a bare SYN and not counted; Vegas's packet 0 carries data, so it is counted.
            if case.variants[len(flows)] == "vegas":
                acked += 1
            flows.append(FlowCounts(sent, again, acked, timeouts))
        hosts = [f"{end}{i}" for i in range(count) for end in ("s", "d")]
        return Outcome(
            events=_read_packets(folder / "packets", ["a", "b", *hosts], hosts[0::2], hosts[1::2])
            if packets
            else [],
            changes=_read_windows(folder, count) if windows else [],
            flows=flows,
        )
