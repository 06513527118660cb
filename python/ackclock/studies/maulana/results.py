"""The study's results by point, and ns-2's and ns-3's from the extracts in `reference/`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from statistics import median
from typing import Final

import polars as pl

import ackclock.study as st
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import BY_KEY, CASES, FOUND, WIFI
from ackclock.studies.maulana.experiments import APART, fall

QUANTITIES: Final = {
    "goodput_kbps": ("throughput_kbps", "throughput"),
    "delay_ms": ("delay_ms", "delay"),
    "received_packets": ("received", "packets received"),
}
"""Quantities that ns-2 measured: our column, and the name."""


class Results:
    """The data by case, length and variant, both flows of a run together; with jittered starts unless stated otherwise.

    Columns of `runs`: `throughput_kbps` is the payload acknowledged divided by the time since the first start.
    `delay_ms` is the mean over the flows that received a packet, `loss_percent` the share of the packets lost or
    received. `at_1s` counts the packets whose delay was 1 s. `traced_kbps` is the bytes of all packets received,
    counted as in ns-2's trace, divided by the time since the first start. `rtt_ms` is the mean of the senders'
    samples.
    """

    def __init__(self, data: st.StudyData) -> None:
        self.palette = st.Palette(k.LABELS, k.HUES, data.changes.added, ("vegas40",))
        self.figures = set(data.figures)
        self.variants = (*k.VARIANTS, *data.changes.added)
        lost, received = pl.col("lost_packets").sum(), pl.col("received_packets").sum()
        starts_s = {case.key: case.starts_s[0] for case in CASES}
        since_start = pl.col("length_s").first() - pl.col("case").first().replace_strict(starts_s)
        wire_b = k.SEGMENT_B + pl.col("variant").first().replace_strict(k.NO_HEADER, default=k.HEADER_B)
        self.runs = data.per_run(
            "flows",
            *("case", "length_s", "variant", "jittered"),
            throughput_kbps=8e-3 * pl.col("acked_bytes").sum() / since_start,
            received=received.cast(pl.Float64),
            traced_kbps=8e-3 * received * wire_b / since_start,
            rtt_ms=1e3 * pl.col("rtt_mean_s").drop_nans().mean(),
            delay_ms=1e3 * pl.col("delay_mean_s").filter(pl.col("received_packets") > 0).mean(),
            loss_percent=100 * lost / (lost + received),
            at_1s=pl.col("at_1s_packets").sum().cast(pl.Float64),
        )
        self.rtts = data.values("sizes", "case", "size_b", "variant", "jittered")
        bins = ("case", "length_s", "variant", "jittered")
        self.bins = data.values("samples", *bins, kbps=st.divided("sent_bps", 1e3))
        self.delays = data.values("delays", "case", "length_s", "variant")
        self.files = data.values("files", "case", "variant", "jittered")
        self.numbered = data.values("numbered", "case", "length_s", "variant", "jittered")
        self.longer = data.values("longer", "case", "variant", "jittered")
        self.ns3 = data.values("ns3", "blocks", "buffer_b", "enbs", "variant")

    def cases(self) -> list[str]:
        """Return the keys of the cases that were run, in their order."""
        return self.runs.labels(0)

    def lengths(self, case: str) -> list[int]:
        """Return the lengths of a case's runs, s."""
        return self.runs.labels(1, case)

    def by_number_ms(self, variant: str, *, jittered: bool = True) -> list[float]:
        """Return the delay keyed by sequence number alone in each run of the later reading, by seed."""
        at = (FOUND, k.FOUND_LENGTH_S, variant, jittered)
        return [1e3 * delay for delay in self.numbered.of("number_delay_s", *at)]

    def detours(self, variant: str) -> list[bool]:
        """Return true for each run of it in which a flow went through the other UE, by rising seed."""
        at = (FOUND, k.FOUND_LENGTH_S, variant, True)
        return [passed_on > k.DETOUR_PACKETS for passed_on in self.numbered.of("passed_on_packets", *at)]

    def sizes(self) -> list[int]:
        """Return the packet sizes run, rising, bytes."""
        return sorted(self.rtts.labels(1))

    def values(
        self, what: str, case: str, length_s: int, variant: str, *, jittered: bool = True
    ) -> list[float]:
        """Return one number of each run, by rising seed."""
        return self.runs.of(what, case, length_s, variant, jittered)

    def once(self, what: str, case: str, length_s: int, variant: str) -> float:
        """Return one number of the run with the paper's starts."""
        return self.values(what, case, length_s, variant, jittered=False)[0]

    def as_published(
        self, what: str, case: str, length_s: int, variant: str, *, jittered: bool = True
    ) -> list[float]:
        """Return the counterpart of a published number, by rising seed.

        In the reading found after the results, rates are those of ns-2's trace, and delays are keyed by sequence number
        alone.
        """
        if case == FOUND and what == "delay_ms":
            return self.by_number_ms(variant, jittered=jittered)
        own = "traced_kbps" if case == FOUND and what == "throughput_kbps" else what
        return self.values(own, case, length_s, variant, jittered=jittered)

    def interval(self, what: str, case: str, length_s: int, variant: str) -> st.Interval:
        """Return the mean of one number with its interval."""
        return st.interval(self.values(what, case, length_s, variant))

    def rtts_s(self, case: str, size_b: int, variant: str, *, jittered: bool = True) -> list[float]:
        """Return the mean round-trip time of each run with a packet size, by rising seed, s."""
        return self.rtts.of("rtt_mean_s", case, size_b, variant, jittered)

    def sent_kbps(
        self, case: str, length_s: int, variant: str, wide_s: float
    ) -> tuple[Sequence[float], list[st.Interval]]:
        """Return the sending rate in bins of width `wide_s`: their ends, and in each the mean over the runs, kb/s."""
        at, each = (case, length_s, variant, True), round(wide_s / k.BIN_S)
        ends = self.bins.runs("time_s", *at)[0][each - 1 :: each]
        runs = self.bins.runs("kbps", *at)
        means = ([st.mean(rates[i * each : (i + 1) * each]) for rates in runs] for i in range(len(ends)))
        return ends, [st.interval(values) for values in means]

    def falls(self, case: str, length_s: int, variant: str, *, jittered: bool = True) -> list[float]:
        """Return the fall of the rate in the last tenth of each run from that in the four tenths before, percent."""
        return [fall(rates) for rates in self.bins.runs("sent_bps", case, length_s, variant, jittered)]

    def of_files(self, what: str, case: str, variant: str, *, jittered: bool = True) -> list[float]:
        """Return one number of each run of a case that sends files, by rising seed."""
        return self.files.of(what, f"{case}{APART['files']}", variant, jittered)

    def bias(self, case: str, variant: str, *, jittered: bool = True) -> st.Ratio:
        """Return the difference of the flow with the longer round trip from the other one, paired by run, percent."""
        at = (f"{case}{APART['longer']}", variant, jittered)
        return st.percent_above(*(self.longer.of(column, *at) for column in ("long_kbps", "short_kbps")))

    def histogram(self, case: str, length_s: int, variant: str) -> dict[int, int]:
        """Return the packets by delay in the run with the paper's starts: beginning of the bin in ms, packets."""
        columns = (self.delays.of(column, case, length_s, variant) for column in ("from_ms", "packets"))
        return dict(zip(*columns, strict=True))

    def ns2(self, case: str, length_s: int, variant: str, quantity: str) -> st.Interval | None:
        """Return ns-2's result at a point; None if it has none, or if a user changed the scenario."""
        if self.runs.altered(case, length_s, variant):
            return None
        return ns2().get((case, length_s, variant, quantity))

    def ns2_found(self, variant: str) -> dict[str, float] | None:
        """Return ns-2's run in the reading found after the results; None if a user changed ours."""
        return None if self.runs.altered(FOUND, k.FOUND_LENGTH_S, variant) else ns2_found()[variant]

    def comparisons(self) -> list[st.Comparison]:
        """Return the comparison of every value that ns-2 measured with ours, with its starts if nothing is random."""
        out = []
        for case, length, variant in product(self.cases(), k.LENGTHS_S, k.PUBLISHED):
            for quantity, (column, _) in QUANTITIES.items():
                theirs = ns2().get((case, length, variant, quantity))
                if theirs is not None:
                    # Draws on the air differ from run to run; over wired links there is one run.
                    radio = BY_KEY[case].reading is WIFI
                    ours = st.interval(self.values(column, case, length, variant, jittered=radio))
                    at = (f"{case} {quantity}", float(length), variant)
                    within = k.AGREE_RADIO if radio else k.AGREE_WITHIN
                    altered = bool(self.runs.altered(case, length, variant))
                    out.append(st.compare(at, ours, theirs, within, _PRINTED, altered=altered))
        return out

    def ns3_comparisons(self) -> list[st.Comparison]:
        """Return the comparison of ns-3's runs with ours of the same scenarios."""
        out = []
        for blocks, buffer_b, enbs, variant in self.ns3:
            for quantity in NS3_QUANTITIES:
                ours = st.interval([median(self.like_ns3(quantity, blocks, buffer_b, enbs, variant))])
                theirs = st.from_deviation(ns3()[blocks, buffer_b, enbs, variant][quantity], 0.0, 1)
                at = (ns3_key(buffer_b, enbs, quantity), float(blocks), variant)
                altered = bool(self.ns3.altered(blocks, buffer_b, enbs, variant))
                out.append(st.compare(at, ours, theirs, k.AGREE_RADIO, _PRINTED, altered=altered))
        return out

    def like_ns3(self, quantity: str, *point: object) -> list[float]:
        """Return our values of a quantity that ns-3 measured at a point."""
        column, scale = NS3_QUANTITIES[quantity]
        return [scale(value) for value in self.ns3.of(column, *point)]


