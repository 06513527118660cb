"""Declarations of the options of sweeps, some of which comparisons share.

`ackclock._io.options` explains how declarations are used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from ackclock._io.options import Kind, Option, Options
from ackclock.stats import statistics

MOST_REPS: Final = 200
"""Maximum number of replications with ``--until``, even if intervals are still too wide."""

MOST_RUNS: Final = 1_000_000
"""Maximum number of replications of one point."""


def _is_whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda x: isinstance(x, int) and not isinstance(x, bool) and low <= x <= high


def _is_number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda x: (
        isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) and low <= x <= high
    )


def _seconds(text: Any, name: str) -> float:
    from ackclock.sweeps.quantities import seconds

    return seconds(text, name)


def _listed(names: Any, _name: str) -> Any:
    return names if isinstance(names, str) else ",".join(str(name) for name in names)


def _share(percent: Any, _name: str) -> Any:
    return percent / 100 if isinstance(percent, int | float) else percent


def seconds_up_to(most: float) -> Kind:
    """Return the kind of a time option: text with a unit, stored in seconds, at most `most` seconds."""
    return Kind(str, _is_number(0.0, most), f"seconds, 0 to {most:,.0f}", read=_seconds)


REPS_RANGE: Final = Kind(int, _is_whole(1, MOST_RUNS), f"a whole number, 1 to {MOST_RUNS:,}", low=1)
SEED_RANGE: Final = Kind(int, _is_whole(0, 2**64 - 1), "a whole number, 0 to 2^64 - 1", low=0, high=2**63 - 1)
PRECISION: Final = Kind(
    float, _is_number(1e-4, math.inf), "a fraction, 0.0001 or more", low=0.01, read=_share
)
PERCENT: Final = Kind(float, _is_number(0.0, 1.0), "a fraction, 0 to 1", low=0.0, high=100.0, read=_share)
CONFIDENCE: Final = Kind(float, _is_number(0.5, 0.9999), "a probability, 0.5 to 0.9999", low=0.5, high=0.9999)
NAME: Final = Kind(str, lambda x: isinstance(x, str), "a name")
TEXT: Final = Kind(str, lambda x: isinstance(x, str), "text")
FLAG: Final = Kind(bool, lambda x: isinstance(x, bool), "true or false")


REPS: Final = Option("Replications, on seeds N, N+1, ...; an interval needs two.", "N", REPS_RANGE, 10)
UNTIL: Final = Option(
    f"Add replications, up to {MOST_REPS}, until every interval is within this many per cent of its mean.",
    "PERCENT",
    PRECISION,
)
SEED: Final = Option("Seed of every random draw, in place of the scenario's own.", "N", SEED_RANGE)
START_JITTER: Final = Option(
    "Each flow starts later by a random time up to this [10 round trips of the longest path].",
    "TIME",
    seconds_up_to(1e6),
    called="start_jitter",
    former="jitter",
)
SEND_OVERHEAD: Final = Option(
    "Each sender takes a random time up to this to send what its window lets go; 0s: none [the time of a packet at "
    "the bottleneck].",
    "TIME",
    seconds_up_to(10.0),
    called="send_overhead",
)
LEVEL: Final = Option("Confidence of the intervals.", "P", CONFIDENCE, statistics.LEVEL)
BOTTLENECK: Final = Option(
    "Where utilisation and queue are measured: a link (by name, number or as a>b), an 802.11 network or an LTE "
    "cell [the busiest].",
    "NAME",
    NAME,
    page="See [the bottleneck](compare.md#the-bottleneck).",
)
TIES: Final = Option(
    "Say how far results go on links that differ by up to 1e-6 (ties) and 1e-3 (phase): 20 further runs for each run.",
    "",
    FLAG,
    default=False,
    page="Takes 20 times the time; see [ties and phases](../howto/see-ties.md).",
)


MEASURE: Final = Option(
    "Further measures, also of groups of flows: goodput_bps:bbr/*, goodput_share:cubic, goodput_bps:bbr:cubic "
    "(a ratio), fct_p99_s:..100kB.",
    "A,B",
    Kind(
        str,
        lambda x: isinstance(x, str),
        "names, separated by commas",
        read=_listed,
        python="str | list[str] | tuple[str, ...]",
    ),
    always=False,
    page="See [measures of groups](compare.md#measures-of-groups-of-flows).",
)
REPLACE: Final = Option("Replace the tables of another sweep in the folder.", "", FLAG, default=False)
BY_POINT: Final = Option(
    "For results that do not fit in memory: folders flows and runs with a Parquet file for each point.",
    "",
    FLAG,
    default=False,
)


@dataclass(frozen=True, kw_only=True)
class SweepOptions(Options):
    """Options that affect the results of a sweep, in addition to its scenario and axes."""

    reps: int = REPS.field()
    until: float | None = replace(UNTIL, always=False).field()
    by: str = Option(
        "Measure whose intervals `until` is about, and that is looked at first.",
        "MEASURE",
        NAME,
        "goodput_bps",
        typed=False,
        always=False,
        beside="until",
    ).field()
    seed: int | None = SEED.field()
    jitter_s: float | None = START_JITTER.field()
    overhead_s: float | None = SEND_OVERHEAD.field()
    level: float = LEVEL.field()
    bottleneck: str | None = BOTTLENECK.field()
    ties: bool = replace(TIES, always=False).field()
    measure: str | None = MEASURE.field()


@dataclass(frozen=True, kw_only=True)
class FolderOptions(Options):
    """Options for the output folder of a sweep."""

    replace: bool = REPLACE.field()
    by_point: bool = BY_POINT.field()
