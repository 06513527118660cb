"""Types of the extension module with the simulator, which is written in Rust. Private: use the names of `ackclock`."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Literal, Self, final

from typing_extensions import disjoint_base

__all__ = [
    "CONTRACT_VERSION",
    "QUIC_PACKET_BYTES",
    "AckSample",
    "Arrival",
    "ArrowTable",
    "Brought",
    "Control",
    "ControlError",
    "EmulationReport",
    "FlowState",
    "LinkState",
    "LossSample",
    "RateSample",
    "RunResult",
    "ScenarioError",
    "Simulation",
    "Stream",
    "__version__",
    "bits_per_second",
    "catalogue",
    "catalogue_kinds",
    "cbrt",
    "check",
    "describe",
    "empty_table",
    "emulate",
    "exp",
    "file_traces",
    "free_memory",
    "log",
    "most_kept",
    "own_control",
    "pilot",
    "power",
    "read_files",
    "result_tables",
    "run",
    "run_many",
    "scenario_hash",
    "seconds",
    "size_bytes",
]

__version__: str
"""Version of the simulator, on which the results of a run depend."""

class ScenarioError(ValueError):
    """A problem with a scenario.

    ``str(error)`` gives path, line, given value and allowed values in a few lines.
    """

    path: str
    """Path of the setting, such as ``flow.0.tcp.variant``; empty for the scenario as a whole."""
    given: str
    """The given value in TOML; empty if there is none."""
    allowed: str
    """The allowed values; empty if the message is enough."""
    nearest: str | None
    """The valid name most similar to the given one; None if none is similar."""
    line: int | None
    """Line of the file, from 1, if the scenario came from text."""
    more: tuple[ScenarioError, ...]
    """Further problems of the same scenario."""

class ControlError(ValueError):
    """A user-defined congestion control broke the contract or raised an exception.

    ``str(error)`` names the simulated time, the method and the line in the control's source. An exception that the
    control raised is the error's ``__cause__``.
    """

QUIC_PACKET_BYTES: int
"""Size of a full QUIC packet on the wire, bytes, once path MTU discovery is complete."""

CONTRACT_VERSION: int
"""Version of the contract between connections and congestion controls."""

@final
class EmulationReport:
    """The account of an emulation, besides its results."""

    @property
    def ending(self) -> str:
        """Reason of the end: ``"duration"``, ``"command"`` or ``"stopped"``."""
    @property
    def packets(self) -> int:
        """Number of packets written to the devices."""
    @property
    def late_packets(self) -> int:
        """Number of packets that were late by more than the bound."""
    @property
    def kept_up(self) -> bool:
        """True if at most one packet in a hundred was late by more than the bound."""
    @property
    def lateness_p50_s(self) -> float | None:
        """Median lateness of the packets, seconds; None without packets."""
    @property
    def lateness_p99_s(self) -> float | None:
        """99th percentile of the packets' lateness, seconds; None without packets."""
    @property
    def lateness_max_s(self) -> float | None:
        """Greatest lateness of a packet, seconds; None without packets."""
    @property
    def entered(self) -> tuple[int, int]:
        """Number of packets read from each device."""
    @property
    def refused(self) -> int:
        """Number of packets that a device did not accept."""
    @property
    def unreadable(self) -> int:
        """Number of packets read that are no IP packets, and were left out."""
    @property
    def longest_turn_s(self) -> float:
        """Longest time that the loop took from one wait to the next, seconds."""
    @property
    def flows(self) -> list[tuple[str, str, tuple[str, str] | None]]:
        """Flows of real packets: name, protocol, and addresses of source and destination."""

