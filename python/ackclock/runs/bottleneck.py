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
    return [*(_link(i, link) for i, link in enumerate(summary["links"])), *_radios(summary)]


def share_of(summary: Mapping[str, Any], name: str) -> list[float]:
    """Return the utilisation of each resource of a run that has this name."""
    links = [float(link["utilisation"] or 0.0) for link in summary["links"] if link["name"] == name]
    return [*links, *(one.share for one in _radios(summary) if one.name == name)]


def _link(number: int, row: Mapping[str, Any]) -> Bottleneck:
    """Return a link direction, given its row of table ``links`` and the row's number."""
    names = (str(row.get("link") or ""), str(number // 2))
    return Bottleneck(str(row["name"]), float(row["utilisation"] or 0.0), names, row)


def _radios(summary: Mapping[str, Any]) -> list[Bottleneck]:
    """Return the 802.11 channels and the LTE cells of a run."""
    found = [
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
    links, found = summary["links"], _radios(summary)
    meant: Sequence[int] = range(len(links))
    if wanted is not None:
        number = int(wanted) if wanted.isdecimal() and wanted == str(int(wanted)) else -1
        meant = [
            i
            for i, row in enumerate(links)
            if wanted == row["name"] or wanted == (row.get("link") or "") or i // 2 == number
        ]
        found = [one for one in found if wanted == one.name or wanted in one.names]
        if not meant and not found:
            raise UserError(
                f"--bottleneck: there is no {wanted!r}{choices(wanted, *_allowed(shared(summary)))}"
            )
    if meant:
        busiest = max(meant, key=lambda i: links[i]["utilisation"] or 0.0)
        found.insert(0, _link(busiest, links[busiest]))
    return max(found, key=lambda one: one.share) if found else None


def _allowed(found: Sequence[Bottleneck]) -> tuple[list[str], str]:
    """Return all names of the resources, and as text one name of each: a link's own name, or its direction."""
    every = [name for one in found for name in (one.name, *one.names) if name]
    shown = list(dict.fromkeys(one.names[0] if one.link and one.names[0] else one.name for one in found))
    more = "" if len(shown) <= MOST_SHOWN else f", ... ({len(shown)} in all)"
    return every, ", ".join(shown[:MOST_SHOWN]) + more


MOST_SHOWN = 16
"""Maximum number of names that a message lists."""
