"""Runs emulations of a scenario's network for real applications, and holds their results."""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock._io.files import json_text
from ackclock.emulation import namespaces as spaces
from ackclock.emulation.account import Account
from ackclock.emulation.defaults import CONNECTIONS, LATE_S, MTU, NICE, Priority
from ackclock.emulation.processes import Program, start_server
from ackclock.errors import UserError, choices
from ackclock.runs.run import Run

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario


@dataclass(frozen=True)
class End:
    """One end of an emulation: a node of the scenario, and the namespace that represents it."""

    node: str
    namespace: str


@dataclass
class _State:
    """Values collected while an emulation is set up and running, for its account."""

    command: Program | None = None
    addresses: list[str] = field(default_factory=list)
    controls: list[str] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    stopped: list[int] = field(default_factory=list)


class Emulation(Run):
    """The results of one emulation: those of a run, and an account of its lateness.

    ::

        emulation = ackclock.emulation.emulate(scenario, ("client", "server"), command=["ping", "-c3", "10.0.0.2"])
        emulation.account["lateness_p99_s"]
        emulation.plot.throughput()

    Traces are those that were named at the beginning: an emulation cannot be repeated.
    """

    def __init__(
        self,
        scenario: Scenario,
        result: _core.RunResult,
        account: Account,
        *,
        seed: int | None,
        bin_s: float,
        traces: Sequence[str],
        status: int | None,
    ) -> None:
        """Wrap a result of the core; only `emulate` calls this."""
        super().__init__(scenario, result, seed=seed, jitter_s=0.0, bin_s=bin_s, traces=traces, steered=True)
        self.account = account
        self.status = status

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The summary of a run, plus the emulation's account under ``"emulation"``."""
        return {**super().summary, "emulation": self.account}

    @property
    def summary_json(self) -> str:
        """The summary as JSON text, in the format of ``ackclock emulate --json``."""
        return json_text(self.summary)


def ends_of(between: Sequence[str], scenario: Scenario) -> list[End]:
    """Return the two ends that `between` names: ``NAMESPACE=NODE``, a node, or a namespace for an end of flow 0.

    Raises:
        UserError: If a node does not exist, or both ends are one node or namespace.

    """
    described = scenario.describe()
    nodes = [str(node["name"]) for node in described.get("node", [])]
    first = described["flow"][0]
    ends = []
    for one, side in zip(between, ("from", "to"), strict=True):
        namespace, sign, node = one.partition("=")
        if not sign and namespace in nodes:
            node = namespace
        elif not sign:
            node = str(first[side])
        if node not in nodes:
            raise UserError(f"--between {one}: the scenario has no node {node}{choices(node, nodes)}")
        ends.append(End(node, namespace))
    for what, (first, second) in {
        "node": [one.node for one in ends],
        "namespace": [one.namespace for one in ends],
    }.items():
        if first == second:
            raise UserError(f"--between {' '.join(between)}: both ends are {what} {first}")
    return ends


