"""Outcomes of candidates' runs: the values that measures judge, and the states that the sender visited."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ackclock.sweeps.jobs import Job, Registry, Traced

if TYPE_CHECKING:
    import polars as pl

    from ackclock.runs.run import Run

__all__ = ["TRACES", "Kept", "Outcome", "observed"]

WINDOW: Final = "cwnd"
"""Trace with the congestion window and the slow-start threshold."""

TRACES: Final = Traced((WINDOW, "state", "control"))
"""Traces from which the states of the sender are read."""

COLUMNS: Final = (
    "variant",
    "goodput_bps",
    "interval_s",
    "sent_packets",
    "sent_bytes",
    "received_packets",
    "received_bytes",
    "lost_packets_total",
    "lost_queue_packets",
    "retransmitted_packets",
    "timeouts",
    "fast_retransmits",
    "packet_rtt_mean_s",
)
"""Columns of table ``flows`` that are kept."""

STEP_S: Final = 0.1
"""Time between two looks at the sender's state, seconds."""

DISCRETE: Final = 16
"""Number of distinct whole values up to which a variable of a control counts as a state."""

FORM: Final = "search-1"
"""Version of what is kept of a run; results that were stored in another form are computed anew."""

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """Results of a run that a search needs."""

    flows: tuple[Row, ...]
    queue_delay_s: float
    """Mean queueing delay of packets at the bottleneck, s."""
    states: frozenset[int]
    """Numbers of the changes of state that the sender went through; see `_states`."""

    @classmethod
    def read(cls, text: str) -> Outcome:
        """Return the outcome that `observed` wrote."""
        found = json.loads(text)
        return cls(tuple(found["flows"]), found["queue_delay_s"], frozenset(found["states"]))

    def total(self, column: str, flows: Iterable[int]) -> float:
        """Return the sum of a column over some flows."""
        return math.fsum(float(self.flows[i].get(column) or 0) for i in flows)

    def payload_share(self, flows: Iterable[int]) -> float:
        """Return the share of payload in the bytes that a sender puts on the wire."""
        chosen = list(flows)
        packets = self.total("sent_packets", chosen), self.total("received_packets", chosen)
        if not min(packets):
            return 1.0
        payload = self.total("sent_bytes", chosen) / packets[0]
        return min(payload / (self.total("received_bytes", chosen) / packets[1]), 1.0)


def observed(_job: Job, run: Run) -> str:
    """Return what a search needs of a run, as JSON text; a worker calls it."""
    summary = run.summary
    flows = [{name: row.get(name) for name in COLUMNS} for row in summary["flows"]]
    link = next(row for row in summary["links"] if row["link"] == "path")
    delay = link["queue_delay_mean_s"] or 0.0
    states = sorted(_states([run.trace(name).to_polars() for name in TRACES.traces], flows[0]))
    return json.dumps({"flows": flows, "queue_delay_s": delay, "states": states})


def _states(tables: Sequence[pl.DataFrame], row: Row) -> set[int]:
    """Return the changes of state of flow 0, each as a number, with classes of its counters.

    A state consists of the window's order of magnitude (base 2), its relation to the slow-start threshold, the kind of
    recovery, and each discrete variable of the control, such as a phase.
    """
    import numpy as np

    ends = [float(one["time_s"][-1]) for one in tables if len(one)]
    grid = np.arange(STEP_S, max(ends, default=0.0) + STEP_S, STEP_S)
    columns = []
    for table in tables:
        own = table.filter(table["flow"] == 0)
        for (name,), rows in own.group_by("variable", maintain_order=True):
            values = rows["value"].to_numpy()
            if str(name) in (WINDOW, "ssthresh"):
                values = np.floor(np.log2(np.clip(values, 0.5, 2**24)))
            elif str(name) in ("rtt", "srtt", "rto", "in_flight") or not _is_discrete(values):
                continue
            at = np.searchsorted(rows["time_s"].to_numpy(), grid, side="right") - 1
            columns.append(np.where(at >= 0, values[np.maximum(at, 0)], -1.0).astype(np.int64))
    counters = {
        zlib.crc32(f"{name} {math.frexp(float(row[name] or 0))[1]}".encode())
        for name in ("timeouts", "fast_retransmits", "retransmitted_packets", "lost_packets_total")
    }
    if not columns:
        return counters
    states = np.stack(columns, axis=1)
    changed = np.any(states[1:] != states[:-1], axis=1)
    pairs = np.unique(np.concatenate([states[:-1][changed], states[1:][changed]], axis=1), axis=0)
    return counters | {zlib.crc32(pair.tobytes()) for pair in np.ascontiguousarray(pairs)}


def _is_discrete(values: Any) -> bool:
    import numpy as np

    found = np.unique(values)
    return len(found) <= DISCRETE and bool(np.all(found == np.floor(found)))


@dataclass(frozen=True)
class Kept:
    """Store of outcomes in a store of finished runs, by which an interrupted search continues."""

    store: Registry

    @property
    def every_s(self) -> float:
        """Time during which results are collected before they are written together, seconds."""
        return self.store.every_s

    def get(self, jobs: Sequence[Job]) -> list[str | None]:
        """Return the stored text of each job; None for a job that was not run."""
        keys = [_key(job) for job in jobs]
        found = self.store.get(keys)
        return [found.get(key) for key in keys]

    def put(self, made: Iterable[tuple[Job, str]]) -> None:
        """Store the texts of finished jobs."""
        self.store.put((_key(job), text) for job, text in made)


def _key(job: Job) -> str:
    return hashlib.sha256("\0".join([job.key, FORM]).encode()).hexdigest()
