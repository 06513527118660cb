"""Result of a study: the report, the verdicts, and both as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.report.model import Table

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from ackclock.report.model import Claim, Claims, Judgement


@dataclass(frozen=True)
class StudyResult:
    """The report of a study and its verdicts.

    Attributes:
        study: Name of the study.
        out: Folder of all outputs.
        report: Path of the HTML report.
        plots: Paths of all plots, SVG and PNG.
        summary_tables: Tables that the command prints first.
        verdicts: The claims with their verdicts.
        data_sha256: SHA-256 of the data.
        extra: Further values for `to_json`.
        repeats: Warning that replications repeat each other; empty if none do.
        changed: The user's changes, and their effect on claims and peers.
        ties: Verdicts on slightly changed links if they were requested; see `ties.summary`.
    """

    study: str
    out: Path
    report: Path
    plots: list[Path]
    summary_tables: tuple[Table, ...]
    verdicts: Claims
    data_sha256: str
    extra: dict[str, Any]
    repeats: str = ""
    changed: tuple[str, ...] = ()
    ties: tuple[dict[str, Any], ...] = ()

    @property
    def claims(self) -> list[Claim]:
        """The claims with their verdicts."""
        return list(self.verdicts.claims)

    def table(self) -> RenderableType:
        """Return the summary and the verdicts as an object that rich prints."""
        from rich.console import Group

        from ackclock.report import console

        shown: list[RenderableType] = [console.table(table) for table in self.summary_tables]
        if self.verdicts.claims:
            shown.append(console.Verdicts(self.verdicts))
        return Group(*shown)

    def ties_table(self) -> RenderableType:
        """Return the table of verdicts on slightly changed links as an object that rich prints.

        Each row has a claim's verdict, and the range of its decisive number over the draws of each size.
        """
        from ackclock.report import console
        from ackclock.study.ties import summary_table

        return console.table(summary_table(self.ties))

    def tables(self) -> list[Table]:
        """Return the summary's tables, the table of verdicts, and if requested the verdicts on changed links."""
        heads = ("claim", "in", *self.verdicts.columns)
        rows = tuple(
            (
                claim.text,
                claim.figure,
                *(claim.blank if one is None else one.verdict.value for one in claim.judgements),
            )
            for claim in self.verdicts.claims
        )
        verdicts = Table("verdicts", "Verdicts", heads, rows, text_columns=len(heads))
        tied = []
        if self.ties:
            from ackclock.study.ties import summary_table

            tied.append(summary_table(self.ties))
        return [*self.summary_tables, *([verdicts] if rows else []), *tied]

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values. Paths are relative to `out`."""
        return {
            "study": self.study,
            "data_sha256": self.data_sha256,
            "claims": claims_json(self.verdicts),
            **self.extra,
            **({"changed": list(self.changed)} if self.changed else {}),
            **({"ties": list(self.ties)} if self.ties else {}),
            "report": self.report.relative_to(self.out).as_posix(),
            "plots": [path.relative_to(self.out).as_posix() for path in self.plots],
        }


def claims_json(block: Claims) -> list[dict[str, Any]]:
    """Return the verdicts as plain values: one dictionary per claim and column."""
    return [
        {
            "claim": claim.key,
            "published_in": claim.figure,
            "text": claim.text,
            "read_as": claim.reading,
            "supposing": supposing,
            **_judgement_json(judgement),
        }
        for claim in block.claims
        for supposing, judgement in zip(block.columns, claim.judgements, strict=True)
        if judgement is not None
    ]


def _judgement_json(judgement: Judgement) -> dict[str, Any]:
    parts = [
        {
            "where": part.where,
            "what": part.what,
            "mean": _finite(part.interval.mean),
            "low": _finite(part.interval.low),
            "high": _finite(part.interval.high),
            "n": part.interval.n,
            "level": part.interval.level,
            "unit": part.unit,
            "statement": part.statement,
            "margin": part.margin,
            "published": part.published,
            "once": part.once,
            "verdict": part.verdict.value,
        }
        for part in judgement.parts
    ]
    return {
        "verdict": judgement.verdict.value,
        "supported_tests": judgement.supported,
        "tests": len(judgement.parts),
        "held_in_the_papers_procedure": judgement.held_once,
        "decisive": parts[judgement.parts.index(judgement.decisive)],
        "parts": parts,
    }


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None
