"""A study's verdicts on slightly changed links (`ackclock.runs.ties`): ``study NAME --ties``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ackclock.errors import UserError
from ackclock.report.model import Section, Table
from ackclock.report.text import number
from ackclock.runs.ties import DRAWS, HOW, SIZES, Spread, hangs_on, perturbed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ackclock.report.model import Claims
    from ackclock.scenario.scenario import Scenario
    from ackclock.study.runs import StudyJob

GIVEN = "none"
"""Value of column `size` for the links as given."""

NOTE = (
    "Every run of the study was made again in each draw, and the verdicts were drawn from these runs alone. A verdict "
    "hangs on ties or on phase if a draw has another one, or if the number that decides it changes its sign."
)


def drawn(jobs: Iterable[StudyJob], size: str, draw: int, known: dict[str, Scenario]) -> Iterator[StudyJob]:
    """Yield a study's jobs in one draw; a job without a wired link is unchanged.

    All jobs take the streams of seed 1, so that variants, seeds and starts meet the same links. `known` keeps the
    scenarios made; it is empty when a draw begins.

    Raises:
        UserError: if no job has a link that can change.
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
    """Return one row per claim and column: its verdict, and the number that decides it."""
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
    """Return the rows of the links as given and of every draw; `again` carries the study out in one."""
    rows = verdict_rows(claims)
    for i, (size, draw) in enumerate((size, draw) for size in SIZES for draw in range(DRAWS)):
        told(i)
        rows += verdict_rows(again(size, draw), size, draw)
    return rows


def summary(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row per claim and column: verdict and number here, spreads, the draws' verdicts, deciding effect."""
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
    """Return the table of the output of `summary`."""

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
    """Return the section of a report."""
    return Section("Ties and phase", (summary_table(summary(rows)),))


def _others(row: Mapping[str, Any], size: str) -> str:
    """Write in how many draws the verdict is another one; empty if it never is."""
    others = {one: count for one, count in row[f"{size}_verdicts"].items() if one != row["verdict"]}
    return "".join(f"; {one} in {count} of {DRAWS}" for one, count in others.items())
