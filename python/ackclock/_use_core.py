"""Another extension module in place of ours: one that was built with controls in Rust beside ours."""

from __future__ import annotations

import importlib
import os
import sys

_OWN_CORE = "ackclock._core"
CORE = "ACKCLOCK_CORE"
"""The environment variable by which processes that this one starts take its extension module, too."""


def use_core(name: str) -> None:
    """Take the extension module called `name` in place of ours: one that was built with controls in Rust beside ours.

    A package that has such a module calls this before it uses anything else of ackclock; ``examples/own-control`` is a
    template. Processes that this one starts take the module, too.

    Raises:
        ImportError: if there is no such module, if it was built for another version of ackclock, or if another one is
            in use in this process already.

    """
    found = importlib.import_module(name)
    used = sys.modules.get(_OWN_CORE, found)
    if used is not found:
        raise ImportError(
            f"{name}: ackclock already uses {used.__file__} in this process; "
            "use_core comes before anything else of ackclock"
        )
    own, theirs = _installed(), found.__version__.partition("+")[0]
    if own not in (None, theirs):
        raise ImportError(f"{name}: built for ackclock {theirs}, and this is {own}; build it again")
    sys.modules[_OWN_CORE] = found
    sys.modules["ackclock"]._core = found  # type: ignore[attr-defined]
    os.environ[CORE] = name


def _installed() -> str | None:
    """Return the version of the package; None if it is used from a folder without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ackclock")
    except PackageNotFoundError:
        return None
