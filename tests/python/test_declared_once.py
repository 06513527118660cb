"""A fact is declared once: code and pages repeat no default and no list of names.

The declarations come from the program itself: defaults from the scenario's JSON Schema, names from its lists. Code and
pages are then searched for copies. Necessary copies are listed in `MEANT`, with the reason.
"""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from ackclock import _core

PROJECT: Final = Path(__file__).resolve().parents[2]

WHOLLY: Final = ("traces", "profiles", "wifi-profiles", "tables")
"""Lists of which code may not contain three names together."""

HALF: Final = (
    *("controls", "queues", "losses", "gateways", "traffic", "placements", "mobility"),
    *("propagation", "fading", "rate-controls", "routing", "lte-schedulers"),
)
"""Lists of which code may not contain many names together: half of the names, but at least three. Fewer names are a
choice, such as that of an experiment."""

MEANT: Final[dict[tuple[str, str], str]] = {
    ("python/ackclock/plot/run.py", "traces"): "the traces that figures are drawn from",
    (
        "python/ackclock/comparisons/trace_stats.py",
        "traces",
    ): "the traces that measures of a sweep are taken from",
    ("python/ackclock/measured/pcap.py", "traces"): "the traces that a capture gives",
    ("python/ackclock/measured/ss.py", "traces"): "the traces that samples give",
    ("python/ackclock/measured/flent.py", "traces"): "the traces that a data file gives",
    ("python/ackclock/measured/tables.py", "traces"): "the traces that measurements can give",
    ("python/ackclock/plot/queues.py", "traces"): "the traces that a queue is drawn from",
    ("python/ackclock/plot/animation/packed.py", "traces"): "the traces that an animation is made of",
    ("python/ackclock/lint/world.py", "losses"): "the losses that draw at random",
}
"""Necessary copies as (file, list), each with the reason."""

OPEN: Final = {
    ("crates/sim/src/scenario/catalogue.rs", "tables"),
    ("scenario", "start"),
    ("scenario", "class"),
}
"""Known violations that are still to be fixed: (file, list) for a copied list of names, and (page, key) for a default
stated by hand on a page. Do not add any.
"""


@cache
def names(kind: str) -> tuple[str, ...]:
    """Return the names of a list, in its order."""
    if kind == "tables":
        traced = set(names("traces"))
        every = dict.fromkeys(row["table"] for row in json.loads(_core.catalogue("metrics")))
        return tuple(table for table in every if table not in traced)
    return tuple(entry["name"] for entry in json.loads(_core.catalogue(kind)))


