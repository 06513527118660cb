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
    """What is wrong with a scenario: where, what was given, what is allowed.

    ``str(error)`` says it all in a few lines.
    """

    path: str
    """Where, as settings are written: ``flow.0.tcp.variant``; empty for the scenario as a whole."""
    given: str
    """What was written there, as TOML shows it; empty where nothing is there."""
    allowed: str
    """What may be written there; empty where the message says it all."""
    nearest: str | None
    """The valid name nearest to what was given, if one is near."""
    line: int | None
    """Line of the file, from 1, where the scenario came from text."""
    more: tuple[ScenarioError, ...]
    """What else is wrong, each an error of its own."""

class ControlError(ValueError):
    """A congestion control of your own broke the contract, or raised.

    ``str(error)`` says when, what it was told, and where in its source; what it raised is the cause.
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
        """What it counts for when the window grows: 1, or the segments it acknowledges."""
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
        """Whether the receiver delays acknowledgments: one covers several segments as a rule."""
    @property
    def rtt(self) -> float | None:
        """Round-trip time of the newest segment it acknowledges, where that segment was sent just once.

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
        """Whether the window may grow: not where the acknowledgment only keeps or ends fast recovery."""
    def window_limited(self, cwnd: float) -> bool:
        """Tell whether the window held the sender back: as much was outstanding as `cwnd` lets go (RFC 7661)."""

@final
class Arrival:
    """Any acknowledgment, as an algorithm that counts arrivals sees it: before loss recovery, and during it."""

    @property
    def now(self) -> float:
        """The time, seconds since the run began."""
    @property
    def acked(self) -> int:
        """Segments it newly acknowledges cumulatively; 0: a duplicate, which shows that one has arrived."""
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
        """It echoes a mark (ECE)."""

@final
class LossSample:
    """A loss, as an algorithm sees it."""

    @property
    def now(self) -> float:
        """The time, seconds since the run began."""
    @property
    def why(self) -> Literal["fast_loss", "restart", "timeout", "mark"]:
        """Why the window is cut."""
    @property
    def base(self) -> float:
        """What is reduced: the data in flight or the window in use, segments (parameter `reduction`)."""
    @property
    def whole(self) -> bool:
        """Whole segments only, before and after the reduction."""
    @property
    def whole_ssthresh(self) -> bool:
        """Ssthresh in whole segments."""
    @property
    def halve_in_slow_start(self) -> bool:
        """A cut milder than half is none where slow start met the loss, or the timer found it."""
    @property
    def early(self) -> bool:
        """Whether the cut is the first, or met slow start, or begins it (parameter `early_halving`)."""
    @property
    def floor(self) -> float:
        """The window a fast loss leaves is at least this many segments."""
    @property
    def keep_ssthresh(self) -> bool:
        """The threshold stays as it is: this segment has timed out before (RFC 5681 section 3.1)."""
    @property
    def oldest(self) -> tuple[float, int]:
        """The segment that was lost; its times are known to algorithms that time segments."""
    @property
    def abe(self) -> float | None:
        """What multiplies the window on a mark in place of the algorithm's own factor (ABE, RFC 8511)."""
    @property
    def una(self) -> int:
        """First unacknowledged segment: the one that was lost."""
    @property
    def outstanding(self) -> int:
        """Segments outstanding."""
    @property
    def timeout(self) -> bool:
        """Whether the retransmission timer found it."""
    @property
    def goes_on(self) -> bool:
        """Whether the connection goes on with the reduced window, rather than begin again with one segment."""
    def reduced(self, factor: float) -> float:
        """Return `factor` of what is reduced, in whole segments where asked for."""
    def less(self, share: float) -> float:
        """Return what is left where `share` of what is reduced is taken, in whole segments."""
    def threshold(self, window: float) -> float:
        """Return the slow-start threshold that goes with a window: at least two segments (RFC 5681 equation 4)."""

@final
class RateSample:
    """What one acknowledgment tells about the rate of delivery."""

    @property
    def now(self) -> float:
        """The time, seconds since the run began."""
    @property
    def rate(self) -> float | None:
        """The delivery rate, segments per second; None where this acknowledgment gives no sample."""
    @property
    def interval(self) -> float:
        """Over what time it was measured, seconds."""
    @property
    def app_limited(self) -> bool:
        """The application or the receiver's window held the sender back while it was measured."""
    @property
    def rtt(self) -> float | None:
        """Round trip of the last sent of the newly delivered segments, where that was sent just once."""
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
        """All of them below this are acknowledged."""