@final
class AckSample:
    """An acknowledgment of new data, the argument of `on_ack`."""

    @property
    def now(self) -> float:
        """Simulated time in seconds since the run began."""
    @property
    def count(self) -> float:
        """Weight of the acknowledgment in the growth of the window: 1, or the number of acknowledged segments."""
    @property
    def una_before(self) -> int:
        """Number of the first unacknowledged segment before this acknowledgment."""
    @property
    def una(self) -> int:
        """Number of the first unacknowledged segment after this acknowledgment."""
    @property
    def next(self) -> int:
        """Number of the next segment to send."""
    @property
    def delayed(self) -> bool:
        """True if the receiver delays acknowledgments, so that most cover several segments."""
    @property
    def rtt(self) -> float | None:
        """Round-trip time of the newest acknowledged segment, seconds; None if that segment was sent more than once.

        A control with segment times gets a value with nearly every acknowledgment, other controls as often as the
        endpoint measures.
        """
    @property
    def srtt(self) -> float | None:
        """The endpoint's smoothed round-trip time, seconds, with this acknowledgment's measurement included."""
    @property
    def one_way(self) -> float | None:
        """One-way delay from the sending of a segment to that of its ACK, seconds; None without timestamps."""
    @property
    def outstanding(self) -> int:
        """Number of segments sent and not cumulatively acknowledged before this acknowledgment."""
    @property
    def grow(self) -> bool:
        """True if the window may grow; false if the acknowledgment only keeps or ends fast recovery."""
    def window_limited(self, cwnd: float) -> bool:
        """Return true if the window limited the sender: `cwnd` segments were outstanding (RFC 7661)."""

@final
class Arrival:
    """An acknowledgment of any kind, also during loss recovery, the argument of `on_arrival`."""

    @property
    def now(self) -> float:
        """Simulated time in seconds since the run began."""
    @property
    def acked(self) -> int:
        """Number of newly cumulatively acknowledged segments; 0 for a duplicate ACK, which shows one arrival."""
    @property
    def outstanding(self) -> int:
        """Number of segments outstanding before this acknowledgment."""
    @property
    def segment(self) -> int:
        """Payload of a full-sized segment, bytes."""
    @property
    def srtt(self) -> float | None:
        """The endpoint's smoothed round-trip time before this acknowledgment, seconds."""
    @property
    def marked(self) -> bool:
        """True if the acknowledgment echoes an ECN mark (ECE)."""

@final
class LossSample:
    """A loss or mark that the connection reacts to, the argument of `on_congestion`."""

    @property
    def now(self) -> float:
        """Simulated time in seconds since the run began."""
    @property
    def why(self) -> Literal["fast_loss", "restart", "timeout", "mark"]:
        """Reason for the reduction of the window."""
    @property
    def base(self) -> float:
        """Base of the reduction, segments: data in flight or window in use (TCP parameter `reduction`)."""
    @property
    def whole(self) -> bool:
        """True if the base and the reduced window are rounded down to whole segments."""
    @property
    def whole_ssthresh(self) -> bool:
        """True if ssthresh is rounded down to whole segments."""
    @property
    def halve_in_slow_start(self) -> bool:
        """True if a reduction by less than half becomes one half in slow start and at timeouts."""
    @property
    def early(self) -> bool:
        """True for the first reduction and for those in slow start or at timeouts (TCP parameter `early_halving`)."""
    @property
    def floor(self) -> float:
        """Minimum window after a loss that acknowledgments showed, segments."""
    @property
    def keep_ssthresh(self) -> bool:
        """True if ssthresh stays unchanged because the segment has timed out before (RFC 5681 section 3.1)."""
    @property
    def oldest(self) -> tuple[float, int]:
        """Time of the last sending (s) and number of sendings of the lost segment, for controls with segment times."""
    @property
    def abe(self) -> float | None:
        """Factor of the window at an ECN mark that replaces the control's own (ABE, RFC 8511); None for the latter."""
    @property
    def una(self) -> int:
        """Number of the first unacknowledged segment, the lost one."""
    @property
    def outstanding(self) -> int:
        """Number of segments outstanding."""
    @property
    def timeout(self) -> bool:
        """True if the retransmission timer detected the loss."""
    @property
    def goes_on(self) -> bool:
        """True if the connection continues with the reduced window; false if it restarts with one segment."""
    def reduced(self, factor: float) -> float:
        """Return `factor` times the base of the reduction, segments, rounded down if `whole` is true."""
    def less(self, share: float) -> float:
        """Return the base of the reduction less the fraction `share` of it, in whole segments."""
    def threshold(self, window: float) -> float:
        """Return the slow-start threshold for a reduced window: at least two segments (RFC 5681 equation 4)."""