def copied(given: list[str]) -> str | None:
    """Return the kind of list that these words copy if they occur together, or `None`."""
    words = set(given)
    for kind in (*WHOLLY, *HALF):
        least = 3 if kind in WHOLLY else max(3, (len(names(kind)) + 1) // 2)
        if len(words) >= least and words <= set(names(kind)):
            return kind
    return None


def python_sources() -> list[Path]:
    return sorted((PROJECT / "python").rglob("*.py"))


def rust_sources() -> list[Path]:
    found = sorted((PROJECT / "crates").glob("*/src/**/*.rs"))
    return [path for path in found if "tests" not in path.parts and not path.stem.endswith("tests")]


def python_lists(text: str) -> list[tuple[int, list[str]]]:
    """Return line and words of each literal with strings: lists, tuples, sets, keys of dicts, `Literal` types."""
    found = []
    for node in ast.walk(ast.parse(text)):
        items = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        words = [
            item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
        ]
        if words and len(words) == len(items):
            found.append((node.lineno, words))
    return found


RUST_LIST = re.compile(r'\[\s*((?:"[^"\n]*"\s*,?\s*){3,})\]')


def rust_lists(text: str) -> list[tuple[int, list[str]]]:
    """Return line and words of each array of strings in front of the file's tests."""
    code = text.split("#[cfg(test)]")[0]
    return [
        (code.count("\n", 0, match.start()) + 1, re.findall(r'"([^"\n]*)"', match[1]))
        for match in RUST_LIST.finditer(code)
    ]


WORD = r"`{0,2}[a-z][a-z0-9+-]*`{0,2}"
ENUMERATION = re.compile(rf"{WORD}(?:(?:, | and | or |, and |, or ){WORD}){{2,}}")


def enumerations(text: str) -> list[tuple[int, list[str]]]:
    """Return line and words of each enumeration such as "a, b and c" in a text."""
    return [
        (
            text.count("\n", 0, match.start()) + 1,
            re.findall(r"[a-z][a-z0-9+-]*", re.sub(" (and|or) ", " , ", match[0])),
        )
        for match in ENUMERATION.finditer(text)
    ]


def stands(path: Path, found: list[tuple[int, list[str]]]) -> list[str]:
    """Return a message for each place in the file where a list is copied."""
    name = str(path.relative_to(PROJECT))
    kinds = [(line, copied(words), words) for line, words in found]
    return [
        f"{name}:{line}: {', '.join(words)}: names of `{kind}`"
        for line, kind, words in kinds
        if kind is not None and (name, kind) not in {*MEANT, *OPEN}
    ]


def test_no_list_of_names_is_typed_in_python():
    found = [line for path in python_sources() for line in stands(path, python_lists(path.read_text()))]
    assert not found, "\n".join(found)


def test_no_list_of_names_is_typed_in_rust():
    found = [line for path in rust_sources() for line in stands(path, rust_lists(path.read_text()))]
    assert not found, "\n".join(found)


def test_no_list_of_names_is_typed_in_texts_of_python():
    texts = [*python_sources(), *(PROJECT / "python").rglob("*.pyi")]
    found = [line for path in texts for line in stands(path, enumerations(path.read_text()))]
    assert not found, "\n".join(found)


@cache
def defaults() -> dict[str, set[str]]:
    """Return the spellings of declared defaults by key, over all tables that have the key."""
    found: dict[str, set[str]] = {}

    def walk(part: object) -> None:
        if isinstance(part, dict):
            for key, value in (part.get("properties") or {}).items():
                if isinstance(value, dict) and isinstance(value.get("default"), str | int | float):
                    found.setdefault(key, set()).add(json.dumps(value["default"]).strip('"'))
            for value in part.values():
                walk(value)
        elif isinstance(part, list):
            for value in part:
                walk(value)

    walk(json.loads((PROJECT / "python" / "ackclock" / "scenario.schema.json").read_text()))
    return found


GENERATED = re.compile(r"<!-- begin (\S+) -->.*?<!-- end \1 -->", re.DOTALL)
ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
VALUE = r"[A-Za-z0-9]+(?:\.[0-9]+)?[A-Za-z]*"
SAID = re.compile(rf"`([a-z_]+)`[^.|`\n]{{0,40}}?\bdefaults?\b(?: is| to|:| of)? `?\"?({VALUE})")


def pages() -> list[Path]:
    """Return every page that is not completely written by a program."""
    return [
        path
        for path in sorted((PROJECT / "docs").rglob("*.md"))
        if path.stem not in {"controls", "metrics", "rfc"}
    ]


def retyped(page: str, name: str = "") -> list[str]:
    """Return those rows and sentences of a page that are written by hand and state a declared default."""
    own = GENERATED.sub("", page)
    found = []
    for row in ROW.findall(own):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        keys = [key for cell in cells[:2] for key in re.findall(r"^`([a-z_]+)`$", cell)]
        values = {cell.strip('`"') for cell in cells[2:]}
        found += [row for key in keys if defaults().get(key, set()) & values and (name, key) not in OPEN]
    found += [match[0] for match in SAID.finditer(own) if match[2] in defaults().get(match[1], set())]
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.stem)
def test_no_default_is_typed_in_a_page(page: Path):
    found = retyped(page.read_text(), page.stem)
    assert not found, "\n".join(found)


DECLARED = re.compile(r"((?:^ *///[^\n]*\n)+)(?: *#\[[^\n]*\n)*? *#\[setting\(([^\n]*)", re.MULTILINE)


def test_no_comment_repeats_the_default_that_its_setting_declares():
    found = []
    for path in rust_sources():
        for match in DECLARED.finditer(path.read_text()):
            comment, attribute = match[1], match[2]
            if "default =" in attribute and re.search(r"\bdefaults?\b", comment):
                found.append(f"{path.relative_to(PROJECT)}: {comment.strip()}")
    assert not found, "\n".join(found)


def test_the_search_finds_copies():
    """The search finds copies in made-up texts."""
    assert names("tables")[:2] == ("flows", "links")
    assert [copied(words) for _, words in python_lists('X = ("cwnd", "queue", "drops")')] == ["traces"]
    assert [copied(words) for _, words in rust_lists('["flows", "links", "stations"]')] == ["tables"]
    assert copied(["reno", "vegas", "cubic"]) is None
    assert [copied(words) for _, words in enumerations("one of `rfc`, `linux` or `ns2`")] == ["profiles"]
    row = '| `interval` | time | `"100ms"` | For how long |'
    assert retyped(row) == [row]
    assert not retyped(f"<!-- begin queue -->\n{row}\n<!-- end queue -->")
    assert retyped("The `interval` has the default 100ms.")
