"""Ties and phase effects: the same scenario on slightly changed links, and the spread of results over that.

Two events of a simulation can fall into the same instant, and the simulator's order of them then decides who loses
a packet. Periodic sources and equal paths make such ties systematic. `perturbed` changes the rate and the delay of
each direction of each link by a random share. A share of up to 1e-6 moves ties alone; one of up to 1e-3 moves
phases, too (Floyd and Jacobson 1991, "On traffic phase effects in packet-switched gateways").
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.scenario.scenario import Scenario

SIZES: dict[str, float] = {"ties": 1e-6, "phase": 1e-3}
"""Greatest change of rates and delays, as a share, by the effect that it moves."""

DRAWS = 10
"""Draws of each size."""

EXTRA = len(SIZES) * DRAWS
"""Further runs per run."""

HOW = f"{DRAWS} draws each; rates and delays of links changed at random by up to 1e-6 (ties) and 1e-3 (phase)"
"""Description of the draws, in a line."""


def perturbed(scenario: Scenario, size: str, draw: int, *, seed: int | None = None) -> Scenario:
    """Return the scenario with the rate and the delay of each direction of each link changed at random.

    Each value has a random stream of its own, named after seed, size, draw, direction and key: scenarios with the same
    links are perturbed alike. A rate changes by whole bits per second, and the bound of its change is 1 bit/s at least;
    a delay changes by whole picoseconds. Rates that follow a trace, delays of 0 and radio networks stay. An event that
    sets a rate or a delay sets one that is changed by the same share.

    Args:
        scenario: the scenario to be perturbed.
        size: ``"ties"`` or ``"phase"``.
        draw: number of the draw, from 0.
        seed: seed of the streams; the scenario's own if None.

    Raises:
        UserError: if no link has a rate or a delay that can change.

    """
    document, full = scenario.document(), scenario.describe().get("link", [])
    changes = [
        {
            way: _Change(
                SIZES[size], f"ties/{scenario.seed if seed is None else seed}/{size}/{draw}/link.{a}>{b}"
            )
            for way, (a, b) in _ways(link).items()
        }
        for link in full
    ]
    found = False
    for link, described, change in zip(document.get("link", ()), full, changes, strict=True):
        there = change["forward"].of(described)
        back = change["reverse"].of(described["reverse"])
        found = found or bool(there or back)
        link.update(there)
        if back:
            link["reverse"] = {**link.get("reverse", {}), **back}
    if not found:
        raise UserError(
            "ties: there is no rate and no delay of a link to perturb\n"
            "  radio networks, rates that follow a trace and delays of 0 stay as they are"
        )
    if "event" in document:
        document["event"] = [made for one in document["event"] for made in _event(one, full, changes)]
    return type(scenario)(document)


def perturbations(scenario: Scenario, *, seed: int | None = None) -> dict[str, list[Scenario]]:
    """Return every draw of both sizes, by size."""
    return {size: [perturbed(scenario, size, draw, seed=seed) for draw in range(DRAWS)] for size in SIZES}


@dataclass(frozen=True, slots=True)
class _Change:
    """The change of the rate and the delay of one direction in one draw."""

    size: float
    stream: str

    def _part(self, key: str) -> float:
        """Return the fraction of the greatest change that a value takes, -1 to 1."""
        return 2 * random.Random(f"{self.stream}.{key}").random() - 1

    def rate(self, given: str) -> str:
        """Return a rate as changed; the core counts whole bits per second."""
        bps = _core.bits_per_second(given)
        return f"{max(1, bps + round(self._part('rate') * max(1.0, self.size * bps)))}bps"

    def delay(self, given: str) -> str:
        """Return a delay as changed, in whole picoseconds."""
        ps = round(_core.seconds(given) * 1e12)
        return f"{max(1, ps + round(self._part('delay') * self.size * ps))}ps" if ps else given

    def of(self, described: Mapping[str, Any]) -> dict[str, str]:
        """Return the changed values of a described direction."""
        rate, delay = described["rate"], described["delay"]
        return {
            **({"rate": self.rate(rate)} if isinstance(rate, str) else {}),
            **({"delay": self.delay(delay)} if _core.seconds(delay) > 0 else {}),
        }


def _ways(link: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    a, b = link["between"]
    return {"forward": (a, b), "reverse": (b, a)}


def _event(
    event: dict[str, Any], links: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, _Change]]
) -> Iterator[dict[str, Any]]:
    """Yield an event as changed: one for each direction if it sets the rate or the delay of both."""
    kind, _, path = str(event["set"]).partition(".")
    *place, key = path.split(".")
    if kind != "link" or key not in ("rate", "delay") or not isinstance(event["to"], str):
        yield event
        return
    names = [str(link.get("name") or "") for link in links]
    number = int(place[0]) if place[0].isdigit() and int(place[0]) < len(links) else names.index(place[0])
    for way in place[1:] or ("forward", "reverse"):
        change = changes[number][way]
        to = change.rate(event["to"]) if key == "rate" else change.delay(event["to"])
        yield {**event, "set": f"link.{number}.{way}.{key}", "to": to}


@dataclass(frozen=True, slots=True)
class Spread:
    """The range of one figure over the draws of each size."""

    ties: tuple[float, float]
    """Least and greatest value when rates and delays change by up to 1e-6."""
    phase: tuple[float, float]
    """Least and greatest value when they change by up to 1e-3."""

    @classmethod
    def of(cls, values: Mapping[str, Iterable[float]]) -> Spread:
        """Return the spread of a figure's values by size; NaN for a size without values."""
        return cls(**{size: _range(values[size]) for size in SIZES})

    def text(self, written: Callable[[float], str]) -> str:
        """Write ``0.75 to 0.75 by ties, 0.68 to 0.94 by phase``."""
        return ", ".join(f"{said} by {size}" for said, size in zip(self.texts(written), SIZES, strict=True))

    def texts(self, written: Callable[[float], str]) -> tuple[str, str]:
        """Write both ranges: ``0.75 to 0.75`` and ``0.68 to 0.94``."""
        ties, phase = (
            f"{written(low)} to {written(high)}" if low == low else "no value"
            for low, high in (self.ties, self.phase)
        )
        return ties, phase

    def columns(self, name: str = "") -> dict[str, float]:
        """Return it as columns ``ties_min``, ``ties_max``, ``phase_min`` and ``phase_max``, after a name if given."""
        head = f"{name}_" if name else ""
        ends = {"ties": self.ties, "phase": self.phase}
        return {
            f"{head}{size}_{end}": ends[size][i] for size in SIZES for i, end in enumerate(("min", "max"))
        }

    def to_json(self) -> dict[str, list[float]]:
        """Return it as plain data."""
        return {"ties": list(self.ties), "phase": list(self.phase)}


