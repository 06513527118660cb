"""``ackclock compare --again``, which repeats a comparison from its folder and compares all files byte for byte."""

from __future__ import annotations

import json as json_format
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ackclock._io.files import read_json
from ackclock.errors import UserError

if TYPE_CHECKING:
    from ackclock.comparisons.plan import Plan


def make_again(
    folder: Path, *, out: Path | None, workers: tuple[int, str], quiet: bool, json: str | None
) -> None:
    """Repeat the comparison in a folder's manifest and compare all files; keep the new files in `out` if it is given.

    `workers` has the number of runs at the same time and the name of the executor.

    Raises:
        UserError: If the folder contains no comparison, or data files differ; the message names these files and the
            reason.
    """
    from ackclock.cli.comparison import show_comparison
    from ackclock.cli.console import meter
    from ackclock.comparisons.compare import run_plan
    from ackclock.executors import named
    from ackclock.report.folder import save

    manifest, plan, style = read_plan(folder)
    with meter("comparing again", quiet=quiet) as progress:
        threads, executor = workers
        found = run_plan(plan, threads=threads, progress=progress.jobs, executor=named(executor))
    with tempfile.TemporaryDirectory(prefix="ackclock-") as spare:
        made = save(
            found, Path(spare) / "again" if out is None else out, str(manifest.get("command", "")), style
        )
        said = verdict(folder, made.folder, manifest)
    if json is not None or out is not None:
        show_comparison(found, folder if out is None else out, json=json, quiet=quiet or out is None)
    if not quiet:
        typer.echo(said)


def read_plan(folder: Path) -> tuple[dict[str, Any], Plan, str]:
    """Return the manifest of a comparison's folder, its plan and the style of its figures.

    Raises:
        UserError: If they are not as ``ackclock compare`` writes them.

    """
    from ackclock.comparisons.plan import Plan
    from ackclock.report.plots import LOOKS

    manifest = read_manifest(folder)
    try:
        plan = Plan.from_json(manifest["plan"])
    except (KeyError, TypeError, ValueError, AttributeError) as why:
        raise damaged(folder, "compare", why) from why
    style = str(manifest.get("style", "page"))
    if style not in LOOKS:
        raise damaged(folder, "compare", ValueError(f"style {style!r}"))
    return manifest, plan, style


def damaged(folder: Path, verb: str, why: Exception) -> UserError:
    """Return the error for a manifest that has another form than `verb` writes."""
    return UserError(f"{folder / 'manifest.json'}: damaged, not as `ackclock {verb}` writes it ({why!r})")


def read_manifest(folder: Path, verb: str = "compare", what: str = "a comparison") -> dict[str, Any]:
    """Return the manifest of a folder written by `verb`.

    Raises:
        UserError: If there is no manifest, if it is of another kind, or if it names files outside the folder.

    """
    path = folder / "manifest.json"
    manifest = read_json(path)
    files = manifest.get("files")
    if "plan" not in manifest or not isinstance(files, dict):
        raise UserError(f"{path}: not the manifest of {what}\n  wanted: a folder that `ackclock {verb}` made")
    for name, known in files.items():
        if not isinstance(known, str):
            raise UserError(f"{path}: damaged (files.{name} is no SHA-256)")
        if not _is_inside(folder, name):
            raise UserError(f"{path}: names a file outside the folder: {name}")
    return manifest


def _is_inside(folder: Path, name: str) -> bool:
    try:
        return (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def verdict(folder: Path, made: Path, manifest: Mapping[str, Any]) -> str:
    """Return a line with the result of comparing the files of a folder with repeated ones in `made`.

    Raises:
        UserError: If files were edited or differ for another reason than versions of drawing libraries, or if the
            manifest does not describe the runs made.
    """
    from ackclock import _core
    from ackclock.report.folder import DATA, made_with

    files: Mapping[str, str] = manifest["files"]
    edited = [name for name, known in files.items() if not _is(folder / name, known)]
    other = [name for name, known in files.items() if not _is(made / name, known)]
    data = [name for name in other if name.endswith(DATA)]
    listed = ", ".join(other)
    libraries = _libraries(manifest, made_with())
    if edited:
        raise UserError(
            f"{folder}: changed or missing since it was made: {', '.join(edited)}\n"
            f"  made again, {'the same bytes as then' if not other else f'other bytes in {listed}'}"
        )
    if other and (data or not libraries):
        why = (
            f"it was made by version {manifest.get('version')}, this is {_core.__version__}"
            if manifest.get("version") != _core.__version__
            else libraries or "made by the same version: please report it"
        )
        raise UserError(f"{folder}: made again, other bytes in {listed}\n  {why}")
    _refuse_false(folder, manifest, read_json(made / "manifest.json"))
    if not other:
        return f"{folder}: made again, the same bytes in all {len(files)} files"
    return f"{folder}: made again, the same data; other bytes in {listed} ({libraries})"


def _libraries(manifest: Mapping[str, Any], here: Mapping[str, str]) -> str:
    """Return as text the libraries whose version differs from the version in a manifest."""
    there = manifest.get("made_with")
    there = there if isinstance(there, dict) else {}
    return ", ".join(
        f"{name} {there.get(name)} there, {here[name]} here" for name in here if there.get(name) != here[name]
    )


def _refuse_false(folder: Path, manifest: Mapping[str, Any], true: Mapping[str, Any]) -> None:
    """Raise `UserError` if a manifest differs from the one that the repeated runs wrote."""
    false = [
        f"{name}: {_brief(manifest.get(name))}, but it was made with {_brief(true.get(name))}"
        for name in (*true, *(name for name in manifest if name not in true))
        if name not in ("files", "made_with") and _text(manifest.get(name)) != _text(true.get(name))
    ]
    unlisted = [name for name in true["files"] if name not in manifest["files"]]
    if unlisted:
        false.append(f"files: {', '.join(unlisted)} not listed")
    if false:
        listed = "\n  ".join(false)
        raise UserError(f"{folder / 'manifest.json'}: does not describe what made these files\n  {listed}")


def _text(value: object) -> str:
    return json_format.dumps(value, sort_keys=True)


def _brief(value: object) -> str:
    text = _text(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is(path: Path, known: str) -> bool:
    from ackclock._io.files import digest

    return path.is_file() and digest(path) == known
