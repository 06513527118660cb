"""Checks, before a run, that its traces will fit into memory and onto the disk."""

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
"""Share of a run's duration that is simulated to estimate the size of its traces."""

PILOT_S = 0.4
"""Maximum wall-clock time of an estimate, seconds; the clock is read ten times per second."""

SHARE = 0.5
"""Share of the free space that traces may take, by an upper bound from the link rates, without a closer estimate."""

PARQUET = 0.25
"""Assumed size of a trace's Parquet file relative to its CSV file. Measured values were 0.07 to 0.16, for a dumbbell
and files above 1 MB."""

LEAST_ROOM = 1 << 26
"""Space that a run must leave free in the temporary folder, bytes."""


CONFIRM = "confirm=True"
"""Argument by which a Python program skips this check; the error message names it."""


@dataclass(frozen=True)
class Free:
    """Free memory and disk space, bytes; both are measured unless a test gives values."""

    memory: int | None = field(default_factory=lambda: _core.free_memory())
    """Free memory, bytes; None if the system does not report it."""
    disk: int | None = None
    """Free disk space of every folder, bytes; None to ask the file system."""

    def of(self, folder: Path) -> int:
        """Return the free disk space for a folder, which need not exist yet, bytes."""
        return shutil.disk_usage(_nearest(folder)).free if self.disk is None else self.disk


@dataclass(frozen=True)
class RunRequest:
    """A run to be checked; its fields are scenario, seed, start jitter (s), traces, and width of bins (s)."""

    scenario: Scenario
    seed: int | None
    jitter_s: float
    traces: Sequence[str]
    bin_s: float


@dataclass(frozen=True)
class OutputTarget:
    """Folder and file format of the traces that are written after the run."""

    folder: Path
    parquet: bool = False
    """True if a Parquet file is written in addition to each CSV file."""


def check_space(
    runs: Sequence[RunRequest], hint: str, *, written: OutputTarget | None = None, free: Free | None = None
) -> None:
    """Refuse runs whose traces together are estimated to exceed the free space.

    If the upper bounds from the link rates are low, the runs pass at once. Otherwise the beginning of the run with the
    highest bound is simulated; for the other runs, space is estimated in proportion to their bounds. Runs with
    user-defined controls are not checked.

    Args:
        runs: Runs whose traces are in memory at the same time.
        hint: Text in the error message that tells how to run anyway.
        written: Folder and format in which the traces are written after the run; None if they are not written.
        free: Free space; measured if None.

    Raises:
        InsufficientSpaceError: If the traces need more than the free space.

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
    """Refuse traces that do not fit into memory, the temporary folder or the folder of results."""
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
    """Return the folder, or if it does not exist its nearest existing parent."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _same_disk(one: Path, other: Path) -> bool:
    return _nearest(one).stat().st_dev == _nearest(other).stat().st_dev


def _size(size: float) -> str:
    """Return a size in bytes as text with a suitable unit, such as ``17.1 GB``."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{max(size, 0) / 1e3:.1f} kB"
