"""Scenarios: what is simulated. Built in Python, read from TOML, or taken ready-made.

A `Scenario` is a value: its methods return new ones. This module only puts documents together; whether a
document makes sense (names, units, ranges, routes) is decided by the core alone, so that the command line, a
TOML file and Python meet the same rules and the same messages.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ackclock import _core
from ackclock.errors import FileError
from ackclock.toml import to_toml, value_text

if TYPE_CHECKING:
    from ackclock.run import Run

Document: TypeAlias = dict[str, Any]
"""A scenario as JSON-like data: the same keys as in the TOML file."""

Queue: TypeAlias = int | str | Mapping[str, Any]
"""A queue: packets (the one in transmission included), a size (``"64KiB"``), or a table as in TOML."""

Loss: TypeAlias = float | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""Losses: a probability for each packet, 0 to 1, or one or more tables as in the TOML file."""

TOPOLOGIES: dict[str, str] = {
    "dumbbell": "senders s0.. and receivers d0.. on either side of one bottleneck r0-r1 (link 0)",
    "parking_lot": "one long path over bottlenecks r0-r1-.. (links 0..), each crossed by a flow of its own",
    "chain": "nodes n0-n1-.. in a row, every flow from the first to the last",
}
"""The ready-made topologies of this module, with one line about each."""


