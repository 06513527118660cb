"""``ackclock sweep`` in shards: running one shard, a Slurm job for all shards, and merging."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ackclock.cli.console import Meter
    from ackclock.sweeps.results import SweepResult
    from ackclock.sweeps.shards import Shard
    from ackclock.sweeps.sweep import Sweep

HOURS = 1
"""Time that the job of a shard requests from Slurm, hours."""


def run_part(
    sweep: Sweep,
    shard: Shard,
    folder: Path,
    report_options: dict[str, Any],
    workers: tuple[int, str],
    meter: Meter,
) -> Path:
    """Run one shard and return its folder."""
    from ackclock.sweeps.shards import run_shard

    threads, executor = workers
    return run_shard(
        sweep,
        shard,
        folder,
        report_options=report_options,
        threads=threads,
        progress=meter.jobs,
        executor=executor,
    )


def put_together(
    folders: Sequence[Path], out: Path | None, *, replace: bool
) -> tuple[SweepResult, Path, dict[str, Any]]:
    """Merge shards and write their tables; return the result, its folder, and the options recorded in the shards."""
    from ackclock.errors import UserError
    from ackclock.sweeps.shards import FILE, merge

    if not folders:
        raise UserError(
            "name the folders of the shards\n  for example: ackclock sweep --merge results/mine-sweep"
        )
    found, report_options = merge(folders)
    report_options = _checked(report_options)
    if out is None:
        above = {folder.parent if (folder / FILE).exists() else folder for folder in folders}
        if len(above) > 1:
            raise UserError("the shards lie in several folders: say where the results go\n  --out DIR")
        out = above.pop()
    if not replace:
        found.sweep.refuse_other(out)
    found.sweep.write(found, out)
    return found, out, report_options


def _checked(report_options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that shards recorded, with defaults for missing ones.

    Raises:
        UserError: If the options do not have the form that `ackclock sweep --shard` writes.
    """
    from ackclock.cli.options import Style
    from ackclock.errors import UserError
    from ackclock.sweeps.shards import FILE

    found = {"command": "", "style": Style.page.value, "plot": None, "x": None, "by": None} | report_options
    for name, value in found.items():
        allowed = [None] if name in ("plot", "x", "by") else [one.value for one in Style]
        if not (value in allowed or (isinstance(value, str) and name != "style")):
            raise UserError(f"{FILE}: damaged (told.{name}: {value!r})")
    return found


def slurm(command: str, name: str, shards: int, folder: Path) -> str:
    """Return the script of an array job that runs every shard of a sweep."""
    where = shlex.quote(str(folder))
    return f"""\
#!/bin/bash
#SBATCH --job-name=ackclock-{name}
#SBATCH --array=1-{shards}
#SBATCH --cpus-per-task=4
#SBATCH --time={HOURS:02}:00:00
#SBATCH --output={folder}/slurm-%A-%a.log
#
# Submit it with: mkdir -p {where} && sbatch FILE
# When every shard has ended: ackclock sweep --merge {where}
# A shard that was cut short goes on where it was if it is submitted again: sbatch --array=NUMBER FILE
set -euo pipefail
srun {command} --out {where} --quiet --shard "$SLURM_ARRAY_TASK_ID/{shards}" --jobs "$SLURM_CPUS_PER_TASK"
"""


def say_part(folder: Path, above: Path, *, quiet: bool) -> None:
    """Print the path of a shard and the next step; print nothing if `quiet` is True."""
    if quiet:
        return
    typer.echo(folder)
    typer.echo(f"when every shard has ended: ackclock sweep --merge {above}")
