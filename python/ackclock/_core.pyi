"""Types of the extension module, which contains the simulator in Rust. Private: use the names of `ackclock`."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, Self, final

from typing_extensions import disjoint_base

__all__ = [
    "CONTRACT_VERSION",
    "QUIC_PACKET_BYTES",
    "STACK_CONTRACT_VERSION",
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
    "check_stack",
    "describe",
    "describe_shared",
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
"""Version of the simulator; the results of a run depend on it."""

class ScenarioError(ValueError):
    """A problem in a scenario.

    ``str(error)`` gives path, line, given value and allowed values in a few lines.
    """

    path: str
    """Path of the setting, such as ``flow.0.tcp.variant``; empty for the scenario as a whole."""
    given: str
    """The given value, as TOML; empty if there is none."""
    allowed: str
    """The allowed values; empty if the message needs none."""
    nearest: str | None
    """The valid name most similar to the given one; None if none is similar."""
    line: int | None
    """Line in the file, counted from 1, if the scenario was given as text."""
    more: tuple[ScenarioError, ...]
    """Further problems of the same scenario."""

class ControlError(ValueError):
    """Raised if a user-defined congestion control breaks the contract or raises an exception.

    ``str(error)`` names the simulated time, the method and the line in the control's source. An exception that the
    control raised is the error's ``__cause__``.
    """

QUIC_PACKET_BYTES: int
"""Size of a full QUIC packet on the wire, bytes, after path MTU discovery."""

CONTRACT_VERSION: int
"""Version of the contract between connections and congestion controls."""

STACK_CONTRACT_VERSION: int
"""Version of the contract of transport stacks."""

@final
class EmulationReport:
    """Account of an emulation, in addition to its results."""

    @property
    def ending(self) -> str:
        """Reason for the end of the emulation: ``"duration"``, ``"command"`` or ``"stopped"``."""
    @property
    def packets(self) -> int:
        """Number of packets written to the devices."""
    @property
    def late_packets(self) -> int:
        """Number of packets whose lateness exceeded the bound."""
    @property
    def kept_up(self) -> bool:
        """True if the lateness of at most one packet in a hundred exceeded the bound."""
    @property
    def lateness_p50_s(self) -> float | None:
        """Median lateness of packets, seconds; None if there were no packets."""
    @property
    def lateness_p99_s(self) -> float | None:
        """99th percentile of the lateness of packets, seconds; None if there were no packets."""
    @property
    def lateness_max_s(self) -> float | None:
        """Maximum lateness of a packet, seconds; None if there were no packets."""
    @property
    def entered(self) -> tuple[int, int]:
        """Number of packets read from each device."""
    @property
    def refused(self) -> int:
        """Number of packets that the devices did not accept."""
    @property
    def unreadable(self) -> int:
        """Number of packets read that were left out because they are not IP packets."""
    @property
    def longest_turn_s(self) -> float:
        """Maximum time that the emulator's loop took from one wait to the next, seconds."""
    @property
    def flows(self) -> list[tuple[str, str, tuple[str, str] | None]]:
        """Flows of real packets: name, protocol, and addresses of source and destination."""

@final
class AckSample:
    """An acknowledgment of new data; argument of `on_ack`."""

    @property
    def now(self) -> float:
        """Simulated time since the run began, seconds."""
    @property
    def count(self) -> float:
        """Weight of the acknowledgment in window growth: 1, or the number of segments that it acknowledges."""
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
        """The endpoint's smoothed round-trip time, seconds, including this acknowledgment's measurement."""
    @property
    def one_way(self) -> float | None:
        """One-way delay from sending a segment to the sending of its ACK, seconds; None without timestamps."""
    @property
    def outstanding(self) -> int:
        """Number of segments that were sent and not cumulatively acknowledged before this acknowledgment."""
    @property
    def grow(self) -> bool:
        """True if the window may grow; false if the acknowledgment only continues or ends fast recovery."""
    def window_limited(self, cwnd: float) -> bool:
        """Return true if the window limited the sender, that is, `cwnd` segments were outstanding (RFC 7661)."""

@final
class Arrival:
    """An acknowledgment of any kind, also during loss recovery; argument of `on_arrival`."""

    @property
    def now(self) -> float:
        """Simulated time since the run began, seconds."""
    @property
    def acked(self) -> int:
        """Number of segments newly acknowledged cumulatively; 0 for a duplicate ACK, which indicates one arrival."""
    @property
    def outstanding(self) -> int:
        """Number of segments that were outstanding before this acknowledgment."""
    @property
    def segment(self) -> int:
        """Payload of a full-sized segment, bytes."""
    @property
    def srtt(self) -> float | None:
        """The endpoint's smoothed round-trip time, seconds, before this acknowledgment."""
    @property
    def marked(self) -> bool:
        """True if the acknowledgment echoes an ECN mark (ECE)."""

