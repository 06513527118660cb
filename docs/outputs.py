"""Writes the outputs that tutorials and labs show: of commands, of Python, and of notebooks. `make pages` runs it.

In a tutorial the output of a command, or of a Python block, is the block ``text`` that follows it. A block that ends
with ``... and N more lines`` keeps its length. A picture ``_static/PAGE/A-B.png`` is the file ``results/A/B.png`` that
the page's commands write.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).resolve().parent

COLUMNS: Final = 80

TUTORIALS: Final = tuple(DOCS / "tutorial" / f"{name}.md" for name in ("first-hour", "from-ns2"))

LABS: Final = sorted((DOCS / "labs").glob("*.ipynb"))

SHOWN: Final = re.compile(
    r"^(?:    (?P<command>ackclock [a-z][^\n]*)\n|```python\n(?P<python>.*?)^```\n)"
    r"(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
"""A command or a Python block, with its output."""

PICTURE: Final = re.compile(r"!\[[^\]]+\]\(\.\./_static/([\w-]+/([\w-]+\.(?:png|svg)))\)")

FAILS: Final = re.compile(r"  # exit (\d+)$")
"""Comment of a command that fails on purpose, with its exit code."""

_LEFT_OUT: Final = re.compile(r"\.\.\. and \d+ more lines")


def carry_out(code: str, folder: Path, *, python: bool = False) -> str:
    """Run a command or a Python block in a folder, and return its output, without what it says on standard error.

    The output of a command that fails on purpose is its error message.

    Raises:
        AssertionError: If it ends with another code than it should.
    """
    fails = FAILS.search(code)
    shell = code.split("  #")[0].replace("ackclock", f"{sys.executable} -m ackclock", 1)
    done = subprocess.run(
        [sys.executable, "-c", code] if python else ["/bin/sh", "-c", shell],
        cwd=folder,
        env=os.environ | {"COLUMNS": str(COLUMNS), "NO_COLOR": "1", "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    wanted = int(fails[1]) if fails else 0
    assert done.returncode == wanted, f"{code}\nexit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    lines = (done.stderr if fails else done.stdout).strip("\n").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def completed(page: str, folder: Path) -> str:
    """Return the text of a tutorial with the outputs of its commands and Python blocks, run in an empty folder."""
    for block in re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        (folder / "scenario.toml").write_text(block, encoding="utf-8")

    def anew(found: re.Match[str]) -> str:
        code = found["command"] or found["python"]
        output = carry_out(code, folder, python=found["python"] is not None)
        head = found[0] if found["output"] is None else found[0][: found.start("output") - found.start()]
        head = head.partition("\n```text\n")[0]
        if not output:
            return head
        return f"{head}\n```text\n{_shortened(output, found['output'] or '')}```\n"

    return SHOWN.sub(anew, page)


def _shortened(output: str, before: str) -> str:
    """Return the output with as many lines as it had before, if some had been left out."""
    kept = before.splitlines()
    if not kept or not _LEFT_OUT.fullmatch(kept[-1]):
        return output
    lines = output.splitlines()
    more = len(lines) - (len(kept) - 1)
    return output if more <= 0 else "\n".join([*lines[: len(kept) - 1], f"... and {more} more lines", ""])


def pictures(page: str, folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield path and content of each picture of a tutorial whose commands were carried out in a folder."""
    for path, name in PICTURE.findall(page):
        parent, _, file = name.partition("-")
        found = sorted((folder / "results" / parent).rglob(file))
        assert found, f"{name}: the commands wrote no {file} into results/{parent}"
        yield DOCS / "_static" / path, found[0].read_bytes()


def executed(path: Path, change: Callable[[Any], None] = lambda _: None) -> Any:
    """Return a notebook with the outputs of its cells; `change` is first applied to each cell."""
    import nbclient
    import nbformat

    page = nbformat.read(path, as_version=4)
    for cell in page.cells:
        change(cell)
    nbclient.NotebookClient(
        page, timeout=120, resources={"metadata": {"path": str(path.parent)}}, record_timing=False
    ).execute()
    for cell in page.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
    page.metadata.pop("widgets", None)
    page.metadata.language_info = {"name": "python"}
    return page


def said(page: Any) -> list[str]:
    """Return the text that each code cell of a notebook printed or returned, and the kinds of its pictures."""
    found = []
    for cell in page.cells:
        if cell.cell_type == "code":
            parts = []
            for output in cell.outputs:
                data = output.get("data", {})
                parts.append(output.get("text", ""))
                parts += [kind for kind in data if kind != "text/plain"] or [data.get("text/plain", "")]
            found.append("".join(parts))
    return found


def main() -> None:
    """Write every tutorial, its pictures and every lab."""
    import nbformat

    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    for path in TUTORIALS:
        with tempfile.TemporaryDirectory() as name:
            text = completed(path.read_text(encoding="utf-8"), Path(name))
            path.write_text(text, encoding="utf-8")
            for place, content in pictures(text, Path(name)):
                place.parent.mkdir(exist_ok=True)
                place.write_bytes(content)
    for path in LABS:
        nbformat.write(executed(path), path)


if __name__ == "__main__":
    main()
