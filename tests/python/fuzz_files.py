"""Fuzz targets for what Python reads back: manifests, shards, stores of finished runs, results, data of studies.

    python -m tests.python.fuzz_files --seconds 60

changes files that ackclock wrote, at random, and reads each as the verbs do. Each reading must end in a value or in an
error for the user, never in another exception. There is no feedback from coverage; `fuzz/` has that for Rust. Files
that fail are written to ``fuzz/found/TARGET``. `test_fuzz_files.py` replays these and some random changes in every
test run.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ackclock.cli.again import read_plan
from ackclock.cli.main import main as command
from ackclock.errors import ControlError, ScenarioError, UserError
from ackclock.runs import read_run
from ackclock.runs.ties import SIZES
from ackclock.scenario import load
from ackclock.study.data import StudyData
from ackclock.study.repeats import Repeats
from ackclock.study.study import TIES
from ackclock.study.ties import GIVEN, stored
from ackclock.sweeps import Axis, Sweep
from ackclock.sweeps.jobs import summaries_of
from ackclock.sweeps.shards import Shard, merge, run_shard
from ackclock.sweeps.store import Store

FOUND = Path(__file__).resolve().parents[2] / "fuzz" / "found"
"""Folder of the files that once failed; each target has a folder in it."""

MEMORY = 4 << 30
"""Address space of this program, bytes."""

LONGEST_S = 20
"""Longest time of one reading, s."""

SWEEP = Sweep(load("dumbbell", ["duration=1s"]), (Axis("link.bottleneck.rate", ("1Mbps", "2Mbps")),), reps=2)


def _sweep_store(folder: Path) -> None:
    jobs = SWEEP.jobs()
    with Store(folder) as store:
        if not store.missing([job.key for job in jobs]):
            summaries_of(jobs, store)


@dataclass(frozen=True)
class Target:
    """A file that ackclock reads."""

    folder: str
    """Subfolder, among those that `make` writes, with the file."""
    pattern: str
    """Glob pattern of the file in that folder."""
    read: Callable[[Path], object]
    """Function that reads the folder."""


TARGETS = {
    "run_summary": Target("run", "summary.json", read_run),
    "run_flows": Target("run", "flows.csv", read_run),
    "comparison_manifest": Target("comparison", "manifest.json", read_plan),
    "sweep_manifest": Target("sweep", "manifest.json", SWEEP.refuse_other),
    "sweep_store": Target("sweep", Store.FILE, _sweep_store),
    "shard_manifest": Target("shard-1-of-1", "shard.json", lambda folder: merge([folder])),
    "shard_store": Target("shard-1-of-1", "finished/*.parquet", lambda folder: merge([folder])),
    "study_head": Target("study", "data.json", StudyData.load),
    "study_table": Target("study", "points.parquet", StudyData.load),
    "study_ties": Target("study", TIES, lambda folder: stored(folder / TIES)),
}
"""Targets by name, which is that of their folder in `FOUND`."""


def make(folder: Path) -> None:
    """Write the files of all targets into a folder."""
    import polars as pl

    short = ["--duration", "1s", "--rate", "1Mbps", "--no-packets", "-q"]
    comparison = ["compare", "reno", "sack", "--reps", "2", *short, "--out", str(folder / "comparison")]
    run = ["run", "dumbbell", "--set", "duration=1s", "-q", "--out", str(folder / "run")]
    if command(comparison) or command(run):
        raise RuntimeError("the files to change could not be made")
    SWEEP.run(folder / "sweep")
    (folder / "sweep" / "manifest.json").write_text(json.dumps(SWEEP.manifest()), encoding="utf-8")
    run_shard(SWEEP, Shard(1, 1), folder)
    (folder / "study").mkdir()
    table = pl.DataFrame({"point": [1.0, 2.0], "scenario_hash": ["a", "b"], "seed": [1, 2]})
    StudyData({"points": table}, True, ("one",), "0", repeats=Repeats(1, 0, 2, 2)).store(folder / "study")
    claim = {"claim": "one", "column": "goodput", "unit": "Mb/s"}
    rows = [
        {**claim, "size": size, "draw": draw, "verdict": "supported", "number": 1.5 + draw}
        for size in (GIVEN, *SIZES)
        for draw in range(2)
    ]
    (folder / "study" / TIES).write_text(json.dumps(rows), encoding="utf-8")


def file_of(folder: Path, name: str) -> Path:
    """Return the file of a target in a folder that `make` has filled."""
    target = TARGETS[name]
    (path,) = (folder / target.folder).glob(target.pattern)
    return path


def attempt(folder: Path, name: str, content: bytes) -> bool:
    """Read a target's folder with another content of its file; return true if the content was accepted.

    Raises:
        Exception: If reading it ends in another exception than an error for the user.
    """
    path, target = file_of(folder, name), TARGETS[name]
    with tempfile.TemporaryDirectory() as spare:
        copy = Path(spare) / target.folder
        shutil.copytree(folder / target.folder, copy)
        (copy / path.relative_to(folder / target.folder)).write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                target.read(copy)
            except (ControlError, ScenarioError, UserError) as why:
                if not str(why):
                    raise AssertionError("an error without a message") from why
                return False
    return True


SCALARS: tuple[Any, ...] = (
    *(None, True, "x", "", "../x", "\ud800", "2/3", "1s", -1, 0, 1, 2, 0.5, 1e400, float("nan"), 10**30),
    *([], {}, [[1]], {"a": [1]}, [None], ["x"], [{}]),
)


def changed(content: bytes, draw: random.Random) -> bytes:
    """Return a file's content with one to three changes: of bytes, or of an entry if it is JSON or a store."""
    for _ in range(draw.randint(1, 3)):
        kinds = [_bytes, _bytes, _cut]
        if content.startswith((b"{", b"[")):
            kinds += [_entry] * 6
        if content.startswith(b"SQLite"):
            kinds += [_row] * 3
        content = draw.choice(kinds)(content, draw)
    return content


