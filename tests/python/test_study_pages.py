"""Each study's page lists the paper's claims and the figures that can be run, as they are declared.

After a change of a declaration: UPDATE_GOLDEN=1 pytest tests/python/test_study_pages.py.
"""

from __future__ import annotations

import importlib
import os
import re
from pathlib import Path

import pytest

import ackclock.study
from ackclock.study import registry
from ackclock.study.claims import Claim

PROJECT = Path(__file__).resolve().parents[2]
PAGES = PROJECT / "docs" / "explanation" / "studies"

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


def test_every_public_name_of_the_kit_is_in_the_reference() -> None:
    reference = PROJECT / "docs" / "reference"
    text = "".join((reference / page).read_text(encoding="utf-8") for page in ("study.md", "api.md"))
    whole = {one.rpartition(".")[2] for one in re.findall(r"automodule:: (\S+)", text)}
    for name in ackclock.study.__all__:
        home = getattr(getattr(ackclock.study, name), "__module__", "").rpartition(".")[2]
        known = name in whole or home in whole or re.search(rf"\.{name}$", text, re.MULTILINE)
        aliases_and_numbers = (
            "BASE_SEED",
            "Block",
            "Cell",
            "MARGIN_PERCENT",
            "Rows",
            "TOLERANCE_PERCENT",
            "Values",
        )
        assert known or name in (*aliases_and_numbers, "reference", "registry"), (
            f"{name} is not in docs/reference/study.md"
        )
