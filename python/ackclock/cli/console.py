"""What the verbs share: where text goes, tables, the progress bar, and machine-readable output.

Results go to standard output; progress, warnings and wall-clock figures to standard error.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress
    from rich.table import Table

PATIENCE_S = 2.0
"""A progress bar appears on what takes longer than this."""


def output() -> Console:
    """Return the console of results. Not on a terminal, tables are as wide as they need to be."""
    from rich.console import Console

    return Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 200)


def notes() -> Console:
    """Return the console of remarks: standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def show(*what: RenderableType) -> None:
    """Print results to standard output."""
    console = output()
    for one in what:
        console.print(one)


def note(text: str, *, warning: bool = False) -> None:
    """Print a remark to standard error."""
    from rich.text import Text

    notes().print(Text(f"warning: {text}" if warning else text, style="yellow" if warning else ""))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> Table:
    """Return a table whose first `left` columns are text and the others numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(
        title=Text(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i < left else "right", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def write_json(target: str, text: str) -> None:
    """Write machine-readable results to standard output (``-``), byte for byte, or whole into a file."""
    from ackclock.files import atomic_write

    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        atomic_write(Path(target), text)


class Meter:
    """A progress bar on standard error that appears once two seconds have passed, and only on a terminal."""

    def __init__(self, what: str, unit: str, *, quiet: bool) -> None:
        """Name what goes on and what is counted."""
        self._what, self._unit = what, unit
        self._silent = quiet or not sys.stderr.isatty()
        self._began = time.monotonic()
        self._bar: Progress | None = None

    def jobs(self, done: int, total: int) -> None:
        """Say how many runs are done of how many."""
        self._show(done, total, done)

    def fraction(self, part: float, events: int) -> None:
        """Say which part of a run has been simulated, and how many events that took."""
        self._show(part, 1.0, events)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _show(self, done: float, total: float, count: int) -> None:
        passed = time.monotonic() - self._began
        if self._silent or passed < PATIENCE_S:
            return
        if self._bar is None:
            self._bar = self._made()
        rate = f"{_short(count / passed)} {self._unit}/s"
        left = f"{passed * (total - done) / done:.0f} s left" if done > 0 else ""
        self._bar.update(self._bar.task_ids[0], completed=done, total=total, rate=rate, left=left)

    def _made(self) -> Progress:
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}  {task.fields[left]}"),
        )
        bar = Progress(*columns, console=notes(), transient=True)
        bar.add_task(self._what, rate="", left="")
        bar.start()
        return bar


@contextlib.contextmanager
def meter(what: str, unit: str = "runs", *, quiet: bool = False) -> Iterator[Meter]:
    """Give a progress bar for the length of the context."""
    made = Meter(what, unit, quiet=quiet)
    try:
        yield made
    finally:
        made.close()


def _short(rate: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.1f}{letter}"
    return f"{rate:.1f}"