@final
class LossSample:
    """A loss or mark to which the connection reacts; argument of `on_congestion`."""

    @property
    def now(self) -> float:
        """Simulated time since the run began, seconds."""
    @property
    def why(self) -> Literal["fast_loss", "restart", "timeout", "mark"]:
        """Reason for the reduction of the window."""
    @property
    def base(self) -> float:
        """Base of the reduction, segments: data in flight, or window in use (TCP parameter `reduction`)."""
    @property
    def whole(self) -> bool:
        """True if the base and the reduced window are rounded down to whole segments."""
    @property
    def whole_ssthresh(self) -> bool:
        """True if ssthresh is rounded down to whole segments."""
    @property
    def halve_in_slow_start(self) -> bool:
        """True if a smaller reduction becomes a halving in slow start and at timeouts."""
    @property
    def early(self) -> bool:
        """True for the first reduction and for those in slow start or at timeouts (TCP parameter `early_halving`)."""
    @property
    def floor(self) -> float:
        """Minimum window after a loss that acknowledgments revealed, segments."""
    @property
    def keep_ssthresh(self) -> bool:
        """True if ssthresh stays unchanged because the segment timed out before (RFC 5681, section 3.1)."""
    @property
    def oldest(self) -> tuple[float, int]:
        """Time of the lost segment's last sending, s, and number of its sendings; for controls with segment times."""
    @property
    def abe(self) -> float | None:
        """Factor for the window at an ECN mark in place of the control's own (ABE, RFC 8511); None for its own."""
    @property
    def una(self) -> int:
        """Number of the first unacknowledged segment, which is the lost one."""
    @property
    def outstanding(self) -> int:
        """Number of outstanding segments."""
    @property
    def timeout(self) -> bool:
        """True if the retransmission timer detected the loss."""
    @property
    def goes_on(self) -> bool:
        """True if the connection continues with the reduced window; false if it restarts with one segment."""
    def reduced(self, factor: float) -> float:
        """Return `factor` times the base of the reduction, segments; rounded down if `whole` is true."""
    def less(self, share: float) -> float:
        """Return the base of the reduction minus the fraction `share` of it, in whole segments."""
    def threshold(self, window: float) -> float:
        """Return the slow-start threshold for a reduced window: at least two segments (RFC 5681, equation 4)."""

@final
class RateSample:
    """A delivery rate, measured at one acknowledgment; argument of `on_rate`."""

    @property
    def now(self) -> float:
        """Simulated time since the run began, seconds."""
    @property
    def rate(self) -> float | None:
        """Delivery rate, segments per second; None if this acknowledgment gives no sample."""
    @property
    def interval(self) -> float:
        """Time over which the rate was measured, seconds."""
    @property
    def app_limited(self) -> bool:
        """True if the application or the receiver's window limited the sender during the measurement."""
    @property
    def cwnd_limited(self) -> bool:
        """True if the window prevented sending at some time in the last round trip."""
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
        """Number of segments that this acknowledgment newly reports as delivered."""
    @property
    def lost(self) -> int:
        """Number of segments counted as lost since the connection began."""
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
    """Base class of congestion controls in Python; has the attributes that the connection reads."""

    cwnd: float
    """Congestion window, segments."""
    ssthresh: float
    """Slow-start threshold, segments; infinite if unlimited."""
    pacing_rate: float | None
    """Pacing rate, segments per second; None to send without pacing."""
    wake: float | None
    """Time, seconds since the run began, at which the connection will call `on_timer`; None for never."""
    def __new__(cls, *_args: object, **_kwargs: object) -> Self: ...
    @property
    def rng(self) -> Stream:
        """The connection's own random stream, which is seeded by the run's seed."""
    def __deepcopy__(self, memo: dict[int, object], /) -> Self:
        """Return a copy of the control, including its attributes and its random stream."""
    def grow(self, count: float, increase: float) -> None:
        """Grow the window as in RFC 5681.

        The window grows by `count` segments below ssthresh, and by `increase` segments per round trip above ssthresh.
        """
    def cut(self, loss: LossSample, factor: float) -> None:
        """Reduce ssthresh and the window as in RFC 5681, to `factor` times the base of the reduction."""

@final
class Stream:
    """A random stream; equal seeds and names give equal numbers on every machine."""

    def __new__(cls, seed: int, name: str) -> Self: ...
    def bits(self) -> int:
        """Return 64 random bits."""
    def uniform(self) -> float:
        """Return a uniform random number from 0 to 1, 1 excluded."""
    def exponential(self, mean: float) -> float:
        """Return an exponentially distributed random number with this mean."""

