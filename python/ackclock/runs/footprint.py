"""Memory and disk that a run will need: checked before the run, not when a disk is full."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.errors import InsufficientSpaceError

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario

PART = 0.05
"""Share of a run that an estimate simulates."""

PILOT_S = 0.4
"""Longest time that an estimate takes, seconds; it is checked ten times a second."""

SHARE = 0.5
"""Share of the free space that a run may take, by a bound from link rates, without an estimate."""

PARQUET = 0.25
"""Size of a trace's Parquet file as a share of its CSV file: 0.07 to 0.16 for a dumbbell's files of 1 MB and more."""

LEAST_ROOM = 1 << 26
"""Bytes that a run leaves free in the temporary folder."""


CONFIRM = "confirm=True"
"""Text by which a program runs without this check."""


@dataclass(frozen=True)
class Free:
    """Bytes that are free; measured unless a test gives them."""

    memory: int | None = field(default_factory=lambda: _core.free_memory())
    """Free memory; None if the system reports none."""
    disk: int | None = None
    """Free space of every folder; None to ask its file system."""

    def of(self, folder: Path) -> int:
        """Return the free space of a folder, which need not exist yet."""
        return shutil.disk_usage(_nearest(folder)).free if self.disk is None else self.disk


@dataclass(frozen=True)
class RunRequest:
    """A run with its traces."""

    scenario: Scenario
    seed: int | None
    jitter_s: float
    traces: Sequence[str]
    bin_s: float


@dataclass(frozen=True)
class OutputTarget:
    """Folder and form of the traces that are written."""

    folder: Path
    parquet: bool = False
    """True for a Parquet file beside each CSV file."""


def check_space(
    runs: Sequence[RunRequest], hint: str, *, written: OutputTarget | None = None, free: Free | None = None
) -> None:
    """Refuse runs whose traces together will not fit, as far as that can be told at little cost.

    A bound from link rates decides at once if it is low. Otherwise the beginning of the first run is simulated;
    the others are taken to keep as much in proportion to their bounds. Runs with user-defined controls are not tried.

    Args:
        runs: those whose traces are in memory together.
        hint: the way to go on all the same, for the message.
        written: the target of the traces after the run.
        free: the free space.

    Raises:
        InsufficientSpaceError: if they would keep more than is free.

    """
    if not any(run.traces for run in runs):
        return
    bounds = [_core.most_kept(run.scenario.json(), list(run.traces), run.bin_s) for run in runs]
    known = [bound for bound in bounds if bound is not None]
    most = sum(known)
    temporary = Path(tempfile.gettempdir())
    free = Free() if free is None else free
    rooms = [free.of(folder) for folder in (temporary, *([written.folder] if written else []))]
    memory = [] if free.memory is None else [free.memory]
    if most <= SHARE * min(rooms + memory):
        return
    first = runs[max(range(len(runs)), key=lambda at: bounds[at] or 0.0)]
    kept = _core.pilot(
        first.scenario.json(),
        seed=first.seed,
        jitter_s=first.jitter_s,
        traces=list(first.traces),
        bin_s=first.bin_s,
        limits=(PART, PILOT_S),
    )
    if kept:
        times = most / max(known)
        together = [
            (name, memory * times, waiting * times, files * times) for name, memory, waiting, files in kept
        ]
        _compare(together, hint, written, free)


def _compare(
    kept: Sequence[tuple[str, float, float, float]], hint: str, written: OutputTarget | None, free: Free
) -> None:
    """Refuse traces that do not fit into one of their places."""
    temporary = Path(tempfile.gettempdir())
    in_memory, waiting = sum(each[1] for each in kept), sum(each[2] for each in kept)
    as_files = sum(each[3] for each in kept)
    if written is not None and written.parquet:
        as_files *= 1 + PARQUET
    places: list[tuple[str, float, int]] = []
    if free.memory is not None:
        places.append(("in memory", in_memory, free.memory))
    if written is None:
        places.append((f"in {temporary}", waiting, free.of(temporary) - LEAST_ROOM))
    elif _same_disk(temporary, written.folder):
        places.append(
            (f"in {temporary} and {written.folder}", waiting + as_files, free.of(temporary) - LEAST_ROOM)
        )
    else:
        places.append((f"in {temporary}", waiting, free.of(temporary) - LEAST_ROOM))
        places.append((f"in {written.folder}", as_files, free.of(written.folder)))
    short = [(place, needed, left) for place, needed, left in places if needed > left]
    if not short:
        return
    largest = max(kept, key=lambda each: each[1] + each[2] + each[3])[0]
    fits = min(max(left, 0) / needed for _, needed, left in short)
    lines = [
        "there is no room for what this run would keep, estimated from its beginning",
        *(f"  {place}: about {_size(needed)} needed, {_size(left)} free" for place, needed, left in short),
        f"  what takes most: trace {largest}",
        f"  instead: {fits:.0%} of the duration, fewer traces, or another disk"
        + (" (--out, and TMPDIR for what waits until then)" if written else " (TMPDIR)"),
        f"  or go on all the same: {hint}",
    ]
    raise InsufficientSpaceError("\n".join(lines))


def _nearest(folder: Path) -> Path:
    """Return the nearest folder that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _same_disk(one: Path, other: Path) -> bool:
    return _nearest(one).stat().st_dev == _nearest(other).stat().st_dev


def _size(size: float) -> str:
    """Return a size in the unit that a person reads."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{max(size, 0) / 1e3:.1f} kB"
