"""``ackclock diff-profiles``: lists the differences between two endpoint profiles, and their effects."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock._io.options import Options
from ackclock.cli import completion
from ackclock.cli.options import AllowCode, Jobs, Json, Quiet, ScenarioFile, Settings, grouped
from ackclock.sweeps.options import LEVEL, REPS, SEED, START_JITTER

if TYPE_CHECKING:
    from ackclock.comparisons.profiles import Effect
    from ackclock.stats.statistics import Interval

EXAMPLES = """\
ackclock diff-profiles ns2 linux scenario.toml
ackclock diff-profiles rfc linux scenario.toml --effect --reps 10
"""


@dataclass(frozen=True, kw_only=True)
class EffectOptions(Options):
    """Options of the runs made for ``--effect``."""

    reps: int = replace(
        REPS, help="Replications, with --effect.", kind=replace(REPS.kind, low=2), default=5
    ).field()
    jitter_s: float = replace(
        START_JITTER, help="Each flow starts later by up to this, with --effect.", default="1s", former=""
    ).field()
    level: float = LEVEL.field()
    seed: int | None = SEED.field()


@grouped
def diff_profiles(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A profile; see: ackclock list profiles.",
            show_default=False,
            autocompletion=completion.of_catalogue("profiles"),
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(
            metavar="B",
            help="Another one.",
            show_default=False,
            autocompletion=completion.of_catalogue("profiles"),
        ),
    ],
    file: ScenarioFile,
    effect: Annotated[
        bool,
        typer.Option(
            "--effect", help="Run the scenario with each difference switched alone; show its effect."
        ),
    ] = False,
    settings: Settings = None,
    allow_code: AllowCode = False,
    *,
    asked: EffectOptions,
    jobs: Jobs = 0,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """List the parameters that two profiles set differently for the TCP flows of a scenario.

    What the file sets itself is the same under both and is not listed. With --effect every difference is switched
    alone, in replications on the same seeds.
    """
    from ackclock._io.files import json_text
    from ackclock.cli.console import meter, note, show, table, write_json
    from ackclock.comparisons.profiles import differences, effects
    from ackclock.scenario.scenario import load

    scenario = load(file, settings or [], allow_code=allow_code)
    found = differences(scenario, first, second)
    done: list[Effect] = []
    if effect and found:
        with meter("switching", quiet=quiet or json == "-") as progress:
            done = effects(
                scenario,
                first,
                second,
                reps=asked.reps,
                seed=asked.seed,
                jitter_s=asked.jitter_s,
                level=asked.level,
                threads=jobs,
                progress=progress.jobs,
            )
    if json is not None:
        write_json(json, json_text([_plain(one.key, one.first, one.second, done) for one in found]))
    if quiet or json == "-":
        return
    values = {one.key: (_shown(one.first), _shown(one.second)) for one in found}
    if not found:
        note(f"profiles {first} and {second} set the same for the flows of {file}")
    elif done:
        idle = [one.key for one in done if one.key and not one.refused and _same(one)]
        rows = [_row(one, values) for one in done if one.key not in idle]
        heads = ["parameter", first, second, "goodput\n%", "RTT\n%", "loss\npoints"]
        show(table(f"from {first} to {second}, one parameter at a time", heads, rows, left=3))
        show(f"{asked.reps} replications on the same seeds; * the interval leaves out 0.")
        show(f"No effect here: {', '.join(idle)}." if idle else "Every parameter has an effect.")
        for one in done:
            if one.refused:
                note(f"{one.key} cannot be switched alone: {one.refused}")
    else:
        rows = [[key, *both] for key, both in values.items()]
        show(table(f"{file}: {len(found)} parameters differ", ["parameter", first, second], rows, left=3))


def _same(one: Effect) -> bool:
    return all(found.mean == 0 and found.interval.half_width == 0 for found in one.differences.values())


def _shown(value: Any) -> str:
    return "–" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _row(one: Effect, values: dict[str, tuple[str, str]]) -> list[str]:
    first, second = values.get(one.key, ("", "")) if one.key else ("", "")
    name = one.key or "all of them"
    if one.refused:
        return [name, first, second, "not alone", "", ""]
    return [
        name,
        first,
        second,
        _percent(one, "goodput_bps"),
        _percent(one, "packet_rtt_mean_s"),
        _points(one),
    ]


def _percent(one: Effect, measure: str) -> str:
    return _signed(one, measure, one.percents[measure], 1.0, 1)


def _points(one: Effect) -> str:
    return _signed(one, "loss_ratio", one.differences["loss_ratio"].interval, 100.0, 2)


def _signed(one: Effect, measure: str, found: Interval, scale: float, digits: int) -> str:
    """Return a change with its interval as text; a significant change is marked."""
    if math.isnan(found.mean):
        return "–"
    if found.mean == 0 and found.half_width == 0:
        return "0"

    def signed(value: float) -> str:
        shown = f"{value * scale:+.{digits}f}"
        return shown if float(shown) else shown[1:]

    mark = "*" if one.known(measure) else ""
    if not found.known:
        return f"{signed(found.mean)}{mark}"
    if found.lopsided(0.5 * 10.0**-digits / scale):
        return f"{signed(found.mean)} [{signed(found.low)}, {signed(found.high)}]{mark}"
    return f"{signed(found.mean)} ±{found.half_width * scale:.{digits}f}{mark}"


def _plain(key: str, first: Any, second: Any, done: list[Effect]) -> dict[str, Any]:
    made = next((one for one in done if one.key == key), None)
    measured = {}
    if made is not None and not made.refused:
        measured = {
            name: {"difference": value.mean, "half_width": value.interval.half_width, "p": value.p}
            for name, value in made.differences.items()
        }
    return {"parameter": key, "first": first, "second": second, **({"effect": measured} if measured else {})}
