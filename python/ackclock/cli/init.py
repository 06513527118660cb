"""``ackclock init``: a scenario file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ackclock.cli.options import option
from ackclock.starters import KINDS

EXAMPLES = """\
ackclock init dumbbell --out mine.toml
ackclock init wlan
"""


def init(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=", ".join(KINDS), show_default=False)],
    out: Annotated[
        Path | None,
        option("FILE", "Write to this new file instead of standard output. It must not exist."),
    ] = None,
) -> None:
    """Write a commented scenario file to begin with. Its links and flows have names, which paths can use."""
    from ackclock.errors import UserError
    from ackclock.files import atomic_write
    from ackclock.starters import starter

    text = starter(kind, out)
    if out is None:
        typer.echo(text, nl=False)
        return
    if out.exists():
        raise UserError(f"init: {out} is there already: name another file, or remove it first")
    typer.echo(atomic_write(out, text))
