"""The study's results by point, and ns-2's and ns-3's results from the folder `reference/`."""

from __future__ import annotations

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
"""Quantities that ns-2 measured; each has our column and the printed name."""


class Results(st.Results):
    """The data by case, length and variant, over both flows of a run; by default those of runs with jittered starts.

    The table `runs` has these columns. `throughput_kbps` is the acknowledged payload divided by the time since the
    first start. `delay_ms` is the mean over the flows that received a packet. `loss_percent` is the number of lost
    packets in percent of all lost and received packets. `at_1s` counts packets with a delay of 1 s. `traced_kbps` is
    the bytes of all received packets, with the sizes in ns-2's trace, divided by the time since the first start.
    `rtt_ms` is the mean of the senders' samples.
    """

    def __init__(self, data: st.StudyData) -> None:
        super().__init__(data, k.VARIANTS)
        lost, received = pl.col("lost_packets").sum(), pl.col("received_packets").sum()
        starts_s = {case.key: case.starts_s[0] for case in CASES}
        since_start = pl.col("length_s").first() - pl.col("case").first().replace_strict(starts_s)
        wire_b = k.SEGMENT_B + pl.col("variant").first().replace_strict(k.NO_HEADER, default=k.HEADER_B)
        at = ("case", "length_s", "variant", "jittered")
        self.runs = data.per_run(
            "flows",
            *at,
            throughput_kbps=8e-3 * pl.col("acked_bytes").sum() / since_start,
            received=received.cast(pl.Float64),
            traced_kbps=8e-3 * received * wire_b / since_start,
            rtt_ms=1e3 * pl.col("rtt_mean_s").drop_nans().mean(),
            delay_ms=1e3 * pl.col("delay_mean_s").filter(pl.col("received_packets") > 0).mean(),
            loss_percent=100 * lost / (lost + received),
            at_1s=pl.col("at_1s_packets").sum().cast(pl.Float64),
        )
        self.rtts = data.values("sizes", "case", "size_b", "variant", "jittered")
        self.bins = data.values("samples", *at, kbps=st.divided("sent_bps", 1e3))
        self.delays = data.values("delays", *at[:3])
        self.files = data.values("files", "case", "variant", "jittered")
        self.longer = data.values("longer", "case", "variant", "jittered")
        numbered = data.values("numbered", *at, number_delay_ms=1e3 * pl.col("number_delay_s"))
        self.numbered = numbered.only(case=FOUND, length_s=k.FOUND_LENGTH_S)
        """The mean delay by sequence number alone, in the interpretation found after the results were known."""
        self.ns3 = data.values("ns3", "blocks", "buffer_b", "enbs", "variant")

    def cases(self) -> list[str]:
        """Return the keys of the cases that were run, in their order."""
        return self.runs.labels(0)

    def lengths(self, case: str) -> list[int]:
        """Return the lengths of a case's runs, s."""
        return self.runs.labels(1, case)

    def sizes(self) -> list[int]:
        """Return the packet sizes that were run, ascending, bytes."""
        return sorted(self.rtts.labels(1))

    def detours(self, variant: str) -> list[bool]:
        """Return, per run of the later interpretation by ascending seed, true if a flow went through the other UE."""
        return [count > k.DETOUR_PACKETS for count in self.numbered.of("passed_on_packets", variant, True)]

    def values(
        self, what: str, case: str, length_s: int, variant: str, *, jittered: bool = True
    ) -> list[float]:
        """Return the values of column `what`, one per run by ascending seed."""
        return self.runs.of(what, case, length_s, variant, jittered)

    def mean(self, what: str, case: str, length_s: int, variant: str) -> float:
        """Return the mean of column `what` over the runs with jittered starts."""
        return st.mean(self.values(what, case, length_s, variant))

    def once(self, what: str, case: str, length_s: int, variant: str) -> float:
        """Return the value of column `what` in the run with the paper's start times."""
        return self.values(what, case, length_s, variant, jittered=False)[0]

    def as_published(
        self, what: str, case: str, length_s: int, variant: str, *, jittered: bool = True
    ) -> list[float]:
        """Return our values that correspond to a published number, one per run by ascending seed.

        In the interpretation found after the results were known, packets count with the sizes in ns-2's trace for
        rates, and delays are computed by sequence number alone.
        """
        if case == FOUND and what == "delay_ms":
            return self.numbered.of("number_delay_ms", variant, jittered)
        own = "traced_kbps" if case == FOUND and what == "throughput_kbps" else what
        return self.values(own, case, length_s, variant, jittered=jittered)

    def rtts_ms(self, case: str, size_b: int, variant: str, *, jittered: bool = True) -> list[float]:
        """Return the mean round-trip time of each run with a packet size, by ascending seed, ms."""
        return [1e3 * rtt for rtt in self.rtts.of("rtt_mean_s", case, size_b, variant, jittered)]

    def falls(self, case: str, length_s: int, variant: str, *, jittered: bool = True) -> list[float]:
        """Return, per run, by how many percent the rate in the last tenth is below that of the four tenths before."""
        return [fall(rates) for rates in self.bins.runs("sent_bps", case, length_s, variant, jittered)]

    def of_files(self, what: str, case: str, variant: str, *, jittered: bool = True) -> list[float]:
        """Return the values of column `what` for a case's runs that send files, by ascending seed."""
        return self.files.of(what, f"{case}{APART['files']}", variant, jittered)

    def bias(self, case: str, variant: str, *, jittered: bool = True) -> st.Ratio:
        """Return by how many percent the flow with the longer round trip is above the other flow, paired by run."""
        at = (f"{case}{APART['longer']}", variant, jittered)
        return st.percent_above(*(self.longer.of(column, *at) for column in ("long_kbps", "short_kbps")))

    def comparisons(self) -> list[st.Comparison]:
        """Return a comparison for each of ns-2's values; see `_compared` for our runs that are used."""
        points = product(self.cases(), k.LENGTHS_S, k.PUBLISHED, QUANTITIES)
        return [self._compared(*at, ns2()[at]) for at in points if at in ns2()]

    def _compared(
        self, case: str, length_s: int, variant: str, quantity: str, theirs: st.Interval
    ) -> st.Comparison:
        # 802.11 runs differ by random backoffs, so all are used. Over wired links only the run with ns-2's start times
        # is comparable.
        radio = BY_KEY[case].reading is WIFI
        ours = self.values(QUANTITIES[quantity][0], case, length_s, variant, jittered=radio)
        within = k.AGREE_RADIO if radio else k.AGREE_WITHIN
        altered = bool(self.runs.altered(case, length_s, variant))
        at = (f"{case} {quantity}", float(length_s), variant)
        return st.compare(at, st.interval(ours), theirs, within, _PRINTED, altered=altered)

    def ns3_comparisons(self) -> list[st.Comparison]:
        """Return the comparisons of ns-3's runs with our runs of the same scenarios."""
        out = []
        for at, quantity in product(self.ns3, NS3_QUANTITIES):
            blocks, buffer_b, enbs, variant = at
            ours = st.interval([median(self.like_ns3(quantity, *at))])
            theirs = st.from_deviation(ns3()[at][quantity], 0.0, 1)
            where, altered = (
                (ns3_key(buffer_b, enbs, quantity), float(blocks), variant),
                self.ns3.altered(*at),
            )
            out.append(st.compare(where, ours, theirs, k.AGREE_RADIO, _PRINTED, altered=bool(altered)))
        return out

    def like_ns3(self, quantity: str, *point: object) -> list[float]:
        """Return our values of a quantity that ns-3 measured at a point."""
        if quantity == "delay_ms":
            return [1e3 * delay_s for delay_s in self.ns3.of("delay_s", *point)]
        return [bps / 1e3 for bps in self.ns3.of("goodput_bps", *point)]


