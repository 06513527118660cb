"""Verdicts of a study on slightly changed links (`ackclock.runs.ties`), for ``study NAME --ties``."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ackclock._io.files import LARGEST_JSON, read_text
from ackclock.errors import FileError, UserError
from ackclock.report.model import Section, Table
from ackclock.report.text import number
from ackclock.runs.ties import DRAWS, HOW, SIZES, Spread, hangs_on, perturbed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ackclock.report.model import Claims
    from ackclock.scenario.scenario import Scenario
    from ackclock.study.runs import StudyJob

GIVEN = "none"
"""Value of the column `size` for the study's own links."""

NOTE = (
    "Every run of the study was made again in each draw, and the verdicts were drawn from these runs alone. A verdict "
    "hangs on ties or on phase if a draw has another one, or if the number that decides it changes its sign."
)


def drawn(jobs: Iterable[StudyJob], size: str, draw: int, known: dict[str, Scenario]) -> Iterator[StudyJob]:
    """Yield a study's jobs with slightly changed links; a job whose scenario has no wired link is unchanged.

    The changes are drawn from the random streams of seed 1, so that in one draw all variants, seeds and start times
    have the same links. `known` caches the changed scenarios; it has to be empty at the beginning of a draw.

    Raises:
        UserError: No job has a link that can be changed.
    """
    changed = False
    for job in jobs:
        if job.document not in known:
            try:
                known[job.document] = perturbed(job.scenario, size, draw, seed=1)
            except UserError:
                known[job.document] = job.scenario
        made = known[job.document]
        changed = changed or made is not job.scenario
        yield replace(job, scenario=made)
    if not changed:
        raise UserError("--ties: no scenario of the study has a link whose rate or delay can change")


def verdict_rows(claims: Claims, size: str = GIVEN, draw: int = 0) -> list[dict[str, Any]]:
    """Return one row for each claim and column, with the verdict and the number that decides it."""
    return [
        {
            "size": size,
            "draw": draw,
            "claim": claim.key,
            "column": column,
            "verdict": judgement.verdict.value,
            "number": judgement.decisive.interval.mean,
            "unit": judgement.decisive.unit,
            "what": judgement.decisive.what,
        }
        for claim in claims.claims
        for column, judgement in zip(claims.columns, claim.judgements, strict=True)
        if judgement is not None
    ]


def all_rows(
    claims: Claims, again: Callable[[str, int], Claims], told: Callable[[int], None] = lambda _: None
) -> list[dict[str, Any]]:
    """Return the rows for the study's own links and for every draw; `again(size, draw)` runs one draw."""
    rows = verdict_rows(claims)
    for i, (size, draw) in enumerate((size, draw) for size in SIZES for draw in range(DRAWS)):
        told(i)
        rows += verdict_rows(again(size, draw), size, draw)
    return rows


def summary(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row per claim and column with its spread over the draws.

    The row has the study's own verdict and number, and the ranges and verdicts by size of change. `hangs_on` is the
    smallest size of change with another verdict or another sign of the number.
    """
    found = []
    for here in (row for row in rows if row["size"] == GIVEN):
        mine = [row for row in rows if (row["claim"], row["column"]) == (here["claim"], here["column"])]
        by_size = {size: [row for row in mine if row["size"] == size] for size in SIZES}
        numbers = {size: [float(row["number"]) for row in some] for size, some in by_size.items()}
        other = next(
            (s for s, some in by_size.items() if any(row["verdict"] != here["verdict"] for row in some)), None
        )
        turned = hangs_on(float(here["number"]), numbers)
        found.append(
            {
                **{key: here[key] for key in ("claim", "column", "verdict", "number", "unit")},
                **Spread.of(numbers).columns(),
                **{
                    f"{size}_verdicts": dict(Counter(str(row["verdict"]) for row in some))
                    for size, some in by_size.items()
                },
                "hangs_on": min((one for one in (other, turned) if one), key=list(SIZES).index, default=None),
            }
        )
    return found


def summary_table(found: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table of the rows that `summary` returned."""

    def cells(row: Mapping[str, Any]) -> tuple[str, ...]:
        ends = (
            f"{number(row[f'{size}_min'])} to {number(row[f'{size}_max'])}{_others(row, size)}"
            for size in SIZES
        )
        unit = f" {row['unit']}" if row["unit"] else ""
        head = (row["claim"], row["column"], row["verdict"], row["hangs_on"] or "–")
        return *head, f"{number(row['number'])}{unit}", *ends

    return Table(
        key="ties",
        title=f"Ties and phase: {HOW}",
        columns=("claim", "column", "verdict", "hangs on", "decided by", "by ties", "by phase"),
        rows=tuple(cells(row) for row in found),
        notes=(NOTE,),
        text_columns=4,
    )


def section(rows: Sequence[Mapping[str, Any]]) -> Section:
    """Return the report's section on the effect of slight changes of links on the verdicts."""
    return Section("Ties and phase", (summary_table(summary(rows)),))


def stored(path: Path) -> tuple[list[dict[str, Any]], Section]:
    """Return the summary of the rows in a file, and the report's section with it.

    Raises:
        FileError: If the file cannot be read, or its rows are not those of a study.
    """
    try:
        rows = json.loads(read_text(path, LARGEST_JSON))
        return summary(rows), section(rows)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as why:
        raise FileError(f"{path}: damaged, not as a study writes it ({why!r})") from why


def _others(row: Mapping[str, Any], size: str) -> str:
    """Return, as text, the number of draws whose verdict differs from the study's own; empty if none differs."""
    others = {one: count for one, count in row[f"{size}_verdicts"].items() if one != row["verdict"]}
    return "".join(f"; {one} in {count} of {DRAWS}" for one, count in others.items())
