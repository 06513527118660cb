"""Texts and experiments of a study in TOML files beside its code.

``paper.toml`` has the paper, its settings and claims; ``runs.toml`` has the experiments and variants; ``report.toml``
has the texts of tables, figures and notes. The lines of a text are joined. Code that uses a text gives values for names
in braces; the other names are constants of the study's settings.
"""

from __future__ import annotations

import tomllib
from collections import ChainMap
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from ackclock.report.model import Figure, Table, Text
from ackclock.study.claims import Claim
from ackclock.study.layout import Layout, Paper
from ackclock.study.settings import Settings
from ackclock.study.sought import Sought
from ackclock.study.study import Plan, Study
from ackclock.study.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ackclock.report.model import Panel
    from ackclock.study.agreement import Comparison
    from ackclock.study.data import StudyData
    from ackclock.study.judge import Number, Test
    from ackclock.study.layout import Findings
    from ackclock.study.runs import Rows, RunTable, StudyJob
    from ackclock.study.tables import Cell

FILES: Final = ("paper.toml", "runs.toml", "report.toml")
"""Names of the files, each of which is optional."""

S = TypeVar("S")
T = TypeVar("T")
C = TypeVar("C")

P = TypeVar("P", bound=Plan)


class Experiments(Protocol[P]):
    """Interface of the module with a study's experiments."""

    @property
    def FIGURES(self) -> tuple[str, ...]:  # noqa: N802
        """Names of figures and tables that ``--only`` accepts."""

    @property
    def TABLES(self) -> Mapping[str, RunTable]:  # noqa: N802
        """The tables made from the runs, by name."""

    def plan(self, quick: bool, only: str | None) -> P:
        """Return the plan in the full or the quick form, for the figure `only`, or for all figures if it is None."""

    def jobs(self, chosen: P) -> Iterable[StudyJob]:
        """Yield the runs of a plan, in the order of the data."""

    def manifest(self, chosen: P, data: StudyData) -> dict[str, Any]:
        """Return the entries of the manifest needed to repeat the runs of a plan."""


