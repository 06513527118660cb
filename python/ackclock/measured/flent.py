"""Data files of flent (``.flent``, ``.flent.gz``) as measured runs."""

from __future__ import annotations

import datetime
import gzip
import json
import stat
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from ackclock.errors import FileError
from ackclock.measured.tables import UNKNOWN, Flow, Source, measured_run
from ackclock.runs.stored import StoredRun

TRACES: Final = ("cwnd", "state", "drops", "throughput")
"""Traces of a run that was read from a data file."""

LARGEST: Final = 256 << 20
"""Maximum size of a data file after unpacking, bytes."""

RATE: Final = "Mbits/s"
"""Unit of the series that are read as flows."""

SOCKET: Final = {"tcp_cwnd": "cwnd", "tcp_rtt": "rtt"}
"""Endings of the names of series with values of a flow's socket; each maps to a quantity of the flow."""


def load(path: Path, *, variant: str, bin_s: float) -> StoredRun:
    """Return the run in a data file of flent.

    Each series of a flow's rate becomes a flow. It gets its socket's values if the file has them.

    Raises:
        FileError: If the file cannot be read, is damaged, or has no flow.
    """
    data = _read(path)
    times, results = data.get("x_values"), data.get("results")
    if not isinstance(results, dict) or not _numbers(times, None):
        raise FileError(f"{path}: damaged (x_values and results are wanted, as flent writes them)")
    series = {name: values for name, values in results.items() if _numbers(values, len(times or ()))}
    meta = data.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    units = meta.get("SERIES_META")
    units = units if isinstance(units, dict) else {}
    flows = [
        _flow(name, times or (), series, variant, meta) for name in series if _is_flow(name, units.get(name))
    ]
    flows = [one for one in flows if one is not None]
    if not flows:
        raise FileError(f"{path}: no series of a flow among {', '.join(list(series)[:8]) or 'none'}")
    source = Source(
        "flent", path, _began(meta), {"test": str(meta.get("NAME", "")), "title": str(meta.get("TITLE", ""))}
    )
    return measured_run(source, [one for one in flows if one], bin_s=bin_s, traces=TRACES)


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
    """Return true for a list of numbers. With a `length` the list must have that length and may contain nulls."""
    if not isinstance(values, list) or not values or (length is not None and len(values) != length):
        return False
    return all(isinstance(x, int | float) or (x is None and length is not None) for x in values)


def _is_flow(name: str, about: object) -> bool:
    """Return true if the series is the rate of one flow: no sum or mean of flows, and no value of a socket."""
    words = {"avg", "sum", "totals", "total"}
    if "::tcp_" in name or words & set(name.lower().replace("::", " ").split()):
        return False
    unit = about.get("UNITS") if isinstance(about, dict) else None
    return unit == RATE if unit else name.startswith(("TCP upload", "TCP download", "UDP"))


def _flow(
    name: str,
    times: Sequence[float],
    series: Mapping[str, Sequence[float | None]],
    variant: str,
    meta: Mapping[str, Any],
) -> Flow | None:
    """Return a flow from its series of rates; each rate is assumed to hold since the time of the previous rate."""
    rates = [(time, rate) for time, rate in zip(times, series[name], strict=True) if rate is not None]
    if len(rates) < 2:
        return None
    acked = [
        (time, max(0, round(rate * 1e6 / 8 * (time - before))))
        for (before, _), (time, rate) in pairwise(rates)
    ]
    socket = {
        kind: [
            (t, x) for t, x in zip(times, series.get(f"{name}::{ending}", ()), strict=False) if x is not None
        ]
        for ending, kind in SOCKET.items()
    }
    upload = "download" not in name
    here, there = str(meta.get("LOCAL_HOST") or "client"), str(meta.get("HOST") or "server")
    kind = "udp" if name.startswith("UDP") else variant or UNKNOWN
    return Flow(
        name,
        here if upload else there,
        there if upload else here,
        kind,
        rates[0][0],
        rates[-1][0],
        {"acked_bytes": sum(amount for _, amount in acked)},
        smoothed=[(time, value / 1e3) for time, value in socket["rtt"]],
        windows=[(time, "cwnd", value) for time, value in socket["cwnd"]],
        acked=acked,
    )


def _began(meta: Mapping[str, Any]) -> float | None:
    try:
        return datetime.datetime.fromisoformat(str(meta.get("T0"))).replace(tzinfo=datetime.UTC).timestamp()
    except ValueError:
        return None
