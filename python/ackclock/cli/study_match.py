"""``ackclock study NAME --match``: search of the setting behind the numbers of a study's paper."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock.cli import completion
from ackclock.cli.options import Output, Workers, option
from ackclock.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.study.sought import Sought
    from ackclock.study.study import Study


@dataclass(frozen=True)
class MatchOptions:
    """Options for a search of the setting behind the paper's numbers."""

    match: Annotated[
        bool,
        typer.Option(
            "--match",
            help="Instead of a reproduction, search the setting that gives the paper's numbers: as `ackclock match` "
            "with the study's claims and published tables.",
        ),
    ] = False
    vary: Annotated[
        list[str] | None,
        option(
            "PATH=V1,V2",
            "With --match: values of a setting, in place of the study's own for it; repeatable.",
            autocompletion=completion.settings,
        ),
    ] = None
    hold: Annotated[
        int,
        typer.Option(
            "--hold",
            metavar="N",
            min=0,
            help="With --match: keep N published numbers from the search, and tell if they came out.",
        ),
    ] = 0

    def check(self, others: Mapping[str, object]) -> None:
        """Refuse options that would have no effect: those of a reproduction with ``--match``, and its own without it.

        Args:
            others: Values of the options of a reproduction, by option.

        Raises:
            UserError: If such an option is given.

        """
        if self.match:
            rule, given = "--match searches and reproduces nothing", others
        else:
            rule, given = "without --match nothing is searched", {"--vary": self.vary, "--hold": self.hold}
        if beside := [option for option, value in given.items() if value]:
            raise UserError(f"{rule}: {', '.join(beside)} would have no effect")


def match_study(
    study: Study[Any],
    asked: MatchOptions,
    settings: Sequence[str],
    out: Path | None,
    *,
    workers: Workers,
    output: Output,
) -> None:
    """Search the setting of a study's paper; the folder gets the numbers and the scenario as files, too."""
    from ackclock._io.files import json_text
    from ackclock.cli.console import check_json
    from ackclock.cli.match import carry_out
    from ackclock.readings.published import parse
    from ackclock.readings.runner import Plan
    from ackclock.readings.space import Space
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.quantities import seconds

    check_json(output.json)
    sought = _sought(study)
    every = itertools.chain.from_iterable(study.jobs(study.plan(quick, None)) for quick in (True, False))
    scenario = sought.scenario(every).apply(settings)
    text = sought.csv()
    numbers = parse(text, f"numbers of study {study.name}")
    axes = {one.path: one for one in map(Axis.parse, (*sought.vary, *(asked.vary or ())))}
    space = Space.of(scenario, list(axes.values()), numbers.numbers)
    jitter_s = seconds(sought.start_jitter, "start_jitter")
    plan = Plan(sought.reps, jitter_s, asked.hold, sought.definitions, sought.traced)
    folder = out or Path("results") / f"{study.name}-match"
    beside = {"published.csv": text, "scenario.json": json_text(scenario.template.document)}
    carry_out(space, numbers, plan, folder, name=study.name, workers=workers, output=output, beside=beside)


def _sought(study: Study[Any]) -> Sought:
    """Return the numbers that a study declares; a study in a folder may have them in ``paper.toml`` alone."""
    from ackclock.study.sought import Sought

    found = study.sought
    if found is None and study.origin is not None and (folder := study.origin.folder()) is not None:
        found = Sought.read(folder)
    if found is None:
        raise UserError(
            f"study {study.address} declares no numbers for a search\n"
            "  wanted: a table [match] in its paper.toml, or ackclock match FILE published.csv"
        )
    return found
