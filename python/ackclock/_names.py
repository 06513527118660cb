"""Names of packages: each is stated once, in the stub beside the package, and loaded when it is first used.

Former names work for one version, with a warning that tells the new place: `ackclock._former` lists them.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec

import lazy_loader

TYPE_CHECKING = False  # `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names are in the stub beside `file`.

    The modules of the package are attributes without an import of their own, too; ``__all__`` leaves them out.
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
    """Finds modules by the names of the version before. The import system asks it when nothing else finds one."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module of a former name is loaded; None for any other name."""
        if not name.startswith("ackclock."):
            return None
        from ackclock._former import FORMER

        return ModuleSpec(name, FormerModules) if name in FORMER else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(_spec: ModuleSpec) -> None:
        """Let the import system make a module, which `exec_module` replaces."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Replace a module that was asked for by its former name with that of today."""
        sys.modules[module.__name__] = _former(module.__name__)


def _former(name: str) -> Any:
    """Return what a dotted name of the version before stands for, with a warning; None if there was no such name."""
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
    # It was a package that could be called: its modules are found below the function.
    if name == "ackclock.sweep":
        found.__path__, found.__spec__ = [], ModuleSpec(name, None, is_package=True)
    return found


def _hint(name: str, public: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, public, n=1)
    return f"; did you mean {close[0]}?" if close else ""