def _bytes(content: bytes, draw: random.Random) -> bytes:
    at, length = draw.randrange(len(content) + 1), draw.randrange(9)
    put = bytes(draw.choice((draw.randrange(256), *b'[]{}",:0e9-.')) for _ in range(draw.randrange(5)))
    return content[:at] + put + content[at + length :]


def _cut(content: bytes, draw: random.Random) -> bytes:
    return content[: draw.randrange(len(content) + 1)]


def _entry(content: bytes, draw: random.Random) -> bytes:
    """Replace, remove or add an entry at any depth."""
    try:
        whole = json.loads(content)
    except ValueError:
        return content
    entry = whole
    while isinstance(entry, dict | list) and entry:
        key = draw.choice(sorted(entry) if isinstance(entry, dict) else range(len(entry)))
        if not isinstance(entry[key], dict | list) or not entry[key] or draw.random() < 0.3:
            if draw.random() < 0.2:
                del entry[key]
            elif draw.random() < 0.1 and isinstance(entry, dict):
                entry[draw.choice(("x", "", "files", "plan"))] = draw.choice(SCALARS)
            else:
                entry[key] = draw.choice(SCALARS)
            break
        entry = entry[key]
    return json.dumps(whole).encode()


def _row(content: bytes, draw: random.Random) -> bytes:
    """Replace the summary of one run in a store; remove its digest, so that only the reader can detect the damage."""
    with tempfile.TemporaryDirectory() as spare:
        path = Path(spare) / "store"
        path.write_bytes(content)
        try:
            with closing(sqlite3.connect(path)) as base, base:
                rows = base.execute("SELECT key, summary FROM runs").fetchall()
                key, summary = draw.choice(rows)
                new = draw.choice((_entry, _bytes, _cut))(str(summary).encode(), draw)
                text = draw.choice((new.decode(errors="replace"), new, 1, json.dumps(draw.choice(SCALARS))))
                base.execute("UPDATE runs SET summary = ?, digest = NULL WHERE key = ?", (text, key))
        except (sqlite3.DatabaseError, IndexError, UnicodeError):
            return content
        return path.read_bytes()


def _limit(_number: int, _frame: object) -> None:
    raise TimeoutError(f"longer than {LONGEST_S} s")


def main() -> int:
    """Change and read the files of each target for the given time; return 1 if a reading failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="time for each target, s")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _limit)
    failed = 0
    with tempfile.TemporaryDirectory() as spare:
        folder = Path(spare)
        make(folder)
        for name in TARGETS:
            whole, number, accepted, begun = file_of(folder, name).read_bytes(), 0, 0, time.monotonic()
            while time.monotonic() - begun < args.seconds:
                content = changed(whole, random.Random(f"{args.seed} {name} {number}"))
                number += 1
                try:
                    signal.alarm(LONGEST_S)
                    accepted += attempt(folder, name, content)
                    signal.alarm(0)
                except BaseException as why:
                    kept = FOUND / name / f"seed-{args.seed}-{number}"
                    kept.parent.mkdir(parents=True, exist_ok=True)
                    kept.write_bytes(content)
                    print(f"{name}: {why!r}; kept as {kept.relative_to(FOUND.parent)}")
                    failed += 1
                    if isinstance(why, KeyboardInterrupt):
                        raise
                    break
            print(f"{name}: {number} files, {accepted} accepted", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
