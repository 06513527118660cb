"""``ackclock emulate``, which runs the network of a scenario in real time for real applications."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli.options import (
    AllowCode,
    FigureStyle,
    Output,
    Page,
    ScenarioFile,
    Settings,
    Style,
    grouped,
    opened,
    option,
    out_option,
)
from ackclock.cli.run import Form, Shown, Wanted, check_names, names, save
from ackclock.emulation.defaults import CONNECTIONS, LATE_S, MTU, NICE, Priority

if TYPE_CHECKING:
    from ackclock.emulation.account import Account
    from ackclock.emulation.execution import Emulation

EXAMPLES = """\
ackclock emulate scenario.toml --between client server
ackclock emulate scenario.toml --between client server --duration 20s -- ping -c5 10.0.0.2
ackclock emulate scenario.toml --between here=n0 there=n3 --server "iperf3 -s -1" -- iperf3 -c 10.0.0.4
ackclock emulate scenario.toml --between client server --trace cwnd,pcap --plot cwnd --out results/real
"""


@dataclass(frozen=True)
class Taking:
    """Options for files that record an emulation."""

    out: Annotated[
        Path | None,
        out_option("Write tables, manifest and traces here."),
        Page("The files are those of `run`; `summary.json` has the account of lateness under `emulation`."),
    ] = None
    trace: Annotated[
        str | None,
        option("A,B", "Record these series (see: ackclock list traces); written to --out, or results/FILE."),
        Page("`cwnd` and `state` show the kernel's connections every 10 ms, as `ss -ti` does."),
    ] = None
    plot: Annotated[
        str | None,
        option("A,B", "Draw these figures: those of run, but theory; written like traces."),
    ] = None
    style: FigureStyle = Style.page
    form: Annotated[Form, typer.Option("--format", help="csv, or parquet beside it.")] = Form.csv


@dataclass(frozen=True)
class Machine:
    """Options for the kernel and the clock of an emulation."""

    control: Annotated[
        str | None,
        option("NAME", "Congestion control of the kernel in both namespaces: cubic, reno, ... [as it is]."),
    ] = None
    mtu: Annotated[
        int, typer.Option("--mtu", metavar="BYTES", min=576, max=65_535, help="Longest packet.")
    ] = MTU
    connections: Annotated[
        int,
        typer.Option(
            "--connections",
            metavar="N",
            min=0,
            max=10_000,
            help="Connections that get a flow of their own; all others share one per direction.",
        ),
    ] = CONNECTIONS
    late: Annotated[
        str,
        typer.Option("--late", metavar="TIME", help="Count packets that are late by more than this."),
    ] = f"{LATE_S * 1e3:g}ms"
    spin: Annotated[
        str,
        typer.Option(
            "--spin",
            metavar="TIME",
            help="Wait for the last part of each pause in a busy loop, which costs a core.",
        ),
    ] = "0s"
    priority: Annotated[
        Priority,
        typer.Option(
            "--priority",
            help=f"Scheduling of the emulator: normal, high (nice {NICE}), realtime (SCHED_FIFO, before all programs).",
        ),
    ] = Priority.normal
    existing: Annotated[
        bool, typer.Option("--existing", help="Use namespaces that exist, and make none.")
    ] = False


@grouped
def emulate(
    file: ScenarioFile,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="-- COMMAND ...",
            help="Command that runs in the first namespace; the emulation ends with it, and with its status.",
            show_default=False,
        ),
    ] = None,
    *,
    between: Annotated[
        tuple[str, str],
        typer.Option(
            "--between",
            metavar="NS1 NS2",
            help="The two namespaces, as NAMESPACE=NODE; those that do not exist are made and removed after.",
            show_default=False,
        ),
        Page(
            "A bare name is a node and its namespace's name; if there is no such node, the namespace stands for the "
            "source or the destination of the first flow."
        ),
    ],
    server: Annotated[
        str | None,
        option("COMMAND", "Command that runs in the second namespace; COMMAND begins once it listens."),
    ] = None,
    duration: Annotated[
        str | None, option("TIME", "Longest time, such as 30s, in place of the scenario's duration.")
    ] = None,
    settings: Settings = None,
    seed: Annotated[int | None, option("N", "Seed of all random draws [the scenario's].")] = None,
    allow_code: AllowCode = False,
    taking: Taking,
    bin_s: Annotated[
        float,
        typer.Option("--bin", metavar="SECONDS", min=1e-6, help="Width of the bins of the throughput trace."),
    ] = 1.0,
    machine: Machine,
    output: Output,
) -> None:
    """Emulate the network of a scenario in real time, for real applications (Linux; root or a user namespace).

    Flows of the scenario between the two nodes are replaced by the real connections; all others are simulated beside
    them. Ctrl-C ends the emulation; its results are written, and the status is 130.
    """
    from ackclock import _core
    from ackclock.cli.console import check_json, meter, note, place, show, tables_as, write_json
    from ackclock.cli.results import tables
    from ackclock.emulation.execution import emulate as emulated

    tables_as(output.table)
    json, quiet = output.json, output.quiet
    traces, figures = names(taking.trace), names(taking.plot)
    check_names("trace", traces)
    check_names("plot", figures)
    check_json(json)
    scenario = opened(file, settings, allow_code=allow_code)
    out = taking.out
    if out is None and (traces or figures):
        out = Path("results") / file.stem
    with meter(file.name, "s", quiet=quiet or json == "-") as progress:
        found = emulated(
            scenario,
            between,
            duration=duration,
            command=command or [],
            server=shlex.split(server or ""),
            seed=seed,
            traces=list(dict.fromkeys([*traces, *needed(figures)])),
            bin_s=bin_s,
            control=machine.control,
            mtu=machine.mtu,
            connections=machine.connections,
            late_s=_core.seconds(machine.late),
            spin_s=_core.seconds(machine.spin),
            priority=machine.priority.value,
            existing=machine.existing,
            quiet_output=json == "-",
            told=None if quiet else note,
            progress=lambda now_s, whole_s: progress.fraction(now_s / whole_s, 0),
        )
    shown = Shown(None, None, [], taking.style)
    wanted = Wanted(
        file.name,
        seed,
        ties=False,
        traces=traces,
        bin_s=bin_s,
        figures=figures,
        shown=shown,
        form=taking.form,
        out=out,
        animate=None,
    )
    paths = [] if out is None else save(found, out, wanted)
    if json is not None:
        write_json(json, found.summary_json)
    if not found.account["kept_up"]:
        note(fell_behind(found), warning=True)
    if not quiet and json != "-":
        show(*tables(found), wide=output.wide)
        for path in paths:
            place(path)
        note(lateness(found.account))
    if (status := status_of(found)) != 0:
        raise typer.Exit(status)


def needed(figures: list[str]) -> list[str]:
    """Return the traces that the figures need; they must be recorded, since an emulation cannot be repeated."""
    if not figures:
        return []
    from ackclock.plot.run import traces_of

    return [trace for figure in figures for trace in traces_of(figure)]


def lateness(account: Account) -> str:
    """Return the line on the lateness of an emulation's packets."""
    packets = account["packets"]
    if not packets:
        return "no packet has crossed the network"
    seconds = {
        "p50": account["lateness_p50_s"],
        "p99": account["lateness_p99_s"],
        "max": account["lateness_max_s"],
    }
    times = ", ".join(f"{name} {value * 1e3:.3f} ms" for name, value in seconds.items() if value is not None)
    late, bound = account["late_packets"], account["late_bound_s"] * 1e3
    return f"lateness of {packets} packets: {times}; {late} late by more than {bound:g} ms"


def fell_behind(found: Emulation) -> str:
    """Return the warning about an emulation that did not keep up."""
    account = found.account
    share = account["late_packets"] / account["packets"]
    return (
        f"the emulation fell behind: {share:.1%} of the packets were late by more than "
        f"{account['late_bound_s'] * 1e3:g} ms, so applications met another network than the scenario's"
    )


def status_of(found: Emulation) -> int:
    """Return the exit status: 130 if a signal ended the emulation, otherwise the status of its command."""
    if found.account["ending"] == "stopped":
        return 130
    return found.status or 0
