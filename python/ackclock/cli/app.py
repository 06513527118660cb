"""Registration of the verbs of the command line in the order of the help; each verb has its own module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from ackclock.cli import (
    check_cc,
    check_stack,
    compare,
    conform,
    emulate,
    evaluate,
    files,
    init,
    lab,
    listing,
    match,
    measured,
    profiles,
    readings,
    run,
    search,
    study,
    sweep,
)

EXAMPLES = """\
ackclock compare reno sack vegas     which is better, and by how much?
ackclock run scenario.toml           one experiment
ackclock sweep scenario.toml --vary link.bottleneck.rate=1Mbps,5Mbps
ackclock study abadin --quick        a published study, all of it
ackclock list variants               what there is to choose from
"""


def _unwrapped(examples: str) -> str:
    """Mark examples so that the help does not rewrap them; a line that has only a backspace prevents it."""
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in examples.splitlines())


app = typer.Typer(
    name="ackclock",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=_unwrapped(EXAMPLES),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        from ackclock import _core

        typer.echo(f"ackclock {_core.__version__}")
        raise typer.Exit


@app.callback()
def ackclock(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A laboratory for TCP congestion control: packet-level experiments that repeat bit for bit.

    Results go to standard output; progress, warnings and wall-clock figures to standard error. Exit status:
    0 done, 2 your error (said on one screen), 3 an assertion or a test case failed, 130 interrupted, 1 a bug.
    """
    from ackclock.cli.console import tables_as

    del version  # evaluated by the option's callback
    tables_as(None)


def _add(verb: Callable[..., None], short: str, examples: str, name: str | None = None) -> None:
    """Register a function as a verb.

    `short` is the verb's line in the list of verbs; `examples` are shown at the end of its own help.
    """
    app.command(name, short_help=short, epilog=_unwrapped(examples))(verb)


_add(run.run, "Run one experiment.", run.EXAMPLES)
_add(compare.compare, "Compare variants: intervals, differences, ranks.", compare.EXAMPLES)
_add(sweep.sweep, "Run a grid of settings, replicated and resumable.", sweep.EXAMPLES)
_add(emulate.emulate, "Run real applications over a scenario's network.", emulate.EXAMPLES)
_add(study.study, "Carry out a published study.", study.EXAMPLES)
_add(measured.import_, "Read a measurement, such as a capture, as a run.", measured.IMPORT_EXAMPLES, "import")
_add(measured.plot, "Draw figures of runs in folders, side by side.", measured.PLOT_EXAMPLES)
_add(measured.fit, "Estimate the path of a captured transfer.", measured.FIT_EXAMPLES)
_add(match.match, "Find the settings that give a paper's numbers.", match.EXAMPLES)
_add(readings.digits, "Tell what the digits of published numbers say.", readings.DIGITS_EXAMPLES)
_add(listing.list_, "List variants, queues, traces, metrics, studies, ...", listing.EXAMPLES, "list")
_add(init.init, "Write a scenario file to begin with.", init.EXAMPLES)
_add(lab.lab, "Open the laboratory in a browser.", lab.EXAMPLES)
_add(files.check, "Check a scenario file.", files.CHECK_EXAMPLES)
_add(check_cc.check_cc, "Check a congestion control of your own.", check_cc.EXAMPLES, "check-cc")
_add(check_stack.check_stack, "Check a transport stack.", check_stack.EXAMPLES, "check-stack")
_add(conform.conform, "Judge a control by the test cases of its specification.", conform.EXAMPLES)
_add(evaluate.evaluate, "Write a dossier on a control (RFC 9743).", evaluate.EXAMPLES)
_add(search.search, "Search for the scenarios in which a control does worst.", search.EXAMPLES)
_add(profiles.diff_profiles, "Compare endpoint profiles on a scenario.", profiles.EXAMPLES, "diff-profiles")
_add(files.schema, "Print the JSON Schema of scenario files or results.", files.SCHEMA_EXAMPLES)
