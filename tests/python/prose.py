"""Applies the rules of the pages, `.vale/Ackclock`, to prose that vale does not read."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

PROJECT = Path(__file__).resolve().parents[2]
RULES = PROJECT / ".vale" / "Ackclock"

END = re.compile(
    r"(?<=[.!?])[)\"'\u201d]?\s+(?=[A-Z0-9`(\"\u201c]|ns-[23])|\n\s*\n|\n(?=\s*[-*|] )|; (?=[a-z0-9+-]+: )"
)
"""Place at which a sentence, or an entry of a list, ends and the next begins."""


@cache
def rule(name: str) -> dict[str, Any]:
    """Return a rule of vale, by name."""
    found: dict[str, Any] = yaml.safe_load((RULES / f"{name}.yml").read_text(encoding="utf-8"))
    return found


@cache
def habits() -> list[tuple[re.Pattern[str], str]]:
    """Return forbidden patterns, each with its rule.

    The rule Units is left out, since help shows values as users type them, such as `20ms`.
    """
    found = []
    for name in ("Filler", "Riddles", "Terms", "Translated"):
        one = rule(name)
        flags = re.IGNORECASE if one.get("ignorecase") else re.NOFLAG
        swaps = {rf"\b(?:{wrong})\b": f"write {right!r}" for wrong, right in one.get("swap", {}).items()}
        plain = {rf"\b(?:{token})\b": "leave it out" for token in one.get("tokens", [])}
        raw = dict.fromkeys(one.get("raw", []), "name the thing")
        found += [
            (re.compile(wrong, flags), f"{name}: {fix}") for wrong, fix in {**swaps, **plain, **raw}.items()
        ]
    return found


def words(sentence: str) -> int:
    """Return the number of words as vale counts them."""
    return len(re.findall(rule("SentenceLength")["token"].replace("''", "'"), sentence))
