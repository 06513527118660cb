"""Congestion controls of your own, in Python.

    class Mine(ac.Control):
        def on_ack(self, ack):
            if self.cwnd < self.ssthresh: self.cwnd += ack.count
            else: self.cwnd += ack.count / self.cwnd
        def on_congestion(self, loss):
            self.ssthresh = max(self.cwnd / 2, 2.0)
            self.cwnd = 1.0 if loss.timeout else self.ssthresh

    ac.register(Mine)
    ac.dumbbell([Mine, "cubic"]).run("60s")

A scenario file, and every verb of the command line, names one in a file: ``variant = "./mine.py:Mine"``. What a
control is told and what it may answer is the same contract as in Rust; the page *The contract of congestion controls*
lists it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import math
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, overload

from ackclock import _core
from ackclock._core import cbrt, exp, log, power
from ackclock.errors import UserError, choices, nearest

if TYPE_CHECKING:
    from ackclock._core import AckSample, Arrival, LossSample, RateSample

__all__ = [
    "CONTRACT_VERSION",
    "Control",
    "Parameter",
    "Rounds",
    "cbrt",
    "exp",
    "find",
    "load",
    "log",
    "power",
    "register",
]

CONTRACT_VERSION = _core.CONTRACT_VERSION
"""The version of the contract. It rises when something that a control may rely on changes or goes."""

Taken = Literal["congestion", "random"]
"""What a control took a loss for."""

NEEDED = ("on_ack", "on_congestion")
"""The methods that every control has."""

OPTIONAL = ("on_handshake", "on_arrival", "on_rate", "on_recovery", "on_timer")
"""The methods that a control may have."""


class Parameter:
    """A parameter of a control: a number, or one of a few words. In a connection, the attribute is its value.

    ``beta = ac.Parameter(0.5, minimum=0.0, maximum=1.0, about="what is left of the window")`` in the class gives
    ``self.beta``, set in scenarios as ``tcp = { variant = "./mine.py:Mine", control = { beta = 0.7 } }``.
    """

    def __init__(
        self,
        default: float | str,
        *,
        minimum: float = -math.inf,
        maximum: float = math.inf,
        unit: str = "",
        words: Sequence[str] = (),
        about: str = "",
    ) -> None:
        """Declare one; `words` are what it chooses among if it is not a number."""
        self.default = default
        self.minimum = minimum
        self.maximum = maximum
        self.unit = unit
        self.words = tuple(words)
        self.about = about

    @overload
    def __get__(self, instance: None, owner: type[Control]) -> Parameter: ...
    @overload
    def __get__(self, instance: Control, owner: type[Control]) -> Any: ...
    def __get__(self, instance: Control | None, owner: type[Control]) -> Any:
        """Return the declaration, or of an object that no connection made the default."""
        return self if instance is None else self.default

    def declared(self, name: str, of: str) -> tuple[str, str, float, float, float, list[str], str]:
        """Return it as the core takes it; `UserError` if it makes no sense."""
        if self.words:
            if self.default not in self.words:
                raise UserError(
                    f"{of}.{name}: its default {self.default!r} is none of its words\n"
                    f"  allowed: {', '.join(self.words)}"
                )
            index, last = float(self.words.index(str(self.default))), float(len(self.words) - 1)
            return name, self.unit, index, 0.0, last, list(self.words), self.about
        number = self.default
        if isinstance(number, str) or not self.minimum <= number <= self.maximum:
            raise UserError(
                f"{of}.{name}: its default {number!r} is out of range\n  allowed: {self.minimum} to {self.maximum}"
            )
        return name, self.unit, float(number), float(self.minimum), float(self.maximum), [], self.about


class Control(_core.Control):
    """A congestion control: inherit from it and write `on_ack` and `on_congestion`; the rest has defaults.

    `cwnd` and `ssthresh` are in segments, with fractions; `pacing_rate` is in segments per second, or None to send as
    the window opens; `rng` is the connection's own random stream. One object is made for each connection: `__init__`
    takes no arguments and finds all of these, and the parameters, in place.
    """

    about: ClassVar[str] = ""
    """One line for lists; the first line of the docstring if it is empty."""
    traced: ClassVar[Sequence[str]] = ()
    """Attributes, numbers, that ``trace("control")`` has."""
    segment_times: ClassVar[bool] = False
    """Whether `AckSample.rtt` is wanted of each segment, not only of those that the endpoint measures."""

    def on_ack(self, ack: AckSample) -> None:
        """New data is acknowledged."""
        raise NotImplementedError

    def on_congestion(self, loss: LossSample) -> Taken | None:
        """Answer a loss or a mark: cut the window, or not.

        Return ``"random"`` for a loss that was not taken for congestion; None means congestion.
        """
        raise NotImplementedError

    def on_handshake(self, now: float, rtt: float) -> None:
        """The SYN was acknowledged `rtt` seconds after it was sent, the first time that it was."""

    def on_arrival(self, arrival: Arrival) -> None:
        """Any acknowledgment arrives, before loss recovery sees it."""

    def on_rate(self, sample: RateSample) -> None:
        """An acknowledgment has been dealt with: the rate of delivery that it shows."""

    def on_recovery(
        self, now: float, step: Literal["retransmission", "deflation", "end"], segments: int | None
    ) -> None:
        """Loss recovery takes a step: `segments` are outstanding, or have inflated the window."""

    def on_timer(self, now: float) -> None:
        """The time of `wake` has come; `wake` is None again."""


class Rounds:
    """Counts round trips: one is over when a segment sent after its beginning is acknowledged."""

    def __init__(self) -> None:
        """Begin before the first."""
        self._end = 0

    def ends(self, ack: AckSample) -> bool:
        """Tell whether this acknowledgment ends a round trip; the next one then begins."""
        over = ack.una > self._end
        if over:
            self._end = ack.next
        return over


@dataclass(frozen=True)
class Known:
    """A class that scenarios can name."""

    cls: type[Control]
    brought: _core.Brought
    file: Path | None
    """The file that it was loaded from by name."""


_versions: dict[tuple[str, str], Known] = {}
"""Every version that this process has met, by name and hash."""

_newest: dict[str, Known] = {}
"""The one that a name stands for now."""

Class = TypeVar("Class", bound=type[Control])


def register(cls: Class) -> Class:
    """Make a class a variant under its own name, everywhere in this process; returns it, so that it can decorate.

    A class registered again under its name takes the other's place.

    Raises:
        UserError: if it is no control, or its name is one of ours.

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
    """Return the name of a class as variants have it; registers it if it is not."""
    _sound(cls)
    name = cls.__name__
    if name not in _newest or _newest[name].cls is not cls:
        register(cls)
    return name


