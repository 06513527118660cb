"""Collects comments and docstrings as blocks, each with its place, the kind of item it describes, and its text."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"^(\s*)(//[/!]?)(?!/) ?(.*)$")
TRAILING = re.compile(r'^(?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*\S\s*// (.+)$')
ITEM = re.compile(
    r"^\s*(?:pub(?:\([^)]*\))? +)?(?:default +|const +(?=(?:unsafe +|async +)?fn)|async +|unsafe +|extern +\"C\" +)*"
    r"(fn|struct|enum|trait|mod|type|const|static|union|macro_rules!|impl)\b"
)
TEST_MODULE = re.compile(r"^#\[cfg\(test\)\]\s*mod \w+ \{", re.MULTILINE)
TEST_FOLDERS = {"tests", "benches", "examples"}
BUILT = {"target", "_build", "node_modules"}
FENCE = re.compile(r"^\s*```.*?^\s*```\s*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A comment or docstring of the repository."""

    path: Path
    line: int
    """Number of the first line, from 1."""
    last: int
    """Number of the last line."""
    kind: str
    """`doc` (a Rust doc comment), `docstring` or `line` (an ordinary comment)."""
    item: str
    """Kind of item: `fn`, `struct`, `field`, ... in Rust; `function`, `property`, `class`, `module`, `value`,
    `test` for a test function, and `page` for a function whose docstring is a page."""
    text: str
    in_test: bool = False
    """True in a folder of tests, benchmarks or examples of a crate, and in a `#[cfg(test)]` module."""

    @property
    def where(self) -> str:
        """Place of the comment as `file:line`."""
        return f"{self.path.relative_to(PROJECT)}:{self.line}"

    @property
    def room(self) -> str:
        """The crate (`wifi`, its tests `wifi-tests`), the subpackage of `ackclock`, or the folder at the top.

        `top` stands for the modules of `ackclock` that are in no subpackage.
        """
        parts = self.path.relative_to(PROJECT).parts
        if parts[0] == "crates":
            return f"{parts[1]}-tests" if self.in_test else parts[1]
        if parts[0] != "python":
            return parts[0]
        return parts[2] if len(parts) > 3 else "top"


@cache
def rust_files() -> list[Path]:
    """Return the Rust files, tests included, of all crates, of the fuzz targets and of the examples."""
    return _sources("*.rs", "crates", "fuzz", "examples")


@cache
def python_files() -> list[Path]:
    """Return the Python files of the package (with stubs), tests, benchmarks, validation, examples and packaging."""
    folders = ("python/ackclock", "tests", "benches", "validation", "examples", "packaging")
    return _sources("*.py", *folders) + _sources("*.pyi", "python/ackclock")


def _sources(pattern: str, *folders: str) -> list[Path]:
    """Return the files whose names match `pattern`, except those in folders of build results."""
    found = [path for folder in folders for path in (PROJECT / folder).rglob(pattern)]
    return sorted(path for path in found if not BUILT & set(path.relative_to(PROJECT).parts))


def of_rust(path: Path) -> Iterator[Block]:
    """Yield the comments of a Rust file; comments in tests have `in_test` set."""
    source = path.read_text(encoding="utf-8")
    lines = source.split("\n")
    module = TEST_MODULE.search(source)
    tests_begin = source.count("\n", 0, module.start()) if module else len(lines)
    if any(part in TEST_FOLDERS for part in path.relative_to(PROJECT).with_suffix("").parts):
        tests_begin = 0
    at = 0
    while at < len(lines):
        found = COMMENT.match(lines[at])
        if not found:
            if trailing := TRAILING.match(lines[at]):
                yield Block(path, at + 1, at + 1, "line", "code", trailing[1], at >= tests_begin)
            at += 1
            continue
        first, marker = at, found[2]
        said = []
        while at < len(lines) and (found := COMMENT.match(lines[at])) and found[2] == marker:
            said.append(found[3])
            at += 1
        kind = "line" if marker == "//" else "doc"
        item = "module" if marker == "//!" else "code" if marker == "//" else _rust_item(lines, at)
        yield Block(path, first + 1, at, kind, item, "\n".join(said), first >= tests_begin)


def _rust_item(lines: list[str], at: int) -> str:
    """Return the kind of the item that begins at or after line `at`; its attributes are skipped."""
    depth = 0
    test = False
    while at < len(lines):
        line = lines[at].strip()
        if depth or line.startswith("#["):
            bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
            depth += bare.count("[") - bare.count("]")
            test = test or bare == "#[test]"
        elif line and not line.startswith("//"):
            found = ITEM.match(lines[at])
            return "test" if test else found[1] if found else "field"
        at += 1
    return "field"


def of_python(path: Path) -> Iterator[Block]:
    """Yield the docstrings and comments of a Python file."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for at, one in enumerate(
            getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []
        ):
            if (
                isinstance(one, ast.Expr)
                and isinstance(one.value, ast.Constant)
                and isinstance(one.value.value, str)
            ):
                item = "value"
                if at == 0 and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    names = {ast.unparse(name).split("(")[0].split(".")[-1] for name in node.decorator_list}
                    item = "property" if names & {"property", "cached_property"} else "function"
                    # The docstring of a lint rule or of the program itself is a page, which begins with a noun.
                    item = "page" if names & {"rule", "callback"} else item
                    item = "test" if node.name.startswith("test_") else item
                elif at == 0 and isinstance(node, ast.ClassDef):
                    item = "class"
                elif at == 0 and isinstance(node, ast.Module):
                    item = "module"
                yield Block(
                    path, one.lineno, one.end_lineno or one.lineno, "docstring", item, one.value.value
                )
    yield from _python_comments(path, source)


def _python_comments(path: Path, source: str) -> Iterator[Block]:
    """Yield the ordinary comments; consecutive lines at the same indent are one comment."""
    open_block: Block | None = None
    column = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or re.match(r"#\s*(?:noqa|type:|pragma|!)", token.string):
            continue
        (line, start), said = token.start, token.string.lstrip("# ")
        alone = not token.line[:start].strip()
        if open_block and alone and line == open_block.last + 1 and start == column:
            open_block = Block(path, open_block.line, line, "line", "code", f"{open_block.text}\n{said}")
            continue
        if open_block:
            yield open_block
        open_block, column = Block(path, line, line, "line", "code", said), start if alone else -1
    if open_block:
        yield open_block


@cache
def blocks() -> list[Block]:
    """Return every comment and docstring of the project."""
    rust = [block for path in rust_files() for block in of_rust(path)]
    return rust + [block for path in python_files() for block in of_python(path)]


def prose(text: str) -> str:
    """Return the text without fenced examples, code spans and link targets."""
    text = FENCE.sub("\n\n", text)
    text = re.sub(r"`[^`]*`", "X", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"^\s*\[[^\]]*\]: .*$|https?://\S+", "", text, flags=re.MULTILINE)
