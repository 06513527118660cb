"""Loads public names of packages on first use; they are declared once, in the stub beside each package.

Former names, listed in `ackclock._former`, work for one version, with a warning that gives the new name.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec

import lazy_loader

TYPE_CHECKING = False  # Importing `typing` would take longer than the rest of this module.
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package; the stub beside `file` declares its names.

    The package's modules are also attributes, loaded on first use; ``__all__`` does not list them.
    """
    load, _, stated = lazy_loader.attach_stub(package, file)
    modules = {entry.partition(".")[0] for entry in os.listdir(os.path.dirname(file))}  # noqa: PTH120, PTH208
    public = sorted(name for name in stated if not name.startswith("_") and name not in modules)

    def attribute(name: str) -> Any:
        if name in stated:
            return load(name)
        if not name.startswith("_"):
            now = _former(f"{package}.{name}")
            if now is not None:
                return now
            if importlib.util.find_spec(f"{package}.{name}") is not None:
                return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}{_hint(name, public)}")

    def listed() -> list[str]:
        import pkgutil

        modules = (one.name for one in pkgutil.iter_modules(sys.modules[package].__path__))
        return sorted({*stated, *(name for name in modules if not name.startswith("_"))})

    return attribute, listed, public


class FormerModules:
    """Import finder for former module names; the import system asks it after all other finders."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the import spec for a former module name; None for other names."""
        if not name.startswith("ackclock."):
            return None
        from ackclock._former import FORMER

        return ModuleSpec(name, FormerModules) if name in FORMER else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(_spec: ModuleSpec) -> None:
        """Return None, so that the import system makes an empty module, which `exec_module` then replaces."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Replace a module that was imported by its former name with the current one."""
        sys.modules[module.__name__] = _former(module.__name__)


def _former(name: str) -> Any:
    """Return the object that a former dotted name refers to, with a warning; None if there was no such name."""
    from ackclock._former import FORMER

    if name not in FORMER:
        return None
    import pkgutil
    import warnings

    now = FORMER[name]
    warnings.warn(
        f"{name} is now {now}; the next version drops the old name", DeprecationWarning, stacklevel=3
    )
    found = pkgutil.resolve_name(now)
    # `ackclock.sweep` was a callable package; its former modules are found through the function `sweep`.
    if name == "ackclock.sweep":
        found.__path__, found.__spec__ = [], ModuleSpec(name, None, is_package=True)
    return found


def _hint(name: str, public: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, public, n=1)
    return f"; did you mean {close[0]}?" if close else ""
