"""Data files of flent (``.flent``, ``.flent.gz``) as measured runs."""

from __future__ import annotations

import datetime
import gzip
import json
import math
import re
import stat
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from ackclock.errors import FileError
from ackclock.measured.tables import PING, UNKNOWN, Flow, Source, measured_run
from ackclock.runs.stored import StoredRun

TRACES: Final = ("cwnd", "state", "drops", "throughput")
"""Traces of a run that was read from a data file."""

LARGEST: Final = 256 << 20
"""Maximum size of a data file after unpacking, bytes."""

RATE: Final = "Mbits/s"
"""Unit of the series that are read as flows of data."""

COMPUTED: Final = frozenset(("avg", "sum", "totals", "total", "fairness"))
"""Last words of the names of series that flent computes from other series."""

PART_S: Final = 0.1
"""Longest part of an interval whose bytes are counted at one time, s."""

SOCKET: Final = ("tcp_cwnd", "tcp_rtt")
"""Values of a flow's socket: the window in segments, and the smoothed round-trip time in milliseconds."""


class _File:
    """Contents of a data file.

    Results are values at equal distances, which flent interpolates from its samples. Raw values are those samples, with
    their own times and lengths; netperf-wrapper, flent's predecessor, did not write them.
    """

    def __init__(self, path: Path) -> None:
        """Read the file; raise a `FileError` if it is damaged."""
        data = _read(path)
        times, results = data.get("x_values"), data.get("results")
        if not isinstance(results, dict) or not _numbers(times, None):
            raise FileError(f"{path}: damaged (x_values and results are wanted, as flent writes them)")
        self.times: Sequence[float] = times or ()
        self.results = {name: values for name, values in results.items() if _numbers(values, len(self.times))}
        self.meta = _table(data, "metadata")
        self._about = _table(self.meta, "SERIES_META")
        raw = {name: _samples(values) for name, values in _table(data, "raw_values").items()}
        starts = [row["t"] - row.get("dur", 0.0) for rows in raw.values() for row in rows]
        self.zero = min(starts, default=None)
        self._raw = {
            name: [{**row, "t": row["t"] - (self.zero or 0.0)} for row in rows] for name, rows in raw.items()
        }

    def names(self) -> list[str]:
        """Return the names of series; numbers in them are ordered by value."""
        return sorted(
            self.results, key=lambda name: [(int(x), "") if x.isdigit() else (0, x) for x in _PARTS(name)]
        )

    def about(self, name: str) -> dict[str, Any]:
        """Return what the file says about a series."""
        return _table(self._about, name)

    def rates(self, name: str) -> Iterator[tuple[float, float, float]]:
        """Yield begin and end of each interval, and the rate in it, Mbit/s."""
        raw = [row for row in self._raw.get(name, ()) if "val" in row]
        if raw and all("dur" in row for row in raw):
            yield from ((row["t"] - row["dur"], row["t"], row["val"]) for row in raw)
        else:
            known = list(self._known(name))
            yield from ((before, time, rate) for (before, _), (time, rate) in pairwise(known))

    def values(self, name: str, kind: str = "") -> list[tuple[float, float]]:
        """Return times and values of a series; with `kind` those of its socket."""
        raw = [(row["t"], row[kind or "val"]) for row in self._raw.get(name, ()) if (kind or "val") in row]
        return raw or list(self._known(f"{name}::{kind}" if kind else name))

    def _known(self, name: str) -> Iterator[tuple[float, float]]:
        return (
            (time, value)
            for time, value in zip(self.times, self.results.get(name, ()), strict=False)
            if value is not None
        )


_PARTS: Final = re.compile(r"\d+|\D+").findall


def load(path: Path, *, variant: str, bin_s: float) -> StoredRun:
    """Return the run in a data file of flent.

    Each series of a flow's rate becomes a flow, with the values of its socket if the file has them, and so does each
    series of pings.

    Raises:
        FileError: If the file cannot be read, is damaged, or has no flow.
    """
    file = _File(path)
    found = (_flow(file, name, variant) for name in file.names() if _is_flow(name, file.about(name)))
    flows = [one for one in found if one is not None]
    if not flows:
        raise FileError(f"{path}: no series of a flow among {', '.join(list(file.results)[:8]) or 'none'}")
    notes = {"test": str(file.meta.get("NAME", "")), "title": str(file.meta.get("TITLE", ""))}
    began = _began(file.meta) if file.zero is None else file.zero
    return measured_run(Source("flent", path, began, notes), flows, bin_s=bin_s, traces=TRACES)


