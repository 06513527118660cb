"""The simulator (Rust). Private: use the names of `ackclock`."""

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
"""Version of the simulator; part of what makes a run repeatable."""

class ScenarioError(ValueError):
    """A problem with a scenario: its path, the given value, the allowed values.

    ``str(error)`` says it all in a few lines.
    """

    path: str
    """Path of the setting: ``flow.0.tcp.variant``; empty for the scenario as a whole."""
    given: str
    """The given value in TOML; empty if there is none."""
    allowed: str
    """The allowed values; empty if the message is enough."""
    nearest: str | None
    """The valid name nearest to what was given, if one is near."""
    line: int | None
    """Line of the file, from 1, if the scenario came from text."""
    more: tuple[ScenarioError, ...]
    """Further problems, each an error of its own."""

class ControlError(ValueError):
    """A user-defined congestion control broke the contract, or raised.

    ``str(error)`` names the time, the call and the line of its source; an exception that it raised is the cause.
    """

QUIC_PACKET_BYTES: int
"""A full packet of a flow over QUIC on the wire, bytes, once its stack has found that the path carries it."""

CONTRACT_VERSION: int
"""The version of the contract of congestion controls."""

@final
class AckSample:
    """An acknowledgment of new data, as an algorithm sees it."""

    @property
    def now(self) -> float:
        """The time, seconds since the run began."""
    @property
    def count(self) -> float:
        """Its weight in the growth of the window: 1, or the number of segments that it acknowledges."""
    @property
    def una_before(self) -> int:
        """First unacknowledged segment before it."""
    @property
    def una(self) -> int:
        """First unacknowledged segment after it."""
    @property
    def next(self) -> int:
        """Next segment to send."""
    @property
    def delayed(self) -> bool:
        """True if the receiver delays acknowledgments: one usually covers several segments."""
    @property
    def rtt(self) -> float | None:
        """Round-trip time of the newest segment it acknowledges, seconds, if that segment was sent just once.

        For an algorithm that times segments there is one with nearly every acknowledgment, for others as
        often as the endpoint measures.
        """
    @property
    def srtt(self) -> float | None:
        """The endpoint's smoothed round-trip time, this acknowledgment's measurement included, seconds."""
    @property
    def one_way(self) -> float | None:
        """The one-way delay, seconds: from the sending of a segment to its acknowledgment's; only with timestamps."""
    @property
    def outstanding(self) -> int:
        """Segments outstanding before it: sent, and not cumulatively acknowledged."""
    @property
    def grow(self) -> bool:
        """True if the window may grow; false if the acknowledgment only keeps or ends fast recovery."""
    def window_limited(self, cwnd: float) -> bool:
        """Tell whether the window limited the sender: as much was outstanding as `cwnd` allows (RFC 7661)."""

@final
class Arrival:
    """Any acknowledgment, for algorithms that count arrivals: before loss recovery, and during it."""

    @property
    def now(self) -> float:
        """The time, seconds since the run began."""
    @property
    def acked(self) -> int:
        """Segments it newly acknowledges cumulatively; 0 for a duplicate, which shows that one has arrived."""
    @property
    def outstanding(self) -> int:
        """Segments outstanding before it."""
    @property
    def segment(self) -> int:
        """Payload of a full segment, bytes."""
    @property
    def srtt(self) -> float | None:
        """The endpoint's smoothed round-trip time before it, seconds."""
    @property
    def marked(self) -> bool:
        """True if it echoes a mark (ECE)."""

@final
class LossSample:
    """A loss, as an algorithm sees it."""

    @property
    def now(self) -> float:
        """The time, seconds since the run began."""
    @property
    def why(self) -> Literal["fast_loss", "restart", "timeout", "mark"]:
        """Reason for cutting the window."""
    @property
    def base(self) -> float:
        """The base of the reduction: the data in flight or the window in use, segments (parameter `reduction`)."""
    @property
    def whole(self) -> bool:
        """True if it counts whole segments only, before and after the reduction."""
    @property
    def whole_ssthresh(self) -> bool:
        """True if ssthresh is in whole segments."""
    @property
    def halve_in_slow_start(self) -> bool:
        """True if a cut milder than half is a half when slow start met the loss, or the timer found it."""
    @property
    def early(self) -> bool:
        """True if the cut is the first, or met slow start, or begins it (parameter `early_halving`)."""
    @property
    def floor(self) -> float:
        """Least window after a fast loss, segments."""
    @property
    def keep_ssthresh(self) -> bool:
        """True if the threshold stays: this segment has timed out before (RFC 5681 section 3.1)."""
    @property
    def oldest(self) -> tuple[float, int]:
        """The segment that was lost; its times are known to algorithms that time segments."""
    @property
    def abe(self) -> float | None:
        """Factor of the window on a mark, instead of the algorithm's own (ABE, RFC 8511)."""
    @property
    def una(self) -> int:
        """First unacknowledged segment: the one that was lost."""
    @property
    def outstanding(self) -> int:
        """Segments outstanding."""
    @property
    def timeout(self) -> bool:
        """True if the retransmission timer found it."""
    @property
    def goes_on(self) -> bool:
        """True if the connection continues with the reduced window; false if it restarts with one segment."""
    def reduced(self, factor: float) -> float:
        """Return `factor` times the base of the reduction, in whole segments if asked for."""
    def less(self, share: float) -> float:
        """Return the base of the reduction without `share` of it, in whole segments."""
    def threshold(self, window: float) -> float:
        """Return the slow-start threshold that goes with a window: at least two segments (RFC 5681 equation 4)."""