@final
class RateSample:
    """The delivery rate measured with one acknowledgment, the argument of `on_rate`."""

    @property
    def now(self) -> float:
        """Simulated time in seconds since the run began."""
    @property
    def rate(self) -> float | None:
        """Delivery rate, segments per second; None if this acknowledgment gives no sample."""
    @property
    def interval(self) -> float:
        """Time over which the delivery rate was measured, seconds."""
    @property
    def app_limited(self) -> bool:
        """True if the application or the receiver's window limited the sender during the measurement."""
    @property
    def cwnd_limited(self) -> bool:
        """True if the window kept the sender from sending at some time in the last round trip."""
    @property
    def rtt(self) -> float | None:
        """Round-trip time of the newly delivered segment sent last, s; None if that segment was sent more than once."""
    @property
    def delivered(self) -> int:
        """Number of segments delivered since the connection began."""
    @property
    def prior_delivered(self) -> int:
        """Number of segments delivered when the sampled segment was sent."""
    @property
    def newly_delivered(self) -> int:
        """Number of segments newly reported as delivered by this acknowledgment."""
    @property
    def lost(self) -> int:
        """Number of segments that counted as lost since the connection began."""
    @property
    def prior_lost(self) -> int:
        """Value of `lost` when the sampled segment was sent."""
    @property
    def tx_in_flight(self) -> int:
        """Number of segments in flight when the sampled segment was sent, itself included."""
    @property
    def in_flight(self) -> int:
        """Number of segments in flight now."""
    @property
    def una(self) -> int:
        """Number of the first unacknowledged segment."""

@disjoint_base
class Control:
    """Base class of congestion controls in Python, with the attributes that the connection reads."""

    cwnd: float
    """Congestion window, segments."""
    ssthresh: float
    """Slow-start threshold, segments; infinite if unlimited."""
    pacing_rate: float | None
    """Pacing rate, segments per second; None to send without pacing."""
    wake: float | None
    """Time at which the connection calls `on_timer`, seconds since the run began; None for never."""
    def __new__(cls, *_args: object, **_kwargs: object) -> Self: ...
    @property
    def rng(self) -> Stream:
        """The connection's own random stream, which depends on the seed of the run."""
    def __deepcopy__(self, memo: dict[int, object], /) -> Self:
        """Return a copy of the control with copies of its attributes and of its random stream."""
    def grow(self, count: float, increase: float) -> None:
        """Grow the window by the rule of RFC 5681.

        The window grows by `count` segments below ssthresh, and by `increase` segments per round trip above ssthresh.
        """
    def cut(self, loss: LossSample, factor: float) -> None:
        """Reduce ssthresh and the window by the rule of RFC 5681, to `factor` times the base of the reduction."""

@final
class Stream:
    """A random stream: the same numbers for the same seed and name, on every machine."""

    def __new__(cls, seed: int, name: str) -> Self: ...
    def bits(self) -> int:
        """Return 64 random bits."""
    def uniform(self) -> float:
        """Return a number uniform on 0 to 1, 1 excluded."""
    def exponential(self, mean: float) -> float:
        """Return an exponentially distributed number with this mean."""

@final
class Brought:
    """A class of controls in the form that the simulator runs."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the class's source."""
    @property
    def source(self) -> str:
        """Source text of the class."""

def own_control(
    class_: type[Control],
    *,
    name: str,
    summary: str,
    methods: Sequence[str],
    segment_times: bool,
    parameters: Sequence[tuple[str, str, float, float, float, Sequence[str], str]] | None,
    traced: Sequence[str],
    sha256: str,
    source: str,
) -> Brought:
    """Return a class of controls in the form that the simulator runs.

    A parameter is (name, unit, default, minimum, maximum, choices, meaning). Only the methods in `methods` are called.
    """

@final
class ArrowTable:
    """A table in Arrow's format, which other libraries read without a copy."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with a stream of record batches (Arrow PyCapsule interface).

        `requested_schema` is ignored, as the interface allows: the table has its own schema.
        """

    def batches(self) -> list[ArrowTable]:
        """Return one table per record batch; the batches of a large table are on disk until they are read."""

