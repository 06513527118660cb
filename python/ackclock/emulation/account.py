"""The account of an emulation (``emulation`` in ``summary.json``), with types and meanings, which give its schema."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict, get_args, get_origin, get_type_hints


class OfEnd(TypedDict):
    """One end of an emulation."""

    node: Annotated[str, "node of the scenario"]
    namespace: Annotated[str, "network namespace that stands for it"]
    address: Annotated[str, "address of its device"]
    control: Annotated[str | None, "congestion control of the kernel there"]
    entered_packets: Annotated[int, "packets read from its device"]
    device_dropped_packets: Annotated[int, "packets that its device dropped before they were read"]


OfFlow = TypedDict(
    "OfFlow",
    {
        "name": Annotated[str, "name of the flow in the tables"],
        "protocol": Annotated[str, "protocol of its packets"],
        "from": Annotated[str | None, "address and port of its source"],
        "to": Annotated[str | None, "address and port of its destination"],
    },
)
"""A real connection in one direction."""


class Account(TypedDict):
    """Lateness of the packets, the kernel, the ends and the flows of an emulation."""

    ending: Annotated[str, "reason of the end: duration, command or stopped"]
    kept_up: Annotated[bool, "at most one packet in a hundred was late by more than the bound"]
    packets: Annotated[int, "packets written to the devices"]
    late_packets: Annotated[int, "packets that were late by more than the bound"]
    late_bound_s: Annotated[float, "the bound"]
    lateness_p50_s: Annotated[float | None, "median lateness of the packets"]
    lateness_p99_s: Annotated[float | None, "99th percentile of the packets' lateness"]
    lateness_max_s: Annotated[float | None, "greatest lateness of a packet"]
    longest_turn_s: Annotated[float, "longest time that the loop took from one wait to the next"]
    refused_packets: Annotated[int, "packets that a device did not accept"]
    unreadable_packets: Annotated[int, "packets read that are no IP packets, and were left out"]
    priority: Annotated[str, "scheduling priority of the emulator"]
    kernel: Annotated[str, "release of the machine's kernel"]
    ends: Annotated[list[OfEnd], "the two ends"]
    flows: Annotated[list[OfFlow], "the real connections"]


KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def schema(kind: Any = Account) -> dict[str, Any]:
    """Return the JSON Schema of a type of this module."""
    if get_origin(kind) is Annotated:
        inner, meaning = get_args(kind)
        return {**schema(inner), "description": meaning}
    if get_origin(kind) is list:
        return {"type": "array", "items": schema(get_args(kind)[0])}
    if kind in KINDS:
        return {"type": KINDS[kind]}
    if arms := get_args(kind):
        return {"type": [KINDS[arm] for arm in arms]}
    hints = get_type_hints(kind, include_extras=True)
    return {
        "type": "object",
        "properties": {name: schema(hint) for name, hint in hints.items()},
        "required": list(hints),
    }