@final
class RateSample:
    """The delivery rate that one acknowledgment shows."""

    @property
    def now(self) -> float:
        """The time, seconds since the run began."""
    @property
    def rate(self) -> float | None:
        """The delivery rate, segments per second; None if this acknowledgment gives no sample."""
    @property
    def interval(self) -> float:
        """Time over which it was measured, seconds."""
    @property
    def app_limited(self) -> bool:
        """True if the application or the receiver's window limited the sender while it was measured."""
    @property
    def rtt(self) -> float | None:
        """Round trip of the last sent of the newly delivered segments, seconds, if that was sent just once."""
    @property
    def delivered(self) -> int:
        """Segments delivered since the connection began."""
    @property
    def prior_delivered(self) -> int:
        """Segments that had been delivered when the segment that gives the sample was sent."""
    @property
    def newly_delivered(self) -> int:
        """Segments newly delivered by this acknowledgment."""
    @property
    def lost(self) -> int:
        """Segments sent again since the connection began."""
    @property
    def prior_lost(self) -> int:
        """Segments that had been sent again when the segment that gives the sample was sent."""
    @property
    def tx_in_flight(self) -> int:
        """Segments in flight when that segment was sent, itself included."""
    @property
    def in_flight(self) -> int:
        """Segments in flight now."""
    @property
    def una(self) -> int:
        """First unacknowledged segment."""

@disjoint_base
class Control:
    """Base class of congestion controls in Python: the values that the connection reads."""

    cwnd: float
    """Congestion window, segments."""
    ssthresh: float
    """Slow-start threshold, segments; infinite if unlimited."""
    pacing_rate: float | None
    """Sending rate, segments per second; None to send as the window opens."""
    wake: float | None
    """Time at which `on_timer` is to be called, seconds since the run began; None for never."""
    def __new__(cls, *_args: object, **_kwargs: object) -> Self: ...
    @property
    def rng(self) -> Stream:
        """The connection's own random stream, from the seed of the run."""
    def __deepcopy__(self, memo: dict[int, object], /) -> Self:
        """Return a copy with copies of its attributes and of its random stream."""
    def grow(self, count: float, increase: float) -> None:
        """Grow by the rule of RFC 5681.

        That is `count` segments below ssthresh, and `increase` segments per round trip above it.
        """
    def cut(self, loss: LossSample, factor: float) -> None:
        """Cut by the rule of RFC 5681, to `factor` times the base of the reduction: ssthresh, and the window."""

@final
class Stream:
    """A random stream: the same numbers for the same seed and name, on every machine."""

    def __new__(cls, seed: int, name: str) -> Self: ...
    def bits(self) -> int:
        """Return 64 random bits."""
    def uniform(self) -> float:
        """Return a number uniform on 0 to 1, 1 excluded."""
    def exponential(self, mean: float) -> float:
        """Return an exponential number."""

@final
class Brought:
    """A class of controls in the form that the core runs."""

    @property
    def sha256(self) -> str:
        """SHA-256 of its source."""
    @property
    def source(self) -> str:
        """Its source."""

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
    """Make a class of controls that scenarios can name.

    Parameters are name, unit, default, least, most, words, meaning. The names in `methods` are called.
    """

@final
class ArrowTable:
    """A table in Arrow's format, handed to other libraries without a copy."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with a stream of record batches (Arrow PyCapsule interface).

        `requested_schema` is ignored, which the interface allows: the table comes in its own.
        """

    def batches(self) -> list[ArrowTable]:
        """Return each record batch as a table of its own; of a large table they are on disk until they are read."""