def emulate(
    scenario: Scenario,
    between: tuple[str, str],
    *,
    duration: str | None = None,
    command: Sequence[str] = (),
    server: Sequence[str] = (),
    seed: int | None = None,
    traces: Sequence[str] = (),
    bin_s: float = 1.0,
    control: str | None = None,
    mtu: int = MTU,
    connections: int = CONNECTIONS,
    late_s: float = LATE_S,
    spin_s: float = 0.0,
    priority: str = Priority.normal,
    existing: bool = False,
    quiet_output: bool = False,
    told: Callable[[str], None] | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> Emulation:
    """Emulate the network of a scenario in real time between two namespaces, and return the results (Linux).

    Flows of the scenario from one of the two nodes to the other are replaced by the real connections; all other flows
    are simulated beside them.

    Args:
        scenario: Scenario whose network is emulated.
        between: Two namespaces with the nodes for which they stand: ``("client=n0", "server=n3")``. A bare name is a
            node, or a namespace for the source or the destination of the scenario's first flow.
        duration: Longest time, with a unit, in place of the scenario's own.
        command: Words of a command that runs in the first namespace; the emulation ends with it.
        server: Words of a command that runs in the second namespace; `command` begins once it listens.
        seed: Seed of all random draws, in place of the scenario's own.
        traces: Names of traces to record.
        bin_s: Width of the bins of the throughput trace, seconds.
        control: Congestion control of the kernel in both namespaces, such as ``"cubic"``.
        mtu: Longest packet, bytes.
        connections: Number of connections that get a flow of their own in the results.
        late_s: Lateness above which a packet counts as late, seconds.
        spin_s: Time before an event that is spent in a busy loop instead of asleep, seconds.
        priority: Scheduling of the emulator: ``"normal"``, ``"high"`` or ``"realtime"``.
        existing: Use namespaces that exist, and make none.
        quiet_output: Send the command's output to standard error.
        told: Called with a line of text once the devices are ready.
        progress: Called ten times a second with the time and the whole duration, seconds.

    Raises:
        UserError: If the machine, a namespace, a device or a program cannot be used.
        ScenarioError: If the scenario is not valid, or has a gateway between the two nodes.

    """
    spaces.check_machine()
    scenario = scenario if duration is None else type(scenario)({**scenario.document(), "duration": duration})
    ends = ends_of(between, scenario)
    whole_s = _core.seconds(str(scenario.document().get("duration", "0s")))
    state = _State()
    with (
        spaces.namespaces([end.namespace for end in ends], create=not existing) as found,
        _scheduled(),
        contextlib.ExitStack() as programs,
    ):
        for one in found if control else []:
            one.check_control(str(control))

        def ready(addresses: list[str]) -> int | None:
            state.addresses = addresses
            for one, own, peer in zip(found, addresses, reversed(addresses), strict=True):
                one.configure(own, peer, mtu, control)
            if told is not None:
                told(_ready_line(ends, found, addresses))
            if server:
                programs.callback(start_server(found[1], server).end)
            if command:
                state.command = Program(found[0], command, aside=quiet_output)
                programs.callback(state.command.end)
            _schedule(priority)
            return state.command.pid if state.command is not None else None

        def finish() -> None:
            # The devices and their counters vanish when the core returns.
            state.dropped = [one.dropped() for one in found]
            state.controls = [one.control() for one in found]

        def goes_on(now_s: float) -> bool:
            if progress is not None:
                progress(now_s, whole_s)
            return not state.stopped

        with _stoppable(state.stopped):
            result, report = _emulated(
                scenario.json(),
                between=[end.node for end in ends],
                namespaces=[str(one.path) for one in found],
                device=spaces.DEVICE,
                ready=ready,
                finish=finish,
                progress=goes_on,
                seed=seed,
                traces=list(traces),
                bin_s=bin_s,
                flows=connections,
                late_s=late_s,
                spin_s=spin_s,
            )
        account = _account(ends, state, report, late_s=late_s, priority=priority)
        status = state.command.status if state.command is not None else None
    return Emulation(scenario, result, account, seed=seed, bin_s=bin_s, traces=traces, status=status)


def _emulated(document: str, **given: Any) -> tuple[_core.RunResult, _core.EmulationReport]:
    """Call the core; turn its errors about devices and namespaces into `UserError` with advice."""
    try:
        return _core.emulate(document, **given)
    except OSError as why:
        raise UserError(f"{why}\n  {spaces.ADVICE}") from None


def _ready_line(ends: Sequence[End], found: Sequence[spaces.Namespace], addresses: Sequence[str]) -> str:
    """Return the line that tells the user how to use each end."""
    each = [
        f"{end.node} is {address} in {' '.join(one.command([]))}"
        for end, one, address in zip(ends, found, addresses, strict=True)
    ]
    return "; ".join(each)


def _account(
    ends: Sequence[End],
    state: _State,
    report: _core.EmulationReport,
    *,
    late_s: float,
    priority: str,
) -> Account:
    """Return the account of an emulation, in the format of the summary."""
    each = zip(ends, state.addresses, report.entered, state.dropped, state.controls, strict=True)
    return {
        "ending": report.ending,
        "kept_up": report.kept_up,
        "packets": report.packets,
        "late_packets": report.late_packets,
        "late_bound_s": late_s,
        "lateness_p50_s": report.lateness_p50_s,
        "lateness_p99_s": report.lateness_p99_s,
        "lateness_max_s": report.lateness_max_s,
        "longest_turn_s": report.longest_turn_s,
        "refused_packets": report.refused,
        "unreadable_packets": report.unreadable,
        "priority": str(priority),
        "kernel": platform.release(),
        "ends": [
            {
                "node": end.node,
                "namespace": end.namespace,
                "address": address,
                "control": control,
                "entered_packets": entered,
                "device_dropped_packets": dropped,
            }
            for end, address, entered, dropped, control in each
        ],
        "flows": [
            {
                "name": name,
                "protocol": protocol,
                "from": pair[0] if pair else None,
                "to": pair[1] if pair else None,
            }
            for name, protocol, pair in report.flows
        ],
    }


@contextlib.contextmanager
def _stoppable(stopped: list[int]) -> Iterator[None]:
    """Make the first SIGINT or SIGTERM end the emulation, whose results are kept; a second raises KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, _frame: object) -> None:
        if stopped:
            raise KeyboardInterrupt
        stopped.append(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _schedule(priority: str) -> None:
    """Set this thread's scheduling, which the emulator's thread inherits.

    Raises:
        UserError: If the priority is unknown, or this user may not have it.

    """
    if priority not in list(Priority):
        raise UserError(f"priority: there is no priority {priority!r}{choices(priority, list(Priority))}")
    try:
        if priority == Priority.high:
            os.setpriority(os.PRIO_PROCESS, 0, NICE)
        elif priority == Priority.realtime:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(os.sched_get_priority_min(os.SCHED_FIFO)))
    except PermissionError:
        raise UserError(
            f"--priority {priority}: this user may not raise its priority\n"
            "  run it as root of the machine, or with --priority normal"
        ) from None


@contextlib.contextmanager
def _scheduled() -> Iterator[None]:
    """Restore this thread's scheduling when the context ends."""
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        yield
    finally:
        if os.sched_getscheduler(0) != policy:
            os.sched_setscheduler(0, policy, parameters)
        if os.getpriority(os.PRIO_PROCESS, 0) != nice:
            os.setpriority(os.PRIO_PROCESS, 0, nice)
