"""Replaces the extension module by one that also contains the user's congestion controls in Rust."""

from __future__ import annotations

import importlib
import os
import sys

_OWN_CORE = "ackclock._core"
CORE = "ACKCLOCK_CORE"
"""Environment variable that names the extension module for child processes."""


def use_core(name: str) -> None:
    """Use the extension module called `name`, which also contains congestion controls written in Rust.

    ``ac.use_core("own_control._core")``. A package with such a module must call this before it uses any other part of
    ackclock; ``examples/own-control`` is a template. Child processes use the same module.

    Raises:
        ImportError: If there is no such module, if it was built for another version of ackclock, or if this process
            already uses another module.

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
    """Return the installed package's version; None if ackclock is imported from a source folder."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ackclock")
    except PackageNotFoundError:
        return None
