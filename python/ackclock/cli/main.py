"""Entry point of the command line ``ackclock``; it converts every outcome into an exit status.

0: success. 2: a user error, with a message of at most one screen. 3: an assertion of ``run`` or a case of ``conform``
failed. 130: interrupted by Ctrl-C. 143, 129: ended by SIGTERM or SIGHUP, with the same cleanup. 1: a bug, with its
traceback.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from ackclock.cli import streams

__all__ = ["main"]

PACKAGE = Path(__file__).parent.parent

DONE, BUG, USER_ERROR, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line with `arguments` (None: those of the process) and return the exit status."""
    streams.prepare()
    # Scenarios and summaries of thousands of flows are many objects that stay: look for garbage less often.
    gc.set_threshold(500_000, 20, 100)
    ended: list[int] = []
    try:
        with _heeded(ended), _told():
            return _run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        _say("ended" if ended else "interrupted")
        return 128 + ended[0] if ended else INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe (`ackclock list | head`), so nothing may be flushed at exit.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception:
        import traceback

        traceback.print_exc()
        _say("this is a bug in ackclock, not your mistake: please report the lines above and your command")
        return BUG


@contextlib.contextmanager
def _heeded(ended: list[int]) -> Iterator[None]:
    """Convert SIGTERM and SIGHUP to KeyboardInterrupt inside the context; append the signal's number to `ended`."""

    def interrupt(number: int, _frame: object) -> None:
        ended.append(number)
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = [number for number in (getattr(signal, name) for name in names) if _is_default(number)]
    try:
        for number in ours:
            signal.signal(number, interrupt)
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Print the package's own warnings inside the context as remarks, without file and line of Python code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", FutureWarning)
        others = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            own = issubclass(category, RuntimeWarning) and Path(filename).is_relative_to(PACKAGE)
            if own or issubclass(category, FutureWarning):
                _say(f"warning: {message}")
            else:
                others(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield


def _is_default(number: int) -> bool:
    """Return true if a signal has its default handler in the main thread; `nohup`, for example, ignores SIGHUP."""
    here = threading.current_thread() is threading.main_thread()
    return here and signal.getsignal(number) is signal.SIG_DFL


def _run(arguments: Sequence[str]) -> int:
    from typer import Abort
    from typer.exceptions import TyperException

    from ackclock.cli.app import app
    from ackclock.errors import ControlError, ScenarioError, UserError

    try:
        status = app(list(arguments), prog_name="ackclock", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as left:  # Typer exits this way if the reader of the output has closed the pipe.
        if isinstance(left.__context__, BrokenPipeError):
            raise left.__context__ from None
        raise
    except Abort:
        raise KeyboardInterrupt from None
    except TyperException as error:
        from ackclock.cli.mistakes import answer

        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.format_message())
            return DONE
        _say(f"error: {answer(error, arguments)}")
        return USER_ERROR
    except (ControlError, ScenarioError, UserError) as error:
        _say(f"error: {error}")
        return USER_ERROR
    except BrokenPipeError:
        raise
    except MemoryError as error:
        _say(f"error: {error or 'out of memory'}")
        return USER_ERROR
    except OSError as error:  # The user can correct a full disk or a missing permission.
        _say(f"error: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
        return USER_ERROR
    if status == INTERRUPTED:  # Typer reports Ctrl-C by this status.
        raise KeyboardInterrupt
    return status if isinstance(status, int) else DONE


def _say(text: str) -> None:
    from ackclock.cli.fit import width, wrapped

    with contextlib.suppress(OSError):
        print(wrapped(text, width(sys.stderr)), file=sys.stderr, flush=True)
