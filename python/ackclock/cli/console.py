"""Output of the verbs: streams, tables, the progress bar, and machine-readable results.

Results go to standard output; progress, warnings and wall-clock figures to standard error.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ackclock.cli.fit import Table, width, wrapped
from ackclock.cli.streams import is_closed

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

PATIENCE_S = 2.0
"""Time after which a progress bar appears, seconds."""


PIPED = 100
"""Line width of tables that are written into a pipe or a file, characters."""

UNLIMITED = 10_000
"""Line width that stands for an unlimited width, characters."""


def output(*, wide: bool = False) -> Console:
    """Return the console for results; `wide` lifts the limit of the terminal's width."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the reader has closed the pipe, which is no failure

    return Piped(highlight=False, markup=False, width=UNLIMITED if wide else width(sys.stdout) or UNLIMITED)


def notes() -> Console:
    """Return the console that prints remarks to standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


_FORM: ContextVar[str] = ContextVar("_FORM", default="")


def tables_as(form: str | None) -> None:
    """Set the form of printed tables: None for text, ``"latex"`` or ``"csv"``.

    With ``"latex"`` or ``"csv"``, nothing else is printed to standard output.
    """
    _FORM.set(form or "")


def place(text: object) -> None:
    """Print the path of an output file; it goes to standard error if standard output is read by another program."""
    typer.echo(text, err=bool(_FORM.get()))


def show(*what: RenderableType | Table, wide: bool = False) -> None:
    """Print results to standard output; unless `wide` is True, columns that do not fit into a line are left out.

    A pipe or a file gets tables for a terminal that is `PIPED` characters wide.
    """
    from rich.text import Text

    if form := _FORM.get():
        for one in what:
            if isinstance(one, Table):
                typer.echo(one.to_latex() if form == "latex" else one.to_csv())
        return
    console = output(wide=wide)
    room = None if wide else width(sys.stdout) or PIPED
    for one in what:
        if not isinstance(one, Table):
            # Sentences are not wrapped in a pipe, since a program may read them by lines.
            console.print(one, width=None if isinstance(one, str) else room)
            continue
        made, gone = one.fitted(room)
        console.print(made.rich(room))
        if gone:
            console.print(Text(f"not shown: {', '.join(gone)} (--wide)", style="dim"))


def note(text: str, *, warning: bool = False) -> None:
    """Print a remark to standard error, with `warning` as a warning."""
    from rich.text import Text

    said = wrapped(f"warning: {text}" if warning else text, width(sys.stderr))
    notes().print(Text(said, style="yellow" if warning else ""))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> Table:
    """Return a table whose first `left` columns are text and the others numbers."""
    return Table(title, tuple(columns), tuple(map(tuple, rows)), left=left)


def check_json(target: str | None) -> None:
    """Raise an error before anything is run if the target of ``--json`` cannot be written."""
    from ackclock.errors import FileError

    if target == "-" and is_closed(sys.stdout):
        raise FileError("--json -: standard output is closed\n  name a file, or leave standard output open")
    if target not in (None, "-") and not (folder := Path(str(target)).parent).is_dir():
        raise FileError(
            f"--json {target}: there is no folder {folder}\n  make it first, or name another place"
        )


def write_json(target: str, text: str) -> None:
    """Write machine-readable results unchanged to standard output (``-``), or atomically to a file."""
    from ackclock._io.files import atomic_write

    check_json(target)
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        atomic_write(Path(target), text)


class Meter:
    """A progress bar on standard error; it appears after two seconds, and only at a terminal."""

    def __init__(self, what: str, unit: str, *, quiet: bool) -> None:
        """Set the name of the activity and the counted unit."""
        self._what, self._unit = what, unit
        self._silent = quiet or not sys.stderr.isatty()
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._found: int | None = None

    def jobs(self, done: int, total: int) -> None:
        """Show the number of finished runs.

        Runs that were finished at the first call come from the store and do not count for the speed.
        """
        if self._found is None:
            self._found, self._began = done, time.monotonic()
        self._show(done, total, done - self._found)

    def fraction(self, part: float, events: int) -> None:
        """Show the simulated fraction of a run and its number of events."""
        self._show(part, 1.0, events)

    def close(self) -> None:
        """Remove the bar."""
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
        made = done - (self._found or 0)
        left = f"{passed * (total - done) / made:.0f} s left" if made > 0 else ""
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
    """Yield a progress bar that is removed when the context ends."""
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
