"""Finding and loading studies of this package, of other packages (by entry points), and of folders.

Loading a study runs its code. The code of other packages and of folders is run only if the user names the study.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final

from ackclock.errors import UserError, nearest

GROUP: Final = "ackclock.studies"
"""Name of the entry point group in which packages register studies; also the name of the subpackage with our studies.
"""

ENTRY: Final = ("__init__.py", "study.py")
"""Files of a folder that may define `STUDY`; only the first one that exists is loaded."""

READ: Final = (".py", ".toml", ".csv", ".md")
"""Suffixes of the files that belong to a study: its code, and the files that the code reads."""


@dataclass(frozen=True)
class Origin:
    """The place where a study is found: ackclock, another package, or a folder.

    Attributes:
        address: The study's name on the command line: a registered name or a folder.
        package: Name and version of the package that registers the study; empty for a folder.
        about: One line about the study, which can be listed without loading the study.
        point: Entry point of the study; None for our own studies and for folders.
        sha256: Hash of the study's files when it was loaded; empty if it is not loaded.
    """

    address: str
    package: str = ""
    about: str = ""
    point: EntryPoint | None = None
    sha256: str = ""

    @property
    def ours(self) -> bool:
        """True for a study that comes with ackclock."""
        return bool(self.package) and self.point is None

    @property
    def shown(self) -> str:
        """The package or folder of the study, for lists of studies."""
        return self.package or f"folder {self.address}"

    def load(self) -> Any:
        """Run the code of the package or folder and return the study that it defines.

        Raises:
            UserError: The study cannot be loaded; the message gives the reason.
        """
        try:
            if self.point is not None:
                return self.point.load()
            if self.ours:
                return importlib.import_module(f"{GROUP}.{self.address}").STUDY
            return _module(Path(self.address)).STUDY
        except (KeyboardInterrupt, UserError):
            raise
        except BaseException as why:  # another package's module may raise anything, even `SystemExit`
            place = "" if self.package else f"\n{_where(why, Path(self.address))}"
            wanted = f"{self.point.value}" if self.point is not None else "a module with STUDY"
            raise UserError(
                f"study {self.address} ({self.shown}) cannot be loaded: {type(why).__name__}: {why}\n"
                f"  wanted: {wanted}{place}"
            ) from why

    def folder(self) -> Path | None:
        """Return the folder of the study's code without running the code; None if the package has no folder."""
        if not self.package:
            return Path(self.address)
        module = self.point.module if self.point is not None else f"{GROUP}.{self.address}"
        try:
            found = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            return None
        return Path(found.origin).parent if found is not None and found.origin else None

    def plain(self) -> dict[str, str]:
        """Return the origin as plain values for a manifest, among them the hash of the study's files."""
        place = {"package": self.package} if self.package else {"folder": self.address}
        return {**place, "sha256": self.sha256 or self.digest()}

    def digest(self) -> str:
        """Return the SHA-256 of the names and contents of the study's files, except those in folders of results."""
        folder = self.folder()
        sha = hashlib.sha256()
        for file in sorted(folder.rglob("*") if folder is not None else ()):
            if folder is not None and file.suffix in READ and file.is_file() and not _made(file, folder):
                sha.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
        return sha.hexdigest()


def registered() -> dict[str, Origin]:
    """Return all studies with a registered name, without running their code: ours first, then other packages'."""
    ours = importlib.import_module(GROUP)
    found = {
        module.name: Origin(module.name, "ackclock")
        for module in pkgutil.iter_modules(ours.__path__)
        if module.ispkg
    }
    others = {}
    for point in entry_points(group=GROUP):
        if point.name not in found:
            dist = point.dist
            package = f"{dist.name} {dist.version}" if dist is not None else "another package"
            about = (dist.metadata["Summary"] if dist is not None else "") or ""
            others[point.name] = Origin(point.name, package, about, point)
    return {name: {**found, **others}[name] for name in (*sorted(found), *sorted(others))}


def origin(address: str) -> Origin:
    """Return the origin of the study at an address: a registered name, or a folder whose path contains a slash.

    Raises:
        UserError: There is no such study; the message lists the known ones and suggests the nearest name.
    """
    if "/" in address or "\\" in address or address in (".", ".."):
        return _folder(address)
    known = registered()
    if address in known:
        return known[address]
    close = nearest(address, list(known))
    hint = f"\n  did you mean {close}?" if close else ""
    if Path(address).is_dir() and any((Path(address) / name).is_file() for name in ENTRY):
        hint = f"\n  to run the folder: ./{address}"
    raise UserError(f"there is no study {address!r}\n  allowed: {', '.join(known)}, all, ./FOLDER{hint}")


def _folder(address: str) -> Origin:
    folder = Path(address)
    if not folder.is_dir():
        there = sorted(one.name for one in folder.parent.glob("*/") if one.is_dir())
        close = nearest(folder.name, there)
        hint = f"\n  did you mean {(folder.parent / close).as_posix()}?" if close else ""
        raise UserError(f"there is no folder {address}{hint}")
    if not any((folder / name).is_file() for name in ENTRY):
        raise UserError(
            f"{address}: no study\n  wanted: a folder whose {' or '.join(ENTRY)} has STUDY\n"
            "  to begin one: ackclock init study --out FOLDER"
        )
    return Origin(address)


def _module(folder: Path) -> Any:
    """Import a folder as a package with a unique name, so that its files can import each other."""
    place = folder.resolve()
    name = f"ackclock_study_{hashlib.sha256(str(place).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    file = next(place / entry for entry in ENTRY if (place / entry).is_file())
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[str(place)])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for loaded in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[loaded]
        raise
    return module


def _where(why: BaseException, folder: Path) -> str:
    """Return the traceback's last place in a file of the folder, as text; empty if there is none."""
    frames = traceback.extract_tb(why.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder.resolve())]
    return f"  at:     {own[-1].filename}, line {own[-1].lineno}" if own else ""


def _made(file: Path, folder: Path) -> bool:
    """Return true if a file lies in a hidden folder, or in a folder of results, which has a manifest."""
    inner = [one for one in file.relative_to(folder).parents if one != Path()]
    return any(one.name.startswith(".") or (folder / one / "manifest.json").exists() for one in inner)


@cache
def load(address: str) -> Any:
    """Run the code of the study at an address and return the study; see `Origin.load`."""
    return origin(address).load()
