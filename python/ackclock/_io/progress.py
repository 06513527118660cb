"""Progress bars in notebooks."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

PATIENCE_S = 1.0
"""Seconds after which a bar appears."""

Shown: TypeAlias = "Callable[[float, int], None]"
"""A function that is called with the part done and the whole, in any unit."""


def in_notebook() -> bool:
    """Tell whether a Jupyter kernel runs this code."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


@contextlib.contextmanager
def bar(what: str, *, wanted: bool | None = None) -> Iterator[Shown | None]:
    """Give a function to report progress to, which draws a bar below the cell; None outside notebooks.

    Args:
        what: the activity, in a word or two.
        wanted: False for no bar in a notebook either.
    """
    if wanted is False or not in_notebook():
        yield None
        return
    made = Bar(what)
    try:
        yield made
    finally:
        made.close()


class Bar:
    """A bar that a notebook shows during long work, and removes at the end."""

    def __init__(self, what: str) -> None:
        """Set the name of the work."""
        self._what = what
        self._began = time.monotonic()
        self._handle: Any = None

    def __call__(self, done: float, total: float) -> None:
        """Show that `done` of `total` is done."""
        passed = time.monotonic() - self._began
        if passed < PATIENCE_S or total <= 0:
            return
        from IPython.display import HTML, display

        left = f", about {passed * (total - done) / done:.0f} s left" if done > 0 else ""
        text = HTML(
            f'{self._what} <progress value="{done:.6g}" max="{total:.6g}"></progress> '
            f"{done / total:.0%} after {passed:.0f} s{left}"
        )
        if self._handle is None:
            self._handle = display(text, display_id=True)
        else:
            self._handle.update(text)

    def close(self) -> None:
        """Remove the bar."""
        if self._handle is not None:
            from IPython.display import HTML

            self._handle.update(HTML(""))
