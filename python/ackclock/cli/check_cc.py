"""``ackclock check-cc``: checks a congestion control against the rules that the built-in ones obey."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli.options import Quiet, out_option

if TYPE_CHECKING:
    from ackclock.control.conformance import Violation

EXAMPLES = """\
ackclock check-cc ./mine.py:Mine
ackclock check-cc ./mine.py:Mine --paths 500 --seed 7 --out results/mine
ackclock check-cc cubic                                    one of ours
"""

FLOYD = {
    "no-drop": [],
    "one-drop": [14],
    "two-drops": [14, 28],
    "three-drops": [14, 26, 28],
    "four-drops": [14, 24, 26, 28],
}
"""Numbers of the lost packets in the simulator tests of Fall and Floyd 1996."""


def check_cc(
    control: Annotated[
        str,
        typer.Argument(metavar="CONTROL", help="FILE.py:Class, or a variant of ours.", show_default=False),
    ],
    paths: Annotated[int, typer.Option(metavar="N", min=1, help="Random paths.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the random paths.")] = 1,
    out: Annotated[
        Path | None, out_option("Draw Fall and Floyd's simulator tests (one to four lost packets) here.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Check a congestion control: windows in bounds, no stall, deterministic, answers congestion and not noise.

    Random paths lose packets and acknowledgments, go down, and change their rate and delay. Each violation is shown
    with the shortest sequence of events that causes it. Exit status: 0 no violation, 2 a violation or a control that
    cannot be loaded.
    """
    from ackclock.cli.console import meter
    from ackclock.comparisons.variants import Variant
    from ackclock.control import conformance

    variant = Variant.parse(control)
    with meter("checking", quiet=quiet) as progress:
        drawn = [conformance.drawn(seed, number) for number in range(paths)]
        found = conformance.on_paths(variant.name, drawn, progress.jobs)
        found += [
            one
            for one in (conformance.reacts(variant.name), conformance.ignores_noise(variant.name))
            if one is not None
        ]
    if not quiet:
        typer.echo(f"{control}: {paths} random paths, seed {seed}")
        for rule in (*conformance.RULES, *conformance.FIXED):
            _say(rule, next((one for one in found if one.rule == rule), None))
    for file in _draw(variant.name, out) if out is not None else ():
        typer.echo(file)
    if found:
        raise typer.Exit(2)


def _say(rule: str, violation: Violation | None) -> None:
    if violation is None:
        typer.echo(f"  ok        {rule}")
        return
    typer.echo(f"  VIOLATED  {rule}")
    for line in violation.said.splitlines():
        typer.echo(f"            {line}")
    if violation.path is not None:
        typer.echo("            smallest path found that shows it:")
        for line in str(violation.path).splitlines():
            typer.echo(f"              {line}")


def _draw(variant: str, out: Path) -> list[Path]:
    """Draw sequence and window of each of Floyd's tests; draw nothing if one of them fails."""
    from ackclock._io.files import atomic_folder
    from ackclock.plot.drawing import save
    from ackclock.scenario.scenario import load

    base = load("fall-floyd", [f"flow.0.tcp.variant={variant}"])
    with atomic_folder(out) as draft:
        for name, packets in FLOYD.items():
            run = base.set("link.1.loss.packets", packets).run(traces=["segments", "cwnd"])
            for figure in ("sequence", "cwnd"):
                save(run.plot.named(figure), draft / f"{name}-{figure}")
        written = sorted(path.name for path in draft.iterdir())
    return [out / name for name in written]
