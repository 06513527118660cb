"""Independence of replications, judged by their drops: which packets were dropped, and in which order.

In a deterministic network a start jitter moves every number a little, and yet the replications repeat a few
sequences of drops exactly (phase effects: Floyd and Jacobson 1992). Goodput does not show that; the digest of the
drops does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ackclock.lint.world import World

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario

NO_DROPS = "0" * 16
"""Digest of a run in which nothing was dropped or marked."""


def drop_sequences(scenario: Scenario, summaries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a key for each replication of a scenario; two with the same key are not independent."""
    timed = has_random_times(scenario)
    return [drop_sequence(summary, timed=timed) for summary in summaries]


def has_random_times(scenario: Scenario) -> bool:
    """Tell whether something random decides when packets come, besides losses."""
    return World(scenario.document(), scenario.describe()).has_random_times


def drop_sequence(summary: Mapping[str, Any], *, timed: bool) -> str:
    """Return a key of a run's drops and their order: the digest of its drops.

    The flows' results are part of it if nothing was dropped, or if the times of packets are random whatever is
    dropped (`timed`: radio, delay jitter, random traffic). Two such runs repeat each other only if all their
    numbers are the same.
    """
    digest = drop_digest(summary)
    if digest != NO_DROPS and not timed:
        return digest
    results = json.dumps(summary["flows"], sort_keys=True)
    return f"{digest} {hashlib.sha256(results.encode()).hexdigest()}"


def drop_digest(summary: Mapping[str, Any]) -> str:
    """Return the digest of a run's sequence of drops, 16 hexadecimal digits, from its summary."""
    # Sweep folders of an earlier version have summaries without it.
    return str(summary["manifest"].get("drop_digest", NO_DROPS))


def repeats(keys: Mapping[str, Sequence[str]]) -> str | None:
    """Return a remark on the replications of each label that share a sequence of drops; None if none do."""
    counts = {label: (len(set(some)), len(some)) for label, some in keys.items()}
    few = {label: pair for label, pair in counts.items() if pair[0] < pair[1]}
    if not few:
        return None
    each = "; ".join(f"{label + ': ' if label else ''}{n} of {all_}" for label, (n, all_) in few.items())
    return (
        f"replications repeat each other: they drop the same packets in the same order (distinct: {each}; phase "
        "effects), so there are fewer independent ones than the intervals take them for. Perturbed packet times, a "
        "larger --start-jitter, random loss or other traffic makes them differ"
    )


def has_ties(summary: Mapping[str, Any]) -> bool:
    """Tell whether packets of a run met a full queue in the instant of another event."""
    return any(link["tied_packets"] for link in summary["links"])


def tied_remark(tied: Sequence[bool]) -> list[str]:
    """Return the remark on runs with ties, given which ones have any; empty if none has."""
    if not any(tied):
        return []
    runs = "the run" if len(tied) == 1 else f"{sum(tied)} of {len(tied)} runs"
    return [
        f"ties: in {runs} packets met full queues in the instant of another event, so the order of simultaneous events "
        "decided what was dropped; --ties shows how far results go without them"
    ]
