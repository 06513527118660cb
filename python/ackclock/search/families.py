"""Families of scenarios: which paths and which cross traffic a search may choose, each as numbers within bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ackclock.errors import UserError, choices
from ackclock.search.case import (
    Burst,
    Case,
    DelayChange,
    Drop,
    Part,
    Path,
    RateChange,
    Rival,
    Spike,
    significant,
)

__all__ = ["FAMILIES", "Family", "Gene", "family_of"]

Values: TypeAlias = Mapping[str, float]


@dataclass(frozen=True)
class Gene:
    """A number that a search chooses, within bounds.

    Attributes:
        name: Name, unique within its family.
        low: Least value.
        high: Greatest value.
        logarithmic: True if the logarithm is searched.
    """

    name: str
    low: float
    high: float
    logarithmic: bool = False

    def value(self, x: float) -> float:
        """Return the value at a position from 0 to 1, rounded to three significant digits."""
        x = min(max(x, 0.0), 1.0)
        if self.logarithmic:
            return significant(float(self.low * (self.high / self.low) ** x), 3)
        return significant(float(self.low + (self.high - self.low) * x), 3)


@dataclass(frozen=True)
class Family:
    """Scenarios of one kind.

    Attributes:
        name: Value of ``--family``.
        summary: Paths and disturbances with their bounds.
        measures: Names of the measures for which the family is searched unless another is named.
        genes: Numbers that a search chooses.
        build: Function that makes the disturbances from the numbers and the length of the run.
        duration_s: Length of a run, s.
    """

    name: str
    summary: str
    measures: tuple[str, ...]
    genes: tuple[Gene, ...]
    build: Callable[[Values, float], Sequence[Part]]
    duration_s: float = 20.0

    def case(self, x: Sequence[float], duration_s: float | None = None, seed: int = 1) -> Case:
        """Return the candidate at a point of the unit cube, which has a dimension for each gene."""
        values = {gene.name: gene.value(at) for gene, at in zip(self.genes, x, strict=True)}
        length_s = self.duration_s if duration_s is None else duration_s
        path = Path(1e6 * values["rate"], values["rtt"], values["queue"])
        return Case(path, tuple(self.build(values, length_s)), length_s, seed)


PATH: Final = (Gene("rate", 2.0, 20.0, True), Gene("rtt", 0.01, 0.1, True), Gene("queue", 0.5, 4.0, True))
"""The path: rate in Mb/s, round-trip propagation delay in s, queue in bandwidth-delay products."""

DROPS: Final = 12
"""Maximum number of lost packets."""

CHANGES: Final = 6
"""Maximum number of changes of the rate."""

ROUTES: Final = 3
"""Maximum number of changes of the route."""


SPIKES: Final = 4
"""Maximum number of spikes of the delay."""


def _numbered(stem: str, count: int, *of: tuple[str, float, float, bool]) -> tuple[Gene, ...]:
    return tuple(
        Gene(f"{stem}{i}.{name}", low, high, logarithmic)
        for i in range(count)
        for name, low, high, logarithmic in of
    )


def _steady(_values: Values, _duration_s: float) -> Sequence[Part]:
    return ()


def _drops(values: Values, _duration_s: float) -> Sequence[Part]:
    """Return drops: the first by its number, each further one by its distance, if that is 1 or more."""
    at, found = round(values["first"]), []
    for i in range(DROPS):
        gap = values[f"drop{i}.gap"]
        if i and gap < 1:
            continue
        at += round(gap) if i else 0
        found.append(Drop(at))
    return found


def _times(values: Values, stem: str, count: int, duration_s: float) -> list[tuple[float, int]]:
    """Return the times of changes, ascending, each with the number of its genes."""
    times = [(significant(values[f"{stem}{i}.at"] * duration_s, 3), i) for i in range(count)]
    return sorted(times)


def _rates(values: Values, duration_s: float) -> Sequence[Part]:
    rate_bps = 1e6 * values["rate"]
    return [
        RateChange(at_s, significant(rate_bps * values[f"rate{i}.share"], 3))
        for at_s, i in _times(values, "rate", CHANGES, duration_s)
    ]


def _routes(values: Values, duration_s: float) -> Sequence[Part]:
    return [
        DelayChange(at_s, values[f"route{i}.rtt"]) for at_s, i in _times(values, "route", ROUTES, duration_s)
    ]


def _spikes(values: Values, duration_s: float) -> Sequence[Part]:
    return [
        Spike(
            at_s, min(values[f"spike{i}.length"], significant(0.1 * duration_s, 3)), values[f"spike{i}.extra"]
        )
        for at_s, i in _times(values, "spike", SPIKES, duration_s)
    ]


def _bursts(values: Values, _duration_s: float) -> Sequence[Part]:
    period_s = values["period"]
    on_s = significant(period_s * values["on"], 3)
    rate_bps = significant(1e6 * values["rate"] * values["peak"], 3)
    return [Burst(values["start"], rate_bps, on_s, period_s)]


def _rivals(values: Values, duration_s: float) -> Sequence[Part]:
    return [Rival(significant(values["start"] * duration_s, 3), values["extra"])]


SPIKE: Final = _numbered(
    "spike", SPIKES, ("at", 0.05, 0.85, False), ("length", 0.005, 1.0, True), ("extra", 0.02, 2.0, True)
)
BURST: Final = (
    Gene("start", 0.1, 3.0),
    Gene("period", 0.1, 4.0, True),
    Gene("on", 0.02, 0.2, True),
    Gene("peak", 0.5, 2.0),
)
RATE: Final = _numbered("rate", CHANGES, ("at", 0.05, 0.9, False), ("share", 0.1, 2.0, True))
ROUTE: Final = _numbered("route", ROUTES, ("at", 0.05, 0.9, False), ("rtt", 0.01, 0.2, True))
DROP: Final = (Gene("first", 1, 2000, True), *_numbered("drop", DROPS, ("gap", 0.1, 1000, True)))

FAMILIES: Final = {
    one.name: one
    for one in (
        Family(
            "drops",
            f"2 to 20 Mb/s, 10 to 100 ms, a queue of 0.5 to 4 BDP; up to {DROPS} packets of the flow are lost",
            ("goodput",),
            (*PATH, *DROP),
            _drops,
        ),
        Family(
            "rates",
            f"the same paths; the rate changes up to {CHANGES} times, to 0.1 to 2 times the first",
            ("goodput", "delay", "loss"),
            (*PATH, *RATE),
            _rates,
        ),
        Family(
            "routes",
            f"the same paths; the route changes up to {ROUTES} times, to an RTT of 10 to 200 ms",
            ("goodput", "delay", "loss"),
            (*PATH, *ROUTE),
            _routes,
            30.0,
        ),
        Family(
            "spikes",
            f"the same paths; up to {SPIKES} times, for 5 ms to 1 s, packets take 20 ms to 2 s longer",
            ("goodput", "delay", "loss"),
            (*PATH, *SPIKE),
            _spikes,
        ),
        Family(
            "bursts",
            "the same paths; bursts of datagrams at 0.5 to 2 times the rate, one in 0.1 to 4 s, 2 to 20 % of the time",
            ("goodput", "delay", "loss"),
            (*PATH, *BURST),
            _bursts,
        ),
        Family(
            "mixed",
            "all of the disturbances above together",
            ("goodput", "delay", "loss"),
            (*PATH, *DROP, *RATE, *ROUTE, *SPIKE, *BURST),
            lambda values, duration_s: [
                part
                for build in (_drops, _rates, _routes, _spikes, _bursts)
                for part in build(values, duration_s)
            ],
        ),
        Family(
            "rivals",
            "the same paths; a second flow starts in the first quarter of the run, with an RTT longer by 0 to 100 ms",
            ("starvation",),
            (*PATH, Gene("start", 0.0, 0.25), Gene("extra", 0.0, 0.1)),
            _rivals,
            30.0,
        ),
        Family(
            "steady",
            "the same paths with a queue of 1 to 4 BDP; nothing changes, and nothing else is sent",
            (),
            (*PATH[:2], Gene("queue", 1.0, 4.0, True)),
            _steady,
        ),
    )
}
"""Families by name, as ``--family`` takes them."""


def family_of(name: str) -> Family:
    """Return a family by name.

    Raises:
        UserError: If there is none; the message names the nearest.
    """
    if name not in FAMILIES:
        raise UserError(f"--family: there is no family {name!r}{choices(name, list(FAMILIES))}")
    return FAMILIES[name]


def suited(measure: str) -> list[Family]:
    """Return the families that are searched for a measure unless others are named."""
    return [one for one in FAMILIES.values() if measure in one.measures]
