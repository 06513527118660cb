"""Options that several verbs share, declared once, and options in groups."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer


def option(metavar: str, about: str, *names: str, **more: Any) -> Any:
    """Declare an option without a default to show: its text says what holds where it is not given."""
    return typer.Option(*names, metavar=metavar, help=about, show_default=False, **more)


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
    option("PATH=VALUE", "Change one value; repeatable: flow.*.tcp.variant=vegas.", "--set"),
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
Reps: TypeAlias = Annotated[
    int,
    typer.Option(metavar="N", min=1, help="Replications, on seeds N, N+1, ...; an interval needs two."),
]
Jitter: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="TIME",
        help="Each flow starts later by a random time up to this, from the second replication on.",
    ),
]
Level: TypeAlias = Annotated[
    float, typer.Option(metavar="P", min=0.5, max=0.9999, help="Confidence of the intervals.")
]