@final
class Brought:
    """A class of controls, in the form that the simulator runs."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the class's source."""
    @property
    def source(self) -> str:
        """The class's source text."""

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
    """Return a class of controls, in the form that the simulator runs.

    A parameter is (name, unit, default, minimum, maximum, choices, meaning). Only the methods in `methods` are called.
    """

@final
class ArrowTable:
    """A table in Arrow format, which other libraries can read without copying."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with a stream of record batches (Arrow PyCapsule interface).

        `requested_schema` is ignored, as the interface allows: the table has its own schema.
        """

    def batches(self) -> list[ArrowTable]:
        """Return one table per record batch; batches of a large table stay on disk until they are read."""

@final
class FlowState:
    """State of a flow at one time; counters start at the beginning of the run."""

    @property
    def cwnd(self) -> float:
        """Congestion window, segments; 0 for datagrams."""
    @property
    def ssthresh(self) -> float:
        """Slow-start threshold, segments; infinite if unlimited."""
    @property
    def pacing_rate(self) -> float | None:
        """Pacing rate set by the control, segments per second; None if the control sets none."""
    @property
    def srtt_s(self) -> float | None:
        """Smoothed round-trip time (RFC 6298), seconds."""
    @property
    def rto_s(self) -> float | None:
        """Current retransmission timeout, seconds."""
    @property
    def rtt_min_s(self) -> float | None:
        """Minimum round-trip time that the sender measured, seconds."""
    @property
    def rtt_sum_s(self) -> float:
        """Sum of the round-trip times that the sender measured, seconds."""
    @property
    def rtt_samples(self) -> int:
        """Number of round-trip times that the sender measured."""
    @property
    def in_flight(self) -> int:
        """Number of segments that were sent and are not known to have left the network."""
    @property
    def recovery(self) -> int:
        """State of loss recovery: 0 is open, 1 is fast recovery, 2 is after a timeout."""
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
        """Number of packets lost in the network, whether or not the sender has detected it."""
    @property
    def marked_packets(self) -> int:
        """Number of packets that queues marked (ECN)."""
    @property
    def timeouts(self) -> int:
        """Number of retransmission timeouts."""
    @property
    def fast_retransmits(self) -> int:
        """Number of losses that the sender detected from acknowledgments."""
    @property
    def delay_mean_s(self) -> float | None:
        """Mean one-way delay of the received packets, seconds."""
    @property
    def finished(self) -> bool:
        """True if a transfer of given size has completed."""

@final
class LinkState:
    """State of one direction of a link at one time; counters start at the beginning of the run."""

    @property
    def rate_bps(self) -> float:
        """Current rate, bit/s."""
    @property
    def delay_s(self) -> float:
        """Propagation delay, seconds."""
    @property
    def queue_packets(self) -> int:
        """Number of packets in the queue, including the one in transmission."""
    @property
    def queue_bytes(self) -> int:
        """Size of the packets in the queue on the wire, bytes."""
    @property
    def sent_bytes(self) -> int:
        """Size on the wire of all packets accepted for transmission, bytes; some may still be in the queue."""
    @property
    def dropped_packets(self) -> int:
        """Number of packets lost in the queue or on the wire."""

@final
class Simulation:
    """A run that is driven by a program; flows and links are identified by number."""

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
        """Simulated time at which the run ends, seconds."""
    @property
    def events(self) -> int:
        """Number of events simulated so far."""
    @property
    def steered(self) -> int:
        """Number of times that the program has set a value such as a window."""
    @property
    def is_over(self) -> bool:
        """True if `finish` was called or a control has failed."""
    def is_tcp(self, flow: int) -> bool:
        """Return true if the flow uses TCP."""
    def is_adjustable(self, link: int) -> bool:
        """Return true if the link's rate can be set."""
    def segment(self, flow: int) -> int:
        """Return the payload of a flow's full-sized segment, bytes."""
    def advance(self, seconds: float, flow: int = 0, wait: str | None = None) -> bool:
        """Continue for `seconds`, or until event `wait` of a flow; return true if the event happened."""
    def advance_to(self, seconds: float) -> None:
        """Continue until a simulated time, seconds."""
    def flow(self, flow: int) -> FlowState:
        """Return the current state of a flow."""
    def link(self, direction: int) -> LinkState:
        """Return the current state of a link direction; link n has directions 2 n and 2 n + 1."""
    def set_cwnd(self, flow: int, segments: float | None, *, hold: bool = False) -> None:
        """Set a flow's window, segments; `hold` keeps it at that value, and None releases a held window."""
    def set_pacing_rate(self, flow: int, rate: float | None) -> None:
        """Set a flow's pacing rate, segments per second; None leaves it to the control."""
    def set_link_rate(self, link: int, bps: int) -> None:
        """Set the rate of both directions of an adjustable link, bit/s."""
    def fork(self) -> Self:
        """Return an independent copy of this simulation."""
    def finish(self) -> RunResult:
        """Continue to the end of the run; return the results."""

