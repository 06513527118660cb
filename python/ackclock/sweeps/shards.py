"""Sweeps split into shards: each machine runs one part into its own folder, and one command merges the folders."""

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
from ackclock.runs.columns import parsed
from ackclock.sweeps.jobs import Job, Progress, finish_jobs
from ackclock.sweeps.shard_store import ShardStore
from ackclock.sweeps.sweep import Sweep, SweepResult

FILE = "shard.json"
"""File in a shard's folder that describes the sweep and the shard."""

MOST_SHARDS: Final = 100_000
"""Largest number of shards of a sweep."""

FORMER = "campaign"
"""Key of the sweep in `FILE` as written before version 0.1.0; since then the key is ``sweep``."""


@dataclass(frozen=True)
class Shard:
    """One part of a sweep: every `of`-th run, since then all parts take about the same time."""

    number: int
    """Number of the shard, from 1."""
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Parse a shard such as ``2/8``."""
        found = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", text)
        if found and len(text) < 20 and 1 <= int(found[1]) <= int(found[2]) <= MOST_SHARDS:
            return cls(int(found[1]), int(found[2]))
        raise UserError(
            f"--shard {text}: not a part\n"
            f"  wanted: I/N, from 1/N to N/N, with N at most {MOST_SHARDS}; for example --shard 2/8"
        )

    def jobs(self, every: Sequence[Job]) -> list[Job]:
        """Return the jobs of this shard; `every` has all jobs of the sweep."""
        return list(every[self.number - 1 :: self.of])

    def folder(self, out: Path) -> Path:
        """Return the folder of this shard within the sweep's folder `out`."""
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
    """Make the runs of a shard that are missing, and return the shard's folder, ``shard-I-of-N`` in `out`.

    The folder contains ``shard.json``, which describes the sweep and has True in ``finished`` once the shard is
    complete, and the folder ``finished``. Its Parquet files have the summaries of finished runs and are written once.
    The folder can be on a network file system, since no database is used.

    Args:
        sweep: The whole sweep.
        shard: The shard to run.
        out: Folder of the sweep.
        report_options: Options of the report, which `merge` returns with the results.
        threads: Number of runs at the same time; 0 for one per core.
        progress: Progress callback.
        executor: Executor of the runs; threads of this process if None.

    Raises:
        UserError: If the folder contains a shard of another sweep.

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
    """Merge shards; return the sweep's results, which are the same as without shards, and the options of its report.

    Each of `folders` is a shard's folder or contains shards. No code of congestion controls is run.

    Raises:
        UserError: If a folder contains no shard, if shards belong to different sweeps, or if a shard is missing or
            unfinished.

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
    summaries = {key: parsed(key, text) for key, text in known.items()}
    return SweepResult(sweep, jobs, [summaries[key] for key in keys]), first["told"]


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
    shard, of = (str(found[name])[:20] for name in ("shard", "of"))
    if not 1 <= found["shard"] <= found["of"] <= MOST_SHARDS:
        raise UserError(f"{folder / FILE}: damaged (shard {shard} of {of}, at most {MOST_SHARDS})")
    return {name: found[name] for name in _KINDS}


_KINDS: Final = {"shard": int, "of": int, "sweep": dict, "told": dict, "finished": bool}
"""Entries of a shard's file, with their types."""


TOLD: Final = 20
"""Number of missing shards that an error names."""


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
        f"{what}: shard {', '.join(f'{one}/{of}' for one in sorted(some)[:TOLD])}"
        + (f" and {len(some) - TOLD} more" if len(some) > TOLD else "")
        for what, some in (("missing", missing), ("not finished", begun))
        if some
    ]
    if said:
        first = min(missing | begun)
        raise UserError(
            f"{'; '.join(said)}\n  run it with the command of the others and --shard {first}/{of}"
        )
