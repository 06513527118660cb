"""Each study's page lists the claims of its paper, and the figures that can be run, as they are declared.

After a change of a declaration: UPDATE_GOLDEN=1 pytest tests/python/test_study_pages.py.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

from ackclock.study import registry
from ackclock.study.claims import Claim

PAGES = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "studies"

BEGIN, END = "<!-- begin claims -->\n", "<!-- end claims -->\n"


def claims(name: str) -> tuple[Claim, ...]:
    return importlib.import_module(f"ackclock.studies.{name}.claims").CLAIMS


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def table(name: str) -> str:
    names = ", ".join(f"`{figure}`" for figure in registry.get(name).figures)
    rows = [
        f"| {cell(claim.figure)} | {cell(claim.text)} | {cell(claim.reading) or 'as it stands'} |"
        for claim in claims(name)
    ]
    return "\n".join(
        [
            "",
            f"`--only` takes {names}.",
            "",
            "| in the paper | claim | read as |",
            "|---|---|---|",
            *rows,
            "",
            "",
        ]
    )


@pytest.mark.parametrize("name", registry.names())
def test_the_page_lists_every_claim(name: str) -> None:
    path = PAGES / f"{name}.md"
    page = path.read_text(encoding="utf-8")
    head, found, rest = page.partition(BEGIN)
    assert found, f"{path.name} has no place for the claims"
    _, found, tail = rest.partition(END)
    assert found
    wanted = head + BEGIN + table(name) + END + tail
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(wanted, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize("name", registry.names())
def test_every_claim_has_a_test(name: str) -> None:
    keys = [claim.key for claim in claims(name)]
    assert len(set(keys)) == len(keys)
    for claim in claims(name):
        assert callable(claim.test), claim.key
