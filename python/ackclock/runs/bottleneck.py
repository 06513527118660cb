"""The rule by which every table, figure, report and page determines the bottleneck of a run.

The bottleneck of a run is the resource with the highest utilisation. A resource is one direction of a link, the channel
of an 802.11 network (busy if at least one station transmits), or one direction of an LTE cell (share of resource blocks
used). If several resources have the same utilisation, the first is the bottleneck. A user can name another resource
instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ackclock.errors import UserError, choices

RULE = "the busiest link direction, 802.11 channel or LTE cell"
"""The rule in short, for help texts and notes."""


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """A resource that packets share, with its utilisation over a run."""

    name: str
    """Name: ``a>b`` for a link direction, ``air of NETWORK``, ``downlink of CELL`` or ``uplink of CELL``."""
    share: float
    """Utilisation: share of the run in which the resource was busy, 0 to 1."""
    names: tuple[str, ...] = ()
    """Other names by which a user may select the resource: a link's name and number, an 802.11 network, an LTE cell and
    its network."""
    link: Mapping[str, Any] | None = None
    """Row of table ``links``; None if the resource is not a link."""

    @property
    def label(self) -> str:
        """The name of the resource, followed by the link's own name if the link has one."""
        own = self.names[0] if self.link is not None else ""
        return f"{self.name} ({own})" if own else self.name

    def value(self, column: str) -> float | None:
        """Return a value from the link's row of table ``links``; None if there is no link or no value."""
        found = None if self.link is None else self.link.get(column)
        return None if found is None else float(found)


def shared(summary: Mapping[str, Any]) -> list[Bottleneck]:
    """Return every resource of a run with its utilisation: link directions, 802.11 channels, then LTE cells."""
    found = [
        Bottleneck(
            str(link["name"]),
            float(link["utilisation"] or 0.0),
            (str(link.get("link") or ""), str(i // 2)),
            link,
        )
        for i, link in enumerate(summary["links"])
    ]
    found += [
        Bottleneck(f"air of {network['name']}", float(network["utilisation"]), (str(network["name"]),))
        for network in summary.get("wifi", ())
    ]
    for cell in summary.get("cells", ()):
        names = (str(cell["cell"]), str(cell["network"]))
        found += [
            Bottleneck(f"{way} of {cell['cell']}", float(cell[f"{way}_utilisation"]), names)
            for way in ("downlink", "uplink")
        ]
    return found


def bottleneck(summary: Mapping[str, Any], wanted: str | None = None) -> Bottleneck | None:
    """Return the bottleneck of a run; None if the run has neither links nor radio networks.

    Args:
        summary: The run's parsed summary.
        wanted: Name of a resource, in place of the busiest: a link direction (``r0>r1``), a link by name or number, an
            802.11 network, or an LTE cell. If the name fits several resources, the busiest of them is returned.

    Raises:
        UserError: If no resource has that name; the message lists the names.

    """
    found = shared(summary)
    if wanted is not None:
        meant = [one for one in found if wanted == one.name or wanted in one.names]
        if not meant:
            raise UserError(f"--bottleneck: there is no {wanted!r}{choices(wanted, *_allowed(found))}")
        found = meant
    return max(found, key=lambda one: one.share) if found else None


def _allowed(found: Sequence[Bottleneck]) -> tuple[list[str], str]:
    """Return all names of the resources, and as text one name of each: a link's own name, or its direction."""
    every = [name for one in found for name in (one.name, *one.names) if name]
    shown = list(dict.fromkeys(one.names[0] if one.link and one.names[0] else one.name for one in found))
    more = "" if len(shown) <= MOST_SHOWN else f", ... ({len(shown)} in all)"
    return every, ", ".join(shown[:MOST_SHOWN]) + more


MOST_SHOWN = 16
"""Maximum number of names that a message lists."""