@final
class FlowState:
    """State of a flow at one time. Counters start at the beginning of the run."""

    @property
    def cwnd(self) -> float:
        """Congestion window, segments; 0 for datagrams."""
    @property
    def ssthresh(self) -> float:
        """Slow-start threshold, segments; infinite if unlimited."""
    @property
    def pacing_rate(self) -> float | None:
        """Pacing rate that the control has set, segments per second; None if the control sets no rate."""
    @property
    def srtt_s(self) -> float | None:
        """Smoothed round-trip time (RFC 6298), seconds."""
    @property
    def rto_s(self) -> float | None:
        """Current retransmission timeout, seconds."""
    @property
    def rtt_min_s(self) -> float | None:
        """Shortest round-trip time that the sender measured, seconds."""
    @property
    def rtt_sum_s(self) -> float:
        """Sum of the round-trip times that the sender measured, seconds."""
    @property
    def rtt_samples(self) -> int:
        """Number of round-trip times that the sender measured."""
    @property
    def in_flight(self) -> int:
        """Number of segments sent and not known to have left the network."""
    @property
    def recovery(self) -> int:
        """State of loss recovery. 0: open; 1: fast recovery; 2: after a timeout."""
    @property
    def sent_packets(self) -> int:
        """Number of packets that the source sent, retransmissions included."""
    @property
    def sent_bytes(self) -> int:
        """Payload of the sent packets, retransmissions included, bytes."""
    @property
    def retransmitted_packets(self) -> int:
        """Number of retransmitted packets."""
    @property
    def acked_packets(self) -> int:
        """Number of acknowledged segments."""
    @property
    def acked_bytes(self) -> int:
        """Payload of the acknowledged segments, bytes."""
    @property
    def delivered_bytes(self) -> int:
        """Payload delivered to the receiving application, bytes."""
    @property
    def lost_packets(self) -> int:
        """Number of packets lost in the network, detected by the sender or not."""
    @property
    def marked_packets(self) -> int:
        """Number of packets that queues marked (ECN)."""
    @property
    def timeouts(self) -> int:
        """Number of retransmission timeouts."""
    @property
    def fast_retransmits(self) -> int:
        """Number of losses that the sender detected by acknowledgments."""
    @property
    def delay_mean_s(self) -> float | None:
        """Mean one-way delay of the received packets, seconds."""
    @property
    def finished(self) -> bool:
        """True if a transfer of given size is complete."""

@final
class LinkState:
    """State of one direction of a link at one time. Counters start at the beginning of the run."""

    @property
    def rate_bps(self) -> float:
        """Current rate, bits per second."""
    @property
    def delay_s(self) -> float:
        """Propagation delay, seconds."""
    @property
    def queue_packets(self) -> int:
        """Number of packets in the queue, the one in transmission included."""
    @property
    def queue_bytes(self) -> int:
        """Bytes on the wire of the packets in the queue."""
    @property
    def sent_bytes(self) -> int:
        """Bytes on the wire of the packets accepted for transmission; some packets may still be in the queue."""
    @property
    def dropped_packets(self) -> int:
        """Number of packets lost in the queue or on the wire."""

@final
class Simulation:
    """A run that a program drives. Flows and links are identified by their numbers."""

    def __new__(
        cls,
        document: str,
        *,
        seed: int | None = None,
        jitter_s: float = 0.0,
        traces: Sequence[str] = ...,
        bin_s: float = 1.0,
        adjustable: Sequence[int] = ...,
    ) -> Self: ...
    @property
    def now_s(self) -> float:
        """Simulated time, seconds."""
    @property
    def end_s(self) -> float:
        """End of the run, seconds of simulated time."""
    @property
    def events(self) -> int:
        """Number of events simulated so far."""
    @property
    def steered(self) -> int:
        """Number of times that the program has set a value, such as a window."""
    @property
    def is_over(self) -> bool:
        """True if `finish` was called, or a control has failed."""
    def is_tcp(self, flow: int) -> bool:
        """Return true if a flow uses TCP."""
    def is_adjustable(self, link: int) -> bool:
        """Return true if the rate of a link can be set."""
    def segment(self, flow: int) -> int:
        """Return the payload of a full-sized segment of a flow, bytes."""
    def advance(self, seconds: float, flow: int = 0, wait: str | None = None) -> bool:
        """Continue for `seconds`, or until the event `wait` of a flow; return true if the event happened."""
    def advance_to(self, seconds: float) -> None:
        """Continue until a simulated time, seconds."""
    def flow(self, flow: int) -> FlowState:
        """Return the present state of a flow."""
    def link(self, direction: int) -> LinkState:
        """Return the present state of a direction of a link; link n has the directions 2 n and 2 n + 1."""
    def set_cwnd(self, flow: int, segments: float | None, *, hold: bool = False) -> None:
        """Set a flow's window in segments; `hold` keeps that value, and None releases a held window."""
    def set_pacing_rate(self, flow: int, rate: float | None) -> None:
        """Set a flow's pacing rate, segments per second; None leaves the rate to the control."""
    def set_link_rate(self, link: int, bps: int) -> None:
        """Set the rate of both directions of an adjustable link, bit/s."""
    def fork(self) -> Self:
        """Return an independent copy of the simulation."""
    def finish(self) -> RunResult:
        """Continue to the end of the run and return the results."""

