"""Groups of flows, by name, variant, number or size: ``bbr/*``, ``cubic``, ``variant=bbr``, ``web*@100kB..1MB``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Final, TypeAlias

from ackclock import _core
from ackclock.errors import UserError, choices

Flow: TypeAlias = Mapping[str, Any]
"""Record of a flow in a summary; for a flow of a scenario, the keys `KEYS` are enough."""

KEYS: Final = ("name", "variant", "size_bytes", "completions")
"""Keys of a flow's record on which groups depend."""

FORM: Final = (
    "NAME, VARIANT or NUMBER (with * and ?), @LOW..HIGH for sizes: bbr/*, cubic, ..100kB, web*@1MB.."
)
"""Notation of groups, for help and errors."""

CHOSEN: Final = "chosen"
"""Value of ``requests_of`` in the rows of completion times that a group with sizes selects, in place of ``class``."""

BY_VARIANT: Final = "variant="
"""Prefix that chooses a group by variant even if a flow has that name."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of flows, determined anew for each run."""

    text: str
    """The group in the notation of the user."""
    pattern: str = "*"
    """Pattern with ``*`` and ``?``, matched against names of flows; if none matches, against variants, then numbers."""
    least: float = 0.0
    """Minimum size of a flow's file, bytes, inclusive."""
    most: float = math.inf
    """Maximum size of a flow's file, bytes, exclusive."""
    sized: bool = False
    """True if sizes restrict the group to files of known size, and to classes of sessions' responses."""

    @classmethod
    def parse(cls, text: str) -> Group:
        """Parse a group.

        Raises:
            UserError: If the text has another form.
        """
        given = text.strip()
        pattern, at, sizes = given.rpartition("@")
        if not at:
            pattern, sizes = ("*", given) if _is_range(given) else (given, "")
        if not pattern or (at and not _is_range(sizes)):
            raise UserError(f"cannot read the group of flows {text!r}\n  wanted: {FORM}")
        if not sizes:
            return cls(given, pattern)
        low, _, high = sizes.partition("..")
        least, most = _bytes(low, 0.0), _bytes(high, math.inf)
        if not least < most:
            raise UserError(f"{text}: no size is at least {low} and below {high}")
        return cls(given, pattern, least, most, sized=True)

    def members(self, flows: Sequence[Flow]) -> list[int]:
        """Return the numbers of the flows in the group, given the records of all flows of a run.

        A flow with sessions is in a group of sizes if a class of its responses lies within these sizes.
        """
        chosen = self._named(flows)
        if not self.sized:
            return chosen
        sizes = ((i, flows[i].get("size_bytes")) for i in chosen)
        fit = {i for i, size in sizes if size is not None and self.least <= size < self.most}
        return [i for i in chosen if i in fit or any(map(self._holds, flows[i].get("completions", ())))]

    def chosen(self, flows: Sequence[Flow]) -> list[Flow]:
        """Return the records of the flows in the group; with sizes, flows with sessions keep only fitting classes."""
        members = [flows[i] for i in self.members(flows)]
        return [self._narrowed(flow) if self.sized and flow.get("completions") else flow for flow in members]

    def _holds(self, row: Mapping[str, Any]) -> bool:
        """Return true if a row of completion times is of a size class that lies within the group's sizes."""
        below = row["below_bytes"] if row["below_bytes"] is not None else math.inf
        return bool(row["requests_of"] == "class" and self.least <= row["from_bytes"] and below <= self.most)

    def _narrowed(self, flow: Flow) -> Flow:
        rows = [{**row, "requests_of": CHOSEN} for row in flow["completions"] if self._holds(row)]
        return {**flow, "completions": rows}

    def _named(self, flows: Sequence[Flow]) -> list[int]:
        if self.pattern == "*":
            return list(range(len(flows)))
        variant = self.pattern.removeprefix(BY_VARIANT)
        if variant == self.pattern:
            found = [i for i, flow in enumerate(flows) if fnmatchcase(str(flow["name"]), self.pattern)]
            if found:
                return found
        found = [i for i, flow in enumerate(flows) if fnmatchcase(str(flow["variant"]), variant)]
        if not found and self.pattern.isdigit() and int(self.pattern) < len(flows):
            return [int(self.pattern)]
        return found

    def check(self, runs: Iterable[Sequence[Flow]], what: str) -> None:
        """Raise `UserError` if the group is empty in every run, given the runs' flows; `what` names the option."""
        seen = list(runs)
        if any(self.members(flows) for flows in seen):
            return
        names = [str(flow["name"]) for flow in (seen[0] if seen else ())]
        variants = list(dict.fromkeys(str(flow["variant"]) for flows in seen for flow in flows))
        listed = f"names {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}; variants {', '.join(variants)}"
        if self.sized:
            listed += "; sizes are those of traffic.size, and of whole classes of sessions (traffic.classes)"
        raise UserError(
            f"{what}: no flow is in {self.text!r}{choices(self.pattern, [*names, *variants], listed)}"
        )


def described_flows(described: Mapping[str, Any]) -> list[Flow]:
    """Return the flows of a scenario's description, with the keys on which groups depend."""
    return [
        {
            "name": flow["name"],
            "variant": (flow.get("tcp") or flow.get("quic") or flow.get("stack") or {}).get("variant", "udp"),
            "size_bytes": _size((flow.get("traffic") or {}).get("size")),
            "completions": _classes(flow.get("traffic") or {}),
        }
        for flow in described.get("flow", ())
    ]


def _classes(traffic: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the classes of a flow with sessions as rows of completion times without values."""
    if traffic.get("kind") != "sessions":
        return []
    bounds = [_size(bound) for bound in traffic.get("classes", ())]
    ends = zip([0.0, *bounds], [*bounds, None], strict=True)
    return [{"requests_of": "class", "from_bytes": low, "below_bytes": high} for low, high in ends]


def _size(given: object) -> float | None:
    if given is None:
        return None
    return float(given) if isinstance(given, int | float) else _core.size_bytes(str(given))


def _is_range(text: str) -> bool:
    low, dots, high = text.partition("..")
    if not dots or not (low or high):
        return False
    try:
        _bytes(low, 0.0), _bytes(high, math.inf)
    except ValueError:
        return False
    return True


@cache
def _bytes(text: str, absent: float) -> float:
    return float(_core.size_bytes(text.strip())) if text.strip() else absent
