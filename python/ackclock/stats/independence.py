"""Independence of replications, judged by their drop sequences: the packets dropped, in order.

In a deterministic network a start jitter changes every result a little, but replications repeat a few drop sequences
exactly (phase effects: Floyd and Jacobson 1992). Goodput does not show such repetitions; a digest of the drops does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ackclock.lint.world import World

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario

NO_DROPS = "0" * 16
"""Digest of a run without dropped or marked packets."""


def drop_sequences(scenario: Scenario, summaries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a key for each replication's drop sequence; replications with equal keys are dependent."""
    timed = has_random_times(scenario)
    return [drop_sequence(summary, timed=timed) for summary in summaries]


@lru_cache(maxsize=64)
def has_random_times(scenario: Scenario) -> bool:
    """Return true if random processes other than losses affect packet times."""
    return World.read(scenario).has_random_times


def drop_sequence(summary: Mapping[str, Any], *, timed: bool) -> str:
    """Return a key for a run's drop sequence, usually the digest of its drops in order.

    The key includes the results of the flows if no packet was dropped, or if `timed` is true because random processes
    other than losses (radio, delay jitter, random traffic) affect packet times. Two such runs count as repeated only if
    all results are equal.
    """
    digest = drop_digest(summary)
    if digest != NO_DROPS and not timed:
        return digest
    results = json.dumps(summary["flows"], sort_keys=True)
    return f"{digest} {hashlib.sha256(results.encode()).hexdigest()}"


def drop_digest(summary: Mapping[str, Any]) -> str:
    """Return the digest of a run's drops, 16 hexadecimal digits, from its summary."""
    # Summaries stored by earlier versions lack the digest.
    return str(summary["manifest"].get("drop_digest", NO_DROPS))


def repeats(keys: Mapping[str, Sequence[str]]) -> str | None:
    """Return a remark about labels whose replications repeat drop sequences; None if no label has any."""
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
    """Return true if any packet of a run arrived at a full queue at the same instant as another event."""
    return any(link["tied_packets"] for link in summary["links"])


def tied_remark(tied: Sequence[bool]) -> list[str]:
    """Return the remark about runs with ties, given whether each run has any; empty if no run has."""
    if not any(tied):
        return []
    runs = "the run" if len(tied) == 1 else f"{sum(tied)} of {len(tied)} runs"
    return [
        f"ties: in {runs} packets met full queues in the instant of another event, so the order of simultaneous events "
        "decided what was dropped; --ties shows how far results go without them"
    ]
