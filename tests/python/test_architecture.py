"""The permitted imports between the parts ("rooms") of the Python package, and its declared dependencies."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import ackclock
import ackclock.study

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "python" / "ackclock"

# Each room with the rooms that it may import besides itself. The face is the set of packages behind `import ackclock`.
FACE = {"_core", "_io", "control", "errors", "plot", "runs", "scenario", "theory", "types"} | {
    # Helpers with which every package declares its names.
    "_names",
    "_former",
    "_use_core",
}
# Permitted imports within the face at run time; a room that is not listed may import the whole face.
WITHIN: dict[str, set[str]] = {
    "types": set(),
    "errors": {"_core"},
    "_io": {"_core", "errors"},
    "theory": {"_core", "errors"},
    "plot": {"_io", "errors", "runs"},
    "runs": {"_core", "_io", "errors", "plot", "theory"},
}
ARROWS: dict[str, set[str]] = {
    # Packages behind `import ackclock` that are loaded when they are first used.
    "front": {
        "face",
        "comparisons",
        "conform",
        "evaluate",
        "sweeps",
        "stats",
        "report",
        "lint",
        "measured",
        "readings",
        "search",
    },
    "face": {"face"},
    "executors": {"face"},
    "emulation": {"face"},
    "gym": {"face"},
    "lint": {"face"},
    "lab": {"face"},
    "stats": {"face", "lint"},
    "measured": {"face", "stats"},
    "sweeps": {"face", "lint", "executors", "stats"},
    "comparisons": {"face", "lint", "executors", "stats", "sweeps"},
    "conform": {"face", "comparisons"},
    "readings": {"face", "lint", "executors", "stats", "sweeps"},
    "search": {"face", "executors", "stats", "sweeps", "comparisons"},
    "report": {"face", "lab", "lint", "stats", "sweeps", "comparisons"},
    "evaluate": {"face", "lint", "executors", "stats", "sweeps", "comparisons", "report"},
    "study": {"face", "lint", "executors", "stats", "sweeps", "report"},
    "studies": {"face", "study"},
    "cli": {
        "face",
        "emulation",
        "lab",
        "executors",
        "stats",
        "sweeps",
        "comparisons",
        "conform",
        "evaluate",
        "lint",
        "measured",
        "readings",
        "report",
        "search",
        "study",
    },
}


def room_of(module: str) -> str:
    """Return the room of a module in the import rules: its subpackage, or face, front or cli."""
    parts = module.split(".")
    first = parts[1] if len(parts) > 1 else "face"
    if first == "__init__":
        return "front"
    return "cli" if first == "__main__" else "face" if first in FACE else first


@cache
def stated() -> dict[str, str]:
    """Return the dotted names that packages declare in their stubs, each with the module that defines it."""
    homes = {}
    for stub in PACKAGE.rglob("__init__.pyi"):
        package = ".".join(stub.parent.relative_to(PACKAGE.parent).parts)
        for node in ast.walk(ast.parse(stub.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                homes |= {
                    f"{package}.{one.name}": f"{package}.{node.module}.{one.name}" for one in node.names
                }
    return {name: homes.get(home, home) for name, home in homes.items()}


def imports(path: Path, *, typing: bool = True, defined: bool = True) -> Iterator[str]:
    """Yield the absolute dotted names that a file imports: `a.b.c` for `from a.b import c`.

    A name that a package declares is yielded with the module that defines it, unless `defined` is false. Without
    `typing`, imports under ``if TYPE_CHECKING`` are left out, since they are not executed.
    """
    module = path.relative_to(PACKAGE.parent).with_suffix("").parts
    tree = ast.parse(path.read_text())
    homes = stated() if defined else {}
    guarded = (n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")
    skipped = set() if typing else {inner for node in guarded for inner in ast.walk(node)}
    for node in set(ast.walk(tree)) - skipped:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(module[: -node.level]) if node.level else ""
            source = ".".join(part for part in (base, node.module or "") if part)
            names = (f"{source}.{alias.name}" for alias in node.names)
            yield from (homes.get(name, name) for name in names)


def files() -> list[Path]:
    """Return every source file of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def test_rooms_import_only_rooms_to_their_left() -> None:
    wrong = []
    for path in files():
        own = room_of(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
        assert own in ARROWS, f"{path} is in a new room: say in this test what it may use"
        for name in imports(path):
            if not name.startswith("ackclock"):
                continue
            # In `from ackclock import x`, x is a module or a name of the face.
            used = room_of(name)
            used = used if used in ARROWS else "face"
            if used != own and used not in ARROWS[own]:
                wrong.append(f"{path.relative_to(PROJECT)}: {own} must not use {used} ({name})")
    assert not wrong, "\n".join(wrong)


def test_a_user_could_have_written_the_studies() -> None:
    """Studies import only their own files and the public names of `ackclock.study` and `ackclock`."""
    public = {
        "ackclock": set(ackclock.__all__),
        "ackclock.study": {*ackclock.study.__all__, "curves", "reference"},
    }
    for path in (PACKAGE / "studies").rglob("*.py"):
        own = f"ackclock.studies.{path.parent.name}"
        for name in imports(path, defined=False):
            module, _, taken = name.rpartition(".")
            fine = (
                name == "ackclock.study"
                or taken in public.get(module, ())
                or f"{name}.".startswith(f"{own}.")
            )
            assert fine or not name.startswith("ackclock"), (
                f"{path.relative_to(PROJECT)}: {name} is not public"
            )
        text = path.read_text()
        for used in set(re.findall(r"\bst\.(\w+)", text)):
            assert used in public["ackclock.study"], (
                f"{path.relative_to(PROJECT)}: ackclock.study.{used} is not public"
            )


def test_the_entry_points_are_the_studies() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    there = sorted(path.name for path in (PACKAGE / "studies").iterdir() if (path / "__init__.py").exists())
    assert project["entry-points"]["ackclock.studies"] == {n: f"ackclock.studies.{n}:STUDY" for n in there}


def test_the_face_has_rooms_below_others() -> None:
    for path in files():
        own = path.relative_to(PACKAGE).with_suffix("").parts[0]
        for name in imports(path, typing=False) if own in WITHIN else ():
            used = name.split(".")[1] if name.startswith("ackclock.") else own
            assert used in {own, "_names", *WITHIN[own]}, f"{path.relative_to(PROJECT)}: {name}"


def test_no_module_imports_itself_in_a_circle() -> None:
    """No cycle of imports exists, even with imports inside functions."""
    paths = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in files()}
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    arrows = {}
    for module, path in modules.items():
        # In `from a import b`, b is the module a.b or a name in a.
        named = ((name, name.rpartition(".")[0]) for name in imports(path, typing=False))
        arrows[module] = {name if name in modules else above for name, above in named} & modules.keys()
        arrows[module].discard(module)
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_reports_run_no_simulation() -> None:
    """Reports are made from stored results, so no module of `report` may be able to start a run."""
    running = (
        "_core",
        "runs.run",
        "runs.simulation",
        "scenario.scenario",
        "sweeps.jobs",
        "sweeps.sweep",
        "comparisons.compare",
    )
    for path in (PACKAGE / "report").glob("*.py"):
        for name in imports(path):
            assert not any(f"{name}.".startswith(f"ackclock.{one}.") for one in running), f"{path}: {name}"


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    declared = {re.split(r"[^A-Za-z0-9_-]", name)[0] for name in project["dependencies"]}
    used = {name.split(".")[0] for path in files() for name in imports(path)}
    undeclared = used - declared - sys.stdlib_module_names - {"ackclock"}
    # These packages are optional: they are used if installed, and otherwise named in the error. `dask` and
    # `distributed` belong to the extra `dask`, `gymnasium` and `pettingzoo` to the extra `gym`. Only
    # the plugin of pytest imports `pytest`.
    assert undeclared <= {"pandas", "IPython", "pytest", "dask", "distributed", "gymnasium", "pettingzoo"}, (
        undeclared
    )


def test_locked_versions_meet_the_declared_ones() -> None:
    lock = (PROJECT / "requirements.lock").read_text()
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE))
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    for requirement in project["dependency-groups"]["tools"]:
        name, version = requirement.split("==")
        assert pins[name] == version
    extras = project["project"]["optional-dependencies"]
    extra = [*extras["dask"], *extras["gym"]]
    for requirement in [
        *project["project"]["dependencies"],
        *(one.replace("[distributed]", "") for one in extra),
    ]:
        name, least = requirement.replace("_", "-").split(">=")
        assert [int(n) for n in pins[name].split(".")[:2]] >= [int(n) for n in least.split(".")]
