"""``ackclock conform``: judges a control, a recovery or a stack by the test cases of a specification."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ackclock.cli.options import Quiet, option, out_option

EXAMPLES = """\
ackclock conform bbr3
ackclock conform cubic --junit results/cubic.xml
ackclock conform quinn-bbr --suite bbr3                    a stack, by its packets
ackclock conform ./mine.py:Mine --suite reno --only fast-retransmit
ackclock conform quinn-bbr --suite bbr3 --out results/quinn-bbr
ackclock conform bbr3 --list
"""


def conform(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A suite (bbr3, reno, cubic, rack), a variant, FILE.py:Class, or a QUIC stack.",
            show_default=False,
        ),
    ],
    suite: Annotated[str | None, option("SUITE", "The suite, if NAME is not the name of one.")] = None,
    only: Annotated[
        list[str] | None, option("CASE", "Judge this case only; may be given several times.")
    ] = None,
    json_file: Annotated[Path | None, option("FILE", "Write the verdicts as JSON.", "--json")] = None,
    junit_file: Annotated[Path | None, option("FILE", "Write the verdicts as JUnit XML.", "--junit")] = None,
    out: Annotated[
        Path | None,
        out_option("Write the scenarios of the cases that fail into this folder, for ackclock run."),
    ] = None,
    list_cases: Annotated[bool, typer.Option("--list", help="List the cases, and run nothing.")] = False,
    quiet: Quiet = False,
) -> None:
    """Judge a congestion control, a loss recovery or a QUIC stack by the test cases of its specification.

    Each case ends in pass, fail or not applicable, with the simulated time that decides. A case does not apply if the
    subject does not show what is judged. Exit status: 0 no case fails, 3 a case fails, 2 your error.
    """
    from ackclock._io.files import atomic_write
    from ackclock.cli.assertions import FAILED
    from ackclock.cli.console import meter, place
    from ackclock.conform.case import Outcome
    from ackclock.conform.suites import conform as judged
    from ackclock.conform.suites import suite_of

    if list_cases:
        for case in suite_of(suite or name).cases:
            typer.echo(f"{case.id}: {case.title} ({case.source})")
        return
    with meter("judging", quiet=quiet) as progress:
        report = judged(name, suite=suite, only=only or (), progress=progress.jobs)
    for file, text in ((json_file, report.to_json()), (junit_file, report.to_junit())):
        if file is not None:
            atomic_write(file, text)
    files: dict[str, str] = {}
    for one in report.judged if out is not None else ():
        if one.verdict.outcome is Outcome.FAIL:
            files |= one.files(name)
    for file_name, text in files.items():
        atomic_write(Path(str(out)) / file_name, text)
    if not quiet:
        typer.echo(report.text())
        for file_name in files:
            place(Path(str(out)) / file_name)
    if report.failed:
        raise typer.Exit(FAILED)
