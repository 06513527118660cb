"""Options that several verbs share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

ScenarioFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="Scenario file (TOML, or JSON by its ending).")
]
Seed: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        max=2**63 - 1,
        help="Seed of every random draw, in place of the scenario's own.",
        show_default=False,
    ),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change one value; repeatable: flow.*.tcp.variant=vegas.",
        show_default=False,
    ),
]
Json: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--json",
        metavar="FILE|-",
        help="Write the results as JSON; - prints nothing else.",
        show_default=False,
    ),
]
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
    typer.Option(
        "--reps", metavar="N", min=1, help="Replications, on seeds N, N+1, ...; an interval needs two."
    ),
]
Jitter: TypeAlias = Annotated[
    str,
    typer.Option(
        "--jitter",
        metavar="TIME",
        help="Each flow starts later by a random time up to this, from the second replication on.",
    ),
]
Level: TypeAlias = Annotated[
    float, typer.Option("--level", metavar="P", min=0.5, max=0.9999, help="Confidence of the intervals.")
]