def names_one(text: str) -> bool:
    """Tell whether a scenario's JSON text may name a control of one's own."""
    return any(f'"{name}"' in text or f'+{name}"' in text for name in _newest)


def load(
    name: str, folders: Sequence[Path] = (), *, anywhere: bool = True, path: Path | None = None
) -> type[Control]:
    """Load ``FILE.py:Class`` and make it a variant under this very name.

    Args:
        name: the file, relative to the first of `folders` that has it, and the class.
        folders: where to look; the working directory if there are none.
        anywhere: whether the file may lie outside these folders.
        path: the file itself, if it is known.

    Raises:
        UserError: if there is no such file or class, the file cannot be imported, or the class is no control.

    """
    class_name = name.rpartition(":")[2]
    path = path or _path(name, folders or (Path(),), anywhere=anywhere)
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as why:
        raise UserError(f"{name}: cannot read {path} ({why})") from why
    known = _versions.get((name, _digest(source)))
    if known is None:
        cls = _class(_module(path, source, name), class_name, name)
        known = _remember(cls, name, source, path)
    _newest[name] = known
    return known.cls


def find(name: str, folder: Path, recorded: str | None) -> _core.Brought | None:
    """Return what the core runs for a name in a scenario of this folder; None if no control of one's own has the name.

    Raises:
        UserError: if a file that the name says cannot be had, or is not the one on record.

    """
    if recorded is not None and (name, recorded) in _versions:
        return _versions[name, recorded].brought
    if _is_file(name):
        # A name that was typed, on the command line or in Python, may lead anywhere; one that a scenario says may not.
        load(name, (Path(folder), Path()), anywhere=name in _newest)
    elif name not in _newest:
        if recorded is None:
            return None
        raise UserError(
            f"{name}: this control is on record, but not registered here\n  wanted: ackclock.register({name})"
        )
    found = _newest[name].brought
    if recorded is not None and recorded != found.sha256:
        raise UserError(
            f"{name}: its source has changed since the scenario was recorded\n"
            f"  SHA-256 on record: {recorded}\n  SHA-256 now:       {found.sha256}\n"
            "  The record has the source as it was (in the manifest, under control). Without its table [[control]]\n"
            "  the scenario takes the control as it is now."
        )
    return found


