"""The study's results by point, and their comparison with ns-2's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import ackclock.study as st
from ackclock.studies.huang import peer
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import EXPERIMENTS

OPEN: Final = ("open_d1", "open_r1")
NARROW: Final = ("narrow_d1", "narrow_r1")

_PLACE: Final = {e.key: e.place for e in EXPERIMENTS}


def place(experiment: str, x: float) -> str:
    """Name a point in words."""
    return f"{_PLACE[experiment]}, {100 * x:g} %" if x else ""


class Results:
    """The data by experiment, error rate and curve; with jittered starts and timestamps unless stated otherwise."""

    def __init__(self, data: st.StudyData) -> None:
        self.palette = st.Palette(k.LABELS, k.HUES, data.changes.added, k.DASHED)
        self.added = data.changes.added
        self.figures = set(data.figures)
        labels = ("experiment", "x", "curve", "timestamps", "together", "flow")
        rates = {name: st.divided(f"{column}_bps", 1e3) for name, column in _RATES.items()}
        self.flows = data.values("flows", *labels, **rates)
        bins = ("experiment", "curve", "together", "flow")
        self.bins = data.values("samples", *bins, kbps=st.divided("received_bps", 1e3))
        self.estimates = data.values("estimates", *bins[:3], bandwidth_kbps=st.divided("bandwidth_bps", 1e3))

    def has(self, experiment: str, x: float | None = None) -> bool:
        """Return true if an experiment was run, at an error rate if one is given."""
        xs = self.xs(experiment)
        return bool(xs) if x is None else x in xs

    def xs(self, experiment: str) -> list[float]:
        """Return the error rates run, rising."""
        return sorted(self.flows.labels(1, experiment))

    def of(
        self,
        column: str,
        experiment: str,
        x: float,
        curve: str,
        flow: int = 0,
        *,
        timestamps: bool = True,
        together: bool = False,
    ) -> list[float]:
        """Return a column of one flow in each run, by rising seed; the first flow's if none is named."""
        return self.flows.of(column, experiment, x, curve, timestamps, together, flow)

    def kbps(
        self, experiment: str, x: float, curve: str, flow: int = 0, *, together: bool = False
    ) -> list[float]:
        """Return the throughput of a flow in each run, kb/s."""
        return self.of("kbps", experiment, x, curve, flow, together=together)

    def interval(self, experiment: str, x: float, curve: str) -> st.Interval:
        """Return the mean throughput of the first flow with its interval, kb/s."""
        return st.interval(self.kbps(experiment, x, curve))

    def above(self, experiment: str, x: float, winner: str, rival: str) -> st.Ratio:
        """Return the difference of one curve's throughput from another's, paired, percent of the latter's mean."""
        return st.percent_above(self.kbps(experiment, x, winner), self.kbps(experiment, x, rival))

    def ratio(self, experiment: str, x: float, curve: str, base: str) -> st.Ratio:
        """Return the throughput of one curve divided by that of another."""
        return st.ratio_of_means(self.kbps(experiment, x, curve), self.kbps(experiment, x, base))

    def streams(
        self, experiment: str, curve: str, *, timestamps: bool = True, together: bool = False
    ) -> list[tuple[float, ...]]:
        """Return the throughput of every flow in each run without errors, bit/s."""
        at = (experiment, 0.0, curve, timestamps, together)
        every = [self.flows.of("delivered_bps", *at, flow) for flow in self.flows.labels(5, *at)]
        return list(zip(*every, strict=True))

    def jain(
        self, experiment: str, curve: str, *, timestamps: bool = True, together: bool = False
    ) -> list[float]:
        """Return Jain's index of the flows' throughput in each run."""
        return [
            st.jain(run) for run in self.streams(experiment, curve, timestamps=timestamps, together=together)
        ]

    def times(self, experiment: str, curve: str, flow: int = 0) -> tuple[Sequence[float], list[st.Interval]]:
        """Return throughput against time: ends of the bins, and in each the mean over the runs, kb/s."""
        at = (experiment, curve, False, flow)
        return self.bins.runs("time_s", *at)[0], self.bins.intervals("kbps", *at)

    def one_run(self, experiment: str, curve: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return throughput against time in the first run: ends of the bins, and kb/s."""
        at = (experiment, curve, False, 0)
        return tuple(self.bins.runs("time_s", *at)[0]), tuple(self.bins.runs("kbps", *at)[0])

    def estimated(
        self, column: str, experiment: str, curve: str
    ) -> tuple[Sequence[float], list[st.Interval]]:
        """Return an estimate of the sender against time: ends of the bins, and in each the mean over the runs."""
        at = (experiment, curve, False)
        return self.estimates.runs("time_s", *at)[0], self.estimates.intervals(column, *at)

    def with_backlog(self, experiment: str) -> set[str]:
        """Return the curves whose senders estimate the queued segments."""
        curves = self.estimates.labels(1, experiment)
        return {c for c in curves if self.estimates.of("backlog", experiment, c, False)[-1] is not None}

    def left_over(self, experiment: str, curve: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the rate that UDP leaves of the link, as TCP payload, kb/s: ends of the bins, and mean in each."""
        at = (experiment, curve, False)
        times = self.estimates.runs("time_s", *at)[0]
        return tuple(times), tuple(st.mean(left) for left in zip(*self.left(experiment, curve), strict=True))

    def left(self, experiment: str, curve: str) -> list[list[float]]:
        """Return the rate that UDP leaves of the link, as TCP payload, kb/s: a list per run, with a value per bin."""
        streams = [flow for flow in self.bins.labels(3, experiment, curve, False) if flow > 0]
        every = [self.bins.runs("kbps", experiment, curve, False, flow) for flow in streams]
        return [
            [(1000 * k.MIDDLE_MBPS - sum(udp)) * k.PAYLOAD for udp in zip(*runs, strict=True)]
            for runs in zip(*every, strict=True)
        ]

    def estimate(self, experiment: str, curve: str) -> list[float]:
        """Return the estimate of bandwidth from 2 s on: the mean in each run, kb/s."""
        at = (experiment, curve, False)
        times = self.estimates.runs("time_s", *at)[0]
        return [
            st.mean([value for t, value in zip(times, run, strict=True) if t > 2])
            for run in self.estimates.runs("bandwidth_kbps", *at)
        ]

    def misjudged(self, experiment: str, curve: str) -> list[float]:
        """Return the error of the estimated bandwidth against the rate left by UDP, from 2 s on: mean per run, kb/s."""
        at = (experiment, curve, False)
        estimates, times = self.estimates.runs("bandwidth_kbps", *at), self.estimates.runs("time_s", *at)[0]
        return [
            st.mean([abs(a - b) for t, a, b in zip(times, own, left, strict=True) if t > 2])
            for own, left in zip(estimates, self.left(experiment, curve), strict=True)
        ]

    def rates(
        self,
        experiment: str,
        curve: str,
        within: Callable[[float], bool],
        flow: int = 0,
        *,
        together: bool = False,
    ) -> list[float]:
        """Return the throughput of a flow in some bins, by their end in s: the mean of each run, by seed, kb/s."""
        at = (experiment, curve, together, flow)
        times = self.bins.runs("time_s", *at)[0]
        return [
            st.mean([rate for t, rate in zip(times, run, strict=True) if within(t)])
            for run in self.bins.runs("kbps", *at)
        ]

    def peer(
        self, experiment: str, x: float, curve: str, quantity: str, *, together: bool = False
    ) -> st.Interval | None:
        """Return a quantity that ns-2 measured; None if it did not, or if a user changed the scenario."""
        stamps = peer.timestamps(experiment, curve)
        if self.flows.altered(experiment, x, curve, stamps, together):
            return None
        return peer.value(experiment, x, curve, quantity, together=together)

    def peer_series(self) -> dict[tuple[str, int], list[tuple[float, int]]]:
        """Return ns-2's packets against time in Figure 10, without those whose scenario a user changed."""
        return {
            (curve, flow): samples
            for (curve, flow), samples in peer.series().items()
            if not self.bins.altered("friendliness", curve)
        }

    def comparisons(self) -> list[st.Comparison]:
        """Return the comparison of everything that ns-2 measured with ours, run in the same way."""
        out = []
        for p, theirs in peer.points().items():
            if not self.has(p.experiment, p.x):
                continue
            if p.quantity == "jain":
                ours = self.jain(p.experiment, p.variant, timestamps=p.timestamps, together=p.together)
                # The last number is the rounding of the extracts.
                within = (k.AGREE_JAIN, 1e-6)
            else:
                flow = 0 if p.quantity == "goodput_kbps" else 1
                how = {"timestamps": p.timestamps, "together": p.together}
                ours = self.of("goodput_kbps", p.experiment, p.x, p.variant, flow, **how)
                within = (k.AGREE_WITHIN, 0.001)
            key = p.experiment + (", Reno" if p.quantity == "competitor_kbps" else "")
            at = (key + (", together" if p.together else ""), p.x, p.variant)
            altered = self.flows.altered(p.experiment, p.x, p.variant, p.timestamps, p.together)
            out.append(st.compare(at, st.interval(ours), theirs, *within, altered=bool(altered)))
        return out


_RATES: Final = {"kbps": "delivered", "goodput_kbps": "goodput"}

_COMPARED: Final = {
    "open_d1": "4, 5: errors on R1-D1",
    "narrow_r1": "6, 7: errors on R0-R1",
    "narrow_d1": "6, 7: errors on R1-D1",
    "friendliness": "10: variant, jittered",
    "friendliness, Reno": "10: Reno beside it, jittered",
    "friendliness, together": "10: variant, together",
    "friendliness, Reno, together": "10: Reno beside it, together",
    "hybrid, together": "9: over 802.11, no jitter",
    "pulse, together": "on-off test, no jitter",
    "fairness": "11: Jain, jittered",
    "fairness, together": "11: Jain, together",
}
"""Short names of the comparisons with ns-2, by key."""


NS2: Final = st.Peer(
    name="ns-2",
    sweeps=_COMPARED,
    place=lambda c: f"{100 * c.x:g} %" if c.x else "",
    point=lambda c: f"{_COMPARED[c.experiment]}{f', {100 * c.x:g} %' if c.x else ''}",
    variants=k.SHORT,
    causes=k.TEXT.causes(reno=lambda c: c.variant in ("reno", "newreno", "sack")),
    digits=3,
)
"""The causes of differences were found by running ns-2.35 again."""
