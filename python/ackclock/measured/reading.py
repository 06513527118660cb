"""Reads files of measurements as runs: ``ackclock.measured.read("pcap", "mine.pcap")``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ackclock.errors import UserError, choices
from ackclock.measured import flent, pcap, proposal, qlog, ss
from ackclock.measured.observed import observed
from ackclock.measured.path import Path as Estimates
from ackclock.measured.path import fit as estimated
from ackclock.measured.transfer import Point, Transfer
from ackclock.runs.stored import StoredRun

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario

KINDS: Final = {
    "pcap": "packets of TCP connections, captured by tcpdump, dumpcap or Wireshark (pcap, pcapng, also .gz)",
    "qlog": "logs of QUIC stacks (.qlog in JSON, .sqlog in JSON text sequences), and qlog of ackclock's TCP flows",
    "ss": "samples of sockets: times, each followed by what ss -tinO printed",
    "flent": "data files of flent (.flent, .flent.gz)",
}
"""Kinds of files that can be read, each with a description of its content."""


def read(
    kind: str,
    path: str | Path,
    *,
    at: str | None = None,
    variant: str = "",
    bin_s: float = 1.0,
) -> StoredRun:
    """Return a measurement as a run, with its tables, traces and figures.

    An example is ``ac.measured.read("pcap", "mine.pcap").plot.rtt()``. Values that the file does not show are None.

    Args:
        kind: Kind of the file, one of `KINDS`.
        path: The file.
        at: Place of a capture: ``"sender"``, ``"middle"`` or ``"receiver"``. If None, it is inferred from round-trip
            times in the capture.
        variant: Congestion control of the senders, if the file does not tell it.
        bin_s: Width of the bins of trace ``throughput``, seconds.

    Raises:
        UserError: If there is no such kind or place, or the file has no data of a connection.
        FileError: If the file cannot be read, is of another kind or is damaged.
    """
    return _load(kind, Path(path), at=at, variant=variant, bin_s=bin_s)[0]


def fit(kind: str, path: str | Path, *, flow: int | str | None = None, at: str | None = None) -> Fit:
    """Return the path estimated from a measurement: rate, round-trip time, buffer and random loss, with intervals.

    After ``found = ac.measured.fit("pcap", "mine.pcap")``, see ``found.path.rate_bps``, or run
    ``found.scenario("cubic").run()``.

    Args:
        kind: Kind of the file, ``"pcap"``.
        path: The file.
        flow: Flow by name or number; the one with the most data if None.
        at: Place of the capture, as in `read`.

    Raises:
        UserError: If there is no such kind, place or flow, or the file has no data of a connection.
        FileError: If the file cannot be read, is of another kind or is damaged.
    """
    run, transfers = _load(kind, Path(path), at=at, variant="", bin_s=1.0)
    if not transfers:
        raise UserError(f"a path cannot be estimated from {kind}{choices(kind, ['pcap'])}")
    amounts = [one.unique_bytes for one in transfers]
    number = amounts.index(max(amounts)) if flow is None else run.flow_number(flow)
    name = str(run.summary["flows"][number]["name"])
    found = estimated(observed(transfers[number], name))
    return Fit(found, float(run.flow(number)["interval_s"]), Path(path).name)


@dataclass(frozen=True)
class Fit:
    """A path estimated from a measurement.

    Attributes:
        path: The estimates.
        duration_s: Duration of the flow, seconds.
        file: Name of the file.
    """

    path: Estimates
    duration_s: float
    file: str

    def scenario(self, variant: str = "cubic") -> Scenario:
        """Return a scenario with one flow over the path; raise `UserError` if rate or round-trip time is unknown."""
        return proposal.scenario(self.path, self.duration_s, variant)

    def to_toml(self, variant: str = "cubic") -> str:
        """Return the scenario as TOML, with the estimates as comments."""
        return proposal.text(self.path, self.scenario(variant), self.file)

    def rows(self) -> list[tuple[str, str, str]]:
        """Return name, value with interval, and basis of each estimate."""
        return list(proposal.rows(self.path))


def _load(
    kind: str, path: Path, *, at: str | None, variant: str, bin_s: float
) -> tuple[StoredRun, list[Transfer]]:
    """Return a measurement as a run, and its transfers if it is a capture."""
    if kind not in KINDS:
        raise UserError(f"there is no kind of measurement {kind!r}{choices(kind, KINDS)}")
    if at is not None and at not in list(Point):
        raise UserError(f"there is no place of a capture {at!r}{choices(at, list(Point))}")
    if not bin_s >= 1e-6:
        raise UserError(f"bin_s: not allowed\n  given:   {bin_s}\n  allowed: at least 1e-6 (seconds)")
    point = None if at is None else Point(at)
    if kind != "pcap":
        if at is not None:
            raise UserError(f"at is for captures, not for {kind}: leave it out")
        load = {"qlog": qlog.load, "ss": ss.load, "flent": flent.load}[kind]
        return load(path, variant=variant, bin_s=bin_s), []
    return pcap.load(path, point=point, variant=variant, bin_s=bin_s)
