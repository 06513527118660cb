"""Runs ackclock and converts its results to the types of `validation.ns2`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from validation.conservation import LEDGER
from validation.ns2 import Change, Event, FlowCounts
from validation.scenarios import Document

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Run:
    """A finished run; `raw` is the core's result, `summary` the parsed JSON of its summary."""

    raw: Any
    summary: dict[str, Any]

    @property
    def flows(self) -> list[dict[str, Any]]:
        """The flows of the summary."""
        return list(self.summary["flows"])

    @property
    def links(self) -> list[dict[str, Any]]:
        """The link directions of the summary."""
        return list(self.summary["links"])

    def table(self, name: str) -> pl.DataFrame:
        """Return a trace as a data frame."""
        import polars as pl

        return pl.DataFrame(self.raw.table(name))

    def flow_counts(self) -> list[FlowCounts]:
        """Return for each flow the counters that ns-2's senders also keep."""
        return [
            FlowCounts(f["sent_packets"], f["retransmitted_packets"], f["acked_packets"], f["timeouts"])
            for f in self.flows
        ]

    def events(self, places: frozenset[str] | None = None) -> list[Event]:
        """Return the packet trace, of all places or only of `places`."""
        frame = self.table("segments")
        columns = [frame[c].to_list() for c in ("time_s", "event", "seq", "bytes", "flow", "place")]
        events = (Event(*row) for row in zip(*columns, strict=True))
        return [e for e in events if places is None or e.place in places]

    def changes(self) -> list[Change]:
        """Return the changes of cwnd and ssthresh."""
        frame = self.table("cwnd")
        columns = [frame[c].to_list() for c in ("time_s", "variable", "value", "flow")]
        return [Change(*row) for row in zip(*columns, strict=True)]


def run(
    document: Document, *, traces: Sequence[str] = (), seed: int | None = None, jitter_s: float = 0.0
) -> Run:
    """Run one scenario; each flow's start is delayed by a random time of up to `jitter_s`."""
    from ackclock import _core

    raw = _core.run(json.dumps(document), seed=seed, jitter_s=jitter_s, traces=list(traces))
    result = Run(raw, json.loads(raw.summary))
    LEDGER.check(result.summary)
    # The trace of an LTE network has no departures, so only the summary can be checked.
    if "segments" in traces and not result.summary["lte"]:
        LEDGER.check_trace(result.events(), result.summary)
    return result


def run_many(jobs: Sequence[tuple[Document, int, float]]) -> list[Run]:
    """Run jobs (document, seed, jitter in s) on all cores; return results in the order of the jobs."""
    from ackclock import _core

    results = _core.run_many([(json.dumps(document), seed, jitter) for document, seed, jitter in jobs])
    runs = [Run(raw, json.loads(raw.summary)) for raw in results]
    for run in runs:
        LEDGER.check(run.summary)
    return runs
