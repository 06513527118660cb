"""Checks before a run that its traces will fit into memory and onto the disk."""

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
"""Share of a run's duration that an estimate simulates."""

PILOT_S = 0.4
"""Maximum wall-clock time of an estimate, seconds; the clock is read ten times per second."""

SHARE = 0.5
"""Share of the free space up to which a run passes by its bound from link rates, without an estimate."""

PARQUET = 0.25
"""Assumed size of a trace's Parquet file relative to its CSV file; measured 0.07 to 0.16 for a dumbbell above 1 MB."""

LEAST_ROOM = 1 << 26
"""Space that a run must leave free in the temporary folder, bytes."""


CONFIRM = "confirm=True"
"""Argument with which a Python program skips this check, as the error message names it."""


@dataclass(frozen=True)
class Free:
    """Free memory and disk space, bytes; measured unless a test gives values."""

    memory: int | None = field(default_factory=lambda: _core.free_memory())
    """Free memory, bytes; None if the system does not report it."""
    disk: int | None = None
    """Free disk space of every folder, bytes; None to ask the file system."""

    def of(self, folder: Path) -> int:
        """Return the free space for a folder, bytes; the folder need not exist yet."""
        return shutil.disk_usage(_nearest(folder)).free if self.disk is None else self.disk


@dataclass(frozen=True)
class RunRequest:
    """A run that is to be checked: scenario, seed, start jitter in seconds, traces and width of bins in seconds."""

    scenario: Scenario
    seed: int | None
    jitter_s: float
    traces: Sequence[str]
    bin_s: float


@dataclass(frozen=True)
class OutputTarget:
    """Folder and file format for the traces after the run."""

    folder: Path
    parquet: bool = False
    """True to write a Parquet file beside each CSV file."""


def check_space(
    runs: Sequence[RunRequest], hint: str, *, written: OutputTarget | None = None, free: Free | None = None
) -> None:
    """Refuse runs whose traces together are estimated to exceed the free space.

    If an upper bound from the link rates is low, the runs pass at once. Otherwise the beginning of the run with the
    highest bound is simulated, and the others are assumed to need space in proportion to their bounds. Runs with
    user-defined controls are not checked.

    Args:
        runs: Runs whose traces are in memory at the same time.
        hint: Way to run anyway, for the error message.
        written: Target of the traces after the run, if they are written.
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
    """Refuse traces that do not fit in memory, in the temporary folder or in the folder of results."""
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
    """Return the folder itself or its nearest parent that exists."""
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