def _read(path: Path) -> dict[str, Any]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileError(f"cannot read {path}: it is not a regular file")
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if packed else raw as file:
                text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise FileError(f"{path}: too large\n  allowed: {LARGEST >> 20} MiB after unpacking")
        found = json.loads(text)
    except (EOFError, zlib.error, gzip.BadGzipFile) as why:
        raise FileError(f"{path}: damaged (gzip: {why})") from why
    except OSError as why:
        raise FileError.unreadable(path, why) from why
    except (ValueError, RecursionError) as why:
        raise FileError(f"{path}: damaged (not JSON, or nested too deeply)") from why
    if not isinstance(found, dict):
        raise FileError(f"{path}: damaged (a JSON object is wanted)")
    return found


def _numbers(values: object, length: int | None) -> bool:
    """Return true for a list of finite numbers; with a `length`, it must have that length and may contain nulls."""
    if not isinstance(values, list) or not values or (length is not None and len(values) != length):
        return False
    return all(_is_number(x) or (x is None and length is not None) for x in values)


def _table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return an entry that should be a table; an empty one if it is not."""
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _samples(values: object) -> list[dict[str, float]]:
    """Return the raw samples of a series that have a time, without entries that are no numbers."""
    rows = (row for row in values if isinstance(row, dict)) if isinstance(values, list) else ()
    numbers = ({key: float(x) for key, x in row.items() if _is_number(x)} for row in rows)
    return [row for row in numbers if "t" in row]


def _is_number(value: object) -> bool:
    """Return true for a finite number; JSON of flent may contain NaN."""
    return isinstance(value, int | float) and math.isfinite(value)


def _is_flow(name: str, about: Mapping[str, Any]) -> bool:
    """Return true if the series is the rate of one flow or its pings, and neither computed nor a value of a socket."""
    words = name.lower().replace("::", " ").split()
    if "::tcp_" in name or not COMPUTED.isdisjoint(words):
        return False
    return _is_ping(name) or (
        str(about.get("UNITS") or RATE) == RATE and name.startswith(("TCP", "UDP", "SCTP"))
    )


def _is_ping(name: str) -> bool:
    return name.startswith("Ping (ms)")


def _flow(file: _File, name: str, variant: str) -> Flow | None:
    """Return the flow of a series, or None if the series has fewer than two values."""
    about = file.about(name)
    here, there = str(file.meta.get("LOCAL_HOST") or "client"), _server(file.meta, name)
    if _is_ping(name):
        pings = [(time, value / 1e3) for time, value in file.values(name)]
        if len(pings) < 2:
            return None
        return Flow(name, here, there, PING, pings[0][0], pings[-1][0], rtts=pings, smoothed=pings)
    rates = list(file.rates(name))
    if not rates:
        return None
    acked = [part for begin, end, rate in rates for part in _parts(begin, end, rate)]
    upload = "download" not in name
    total = sum(amount for _, amount in acked)
    values: dict[str, Any] = {"acked_bytes": total}
    if segment := _count(about.get("TCP_MSS")):
        values["acked_packets"] = round(total / segment)
    if upload and (again := _count(about.get("TCP_RETRANSMIT"))) is not None:
        values["retransmitted_packets"] = again
    control = about.get("CONG_CONTROL")
    kind = variant or (control if isinstance(control, str) and control else UNKNOWN)
    windows, smoothed = (file.values(name, kind) for kind in SOCKET)
    return Flow(
        name,
        here if upload else there,
        there if upload else here,
        "udp" if name.startswith("UDP") else kind,
        rates[0][0],
        rates[-1][1],
        values,
        smoothed=[(time, value / 1e3) for time, value in smoothed],
        windows=[(time, "cwnd", value) for time, value in windows],
        acked=acked,
    )


def _parts(begin: float, end: float, rate: float) -> Iterator[tuple[float, int]]:
    """Yield the middles of parts of an interval of at most `PART_S`, and their bytes at a constant rate, Mbit/s."""
    total, parts = max(0.0, rate * 1e6 / 8 * (end - begin)), max(1, math.ceil((end - begin) / PART_S))
    for i in range(parts):
        amount = round(total * (i + 1) / parts) - round(total * i / parts)
        yield begin + (end - begin) * (i + 0.5) / parts, amount


def _server(meta: Mapping[str, Any], name: str) -> str:
    """Return the host at the other end: the one that ends the name of the series, or the test's only one."""
    hosts = meta.get("HOSTS")
    every = [str(host) for host in hosts] if isinstance(hosts, list) else []
    named = [host for host in every if name.endswith(f" {host}")]
    return str((named or [meta.get("HOST") or "server"])[0])


def _count(value: object) -> int | None:
    """Return a number that netperf counted; None if it is unknown, which netperf writes as -1."""
    found = int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else -1
    return found if found >= 0 else None


def _began(meta: Mapping[str, Any]) -> float | None:
    try:
        return datetime.datetime.fromisoformat(str(meta.get("T0"))).replace(tzinfo=datetime.UTC).timestamp()
    except ValueError:
        return None
