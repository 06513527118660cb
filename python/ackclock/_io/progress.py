"""Shows progress bars in notebooks."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

PATIENCE_S = 1.0
"""Time until a bar appears, seconds."""

Shown: TypeAlias = "Callable[[float, int], None]"
"""Progress function; arguments: the finished part and the whole, in the same unit."""


def in_notebook() -> bool:
    """Return true if this process is a Jupyter kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


@contextlib.contextmanager
def bar(what: str, *, wanted: bool | None = None) -> Iterator[Shown | None]:
    """Yield a progress function that draws a bar below the notebook's cell; None outside notebooks.

    Args:
        what: Name of the activity, in a word or two.
        wanted: False for no bar, even in a notebook.
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
    """A progress bar in a notebook, which is removed at the end."""

    def __init__(self, what: str) -> None:
        """Set the name of the activity that the bar shows."""
        self._what = what
        self._began = time.monotonic()
        self._handle: Any = None

    def __call__(self, done: float, total: float) -> None:
        """Show that `done` of `total` is finished."""
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