@final
class RunResult:
    """The results of one run."""

    @property
    def summary(self) -> bytes:
        """Summary of the run as JSON; equal runs give equal bytes.

        Keys: ``flows``, ``links``, ``gateways``, ``wifi``, ``stations``, ``lte``, ``ues``, ``cells``, ``fairness``,
        ``manifest``. The text is made anew at each access.
        """
    def summary_dict(self) -> dict[str, Any]:
        """Return what ``json.loads`` makes of the summary, in less time."""
    @property
    def tables(self) -> list[str]:
        """Names of the tables: first those that every run has, such as ``"flows"`` and ``"links"``, then the traces."""
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
        """Write the files of trace `name`, one of `file_traces`, into `folder`; return their paths.

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
    """Apply ``PATH=VALUE`` settings to a scenario, check it, and return it as canonical JSON.

    The content of files that the scenario names, relative to `folder` (by default the working directory), becomes part
    of the document. Defaults are not filled in. Raises `ScenarioError`.
    """

def scenario_hash(document: str) -> str:
    """Return the hash of a scenario's JSON document, which contains the files' content instead of their names."""

def read_files(document: str, folder: str | PathLike[str]) -> str:
    """Return a JSON document with short forms expanded and with the content of its files, found relative to `folder`.

    Raises `ScenarioError`, which names the line, if a file cannot be read or is not valid.
    """

def describe(text: str, format: Literal["toml", "json"]) -> str:  # noqa: A002
    """Return a scenario as JSON with all parameters filled in. Raises `ScenarioError`."""

def describe_shared(text: str) -> str:
    """Return a scenario, given as JSON, as `describe` does, with equal tables stated once.

    The result is ``{"parts": [...], "scenario": {...}}``. In flows, ``tcp`` and ``traffic`` are numbers of parts, and
    so are ``queue`` and ``reverse`` in links. Raises `ScenarioError`.
    """

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
    """Return an upper bound for the bytes that a run's traces take, in memory and on disk together.

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
    """Simulate the beginning of a run, and return the size of each of its traces, extrapolated to the whole run.

    `limits` are the greatest share of the run and the greatest elapsed time (s) of the simulated beginning. Each row
    has a trace's name and its bytes in memory, in the temporary folder, and as files. None if no flow began.
    """

def free_memory() -> int | None:
    """Return how many bytes of memory a run may still use; None if the system does not tell."""

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
    """Run many scenarios on threads of this process; return the results in the order of `jobs`.

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
    """Return the names of the tables that every run has, in listing order."""

def empty_table(name: str) -> ArrowTable:
    """Return a table of results or a trace without rows, which still has columns and types.

    Raises:
        KeyError: If there is no table of this name.
    """

def file_traces() -> list[str]:
    """Return the names of traces that are written as files in their own format, not as tables."""

def check_stack(name: str, size: int) -> tuple[list[str], str, str, int, float | None]:
    """Carry out a transfer of `size` bytes with a stack over a lossy path, twice with one seed.

    The result is: violations of the contract; ``"bytes"``, ``"shape"`` or ``"not"``, which says how far both runs are
    equal; the sentence for that; datagrams of the first run; and the time at which it had finished, s.
    """

def catalogue_kinds() -> list[str]:
    """Return the kinds of lists that `catalogue` can return, in listing order."""

def catalogue(what: str) -> str:
    """Return a list as JSON: objects with ``name``, ``summary`` and further keys.

    `catalogue_kinds` names the kinds. Raises `ScenarioError` for any other.
    """

def seconds(text: str) -> float:
    """Convert a time such as ``"20ms"`` to seconds. Other texts raise `ValueError`, which shows the form."""

def bits_per_second(text: str) -> int:
    """Convert a rate such as ``"10Mbps"`` to bit/s. Other texts raise `ValueError`, which shows the form."""

def size_bytes(text: str) -> int:
    """Convert a size such as ``"64KiB"`` to bytes. Other texts raise `ValueError`, which shows the form."""

def cbrt(x: float) -> float:
    """Return the cube root of x; the bits are the same on every machine."""

def exp(x: float) -> float:
    """Return e to the power x; the bits are the same on every machine."""

def log(x: float) -> float:
    """Return the natural logarithm of x; the bits are the same on every machine."""

def power(x: float, y: float) -> float:
    """Return x to the power y; the bits are the same on every machine."""
