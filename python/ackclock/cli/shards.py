"""``ackclock sweep`` in parts: a shard, the job of a Slurm cluster that runs every shard, and putting them together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ackclock.cli.console import Meter
    from ackclock.sweep.grid import Campaign
    from ackclock.sweep.results import CampaignResult

HOURS = 1
"""What a shard asks of Slurm, hours."""


def run_part(
    campaign: Campaign, text: str, folder: Path, told: dict[str, Any], workers: tuple[int, str], meter: Meter
) -> Path:
    """Run one shard and return its folder."""
    from ackclock.executors import named
    from ackclock.sweep.shards import Shard, run_shard

    threads, executor = workers
    return run_shard(
        campaign,
        Shard.parse(text),
        folder,
        told=told,
        threads=threads,
        progress=meter.jobs,
        executor=named(executor),
    )


def put_together(
    folders: Sequence[Path], out: Path | None, *, replace: bool
) -> tuple[CampaignResult, Path, dict[str, Any]]:
    """Merge shards and write their tables; return the result, its folder, and what the shards were told."""
    from ackclock.errors import UserError
    from ackclock.sweep.shards import FILE, merge

    if not folders:
        raise UserError(
            "name the folders of the shards\n  for example: ackclock sweep --merge results/mine-sweep"
        )
    found, told = merge(folders)
    if out is None:
        above = {folder.parent if (folder / FILE).exists() else folder for folder in folders}
        if len(above) > 1:
            raise UserError("the shards lie in several folders: say where the results go\n  --out DIR")
        out = above.pop()
    if not replace:
        found.campaign.refuse_other(out)
    found.campaign.write(found, out)
    return found, out, told


def slurm(command: str, name: str, shards: int, folder: Path) -> str:
    """Return the script of an array job that runs every shard of a sweep."""
    return f"""\
#!/bin/bash
#SBATCH --job-name=ackclock-{name}
#SBATCH --array=1-{shards}
#SBATCH --cpus-per-task=4
#SBATCH --time={HOURS:02}:00:00
#SBATCH --output={folder}/slurm-%A-%a.log
#
# Submit it with: mkdir -p {folder} && sbatch FILE
# When every shard has ended: ackclock sweep --merge {folder}
# A shard that was cut short goes on where it was if it is submitted again: sbatch --array=NUMBER FILE
set -euo pipefail
srun {command} --out {folder} --quiet --shard "$SLURM_ARRAY_TASK_ID/{shards}" --jobs "$SLURM_CPUS_PER_TASK"
"""


def say_part(folder: Path, above: Path) -> None:
    """Say where a shard is and what comes next."""
    typer.echo(folder)
    typer.echo(f"when every shard has ended: ackclock sweep --merge {above}")