@final
class RunResult:
    """The results of one run."""

    @property
    def summary(self) -> bytes:
        """Summary of the run as JSON. Equal runs give equal bytes.

        Keys: ``flows``, ``links``, ``gateways``, ``wifi``, ``stations``, ``lte``, ``ues``, ``cells``, ``fairness``,
        ``manifest``. The text is made anew at each access.
        """
    @property
    def tables(self) -> list[str]:
        """Names of the tables: those that every run has, such as ``"flows"`` and ``"links"``, then the traces."""
    @property
    def events(self) -> int:
        """Number of events simulated."""
    @property
    def wall_s(self) -> float:
        """Elapsed time of the run on this machine, seconds."""
    @property
    def cpu_s(self) -> float:
        """Processor time of the run on this machine, seconds."""
    def table(self, name: str) -> ArrowTable:
        """Return the table `name`. Raises `KeyError` if there is no such table."""
    def write_csv(self, name: str, path: str | PathLike[str]) -> None:
        """Write a table as CSV: times with 9 decimals, other numbers in their shortest exact form.

        Raises `KeyError` if there is no such table, and `OSError` if the file cannot be written; an incomplete file is
        removed.
        """
    def write_files(self, name: str, folder: str | PathLike[str], *, stem: str | None = None) -> list[str]:
        """Write the files of trace `name`, one of `file_traces`, into `folder` and return their paths.

        File names begin with `stem`; by default they are ``capture-<node>-<interface>.pcap``, ``trace.tr`` and
        ``flowmonitor.xml``. EvalVid's files are named after the flows: ``<flow>-video.txt``, ``<flow>-sent.txt`` and
        ``<flow>-received.txt``.

        Raises `ValueError` if the trace was not recorded, `OSError` if a file cannot be written.
        """

def check(
    text: str,
    format: Literal["toml", "json"],  # noqa: A002
    sets: Sequence[str],
    folder: str | PathLike[str] = ...,
) -> str:
    """Apply settings ``PATH=VALUE`` to a scenario, check the scenario, and return it as canonical JSON.

    The content of files that the scenario names, relative to `folder` (by default the working directory), becomes part
    of the document. Defaults are not filled in. Raises `ScenarioError`.
    """

def scenario_hash(document: str) -> str:
    """Return the hash of a scenario's JSON document, which includes the content of files instead of their names."""

def read_files(document: str, folder: str | PathLike[str]) -> str:
    """Return a JSON document with short forms written out, and with the content of its files, relative to `folder`.

    Raises `ScenarioError`, which names the line, if a file cannot be read or is not valid.
    """

def describe(text: str, format: Literal["toml", "json"]) -> str:  # noqa: A002
    """Return a scenario as JSON with all parameters filled in. Raises `ScenarioError`."""

def run(
    document: str,
    *,
    seed: int | None = None,
    jitter_s: float = 0.0,
    traces: Sequence[str] = ...,
    bin_s: float = 1.0,
    progress: Callable[[float, int], None] | None = None,
) -> RunResult:
    """Run a scenario without holding the GIL; Ctrl-C stops it within a second.

    Args:
        document: the scenario as JSON text.
        seed: seed of every random stream; the scenario's own if None.
        jitter_s: flow starts are delayed by up to this many seconds, drawn from the seed.
        traces: names of traces to record (``catalogue("traces")``).
        bin_s: width of the bins of trace ``"throughput"``, seconds.
        progress: called at most about ten times a second with the share of the run that is done (0 to 1) and
            the events handled so far; what it raises stops the run.

    Raises:
        ScenarioError: if the scenario is not valid, or a trace does not exist.
        KeyboardInterrupt: on Ctrl-C.

    """

def most_kept(document: str, traces: Sequence[str], bin_s: float) -> float | None:
    """Return an upper bound of the bytes that the traces of a run take, in memory and on disk together.

    The bound assumes full-sized packets. None if the scenario has controls in Python, which a pilot run would call.
    """