@disjoint_base
class Control:
    """What a congestion control in Python inherits from: what the connection reads of it."""

    cwnd: float
    """Congestion window, segments."""
    ssthresh: float
    """Slow-start threshold, segments; infinite where unlimited."""
    pacing_rate: float | None
    """Segments per second to send at; None: as the window opens."""
    wake: float | None
    """When `on_timer` is to be called, seconds since the run began; None: never."""
    def __new__(cls, *_args: object, **_kwargs: object) -> Self: ...
    @property
    def rng(self) -> Stream:
        """The connection's own random stream, from the seed of the run."""
    def __deepcopy__(self, memo: dict[int, object], /) -> Self:
        """Return a copy with copies of its attributes and of its random stream."""
    def grow(self, count: float, increase: float) -> None:
        """Grow as RFC 5681 has it.

        That is `count` segments below ssthresh, and `increase` segments per round trip above it.
        """
    def cut(self, loss: LossSample, factor: float) -> None:
        """Cut as RFC 5681 has it, to `factor` of what is reduced: ssthresh, and the window."""

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
    """A class of controls as the core runs it."""

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
    """Make a class of controls one that scenarios can name.

    Parameters are name, unit, default, least, most, words, meaning. What stands in `methods` is called.
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
        """Slow-start threshold, segments; infinite where unlimited."""
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
        """How many it measured."""
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
        """Packets that the network has lost: the truth, whether or not the sender knows."""
    @property
    def marked_packets(self) -> int:
        """Packets that queues marked (ECN)."""
    @property
    def timeouts(self) -> int:
        """Retransmission timeouts."""
    @property
    def fast_retransmits(self) -> int:
        """Losses seen from acknowledgments."""
    @property
    def delay_mean_s(self) -> float | None:
        """Mean one-way delay of the packets received, seconds: the truth."""
    @property
    def finished(self) -> bool:
        """Whether a transfer of given size is over."""

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
        """Bytes on the wire of the packets that it has taken to transmit; some may still be in the queue."""
    @property
    def dropped_packets(self) -> int:
        """Packets lost at its queue or on its wire."""

@final
class Simulation:
    """A run that stands still between two calls. Flows and links go by number."""

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
        """When the run ends, seconds."""
    @property
    def events(self) -> int:
        """Events simulated so far."""
    @property
    def steered(self) -> int:
        """How often something was set."""
    @property
    def is_over(self) -> bool:
        """Whether `finish` was called, or a control has failed."""
    def is_tcp(self, flow: int) -> bool:
        """Tell whether a flow goes over TCP."""
    def is_adjustable(self, link: int) -> bool:
        """Tell whether a link's rate can be set."""
    def segment(self, flow: int) -> int:
        """Return the payload of a full segment of a flow, bytes."""
    def advance(self, seconds: float, flow: int = 0, wait: str | None = None) -> bool:
        """Go on for a time, or until what is waited for has happened to a flow: whether it has."""
    def advance_to(self, seconds: float) -> None:
        """Go on until a time."""
    def flow(self, flow: int) -> FlowState:
        """Return a flow as it is now."""
    def link(self, direction: int) -> LinkState:
        """Return a direction of a link as it is now; they are numbered in pairs."""
    def set_cwnd(self, flow: int, segments: float | None, *, hold: bool = False) -> None:
        """Set a flow's window, or hold it, or let it go."""
    def set_pacing_rate(self, flow: int, rate: float | None) -> None:
        """Set a flow's rate, segments per second."""
    def set_link_rate(self, link: int, bps: int) -> None:
        """Set the rate of both directions of an adjustable link."""
    def fork(self) -> Self:
        """Return a copy that goes on by itself."""
    def finish(self) -> RunResult:
        """Go on to the end and return the results."""

@final
class RunResult:
    """What one run gave."""

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
        """Return a table; `KeyError` where there is none of that name."""
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

    Files that it names are read relative to `folder`, the working directory where not given, and become part
    of it. Defaults are not filled in. Raises `ScenarioError`.
    """

def scenario_hash(document: str) -> str:
    """Return the hash of a JSON document; files count by their content, not by their names."""

def read_files(document: str, folder: str | PathLike[str]) -> str:
    """Return a JSON document with its short forms written out and the files that it names, relative to `folder`, read.

    Raises `ScenarioError` if one cannot be read or makes no sense; it names the line.
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
        seed: seed of every random stream; the scenario's own where None.
        jitter_s: flow starts are delayed by up to this many seconds, drawn from the seed.
        traces: names of traces to record (``catalogue("traces")``).
        bin_s: width of the bins of trace ``"throughput"``, seconds.
        progress: called at most about ten times a second with the share of the run that is done (0 to 1) and
            the events handled so far; what it raises stops the run.

    Raises:
        ScenarioError: where the scenario makes no sense, or a trace does not exist.
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
    """Simulate the beginning of a run and return what each trace of all of it would take, extrapolated.

    `limits` are the share of the run and the seconds of this machine that the pilot takes at most. Each trace comes
    with its name and the bytes that it takes in memory, in the temporary folder, and as files. None if none had begun.
    """

def free_memory() -> int | None:
    """Return the bytes of memory that a run may still take; None where the system does not tell."""

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
        threads: how many at a time; None or 0: as many as there are cores. Results do not depend on it.
        traces: names of traces to record in every run.
        bin_s: width of the bins of trace ``"throughput"``, seconds.
        progress: called at most about ten times a second with the number of runs done and of all runs; what
            it raises stops them.

    Raises:
        ScenarioError: where a scenario makes no sense; its text begins with the job's index.
        KeyboardInterrupt: on Ctrl-C.

    """

def result_tables() -> list[str]:
    """Return the names of the tables that every run has, in the order of lists."""

def file_traces() -> list[str]:
    """Return the names of the traces that are files of their own format and no tables."""

def catalogue_kinds() -> list[str]:
    """Return the names of the lists that `catalogue` makes, in the order of lists."""

def catalogue(what: str) -> str:
    """Return what there is of a kind, as a JSON list of objects with ``name``, ``summary`` and more.

    `catalogue_kinds` names the kinds. Raises `ScenarioError` for any other.
    """

def seconds(text: str) -> float:
    """Read a time such as ``"20ms"`` as seconds. Raises `ValueError` where it is none, and says what is."""

def bits_per_second(text: str) -> int:
    """Read a rate such as ``"10Mbps"`` as bit/s. Raises `ValueError` where it is none, and says what is."""

def size_bytes(text: str) -> int:
    """Read a size such as ``"64KiB"`` as bytes. Raises `ValueError` where it is none, and says what is."""

def cbrt(x: float) -> float:
    """Return the cube root: the same last bit on every machine."""

def exp(x: float) -> float:
    """Return e to the power x: the same last bit on every machine."""

def log(x: float) -> float:
    """Return the natural logarithm: the same last bit on every machine."""

def power(x: float, y: float) -> float:
    """Return x to the power y: the same last bit on every machine."""