def hangs_on(base: float, differences: Mapping[str, Sequence[float]]) -> str | None:
    """Return the effect that decides the sign of a difference: ``ties``, ``phase`` or None.

    `base` is the difference on the links as they are, `differences` those in the draws, by size. A sign hangs on a size
    if a draw of it has the other sign, or none.
    """
    for size in SIZES:
        if base and any(one * base <= 0 for one in differences[size] if not math.isnan(one)):
            return size
    return None


def _range(values: Iterable[float]) -> tuple[float, float]:
    known = [one for one in values if not math.isnan(one)]
    return (min(known), max(known)) if known else (math.nan, math.nan)


@dataclass(frozen=True)
class RunSpreads:
    """The ranges of the results of one run's flows over both perturbations."""

    summary: Mapping[str, Any]
    """Summary of the run on the unchanged links."""
    drawn: Mapping[str, Sequence[Mapping[str, Any]]]
    """Summaries of the draws, by size."""

    def spread(self, flow: int, measure: str) -> Spread:
        """Return the spread of one result of a flow, given its number; draws without a value are left out."""
        return Spread.of(
            {size: [_value(one, flow, measure) for one in some] for size, some in self.drawn.items()}
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per flow and result: its value, and the least and the greatest value of each size's draws."""
        return [
            {"flow": flow["name"], "measure": key, "value": float(value), **self.spread(i, key).columns()}
            for i, flow in enumerate(self.summary["flows"])
            for key, value in _numbers(flow).items()
        ]

    def write_csv(self, path: Path) -> None:
        """Write `rows` as a CSV file; results that a run lacks are empty."""
        import polars

        polars.DataFrame(self.rows(), infer_schema_length=None).fill_nan(None).write_csv(path)

    def order(self, measure: str = "goodput_bps") -> list[tuple[str, str, str]]:
        """Return the pairs of neighbours in a ranking of the flows whose order changes, with the size that does it."""
        flows = self.summary["flows"]
        ranked = sorted(range(len(flows)), key=lambda i: -_value(self.summary, i, measure))
        found = []
        for a, b in itertools.pairwise(ranked):
            apart = {
                size: [_value(one, a, measure) - _value(one, b, measure) for one in some]
                for size, some in self.drawn.items()
            }
            size = hangs_on(_value(self.summary, a, measure) - _value(self.summary, b, measure), apart)
            if size is not None:
                found.append((str(flows[a]["name"]), str(flows[b]["name"]), size))
        return found

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            **how(),
            "flows": [
                {
                    "name": flow["name"],
                    "spreads": {key: self.spread(i, key).to_json() for key in _numbers(flow)},
                }
                for i, flow in enumerate(self.summary["flows"])
            ],
            "order": [{"flow": a, "before": b, "hangs_on": size} for a, b, size in self.order()],
        }


def run_spreads(
    scenario: Scenario,
    summary: Mapping[str, Any],
    simulate: Callable[[list[tuple[Scenario, int]]], Sequence[Mapping[str, Any]]],
) -> RunSpreads:
    """Make every draw of both perturbations of a run on its seed, and return the spreads.

    `simulate` runs scenarios on seeds, and returns the summaries in order.
    """
    seed = int(summary["manifest"]["seed"])
    made = perturbations(scenario, seed=seed)
    summaries = simulate([(one, seed) for some in made.values() for one in some])
    drawn = {size: summaries[i * DRAWS : (i + 1) * DRAWS] for i, size in enumerate(made)}
    return RunSpreads(summary, drawn)


def how() -> dict[str, Any]:
    """Return the sizes and the number of draws in the form of JSON files."""
    return {"draws": DRAWS, "sizes": dict(SIZES)}


def _numbers(flow: Mapping[str, Any]) -> dict[str, float]:
    """Return a flow's results that are single numbers."""
    return {
        key: value
        for key, value in flow.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and key not in ("interval_s", "flow")
    }


def _value(summary: Mapping[str, Any], flow: int, measure: str) -> float:
    found = summary["flows"][flow].get(measure)
    return math.nan if found is None else float(found)
