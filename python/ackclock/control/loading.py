"""User-defined congestion controls by name: registration, loading from files, transfer to other processes.

Loading a file runs it. A file that the caller names is always loaded. A file that a scenario names is loaded only with
permission (``--allow-code``, ``allow_code=True``), which `trusting` sets.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import sys
import tomllib
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

from ackclock import _core
from ackclock._io.files import read_text
from ackclock.control.control import NEEDED, OPTIONAL, Control, Parameter
from ackclock.errors import UserError, choices, nearest

__all__ = [
    "Trust",
    "call",
    "find",
    "load",
    "names_one",
    "parcel",
    "register",
    "registered",
    "split",
    "travels",
    "trusting",
    "typed",
    "unpack",
    "unread",
]

Trust: TypeAlias = Literal["caller", "all", "none", "unread"]
"""Files that may be loaded: those that the caller names (``caller``), also those that documents name (``all``), or
none. With ``none`` a file's name is an error; with ``unread`` a stand-in that cannot run takes the place of the
control."""

_trust: ContextVar[Trust] = ContextVar("trust", default="caller")

_typed: ContextVar[frozenset[str]] = ContextVar("typed", default=frozenset())
"""Names ``FILE.py:Class`` in the settings of the current call; the files may be loaded without further permission."""


@contextlib.contextmanager
def trusting(trust: Trust) -> Iterator[None]:
    """Set which files are trusted inside the context."""
    before = _trust.set(trust)
    try:
        yield
    finally:
        _trust.reset(before)


@dataclass(frozen=True)
class Known:
    """A control class that scenarios can refer to by name."""

    cls: type[Control]
    brought: _core.Brought
    file: Path | None
    """File that the class was loaded from by name; None if a program registered the class."""


_versions: dict[tuple[str, str], Known] = {}
"""All versions of controls in this process, by name and hash."""

_newest: dict[str, Known] = {}
"""Current version of each control, by name."""

_unread: dict[tuple[str, str], _core.Brought] = {}
"""Stand-ins for controls that were not loaded, by name and hash."""

Class = TypeVar("Class", bound=type[Control])


def register(cls: Class) -> Class:
    """Register a class as a variant under its own name, for this process; return the class (for use as a decorator).

    ``ac.control.register(Mine)`` makes ``variant = "sack+Mine"`` valid. A class of the same name replaces the one
    registered before.

    Raises:
        UserError: If it is not a control, or its name is that of a built-in control.
    """
    _sound(cls)
    name = cls.__name__
    catalogue = f"{_core.catalogue('variants')}{_core.catalogue('controls')}".lower()
    if f'"{name.lower()}"' in catalogue:
        raise UserError(
            f"{name}: a control of ours has this name already\n  wanted: another name for the class"
        )
    _remember(cls, name, _source(cls), None)
    return cls


def registered(cls: type[Control]) -> str:
    """Return the name by which variants refer to a class; register the class if necessary."""
    _sound(cls)
    name = cls.__name__
    if name not in _newest or _newest[name].cls is not cls:
        register(cls)
    return name


def names_one(text: str) -> bool:
    """Return true if a scenario's JSON text may name a registered user-defined control."""
    return any(f'"{name}"' in text or f'+{name}"' in text for name in _newest)


def load(
    name: str, folders: Sequence[Path] = (), *, anywhere: bool = True, path: Path | None = None
) -> type[Control]:
    """Load the control ``FILE.py:Class``, which runs the file, and register the control under that name.

    Args:
        name: File, relative to the first of `folders` that contains it, and class.
        folders: Folders to search; the working directory if empty.
        anywhere: True if the file may lie outside these folders.
        path: Path of the file, if it is known.

    Raises:
        UserError: If there is no such file or class, the file cannot be imported, or the class is not a control.

    """
    path = path or _path(name, folders or (Path(),), anywhere=anywhere)
    return _loaded(name, path, read_text(path)).cls


def split(variant: str) -> tuple[str, str]:
    """Return the loss recovery of a variant (empty if the name gives none), and its congestion control."""
    recovery, plus, control = variant.strip().partition("+")
    return (recovery, control.strip()) if plus and recovery.strip().isalpha() else ("", variant.strip())


def call(variant: str, folders: Sequence[Path] = ()) -> None:
    """Load the control of a variant that the caller names by file, unless `trusting` forbids it.

    Raises:
        UserError: As for `load`; also if loading is forbidden and the control was not loaded before.
    """
    name, trust = split(variant)[1], _trust.get()
    if trust in ("caller", "all"):
        load(name, folders)
    elif trust == "none":
        _of_document(name, folders or (Path(),), None)


@contextlib.contextmanager
def typed(settings: Iterable[str], folders: Sequence[Path] = ()) -> Iterator[None]:
    """Load the controls that ``PATH=VALUE`` settings name; the names stay valid inside the context.

    Files are searched in the working directory, then in `folders`.
    """
    values = [one.partition("=")[2] for one in settings if ".py:" in one]
    names = {split(text)[1] for value in values for text in _texts(_value(value)) if _is_file(text)}
    for name in sorted(names - _typed.get()):
        call(name, (Path(), *folders))
    before = _typed.set(_typed.get() | names)
    try:
        yield
    finally:
        _typed.reset(before)