_PRINTED: Final = 0.001
"""Rounding of the extracts."""

NS3_QUANTITIES: Final[dict[str, tuple[str, Callable[[float], float]]]] = {
    "goodput_kbps": ("goodput_bps", lambda bps: bps / 1e3),
    "delay_ms": ("delay_s", lambda s: 1e3 * s),
}
"""Quantities that ns-3 measured: our column, and its conversion."""


@cache
def ns2() -> dict[tuple[str, int, str, str], st.Interval]:
    """Return ns-2's results, by case, length in s, variant and quantity (`goodput_kbps`, `delay_ms`, ...)."""
    return st.reference.means(
        __file__, lambda row: (row["case"], int(row["length_s"]), row["variant"], row["quantity"])
    )


@cache
def ns2_found() -> dict[str, dict[str, float]]:
    """Return the results of one run of ns-2 in the reading found after the results, by variant and quantity."""
    return {
        row["variant"]: {name: float(value) for name, value in row.items() if name != "variant"}
        for row in st.reference.rows(__file__, "found.csv")
    }


@cache
def ns3() -> dict[tuple[int, int, int, str], dict[str, float]]:
    """Return ns-3's results with UEs at 30 m, by resource blocks, RLC buffer in bytes, eNodeBs and variant."""
    return {
        (int(row["resource_blocks"]), int(row["rlc_buffer_B"]), int(row["enbs"]), row["variant"]): {
            name: float(row[name]) for name in ("goodput_kbps", "delay_ms", "loss_pct", "rtt_min_ms")
        }
        for row in st.reference.rows(__file__, "lte.csv")
        if float(row["distance_m"]) == k.UE_M
    }