@final
class FlowState:
    """A flow at one moment. Counters are from the beginning of the run."""

    @property
    def cwnd(self) -> float:
        """Congestion window, segments; 0 for datagrams."""
    @property
    def ssthresh(self) -> float:
        """Slow-start threshold, segments; infinite if unlimited."""
    @property
    def pacing_rate(self) -> float | None:
        """Rate that the control asks for, segments per second."""
    @property
    def srtt_s(self) -> float | None:
        """Smoothed round-trip time (RFC 6298), seconds."""
    @property
    def rto_s(self) -> float | None:
        """Retransmission timeout in force, seconds."""
    @property
    def rtt_min_s(self) -> float | None:
        """Shortest round-trip time that the sender measured, seconds."""
    @property
    def rtt_sum_s(self) -> float:
        """Sum of the round-trip times that the sender measured, seconds."""
    @property
    def rtt_samples(self) -> int:
        """Number of the round-trip times that the sender measured."""
    @property
    def in_flight(self) -> int:
        """Segments sent and not known to have left the network."""
    @property
    def recovery(self) -> int:
        """0: open; 1: fast recovery; 2: after a timeout."""
    @property
    def sent_packets(self) -> int:
        """Packets that the source handed down, retransmissions included."""
    @property
    def sent_bytes(self) -> int:
        """Their payload."""
    @property
    def retransmitted_packets(self) -> int:
        """Of these packets, retransmissions."""
    @property
    def acked_packets(self) -> int:
        """Segments acknowledged."""
    @property
    def acked_bytes(self) -> int:
        """Their payload."""
    @property
    def delivered_bytes(self) -> int:
        """Payload handed to the receiving application."""
    @property
    def lost_packets(self) -> int:
        """Packets that the network has lost, whether or not the sender knows."""
    @property
    def marked_packets(self) -> int:
        """Packets that queues marked (ECN)."""
    @property
    def timeouts(self) -> int:
        """Retransmission timeouts."""
    @property
    def fast_retransmits(self) -> int:
        """Losses that the sender detected by acknowledgments."""
    @property
    def delay_mean_s(self) -> float | None:
        """Mean one-way delay of the packets received, seconds."""
    @property
    def finished(self) -> bool:
        """True if a transfer of given size is over."""

@final
class LinkState:
    """A direction of a link at one moment. Counters are from the beginning of the run."""

    @property
    def rate_bps(self) -> float:
        """The rate in force, bits per second."""
    @property
    def delay_s(self) -> float:
        """Propagation delay, seconds."""
    @property
    def queue_packets(self) -> int:
        """Packets in the queue, the one in transmission included."""
    @property
    def queue_bytes(self) -> int:
        """Their bytes on the wire."""
    @property
    def sent_bytes(self) -> int:
        """Bytes on the wire of the packets that it has accepted for transmission; some may still be in the queue."""
    @property
    def dropped_packets(self) -> int:
        """Packets lost at its queue or on its wire."""

@final
class Simulation:
    """A run between two calls. Flows and links go by number."""

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
        """The simulated time, seconds."""
    @property
    def end_s(self) -> float:
        """The end of the run, seconds."""
    @property
    def events(self) -> int:
        """Events simulated so far."""
    @property
    def steered(self) -> int:
        """Number of values that the program has set."""
    @property
    def is_over(self) -> bool:
        """True if `finish` was called, or a control has failed."""
    def is_tcp(self, flow: int) -> bool:
        """Tell whether a flow uses TCP."""
    def is_adjustable(self, link: int) -> bool:
        """Tell whether a link's rate can be set."""
    def segment(self, flow: int) -> int:
        """Return the payload of a full segment of a flow, bytes."""
    def advance(self, seconds: float, flow: int = 0, wait: str | None = None) -> bool:
        """Continue for `seconds`, or until the awaited event has happened to a flow; return whether it has."""
    def advance_to(self, seconds: float) -> None:
        """Continue until a time, seconds."""
    def flow(self, flow: int) -> FlowState:
        """Return a flow as it is now."""
    def link(self, direction: int) -> LinkState:
        """Return a direction of a link as it is now; they are numbered in pairs."""
    def set_cwnd(self, flow: int, segments: float | None, *, hold: bool = False) -> None:
        """Set a flow's window, hold it, or release it."""
    def set_pacing_rate(self, flow: int, rate: float | None) -> None:
        """Set a flow's rate, segments per second."""
    def set_link_rate(self, link: int, bps: int) -> None:
        """Set the rate of both directions of an adjustable link."""
    def fork(self) -> Self:
        """Return an independent copy."""
    def finish(self) -> RunResult:
        """Continue to the end and return the results."""