def find(name: str, folder: Path, recorded: str | None) -> _core.Brought | None:
    """Return the core's object for a control name in a scenario; None if no user-defined control has the name.

    `folder` is the scenario's folder, `recorded` the hash of the source that the scenario records.

    Raises:
        UserError: If the named file cannot be read, may not be loaded, or differs from the recorded source.
    """
    if recorded is not None and (name, recorded) in _versions:
        return _versions[name, recorded].brought
    if _is_file(name):
        if name not in _typed.get() or name not in _newest:
            return _of_document(name, (Path(folder), Path()), recorded)
    elif name not in _newest:
        if recorded is None:
            return None
        raise UserError(
            f"{name}: this control is on record, but not registered here\n  wanted: ackclock.control.register({name})"
        )
    found = _newest[name].brought
    _same(name, found.sha256, recorded)
    return found


def unread() -> list[str]:
    """Return the sorted names of controls that were replaced by stand-ins."""
    return sorted({name for name, _ in _unread})


def travels(records: Sequence[Mapping[str, str]]) -> bool:
    """Return true if another process on this machine can load the recorded controls from files or modules."""
    return all(_way(one["name"], one["sha256"]) is not None for one in records)


def parcel(records: Sequence[Mapping[str, str]]) -> list[tuple[str, ...]]:
    """Return, for each recorded control, its name and the file or module from which another process can load it.

    Raises:
        UserError: If a control was defined at a prompt or in a notebook, which another process cannot load.

    """
    found = []
    for one in records:
        way = _way(one["name"], one["sha256"])
        if way is None:
            raise UserError(
                f"{one['name']}: no other process finds this class\n"
                f"  wanted: the class in a file, mine.py:{one['name']}"
            )
        found.append((one["name"], *way))
    return found


def unpack(found: Sequence[tuple[str, ...]]) -> None:
    """Register the controls described by another process's `parcel`."""
    for name, kind, where, *rest in found:
        if kind == "file":
            load(name, path=Path(where))
        else:
            register(getattr(importlib.import_module(where), rest[0]))


def _way(name: str, sha256: str) -> tuple[str, ...] | None:
    """Return the file, or the module and class, of a control's known version; None if it has neither."""
    known = _versions.get((name, sha256))
    if known is None:
        return None
    if known.file is not None:
        return "file", str(known.file)
    module, qualified = known.cls.__module__, known.cls.__qualname__
    if module == "__main__" or getattr(sys.modules.get(module), qualified, None) is not known.cls:
        return None
    return "module", module, qualified


def _of_document(name: str, folders: Sequence[Path], recorded: str | None) -> _core.Brought:
    """Return the control in a file that a document names; refuse if it may not be loaded and was not loaded before."""
    path = _path(name, folders, anywhere=True)
    source = read_text(path)
    digest = _digest(source)
    _same(name, digest, recorded)
    if (name, digest) in _versions:
        return _loaded(name, path, source).brought
    trust = _trust.get()
    if trust not in ("all", "unread"):
        raise UserError(
            f"{name}: the scenario names Python code, which is not run unless you allow it\n"
            f"  file:    {path}\n"
            "  if you trust it: --allow-code (in Python: allow_code=True)"
        )
    _path(name, folders, anywhere=False)
    return _stand_in(name, source) if trust == "unread" else _loaded(name, path, source).brought


def _same(name: str, digest: str, recorded: str | None) -> None:
    """Raise `UserError` if a source's hash differs from the recorded one."""
    if recorded is not None and recorded != digest:
        raise UserError(
            f"{name}: its source has changed since the scenario was recorded\n"
            f"  SHA-256 on record: {recorded}\n  SHA-256 now:       {digest}\n"
            "  The record has the source as it was (in the manifest, under control). Without its table [[control]]\n"
            "  the scenario takes the control as it is now."
        )


def _loaded(name: str, path: Path, source: str) -> Known:
    """Return the control defined by a source; run the source only if this process has not run it before."""
    known = _versions.get((name, _digest(source)))
    if known is None:
        with _theirs(name, path, "cannot be imported"):
            module = _module(path, source, name)
            cls = _class(module, name.rpartition(":")[2], name)
            known = _remember(cls, name, source, path)
    _newest[name] = known
    return known


class _Unread(Control):
    """Stand-in for a control that was not loaded: it can be described, but not run."""

    def on_ack(self, _ack: object) -> NoReturn:
        """Refuse to run."""
        raise UserError("this control was not loaded")

    def on_congestion(self, _loss: object) -> NoReturn:
        """Refuse to run."""
        raise UserError("this control was not loaded")


