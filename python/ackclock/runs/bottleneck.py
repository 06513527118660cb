"""The bottleneck: one rule for every table, figure, report and page.

The bottleneck of a run is the resource that was busy for the greatest share of it. A resource is one direction of a
link, the air of an 802.11 network (at least one station transmits), or one direction of an LTE cell (resource
blocks used). Of equals it is the first. A user who means another one names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ackclock.errors import UserError, choices

RULE = "the busiest link direction, 802.11 channel or LTE cell"
"""The rule in a few words, for help texts and notes."""


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """A resource that packets share, with the share of a run in which it was busy."""

    name: str
    """``a>b`` of a link; ``air of NETWORK``; ``downlink of CELL``, ``uplink of CELL``."""
    share: float
    """Share of the run in which it was busy, 0 to 1."""
    names: tuple[str, ...] = ()
    """Its other names: the link's name and number, the network, the cell."""
    link: Mapping[str, Any] | None = None
    """Its row of table ``links``, if it is a link."""

    @property
    def label(self) -> str:
        """The name, with that of the link if it has one."""
        own = self.names[0] if self.link is not None else ""
        return f"{self.name} ({own})" if own else self.name

    def value(self, column: str) -> float | None:
        """Return a value of its row of table ``links``; None if it is not a link, or the row has none."""
        found = None if self.link is None else self.link.get(column)
        return None if found is None else float(found)


def shared(summary: Mapping[str, Any]) -> list[Bottleneck]:
    """Return every resource that can be a run's bottleneck, with its busy share: links, then 802.11, then LTE."""
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
    """Return the bottleneck of a run from its parsed summary; None if it has neither links nor radio networks.

    Args:
        summary: of the run.
        wanted: the one that is meant, instead of the busiest: a direction (``r0>r1``), a link by name or number, an
            802.11 network, an LTE cell. If that stands for several, the busiest of them.

    Raises:
        UserError: if there is none of that name; it lists them.

    """
    found = shared(summary)
    if wanted is not None:
        meant = [one for one in found if wanted == one.name or wanted in one.names]
        if not meant:
            raise UserError(f"--bottleneck: there is no {wanted!r}{choices(wanted, *_allowed(found))}")
        found = meant
    return max(found, key=lambda one: one.share) if found else None


def _allowed(found: Sequence[Bottleneck]) -> tuple[list[str], str]:
    """Return every name, and the names to show: a direction of each link, or the name that it has."""
    every = [name for one in found for name in (one.name, *one.names) if name]
    shown = list(dict.fromkeys(one.names[0] if one.link and one.names[0] else one.name for one in found))
    more = "" if len(shown) <= MOST_SHOWN else f", ... ({len(shown)} in all)"
    return every, ", ".join(shown[:MOST_SHOWN]) + more


MOST_SHOWN = 16
"""Names that a message lists, at most."""
