"""The paper's numbers as a search for its setting takes them: ``ackclock study NAME --match``.

``paper.toml`` declares in ``[match]`` the scenario, the settings that the paper leaves open with their values, and the
numbers, each with its claim or its published table.
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ackclock.errors import UserError

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario
    from ackclock.study.runs import StudyJob

FILE: Final = "paper.toml"
"""File of a study that declares the numbers."""

OWN: Final = ("quantity", "value", "unit", "flow", "runs", "source")
"""Columns of published numbers other than paths of settings."""


@dataclass(frozen=True)
class Sought:
    """The paper's numbers, and the settings among which a search looks.

    Attributes:
        folder: Folder of the study.
        declared: The table ``[match]``, with numbers as texts, so that their digits are kept.
        printed: The tables ``[number.NAME]``, likewise.
        claims: The figure or table of each claim, by the claim's key.
    """

    folder: Path
    declared: Mapping[str, Any]
    printed: Mapping[str, Mapping[str, str]]
    claims: Mapping[str, str]

    @classmethod
    def read(cls, folder: Path) -> Sought | None:
        """Return what ``paper.toml`` declares; None if it has no ``[match]``."""
        file = folder / FILE
        if not file.exists():
            return None
        # Numbers stay texts: their digits are their precision.
        paper = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=str)
        if "match" not in paper:
            return None
        claims = {key: one["figure"] for key, one in paper.get("claim", {}).items()}
        return cls(folder, paper["match"], paper.get("number", {}), claims)

    @property
    def vary(self) -> tuple[str, ...]:
        """Values of settings that the paper leaves open, each as ``PATH=V1,V2``."""
        return tuple(self.declared.get("vary", ()))

    @property
    def reps(self) -> int:
        """Replications of the best readings."""
        return int(self.declared.get("reps", 3))

    @property
    def start_jitter(self) -> str:
        """Upper bound of the start jitter from the second replication on."""
        return str(self.declared.get("start_jitter", "0s"))

    @property
    def definitions(self) -> str | None:
        """Tool whose definitions hold, if the paper names it; None for all."""
        found: str | None = self.declared.get("definitions")
        return found

    @property
    def traced(self) -> bool:
        """True to try definitions that need the packets of each run."""
        return bool(self.declared.get("traced", False))

    def scenario(self, jobs: Iterable[StudyJob]) -> Scenario:
        """Return the scenario of the search: a file of the study, or that of the first job with the declared labels."""
        from ackclock.scenario.scenario import load

        if "file" in self.declared:
            return load(self.folder / self.declared["file"])
        wanted = {key: str(value) for key, value in self.declared["run"].items()}
        for job in jobs:
            if wanted.items() <= {key: str(value) for key, value in job.labels.items()}.items():
                return job.scenario
        raise UserError(f"{self.folder / FILE}: [match] run: the study has no run with the labels {wanted}")

    def csv(self) -> str:
        """Return the numbers as ``ackclock match`` reads them from a file."""
        rows = [row for one in self.declared["number"] for row in self._rows(one)]
        paths = [key for row in rows for key in row if key not in OWN]
        out = io.StringIO()
        writer = csv.DictWriter(out, [*OWN, *dict.fromkeys(paths)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def _rows(self, one: Mapping[str, Any]) -> Iterator[dict[str, str]]:
        """Yield the rows of an entry: one for a value, or one for each item of a table ``[number.NAME]``."""
        common = {key: str(one[key]) for key in ("quantity", "unit", "flow", "runs") if key in one}
        common["source"] = one.get("source") or self.claims[one["claim"]]
        common |= {path: str(value) for path, value in one.get("settings", {}).items()}
        sign = one.get("sign", "")
        if "value" in one:
            yield {**common, "value": f"{sign}{one['value']}"}
            return
        table = self.printed[one["number"]]
        for item, value in table.items():
            if one.get("item", item) == item:
                key = {} if "item" in one else {one["column"]: item}
                yield {**common, **key, "value": f"{sign}{value}"}