_PRINTED: Final = 0.001
"""Unit to which the stored results of ns-2 and ns-3 are rounded."""

NS3_QUANTITIES: Final = ("goodput_kbps", "delay_ms")
"""Quantities of ns-3's results with which ours are compared; `Results.like_ns3` returns ours."""


@cache
def ns2() -> dict[tuple[str, int, str, str], st.Interval]:
    """Return ns-2's results, by case, length in s, variant and quantity (a key of `QUANTITIES`)."""
    return st.reference.means(
        __file__, lambda row: (row["case"], int(row["length_s"]), row["variant"], row["quantity"])
    )


@cache
def ns2_found() -> dict[tuple[str, int, str], dict[str, float]]:
    """Return ns-2's results under the interpretation found after the study, one run per variant.

    The keys are case, length in s and variant; each value is a dictionary by quantity.
    """
    return {
        (FOUND, k.FOUND_LENGTH_S, row.pop("variant")): {name: float(value) for name, value in row.items()}
        for row in st.reference.rows(__file__, "found.csv")
    }


@cache
def ns3() -> dict[tuple[int, int, int, str], dict[str, float]]:
    """Return ns-3's results for UEs at 30 m, by number of resource blocks, RLC buffer (bytes), eNodeBs and variant."""
    return {
        (int(row["resource_blocks"]), int(row["rlc_buffer_B"]), int(row["enbs"]), row["variant"]): {
            name: float(row[name]) for name in ("goodput_kbps", "delay_ms", "loss_pct", "rtt_min_ms")
        }
        for row in st.reference.rows(__file__, "lte.csv")
        if float(row["distance_m"]) == k.UE_M
    }


@cache
def ns3_starts() -> dict[tuple[int, int], list[float]]:
    """Return the goodput, kb/s, of ns-3's Vegas with 1 MB of buffer, for several gaps between the flows' starts.

    The keys are pairs of the number of resource blocks and the number of eNodeBs.
    """
    found: dict[tuple[int, int], list[float]] = {}
    for row in st.reference.rows(__file__, "lte_starts.csv"):
        at = int(row["resource_blocks"]), int(row["enbs"])
        found.setdefault(at, []).append(float(row["goodput_kbps"]))
    return found


def ns3_key(buffer_b: int, enbs: int, quantity: str) -> str:
    """Return the key for comparing a sweep over resource blocks with ns-3."""
    return f"lte {buffer_b} {enbs} {quantity}"


_COMPARED: Final = {
    f"{case.key} {quantity}": (case.label, name)
    for case in CASES
    if case.reading.peer
    for quantity, (_, name) in QUANTITIES.items()
}
"""Names of case and quantity of the sweeps that are compared with ns-2, by key."""

NS2: Final = st.Peer(
    name="ns-2",
    sweeps={key: ": ".join(named) for key, named in _COMPARED.items()},
    place=lambda c: f"{c.x:g} s",
    point=lambda c: f"{_COMPARED[c.experiment][0]}, {c.x:g} s: {_COMPARED[c.experiment][1]}",
    variants=k.SHORT,
    causes=k.TEXT.causes(delay_ms=lambda c: c.experiment.endswith("delay_ms")),
    digits=1,
)
"""ns-2, the simulator with whose results ours are compared.

The causes of differences were found by evaluating our own trace in both ways."""
