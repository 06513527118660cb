"""Columns of flows that some definitions need and summaries do not have, computed from the packets of a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ackclock.sweeps.jobs import Job, Registry, Traced

if TYPE_CHECKING:
    import polars as pl

    from ackclock.runs.run import Run

TRACES: Final = Traced(("delay", "segments"))
"""Traces that are recorded."""

GAIN: Final = 1 / 16
"""Gain of the filter of RFC 3550, section 6.4.1."""


@dataclass(frozen=True)
class Columns:
    """Function that returns the summary of a run, as JSON text, with the further columns in the rows of its flows."""

    since_s: float | None = None
    """Start of the measurement, seconds; None if the paper states none."""

    def __call__(self, _job: Job, run: Run) -> str:
        """Return the summary with the further columns."""
        import polars as pl

        arrivals, packets = (run.trace(name).to_polars() for name in TRACES.traces)
        sent = packets.filter(pl.col("event") == "send")
        summary = run.summary
        together = _by_number(sent, arrivals)
        ends = [str(one["to"]) for one in run.scenario.document()["flow"]]
        for i, (row, end) in enumerate(zip(summary["flows"], ends, strict=True)):
            own, own_sent = arrivals.filter(pl.col("flow") == i), sent.filter(pl.col("flow") == i)
            received = packets.filter(
                (pl.col("flow") == i) & (pl.col("event") == "recv") & pl.col("place").str.ends_with(f">{end}")
            )
            row |= {
                "traced_jitter_rfc3550_s": _filtered(own),
                "traced_delay_deviation_s": own["delay_s"].std(),
                "traced_number_delay_s": _by_number(own_sent, own),
                "traced_number_delay_together_s": together,
                "traced_send_to_arrival_s": _span(own_sent, own),
                "traced_received_since_bps": self._since(received, summary["manifest"]["duration_s"]),
            }
        return json.dumps(summary)

    def _since(self, received: pl.DataFrame, end_s: float) -> float | None:
        """Return the rate of received packets from the start of the measurement to the end of the run, bit/s."""
        import polars as pl

        if self.since_s is None or self.since_s >= end_s:
            return None
        late = received.filter(pl.col("time_s") >= self.since_s)
        return 8.0 * float(late["bytes"].sum()) / (end_s - self.since_s)


def _filtered(arrivals: pl.DataFrame) -> float | None:
    """Return the jitter of RFC 3550 after the last arrival, seconds."""
    import polars as pl

    differences = arrivals["delay_s"].diff().abs().drop_nulls()
    if differences.is_empty():
        return None
    # The filter begins at 0, before the first difference.
    from_zero = pl.concat([pl.Series([0.0]), differences])
    return float(from_zero.ewm_mean(alpha=GAIN, adjust=False)[-1])


def _by_number(sent: pl.DataFrame, arrivals: pl.DataFrame) -> float | None:
    """Return the mean time from the first sending of a number to its last arrival, seconds."""
    import polars as pl

    first = sent.group_by("seq").agg(pl.col("time_s").min().alias("sent_s"))
    last = arrivals.group_by("seq").agg(pl.col("time_s").max().alias("arrived_s"))
    both = last.join(first, on="seq").sort("seq")
    mean: Any = (both["arrived_s"] - both["sent_s"]).mean()
    return None if mean is None else float(mean)


def _span(sent: pl.DataFrame, arrivals: pl.DataFrame) -> float | None:
    """Return the time from the first sending to the last arrival, seconds."""
    first: Any = sent["time_s"].min()
    last: Any = arrivals["time_s"].max()
    return None if first is None or last is None else float(last - first)


@dataclass(frozen=True)
class TracedStore:
    """Store of summaries with the further columns, beside the plain summaries of a store."""

    store: Registry
    columns: Columns

    @property
    def every_s(self) -> float:
        """Time during which results are collected before they are written together, seconds."""
        return self.store.every_s

    def get(self, jobs: Sequence[Job]) -> list[str | None]:
        """Return the stored text of each job; None for a job that was not run."""
        keys = [self._key(job) for job in jobs]
        found = self.store.get(keys)
        return [found.get(key) for key in keys]

    def put(self, made: Iterable[tuple[Job, str]]) -> None:
        """Store the texts of finished jobs."""
        self.store.put((self._key(job), text) for job, text in made)

    def _key(self, job: Job) -> str:
        parts = [job.key, *TRACES.traces, str(self.columns.since_s)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()
