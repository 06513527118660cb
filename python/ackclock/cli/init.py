"""``ackclock init``: writes a starter file: a scenario, a congestion control, a stack or a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ackclock.cli import completion
from ackclock.cli.options import option
from ackclock.scenario.starters import KINDS, STACK, STUDY

EXAMPLES = """\
ackclock init dumbbell --out mine.toml
ackclock init wlan
ackclock init control --out mine.py      a congestion control of your own
ackclock init stack --out my-stack       a transport stack of your own in Rust, in a folder
ackclock init study --out my-paper       a study of your own, in a folder
"""


def init(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help=", ".join(KINDS), show_default=False, autocompletion=completion.starters
        ),
    ],
    out: Annotated[
        Path | None,
        option(
            "FILE",
            "Write to this new file instead of standard output; of a stack or study, to this new folder.",
        ),
    ] = None,
) -> None:
    """Write a commented file to begin with: a scenario with named links and flows, a control, a stack, or a study."""
    from ackclock._io.files import atomic_folder, atomic_write
    from ackclock.errors import UserError
    from ackclock.scenario.starters import stack_files, starter

    text = starter(kind, out)
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.exists():
        raise UserError(f"init: {out} is there already: name another file, or remove it first")
    if not out.parent.is_dir():
        raise UserError(f"init: there is no folder {out.parent}\n  make it first, or name a file elsewhere")
    if kind.strip().lower() == STUDY:
        with atomic_folder(out) as folder:
            (folder / "study.py").write_text(text, encoding="utf-8")
        typer.echo(out)
        return
    if kind.strip().lower() == STACK:
        with atomic_folder(out) as folder:
            for name, content in stack_files().items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(content, encoding="utf-8")
        typer.echo(out)
        return
    typer.echo(atomic_write(out, text))
