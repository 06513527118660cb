"""Description of a comparison's inputs: path, flows, losses and replications."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ackclock import _core
from ackclock.lint.world import World
from ackclock.runs.bottleneck import RULE
from ackclock.scenario.path_properties import Path, path_of
from ackclock.sweeps.randomness import said

if TYPE_CHECKING:
    from ackclock.comparisons.comparison import Comparison


SIMULATOR: Final = f"ackclock {_core.__version__}"


def provenance(found: Comparison) -> list[tuple[str, str]]:
    """Return a comparison's inputs as pairs of a heading and a text."""
    plan = found.plan
    worlds = {label: World.read(one) for label, one in plan.scenarios.items()}
    paths = {label: path_of(one.described, plan.own[0], one.roads) for label, one in worlds.items()}
    flows = worlds[found.variants[0]].described["flow"]
    rows = [("surroundings", plan.where)] if plan.where else []
    rows += [
        ("flows under test", _named(flows, plan.own)),
        *([(f"flows of {plan.against}", _named(flows, plan.other))] if plan.against else []),
    ]
    named = {*plan.own, *plan.other}
    rest = [i for i in range(len(flows)) if i not in named]
    if rest:
        rows.append(("other flows", _named(flows, rest)))
    if any(paths.values()):
        rows += [
            (f"path of {flows[plan.own[0]]['name']}", _alike({k: _path(v) for k, v in paths.items()})),
            ("its queue", _alike({k: _queue(v) for k, v in paths.items()})),
        ]
    if found.bottleneck is not None:
        rows.append(("bottleneck", _bottleneck(found)))
    lossy = {label: _lossy(one.view) for label, one in plan.scenarios.items()}
    for link in dict.fromkeys(link for one in lossy.values() for link in one):
        rows.append((f"loss on {link}", _alike({k: v.get(link, "none") for k, v in lossy.items()})))
    seeds = [job.seed for job in found.jobs[found.variants[0]]]
    documents = {label: one.view for label, one in plan.scenarios.items()}
    rows += [
        ("profile", _alike({label: _profiles(one, plan.own) for label, one in documents.items()})),
        ("length of a run", _alike({label: str(one["duration"]) for label, one in documents.items()})),
        (
            "replications",
            f"{found.reps}, seeds {seeds[0]} to {seeds[-1]}, the same for every variant",
        ),
        (
            "random between replications",
            _alike({label: said(found.jobs[label][0]) for label in found.variants}),
        ),
        ("simulator", SIMULATOR),
    ]
    return rows


def _alike(texts: Mapping[str, str]) -> str:
    """Return the text that all labels share; if texts differ, all of them with their labels."""
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"{label}: {text}" for label, text in texts.items())


def _path(path: Path | None) -> str:
    if path is None:
        return "not of links alone"
    return (
        f"slowest link {path.bottleneck}: {path.rate_bps / 1e6:g} Mb/s; round trip without load "
        f"{path.rtt_s * 1e3:g} ms; bandwidth-delay product {path.bdp_packets:.3g} packets of "
        f"{path.packet_bytes} B"
    )


def _lossy(document: Mapping[str, Any]) -> dict[str, str]:
    links = (link for link in document.get("link", ()) if link.get("loss"))
    return {"-".join(link["between"]): _losses(link["loss"]) for link in links}


def _profiles(document: Mapping[str, Any], own: Sequence[int]) -> str:
    return ", ".join(sorted({document["flow"][i].get("tcp", {}).get("profile", "rfc") for i in own}))


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


def _queue(path: Path | None) -> str:
    if path is None:
        return "none"
    if math.isnan(path.queue_packets):
        return path.queue
    limit = "no limit" if math.isinf(path.queue_packets) else f"{path.queue_packets:.4g} packets"
    products = (
        f", {path.queue_packets / path.bdp_packets:.2g} bandwidth-delay products" if path.bdp_packets else ""
    )
    return limit if math.isinf(path.queue_packets) else limit + products


def _losses(loss: Any) -> str:
    tables: list[dict[str, Any]] = loss if isinstance(loss, list) else [loss]
    return "; ".join(", ".join(f"{key} {value}" for key, value in one.items()) for one in tables)