def pilot(
    document: str,
    *,
    seed: int | None,
    jitter_s: float,
    traces: Sequence[str],
    bin_s: float,
    limits: tuple[float, float],
) -> list[tuple[str, float, float, float]] | None:
    """Simulate the beginning of a run and return the extrapolated size of each of its traces.

    `limits` are the greatest share of the run and the greatest elapsed time (s) of the simulated beginning. Each row
    has a trace's name and its bytes in memory, in the temporary folder, and as files. None if no flow began.
    """

def free_memory() -> int | None:
    """Return the bytes of memory that a run may still take; None if the system reports none."""

def emulate(
    document: str,
    *,
    between: Sequence[str],
    namespaces: Sequence[str | PathLike[str]],
    device: str,
    ready: Callable[[list[str]], int | None],
    finish: Callable[[], None],
    progress: Callable[[float], bool],
    seed: int | None = None,
    traces: Sequence[str] = ...,
    bin_s: float = 1.0,
    flows: int = 256,
    late_s: float = 1e-3,
    spin_s: float = 0.0,
) -> tuple[RunResult, EmulationReport]:
    """Emulate the network of a scenario in real time between devices in two network namespaces (Linux).

    Args:
        document: the scenario as JSON text.
        between: names of the two nodes at which packets enter and leave.
        namespaces: files of the two network namespaces.
        device: name of the TUN device in each.
        ready: called with the addresses of the nodes once both devices exist; returns the process with which the
            emulation ends, if any.
        finish: called at the end, before the devices vanish.
        progress: called ten times a second with the time, seconds; the emulation ends once it returns false.
        seed: seed of every random stream; the scenario's own if None.
        traces: names of traces to record.
        bin_s: width of the bins of trace ``"throughput"``, seconds.
        flows: number of connections with a flow of their own.
        late_s: lateness above which a packet counts as late, seconds.
        spin_s: time before an event that is spent in a busy loop, seconds.

    Raises:
        OSError: If a namespace or a device cannot be used.

    """

def run_many(
    jobs: Sequence[tuple[str, int, float]],
    *,
    threads: int | None = None,
    traces: Sequence[str] = ...,
    bin_s: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> list[RunResult]:
    """Run many scenarios on threads of this process and return the results in the order of `jobs`.

    Args:
        jobs: scenario as JSON text, seed, and bound of the start jitter in seconds, each.
        threads: number of runs at a time; None or 0: one per core. Results do not depend on it.
        traces: names of traces to record in every run.
        bin_s: width of the bins of trace ``"throughput"``, seconds.
        progress: called at most about ten times a second with the number of runs done and of all runs; what
            it raises stops them.

    Raises:
        ScenarioError: if a scenario is not valid; its text begins with the job's index.
        KeyboardInterrupt: on Ctrl-C.

    """

def result_tables() -> list[str]:
    """Return the names of the tables that every run has, in the order in which they are listed."""

def empty_table(name: str) -> ArrowTable:
    """Return a table of results or a trace without rows, which tells its columns and their types.

    Raises:
        KeyError: If there is no table of this name.
    """

def file_traces() -> list[str]:
    """Return the names of the traces that are files in their own format instead of tables."""

def catalogue_kinds() -> list[str]:
    """Return the kinds of lists that `catalogue` returns, in the order in which they are listed."""

def catalogue(what: str) -> str:
    """Return the list of a kind as JSON: objects with ``name``, ``summary`` and further keys.

    `catalogue_kinds` names the kinds. Raises `ScenarioError` for any other.
    """

def seconds(text: str) -> float:
    """Convert a time such as ``"20ms"`` to seconds. Raises `ValueError`, which shows the form, for other texts."""

def bits_per_second(text: str) -> int:
    """Convert a rate such as ``"10Mbps"`` to bit/s. Raises `ValueError`, which shows the form, for other texts."""

def size_bytes(text: str) -> int:
    """Convert a size such as ``"64KiB"`` to bytes. Raises `ValueError`, which shows the form, for other texts."""

def cbrt(x: float) -> float:
    """Return the cube root of x, with the same bits on every machine."""

def exp(x: float) -> float:
    """Return e to the power x, with the same bits on every machine."""

def log(x: float) -> float:
    """Return the natural logarithm of x, with the same bits on every machine."""

def power(x: float, y: float) -> float:
    """Return x to the power y, with the same bits on every machine."""
