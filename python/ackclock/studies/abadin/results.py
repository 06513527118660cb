"""The study's results by point, and ns-2's results from the folder `reference/`."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Final

import polars as pl

import ackclock.study as st
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.experiments import BY_KEY, EXPERIMENTS, Neighbour

MEASURE: Final = st.Measure("throughput_Bps", "throughput", "bytes/s", pl.col("throughput_Bps"))
"""The paper's metric: new data sent by both flows per second of simulated time, bytes/s."""


class Results(st.Runs):
    """Throughput in bytes/s by experiment, x and variant, and the samples of Figure 2 by variant."""

    def __init__(self, data: st.StudyData) -> None:
        super().__init__(data, EXPERIMENTS, k.SHORT, (MEASURE,))
        self.palette = k.VARIANTS.palette(data.changes.added)
        new = pl.col("sent_bytes") - pl.col("retransmitted_bytes")
        near = [field.name for field in fields(Neighbour)]
        self.near = data.values("near", *near, "variant")
        share = 100 * pl.col("to_one") / pl.col("cuts")
        self.cuts = data.values("cuts", "variant", "jittered", to_one_percent=share)
        """Number of window reductions of both flows in Table 1, and number of those to one segment, by variant."""
        self.window = data.values("window", "variant")
        self.bins = data.values("samples", "variant", "jittered", new_bytes=new)

    def neighbours(self) -> dict[Neighbour, dict[str, float]]:
        """Return the mean throughput in Table 1 by neighbouring setting and variant."""
        found: dict[Neighbour, dict[str, float]] = {}
        for *at, variant in self.near:
            means = found.setdefault(Neighbour(*at), {})
            means[variant] = self.near.mean("throughput_Bps", *at, variant)
        return found

    def with_windows(self) -> dict[int, Results]:
        """Return the results of Figures 4 and 7 for each maximum window that was tried, in segments."""
        table = self.data.tables.get("windows")
        if table is None:
            return {}
        return {
            window: Results(replace(self.data, tables={"runs": table.filter(window=window)}))
            for window in table["window"].unique(maintain_order=True)
        }

    def ns2(self, experiment: str, x: float, variant: str) -> st.Interval | None:
        """Return ns-2's throughput at a point; None if ns-2 did not run the point or a user changed the scenario."""
        return self.runs.theirs(ns2(), (experiment, x, variant))

    def comparisons(self) -> list[st.Comparison]:
        """Return comparisons with ns-2's results for all our points with identical starts."""
        # ns-2's results are stored rounded to 0.001 bytes/s.
        return self.compared(ns2(), lambda e: k.TABLE1_WITHIN if e == "table1" else k.AGREE_WITHIN, 0.001)


@cache
def ns2() -> dict[tuple[str, float, str], st.Interval]:
    """Return ns-2's throughput in bytes/s, by experiment, x and variant."""
    return st.reference.means(
        __file__, lambda row: (row["experiment"], float(row["x"]), row["variant"]), "_Bps"
    )


@cache
def ns2_series() -> dict[str, list[tuple[float, int]]]:
    """Return the bytes of new data that both flows had sent by each time in ns-2's Table 1: (s, bytes) by variant."""
    out: dict[str, list[tuple[float, int]]] = {}
    for row in st.reference.rows(__file__, "series.csv"):
        sample = (float(row["time_s"]), int(row["new_data_packets"]) * k.SEGMENT_B)
        out.setdefault(row["variant"], []).append(sample)
    return out


def place(experiment: str, x: float) -> str:
    """Return a description of a point in words."""
    return BY_KEY[experiment].point(x)


NS2: Final = st.Peer(
    name="ns-2",
    sweeps={e.key: e.name for e in BY_KEY.values()},
    place=lambda c: place(c.experiment, c.x),
    point=lambda c: place(c.experiment, c.x) or "Table 1",
    variants=k.SHORT,
    causes=k.TEXT.causes(
        error=lambda c: c.experiment == "error",
        buffer=lambda c: c.experiment == "buffer",
        sources_q20=lambda c: c.experiment == "sources_q20",
    ),
)
"""ns-2, the simulator with whose results ours are compared.

The causes of differences were found with `validation.ns2_dumbbell` and ns-2.35."""
