"""The view of a run that metrics have: its summary, its flows by role, and goodput over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from ackclock.evaluate.declared import Case
    from ackclock.runs.run import Run

__all__ = ["PAYLOAD", "Observed"]

PAYLOAD = 1448 / 1500
"""Share of payload in a full packet of profile ``linux``."""


@dataclass(frozen=True)
class Observed:
    """A run of a case, with the flows by role.

    Attributes:
        case: The case.
        run: The run.
        own: Numbers of the flows under test; empty if the others run alone.
        other: Numbers of the baseline's flows.
        fixed: Numbers of the flows that are the same for all controls.
    """

    case: Case
    run: Run
    own: tuple[int, ...]
    other: tuple[int, ...]
    fixed: tuple[int, ...]

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The summary of the run."""
        return self.run.summary

    @property
    def duration_s(self) -> float:
        """Length of the run, s."""
        return float(self.summary["manifest"]["duration_s"])

    def flow(self, number: int) -> Mapping[str, Any]:
        """Return the results of a flow."""
        found: Mapping[str, Any] = self.summary["flows"][number]
        return found

    def total(self, flows: Iterable[int], key: str) -> float:
        """Return the sum of a result over flows; results that are absent count as 0, and no flows give NaN."""
        values = [float(self.flow(one).get(key) or 0.0) for one in flows]
        return math.fsum(values) if values else math.nan

    def mean(self, flows: Iterable[int], key: str) -> float:
        """Return the mean of a result over the flows that have it; NaN if none has."""
        values = [float(value) for one in flows if (value := self.flow(one).get(key)) is not None]
        return math.fsum(values) / len(values) if values else math.nan

    def link(self, name: str, *, reverse: bool = False) -> Mapping[str, Any]:
        """Return the results of one direction of a link, by the link's name."""
        found = [one for one in self.summary["links"] if one["link"] == name]
        chosen: Mapping[str, Any] = found[int(reverse)]
        return chosen

    @cached_property
    def _bins(self) -> polars.DataFrame:
        return self.run.trace("throughput").to_polars()

    def series(self, flow: int, key: str = "goodput_bps") -> list[tuple[float, float]]:
        """Return pairs of the start of a bin, s, and a column of trace `throughput`, for one flow."""
        mine = self._bins.filter(self._bins["flow"] == flow)
        return list(zip(mine["time_s"].to_list(), mine[key].to_list(), strict=True))

    def sums(self, flows: Iterable[int], key: str = "goodput_bps") -> list[tuple[float, float]]:
        """Return pairs of the start of a bin, s, and the sum of a column over flows."""
        found: dict[float, float] = {}
        for one in flows:
            for at, value in self.series(one, key):
                found[at] = found.get(at, 0.0) + float(value or 0.0)
        return sorted(found.items())