@final
class RunResult:
    """The results of one run."""

    @property
    def summary(self) -> bytes:
        """JSON. The same run gives the same bytes.

        ``flows``, ``links``, ``gateways``, ``wifi``, ``stations``, ``lte``, ``ues``, ``cells``, ``fairness``,
        ``manifest``. Written anew at each call.
        """
    @property
    def tables(self) -> list[str]:
        """Names of the tables: those that every run has (``"flows"``, ``"links"``, ...), then each trace."""
    @property
    def events(self) -> int:
        """Events simulated."""
    @property
    def wall_s(self) -> float:
        """Time that the run took on this machine, seconds."""
    @property
    def cpu_s(self) -> float:
        """Processor time that the run took on this machine, seconds."""
    def table(self, name: str) -> ArrowTable:
        """Return a table; `KeyError` if there is no table of that name."""
    def write_csv(self, name: str, path: str | PathLike[str]) -> None:
        """Write a table as CSV: times with 9 decimals, other numbers in their shortest exact form.

        Raises `KeyError` where there is no such table, `OSError` where the file cannot be written; nothing
        half-written stays behind.
        """
    def write_files(self, name: str, folder: str | PathLike[str], *, stem: str | None = None) -> list[str]:
        """Write the files of trace `name`, one of `file_traces`, into `folder` and return their paths.

        Their names are made of `stem`; without one they are ``capture-<node>-<interface>.pcap``, ``trace.tr``,
        ``flowmonitor.xml``. EvalVid's are named after the flows: ``<flow>-video.txt``, ``<flow>-sent.txt``,
        ``<flow>-received.txt``.

        Raises `ValueError` if the trace was not recorded, `OSError` if a file cannot be written.
        """

def check(
    text: str,
    format: Literal["toml", "json"],  # noqa: A002
    sets: Sequence[str],
    folder: str | PathLike[str] = ...,
) -> str:
    """Apply settings ``PATH=VALUE`` to a scenario, check all of it, and return it as canonical JSON.

    Files that it names are read relative to `folder`, the working directory if it is not given, and become part
    of it. Defaults are not filled in. Raises `ScenarioError`.
    """

def scenario_hash(document: str) -> str:
    """Return the hash of a JSON document; files count by their content, not by their names."""

def read_files(document: str, folder: str | PathLike[str]) -> str:
    """Return a JSON document with its short forms written out and its files, relative to `folder`, read.

    Raises `ScenarioError` if one cannot be read or is not valid; it names the line.
    """

def describe(text: str, format: Literal["toml", "json"]) -> str:  # noqa: A002
    """Return a scenario as JSON with every parameter filled in. Raises `ScenarioError`."""

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
    """Return a bound of the bytes that traces of a run take, in memory and on disk together.

    It takes sources to send full packets. None where controls in Python take part: a pilot would call them.
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

    `limits` are the share of the run and the seconds of this machine that the pilot takes at most. Each trace comes
    with its name and the bytes that it takes in memory, in the temporary folder, and as files. None if none had begun.
    """

def free_memory() -> int | None:
    """Return the bytes of memory that a run may still take; None if the system reports none."""

def run_many(
    jobs: Sequence[tuple[str, int, float]],
    *,
    threads: int | None = None,
    traces: Sequence[str] = ...,
    bin_s: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> list[RunResult]:
    """Run many scenarios on threads of this process; results come in the order of `jobs`.

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
    """Return the names of the tables that every run has, in the order of lists."""

def file_traces() -> list[str]:
    """Return the names of the traces that are files of their own format and no tables."""

def catalogue_kinds() -> list[str]:
    """Return the names of the lists that `catalogue` makes, in the order of lists."""

def catalogue(what: str) -> str:
    """Return the list of a kind as JSON: objects with ``name``, ``summary`` and more.

    `catalogue_kinds` names the kinds. Raises `ScenarioError` for any other.
    """

def seconds(text: str) -> float:
    """Read a time such as ``"20ms"`` as seconds. Raises `ValueError`, which shows the form, if it is none."""

def bits_per_second(text: str) -> int:
    """Read a rate such as ``"10Mbps"`` as bit/s. Raises `ValueError`, which shows the form, if it is none."""

def size_bytes(text: str) -> int:
    """Read a size such as ``"64KiB"`` as bytes. Raises `ValueError`, which shows the form, if it is none."""

def cbrt(x: float) -> float:
    """Return the cube root: the same last bit on every machine."""

def exp(x: float) -> float:
    """Return e to the power x: the same last bit on every machine."""

def log(x: float) -> float:
    """Return the natural logarithm: the same last bit on every machine."""

def power(x: float, y: float) -> float:
    """Return x to the power y: the same last bit on every machine."""
