"""Variants with parameters in the command line's notation: ``reno:decrease=0.7,min_rto=1s``."""

from __future__ import annotations

import json
import re
import tomllib
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ackclock import _core
from ackclock.errors import ScenarioError, UserError, choices
from ackclock.scenario.scenario import Document, Scenario
from ackclock.scenario.toml import plain
from ackclock.scenario.topologies import dumbbell
from ackclock.sweeps.axes import split_values

FORM = "[LABEL=]VARIANT[:PARAMETER=VALUE,...]   for example reno:decrease=0.7   or   gentle=sack:min_rto=1s"
"""The notation of a variant, for help and errors."""

OWN = re.compile(r"(?:(?P<label>[^=():]*)=)?(?P<name>[^=]*\.py:[A-Za-z_]\w*)(?::(?P<listed>.*))?")
"""Pattern of a variant whose congestion control is in a Python file."""

FORMULA = ("=", "+", "-", "@")
"""Characters with which a spreadsheet formula begins."""


@dataclass(frozen=True)
class Variant:
    """A variant of TCP or of a stack, with those of its parameters that differ from the base scenario."""

    label: str
    """Name of the variant in tables, figures and file names."""
    name: str
    """Name of a preset (``reno``), or recovery and control (``sack+reno``)."""
    control: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the congestion control."""
    tcp: Mapping[str, Any] = field(default_factory=dict)
    """Other TCP parameters, including the profile."""

    @classmethod
    def parse(cls, text: str) -> Variant:
        """Parse ``[LABEL=]VARIANT[:PARAMETER=VALUE,...]``.

        A parameter's name is looked up first in the variant's congestion control, then in the flow's ``tcp`` table. A
        value is parsed as TOML; if it is not TOML, it is text.

        Raises:
            UserError: If the text has another form, or there is no such variant or parameter; the message suggests the
                nearest name.
        """
        own = OWN.fullmatch(text.strip())
        if own is not None:
            return cls._own(text, own["label"], own["name"], own["listed"])
        head, colon, listed = text.partition(":")
        if head.lower().startswith("ns3") and listed.startswith(":"):  # such as ns3::TcpNewReno
            name, colon, listed = listed[1:].partition(":")
            head = f"{head}::{name}"
        label, equals, name = head.rpartition("=")
        if not name.strip() or "(" in head or (equals and not label.strip()):
            raise UserError(f"cannot read the variant {text!r}\n  wanted: {FORM}")
        return cls._with(text, label, _of_today(name.strip()), listed if colon else None)

    @classmethod
    def _own(cls, text: str, label: str | None, name: str, listed: str | None) -> Variant:
        """Return a variant whose control is in a Python file; the file that the user names may be in any folder."""
        from ackclock.control.loading import call, split

        call(name)
        recovery, _ = split(name)
        short = f"{recovery}+{name.rpartition(':')[2]}" if recovery else name.rpartition(":")[2]
        return cls._with(text, label or (f"{short}:{listed}" if listed else short), name, listed)

    @classmethod
    def _with(cls, text: str, label: str, name: str, listed: str | None) -> Variant:
        """Return the variant with the parameters in `listed`."""
        given = [one.strip() for one in split_values(listed)] if listed is not None else []
        if not all("=" in one for one in given):
            raise UserError(f"cannot read the variant {text!r}\n  wanted: {FORM}")
        check_label(label.strip(), text)
        known_control, known_tcp = parameters(name)
        control: dict[str, Any] = {}
        tcp: dict[str, Any] = {}
        for one in given:
            key, _, value = (part.strip() for part in one.partition("="))
            if key not in known_control and key not in known_tcp:
                raise UserError(_unknown(text, name, key, known_control, known_tcp))
            (control if key in known_control else tcp)[key] = toml_value(value)
        return cls(label.strip() or text.strip(), name, control, tcp)

    def on(self, scenario: Scenario, flows: Collection[int]) -> Scenario:
        """Return the scenario with this variant on `flows`.

        The base scenario's parameters of congestion controls are removed, and all its TCP parameters if the old or the
        new variant is a QUIC stack's.
        """
        own = plain({"variant": self.name, **self.tcp, "control": self.control})
        changed = list(scenario.view["flow"])
        made: dict[str, Document] = {}
        for index in flows:
            flow = dict(changed[index])
            # TCP parameters are not valid for a stack, nor a stack's parameters for TCP.
            stack = is_stack(flow.get("tcp", {}).get("variant", ""))
            for key in ("quic", "stack"):
                stack |= flow.pop(key, None) is not None
            kept = {} if stack or is_stack(self.name) else flow.get("tcp", {})
            table = {key: value for key, value in {**kept, **own}.items() if key != "control"}
            if self.control:
                table["control"] = own["control"]
            # Flows with equal tables share one, which makes a document of thousands of flows small.
            flow["tcp"] = made.setdefault(repr(table), table)
            changed[index] = flow
        return Scenario.of_plain({**scenario.view, "flow": changed})

    @property
    def own(self) -> str:
        """Parameters of the variant as text; empty if there are none."""
        return ", ".join(f"{key} = {value}" for key, value in {**self.control, **self.tcp}.items())


def _of_today(name: str) -> str:
    """Return the current name of a variant; if `name` is a former name, warn."""
    for one in json.loads(_core.catalogue("former-names")):
        if not one["table"] and one["name"] == name.lower():
            message = (
                f"variant {name} is called {one['now']} now: the next version will not know the old name"
            )
            warnings.warn(message, FutureWarning, stacklevel=3)
            return str(one["now"])
    return name


def check_label(label: str, text: str) -> None:
    """Raise `UserError` for a label that a spreadsheet would evaluate; `text` is the variant as the user typed it."""
    if label[:1] in FORMULA:
        raise UserError(
            f"the label of {text!r} begins like a formula, which spreadsheets would work out\n"
            f"  allowed: a label that begins with none of {' '.join(FORMULA)}"
        )


def stems(labels: Sequence[str]) -> list[str]:
    """Return a different file name stem for each label; the stems also differ if case is ignored."""
    found: list[str] = []
    for label in labels:
        plain = re.sub(r"[^A-Za-z0-9.+_-]+", "_", label).strip("_.") or "variant"
        name, n = plain, 1
        while name.lower() in (one.lower() for one in found):
            n += 1
            name = f"{plain}-{n}"
        found.append(name)
    return found


def is_stack(name: str) -> bool:
    """Return true if a variant is a transport stack (``ackclock list stacks``)."""
    return name.lower() in stacks()


@cache
def stacks() -> frozenset[str]:
    """Return the names of all transport stacks."""
    return frozenset(one["name"] for one in json.loads(_core.catalogue("stacks")))


def parameters(name: str) -> tuple[list[str], list[str]]:
    """Return the names of the parameters of a variant's congestion control, and those of its table.

    Raises:
        UserError: If there is no such variant.

    """
    try:
        flow: dict[str, Any] = dumbbell([name]).describe()["flow"][0]
    except ScenarioError as why:
        if name.endswith((".toml", ".json")):
            raise UserError(f"{name} is a file, not a variant\n  wanted: --scenario {name}") from why
        raise UserError(re.sub(r"^flow\.0\.(tcp|quic|stack)\.variant: ", "", str(why))) from why
    for table in ("quic", "stack"):
        if table in flow:
            return [], [key for key in flow[table] if key != "variant"]
    tcp = flow["tcp"]
    own = tcp.pop("control", None) or {}
    return list(own), ["profile", *(key for key in tcp if key != "variant")]


def toml_value(text: str) -> Any:
    """Parse a value as TOML; if that fails, return it as text, as ``--set`` does."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def _unknown(text: str, name: str, key: str, control: list[str], tcp: list[str]) -> str:
    own = f"{', '.join(control)} (congestion control); " if control else ""
    allowed = choices(key, [*control, *tcp], f"{own}{', '.join(tcp)} (tcp)")
    return f"{text}: {name} has no parameter {key!r}{allowed}"
