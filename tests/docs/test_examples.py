"""The examples of README and docs: each Python block runs, and each command exists."""

from __future__ import annotations

import gzip
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAGES = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").rglob("*.md"))]
CAPTURE = PROJECT / "tests/data/captures/kernel-cubic.pcap.gz"
# Examples are fenced as ```python, or they are indented by four and begin with an import.
FENCED = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    import ackclock.*\n)(?:^(?:    .*)?\n)*", re.MULTILINE)
COMMAND = re.compile(r"^    (?:\$ )?(ackclock [a-z].*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def python_blocks() -> list[tuple[str, str]]:
    """Return every Python example as the page's name and the code."""
    found = []
    for page in PAGES:
        text = page.read_text()
        blocks = FENCED.findall(text)
        blocks += [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in INDENTED.findall(text)]
        found += [(f"{page.name}-{i}", block) for i, block in enumerate(blocks)]
    return found


# If the first line of a block names a file, the block is written to that file, for the other blocks of its page.
MODULES = [
    (name, block)
    for page in PAGES
    for name, block in re.findall(
        r"^```python\n# (\w+\.py)\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL
    )
]


def commands() -> list[tuple[str, str]]:
    """Return every ackclock command as the page's name and the line."""
    found = []
    for page in PAGES:
        lines = [line.split("  #")[0].split(" | ")[0].strip() for line in COMMAND.findall(page.read_text())]
        found += [(f"{page.name}-{i}", line) for i, line in enumerate(lines)]
    return found


@pytest.mark.parametrize(("page", "code"), python_blocks(), ids=[page for page, _ in python_blocks()])
def test_python_runs(page: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_text((PROJECT / "python/ackclock/scenarios/dumbbell.toml").read_text())
    if '"mine.pcap"' in code:
        (tmp_path / "mine.pcap").write_bytes(gzip.decompress(CAPTURE.read_bytes()))
    for name, module in MODULES:
        (tmp_path / name).write_text(module)
    script = tmp_path / "example.py"
    script.write_text("import matplotlib\nmatplotlib.use('Agg')\n" + code)
    done = subprocess.run(
        [sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{page}:\n{code}\n{done.stderr}"


@pytest.mark.parametrize(("page", "command"), commands(), ids=[page for page, _ in commands()])
def test_commands_and_options_exist(page: str, command: str) -> None:
    verb, *rest = shlex.split(command)[1:]
    help_text = subprocess.run(
        [sys.executable, "-m", "ackclock", verb, "--help"], capture_output=True, text=True, check=False
    )
    assert help_text.returncode == 0, f"{page}: {command}: no verb {verb}"
    for word in rest:
        if word.startswith("--"):
            assert word.split("=")[0] in help_text.stdout, f"{page}: {command}: no option {word}"


def test_links_lead_somewhere() -> None:
    # `make validate`, `make bench-peers` and `make docs` write these pages, so they may not exist yet.
    written = {"docs/explanation/validation.md", "docs/explanation/speed.md", "docs/_gallery/index.rst"}
    for page in PAGES:
        for target in LINK.findall(page.read_text()):
            path = (page.parent / target).resolve()
            assert path.exists() or str(path.relative_to(PROJECT)) in written, f"{page.name}: {target}"
