"""Shared parts of the benchmarks against other simulators: measured processes, and the command line."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent

BLANKS = 1_037
"""Blanks before ackclock's scenario that each turn adds; places in memory alone change a build's time by some per cent.
"""

Builds = dict[str, Path | None]
"""Builds of a program by name, each with its folder; `None` stands for the installed build."""


@dataclass(frozen=True)
class Spent:
    """User CPU time and elapsed time of a process, s, and the words that it printed."""

    cpu_s: float
    wall_s: float
    words: tuple[str, ...]


def measure(command: Sequence[str], package: Path | None = None) -> Spent:
    """Run a process to its end and return its times and words; `package` is the folder to import `ackclock` from."""
    own = None if package is None else {**os.environ, "PYTHONPATH": str(package)}
    with tempfile.TemporaryFile("w+") as out:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, env=own)
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
        out.seek(0)
        return Spent(usage.ru_utime, wall_s, tuple(out.read().split()))


def install(what: str, packages: str, here: Callable[[], bool]) -> None:
    """Install Debian packages, unless `here` returns true because their programs exist."""
    if here():
        return
    print(f"Installing {what} ...", file=sys.stderr)
    steps = f"apt-get update && apt-get install -y {packages}"
    log = subprocess.run(steps, shell=True, capture_output=True, text=True, check=False)
    if log.returncode or not here():
        raise SystemExit(f"{log.stdout}{log.stderr}\nCould not install {what}.")


def _further(parser: argparse.ArgumentParser, option: str, texts: Sequence[str], inside: str) -> Builds:
    """Return the builds that an option names, each with the folder that contains `inside`."""
    builds: Builds = {}
    for text in texts:
        name, _, folder = text.partition("=")
        if not (Path(folder) / inside).is_dir():
            parser.error(f"{option} {text}: give NAME=FOLDER, a folder that contains `{inside}`")
        builds[name] = Path(folder).resolve()
    return builds


def main(
    about: str,
    cases: Sequence[Any],
    reps: int,
    path: Path,
    *,
    prepare: Callable[[], None],
    child: Callable[[str], None],
    bench: Callable[..., Any],
    table: Callable[[list[Any]], str],
    page: Callable[[str, int], str],
    peer: str = "",
) -> None:
    """Read the command line, measure each case with `bench`, and print or write the table.

    `prepare` installs the other simulators. `child` runs one scenario of ackclock in its own process. `bench` takes a
    case, a folder, a number of runs and the builds of ackclock; with `peer`, the help of an option `--peer`, also those
    of the peer. `page` returns the text of the page at `path` for a table and a number of runs.
    """
    numbers = ",".join(str(i + 1) for i in range(len(cases)))
    shown = path.relative_to(PROJECT)
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--cases", default=numbers, help=f"which, by number ({numbers})")
    parser.add_argument("--reps", type=int, default=reps, help=f"runs of each ({reps})")
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="a further build of ours, measured in turn with this one: FOLDER contains its package `ackclock`",
    )
    if peer:
        parser.add_argument("--peer", action="append", default=[], metavar="NAME=FOLDER", help=peer)
    parser.add_argument("--write", action="store_true", help=f"write {shown}")
    parser.add_argument("--child", metavar="DOCUMENT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return
    builds: Builds = {"ackclock": None}
    builds |= _further(parser, "--beside", options.beside, "ackclock")
    measured = [builds]
    if peer:
        measured.append(_further(parser, "--peer", options.peer, "lib"))
    prepare()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number in options.cases.split(","):
            case = cases[int(number) - 1]
            print(f"{case.name} ...", file=sys.stderr)
            rows.append(bench(case, Path(folder), options.reps, *measured))
    print(table(rows), end="")
    if options.write:
        path.write_text(page(table(rows), options.reps))
        print(f"\nwritten: {shown}")
