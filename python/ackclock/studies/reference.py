"""Results of other simulators that a study keeps in its folder `reference/`, with their provenance."""

from __future__ import annotations

import csv
from importlib.resources import files


def rows(study: str, name: str) -> list[dict[str, str]]:
    """Read a CSV file of a study's `reference/`, a row as text by column."""
    text = (files(f"ackclock.studies.{study}") / "reference" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
