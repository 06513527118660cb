"""``ackclock compare --again``: a comparison made again from its folder, byte for byte."""

from __future__ import annotations

import json as json_format
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from ackclock.errors import FileError, UserError


def make_again(
    folder: Path, *, out: Path | None, workers: tuple[int, str], quiet: bool, json: str | None
) -> None:
    """Run what a folder's manifest says and compare every file; write the new ones to `out` if it is given.

    `workers`: how many runs at a time, and the executor that carries them out.

    Raises:
        UserError: where the folder holds no comparison, or the data are not the same bytes; it says which and why.

    """
    from ackclock.cli.comparison import show_comparison
    from ackclock.cli.console import meter
    from ackclock.executors import named
    from ackclock.report.folder import save
    from ackclock.sweep.compare import run_plan
    from ackclock.sweep.plan import Plan

    manifest = read_manifest(folder)
    try:
        plan = Plan.from_json(manifest["plan"])
    except (KeyError, TypeError, ValueError, AttributeError) as why:
        raise UserError(f"{folder / 'manifest.json'}: not as compare writes it ({why!r})") from why
    with meter("comparing again", quiet=quiet) as progress:
        threads, executor = workers
        found = run_plan(plan, threads=threads, progress=progress.jobs, executor=named(executor))
    style = str(manifest.get("style", "page"))
    with tempfile.TemporaryDirectory(prefix="ackclock-") as spare:
        made = save(
            found, Path(spare) / "again" if out is None else out, str(manifest.get("command", "")), style
        )
        said = verdict(folder, made.folder, manifest)
    if json is not None or out is not None:
        show_comparison(found, folder if out is None else out, json=json, quiet=quiet or out is None)
    if not quiet:
        typer.echo(said)


def read_manifest(folder: Path, verb: str = "compare", what: str = "a comparison") -> dict[str, Any]:
    """Return the manifest of a folder that a verb made."""
    path = folder / "manifest.json"
    try:
        manifest = json_format.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as why:
        raise FileError.unreadable(path, why) from why
    except ValueError as why:
        raise UserError(f"{path}: not JSON ({why})") from why
    if (
        not isinstance(manifest, dict)
        or "plan" not in manifest
        or not isinstance(manifest.get("files"), dict)
    ):
        raise UserError(f"{path}: not the manifest of {what}\n  wanted: a folder that `ackclock {verb}` made")
    return manifest


def verdict(folder: Path, made: Path, manifest: Mapping[str, Any]) -> str:
    """Say whether the files made again are those of the folder.

    Raises:
        UserError: where they are not, and other versions of the drawing libraries are no excuse.

    """
    from ackclock import _core
    from ackclock.report.folder import DATA, made_with

    files: Mapping[str, str] = manifest["files"]
    edited = [name for name, known in files.items() if not _is(folder / name, known)]
    other = [name for name, known in files.items() if not _is(made / name, known)]
    data = [name for name in other if name.endswith(DATA)]
    listed = ", ".join(other)
    there, here = manifest.get("made_with") or {}, made_with()
    libraries = ", ".join(
        f"{name} {there.get(name)} there, {here[name]} here" for name in here if there.get(name) != here[name]
    )
    if edited:
        raise UserError(
            f"{folder}: changed or missing since it was made: {', '.join(edited)}\n"
            f"  made again, {'the same bytes as then' if not other else f'other bytes in {listed}'}"
        )
    if not other:
        return f"{folder}: made again, the same bytes in all {len(files)} files"
    if data or not libraries:
        why = (
            f"it was made by version {manifest.get('version')}, this is {_core.__version__}"
            if manifest.get("version") != _core.__version__
            else libraries or "made by the same version: please report it"
        )
        raise UserError(f"{folder}: made again, other bytes in {listed}\n  {why}")
    return f"{folder}: made again, the same data; other bytes in {listed} ({libraries})"


def _is(path: Path, known: str) -> bool:
    from ackclock.report.folder import digest

    return path.is_file() and digest(path) == known