class Texts:
    """The content of the TOML files beside a study's code."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._constants: Mapping[str, Any] = {}
        self._parts: dict[str, Any] = {}
        for name in FILES:
            if (folder / name).exists():
                self._parts |= _joined(tomllib.loads((folder / name).read_text(encoding="utf-8")))

    def know(self, constants: Mapping[str, Any]) -> None:
        """Set a namespace in which names in braces are looked up if the code gives no values for them."""
        self._constants = constants

    def __call__(self, name: str, /, **values: object) -> str:
        """Return the text ``NAME`` of table ``[text]`` with `values` for the names in braces."""
        return str(self._filled(self._part("text", name), values))

    def paragraphs(self, name: str, /, **values: object) -> Text:
        """Return the list of texts ``NAME`` of table ``[text]`` as paragraphs, with `values` for names in braces."""
        return Text(tuple(self._filled(one, values) for one in self._part("text", name)))

    @property
    def paper(self) -> Paper:
        """The paper, from ``[paper]``."""
        return Paper(**self._parts["paper"])

    def numbers(self, name: str) -> dict[str, float]:
        """Return the numbers that the paper states, by variant, from ``[number.NAME]``."""
        return dict(self._part("number", name))

    def settings(self) -> Settings:
        """Return the settings from ``[[setting]]``.

        Each has ``paper`` (the place in the paper) or ``open`` (the reason for the value).
        """
        out = Settings()
        for one in self._parts["setting"]:
            state = out.paper if "paper" in one else out.open
            state(one["name"], _frozen(one["value"]), one.get("paper") or one["open"], one.get("shown", "{}"))
        return out

    def each(self, kind: str, make: Callable[..., T]) -> tuple[T, ...]:
        """Return `make(**table)` for each table ``[[KIND]]``, such as ``[[experiment]]``; lists become tuples."""
        return tuple(make(**{key: _frozen(value) for key, value in one.items()}) for one in self._parts[kind])

    def layout(self, settings: Settings, **values: object) -> Layout:
        """Return the parts of the report that do not depend on the data, from ``[layout]`` and ``[paper]``."""
        given = {key: self._filled(one, values) for key, one in self._parts["layout"].items()}
        return Layout(paper=self.paper, settings=settings, **given)

    def study(
        self,
        runs: Experiments[P],
        find: Callable[[StudyData], Findings],
        settings: Settings,
        variants: Iterable[str],
        *,
        leave: Callable[[P, Path, int], None] | None = None,
        unasked: Callable[[StudyJob, Rows], bool] = lambda *_: False,
        **values: object,
    ) -> Study[P]:
        """Return the study; its name, summary, labels of scenarios and names of links come from ``[study]``.

        Args:
            runs: The module with the study's experiments.
            find: Function that draws all conclusions from the data.
            settings: The study's settings.
            variants: The study's variants, by key.
            leave: Function that writes further files; see `Study`.
            unasked: Function that returns true for a run equal to the first of its family; see `Study`.
            values: Values for the names in braces in ``[layout]``.
        """
        named = {key: _frozen(value) for key, value in self._parts["study"].items()}
        return Study(
            figures=runs.FIGURES,
            plan=runs.plan,
            jobs=runs.jobs,
            tables=runs.TABLES,
            manifest=runs.manifest,
            layout=self.layout(settings, **values),
            find=find,
            variants=tuple(variants),
            leave=leave,
            unasked=unasked,
            sought=Sought.read(self.folder),
            **named,
        )

    def claim(
        self,
        key: str,
        test: Callable[[S, C], Sequence[Test] | Sequence[Number]],
        statements: tuple[str, ...] = (),
        **values: object,
    ) -> Claim[S, C]:
        """Return the claim ``[claim.KEY]`` with its test."""
        given = {name: self._filled(one, values) for name, one in self._part("claim", key).items()}
        return Claim(key=key, test=test, statements=statements, **given)

    def causes(
        self, **concerns: Callable[[Comparison], bool]
    ) -> tuple[tuple[Callable[[Comparison], bool], str], ...]:
        """Return the causes ``[cause]`` of differences from a peer, each with the function that selects its points."""
        return tuple((concern, self._part("cause", name)) for name, concern in concerns.items())

    def table(
        self,
        name: str,
        rows: Iterable[Mapping[str, Cell] | Sequence[Cell]],
        /,
        *,
        key: str = "",
        **values: object,
    ) -> tuple[Table, ...]:
        """Return the table ``[table.NAME]`` with the given rows; empty if there are none. `key` is NAME by default."""
        given = {one: self._filled(text, values) for one, text in self._part("table", name).items()}
        return table(key or name, given.pop("title", ""), rows, **given)

    def listing(self, name: str, /, **values: object) -> Table:
        """Return the table ``[table.NAME]`` whose rows are texts in the file."""
        given = {one: self._filled(text, values) for one, text in self._part("table", name).items()}
        return Table(key=name, **{"title": "", **given})

    def figure(
        self,
        name: str,
        panels: Iterable[Panel],
        /,
        *,
        key: str = "",
        published: str = "",
        drawn: Mapping[str, Any] | None = None,
        **values: object,
    ) -> Figure:
        """Return the figure ``[figure.NAME]``.

        Args:
            name: NAME in the file.
            panels: The figure's panels.
            key: Name of the figure's image file; by default `name`.
            published: Name of the paper's figure; the text of that name in ``[published]`` is printed above the figure
                as its claim.
            drawn: Further attributes of `Figure`.
            values: Values for the names in braces.
        """
        given = {one: self._filled(text, values) for one, text in self._part("figure", name).items()}
        if published:
            given["claim"] = self._part("published", published)
        return Figure(key=key or name, panels=tuple(panels), **given, **(drawn or {}))

    def _part(self, kind: str, name: str) -> Any:
        try:
            return self._parts[kind][name]
        except KeyError as why:
            raise KeyError(f"{self.folder}: no [{kind}.{name}] in {' or '.join(FILES)}") from why

    def _filled(self, text: Any, values: Mapping[str, object]) -> Any:
        if isinstance(text, str):
            return text.format_map(ChainMap(dict(values), dict(self._constants)))
        if isinstance(text, list):
            return tuple(self._filled(one, values) for one in text)
        if isinstance(text, dict):
            return {key: self._filled(one, values) for key, one in text.items()}
        return text


def _joined(part: Any) -> Any:
    """Return the value with the lines of each text in it joined."""
    if isinstance(part, str):
        return " ".join(part.split("\n")) if "\n" in part else part
    if isinstance(part, list):
        return [_joined(one) for one in part]
    return {key: _joined(one) for key, one in part.items()} if isinstance(part, dict) else part


def _frozen(value: Any) -> Any:
    """Return the value with each list in it converted to a tuple."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@cache
def _read(folder: Path) -> Texts:
    return Texts(folder)


def texts(beside: str, constants: Mapping[str, Any] | None = None) -> Texts:
    """Return the content of the TOML files in the folder of the file `beside`.

    Args:
        beside: Path of the file, usually ``__file__``.
        constants: Namespace of the names in braces, such as ``globals()``; names may be added to it later.
    """
    found = _read(Path(beside).parent)
    if constants is not None:
        found.know(constants)
    return found
