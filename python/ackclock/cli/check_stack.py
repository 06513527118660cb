"""``ackclock check-stack``: holds a transport stack to its contract, and runs it twice."""

from __future__ import annotations

from typing import Annotated

import typer

from ackclock.cli.options import Quiet

EXAMPLES = """\
ackclock check-stack quinn-cubic
own-stack check-stack mine --size 10MB     a stack of your own
"""


def check_stack(
    stack: Annotated[
        str,
        typer.Argument(metavar="STACK", help="A name in `ackclock list stacks`.", show_default=False),
    ],
    size: Annotated[str, typer.Option(metavar="SIZE", help="Data that each run transfers.")] = "1MB",
    quiet: Quiet = False,
) -> None:
    """Check a transport stack: a transfer over a path that loses and duplicates datagrams, twice with one seed.

    The path has 10 Mb/s, 20 ms each way, a queue of 50 ms, 1 % of losses and 1 % of duplicates. The last line says if
    both runs sent the same bytes, or if the stack draws random numbers of its own. Exit status: 0 no violation and
    equal sizes and times, 2 otherwise.
    """
    import textwrap

    from ackclock import _core
    from ackclock.comparisons.variants import is_stack, stacks
    from ackclock.errors import UserError
    from ackclock.errors.suggestions import choices

    try:
        bytes_ = _core.size_bytes(size)
    except ValueError as why:
        raise UserError(f"--size: {why}") from why
    if not 1 <= bytes_ <= 10**9:
        raise UserError(f"--size: not allowed\n  given:   {size}\n  allowed: 1B to 1GB")
    if not is_stack(stack):
        raise UserError(f"there is no stack {stack!r}{choices(stack, sorted(stacks()))}")
    violations, repeats, sentence, datagrams, finished_s = _core.check_stack(stack, bytes_)
    if not quiet:
        end = "not finished" if finished_s is None else f"finished at {finished_s:.3f} s"
        typer.echo(f"{stack}: {size}, {datagrams} datagrams, {end}")
        lines = [("VIOLATED", violation) for violation in violations] or [("ok", "the contract")]
        lines.append(("VIOLATED" if repeats == "not" else "ok", sentence))
        for word, text in lines:
            typer.echo(textwrap.fill(f"  {word:8}  {text}", 80, subsequent_indent=" " * 12))
    if violations or repeats == "not":
        raise typer.Exit(2)
