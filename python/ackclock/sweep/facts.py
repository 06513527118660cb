"""What a comparison was made of, in words: path, flows, losses, replications."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.bottleneck import RULE
from ackclock.paths import Path, path_of

if TYPE_CHECKING:
    from ackclock.sweep.comparison import Comparison


def facts(found: Comparison) -> list[tuple[str, str]]:
    """Return pairs of what and how."""
    plan = found.plan
    document = plan.scenarios[found.variants[0]].document()
    described = plan.scenarios[found.variants[0]].describe()
    path = path_of(described, plan.own[0])
    flows = described["flow"]
    rows = [("surroundings", plan.where)] if plan.where else []
    rows += [
        ("flows under test", _named(flows, plan.own)),
        *([(f"flows of {plan.against}", _named(flows, plan.other))] if plan.against else []),
    ]
    rest = [i for i in range(len(flows)) if i not in (*plan.own, *plan.other)]
    if rest:
        rows.append(("other flows", _named(flows, rest)))
    if path is not None:
        rows += [
            (
                f"path of {flows[plan.own[0]]['name']}",
                f"slowest link {path.bottleneck}: {path.rate_bps / 1e6:g} Mb/s; round trip without load "
                f"{path.rtt_s * 1e3:g} ms; bandwidth-delay product {path.bdp_packets:.3g} packets of "
                f"{path.packet_bytes} B",
            ),
            ("its queue", _queue(path)),
        ]
    if found.bottleneck is not None:
        rows.append(("bottleneck", _bottleneck(found)))
    rows += [
        (f"loss on {'-'.join(link['between'])}", _losses(link["loss"]))
        for link in document.get("link", ())
        if link.get("loss")
    ]
    profiles = sorted({document["flow"][i].get("tcp", {}).get("profile", "rfc") for i in plan.own})
    seeds = [job.seed for job in found.jobs[found.variants[0]]]
    rows += [
        ("profile", ", ".join(profiles)),
        ("length of a run", str(document["duration"])),
        (
            "replications",
            f"{found.reps}, seeds {seeds[0]} to {seeds[-1]}, the same for every variant; from the second on each "
            f"flow starts up to {plan.jitter_s:g} s later",
        ),
        ("simulator", f"ackclock {_core.__version__}"),
    ]
    return rows


def _bottleneck(found: Comparison) -> str:
    one = found.bottleneck
    if one is None:
        return "none"
    why = "as asked for" if found.plan.bottleneck else f"{RULE} of the first run of {found.variants[0]}"
    return f"{one.label}: {why}, busy for {one.share:.0%} of it"


def _named(flows: Sequence[Mapping[str, Any]], chosen: Sequence[int]) -> str:
    shown = [f"{flows[i]['name']} ({flows[i]['from']} to {flows[i]['to']})" for i in chosen[:4]]
    more = len(chosen) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _queue(path: Path) -> str:
    if math.isnan(path.queue_packets):
        return path.queue
    room = "no limit" if math.isinf(path.queue_packets) else f"{path.queue_packets:.4g} packets"
    products = (
        f", {path.queue_packets / path.bdp_packets:.2g} bandwidth-delay products" if path.bdp_packets else ""
    )
    return room if math.isinf(path.queue_packets) else room + products


def _losses(loss: Any) -> str:
    tables: list[dict[str, Any]] = loss if isinstance(loss, list) else [loss]
    return "; ".join(", ".join(f"{key} {value}" for key, value in one.items()) for one in tables)
