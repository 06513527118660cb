"""Declarations of the options of comparisons; most are shared with sweeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ackclock._io.options import Kind, Option, Options
from ackclock.sweeps.options import (
    BOTTLENECK,
    FLAG,
    LEVEL,
    MEASURE,
    NAME,
    PERCENT,
    REPS,
    SEED,
    SEND_OVERHEAD,
    START_JITTER,
    TIES,
    UNTIL,
)

QUANTITY: Final = Kind(str, lambda x: isinstance(x, str), "a quantity", python="object")
COUNT: Final = Kind(int, lambda x: isinstance(x, int) and x > 0, "a whole number, 1 or more", low=1)


def _times(given: Any, _name: str) -> Any:
    return [one.strip() for one in given.split(",")] if isinstance(given, str) and "," in given else given


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions(Options):
    """Options that affect the results of a comparison, in addition to the variants and scenarios."""

    against: str | None = Option(
        "Run each variant beside flows of VARIANT (friendliness).", "VARIANT", NAME
    ).field()
    by: str = Option(
        "What to rank by; table runs of: ackclock list metrics.", "MEASURE", NAME, "goodput_bps"
    ).field()
    measure: str | None = MEASURE.field()
    reference: str | None = Option(
        "The variant that differences are taken from [the best].", "LABEL", NAME
    ).field()
    reps: int = REPS.field()
    until: float | None = UNTIL.field()
    seed: int | None = SEED.field()
    jitter_s: float | None = START_JITTER.field()
    overhead_s: float | None = SEND_OVERHEAD.field()
    level: float = LEVEL.field()
    margin: float = Option(
        "Differences within this many per cent do not matter: the verdict says so, however certain they are.",
        "PERCENT",
        PERCENT,
        1.0,
    ).field()
    bottleneck: str | None = BOTTLENECK.field()
    watch: bool = Option(
        "Record packets and windows, for distributions of delay and windows over time. Takes twice the time.",
        "",
        FLAG,
        default=True,
        called="packets",
    ).field()
    ties: bool = TIES.field()


@dataclass(frozen=True, kw_only=True)
class TopologyOptions(Options):
    """Options of a ready-made topology; the topology's default applies to an option that is None."""

    topology: str = Option("dumbbell, parking_lot or chain.", "NAME", NAME, "dumbbell").field()
    rate: str | None = Option("Rate of each bottleneck [10Mbps].", "RATE", QUANTITY).field()
    delay: str | None = Option(
        "Its one-way delay [20ms; parking lot, chain: 10ms].", "TIME", QUANTITY
    ).field()
    queue: str | None = Option(
        "Its queue: packets (50), bytes (64KiB), or bandwidth-delay products of flow 0's path [1bdp]; of another kind: "
        "codel, red:2bdp.",
        "QUEUE",
        QUANTITY,
    ).field()
    hops: int | None = Option("Links in a row: parking lot [3], chain [2].", "N", COUNT).field()
    access_rate: str | None = Option("Rate of the access links [100Mbps].", "RATE", QUANTITY).field()
    access_delay: str | None = Option("One-way delay of each access link [1ms].", "TIME", QUANTITY).field()
    rtt: str | None = Option(
        "Round-trip time of each flow without load, in turn: dumbbell; in place of --access-delay.",
        "A,B",
        Kind(
            str,
            lambda x: isinstance(x, str | list),
            "times, separated by commas",
            read=_times,
            python="object",
        ),
    ).field()
    flows: int | None = Option("Flows of a dumbbell or a chain [2].", "N", COUNT).field()
    stagger: str | None = Option(
        "Time from one flow's start to the next one's: dumbbell [0s].", "TIME", QUANTITY
    ).field()
    loss: str | None = Option(
        "Probability, 0 to 1, that the bottleneck loses a data packet: dumbbell, chain [0].", "P", QUANTITY
    ).field()
    duration: str | None = Option("Length of each run [60s].", "TIME", QUANTITY).field()
    profile: str | None = Option(
        "Endpoint profile [rfc]; see: ackclock list profiles.", "NAME", QUANTITY
    ).field()
