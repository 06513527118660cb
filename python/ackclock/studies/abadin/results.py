"""The study's results by point, and ns-2's from the extracts in `reference/`."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Final

import polars as pl

import ackclock.study as st
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.experiments import BY_KEY, Neighbour


class Results:
    """Throughput in bytes/s by experiment, x and variant; Figure 2's samples by variant."""

    def __init__(self, data: st.StudyData) -> None:
        self.data = data
        self.figures = set(data.figures)
        self.variants = (*k.VARIANTS, *data.changes.added)
        self.runs = data.values("runs", "experiment", "x", "variant", "jittered")
        new = pl.col("sent_bytes") - pl.col("retransmitted_bytes")
        near = [field.name for field in fields(Neighbour)]
        self.near = data.values("near", *near, "variant")
        share = 100 * pl.col("to_one") / pl.col("cuts")
        self.cuts = data.values("cuts", "variant", "jittered", to_one_percent=share)
        """For both flows of Table 1: how often the window fell, and how often to one segment."""
        self.window = data.values("window", "variant")
        """The window of the first flow in Table 1."""
        self.bins = data.values("samples", "variant", "jittered", new_bytes=new)

    def experiments(self) -> list[str]:
        """Return the keys of the sweeps that were run, in their order."""
        return self.runs.labels(0)

    def xs(self, experiment: str) -> list[float]:
        """Return the x values run, rising."""
        return sorted(self.runs.labels(1, experiment))

    def values(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> list[float]:
        """Return the throughput of each replication, by rising seed."""
        return self.runs.of("throughput_Bps", experiment, x, variant, jittered)

    def mean(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> float:
        """Return the mean throughput."""
        return st.mean(self.values(experiment, x, variant, jittered=jittered))

    def interval(self, experiment: str, x: float, variant: str, *, jittered: bool = True) -> st.Interval:
        """Return the mean throughput with its interval."""
        return st.interval(self.values(experiment, x, variant, jittered=jittered))

    def above(self, experiment: str, x: float, variant: str, rival: str) -> st.Ratio:
        """Return one variant's difference from another with jittered starts, paired, percent of the rival's mean."""
        return st.percent_above(self.values(experiment, x, variant), self.values(experiment, x, rival))

    def neighbours(self) -> dict[Neighbour, dict[str, float]]:
        """Return the mean throughput in Table 1 by neighbouring setting and variant."""
        found: dict[Neighbour, dict[str, float]] = {}
        for *at, variant in self.near:
            means = found.setdefault(Neighbour(*at), {})
            means[variant] = self.near.mean("throughput_Bps", *at, variant)
        return found

    def with_windows(self) -> dict[int, Results]:
        """Return the results of Figures 4 and 7 with each window that was tried, by the window in segments."""
        table = self.data.tables.get("windows")
        if table is None:
            return {}
        return {
            window: Results(replace(self.data, tables={"runs": table.filter(window=window)}))
            for window in table["window"].unique(maintain_order=True)
        }

    def ns2(self, experiment: str, x: float, variant: str) -> st.Interval | None:
        """Return ns-2's throughput at a point; None if it did not run it, or if a user changed the scenario."""
        if self.runs.altered(experiment, x, variant):
            return None
        return ns2().get((experiment, x, variant))

    def ns2_series(self) -> dict[str, list[tuple[float, int]]]:
        """Return ns-2's bytes sent against time in Table 1, by variant, without those whose scenario a user changed."""
        return {v: samples for v, samples in ns2_series().items() if not self.bins.altered(v)}

    def comparisons(self) -> list[st.Comparison]:
        """Return the comparison of every point with identical starts with ns-2's."""
        return [
            # The extracts are rounded to 0.001 bytes/s.
            st.compare(
                at,
                self.interval(*at, jittered=False),
                ns2()[at],
                _tolerance(at[0]),
                0.001,
                altered=bool(self.runs.altered(*at)),
            )
            for experiment in self.experiments()
            for x in self.xs(experiment)
            for variant in k.VARIANTS
            for at in [(experiment, x, variant)]
            if at in ns2()
        ]


def _tolerance(experiment: str) -> float:
    return k.TABLE1_WITHIN if experiment == "table1" else k.AGREE_WITHIN


@cache
def ns2() -> dict[tuple[str, float, str], st.Interval]:
    """Return ns-2's throughput in bytes/s, by experiment, x and variant."""
    return st.reference.means(
        __file__, lambda row: (row["experiment"], float(row["x"]), row["variant"]), "_Bps"
    )


@cache
def ns2_series() -> dict[str, list[tuple[float, int]]]:
    """Return the bytes of new data sent by both flows since t = 0 in ns-2's Table 1: (time in s, bytes) by variant."""
    out: dict[str, list[tuple[float, int]]] = {}
    for row in st.reference.rows(__file__, "series.csv"):
        sample = (float(row["time_s"]), int(row["new_data_packets"]) * k.SEGMENT_B)
        out.setdefault(row["variant"], []).append(sample)
    return out


def place(experiment: str, x: float) -> str:
    """Name a point in words."""
    e = BY_KEY[experiment]
    return e.place.format(x * e.scale)


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
"""The causes of differences were found with `validation.ns2_dumbbell` and ns-2.35."""
