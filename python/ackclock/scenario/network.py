"""Builder of scenarios, to which nodes, links, flows and events are added one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias, Unpack

from ackclock.errors import UserError, choices
from ackclock.scenario.scenario import Document, Scenario
from ackclock.scenario.toml import copied, to_toml

if TYPE_CHECKING:
    from ackclock import types
    from ackclock.control.control import Control
    from ackclock.runs.run import Run

Queue: TypeAlias = "int | str | types.Queue | Mapping[str, Any]"
"""A queue, as in TOML and on the command line: a limit, a kind (``"codel"``), both (``"codel:2bdp"``), or a table.

The limit is in packets (including the one in transmission), bytes (``"64KiB"``) or bandwidth-delay products
(``"2bdp"``).
"""

Loss: TypeAlias = "float | types.Loss | Mapping[str, Any] | Sequence[types.Loss | Mapping[str, Any]]"
"""Random losses: the loss probability of each packet, 0 to 1, or one or more ``loss`` tables as in the TOML file."""


class Network:
    """A builder of scenarios; its methods add nodes, links, flows and events.

    ::

        net = ac.Network()
        net.link("a", "b", rate="10Mbps", delay="1ms", queue=50)
        net.flow("a", "b", variant="newreno")
        net.run("10s", seed=1)

    A node exists as soon as a link, a flow or a radio network names it. Each method returns the network, so calls can
    be chained.
    """

    def __init__(self) -> None:
        """Start with an empty network."""
        self._document: Document = {}

    def node(
        self,
        name: str,
        *,
        gateway: types.Gateway | Mapping[str, Any] | None = None,
        position: Sequence[float] | None = None,
        placement: types.Placement | Mapping[str, Any] | None = None,
        mobility: types.Mobility | Mapping[str, Any] | None = None,
        address: str | None = None,
        count: int | None = None,
        **parameters: object,
    ) -> Self:
        """Add settings to a node: TCP proxy, position, movement or address.

        Args:
            name: Name by which links, flows and radio networks refer to the node.
            gateway: Proxy for the TCP connections through the node: ``{"kind": "split"}``.
            position: Position in metres: ``[x, y]`` or ``[x, y, z]``.
            placement: Rule for the initial position, in place of `position`: ``{"kind": "disc", "radius": 20}``.
            mobility: Movement: ``{"kind": "random-walk", "bounds": [0, 50, 0, 50]}``.
            address: IPv4 address in captures and in FlowMonitor's XML: ``"10.1.1.1"``.
            count: Number of such nodes; ``{i}`` in texts is replaced by the number of each, from 0.
            parameters: Further keys of the ``[[node]]`` table.
        """
        optional = {
            "gateway": gateway,
            "position": position,
            "placement": placement,
            "mobility": mobility,
            "address": address,
            "count": count,
        }
        given = {key: value for key, value in optional.items() if value is not None}
        self._append("node", {"name": name, **given, **parameters})
        return self

    def station(
        self,
        name: str,
        *,
        network: str | None = None,
        position: Sequence[float] | None = None,
        placement: types.Placement | Mapping[str, Any] | None = None,
        mobility: types.Mobility | Mapping[str, Any] | None = None,
    ) -> Self:
        """Add a station (in LTE a UE) to the only radio network, or to the one named `network`.

        The other arguments are those of `node`.

        Raises:
            UserError: If there is no such network.
        """
        key, table = self._network(network)
        if name not in table.setdefault(key, []):
            table[key].append(name)
        return self.node(name, position=position, placement=placement, mobility=mobility)

    def wifi(self, **parameters: Unpack[types.FileWifi]) -> Self:
        """Add an 802.11 network, given the keys of a ``[[wifi]]`` table.

        ``net.wifi(standard="g", stations=["ap"], access_point="ap")``; `station` adds further stations.
        """
        self._append("wifi", parameters)
        return self

    def lte(self, **parameters: Unpack[types.FileLte]) -> Self:
        """Add an LTE network, given the keys of an ``[[lte]]`` table.

        ``net.lte(gateway="agw", ue=[], enb=[{"position": [0, 0, 30]}])``; `station` adds UEs.
        """
        self._append("lte", parameters)
        return self

    def link(
        self,
        a: str,
        b: str,
        *,
        rate: str | types.LinkRate | Mapping[str, Any],
        delay: str,
        queue: Queue | None = None,
        loss: Loss | None = None,
        reverse: types.Reverse | Mapping[str, Any] | None = None,
        name: str | None = None,
        count: int | None = None,
        step: int | None = None,
        jitter: types.Jitter | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        reorder: types.Reorder | Sequence[types.Reorder] | None = None,
        duplicate: types.Duplicate | Sequence[types.Duplicate] | None = None,
        framing: str | None = None,
        **parameters: object,
    ) -> Self:
        """Add a full-duplex link between two nodes.

        ``net.link("a", "b", rate="10Mbps", delay="20ms", queue="2bdp", loss=0.01, name="bottleneck")``

        Args:
            a: Node at one end.
            b: Node at the other end.
            rate: Transmission rate of both directions, ``"10Mbps"``, or ``{"trace": "FILE"}`` in mahimahi's format.
            delay: One-way propagation delay of both directions, ``"1ms"``.
            queue: Queue before each direction: packets (including the one in transmission), bytes (``"64KiB"``),
                bandwidth-delay products (``"2bdp"``), a kind (``"codel"``), or a table (``{"kind": "fq-codel"}``).
            loss: Loss probability of each packet from `a` to `b`, or tables as in the TOML file.
            reverse: Rate, delay or queue of the direction from `b` to `a`, if different.
            name: Name of the link in paths: ``link.NAME.rate``.
            count: Number of identical links; ``{i}`` in texts is replaced by the number of each.
            step: Difference between the numbers of successive links; 1 if not given.
            jitter: Random extra delay of each packet: ``{"kind": "uniform", "max": "5ms"}``.
            reorder: Packets that are delayed so that later ones overtake them: ``{"rate": 0.01, "delay": "5ms"}``.
            duplicate: Packets that are delivered twice: ``{"rate": 0.01}``.
            framing: Bytes of link-layer framing per packet: ``"2B"`` for PPP, ``"38B"`` for Ethernet.
            parameters: Further keys of the ``[[link]]`` table.

        """
        table: Document = {"between": [a, b], "rate": rate, "delay": delay}
        more: Document = {"queue": queue, "loss": loss, "reverse": reverse, "name": name}
        more |= {"count": count, "step": step}
        more |= {"jitter": jitter, "reorder": reorder, "duplicate": duplicate, "framing": framing}
        table.update({key: value for key, value in more.items() if value is not None})
        self._append("link", {**table, **parameters})
        return self

    def flow(
        self,
        source: str,
        target: str,
        *,
        variant: str | type[Control] | None = None,
        profile: str | None = None,
        start: str | None = None,
        stop: str | None = None,
        traffic: str | types.Traffic | Mapping[str, Any] | None = None,
        name: str | None = None,
        count: int | None = None,
        step: int | None = None,
        flow_class: int | None = None,
        access_category: str | None = None,
        tcp: types.Tcp | Mapping[str, object] | None = None,
        quic: types.Quic | Mapping[str, object] | None = None,
        stack: types.Stack | Mapping[str, object] | None = None,
        kernel: types.Kernel | Mapping[str, object] | None = None,
    ) -> Self:
        """Add a flow.

        ``net.flow("a", "b", variant="cubic", start="1s", name="bulk")``

        Args:
            source: Node that sends.
            target: Node that receives.
            variant: TCP variant: a preset (``"newreno"``), ``recovery+control`` (``"sack+reno"``), a user-defined
                congestion control (a class), or a transport stack (``"quinn-cubic"``).
            profile: Set of endpoint parameters: ``"rfc"``, ``"linux"``, ``"ns2"`` or ``"ns3"``.
            start: Time at which the flow starts (``"0s"``).
            stop: Time at which its source stops.
            traffic: Traffic: a kind's name (``"ftp"``), or a table (``{"kind": "cbr", "rate": "1Mbps"}``).
            name: Name of the flow in results.
            count: Number of identical flows; ``{i}`` in texts is replaced by the number of each. With a start of
                ``"0s + 0.5s"`` each flow starts half a second after the one before.
            step: Difference between the numbers of successive flows; 1 if not given.
            flow_class: Class for ``priority`` queues, 0 (served first) to 7.
            access_category: Access category in 802.11 networks with ``edca``: ``"background"``, ``"best-effort"``,
                ``"video"`` or ``"voice"``.
            tcp: Further TCP parameters (``{"segment": "1000B", "max_window": 20}``).
            quic: QUIC stack in place of TCP (``{"variant": "quinn-cubic", "receive_window": "5MB"}``).
            stack: Transport stack of your own in place of TCP (``{"variant": "mine"}``).
            kernel: TCP of Linux itself in place of the simulator's (``{"control": "cubic"}``); needs ``make kernel``.

        """
        table: Document = {"from": source, "to": target}
        optional = {
            "name": name,
            "start": start,
            "stop": stop,
            "count": count,
            "step": step,
            "class": flow_class,
            "access_category": access_category,
        }
        table.update({key: value for key, value in optional.items() if value is not None})
        if traffic is not None:
            table["traffic"] = {"kind": traffic} if isinstance(traffic, str) else dict(traffic)
        parameters = tcp_table(variant, profile, tcp)
        if parameters:
            table["tcp"] = parameters
        if quic is not None:
            table["quic"] = dict(quic)
        if stack is not None:
            table["stack"] = dict(stack)
        if kernel is not None:
            table["kernel"] = dict(kernel)
        self._append("flow", table)
        return self

    def event(self, at: str, path: str, to: object) -> Self:
        """Change a setting at a simulated time, as in ``net.event("10s", "link.bottleneck.rate", "1Mbps")``."""
        self._append("event", {"at": at, "set": path, "to": to})
        return self

    def scenario(self, duration: str | None = None, *, seed: int | None = None) -> Scenario:
        """Return the network in its current state as a `Scenario`."""
        head = {"duration": duration, "seed": seed}
        return Scenario(
            {**{key: value for key, value in head.items() if value is not None}, **self._document}
        )

    def document(self) -> Document:
        """Return the network in its current state as dictionaries and lists with the TOML file's keys."""
        return copied(self._document)

    def to_toml(self) -> str:
        """Return the network in its current state as TOML text."""
        return to_toml(self._document)

    def run(
        self, duration: str, *, seed: int | None = None, traces: Iterable[str] = (), bin_s: float = 1.0
    ) -> Run:
        """Run the network for `duration`; short for ``net.scenario(duration).run()``."""
        return self.scenario(duration).run(seed=seed, traces=traces, bin_s=bin_s)

    def _network(self, name: str | None) -> tuple[str, Document]:
        """Return a radio network's key for its list of stations, and its table."""
        there = [("stations", one) for one in self._document.get("wifi", [])]
        there += [("ue", one) for one in self._document.get("lte", [])]
        found = [one for one in there if name is None or one[1].get("name") == name]
        if not found:
            names = [str(one["name"]) for _, one in there if "name" in one]
            if name is None or not names:
                raise UserError("add the radio network first: net.wifi(...) or net.lte(...)")
            raise UserError(f"there is no radio network {name!r}{choices(name, names)}")
        if name is None and len(found) > 1:
            raise UserError("there are several radio networks: say which one with network=NAME")
        return found[0]

    def _append(self, kind: str, table: Mapping[str, object]) -> None:
        self._document.setdefault(kind, []).append(copied(dict(table)))


def variant_name(variant: str | type[Control]) -> str:
    """Return a variant's name; a class is registered as a variant first."""
    if isinstance(variant, str):
        return variant
    from ackclock.control.loading import registered

    return registered(variant)


def tcp_table(
    variant: str | type[Control] | None, profile: str | None, tcp: types.Tcp | Mapping[str, object] | None
) -> Document:
    """Return a flow's ``tcp`` table, without the values that are None."""
    named = {"variant": None if variant is None else variant_name(variant), "profile": profile}
    table = {**{key: value for key, value in named.items() if value is not None}, **(tcp or {})}
    if ".py:" in (name := str(table.get("variant"))):
        from ackclock.control.loading import call

        call(name)
    return table
