"""Prose that is not on a page: help, errors, lists, reports. The rules are those of the pages, in `.vale/Ackclock`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.python.prose import END, PROJECT, habits, words

from ackclock import _core

PROSE = 5
"""Least number of words in a sentence; shorter texts count as labels."""

PYTHON = sorted((PROJECT / "python" / "ackclock").rglob("*.py"))
RUST = sorted(
    path
    for path in (PROJECT / "crates").glob("*/src/**/*.rs")
    if "test" not in str(path.relative_to(PROJECT))
)
LITERAL = re.compile(r'(?<![#\w])"((?:[^"\\]|\\.)*)"', re.DOTALL)
DEFAULT = re.compile(r'(?:, (?:above )?"[^"]*",? to "[^"]*")?; default .*$', re.DOTALL)
"""Bounds and default that the schema appends to descriptions."""

TYPED = re.compile(r"^\s*(?:ackclock |sbatch |srun |#|--|\\).*$", re.MULTILINE)
"""A line of an example or of a script."""


def python_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string that a user may see: all but docstrings, and verbs' docstrings (help)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    inside = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
    } - {id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)}
    for node in ast.walk(tree):
        if id(node) in silent or id(node) in inside:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [one.value if isinstance(one, ast.Constant) else "X" for one in node.values]
            yield node.lineno, "".join(str(one) for one in parts)


def rust_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string literal outside tests and comments."""
    code = path.read_text(encoding="utf-8").split("\nmod tests {")[0].split("#[cfg(test)]")[0]
    code = re.sub(r"^\s*//.*$", "", code, flags=re.MULTILINE)
    for found in LITERAL.finditer(code):
        text = re.sub(r"\\\n\s*", "", found[1]).replace("\\n", "\n").replace('\\"', '"')
        yield code.count("\n", 0, found.start()) + 1, re.sub(r"\{[^{}]*\}", "X", text)


def described(node: Any) -> Iterator[str]:
    """Yield every description, summary and title below a node of JSON."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("description", "summary", "title") and isinstance(value, str):
                yield value
            else:
                yield from described(value)
    elif isinstance(node, list):
        for one in node:
            yield from described(one)


def texts() -> Iterator[tuple[str, str]]:
    """Yield the place of each text, and the text."""
    for path in PYTHON:
        for line, text in python_texts(path):
            yield f"{path.relative_to(PROJECT)}:{line}", text
    for path in RUST:
        for line, text in rust_texts(path):
            yield f"{path.relative_to(PROJECT)}:{line}", text
    for kind in _core.catalogue_kinds():
        for text in described(json.loads(_core.catalogue(kind))):
            yield f"list {kind}", text
    schema = PROJECT / "python" / "ackclock" / "scenario.schema.json"
    for text in described(json.loads(schema.read_text(encoding="utf-8"))):
        yield schema.name, DEFAULT.sub("", text)


def sentences() -> Iterator[tuple[str, str]]:
    """Yield place and text of each sentence; texts that contain code are left out, and so are labels."""
    for where, text in texts():
        if re.search(r"[{}<]\w|</|^\s*(?:function|const|let|SELECT|CREATE) ", text):
            continue
        for one in END.split(TYPED.sub("\n\n", re.sub(r"`[^`]*`", "X", text))):
            said = " ".join((one or "").split())
            if len(said.split()) >= PROSE:
                yield where, said


LIMIT = 35
"""Maximum number of words in a sentence."""


def test_the_collector_sees_help_errors_lists_and_reports() -> None:
    said = {sentence for _, sentence in sentences()}
    for part in (
        "Carry out a published study",  # help of a verb
        "One figure or table",  # help of an option
        "Results do not depend on it.",
        "the bins of trace",  # an error of the core
        "Better is up and to the right.",  # a report's note
        "every lost packet with its place and cause",  # a list's
        "Length of the run",  # the schema's
    ):
        assert any(part in one for one in said), part


def test_no_sentence_of_help_errors_lists_and_reports_is_too_long() -> None:
    long = {f"{where}: {words(said)} words: {said}" for where, said in sentences() if words(said) > LIMIT}
    assert not long, "\n".join(sorted(long))


def test_help_errors_lists_and_reports_keep_to_the_phrasebook() -> None:
    found = {
        f"{where}: {hit[0]!r}: {fix}: {said}"
        for where, said in sentences()
        for pattern, fix in habits()
        if (hit := pattern.search(said))
    }
    assert not found, "\n".join(sorted(found))
