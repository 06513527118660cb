"""Sensitivity of results to ties and phase effects: runs on slightly perturbed links, and the spread of their results.

Two events of a simulation can happen at the same instant; such a tie can decide which flow loses a packet, by the
simulator's order of the events. Periodic sources and equal paths make ties systematic. `perturbed` changes the rate and
the delay of each link direction by a random relative amount. Changes of up to 1e-6 break ties only; changes of up to
1e-3 also shift phases (Floyd and Jacobson 1991, "On traffic phase effects in packet-switched gateways").
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
"""Maximum relative change of rates and delays, by the effect that it tests."""

DRAWS = 10
"""Number of draws (perturbed runs) of each size."""

EXTRA = len(SIZES) * DRAWS
"""Number of perturbed runs per run."""

HOW = f"{DRAWS} draws each; rates and delays of links changed at random by up to 1e-6 (ties) and 1e-3 (phase)"
"""Description of the draws in one line, for reports."""


def perturbed(scenario: Scenario, size: str, draw: int, *, seed: int | None = None) -> Scenario:
    """Return the scenario with the rate and the delay of each link direction changed at random.

    Each value has its own random stream, named after seed, size, draw, direction and key, so scenarios with the same
    links are perturbed alike. A rate changes by whole bits per second, and its maximum change is at least 1 bit/s; a
    delay changes by whole picoseconds. Rates that follow a trace, delays of 0 and radio networks are not changed. If an
    event sets a rate or a delay during the run, the value that it sets is changed by the same relative amount.

    Args:
        scenario: The scenario to perturb.
        size: ``"ties"`` or ``"phase"``.
        draw: Number of the draw, from 0.
        seed: Seed of the random streams; the scenario's own seed if None.

    Raises:
        UserError: If no link has a rate or a delay that can be changed.

    """
    document, full = scenario.document(), scenario.described.get("link", [])
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
    """Return the perturbed scenarios of all draws, by size."""
    return {size: [perturbed(scenario, size, draw, seed=seed) for draw in range(DRAWS)] for size in SIZES}


@dataclass(frozen=True, slots=True)
class _Change:
    """The changes of rate and delay of one link direction in one draw."""

    size: float
    stream: str

    def _part(self, key: str) -> float:
        """Return the random change of a value, -1 to 1, as a fraction of the maximum change."""
        return 2 * random.Random(f"{self.stream}.{key}").random() - 1

    def rate(self, given: str) -> str:
        """Return the changed rate in whole bits per second, the core's unit."""
        bps = _core.bits_per_second(given)
        return f"{max(1, bps + round(self._part('rate') * max(1.0, self.size * bps)))}bps"

    def delay(self, given: str) -> str:
        """Return the changed delay, in whole picoseconds."""
        ps = round(_core.seconds(given) * 1e12)
        return f"{max(1, ps + round(self._part('delay') * self.size * ps))}ps" if ps else given

    def of(self, described: Mapping[str, Any]) -> dict[str, str]:
        """Return the changed rate and delay of a link direction from its described settings."""
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
    """Yield a link event with a changed value, and any other event unchanged.

    An event that sets both directions becomes one event for each direction.
    """
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
    """The range of one result over the draws of each size."""

    ties: tuple[float, float]
    """Minimum and maximum with changes of up to 1e-6."""
    phase: tuple[float, float]
    """Minimum and maximum with changes of up to 1e-3."""

    @classmethod
    def of(cls, values: Mapping[str, Iterable[float]]) -> Spread:
        """Return the ranges of `values`, which has an entry for each of `SIZES`; an entry without values gives NaN."""
        return cls(**{size: _range(values[size]) for size in SIZES})

    def text(self, written: Callable[[float], str]) -> str:
        """Return the spread as text, such as ``0.75 to 0.75 by ties, 0.68 to 0.94 by phase``."""
        return ", ".join(f"{said} by {size}" for said, size in zip(self.texts(written), SIZES, strict=True))

    def texts(self, written: Callable[[float], str]) -> tuple[str, str]:
        """Return both ranges as texts, such as ``0.75 to 0.75`` and ``0.68 to 0.94``."""
        ties, phase = (
            f"{written(low)} to {written(high)}" if low == low else "no value"
            for low, high in (self.ties, self.phase)
        )
        return ties, phase

    def columns(self, name: str = "") -> dict[str, float]:
        """Return columns ``ties_min``, ``ties_max``, ``phase_min`` and ``phase_max``, prefixed by `name` if given."""
        head = f"{name}_" if name else ""
        ends = {"ties": self.ties, "phase": self.phase}
        return {
            f"{head}{size}_{end}": ends[size][i] for size in SIZES for i, end in enumerate(("min", "max"))
        }

    def to_json(self) -> dict[str, list[float]]:
        """Return the spread as lists for JSON."""
        return {"ties": list(self.ties), "phase": list(self.phase)}


def hangs_on(base: float, differences: Mapping[str, Sequence[float]]) -> str | None:
    """Return the effect that the sign of a difference depends on: ``ties``, ``phase`` or None.

    `base` is the difference on unchanged links, `differences` has the differences in the draws, by size. The sign
    depends on a size if the difference is zero or has the opposite sign in any of its draws.
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
    """The spreads of the results of one run's flows."""

    summary: Mapping[str, Any]
    """Summary of the run on the unchanged links."""
    drawn: Mapping[str, Sequence[Mapping[str, Any]]]
    """Summaries of the draws, by size."""

    def spread(self, flow: int, measure: str) -> Spread:
        """Return the spread of one result of flow number `flow`; draws without a value are left out."""
        return Spread.of(
            {size: [_value(one, flow, measure) for one in some] for size, some in self.drawn.items()}
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per flow and result: the value, and minimum and maximum over the draws of each size."""
        return [
            {"flow": flow["name"], "measure": key, "value": float(value), **self.spread(i, key).columns()}
            for i, flow in enumerate(self.summary["flows"])
            for key, value in _numbers(flow).items()
        ]

    def write_csv(self, path: Path) -> None:
        """Write `rows` to a CSV file; cells of missing results are empty."""
        import polars

        polars.DataFrame(self.rows(), infer_schema_length=None).fill_nan(None).write_csv(path)

    def order(self, measure: str = "goodput_bps") -> list[tuple[str, str, str]]:
        """Return pairs of flows, adjacent in the ranking by `measure`, whose order changes; each with the effect."""
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
        """Return the spreads of all flows for JSON."""
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
    """Run all draws of both sizes with the run's seed, and return the spreads.

    `simulate` takes scenarios with seeds and returns their summaries in order.
    """
    seed = int(summary["manifest"]["seed"])
    made = perturbations(scenario, seed=seed)
    summaries = simulate([(one, seed) for some in made.values() for one in some])
    drawn = {size: summaries[i * DRAWS : (i + 1) * DRAWS] for i, size in enumerate(made)}
    return RunSpreads(summary, drawn)


def how() -> dict[str, Any]:
    """Return the sizes and the number of draws for JSON files."""
    return {"draws": DRAWS, "sizes": dict(SIZES)}


def _numbers(flow: Mapping[str, Any]) -> dict[str, float]:
    """Return those of a flow's results that are single numbers, by name."""
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
