"""Options shared by several verbs, and groups of options as dataclasses."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from ackclock._io.options import Option, Options
from ackclock.cli import completion

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario


def opened(file: Path, settings: Sequence[str] | None, *, allow_code: bool = False) -> Scenario:
    """Load a scenario file and apply settings; warn of settings with ``*`` that do not apply to every entry."""
    from ackclock.scenario.scenario import load

    scenario = load(file, settings or [], allow_code=allow_code)
    say_left_out(scenario, settings or [])
    return scenario


def say_left_out(scenario: Scenario, settings: Sequence[str]) -> None:
    """Warn on standard error of each setting with ``*`` that does not apply to every entry."""
    from ackclock.cli.console import note
    from ackclock.scenario.wildcards import left_out

    for one in settings:
        text = left_out(one.partition("=")[0].strip(), scenario)
        if text is not None:
            note(text)


def option(metavar: str, about: str, *names: str, **more: Any) -> Any:
    """Declare an option whose help is `about`; Typer shows no default, so `about` states it if necessary."""
    return typer.Option(*names, metavar=metavar, help=about, show_default=False, **more)


def out_option(about: str) -> Any:
    """Declare ``--out``, a folder whose write access is checked before anything is run."""
    return option("DIR", about, callback=_writable)


def _writable(folder: Path | None) -> Path | None:
    from ackclock._io.files import check_writable

    if folder is not None:
        check_writable(folder)
    return folder


Replace: TypeAlias = Annotated[
    bool, typer.Option("--replace", help="Replace files in the folder that ackclock did not write.")
]
"""Permission to replace files that have names of results in a folder that has no manifest."""


@dataclass(frozen=True)
class Page:
    """Additional text for an option in ``docs/reference/cli.md``; it is part of the option's `Annotated`."""

    text: str


def grouped(verb: Callable[..., None]) -> Callable[..., None]:
    """Decorate a verb so that a parameter of a dataclass type becomes an option for each field of the dataclass.

    For a subclass of `ackclock._io.options.Options`, the field declarations define the options and the conversion of
    values.
    """
    hints = get_type_hints(verb, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    @wraps(verb)
    def flat(**given: Any) -> None:
        for name, group in groups.items():
            own = {one.name: given.pop(one.name) for one in _parameters(group)}
            given[name] = _read(group, own) if issubclass(group, Options) else group(**own)
        verb(**given)

    parameters: list[inspect.Parameter] = []
    for one in inspect.signature(verb).parameters.values():
        group = groups.get(one.name)
        parameters += _parameters(group) if group else [one.replace(annotation=hints[one.name])]
    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {one.name: one.annotation for one in parameters}
    return flat


def given(context: typer.Context) -> dict[str, Any]:
    """Return the options and arguments that the user gave on the command line."""
    return {
        name: value
        for name, value in context.params.items()
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    }


def spelt(name: str) -> str:
    """Return an option in the command line's spelling, such as ``--start-jitter``."""
    return f"--{name.replace('_', '-')}"


def words_of(group: type[Options], given: Mapping[str, Any]) -> list[str]:
    """Return the given options of a group as words of a command line, without those that have their default."""
    words: list[str] = []
    for name, field in group.named().items():
        one = group.declared()[field]
        for each in (name, one.former) if one.typed else ():
            if each in given and given[each] != (one.default if each == name else None):
                words += [spelt(each)] if one.kind.given is bool else [spelt(each), str(given[each])]
    return words


def _read(group: type[Options], given: dict[str, Any]) -> Options:
    for name, field in group.named().items():
        former = group.declared()[field].former
        if former and given[former] is not None:
            given[name] = given[former]
    return group.of_given(given, spelt)


def _parameters(group: Any) -> list[inspect.Parameter]:
    """Return the fields of a group as parameters of a verb's signature."""
    types = get_type_hints(group, include_extras=True)
    if not issubclass(group, Options):
        own = inspect.signature(group).parameters.values()
        return [one.replace(annotation=types[one.name], kind=one.KEYWORD_ONLY) for one in own]
    found: list[inspect.Parameter] = []
    for name, field in group.named().items():
        one = group.declared()[field]
        if not one.typed:
            continue
        kind: Any = one.kind.given if one.default is not None else one.kind.given | None
        more = [Page(one.page)] if one.page else []
        found.append(_parameter(name, one.default, kind, _declared(name, one), *more))
        if one.former:
            hidden = typer.Option(spelt(one.former), hidden=True)
            found.append(_parameter(one.former, None, str | None, hidden))
    return found


def _parameter(name: str, default: Any, kind: Any, *about: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, *about]
    )


def _declared(name: str, one: Option) -> Any:
    """Return a declared option as a Typer option."""
    if one.kind.given is bool:
        return typer.Option(help=one.help) if one.default else typer.Option(spelt(name), help=one.help)
    return typer.Option(
        metavar=one.metavar,
        help=one.help,
        min=one.kind.low,
        max=one.kind.high,
        show_default=one.default is not None,
        autocompletion=completion.BY_OPTION.get(name),
    )


ScenarioFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Scenario file (TOML, or JSON by its ending), or an example: ackclock list scenarios.",
        autocompletion=completion.scenario_files,
    ),
]
OptionalScenarioFile: TypeAlias = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="Scenario file (TOML, or JSON by its ending), or an example: ackclock list scenarios.",
        autocompletion=completion.scenario_files,
        show_default=False,
    ),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    option(
        "PATH=VALUE",
        "Change one value; repeatable: link.bottleneck.rate=5Mbps.",
        "--set",
        autocompletion=completion.settings,
    ),
]
AllowCode: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-code",
        help="Run the Python files of congestion controls that the scenario names. Those named on the command line "
        "run anyway.",
    ),
    Page("See [controls of your own](../howto/own-control.md)."),
]
Json: TypeAlias = Annotated[str | None, option("FILE|-", "Write the results as JSON; - prints nothing else.")]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="No table, no progress; warnings and errors only.")
]
Jobs: TypeAlias = Annotated[
    int,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=0,
        help="Runs at a time; 0: as many as there are cores. Results do not depend on it.",
    ),
]
Executor: TypeAlias = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="NAME",
        help="Who carries the runs out: threads, processes, dask:local, or dask:ADDRESS of a scheduler. Results do "
        "not depend on it.",
    ),
    Page("See [using many machines](../howto/use-many-machines.md)."),
]
Wide: TypeAlias = Annotated[
    bool, typer.Option("--wide", help="Show every column, however narrow the terminal is.")
]


class TableForm(StrEnum):
    """Forms of printed tables for other programs."""

    latex = "latex"
    csv = "csv"


Tables: TypeAlias = Annotated[
    TableForm | None,
    typer.Option(
        "--table",
        help="Print the tables whole, for LaTeX (booktabs, siunitx) or as CSV; all else goes to standard error.",
    ),
]


class Style(StrEnum):
    """Styles of figures: for a web page, or for one column of a printed paper (without titles)."""

    page = "page"
    paper = "paper"


FigureStyle: TypeAlias = Annotated[
    Style,
    typer.Option(
        "--style", help="Figures for a page, or for a paper: one column wide (3.5 in), 8 pt, no titles."
    ),
]


@dataclass(frozen=True)
class Workers:
    """Options for executor and number of workers."""

    jobs: Jobs = 0
    executor: Executor = "threads"


@dataclass(frozen=True)
class Output:
    """Options for the output of a verb."""

    json: Json = None
    quiet: Quiet = False
    wide: Wide = False
    table: Tables = None
