"""Printing of the effect of ties on a run's results; in a tie several events happen at the same instant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ackclock.stats.text import brief

if TYPE_CHECKING:
    from ackclock.cli.fit import Table
    from ackclock.runs.ties import RunSpreads


def tied(summary: Mapping[str, Any], *, ties: bool = False) -> list[str]:
    """Return a remark if packets arrived at a full queue at the instant of another event.

    `ties` is True if the user gave ``--ties``, which the remark otherwise suggests.
    """
    found = {link["name"]: link["tied_packets"] for link in summary["links"] if link.get("tied_packets")}
    if not found:
        return []
    most = max(found, key=lambda name: found[name])
    places = f"{most}{f' and {len(found) - 1} more' if len(found) > 1 else ''}"
    count = sum(found.values())
    advice = "" if ties else "; run --ties shows how far results go without them"
    met = "packet met a full queue" if count == 1 else "packets met full queues"
    return [
        f"ties: {count:,} {met} ({places}) in the instant of another event, so the order of simultaneous events "
        f"decided what was dropped{advice}"
    ]


def spreads_table(found: RunSpreads) -> Table:
    """Return the table of the flows' goodput and completion times with their spreads by ties and by phase."""
    from ackclock.cli.console import table
    from ackclock.cli.results import MOST_ROWS
    from ackclock.runs.ties import HOW

    rows = []
    for i, flow in enumerate(found.summary["flows"][:MOST_ROWS]):
        for key, title, scale in (("goodput_bps", "goodput (Mb/s)", 1e-6), ("fct_s", "done (s)", 1.0)):
            if flow.get(key) is not None:
                ranges = found.spread(i, key).texts(partial(brief, scale=scale, digits=4))
                rows.append([flow["name"], title, brief(flow[key], scale, 4), *ranges])
    return table(f"ties: {HOW}", ["flow", "result", "here", "by ties", "by phase"], rows, left=2)


def order_said(found: RunSpreads) -> list[str]:
    """Return a remark on each pair of flows whose order by goodput depends on ties or on phase."""
    return [f"The order of {a} and {b} hangs on {size}." for a, b, size in found.order()]
