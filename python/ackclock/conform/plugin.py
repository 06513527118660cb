"""pytest plugin: each case of a specification becomes a test.

The plugin is not registered by the installation, so it changes no other test run. A project asks for it with
``pytest_plugins = ["ackclock.conform.plugin"]`` in its ``conftest.py``, or with ``pytest -p ackclock.conform.plugin``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from ackclock.conform.case import Case, Outcome, Verdict
from ackclock.conform.suites import cases_of, subject_of, suite_of, verdict_on
from ackclock.errors import ControlError, ScenarioError, UserError

if TYPE_CHECKING:
    from ackclock.conform.subject import Subject

__all__ = ["MARK", "ConformCase"]

MARK = "ackclock_conform"
"""Name of the mark on a test that takes fixture ``ackclock_case``."""

FIXTURE = "ackclock_case"
OPTION = "--ackclock-conform"
SUITE = "--ackclock-suite"

_subjects: dict[tuple[str, str], Subject] = {}


@dataclass(frozen=True)
class ConformCase:
    """A case to judge: the name of the subject, and the case with its suite."""

    name: str
    suite: str
    case: Case

    def verdict(self) -> Verdict:
        """Run the case and return its verdict. Cases of one subject share runs."""
        key = (self.name, self.suite)
        if key not in _subjects:
            _subjects[key] = subject_of(self.name, suite_of(self.suite))
        return verdict_on(self.case, _subjects[key])

    def check(self) -> None:
        """Run the case; fail the test with the observation that decides, or skip it if the case does not apply."""
        verdict = self.verdict()
        if verdict.outcome is Outcome.NOT_APPLICABLE:
            pytest.skip(verdict.reason)
        if verdict.outcome is Outcome.FAIL:
            when = f" ({verdict.when})" if verdict.when else ""
            pytest.fail(f"{self.case.title}, {self.case.source}: {verdict.reason}{when}", pytrace=False)


def _cases(name: str, suite: str | None, only: tuple[str, ...] = ()) -> list[ConformCase]:
    chosen = suite_of(suite or name)
    return [ConformCase(name, chosen.name, case) for case in cases_of(chosen, only)]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("ackclock", "ackclock: test cases of specifications")
    about = "Judge a variant, FILE.py:Class or a stack by a suite: each case is a test. May be given several times."
    group.addoption(OPTION, metavar="NAME", action="append", default=[], help=about)
    group.addoption(
        SUITE, metavar="SUITE", default=None, help=f"Suite of {OPTION}, if NAME is not the name of one."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark."""
    text = f"{MARK}(name, suite=None, only=()): run the test once for each case; the test takes {FIXTURE}"
    config.addinivalue_line("markers", text)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a marked test once for each case of its suite."""
    mark = metafunc.definition.get_closest_marker(MARK)
    if FIXTURE not in metafunc.fixturenames or mark is None:
        return
    cases = _asked(*mark.args, **mark.kwargs)
    metafunc.parametrize(FIXTURE, cases, ids=[one.case.id for one in cases])


def _asked(name: str, suite: str | None = None, only: Any = ()) -> list[ConformCase]:
    try:
        return _cases(name, suite, (only,) if isinstance(only, str) else tuple(only))
    except UserError as why:
        raise pytest.UsageError(str(why)) from why


class CaseItem(pytest.Item):
    """A test without a function: one case of a subject that the command line names."""

    def __init__(self, *, one: ConformCase, **more: Any) -> None:
        """Set the case."""
        super().__init__(**more)
        self._one = one

    def runtest(self) -> None:
        """Run and judge the case."""
        self._one.check()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message alone for a mistake of the user, such as a control that raises."""
        if isinstance(excinfo.value, ControlError | ScenarioError | UserError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return where the test stands: the suite stands for the file."""
        return self.path, None, f"{self._one.name} by {self._one.suite}: {self._one.case.id}"


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the cases of the subjects that the command line names."""
    items += _items(session, config)


def _items(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    for name in config.getoption(OPTION):
        for one in _asked(name, config.getoption(SUITE)):
            yield CaseItem.from_parent(session, name=f"{one.name}[{one.case.id}]", one=one)