class Scenario:
    """An experiment, ready to run: nodes, links, flows, events, duration and seed.

    Immutable: `set`, `with_` and the like return a changed copy.
    """

    __slots__ = ("_document",)

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Take a document with the TOML file's keys; it is checked when it is run or changed by path.

        Files that it names (rate and loss traces) are read now, relative to the working directory: the scenario
        holds their content from then on.
        """
        self._document: Document = copy.deepcopy(dict(document))
        text = self.json()
        if '"trace"' in text:
            self._document = json.loads(_core.read_files(text, "."))

    def document(self) -> Document:
        """Return a copy of the document: what the TOML file would hold, as dictionaries and lists."""
        return copy.deepcopy(self._document)

    def json(self) -> str:
        """Return the document as JSON text."""
        return json.dumps(self._document, ensure_ascii=False)

    def to_toml(self) -> str:
        """Return the scenario as the text of a TOML file that `load` reads back."""
        return to_toml(self._document)

    def check(self) -> Self:
        """Check everything and return the scenario; `ScenarioError` names the field that is wrong."""
        _core.check(self.json(), "json", [])
        return self

    def describe(self) -> dict[str, Any]:
        """Return nodes, links and flows with every parameter filled in, defaults and profiles included."""
        described: dict[str, Any] = json.loads(_core.describe(self.json(), "json"))
        return described

    def set(self, path: str, value: object) -> Self:
        """Return a copy with one value changed: ``scenario.set("link.0.rate", "5Mbps")``.

        A ``*`` in place of an index means every one: ``set("flow.*.tcp.variant", "vegas")``.
        """
        return self.with_({path: value})

    def with_(self, settings: Mapping[str, object] | None = None, /, **values: object) -> Self:
        """Return a copy with several values changed together, by path or (for top-level ones) by name.

        ``scenario.with_({"link.0.rate": "5Mbps", "link.0.queue.packets": 50}, duration="30s")``. The result
        is checked once, when all are in place.
        """
        merged = {**(settings or {}), **values}
        return self.apply(f"{path}={value_text(value)}" for path, value in merged.items())

    def apply(self, settings: Iterable[str]) -> Self:
        """Return a copy with ``PATH=VALUE`` settings applied, as ``--set`` does on the command line."""
        expanded = [one for text in settings for one in expand(text, self._document)]
        return type(self)(json.loads(_core.check(self.json(), "json", expanded)))

    def run(
        self,
        duration: str | None = None,
        *,
        seed: int | None = None,
        jitter_s: float = 0.0,
        traces: Iterable[str] = (),
        bin_s: float = 1.0,
        progress: Callable[[float, int], None] | None = None,
    ) -> Run:
        """Run it and return the results.

        Args:
            duration: length of the run with its unit (``"132s"``), in place of the scenario's own.
            seed: seed of every random draw, in place of the scenario's own.
            jitter_s: each flow starts later by a time drawn from 0 to this many seconds.
            traces: series to record (``ackclock list traces``). Those not recorded can still be had
                afterwards: `Run.trace` runs the same experiment again, which gives the same packets.
            bin_s: width of the bins of the throughput trace, seconds.
            progress: called at most ten times a second with the simulated fraction (0 to 1) and the events so
                far.

        Raises:
            ScenarioError: where the scenario makes no sense; it names the field.
            KeyboardInterrupt: within a second of Ctrl-C.

        """
        from ackclock.run import execute

        document = self._document if duration is None else {**self._document, "duration": duration}
        return execute(
            type(self)(document),
            seed=seed,
            jitter_s=jitter_s,
            traces=tuple(traces),
            bin_s=bin_s,
            progress=progress,
        )

    def __eq__(self, other: object) -> bool:
        """Tell whether two scenarios hold the same document."""
        return isinstance(other, Scenario) and self._document == other._document

    def __hash__(self) -> int:
        """Hash the document."""
        return hash(json.dumps(self._document, sort_keys=True))

    def __repr__(self) -> str:
        """Say how large it is."""
        flows, links = self._document.get("flow", ()), self._document.get("link", ())
        return (
            f"Scenario({len(flows)} flows, {len(links)} links, duration={self._document.get('duration')!r})"
        )


class Network:
    """A scenario under construction, piece by piece.

    net = ac.Network()
    net.link("a", "b", rate="10Mbps", delay="1ms", queue=50)
    net.flow("a", "b", variant="newreno")
    net.run("10s", seed=1)

    Nodes exist by being named. Each method returns the network, so calls can be chained.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._document: Document = {}

    def node(self, name: str, **parameters: object) -> Self:
        """Say what a node is beyond being there: its gateway, its position, as in a ``[[node]]`` table."""
        self._append("node", {"name": name, **parameters})
        return self

    def link(
        self,
        a: str,
        b: str,
        *,
        rate: str | Mapping[str, Any],
        delay: str,
        queue: Queue | None = None,
        loss: Loss | None = None,
        reverse: Mapping[str, Any] | None = None,
        **parameters: object,
    ) -> Self:
        """Join two nodes by a full-duplex link.

        Args:
            a: one end.
            b: the other end; both directions are alike unless `reverse` or a ``toward`` says otherwise.
            rate: transmission rate, ``"10Mbps"``, or ``{"trace": "FILE"}`` in mahimahi's format.
            delay: one-way propagation delay, ``"1ms"``.
            queue: room before each direction: packets (the one in transmission included), bytes, or a table
                (``{"kind": "fq-codel"}``).
            loss: probability for each packet that goes from `a` to `b`, or tables as in the TOML file.
            reverse: what differs from `b` to `a`: any of rate, delay, queue.
            parameters: further keys of the ``[[link]]`` table (``jitter``, ``reorder``, ``duplicate``).

        """
        table: Document = {"between": [a, b], "rate": rate, "delay": delay}
        if queue is not None:
            table["queue"] = queue_table(queue)
        if loss is not None:
            table["loss"] = loss_table(loss, toward=b)
        if reverse is not None:
            table["reverse"] = {
                key: queue_table(value) if key == "queue" else value for key, value in reverse.items()
            }
        self._append("link", {**table, **parameters})
        return self

    def flow(
        self,
        source: str,
        target: str,
        *,
        variant: str | None = None,
        profile: str | None = None,
        start: str | None = None,
        stop: str | None = None,
        traffic: str | Mapping[str, Any] | None = None,
        name: str | None = None,
        flow_class: int | None = None,
        access_category: str | None = None,
        tcp: Mapping[str, object] | None = None,
    ) -> Self:
        """Add a flow.

        Args:
            source: the node that sends.
            target: the node that receives.
            variant: TCP variant: a preset (``"newreno"``) or ``recovery+control`` (``"sack+reno"``).
            profile: set of endpoint parameters: ``"rfc"``, ``"linux"`` or ``"ns2"``.
            start: when it begins (``"0s"``).
            stop: when its source falls silent.
            traffic: what is sent: a kind's name (``"ftp"``), or a table (``{"kind": "cbr", "rate": "1Mbps",
                ...}``).
            name: its name in results.
            flow_class: its class, 0 (served first by ``priority`` queues) to 7.
            access_category: in 802.11 networks with ``edca``: ``"background"``, ``"best-effort"``, ``"video"``,
                ``"voice"``.
            tcp: further TCP parameters (``{"segment": "1000B", "max_window": 20}``).

        """
        table: Document = {"from": source, "to": target}
        optional = {
            "name": name,
            "start": start,
            "stop": stop,
            "class": flow_class,
            "access_category": access_category,
        }
        table.update({key: value for key, value in optional.items() if value is not None})
        if traffic is not None:
            table["traffic"] = {"kind": traffic} if isinstance(traffic, str) else dict(traffic)
        parameters = tcp_table(variant, profile, tcp)
        if parameters:
            table["tcp"] = parameters
        self._append("flow", table)
        return self

    def event(self, at: str, path: str, to: object) -> Self:
        """Change a value while the scenario runs: ``net.event("10s", "link.0.rate", "1Mbps")``."""
        self._append("event", {"at": at, "set": path, "to": to})
        return self

    def scenario(self, duration: str | None = None, *, seed: int | None = None) -> Scenario:
        """Return what has been built so far as a `Scenario`."""
        head = {"duration": duration, "seed": seed}
        return Scenario(
            {**{key: value for key, value in head.items() if value is not None}, **self._document}
        )

    def document(self) -> Document:
        """Return what has been built so far, as dictionaries and lists."""
        return copy.deepcopy(self._document)

    def to_toml(self) -> str:
        """Return what has been built so far as TOML text."""
        return to_toml(self._document)

    def run(
        self, duration: str, *, seed: int | None = None, traces: Iterable[str] = (), bin_s: float = 1.0
    ) -> Run:
        """Run it for `duration`; the same as ``net.scenario(duration).run(...)``."""
        return self.scenario(duration).run(seed=seed, traces=traces, bin_s=bin_s)

    def _append(self, kind: str, table: Mapping[str, object]) -> None:
        self._document.setdefault(kind, []).append(copy.deepcopy(dict(table)))


