"""A study's data: tables of frozen dataclasses, hashed, stored and read again."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Self


@dataclass(frozen=True, kw_only=True)
class StudyData(ABC):
    """What a study's runs leave to be analysed. A subclass adds a field for each of its tables.

    Attributes:
        ROWS: What the rows of each table are, by its field, in the order of the fields.
        quick: Whether they come from the quick form.
        figures: The figures asked for.
        version: Version of ackclock that ran them.
    """

    ROWS: ClassVar[Mapping[str, type[Any]]] = {}

    quick: bool
    figures: tuple[str, ...]
    version: str

    @property
    @abstractmethod
    def run_count(self) -> int:
        """How many runs there are."""

    def tables(self) -> dict[str, Sequence[Any]]:
        """The rows of each table, by its name."""
        return {name: getattr(self, name) for name in self.ROWS}

    def digest(self) -> str:
        """SHA-256 of every row: the same on every machine, for any number of threads."""
        return digest(row for rows in self.tables().values() for row in rows)

    def store(self, folder: Path) -> None:
        """Write each table into the folder, as Parquet and as CSV, and `data.json`."""
        import polars as pl

        tables = self.tables()
        for name, rows in tables.items():
            if rows:
                frame = pl.DataFrame([asdict(row) for row in rows], infer_schema_length=None)
                frame.write_parquet(folder / f"{name}.parquet")
                frame.write_csv(folder / f"{name}.csv")
        head = {
            "quick": self.quick,
            "figures": list(self.figures),
            # A folder may still hold a table of an earlier, larger run.
            "tables": [name for name, rows in tables.items() if rows],
            "version": self.version,
            "sha256": self.digest(),
        }
        (folder / "data.json").write_text(json.dumps(head, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `store` wrote."""
        import polars as pl

        head = json.loads((folder / "data.json").read_text(encoding="utf-8"))
        tables = {
            name: tuple(row(**values) for values in pl.read_parquet(folder / f"{name}.parquet").to_dicts())
            if name in head["tables"]
            else ()
            for name, row in cls.ROWS.items()
        }
        return cls(**tables, quick=head["quick"], figures=tuple(head["figures"]), version=head["version"])


def digest(rows: Iterable[Any]) -> str:
    """SHA-256 of rows of dataclasses in their order: the same on every machine."""
    sha = hashlib.sha256()
    for row in rows:
        sha.update(repr(tuple(getattr(row, f.name) for f in fields(row))).encode())
        sha.update(b"\n")
    return sha.hexdigest()
