"""Samples of ``ss -tinO`` as measured runs: the windows, round-trip times and counters of Linux sockets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ackclock._io.files import read_text
from ackclock.errors import FileError
from ackclock.measured.tables import UNKNOWN, Flow, Source, measured_run
from ackclock.runs.stored import StoredRun

TRACES: Final = ("cwnd", "state", "drops", "throughput")
"""Traces of a run that was read from samples."""

LARGEST: Final = 256 << 20
"""Maximum size of a file of samples, bytes."""

UNSET: Final = 2147483647
"""Slow-start threshold of Linux before the first loss (TCP_INFINITE_SSTHRESH)."""

_TIME: Final = re.compile(r"\d{9,11}(\.\d+)?")
_NUMBER: Final = re.compile(r"\b(\w+):([\d.]+)(?:/([\d.]+))?(?=\s|$)")
_CONTROL: Final = re.compile(r"\b([a-z][a-z0-9_]*)\s+(?:ecn\s+|ecnseen\s+|fastopen\s+)*(?:wscale|rto):")


@dataclass
class Samples:
    """The samples of one connection.

    Attributes:
        source: Local address and port.
        target: Address and port of the peer.
        control: Congestion control.
        rows: Time of each sample, seconds since 1970, and a pair of numbers by name. Only ``rtt`` and ``retrans`` use
            the second number.
    """

    source: tuple[str, str]
    target: tuple[str, str]
    control: str = UNKNOWN
    rows: list[tuple[float, dict[str, tuple[float, float]]]] = field(default_factory=list)


def load(path: Path, *, variant: str, bin_s: float) -> StoredRun:
    """Return the run in a file of samples, each preceded by a line with the time in seconds since 1970.

    Raises:
        FileError: If the file cannot be read, or has no samples of a connection that sent data.
    """
    found = [one for one in _connections(path) if _value(one.rows[-1][1], "bytes_acked")]
    if not found:
        raise FileError(
            f"{path}: no samples of a connection that sent data\n"
            "  wanted: while sleep 0.1; do date +%s.%N; ss -tinO dst ADDRESS; done > FILE"
        )
    # Connections that only received data, or whose data was sent before the first sample, show no transfer.
    found = [one for one in found if _sent(one)] or found
    zero = min(one.rows[0][0] for one in found)
    flows = [_flow(one, zero, variant) for one in found]
    return measured_run(Source("ss", path, zero), flows, bin_s=bin_s, traces=TRACES)


def _connections(path: Path) -> list[Samples]:
    """Return the connections of a file in the order of their first samples."""
    known: dict[tuple[str, str], Samples] = {}
    time: float | None = None
    for line in read_text(path, LARGEST).splitlines():
        words = line.split()
        if len(words) == 1 and _TIME.fullmatch(words[0]):
            time = float(words[0])
        if time is None or len(words) < 6 or "rtt:" not in line or ":" not in words[3] or ":" not in words[4]:
            continue
        ends = (words[3].rpartition(":"), words[4].rpartition(":"))
        one = known.setdefault(
            (words[3], words[4]), Samples((ends[0][0], ends[0][2]), (ends[1][0], ends[1][2]))
        )
        control = _CONTROL.search(line)
        one.control = control[1] if control else one.control
        values = {
            name: (float(first), float(second or "nan"))
            for name, first, second in _NUMBER.findall(" ".join(words[5:]))
            if first.count(".") < 2 and second.count(".") < 2 and {first, second}.isdisjoint({"."})
        }
        if "rtt" in values and (not one.rows or time > one.rows[-1][0]):
            one.rows.append((time, values))
    return [one for one in known.values() if one.rows]


def _value(values: dict[str, tuple[float, float]], name: str) -> float:
    """Return a value of a sample; 0 if it is missing, since ss leaves out counters that are zero."""
    return values.get(name, (0.0, 0.0))[0]


def _sent(one: Samples) -> bool:
    """Return true if the connection carried data while it was sampled."""
    return _value(one.rows[-1][1], "bytes_acked") > _value(one.rows[0][1], "bytes_acked")


def _flow(one: Samples, zero: float, variant: str) -> Flow:
    """Return the measurements in a connection's samples as a run's flow."""
    times = [time - zero for time, _ in one.rows]
    first, last = one.rows[0][1], one.rows[-1][1]
    windows: list[tuple[float, str, float]] = []
    before: dict[str, float] = {}
    for time, (_, values) in zip(times, one.rows, strict=True):
        for name in ("cwnd", "ssthresh"):
            value = values.get(name, (float("inf") if name == "ssthresh" else 0.0,))[0]
            value = float("inf") if value >= UNSET else value
            if before.get(name) != value:
                windows.append((time, name, value))
                before[name] = value
    again = [_total(values) for _, values in one.rows]
    losses = [
        (time, 0, 0)
        for time, earlier, now in zip(times[1:], again, again[1:], strict=False)
        for _ in range(max(0, int(now - earlier)))
    ]
    acked = [_value(values, "bytes_acked") for _, values in one.rows]
    mss = _value(last, "mss") or 1.0
    return Flow(
        f"{one.source[1]}>{one.target[1]}",
        one.source[0],
        one.target[0],
        variant or one.control,
        times[0],
        times[-1],
        {
            "acked_bytes": int(acked[-1] - acked[0]),
            "acked_packets": round((acked[-1] - acked[0]) / mss),
            "sent_packets": int(_value(last, "segs_out") - _value(first, "segs_out")),
            "sent_bytes": int(_value(last, "bytes_sent") - _value(first, "bytes_sent")),
            "retransmitted_packets": int(again[-1] - again[0]),
            "retransmitted_bytes": int(_value(last, "bytes_retrans") - _value(first, "bytes_retrans")),
            "sampled_rtt_min_s": _value(last, "minrtt") / 1e3 or None,
        },
        smoothed=[
            (time, _value(values, "rtt") / 1e3) for time, (_, values) in zip(times, one.rows, strict=True)
        ],
        windows=windows,
        in_flight=[
            (time, _value(values, "unacked")) for time, (_, values) in zip(times, one.rows, strict=True)
        ],
        acked=[
            (time, int(now - earlier))
            for time, earlier, now in zip(times[1:], acked, acked[1:], strict=False)
        ],
        losses=losses,
    )


def _total(values: dict[str, tuple[float, float]]) -> float:
    """Return the total of retransmissions: 5 in ``retrans:0/5``; ss leaves the entry out until the first one."""
    total = values.get("retrans", (0.0, 0.0))[1]
    return total if total == total else 0.0
