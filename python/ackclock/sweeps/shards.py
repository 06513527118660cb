"""A sweep in shards: each machine runs its part into a folder of its own, and one command merges them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ackclock import executors
from ackclock._io.files import atomic_write, json_text, read_json
from ackclock.control.loading import trusting
from ackclock.errors import UserError
from ackclock.runs.columns import upgraded
from ackclock.sweeps.jobs import Job, Progress, finish_jobs
from ackclock.sweeps.shard_store import ShardStore
from ackclock.sweeps.sweep import Sweep, SweepResult

FILE = "shard.json"
"""File that names the sweep of a folder and the part of it that the folder holds."""

FORMER = "campaign"
"""The key of `sweep` in that file before version 0.1.0."""


@dataclass(frozen=True)
class Shard:
    """One part of a sweep's runs: every `of`-th one, so that all parts take about equally long."""

    number: int
    """Its number, from 1."""
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``2/8``."""
        found = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", text)
        if found and 1 <= int(found[1]) <= int(found[2]):
            return cls(int(found[1]), int(found[2]))
        raise UserError(
            f"--shard {text}: not a part\n  wanted: I/N, from 1/N to N/N; for example --shard 2/8"
        )

    def jobs(self, every: Sequence[Job]) -> list[Job]:
        """Return this part of a sweep's runs."""
        return list(every[self.number - 1 :: self.of])

    def folder(self, out: Path) -> Path:
        """Return the folder of this part in that of the sweep."""
        return out / f"shard-{self.number}-of-{self.of}"


def run_shard(
    sweep: Sweep,
    shard: Shard,
    out: str | Path,
    *,
    report_options: Mapping[str, Any] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    executor: executors.ExecutorLike = None,
) -> Path:
    """Run what is missing of a shard and return its folder, ``shard-I-of-N`` in `out`.

    The folder gets ``shard.json`` (what the sweep is, and whether the shard is finished) and ``finished``, a folder
    of Parquet files with the summaries of finished runs, each file written once. No database is opened, so the folder
    may be on a network file system.

    Args:
        sweep: the whole sweep.
        shard: the part of its runs.
        out: the folder of the sweep.
        report_options: the result of `merge` beside the sweep, for the report.
        threads: runs at a time; 0: as many as there are cores.
        progress: called as runs finish.
        executor: the executor of the runs; threads of this process if None.

    Raises:
        UserError: if the folder holds a shard of another sweep.

    """
    folder = shard.folder(Path(out))
    jobs = shard.jobs(sweep.jobs())
    state = {
        "shard": shard.number,
        "of": shard.of,
        "sweep": sweep.manifest(),
        "told": dict(report_options or {}),
    }
    plain = json.loads(json_text(state))
    if (folder / FILE).exists():
        _same(folder, _read(folder)["sweep"], plain["sweep"], "this sweep")
    with executors.opened(executor, threads) as pool:
        atomic_write(folder / FILE, json_text({**state, "finished": False}))
        finish_jobs(jobs, ShardStore(folder), progress=progress, executor=pool)
    atomic_write(folder / FILE, json_text({**state, "finished": True}))
    return folder


def merge(folders: Sequence[Path]) -> tuple[SweepResult, dict[str, Any]]:
    """Put shards together; return the sweep's result, as one machine would have it, and the options of its report.

    No code of congestion controls is run.

    A folder is that of a shard, or one that holds shards.

    Raises:
        UserError: if a folder holds no shard, the shards are of different sweeps, or any is missing or unfinished.

    """
    with trusting("unread"):
        return _merged(folders)


def _merged(folders: Sequence[Path]) -> tuple[SweepResult, dict[str, Any]]:
    found = [shard for folder in folders for shard in _shards_of(folder)]
    states = [_read(folder) for folder in found]
    first = states[0]
    for folder, state in zip(found, states, strict=True):
        _same(folder, state["sweep"], first["sweep"], str(found[0]))
        if state["of"] != first["of"]:
            raise UserError(
                f"{folder} is one of {state['of']} shards, and {found[0]} one of {first['of']}\n"
                "  merge shards of one division"
            )
    whole = {state["shard"] for state in states if state["finished"]}
    begun = {state["shard"] for state in states} - whole
    _complete(first["of"], whole, begun)
    try:
        sweep = Sweep.of_manifest(first["sweep"])
    except (KeyError, TypeError, ValueError, AttributeError) as why:
        raise UserError(f"{found[0] / FILE}: damaged, sweep is not as a sweep writes it ({why!r})") from why
    jobs = sweep.jobs()
    known: dict[str, str] = {}
    keys = [job.key for job in jobs]
    for folder in found:
        known |= ShardStore(folder).get(keys)
    lost = sum(key not in known for key in keys)
    if lost:
        raise UserError(
            f"the shards lack {lost} of {len(keys)} runs, though they are said to be finished\n"
            "  files in their folders are missing, or another version of ackclock made them: run the shards again"
        )
    parsed = {key: upgraded(json.loads(text)) for key, text in known.items()}
    return SweepResult(sweep, jobs, [parsed[key] for key in keys]), first["told"]


def _shards_of(folder: Path) -> list[Path]:
    inside = [path.parent for path in folder.glob(f"shard-*/{FILE}")]
    if (folder / FILE).exists():
        return [folder]
    if inside:
        return sorted(inside, key=lambda path: _read(path)["shard"])
    raise UserError(
        f"{folder} holds no shard of a sweep\n  wanted: a folder that `ackclock sweep --shard I/N` made"
    )


def _read(folder: Path) -> dict[str, Any]:
    found = read_json(folder / FILE)
    found.setdefault("sweep", found.get(FORMER))
    for name, kind in _KINDS.items():
        if type(found.get(name)) is not kind:
            raise UserError(f"{folder / FILE}: damaged ({name} is missing or of the wrong type)")
    if not 1 <= found["shard"] <= found["of"]:
        raise UserError(f"{folder / FILE}: damaged (shard {found['shard']} of {found['of']})")
    return {name: found[name] for name in _KINDS}


_KINDS: Final = {"shard": int, "of": int, "sweep": dict, "told": dict, "finished": bool}
"""Entries of a shard's file, and their types."""


def _same(folder: Path, one: Mapping[str, Any], other: Mapping[str, Any], what: str) -> None:
    differing = [name for name in other if one.get(name) != other[name]]
    if differing:
        raise UserError(
            f"{folder} holds a shard of another sweep: its {', '.join(differing)} "
            f"{'is' if len(differing) == 1 else 'are'} not as in {what}"
        )


def _complete(of: int, whole: set[int], begun: set[int]) -> None:
    missing = set(range(1, of + 1)) - whole - begun
    said = [
        f"{what}: shard {', '.join(f'{one}/{of}' for one in sorted(some))}"
        for what, some in (("missing", missing), ("not finished", begun))
        if some
    ]
    if said:
        first = min(missing | begun)
        raise UserError(
            f"{'; '.join(said)}\n  run it with the command of the others and --shard {first}/{of}"
        )