@cache
def ns3_starts() -> dict[tuple[int, int], list[float]]:
    """Return the goodput of ns-3's Vegas with 1 MB, kb/s, at other start gaps, by resource blocks and eNodeBs."""
    found: dict[tuple[int, int], list[float]] = {}
    for row in st.reference.rows(__file__, "lte_starts.csv"):
        at = int(row["resource_blocks"]), int(row["enbs"])
        found.setdefault(at, []).append(float(row["goodput_kbps"]))
    return found


def ns3_key(buffer_b: int, enbs: int, quantity: str) -> str:
    """Return the key of a sweep over resource blocks that is compared with ns-3."""
    return f"lte {buffer_b} {enbs} {quantity}"


def _point(c: st.Comparison) -> str:
    case, quantity = c.experiment.split()
    return f"{BY_KEY[case].label}, {c.x:g} s: {QUANTITIES[quantity][1]}"


NS2: Final = st.Peer(
    name="ns-2",
    sweeps={
        f"{case.key} {quantity}": f"{case.label}: {name}"
        for case in CASES
        if case.reading.peer
        for quantity, (_, name) in QUANTITIES.items()
    },
    place=lambda c: f"{c.x:g} s",
    point=_point,
    variants=k.SHORT,
    causes=k.TEXT.causes(delay_ms=lambda c: c.experiment.endswith("delay_ms")),
    digits=1,
)
"""The causes of differences were found by evaluating our own trace both ways."""