def travels(records: Sequence[Mapping[str, str]]) -> bool:
    """Tell whether another process of this machine can have the controls on record: those of files and modules."""
    return all(_way(one["name"], one["sha256"]) is not None for one in records)


def parcel(records: Sequence[Mapping[str, str]]) -> list[tuple[str, ...]]:
    """Return where another process finds the controls on record.

    Raises:
        UserError: if one was typed at a prompt or in a notebook, where no other process finds it.

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
    """Make the controls that another process sent variants here."""
    for name, kind, where, *rest in found:
        if kind == "file":
            load(name, path=Path(where))
        else:
            register(getattr(importlib.import_module(where), rest[0]))


def _way(name: str, sha256: str) -> tuple[str, ...] | None:
    """Return the file, or the module and the class, of a version that this process has met."""
    known = _versions.get((name, sha256))
    if known is None:
        return None
    if known.file is not None:
        return "file", str(known.file)
    module, qualified = known.cls.__module__, known.cls.__qualname__
    if module == "__main__" or getattr(sys.modules.get(module), qualified, None) is not known.cls:
        return None
    return "module", module, qualified


def _is_file(name: str) -> bool:
    return ".py:" in name


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


def _path(name: str, folders: Sequence[Path], *, anywhere: bool) -> Path:
    file = name.rpartition(":")[0]
    for folder in folders:
        path = (folder / file).resolve()
        if not path.is_file():
            continue
        if not anywhere and not path.is_relative_to(folder.resolve()):
            raise UserError(
                f"{name}: the file is outside the scenario's folder\n  allowed: files in {folder.resolve()}"
            )
        return path
    where = list(dict.fromkeys((folder / file).resolve().parent for folder in folders))
    there = sorted({one.name for folder in where if folder.is_dir() for one in folder.glob("*.py")})
    close = nearest(Path(file).name, there)
    raise UserError(
        f"{name}: there is no file {Path(file).name} in {' or '.join(str(folder) for folder in where)}"
        + (f"\n  did you mean {close}?" if close else "")
    )


def _module(path: Path, source: str, name: str) -> ModuleType:
    """Import a file under a name of its own, so that two files of one name do not meet."""
    module_name = f"ackclock_control_{path.stem}_{_digest(str(path) + source)[:12]}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{name}: {path} is not a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except Exception as why:
        del sys.modules[module_name]
        said = "".join(traceback.format_exception(why.with_traceback(_own_part(why, path)))).rstrip()
        raise UserError(f"{name}: {path} cannot be imported\n{said}") from why
    return module


def _own_part(why: BaseException, path: Path) -> Any:
    """Return the part of a traceback that begins in the user's file; None if it does not reach it."""
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
    """Refuse what is no control."""
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
    except (OSError, TypeError):  # typed at a prompt
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