def _stand_in(name: str, source: str) -> _core.Brought:
    digest = _digest(source)
    if (name, digest) not in _unread:
        _unread[name, digest] = _core.own_control(
            _Unread,
            name=name,
            summary="not loaded",
            methods=list(NEEDED),
            segment_times=False,
            parameters=None,
            traced=[],
            sha256=digest,
            source=source,
        )
    return _unread[name, digest]


def _is_file(name: str) -> bool:
    return ".py:" in name


def _value(text: str) -> object:
    """Parse a setting's value as TOML; if that fails, return it as text."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def _texts(value: object) -> Iterator[str]:
    """Yield every string in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


def _path(name: str, folders: Sequence[Path], *, anywhere: bool) -> Path:
    file = name.rpartition(":")[0]
    for folder in folders:
        try:
            path = (folder / file).resolve()
            there_is = path.is_file()
        except (OSError, ValueError):  # The name is too long or contains a zero byte.
            there_is = False
        if not there_is:
            continue
        if not anywhere and not path.is_relative_to(folder.resolve()):
            raise UserError(
                f"{name}: the file is outside the scenario's folder\n  allowed: files in {folder.resolve()}"
            )
        return path
    if "\0" in file:
        raise UserError(f"{name!r}: no file has such a name")
    where = list(dict.fromkeys((folder / file).resolve().parent for folder in folders))
    there = sorted({one.name for folder in where if folder.is_dir() for one in folder.glob("*.py")})
    close = nearest(Path(file).name, there)
    raise UserError(
        f"{name}: there is no file {Path(file).name} in {' or '.join(str(folder) for folder in where)}"
        + (f"\n  did you mean {close}?" if close else "")
    )


def _module(path: Path, source: str, name: str) -> ModuleType:
    """Import a file under a unique module name, so that files of the same name do not collide."""
    module_name = f"ackclock_control_{path.stem}_{_digest(str(path) + source)[:12]}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{name}: {path} is not a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


@contextlib.contextmanager
def _theirs(name: str, path: Path, what: str) -> Iterator[None]:
    """Convert exceptions of the user's code, `SystemExit` included, to a `UserError` that quotes the traceback.

    Ctrl-C and `UserError` pass unchanged.
    """
    try:
        yield
    except (KeyboardInterrupt, UserError):
        raise
    except BaseException as why:
        said = "".join(traceback.format_exception(why.with_traceback(_own_part(why, path)))).rstrip()
        raise UserError(f"{name}: {path} {what}\n{said}") from why


def _own_part(why: BaseException, path: Path) -> Any:
    """Return the part of a traceback that starts in the user's file, or None if no frame is in that file."""
    here = why.__traceback__
    while here is not None and here.tb_frame.f_code.co_filename != str(path):
        here = here.tb_next
    return here


def _class(module: ModuleType, class_name: str, name: str) -> type[Control]:
    found = getattr(module, class_name, None)
    if found is None:
        own = [key for key, one in vars(module).items() if inspect.isclass(one) and issubclass(one, Control)]
        known = [key for key in own if getattr(module, key) is not Control]
        raise UserError(f"{name}: the file has no class {class_name}{choices(class_name, known)}")
    _sound(found, name)
    controls: type[Control] = found
    return controls


def _sound(cls: object, name: str = "") -> None:
    """Raise `UserError` if the object is not a subclass of `Control` with the required methods."""
    called = name or getattr(cls, "__name__", repr(cls))
    if not (inspect.isclass(cls) and issubclass(cls, Control)):
        raise UserError(
            f"{called}: not a class of controls\n  wanted: class {getattr(cls, '__name__', 'Mine')}(ackclock.Control)"
        )
    missing = [method for method in NEEDED if getattr(cls, method) is getattr(Control, method)]
    if missing:
        wanted = {"on_ack": "def on_ack(self, ack)", "on_congestion": "def on_congestion(self, loss)"}
        listed = "\n".join(f"  wanted: {wanted[method]}" for method in missing)
        raise UserError(f"{called}: class {cls.__name__} lacks {' and '.join(missing)}\n{listed}")


def _source(cls: type[Control]) -> str:
    try:
        return inspect.getsource(cls)
    except (OSError, TypeError):  # the class was defined at a prompt
        return f"# class {cls.__qualname__}: its source is not known"


def _remember(cls: type[Control], name: str, source: str, file: Path | None) -> Known:
    declared = {
        key: one
        for base in reversed(cls.__mro__)
        for key, one in vars(base).items()
        if isinstance(one, Parameter)
    }
    about = cls.about or next(iter((inspect.getdoc(cls) or "").splitlines()), "")
    brought = _core.own_control(
        cls,
        name=name,
        summary=about if cls.__doc__ else cls.about,
        methods=[*NEEDED, *(one for one in OPTIONAL if getattr(cls, one) is not getattr(Control, one))],
        segment_times=bool(cls.segment_times),
        parameters=[one.declared(key, cls.__name__) for key, one in declared.items()],
        traced=list(cls.traced),
        sha256=_digest(source),
        source=source,
    )
    known = Known(cls, brought, file)
    _versions[name, brought.sha256] = known
    _newest[name] = known
    return known
