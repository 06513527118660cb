"""``ackclock lab``: the laboratory in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ackclock.cli.options import option

EXAMPLES = """\
ackclock lab                     open the laboratory in your browser
ackclock lab bufferbloat         begin with an example or with a scenario file
ackclock lab scenario.toml --seed 7
ackclock lab --learn sawtooth    open a guide: a lecture experiment, a lab, a study's figure
ackclock lab --out lab.html      one file to hand on: it works offline, without an installation
"""


def lab(
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENARIO", help="Example or scenario file to begin with.", show_default=False
        ),
    ] = None,
    learn: Annotated[
        str | None, option("NAME", "Begin with a guide, such as sawtooth, cbr, lab1-window or abadin.")
    ] = None,
    seed: Annotated[int | None, option("N", "Seed of the run [the scenario's own].", min=0)] = None,
    out: Annotated[Path | None, option("FILE", "Write the page to this file instead of opening it.")] = None,
) -> None:
    """Open the laboratory in your browser: sliders, two runs side by side, packets that move.

    The page is one file with the simulator in it, and loads nothing from elsewhere.
    """
    import tempfile
    import webbrowser

    from ackclock import lab as laboratory
    from ackclock._io.files import atomic_write, read_text
    from ackclock.errors import UserError
    from ackclock.scenario import examples

    if scenario is not None and learn is not None:
        raise UserError("lab: --learn brings a scenario of its own; leave one of the two out")
    known = scenario is not None and examples.find(scenario) is not None
    text = "" if scenario is None or known else read_text(scenario, examples=examples.names())
    if seed is not None and scenario is None:
        raise UserError("lab: --seed needs a scenario, as in `ackclock lab dumbbell --seed 7`")
    page = laboratory.page(scenario if known else None, text, learn, seed)
    if out is not None:
        typer.echo(atomic_write(out, page))
        return
    path = Path(tempfile.mkdtemp(prefix="ackclock-")) / "lab.html"
    path.write_text(page, encoding="utf-8")
    if not webbrowser.open(path.as_uri()):
        raise UserError(
            f"lab: no browser could be opened\n  open {path} in one, or write the page with --out lab.html"
        )
    typer.echo(path, err=True)
