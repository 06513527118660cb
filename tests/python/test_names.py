"""Names of packages: each is declared once, few are at the top, and former names still work."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import ackclock as ac
from ackclock._former import FORMER

PACKAGE = Path(ac.__file__).parent
STUBS = sorted(PACKAGE.rglob("__init__.pyi"))


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=False
    )


def test_the_top_has_fifteen_names() -> None:
    assert len(ac.__all__) <= 15
    assert ac.__version__
    assert callable(ac.use_core)


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.parent.name)
def test_what_a_package_states_is_there(stub: Path) -> None:
    package = importlib.import_module(".".join(stub.parent.relative_to(PACKAGE.parent).parts))
    stated = {
        alias.name
        for node in ast.walk(ast.parse(stub.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    }
    assert set(package.__all__) == {name for name in stated if not name.startswith("_")}
    for name in stated:
        assert getattr(package, name) is not None
    modules = {one.name for one in pkgutil.iter_modules(package.__path__)}
    assert stated <= set(dir(package))
    # An imported submodule would replace a declared name with the same spelling.
    assert not stated & modules


def test_packages_of_the_top_need_no_import_of_their_own() -> None:
    found = python(
        "import ackclock as ac; print(ac.stats.Interval.__name__, ac.theory.__name__, ac.lint.check.__name__)"
    )
    assert found.stdout.split() == ["Interval", "ackclock.theory", "check"], found.stderr
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text())
    told = {
        one.name
        for node in ast.walk(stub)
        if isinstance(node, ast.ImportFrom) and node.module is None
        for one in node.names
    }
    there = {one.name for one in pkgutil.iter_modules(ac.__path__) if not one.name.startswith("_")}
    assert told == there - {"cli", "studies"}, "what editors and type checkers know"


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match="'comapre'; did you mean compare"):
        ac.comapre  # noqa: B018
    with pytest.raises(AttributeError, match="'Intervla'; did you mean Interval"):
        ac.stats.Intervla  # noqa: B018
    with pytest.raises(ImportError):
        importlib.import_module("ackclock.nonsense")


def asked(name: str) -> object:
    package, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(package), attribute)
    except AttributeError:  # the former name is that of a module in a removed package
        return importlib.import_module(name)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", [name for name in FORMER if name != "ackclock.sweep"])
def test_a_former_name_answers_with_a_warning(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{name} is now {FORMER[name]}"):
        found = asked(name)
    assert found is pkgutil.resolve_name(FORMER[name])


def test_former_modules_are_imported() -> None:
    found = python(
        "import ackclock as ac; from ackclock.tables import Flow; import ackclock.fuzz as fuzz\n"
        "from ackclock.sweep.statistics import interval; import ackclock.sweep.grid\n"
        "from ackclock.sweep.notebook import compare, sweep\n"
        "assert sweep is ac.sweep and compare is ac.compare, ac.sweep\n"
        "assert ac.sweep.grid.Sweep is ac.sweeps.Sweep\n"
        "print(Flow.__module__, fuzz.__name__, interval.__module__)"
    )
    assert found.stdout.split() == [
        "ackclock.types",
        "ackclock.control.conformance",
        "ackclock.stats.statistics",
    ], found
    told = [line for line in found.stderr.splitlines() if "DeprecationWarning" in line]
    assert all(line.startswith("<string>:") for line in told), found.stderr
    assert (
        "<string>:1: DeprecationWarning: ackclock.tables is now ackclock.types; the next version drops"
        in told[0]
    )


def test_nothing_of_ours_uses_a_former_name() -> None:
    """Our modules use no former name, even in files that no test imports; elsewhere tests turn warnings into errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for one in pkgutil.walk_packages(ac.__path__, "ackclock."):
            if "__main__" not in one.name:
                importlib.import_module(one.name)
