"""Run ackclock and read its results in the terms of `validation.ns2`."""

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
    """A finished run: `raw` is the core's result, `summary` its parsed JSON."""

    raw: Any
    summary: dict[str, Any]

    @property
    def flows(self) -> list[dict[str, Any]]:
        """The summary's flows."""
        return list(self.summary["flows"])

    @property
    def links(self) -> list[dict[str, Any]]:
        """The summary's link directions."""
        return list(self.summary["links"])

    def table(self, name: str) -> pl.DataFrame:
        """A trace as a frame."""
        import polars as pl

        return pl.DataFrame(self.raw.table(name))

    def flow_counts(self) -> list[FlowCounts]:
        """Counters as ns-2's senders keep them."""
        return [
            FlowCounts(f["sent_packets"], f["retransmitted_packets"], f["acked_packets"], f["timeouts"])
            for f in self.flows
        ]

    def events(self, places: frozenset[str] | None = None) -> list[Event]:
        """The packet trace, all of it or of some places."""
        frame = self.table("segments")
        columns = [frame[c].to_list() for c in ("time_s", "event", "seq", "bytes", "flow", "place")]
        events = (Event(*row) for row in zip(*columns, strict=True))
        return [e for e in events if places is None or e.place in places]

    def changes(self) -> list[Change]:
        """Changes of cwnd and ssthresh."""
        frame = self.table("cwnd")
        columns = [frame[c].to_list() for c in ("time_s", "variable", "value", "flow")]
        return [Change(*row) for row in zip(*columns, strict=True)]


def run(
    document: Document, *, traces: Sequence[str] = (), seed: int | None = None, jitter_s: float = 0.0
) -> Run:
    """Run one scenario document; `jitter_s` spreads the starts over that many seconds."""
    from ackclock import _core

    raw = _core.run(json.dumps(document), seed=seed, jitter_s=jitter_s, traces=list(traces))
    result = Run(raw, json.loads(raw.summary))
    LEDGER.check(result.summary)
    # An LTE network's trace has no departures, so that its packets are counted by the summary alone.
    if "segments" in traces and not result.summary["lte"]:
        LEDGER.check_trace(result.events(), result.summary)
    return result


def run_many(jobs: Sequence[tuple[Document, int, float]]) -> list[Run]:
    """Run (document, seed, jitter in s) on all cores; results in the order of the jobs."""
    from ackclock import _core

    results = _core.run_many([(json.dumps(document), seed, jitter) for document, seed, jitter in jobs])
    runs = [Run(raw, json.loads(raw.summary)) for raw in results]
    for run in runs:
        LEDGER.check(run.summary)
    return runs
