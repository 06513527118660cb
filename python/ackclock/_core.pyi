"""The simulator (Rust). Private: use the names of `ackclock`."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Literal, final

__all__ = [
    "ArrowTable",
    "RunResult",
    "ScenarioError",
    "__version__",
    "bits_per_second",
    "catalogue",
    "catalogue_kinds",
    "check",
    "describe",
    "file_traces",
    "read_files",
    "result_tables",
    "run",
    "run_many",
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

@final
class ArrowTable:
    """A table in Arrow's format, handed to other libraries without a copy."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with a stream of one record batch (Arrow PyCapsule interface).

        `requested_schema` is ignored, which the interface allows: the table comes in its own.
        """

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

def run_many(
    jobs: Sequence[tuple[str, int, float]],
    *,
    threads: int = 0,
    traces: Sequence[str] = ...,
    bin_s: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> list[RunResult]:
    """Run many scenarios on threads of this process; results come in the order of `jobs`.

    Args:
        jobs: scenario as JSON text, seed, and bound of the start jitter in seconds, each.
        threads: how many at a time; 0: as many as there are cores. Results do not depend on it.
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
