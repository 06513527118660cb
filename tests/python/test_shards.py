"""Merged shards equal an undivided sweep byte for byte, and missing shards are named."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ackclock.cli.main import main
from ackclock.errors import UserError
from ackclock.scenario import load
from ackclock.sweeps import Axis, Sweep
from ackclock.sweeps.shard_store import ShardStore
from ackclock.sweeps.shards import MOST_SHARDS, Shard, merge, run_shard

SWEEP = Sweep(
    load("dumbbell", ["duration=2s"]),
    (Axis("link.bottleneck.rate", ("1Mbps", "2Mbps")), Axis("flow.*.tcp.variant", ("sack", "vegas"))),
    reps=3,
)
WORDS = [
    "sweep",
    "dumbbell",
    "--set",
    "duration=2s",
    "--vary",
    "link.bottleneck.rate=1Mbps,2Mbps",
    "--reps",
    "2",
]


@given(some.integers(1, 20), some.integers(0, 50))
def test_every_run_is_in_one_shard(of: int, runs: int) -> None:
    parts = [Shard(number, of).jobs(list(range(runs))) for number in range(1, of + 1)]  # type: ignore[arg-type]
    assert sorted(one for part in parts for one in part) == list(range(runs))  # type: ignore[type-var]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "a/b", "-1/2", "1/0"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="wanted: I/N"):
        Shard.parse(text)


def test_countless_shards_are_refused(tmp_path: Path) -> None:
    """The number of shards in a file has a bound, since a list of 10^30 missing shards takes all memory."""
    assert Shard.parse("1/100000").of == MOST_SHARDS
    for of in ("100001", "9" * 30, "9" * 5000):
        with pytest.raises(UserError, match="at most 100000"):
            Shard.parse(f"1/{of}")
    for of in (100_001, 10**30, 10**4000):
        state = {"shard": 1, "of": of, "sweep": {}, "told": {}, "finished": True}
        (tmp_path / "shard.json").write_text(json.dumps(state), encoding="utf-8")
        with pytest.raises(UserError, match=r"damaged \(shard 1 of 10+1?, at most 100000\)"):
            merge([tmp_path])
    (tmp_path / "shard.json").write_text(json.dumps({**state, "of": 1000}), encoding="utf-8")
    with pytest.raises(UserError, match=r"missing: shard 2/1000, 3/1000, .* 21/1000 and 979 more"):
        merge([tmp_path])


def test_merged_shards_are_the_bytes_of_one_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts = tmp_path / "whole" / "sweep", tmp_path / "parts" / "sweep"
    assert main([*WORDS, "--out", str(whole)]) == 0
    for number in (3, 1, 2):
        assert main([*WORDS, "--out", str(parts), "--shard", f"{number}/3", "--jobs", str(number)]) == 0
    assert f"ackclock sweep --merge {parts}" in capsys.readouterr().out
    assert not list(parts.rglob("*.sqlite*"))
    assert main(["sweep", "--merge", str(parts)]) == 0
    files = [
        path.relative_to(whole) for path in whole.rglob("*") if path.is_file() and "sqlite" not in path.name
    ]
    assert Path("report.html") in files
    for path in files:
        assert (whole / path).read_bytes() == (parts / path).read_bytes(), path


def test_a_shard_goes_on_where_it_was(tmp_path: Path) -> None:
    shard = Shard(1, 2)

    def progress(done: int, _: int) -> None:
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_shard(SWEEP, shard, tmp_path, progress=progress, threads=1)
    kept = len(ShardStore(shard.folder(tmp_path)))
    assert 0 < kept < 6
    assert not json.loads((shard.folder(tmp_path) / "shard.json").read_text())["finished"]
    told: list[int] = []
    run_shard(SWEEP, shard, tmp_path, progress=lambda done, _: told.append(done))
    assert told[0] == kept
    assert len(ShardStore(shard.folder(tmp_path))) == 6


def test_shards_that_are_missing_or_unfinished_are_named(tmp_path: Path) -> None:
    for number in (1, 4):
        run_shard(SWEEP, Shard(number, 4), tmp_path)
    path = Shard(4, 4).folder(tmp_path) / "shard.json"
    path.write_text(path.read_text().replace('"finished": true', '"finished": false'))
    with pytest.raises(UserError, match="missing: shard 2/4, 3/4; not finished: shard 4/4"):
        merge([tmp_path])


def test_shards_of_different_sweeps_are_refused(tmp_path: Path) -> None:
    other = Sweep(SWEEP.scenario, SWEEP.axes, reps=2)
    first, second = (
        run_shard(sweep, Shard(number, 2), tmp_path / str(number))
        for number, sweep in ((1, SWEEP), (2, other))
    )
    with pytest.raises(UserError, match="holds a shard of another sweep: its reps is not as in"):
        merge([first, second])
    with pytest.raises(UserError, match="its reps is not as in this sweep"):
        run_shard(other, Shard(1, 2), tmp_path / "1")
    with pytest.raises(UserError, match="holds no shard of a sweep"):
        merge([tmp_path / "3"])


def test_the_array_job_runs_every_shard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sweep"
    assert main([*WORDS, "--out", str(out), "--print-slurm", "2"]) == 0
    script = capsys.readouterr().out
    assert "#SBATCH --array=1-2\n" in script
    assert not out.exists()
    (tmp_path / "bin").mkdir()
    for name, text in (("srun", 'exec "$@"'), ("ackclock", f'echo "$@" >> {tmp_path}/said')):
        (tmp_path / "bin" / name).write_text(f"#!/bin/bash\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    for number in ("1", "2"):
        setting = {
            "SLURM_ARRAY_TASK_ID": number,
            "SLURM_CPUS_PER_TASK": "4",
            "PATH": f"{tmp_path}/bin:/usr/bin:/bin",
        }
        subprocess.run(["bash", "-c", script], env=setting, check=True)
    lines = (tmp_path / "said").read_text().splitlines()
    assert [line.split("--shard ")[1].split()[0] for line in lines] == ["1/2", "2/2"]
    for line in lines:
        assert main(line.split()) == 0
    assert len(merge([out])[0].jobs) == 4