def load(path: str | Path, settings: Iterable[str] = ()) -> Scenario:
    """Read a scenario from a TOML file (or JSON, by its ending), apply ``PATH=VALUE`` settings, and check it.

    Raises:
        FileError: where the file cannot be read.
        ScenarioError: where its content makes no sense; it names the field, and the line where that is known.

    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as why:
        raise FileError.unreadable(path, why) from why
    form: Literal["json", "toml"] = "json" if path.suffix.lower() == ".json" else "toml"
    given = list(settings)
    if any("*" in setting.partition("=")[0] for setting in given):
        scenario = Scenario(json.loads(_core.check(text, form, [], path.parent)))
        return scenario.apply(given)
    return Scenario(json.loads(_core.check(text, form, given, path.parent)))


def dumbbell(
    variants: Sequence[str] = ("newreno",),
    *,
    rate: str = "10Mbps",
    delay: str = "20ms",
    queue: Queue = 50,
    access_rate: str = "100Mbps",
    access_delay: str = "1ms",
    access_queue: Queue | None = None,
    flows: int | None = None,
    starts: Sequence[str] | None = None,
    stagger: str | None = None,
    profile: str | None = None,
    tcp: Mapping[str, object] | None = None,
    loss: Loss | None = None,
    duration: str = "60s",
) -> Scenario:
    """Senders s0.., receivers d0.., and one bottleneck between routers r0 and r1, which is link 0.

    Args:
        variants: one flow each, in order.
        rate: of the bottleneck.
        delay: of the bottleneck, one way.
        queue: of the bottleneck: packets (the one in transmission included), bytes, or a table.
        access_rate: of every link between a host and its router.
        access_delay: of every such link, one way.
        access_queue: of every such link; the core's default where None.
        flows: number of flows, where it is not one per variant: the variants are dealt out in turn.
        starts: when each flow begins.
        stagger: time from one flow's start to the next one's, in place of `starts`.
        profile: endpoint profile of every flow.
        tcp: further TCP parameters of every flow.
        loss: on the bottleneck, from r0 to r1.
        duration: length of the run.

    """
    net = Network()
    count = len(variants) if flows is None else flows
    net.link("r0", "r1", rate=rate, delay=delay, queue=queue, loss=loss)
    begins = starts_of(count, starts, stagger)
    for i in range(count):
        net.link(f"s{i}", "r0", rate=access_rate, delay=access_delay, queue=access_queue)
        net.link("r1", f"d{i}", rate=access_rate, delay=access_delay, queue=access_queue)
    for i in range(count):
        net.flow(
            f"s{i}", f"d{i}", variant=variants[i % len(variants)], profile=profile, start=begins[i], tcp=tcp
        )
    return net.scenario(duration)


def parking_lot(
    hops: int = 3,
    *,
    variant: str = "newreno",
    cross: str | None = None,
    rate: str = "10Mbps",
    delay: str = "10ms",
    queue: Queue = 50,
    access_rate: str = "100Mbps",
    access_delay: str = "1ms",
    access_queue: Queue | None = None,
    profile: str | None = None,
    tcp: Mapping[str, object] | None = None,
    duration: str = "60s",
) -> Scenario:
    """One long flow (flow 0, s to d) over `hops` bottlenecks r0-r1-.., each crossed by a flow c_i to e_i.

    Links 0 to hops-1 are the bottlenecks in order. `variant` is the long flow's, `cross` that of the others
    (the same where None). The other arguments are those of `dumbbell`, for each bottleneck alike.
    """
    net = Network()
    for i in range(hops):
        net.link(f"r{i}", f"r{i + 1}", rate=rate, delay=delay, queue=queue)
    ends = [("s", "r0"), (f"r{hops}", "d")]
    for i in range(hops):
        ends += [(f"c{i}", f"r{i}"), (f"r{i + 1}", f"e{i}")]
    for a, b in ends:
        net.link(a, b, rate=access_rate, delay=access_delay, queue=access_queue)
    net.flow("s", "d", variant=variant, profile=profile, tcp=tcp)
    for i in range(hops):
        net.flow(f"c{i}", f"e{i}", variant=variant if cross is None else cross, profile=profile, tcp=tcp)
    return net.scenario(duration)


def chain(
    hops: int = 2,
    *,
    variants: Sequence[str] = ("newreno",),
    rate: str = "10Mbps",
    delay: str = "10ms",
    queue: Queue = 50,
    flows: int | None = None,
    profile: str | None = None,
    tcp: Mapping[str, object] | None = None,
    loss: Loss | None = None,
    duration: str = "60s",
) -> Scenario:
    """Nodes n0-n1-.. in a row, `hops` links alike, one flow per variant from the first node to the last.

    `flows` is the number of flows where it is not one per variant; `loss` is on the last link, away from the
    sender. The other arguments are those of `dumbbell`.
    """
    net = Network()
    for i in range(hops):
        last = i == hops - 1
        net.link(f"n{i}", f"n{i + 1}", rate=rate, delay=delay, queue=queue, loss=loss if last else None)
    for i in range(len(variants) if flows is None else flows):
        net.flow("n0", f"n{hops}", variant=variants[i % len(variants)], profile=profile, tcp=tcp)
    return net.scenario(duration)


def queue_table(queue: Queue) -> Document:
    """Return the ``queue`` table for a number of packets, a size in bytes, or a table as it is."""
    if isinstance(queue, Mapping):
        return dict(queue)
    return {"kind": "droptail", "packets" if isinstance(queue, int) else "bytes": queue}


def loss_table(loss: Loss, *, toward: str) -> Document | list[Document]:
    """Return the ``loss`` value: a bare probability is for each packet that goes `toward` that node."""
    if isinstance(loss, Mapping):
        return dict(loss)
    if isinstance(loss, int | float):
        return {"kind": "random", "rate": float(loss), "toward": toward}
    return [dict(one) for one in loss]


def tcp_table(variant: str | None, profile: str | None, tcp: Mapping[str, object] | None) -> Document:
    """Return the ``tcp`` table of a flow, without what is not given."""
    named = {"variant": variant, "profile": profile}
    return {**{key: value for key, value in named.items() if value is not None}, **(tcp or {})}


def starts_of(count: int, starts: Sequence[str] | None, stagger: str | None) -> list[str | None]:
    """Return each flow's start: as listed, or i times `stagger`, or none given."""
    if starts is not None:
        if len(starts) != count:
            raise ValueError(f"starts lists {len(starts)} times for {count} flows")
        return list(starts)
    if stagger is None:
        return [None] * count
    return [times(stagger, i) for i in range(count)]


def times(quantity: str, factor: int) -> str:
    """Multiply the number in a quantity such as ``"100ms"``; its unit is left for the core to judge."""
    split = re.fullmatch(r"\s*([0-9.]+)\s*([^0-9.\s]\S*)\s*", quantity)
    if split is None:
        return quantity
    return f"{(Decimal(split[1]) * factor).normalize():f}{split[2]}"


def expand(setting: str, document: Mapping[str, Any]) -> list[str]:
    """Turn a setting with ``*`` into one per entry: ``flow.*.stop=9s`` into ``flow.0.stop=9s``, ..."""
    path, equals, value = setting.partition("=")
    found = [""]
    for part in path.split("."):
        if part == "*":
            found = [f"{head}.{i}" for head in found for i in range(_length(document, head))]
        else:
            found = [f"{head}.{part}" if head else part for head in found]
    return [f"{one}{equals}{value}" for one in found]


def _length(document: Mapping[str, Any], path: str) -> int:
    """Return how many entries the list at `path` has; 0 where there is no list."""
    here: Any = document
    for part in path.split("."):
        if isinstance(here, Mapping):
            here = here.get(part)
        elif isinstance(here, list) and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        else:
            return 0
    return len(here) if isinstance(here, list) else 0
