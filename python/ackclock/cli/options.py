"""Options that several verbs share, declared once, and options in groups."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario


def opened(file: Path, settings: Sequence[str] | None, *, allow_code: bool = False) -> Scenario:
    """Load a scenario file with settings; warn on standard error of those that leave entries out."""
    from ackclock.scenario.scenario import load

    scenario = load(file, settings or [], allow_code=allow_code)
    say_left_out(scenario, settings or [])
    return scenario


def say_left_out(scenario: Scenario, settings: Sequence[str]) -> None:
    """Warn on standard error of settings with ``*`` that do not take every entry."""
    from ackclock.cli.console import note
    from ackclock.scenario.scenario import left_out

    for one in settings:
        text = left_out(one.partition("=")[0].strip(), scenario)
        if text is not None:
            note(text)


def start_jitter_s(given: str | None, former: str | None) -> float | None:
    """Return the bound of the start jitter in seconds; ``--jitter`` is the former name of ``--start-jitter``."""
    return seconds_of(given if former is None else former, "--start-jitter")


def seconds_of(given: str | None, name: str) -> float | None:
    """Return a time in seconds; None if it is not given."""
    from ackclock.sweeps.quantities import optional_seconds

    return optional_seconds(given, name)


def option(metavar: str, about: str, *names: str, **more: Any) -> Any:
    """Declare an option without a default to show: its text describes the behaviour without it."""
    return typer.Option(*names, metavar=metavar, help=about, show_default=False, **more)


def out_option(about: str) -> Any:
    """Declare ``--out``, a folder that is checked to be writable before anything is run."""
    return option("DIR", about, callback=_writable)


def _writable(folder: Path | None) -> Path | None:
    from ackclock._io.files import check_writable

    if folder is not None:
        check_writable(folder)
    return folder


def grouped(verb: Callable[..., None]) -> Callable[..., None]:
    """Let a verb take options in groups: a parameter whose type is a dataclass stands for its fields."""
    hints = get_type_hints(verb, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    @wraps(verb)
    def flat(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in fields(group)})
        verb(**given)

    parameters: list[inspect.Parameter] = []
    for one in inspect.signature(verb).parameters.values():
        group = groups.get(one.name)
        own = inspect.signature(group).parameters.values() if group else [one]
        types = get_type_hints(group, include_extras=True) if group else hints
        parameters += [each.replace(annotation=types[each.name]) for each in own]
    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {one.name: one.annotation for one in parameters}
    return flat


ScenarioFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Scenario file (TOML, or JSON by its ending), or an example: ackclock list scenarios.",
    ),
]
Seed: TypeAlias = Annotated[
    int | None,
    option("N", "Seed of every random draw, in place of the scenario's own.", min=0, max=2**63 - 1),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    option("PATH=VALUE", "Change one value; repeatable: link.bottleneck.rate=5Mbps.", "--set"),
]
AllowCode: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-code",
        help="Run the Python files of congestion controls that the scenario names. Those named on the command line "
        "run anyway.",
    ),
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
]
Reps: TypeAlias = Annotated[
    int,
    typer.Option(metavar="N", min=1, help="Replications, on seeds N, N+1, ...; an interval needs two."),
]
Until: TypeAlias = Annotated[
    float | None,
    option(
        "PERCENT",
        "Add replications, up to 200, until every interval is within this many per cent of its mean.",
        min=0.01,
    ),
]
StartJitter: TypeAlias = Annotated[
    str | None,
    option(
        "TIME", "Each flow starts later by a random time up to this [10 round trips of the longest path]."
    ),
]
SendOverhead: TypeAlias = Annotated[
    str | None,
    option(
        "TIME",
        "Each sender takes a random time up to this to send what its window lets go; 0s: none [the time of a packet at "
        "the bottleneck].",
    ),
]
FormerJitter: TypeAlias = Annotated[str | None, typer.Option("--jitter", hidden=True)]
Bottleneck: TypeAlias = Annotated[
    str | None,
    option(
        "NAME",
        "Where utilisation and queue are measured: a link (by name, number or as a>b), an 802.11 network or an LTE "
        "cell [the busiest].",
    ),
]
Ties: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--ties",
        help="Say how far results go on links that differ by up to 1e-6 (ties) and 1e-3 (phase): 20 further runs for "
        "each run.",
    ),
]
Wide: TypeAlias = Annotated[
    bool, typer.Option("--wide", help="Show every column, however narrow the terminal is.")
]


class TableForm(StrEnum):
    """Forms of tables for other programs."""

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
    """Looks of figures."""

    page = "page"
    paper = "paper"


FigureStyle: TypeAlias = Annotated[
    Style,
    typer.Option(
        "--style", help="Figures for a page, or for a paper: one column wide (3.5 in), 8 pt, no titles."
    ),
]
Margin: TypeAlias = Annotated[
    float,
    typer.Option(
        metavar="PERCENT",
        min=0.0,
        max=100.0,
        help="Differences within this many per cent do not matter: the verdict says so, however certain they are.",
    ),
]
Level: TypeAlias = Annotated[
    float, typer.Option(metavar="P", min=0.5, max=0.9999, help="Confidence of the intervals.")
]
